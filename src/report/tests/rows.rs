//! Every kind of row.

use super::{report, shown};
use crate::base::Value;
use crate::plan::{Claim, Fidelity, Plan, Tier};
use crate::sample::{CellRecord, Outcome, StepState};
use crate::stats::fixture::{engine, job, missing, plan, record, sample};

/// Six engines at two sizes, with everything that can happen to a row.
pub(super) fn every_kind() -> (Plan, Vec<CellRecord>) {
    let mut plan = plan(vec![
        missing("realm", Fidelity::Native),
        engine("sqlite", Fidelity::Native, Tier::T3),
        engine("memory", Fidelity::Own, Tier::T0),
        engine("room", Fidelity::Model, Tier::T2),
        engine("wrong", Fidelity::Native, Tier::T1),
        engine("fragile", Fidelity::Native, Tier::T1),
    ]);
    for n in [100, 1_000] {
        for at in 0..plan.engines.len() {
            let job = job(&plan, at, &[("n", Value::Int(n))], 3);
            plan.jobs.push(job);
        }
    }
    plan.jobs[3].skipped = Some("n < 1k".into());
    plan.claims = vec![Claim {
        text: "SQLite writes fastest".into(),
        comparisons: Vec::new(),
        line: 9,
    }];
    let mut records = Vec::new();
    for run in 0..3 {
        for (job, ms) in [
            (1, 12.0),
            (2, 0.5),
            (4, 3.0),
            (5, 2.0),
            (7, 120.0),
            (9, 80.0),
        ] {
            records.push(record(&plan, job, run, ms * (1.0 + f64::from(run) / 10.0)));
        }
    }
    for record in &mut records {
        match record.cell.job {
            4 => {
                record.outcome = Outcome::Void {
                    step: "jane".into(),
                    difference: "24 records, expected 25".into(),
                };
            }
            5 => {
                record.steps.truncate(1);
                record.outcome = Outcome::Died {
                    step: Some("jane".into()),
                    cause: "signal 11".into(),
                    message: "the worker was killed by SIGSEGV".into(),
                    place: None,
                };
            }
            9 => record.outcome = Outcome::Unchecked("the oracle ran out of memory".into()),
            _ => {}
        }
    }
    let mut untried = record(&plan, 11, 0, 1.0);
    untried.steps.clear();
    untried.outcome = Outcome::NotTried("n = 100 died (signal 11)".into());
    records.push(untried);
    (plan, records)
}

#[test]
fn every_kind_of_row_at_100_columns() {
    let (plan, records) = every_kind();
    let report = report(&plan, &records);
    assert!(!report.good);
    insta::assert_snapshot!(shown(&report, 100));
}

#[test]
fn a_wide_terminal_needs_one_table() {
    let (plan, records) = every_kind();
    insta::assert_snapshot!(shown(&report(&plan, &records), 160));
}

#[test]
fn a_narrow_terminal_gets_more_tables_and_no_broken_lines() {
    let (plan, records) = every_kind();
    insta::assert_snapshot!(shown(&report(&plan, &records), 60));
}

#[test]
fn one_engine_over_sizes_is_one_table() {
    let mut plan = plan(vec![engine("sqlite", Fidelity::Native, Tier::T3)]);
    for n in [100, 1_000, 10_000] {
        let job = job(&plan, 0, &[("n", Value::Int(n))], 1);
        plan.jobs.push(job);
    }
    let records: Vec<CellRecord> = (0..3)
        .map(|job| record(&plan, job, 0, 10f64.powi(job as i32)))
        .collect();
    let report = report(&plan, &records);
    assert_eq!(report.tables.len(), 1);
    assert!(report.good);
    insta::assert_snapshot!(shown(&report, 100));
}

