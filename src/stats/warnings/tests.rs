//! Every warning, provoked; and a clean run, which has none.

use super::find;
use crate::base::Value;
use crate::plan::step::Operand;
use crate::plan::{Access, At, CompareOp, Fidelity, Index, IndexColumn, Model, Op, Plan, Tier};
use crate::sample::{CellRecord, Latency, Outcome, StepState};
use crate::stats::fixture::{engine, job, plan, record, sample, step};
use crate::stats::{Finding, Harness, Warning};

/// Two engines, one size, six runs each.
fn clean() -> (Plan, Vec<CellRecord>) {
    let mut plan = plan(vec![
        engine("sqlite", Fidelity::Native, Tier::T3),
        engine("memory", Fidelity::Own, Tier::T3),
    ]);
    plan.study.tiers_mixed = false;
    for at in 0..2 {
        let job = job(&plan, at, &[("n", Value::Int(1_000))], 6);
        plan.jobs.push(job);
    }
    let records = (0..6)
        .flat_map(|run| [record(&plan, 0, run, 10.0), record(&plan, 1, run, 5.0)])
        .collect();
    (plan, records)
}

fn found(plan: &Plan, records: &[CellRecord]) -> Vec<Finding> {
    find(plan, records, &Harness::default(), false)
}

/// The only finding there is.
fn only(plan: &Plan, records: &[CellRecord]) -> Finding {
    let mut findings = found(plan, records);
    assert_eq!(findings.len(), 1, "{findings:?}");
    findings.remove(0)
}

#[test]
fn a_clean_run_has_none() {
    let (plan, records) = clean();
    assert_eq!(found(&plan, &records), []);
}

#[test]
fn a_debug_build() {
    let (plan, records) = clean();
    let findings = find(&plan, &records, &Harness::default(), true);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].warning, Warning::DebugBuild);
    assert_eq!(findings[0].trial, None);
}

#[test]
fn few_runs_are_said_once_with_the_fewest() {
    let (plan, mut records) = clean();
    records.retain(|r| r.cell.run < 3 + u32::from(r.cell.job == 0));
    let finding = only(&plan, &records);
    assert_eq!(finding.warning, Warning::FewRuns { runs: 3 });
    assert_eq!((finding.trial, finding.jobs), (None, vec![0, 1]));
}

#[test]
fn warm_up_runs_do_not_count() {
    let (plan, mut records) = clean();
    for record in records.iter_mut().filter(|r| r.cell.run == 0) {
        record.cell.warmup = true;
        record.outcome = Outcome::Unchecked("not looked at".into());
    }
    assert_eq!(only(&plan, &records).warning, Warning::FewRuns { runs: 5 });
}

#[test]
fn a_step_that_matched_nothing() {
    let (plan, mut records) = clean();
    for record in &mut records {
        record.steps[1].answer.count = 0;
    }
    let finding = only(&plan, &records);
    assert_eq!(finding.warning, Warning::MatchedNothing);
    assert_eq!(finding.step.as_deref(), Some("jane"));
    assert_eq!(finding.jobs, [0, 1]);
}

#[test]
fn nothing_matched_is_no_news_where_it_was_expected_or_asked_for() {
    let (mut plan, mut records) = clean();
    for record in &mut records {
        record.steps[1].answer.count = 0;
    }
    let mut expected = plan.clone();
    for job in &mut expected.jobs {
        job.steps.push(step(
            "expect",
            "expect jane == 0",
            Op::Expect {
                left: Operand::Count("jane".into()),
                op: CompareOp::Equal,
                right: Operand::Literal(Value::Int(0)),
            },
        ));
    }
    assert_eq!(found(&expected, &records), []);
    for job in &mut plan.jobs {
        if let Op::Read { access, .. } = &mut job.steps[1].op {
            *access = Some(Access {
                field: 0,
                at: At::Missing,
                population: 1_000,
                salt: 0,
            });
        }
    }
    assert_eq!(found(&plan, &records), []);
}

