//! What single steps tell.

use super::about;
use crate::plan::step::Operand;
use crate::plan::{At, Job, Op, Plan, Step};
use crate::stats::group::JobRuns;
use crate::stats::share::Harness;
use crate::stats::warning::{Finding, Warning};

/// A window shorter than this is near what the clock resolves: reading the
/// monotonic clock twice costs about 50 ns, 5% of it.
pub const SHORT_WINDOW_NS: f64 = 1_000.0;
/// Share of the harness above which its own time is said.
pub const HARNESS_NOTABLE: f64 = 0.01;
/// Share of the harness above which a figure is as much about the harness.
pub const HARNESS_SERIOUS: f64 = 0.03;
/// Share of resident pages above which a read is not truly cold.
pub const COLD_RESIDENT: f64 = 0.01;
/// Fewest samples for a split of memory into anonymous and file-mapped.
pub const MEMORY_SAMPLES: u32 = 5;

pub(super) fn find(plan: &Plan, runs: &JobRuns<'_>, harness: &Harness) -> Vec<Finding> {
    let Some(job) = plan.jobs.get(runs.job) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for step in &job.steps {
        let mut say = |warning| findings.push(about(plan, runs, Some(&step.label), warning));
        if matched_nothing(job, step, runs) {
            say(Warning::MatchedNothing);
        }
        if let Some(window_ns) = shortest_window(runs, step)
            && window_ns < SHORT_WINDOW_NS
        {
            say(Warning::NearClockResolution { window_ns });
        }
        if let Some(resident) = resident(plan, job, step, runs)
            && resident > COLD_RESIDENT
        {
            say(Warning::NotCold { resident });
        }
        if let Some(share) = harness.share(plan, runs, &step.label)
            && share > HARNESS_NOTABLE
        {
            say(Warning::HarnessShare { share });
        }
    }
    findings.extend(few_memory_samples(plan, job, runs));
    findings
}

/// Short steps cannot be sampled often; said once for the whole run, since the
/// peak itself comes from the kernel and is right all the same.
fn few_memory_samples(plan: &Plan, job: &Job, runs: &JobRuns<'_>) -> Option<Finding> {
    let samples = job
        .steps
        .iter()
        .flat_map(|step| runs.timed(&step.label))
        .filter_map(|sample| sample.memory)
        // A step without memory of its own needs no split.
        .filter(|memory| memory.peak_bytes > 0)
        .map(|memory| memory.samples)
        .min()?;
    (samples < MEMORY_SAMPLES).then(|| Finding {
        trial: None,
        ..about(plan, runs, None, Warning::FewMemorySamples { samples })
    })
}

/// Whether a step that looks for records found none, unasked.
fn matched_nothing(job: &Job, step: &Step, runs: &JobRuns<'_>) -> bool {
    let looks = match &step.op {
        Op::Read { access, .. } | Op::Update { access, .. } | Op::Delete { access, .. } => {
            !matches!(access, Some(access) if access.at == At::Missing)
        }
        Op::Count { .. } => true,
        _ => false,
    };
    // An author who compares the count knows of it.
    let expected = job.steps.iter().any(|other| match &other.op {
        Op::Expect { left, right, .. } => names(left, &step.label) || names(right, &step.label),
        _ => false,
    });
    looks && !expected && {
        let mut samples = runs.timed(&step.label).peekable();
        samples.peek().is_some() && samples.all(|sample| sample.answer.count == 0)
    }
}

fn names(operand: &Operand, label: &str) -> bool {
    match operand {
        Operand::Count(of) | Operand::Result(of) => of == label,
        Operand::Arith { left, right, .. } => names(left, label) || names(right, label),
        Operand::Literal(_) | Operand::Name(_) => false,
    }
}

/// The shortest timed window of a step, ns. Where latencies were taken apart,
/// every operation has a window of its own.
fn shortest_window(runs: &JobRuns<'_>, step: &Step) -> Option<f64> {
    // Maintenance of an engine that has nothing to do is no measurement to doubt.
    if matches!(
        step.op,
        Op::Storage | Op::Compact | Op::Checkpoint | Op::Close | Op::Expect { .. }
    ) {
        return None;
    }
    runs.timed(&step.label)
        .map(|sample| match sample.latency {
            Some(_) => sample.wall_ns as f64 / sample.operations.max(1) as f64,
            None => sample.wall_ns as f64,
        })
        .min_by(f64::total_cmp)
}

/// The largest resident share where the step was to find nothing in memory.
fn resident(plan: &Plan, job: &Job, step: &Step, runs: &JobRuns<'_>) -> Option<f64> {
    let cold = match &step.op {
        Op::Open { cold } | Op::Reopen { cold } => *cold,
        Op::Storage | Op::Close | Op::Expect { .. } => false,
        _ => plan.study.cold && !job.setup.is_empty(),
    };
    if !cold {
        return None;
    }
    runs.timed(&step.label)
        .filter_map(|sample| sample.resident_before)
        .max_by(f64::total_cmp)
}