#[test]
fn hooks_not_applicable_steps_and_failed_expectations() {
    let mut plan = plan(vec![
        engine("sqlite", Fidelity::Native, Tier::T3),
        engine("memory", Fidelity::Own, Tier::T0),
    ]);
    for at in 0..2 {
        let job = job(&plan, at, &[], 3);
        plan.jobs.push(job);
    }
    for job in &mut plan.jobs {
        job.steps.insert(
            2,
            crate::stats::fixture::step(
                "expect",
                "expect jane == 25",
                crate::plan::Op::Expect {
                    left: crate::plan::step::Operand::Count("jane".into()),
                    op: crate::plan::CompareOp::Equal,
                    right: crate::plan::step::Operand::Literal(Value::Int(25)),
                },
            ),
        );
    }
    let mut records: Vec<CellRecord> = (0..3)
        .flat_map(|run| [record(&plan, 0, run, 4.0), record(&plan, 1, run, 1.0)])
        .collect();
    for record in &mut records {
        record.steps[1].hook_ns = record.steps[1].wall_ns / 4;
        if record.cell.job == 0 {
            record.steps[1].decode_ns = record.steps[1].wall_ns / 2;
        }
        let mut expect = sample(2, "expect", 0.0, 0);
        expect.state = StepState::Expected {
            held: record.cell.job == 0,
            text: "25 == 24".into(),
        };
        record.steps.insert(2, expect);
        if record.cell.job == 1 {
            record.steps[3].state = StepState::NotApplicable("the engine keeps no files".into());
        }
    }
    let report = report(&plan, &records);
    assert!(!report.good);
    insta::assert_snapshot!(shown(&report, 120));
}

#[test]
fn a_run_that_was_stopped_says_what_is_missing() {
    let (plan, mut records) = every_kind();
    records.retain(|r| r.cell.job == 1 && r.cell.run < 2);
    let text = shown(&report(&plan, &records), 100);
    assert!(
        text.contains("2 of 3 runs made before the run was stopped"),
        "{text}"
    );
    assert!(text.contains("not reached"), "{text}");
}

#[test]
fn nothing_planned_is_said() {
    let plan = plan(Vec::new());
    let text = shown(&report(&plan, &[]), 100);
    assert!(text.contains("no trial was planned"), "{text}");
}

#[test]
fn colour_adds_nothing_but_colour() {
    let (plan, records) = every_kind();
    let report = report(&plan, &records);
    let coloured = super::render(
        &report,
        super::Style {
            width: 100,
            colour: true,
        },
    );
    assert!(coloured.contains('\u{1b}'));
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some(at) = rest.find('\u{1b}') {
        plain.push_str(&rest[..at]);
        let end = rest[at..].find('m').unwrap() + at + 1;
        rest = &rest[end..];
    }
    plain.push_str(rest);
    let trimmed = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.trim_end().to_owned())
            .collect()
    };
    assert_eq!(trimmed(&plain), trimmed(&shown(&report, 100)));
}

#[test]
fn enough_runs_give_intervals_and_say_who_is_level() {
    let mut plan = plan(vec![
        engine("quick", Fidelity::Native, Tier::T3),
        engine("level", Fidelity::Native, Tier::T3),
        engine("slow", Fidelity::Native, Tier::T3),
        engine("short", Fidelity::Native, Tier::T3),
    ]);
    for at in 0..plan.engines.len() {
        let job = job(&plan, at, &[("n", Value::Int(1_000))], 10);
        plan.jobs.push(job);
    }
    let mut records = Vec::new();
    for run in 0..10 {
        // A round is slow or quick for all; between two engines the winner changes.
        let round = 1.0 + f64::from(run % 4);
        let turn = if run % 2 == 0 { 0.99 } else { 1.02 };
        records.push(record(&plan, 0, run, 10.0 * round));
        records.push(record(&plan, 1, run, 10.0 * round * turn));
        records.push(record(&plan, 2, run, 30.0 * round));
        if run < 3 {
            records.push(record(&plan, 3, run, 40.0 * round));
        }
    }
    let report = report(&plan, &records);
    let write = |row: usize| &report.tables[0].rows[row].steps[0];
    assert!(write(1).is_level() && !write(2).is_level());
    let slow = write(2).paired.unwrap();
    assert!((slow.median - 3.0).abs() < 1e-9 && slow.rounds == 10);
    assert!(slow.interval.unwrap().relative_width() < 1e-9);
    assert_eq!(write(0).paired, None);
    insta::assert_snapshot!(shown(&report, 100));
}

#[test]
fn where_one_step_is_too_wide_its_spread_gives_way() {
    let (plan, records) = every_kind();
    insta::assert_snapshot!(shown(&report(&plan, &records), 44));
}