#[test]
fn a_window_near_the_clocks_resolution() {
    let (plan, mut records) = clean();
    records[0].steps[1].wall_ns = 400;
    let finding = only(&plan, &records);
    assert_eq!(
        finding.warning,
        Warning::NearClockResolution { window_ns: 400.0 }
    );
    // A thousand operations in one window are long enough; a thousand windows are not.
    let sample = &mut records[0].steps[1];
    sample.wall_ns = 400_000;
    sample.operations = 1_000;
    assert_eq!(found(&plan, &records), []);
    records[0].steps[1].latency = Some(Latency {
        first_ns: 400,
        count: 999,
        min_ns: 400,
        p50_ns: 400,
        p90_ns: 400,
        p99_ns: 400,
        p999_ns: 400,
        max_ns: 400,
    });
    assert_eq!(found(&plan, &records).len(), 1);
}

#[test]
fn mixed_tiers_unless_the_author_knows() {
    let (mut plan, records) = clean();
    plan.jobs[1].tier = Some(Tier::T0);
    assert_eq!(
        only(&plan, &records).warning,
        Warning::MixedTiers {
            tiers: vec![Tier::T0, Tier::T3]
        }
    );
    plan.study.tiers_mixed = true;
    assert_eq!(found(&plan, &records), []);
}

#[test]
fn indexes_that_only_one_engine_has() {
    let (mut plan, mut records) = clean();
    for job in &mut plan.jobs {
        job.schema.models = vec![Model {
            name: "User".into(),
            fields: Vec::new(),
            key: None,
            indexes: vec![Index {
                name: "User_age".into(),
                columns: vec![IndexColumn {
                    field: 0,
                    descending: false,
                }],
                unique: false,
            }],
        }];
    }
    for record in &mut records {
        record.indexes = vec!["CREATE INDEX User_age ON User(age)".into()];
    }
    assert_eq!(found(&plan, &records), []);
    for record in records.iter_mut().filter(|r| r.cell.job == 1) {
        record.indexes = vec!["primary key".into()];
    }
    let finding = only(&plan, &records);
    assert_eq!(
        finding.warning,
        Warning::UnequalIndexes {
            indexes: vec!["User_age".into()]
        }
    );
    assert_eq!(finding.jobs, [0, 1]);
    // Another point of the author's axes may have other indexes.
    plan.jobs[1].point[0].1 = Value::Int(2_000);
    assert_eq!(found(&plan, &records), []);
}

#[test]
fn a_cold_step_that_found_pages_in_memory() {
    let (mut plan, mut records) = clean();
    records[0].steps[1].resident_before = Some(0.4);
    assert_eq!(found(&plan, &records), []);
    plan.study.cold = true;
    for job in &mut plan.jobs {
        job.setup = vec![crate::stats::fixture::steps(10).remove(0)];
    }
    let finding = only(&plan, &records);
    assert_eq!(finding.warning, Warning::NotCold { resident: 0.4 });
    assert_eq!(finding.step.as_deref(), Some("jane"));
    records[0].steps[1].resident_before = Some(0.001);
    assert_eq!(found(&plan, &records), []);
}

#[test]
fn a_noisy_disk_and_writes_left_over() {
    let (plan, mut records) = clean();
    records[0].sync_probe_ns = Some((1_000_000, 2_500_000));
    assert_eq!(
        only(&plan, &records).warning,
        Warning::NoisyDisk { factor: 2.5 }
    );
    records[0].sync_probe_ns = None;
    records[0].residue_bytes = 64 << 20;
    assert_eq!(
        only(&plan, &records).warning,
        Warning::Residue { bytes: 64 << 20 }
    );
}

