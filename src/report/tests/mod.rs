//! Reports of hand-made runs, as every format shows them.

mod formats;
mod rows;
mod tuning;

use super::evidence::Evidence;
use super::model::Report;
use super::terminal::{Style, render};
use crate::plan::Plan;
use crate::sample::CellRecord;
use crate::stats::Harness;

fn report(plan: &Plan, records: &[CellRecord]) -> Report {
    let mut harness = Harness::default();
    for job in &plan.jobs {
        harness.add(&job.answer_key, "write", 40_000.0);
        harness.add(&job.answer_key, "jane", 2_000.0);
    }
    super::build(&Evidence {
        plan,
        records,
        harness,
        debug_build: false,
        environment: vec![("machine".into(), "4 cores, 16 GB".into())],
        notes: vec!["the stores lay on another disk than the archive".into()],
    })
}

/// As a terminal of that width shows it; no line is wider unless one word is.
fn shown(report: &Report, width: usize) -> String {
    let text = render(
        report,
        Style {
            width,
            colour: false,
        },
    );
    for line in text.lines() {
        assert!(line.chars().count() <= width, "wider than {width}: {line}");
        assert_eq!(line, line.trim_end(), "spaces at the end: {line:?}");
    }
    text
}
