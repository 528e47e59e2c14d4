//! One engine over four axes.

use super::{report, shown};
use crate::base::Value;
use crate::plan::{Fidelity, Plan, Tier};
use crate::sample::CellRecord;
use crate::stats::fixture::{engine, job, plan, record};

fn tuning() -> (Plan, Vec<CellRecord>) {
    let mut plan = plan(vec![engine("sqlite", Fidelity::Native, Tier::T3)]);
    let mut records = Vec::new();
    let mut ms = 10.0;
    for journal in ["wal", "delete"] {
        for (sync, tier) in [("off", Tier::T1), ("full", Tier::T3)] {
            for batch in [10, 1_000] {
                for indexed in [false, true] {
                    let mut job = job(
                        &plan,
                        0,
                        &[
                            ("journal", Value::Text(journal.into())),
                            ("sync", Value::Text(sync.into())),
                            ("batch", Value::Int(batch)),
                            ("indexed", Value::Bool(indexed)),
                        ],
                        3,
                    );
                    job.tier = Some(tier);
                    job.options = [("journal_mode".to_owned(), Value::Text(journal.into()))].into();
                    plan.jobs.push(job);
                    ms *= 1.3;
                    for run in 0..3 {
                        let mut record = record(
                            &plan,
                            plan.jobs.len() - 1,
                            run,
                            ms * (1.0 + f64::from(run) / 8.0),
                        );
                        if indexed {
                            record.indexes = vec!["Note_folder_created_id ON Note(folder)".into()];
                        }
                        records.push(record);
                    }
                }
            }
        }
    }
    (plan, records)
}

#[test]
fn axes_are_columns_and_the_best_is_named() {
    let (plan, records) = tuning();
    let report = report(&plan, &records);
    assert_eq!(report.tables.len(), 1);
    assert_eq!(
        report.tables[0].axes,
        ["journal", "sync", "batch", "indexed"]
    );
    insta::assert_snapshot!(shown(&report, 100));
}
