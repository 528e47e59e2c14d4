//! Steps of a table, as far as its rows agree.

use crate::base::units::format_count;
use crate::plan::{Job, Op, Step, Transaction};
use crate::report::model::{Measure, StepLine};

/// The steps of these jobs of one trial; they differ in quantities only.
pub(super) fn steps(jobs: &[&Job]) -> Vec<StepLine> {
    let Some(first) = jobs.first() else {
        return Vec::new();
    };
    first
        .steps
        .iter()
        .enumerate()
        .map(|(at, step)| {
            let words = transaction(&step.op);
            let agree = jobs
                .iter()
                .all(|job| job.steps.get(at).and_then(|s| transaction(&s.op)) == words);
            StepLine {
                label: step.label.clone(),
                text: step.text.clone(),
                measure: measure(step),
                depth: step.depth.clone(),
                transaction: if agree { words } else { None },
                counts: matches!(
                    step.op,
                    Op::Instantiate { .. }
                        | Op::Create { .. }
                        | Op::Upsert { .. }
                        | Op::Read { .. }
                        | Op::Count { .. }
                        | Op::Update { .. }
                        | Op::Delete { .. }
                        | Op::Block { .. }
                ),
            }
        })
        .collect()
}

fn measure(step: &Step) -> Measure {
    match step.op {
        Op::Storage => Measure::Size,
        Op::Expect { .. } => Measure::Expectation,
        _ => Measure::Time,
    }
}

/// How a write is grouped into commits, in the language's words.
pub(crate) fn transaction(op: &Op) -> Option<String> {
    let transaction = match op {
        Op::Create { transaction, .. }
        | Op::Upsert { transaction, .. }
        | Op::Update { transaction, .. }
        | Op::Delete { transaction, .. }
        | Op::Block { transaction, .. } => transaction,
        _ => return None,
    };
    Some(match transaction {
        Transaction::One => "in one transaction".into(),
        Transaction::Of(k) => format!("in transactions of {}", format_count(*k)),
        Transaction::Autocommit => "autocommit".into(),
    })
}
