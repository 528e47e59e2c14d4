//! One step of one row.

use crate::report::evidence::Evidence;
use crate::report::model::{Figures, Measure, StepLine};
use crate::sample::{FileSize, StepSample, StepState};
use crate::stats::JobRuns;

/// Figures of a step over the runs that count; none of a void row.
pub(super) fn figures(
    evidence: &Evidence<'_>,
    runs: &JobRuns<'_>,
    step: &StepLine,
    void: bool,
) -> Figures {
    let label = step.label.as_str();
    let mut figures = Figures {
        step: label.to_owned(),
        absent: absent(runs, label),
        held: held(runs, label),
        ..Figures::default()
    };
    let Some(last) = runs.timed(label).last().filter(|_| !void) else {
        return figures;
    };
    let of = |f: &dyn Fn(&StepSample) -> f64| runs.summary(label, f);
    let per_operation = |ns: u64, s: &StepSample| ns as f64 / s.operations.max(1) as f64;
    match step.measure {
        Measure::Size => {
            figures.allocated_bytes = of(&|s| total(&s.files, |f| f.allocated_bytes));
            figures.apparent_bytes = of(&|s| total(&s.files, |f| f.apparent_bytes));
        }
        Measure::Time => {
            figures.wall_ns = runs.wall_ns(label);
            figures.cpu_ns = of(&|s| per_operation(s.cpu_ns, s));
            figures.hook_ns = of(&|s| per_operation(s.hook_ns, s)).filter(|hooks| hooks.max > 0.0);
            figures.decode_ns =
                of(&|s| per_operation(s.decode_ns, s)).filter(|decoding| decoding.max > 0.0);
            figures.foreign_calls = Some(last.foreign_calls).filter(|calls| *calls > 0);
            figures.harness_share = evidence.harness.share(evidence.plan, runs, label);
            figures.latency = middle(runs, label).and_then(|s| s.latency.clone());
        }
        Measure::Expectation => return figures,
    }
    figures.files = last.files.clone();
    figures.read_bytes = of(&|s| s.read_bytes as f64);
    figures.written_bytes = of(&|s| s.written_bytes as f64);
    let memory = |part: fn(&crate::sample::Memory) -> u64| {
        crate::stats::Summary::of(
            runs.timed(label)
                .filter_map(|s| s.memory.as_ref())
                .map(|m| part(m) as f64),
        )
    };
    figures.peak_bytes = memory(|m| m.peak_bytes);
    figures.anonymous_bytes = memory(|m| m.anonymous_bytes);
    figures.mapped_bytes = memory(|m| m.mapped_bytes);
    figures.logical_bytes = Some(last.logical_bytes).filter(|bytes| *bytes > 0);
    figures.operations = Some(last.operations);
    figures.commits = Some(last.commits).filter(|commits| *commits > 0);
    figures.objects = Some(last.objects).filter(|objects| *objects > 0);
    figures.count = Some(last.answer.count);
    figures.value = last.answer.value.clone();
    figures.resident_before = runs
        .timed(label)
        .filter_map(|s| s.resident_before)
        .max_by(f64::total_cmp);
    figures
}

fn total(files: &[FileSize], bytes: fn(&FileSize) -> u64) -> f64 {
    files.iter().map(bytes).sum::<u64>() as f64
}

/// Why a step that was reached has no figure.
fn absent(runs: &JobRuns<'_>, label: &str) -> Option<String> {
    runs.samples(label).find_map(|sample| match &sample.state {
        StepState::NotApplicable(why) => Some(format!("n/a: {why}")),
        StepState::Untimed => Some("not timed: an expectation before it failed".into()),
        StepState::Measured | StepState::Expected { .. } => None,
    })
}

fn held(runs: &JobRuns<'_>, label: &str) -> Option<bool> {
    runs.samples(label)
        .filter_map(|sample| match &sample.state {
            StepState::Expected { held, .. } => Some(*held),
            _ => None,
        })
        .reduce(|a, b| a && b)
}

/// The sample of the run whose time is the (lower) median.
fn middle<'a>(runs: &JobRuns<'a>, label: &str) -> Option<&'a StepSample> {
    let mut samples: Vec<&StepSample> = runs.timed(label).collect();
    samples.sort_by_key(|s| s.wall_ns);
    let at = samples.len().checked_sub(1)? / 2;
    samples.get(at).copied()
}
