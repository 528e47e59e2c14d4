//! The verbs of a trial, each inside its timed windows.

pub mod block;
pub mod change;
pub mod create;
pub mod expect;
pub mod lifecycle;
pub mod maintain;
pub mod read;

use crate::engines::Maintenance;
use crate::plan::{Op, Step};

use super::bench::Bench;
use super::done::Done;
use super::failure::Failure;
use block::Block;
use create::Rows;

/// Runs one step.
pub fn run(bench: &mut Bench<'_>, step: &Step) -> Result<Done, Failure> {
    match &step.op {
        Op::Instantiate {
            model,
            first_row,
            count,
        } => create::instantiate(bench, rows(*model, *first_row, *count)),
        Op::Create {
            model,
            first_row,
            count,
            pools,
            transaction,
            instantiated,
        } => {
            let rows = rows(*model, *first_row, *count);
            create::create(bench, rows, pools, *transaction, *instantiated)
        }
        Op::Upsert {
            model,
            count,
            generation,
            transaction,
        } => create::upsert(bench, *model, *count, *generation, *transaction),
        Op::Read { .. } | Op::Count { .. } => read::run(bench, &step.op),
        Op::Update { .. } | Op::Delete { .. } => change::run(bench, &step.op),
        Op::Block {
            repeat,
            model,
            at,
            population,
            salt,
            binds,
            transaction,
            body,
        } => {
            let block = Block {
                repeat: *repeat,
                model: *model,
                at: *at,
                population: *population,
                salt: *salt,
                binds,
                transaction: *transaction,
                body,
            };
            block::run(bench, &block)
        }
        Op::Storage => maintain::storage(bench),
        Op::Compact => maintain::maintain(bench, Maintenance::Compact),
        Op::Checkpoint => maintain::maintain(bench, Maintenance::Checkpoint),
        Op::Open { cold } => lifecycle::open(bench, *cold),
        Op::Close => lifecycle::close(bench),
        Op::Reopen { cold } => lifecycle::reopen(bench, *cold),
        Op::Expect { left, op, right } => expect::run(&bench.answers, left, *op, right),
    }
}

fn rows(model: usize, first: u64, count: u64) -> Rows {
    Rows {
        model,
        first,
        count,
    }
}
