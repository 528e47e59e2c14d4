//! Jobs with the same answers share one run of the oracle.

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::plan::schema::Schema;
use crate::plan::{Expr, Extent, Hook, Job, Op, Pool, Step, Transaction, UpdateBy};

/// What answers depend on: neither engine nor options, nor how changes are
/// grouped into commits, nor indexes that are not unique.
#[derive(Serialize)]
struct Question<'a> {
    seed: u64,
    schema: &'a Schema,
    generators: &'a [Vec<Option<Expr>>],
    extents: &'a [Extent],
    setup: &'a [Step],
    steps: &'a [Step],
    pools: &'a [Pool],
    hooks: &'a [Hook],
}

/// 32 hex digits over everything that a job's answers depend on.
pub fn answer_key(seed: u64, job: &Job, pools: &[Pool], hooks: &[Hook]) -> String {
    let mut schema = job.schema.clone();
    for model in &mut schema.models {
        model.indexes.retain(|index| index.unique);
    }
    let question = Question {
        seed,
        schema: &schema,
        generators: &job.generators,
        extents: &job.extents,
        setup: &job.setup.iter().map(bare).collect::<Vec<_>>(),
        steps: &job.steps.iter().map(bare).collect::<Vec<_>>(),
        pools,
        hooks,
    };
    // Plain data with text keys: serde_json cannot refuse it.
    let text = serde_json::to_vec(&question).unwrap_or_default();
    format!("{:032x}", xxh3_128(&text))
}

/// The step without what its answer does not depend on.
fn bare(step: &Step) -> Step {
    let mut step = step.clone();
    step.text.clear();
    step.file.clear();
    step.line = 0;
    step.depth = None;
    match &mut step.op {
        Op::Create {
            transaction,
            instantiated,
            ..
        } => {
            *transaction = Transaction::One;
            *instantiated = false;
        }
        Op::Upsert { transaction, .. } | Op::Delete { transaction, .. } => {
            *transaction = Transaction::One;
        }
        Op::Update {
            transaction, by, ..
        } => {
            *transaction = Transaction::One;
            *by = UpdateBy::Idiom;
        }
        Op::Block {
            transaction, body, ..
        } => {
            *transaction = Transaction::One;
            for step in body {
                *step = bare(step);
            }
        }
        _ => {}
    }
    step
}
