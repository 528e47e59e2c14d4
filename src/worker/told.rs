//! For the `null` engine: how many records each step delivers, as the oracle counted.

use crate::engines::null::Delivery;
use crate::plan::{Assignment, Op, Step};

/// Tells the engine before each step what to deliver.
pub struct Told<'a> {
    delivery: Delivery,
    /// Counts of the steps to come, setup first.
    counts: std::slice::Iter<'a, u64>,
}

impl<'a> Told<'a> {
    /// From the assignment's counts; `None` where it has none.
    pub fn of(assignment: &'a Assignment) -> Option<Told<'a>> {
        assignment.deliver.as_ref().map(|counts| Told {
            delivery: Delivery::default(),
            counts: counts.iter(),
        })
    }

    /// The engine's end of it.
    pub fn delivery(&self) -> Delivery {
        self.delivery.clone()
    }

    /// The step comes next.
    pub fn step(&mut self, step: &Step) {
        let counted = self.counts.next().copied().unwrap_or(0);
        let share = share(&step.op);
        self.delivery.expect(
            counted.saturating_sub(share.created),
            share.executions.max(1),
        );
    }
}

/// What of a step's count the engine delivers, and in how many executions.
#[derive(Default)]
struct Share {
    /// Counted by creates: no execution delivers them.
    created: u64,
    executions: u64,
}

fn share(op: &Op) -> Share {
    match op {
        Op::Read { repeat, .. }
        | Op::Count { repeat, .. }
        | Op::Update { repeat, .. }
        | Op::Delete { repeat, .. } => Share {
            created: 0,
            executions: *repeat,
        },
        Op::Create { count, .. } => Share {
            created: *count,
            executions: 0,
        },
        Op::Block { repeat, body, .. } => {
            body.iter()
                .map(|step| share(&step.op))
                .fold(Share::default(), |sum, part| Share {
                    created: sum
                        .created
                        .saturating_add(part.created.saturating_mul(*repeat)),
                    executions: sum
                        .executions
                        .saturating_add(part.executions.saturating_mul(*repeat)),
                })
        }
        _ => Share::default(),
    }
}
