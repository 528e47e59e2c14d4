//! Warnings in words.

use super::row::{point_words, value_words};
use crate::base::units::{format_share, format_size, format_time, significant};
use crate::plan::Plan;
use crate::stats::warnings::steps::{HARNESS_NOTABLE, HARNESS_SERIOUS};
use crate::stats::{Finding, RUNS_FOR_INTERVAL, Warning};

/// Rows named one by one before they are counted.
const NAMED: usize = 3;

/// One sentence for a finding, with the place it is about.
pub fn sentence(plan: &Plan, finding: &Finding) -> String {
    let text = what(&finding.warning);
    let step = finding.step.as_deref();
    let place = match (finding.trial.as_deref(), step) {
        (Some(trial), Some(step)) => format!("{trial}.{step}"),
        (Some(trial), None) => trial.to_owned(),
        (None, _) => String::new(),
    };
    let rows = rows(plan, finding);
    match (place.is_empty(), rows.is_empty()) {
        (true, true) => text,
        (true, false) => format!("{text} ({rows})"),
        (false, true) => format!("{place}: {text}"),
        (false, false) => format!("{place}: {text} ({rows})"),
    }
}

fn what(warning: &Warning) -> String {
    match warning {
        Warning::DebugBuild => "debug build: times mean nothing; build with --release".into(),
        Warning::FewRuns { runs } => format!(
            "{} per row, fewer than {RUNS_FOR_INTERVAL}: ranges only, no verdict can rest on them",
            plural(u64::from(*runs), "run")
        ),
        Warning::MatchedNothing => "matched nothing: fast, and meaningless".into(),
        Warning::NearClockResolution { window_ns } => format!(
            "the timed window is {} short: near what the clock resolves; `repeat` it",
            format_time(*window_ns)
        ),
        Warning::MixedTiers { tiers } => {
            let tiers: Vec<String> = tiers.iter().map(|t| format!("{t:?}")).collect();
            format!(
                "rows promise different durability ({}); `tiers mixed` says that this is meant",
                tiers.join(", ")
            )
        }
        Warning::UnequalIndexes { indexes } => {
            format!("not all rows have the same indexes: {}", indexes.join(", "))
        }
        Warning::NotCold { resident } => format!(
            "not truly cold: {} of the files' pages were still in memory",
            format_share(*resident)
        ),
        Warning::NoisyDisk { factor } => format!(
            "noisy disk: sync probes before and after a cell differ {}-fold; \
             do not compare sync times",
            significant(*factor)
        ),
        Warning::Residue { bytes } => format!(
            "{} of earlier writes were still on their way to the disk when a cell began",
            format_size(*bytes as f64)
        ),
        Warning::Unchecked { reason } => format!("answers unchecked: {reason}"),
        Warning::Void { difference } => format!("VOID: {difference}"),
        Warning::Died { cause, runs } => {
            format!("{} died: {cause}", plural(u64::from(*runs), "run"))
        }
        Warning::ExpectFailed { text } => format!("expectation failed: {text}"),
        Warning::Drift { tau } => format!(
            "times {} over the rounds (rank correlation {}): the machine changed, or the engine did",
            if *tau > 0.0 { "rise" } else { "fall" },
            significant(*tau)
        ),
        Warning::Outliers { runs } => format!(
            "{} far from the others; kept, and the median bears it",
            plural(u64::from(*runs), "run")
        ),
        Warning::HarnessShare { share } if *share > HARNESS_SERIOUS => format!(
            "{} of the time is the harness's own (above {}): \
             the figure says as much about the harness",
            format_share(*share),
            format_share(HARNESS_SERIOUS)
        ),
        Warning::HarnessShare { share } => format!(
            "{} of the time is the harness's own (above {})",
            format_share(*share),
            format_share(HARNESS_NOTABLE)
        ),
        Warning::FewMemorySamples { samples } => format!(
            "memory of short steps was sampled {}: its split into anonymous and file-mapped \
             is a lower bound there",
            match samples {
                0 => "not at all".into(),
                1 => "only once".into(),
                _ => format!("only {samples} times"),
            }
        ),
        Warning::Modelled => {
            "a model of the engine, not the engine: it can agree or disagree, never convict".into()
        }
    }
}

fn plural(count: u64, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// The rows meant: by name where they are few, `all rows` where they are all.
fn rows(plan: &Plan, finding: &Finding) -> String {
    let jobs: Vec<&crate::plan::Job> = finding
        .jobs
        .iter()
        .filter_map(|job| plan.jobs.get(*job))
        .collect();
    let possible = plan
        .jobs
        .iter()
        .filter(|job| finding.trial.as_ref().is_none_or(|t| *t == job.trial))
        .filter(|job| job.skipped.is_none())
        .filter(|job| {
            plan.engines
                .get(job.engine)
                .is_some_and(|e| e.missing.is_none())
        })
        .count();
    if jobs.len() == possible && possible > 1 {
        return "all rows".into();
    }
    // Long names only where there is one.
    let long = jobs.iter().any(|job| job.point.len() > 2);
    if jobs.len() > if long { 1 } else { NAMED } {
        return format!("{} of {possible} rows", jobs.len());
    }
    jobs.iter()
        .map(|job| {
            let label = plan.engines.get(job.engine).map_or("?", |e| &e.label);
            if job.point.is_empty() {
                label.to_owned()
            } else if let [(axis, value)] = job.point.as_slice() {
                format!("{label}, {axis} = {}", value_words(value))
            } else {
                format!("{label}, {}", point_words(&job.point))
            }
        })
        .collect::<Vec<_>>()
        .join("; ")
}
