//! Undoing one statement inside a transaction: there are no savepoints.

use super::api::{PutMode, Txn};
use crate::engines::EngineError;
use crate::plan::schema::ModelId;

/// What takes one write back.
enum Step {
    Remove {
        model: ModelId,
        id: u64,
    },
    Put {
        model: ModelId,
        id: u64,
        object: Vec<u8>,
    },
    Relate {
        model: ModelId,
        relation: u32,
        from: u64,
        to: u64,
    },
    Unrelate {
        model: ModelId,
        relation: u32,
        from: u64,
        to: u64,
    },
}

/// Writes of a statement, oldest first. Nothing is kept where the statement is
/// a transaction of its own.
#[derive(Default)]
pub struct Undo {
    keeping: bool,
    steps: Vec<Step>,
}

impl Undo {
    /// For a statement; `keeping` inside a transaction.
    pub fn new(keeping: bool) -> Undo {
        Undo {
            keeping,
            steps: Vec::new(),
        }
    }

    /// Whether anything is kept.
    pub fn keeping(&self) -> bool {
        self.keeping
    }

    /// A new object was put.
    pub fn inserted(&mut self, model: ModelId, id: u64) {
        if self.keeping {
            self.steps.push(Step::Remove { model, id });
        }
    }

    /// An object was put in the place of this one.
    pub fn replaced(&mut self, model: ModelId, id: u64, object: Vec<u8>) {
        if self.keeping {
            self.steps.push(Step::Put { model, id, object });
        }
    }

    /// An entry of a relation was added to an object that was there already.
    pub fn related(&mut self, model: ModelId, relation: u32, from: u64, to: u64) {
        if self.keeping {
            self.steps.push(Step::Unrelate {
                model,
                relation,
                from,
                to,
            });
        }
    }

    /// An entry of a relation was taken away.
    pub fn unrelated(&mut self, model: ModelId, relation: u32, from: u64, to: u64) {
        if self.keeping {
            self.steps.push(Step::Relate {
                model,
                relation,
                from,
                to,
            });
        }
    }

    /// Takes all back, newest first.
    pub fn run(self, txn: &mut Txn) -> Result<(), EngineError> {
        for step in self.steps.into_iter().rev() {
            match step {
                Step::Remove { model, id } => {
                    txn.remove(model, id)?;
                }
                Step::Put { model, id, object } => txn.put(model, id, &object, PutMode::Put)?,
                Step::Relate {
                    model,
                    relation,
                    from,
                    to,
                } => txn.relate(model, relation, from, to)?,
                Step::Unrelate {
                    model,
                    relation,
                    from,
                    to,
                } => txn.unrelate(model, relation, from, to)?,
            }
        }
        Ok(())
    }
}
