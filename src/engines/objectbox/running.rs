//! A prepared request.

use super::api::{Txn, misuse};
use super::deleting::Deleting;
use super::finder::{Finder, Ground};
use super::reading::{Aggregating, Grouping, Reading};
use super::record::Encoder;
use super::selection::Selection;
use super::updating::Updating;
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::Request;
use crate::workload::Sink;

/// A prepared request.
pub enum Running {
    Read(Reading),
    Count(Finder),
    CountPer(Grouping),
    Aggregate(Aggregating),
    Update(Updating),
    Delete(Deleting),
}

impl Running {
    /// Compiles it and builds its query.
    pub fn new(ground: &Ground<'_>, request: &Request) -> Result<Running, EngineError> {
        let model = match request {
            Request::Read(query) | Request::Aggregate { query, .. } => query.model,
            Request::Count { model, .. }
            | Request::CountPer { model, .. }
            | Request::Update { model, .. }
            | Request::Delete { model, .. } => *model,
        };
        if model >= ground.setup.layout.entities.len() {
            return Err(misuse("there is no such model"));
        }
        Ok(match request {
            Request::Read(query) => Running::Read(Reading::new(ground, query)?),
            Request::Count { model, select } => {
                let selection = Selection::of(ground.setup, *model, select, &[]);
                Running::Count(Finder::new(ground, selection)?)
            }
            Request::CountPer { model, select, per } => {
                Running::CountPer(Grouping::new(ground, *model, select, per)?)
            }
            Request::Aggregate {
                query,
                function,
                of,
            } => Running::Aggregate(Aggregating::new(ground, query, *function, of)?),
            Request::Update {
                model, select, set, ..
            } => Running::Update(Updating::new(ground, *model, select, set)?),
            Request::Delete { model, select } => {
                Running::Delete(Deleting::new(ground, *model, select)?)
            }
        })
    }

    /// Whether it changes anything.
    pub fn writes(&self) -> bool {
        matches!(self, Running::Update(_) | Running::Delete(_))
    }

    /// Answers a question.
    pub fn ask(
        &self,
        ground: &Ground<'_>,
        txn: &Txn,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        match self {
            Running::Read(reading) => reading.run(ground, txn, arguments, sink),
            Running::Count(finder) => finder
                .with(ground, arguments)?
                .count(ground, txn, arguments),
            Running::CountPer(grouping) => grouping.run(ground, txn, arguments, sink),
            Running::Aggregate(aggregating) => aggregating.run(ground, txn, arguments, sink),
            Running::Update(_) | Running::Delete(_) => Err(misuse("a change in a read")),
        }
    }

    /// Carries a change out.
    pub fn change(
        &self,
        ground: &Ground<'_>,
        txn: &mut Txn,
        encoder: &mut Encoder,
        arguments: &[Value],
    ) -> Result<u64, EngineError> {
        match self {
            Running::Update(updating) => updating.run(ground, txn, encoder, arguments),
            Running::Delete(deleting) => deleting.run(ground, txn, arguments),
            _ => Err(misuse("a question in a write")),
        }
    }
}