#[test]
fn answers_unchecked_void_and_missing() {
    let (plan, mut records) = clean();
    let reason = "the oracle would need 40 GB".to_owned();
    records[0].outcome = Outcome::Unchecked(reason.clone());
    assert_eq!(only(&plan, &records).warning, Warning::Unchecked { reason });
    let difference = "24 records, expected 25".to_owned();
    records[0].outcome = Outcome::Void {
        step: "jane".into(),
        difference: difference.clone(),
    };
    let findings = found(&plan, &records);
    assert!(findings.iter().any(|f| f.warning
        == Warning::Void {
            difference: difference.clone()
        }
        && f.step.as_deref() == Some("jane")));
    for record in &mut records[..2] {
        record.outcome = Outcome::Died {
            step: Some("write".into()),
            cause: "memory limit".into(),
            message: String::new(),
            place: None,
        };
    }
    let findings = found(&plan, &records);
    let died = findings
        .iter()
        .find(|f| matches!(f.warning, Warning::Died { .. }))
        .unwrap();
    assert_eq!(
        died.warning,
        Warning::Died {
            cause: "memory limit".into(),
            runs: 2
        }
    );
    assert_eq!(died.jobs, [0, 1]);
}

#[test]
fn an_expectation_that_failed() {
    let (plan, mut records) = clean();
    let mut expect = sample(3, "expect", 0.0, 0);
    expect.state = StepState::Expected {
        held: false,
        text: "25 == 24".into(),
    };
    records[0].steps.push(expect);
    assert_eq!(
        only(&plan, &records).warning,
        Warning::ExpectFailed {
            text: "25 == 24".into()
        }
    );
}

#[test]
fn the_harnesss_share_from_one_percent_on() {
    let (plan, records) = clean();
    let mut harness = Harness::default();
    harness.add("key-1000", "write", 40_000.0);
    // 0.4% of sqlite's 10 ms, 0.8% of memory's 5 ms.
    assert_eq!(find(&plan, &records, &harness, false), []);
    harness.add("key-1000", "jane", 20_000.0);
    let findings = find(&plan, &records, &harness, false);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].warning, Warning::HarnessShare { share: 0.04 });
    assert_eq!(findings[0].jobs, [0, 1]);
}

#[test]
fn too_few_samples_to_split_memory() {
    let (plan, mut records) = clean();
    if let Some(memory) = &mut records[0].steps[0].memory {
        memory.samples = 1;
    }
    assert_eq!(
        only(&plan, &records).warning,
        Warning::FewMemorySamples { samples: 1 }
    );
}

#[test]
fn a_model_is_always_said() {
    let (mut plan, records) = clean();
    plan.engines[1].fidelity = Fidelity::Model;
    let finding = only(&plan, &records);
    assert_eq!(
        (finding.warning, finding.jobs),
        (Warning::Modelled, vec![1])
    );
}

/// The time of every step of job 0, by round, ms; 12 rounds.
fn timed(milliseconds: impl Fn(u32) -> f64) -> (Plan, Vec<CellRecord>) {
    let (mut plan, _) = clean();
    for job in &mut plan.jobs {
        job.runs = 12;
    }
    let records = (0..12)
        .flat_map(|run| {
            let level = 5.0 + f64::from(run % 3) * 0.1;
            [
                record(&plan, 0, run, milliseconds(run)),
                record(&plan, 1, run, level),
            ]
        })
        .collect();
    (plan, records)
}

#[test]
fn times_that_rise_over_the_rounds() {
    let (plan, records) = timed(|run| 10.0 + f64::from(run));
    let findings = found(&plan, &records);
    assert!(!findings.is_empty());
    for finding in findings {
        assert_eq!(finding.warning, Warning::Drift { tau: 1.0 });
        assert_eq!(finding.jobs, [0]);
        assert!(finding.step.is_some());
    }
}

#[test]
fn a_run_far_from_the_others() {
    let (plan, records) = timed(|run| {
        if run == 4 {
            80.0
        } else {
            10.0 + f64::from(run % 3)
        }
    });
    let findings = found(&plan, &records);
    assert!(!findings.is_empty());
    for finding in findings {
        assert_eq!(finding.warning, Warning::Outliers { runs: 1 });
        assert_eq!(finding.jobs, [0]);
    }
}
