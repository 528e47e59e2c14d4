//! `update` and `delete`.

use crate::engines::EngineError;
use crate::plan::schema::ModelId;
use crate::plan::{Access, Column, Op, Query, Request, Select, Transaction};
use crate::worker::arguments::{Arguments, CHUNK};
use crate::worker::bench::Bench;
use crate::worker::done::Done;
use crate::worker::failure::Failure;
use crate::worker::grouping::Grouping;
use crate::workload::{CollectSink, NoSink};

/// A change, taken out of its step.
pub struct Change<'a> {
    /// Of this model.
    pub model: ModelId,
    /// Which records.
    pub select: &'a Select,
    /// Point access: which keys.
    pub access: Option<&'a Access>,
    /// Grouping into commits.
    pub transaction: Transaction,
    /// Executions.
    pub repeat: u64,
    op: &'a Op,
}

impl<'a> Change<'a> {
    /// The change of an update or delete step; `None` for other steps.
    pub fn of(op: &'a Op) -> Option<Change<'a>> {
        match op {
            Op::Update {
                model,
                select,
                access,
                transaction,
                repeat,
                ..
            }
            | Op::Delete {
                model,
                select,
                access,
                transaction,
                repeat,
            } => Some(Change {
                model: *model,
                select,
                access: access.as_ref(),
                transaction: *transaction,
                repeat: *repeat,
                op,
            }),
            _ => None,
        }
    }

    /// The request, over the records of `select`.
    pub fn request(&self, select: Select) -> Request {
        match self.op {
            Op::Update { set, by, .. } => Request::Update {
                model: self.model,
                select,
                set: set.clone(),
                by: *by,
            },
            _ => Request::Delete {
                model: self.model,
                select,
            },
        }
    }
}

/// Changes the records.
pub fn run(bench: &mut Bench<'_>, op: &Op) -> Result<Done, Failure> {
    let Some(change) = Change::of(op) else {
        return Err(Failure::Plan("this is no change".into()));
    };
    let single = change.repeat == 1 && change.access.is_none();
    match change.transaction {
        Transaction::Of(_) | Transaction::Autocommit if single => one_by_one(bench, &change),
        _ => repeated(bench, &change),
    }
}

/// The statement as it stands, once or often; repetitions are grouped.
fn repeated(bench: &mut Bench<'_>, change: &Change<'_>) -> Result<Done, Failure> {
    let request = change.request(change.select.clone());
    let mut grouping = Grouping::new(change.transaction);
    let mut arguments = Arguments::new(bench.source, change.model, change.access, change.repeat);
    let mut prepared = None;
    let mut count = 0;
    let session = bench.store.session()?;
    while let Some(chunk) = arguments.next()? {
        bench.clock.window(|laps| {
            let prepared = match prepared {
                Some(prepared) => prepared,
                None => *prepared.insert(session.prepare(&request)?),
            };
            for arguments in chunk {
                grouping.enter(session)?;
                count += session.execute(prepared, arguments, &mut NoSink)?;
                grouping.leave(session, 1)?;
                laps.lap();
            }
            Ok::<_, EngineError>(())
        })?;
    }
    bench.clock.window(|_| grouping.finish(session))?;
    if let Some(prepared) = prepared {
        session.release(prepared);
    }
    Ok(Done {
        count,
        operations: change.repeat,
        commits: grouping.commits(),
        ..Done::default()
    })
}

/// Reads the identities of the matching records, then changes them one at a
/// time, grouped into commits: what an app does that may not hold one long
/// transaction.
fn one_by_one(bench: &mut Bench<'_>, change: &Change<'_>) -> Result<Done, Failure> {
    let read = Request::Read(Query {
        model: change.model,
        select: change.select.clone(),
        order: Vec::new(),
        limit: None,
        offset: 0,
        columns: vec![Column::Identity],
    });
    let request = change.request(Select::Identity);
    let mut grouping = Grouping::new(change.transaction);
    let session = bench.store.session()?;
    let mut found = CollectSink::default();
    let (reading, changing) = bench.clock.window(|_| {
        let reading = session.prepare(&read)?;
        session.execute(reading, &[], &mut found)?;
        Ok::<_, EngineError>((reading, session.prepare(&request)?))
    })?;
    let mut changed = 0;
    for chunk in found.rows.chunks(CHUNK as usize) {
        bench.clock.window(|laps| {
            for identity in chunk {
                grouping.enter(session)?;
                changed += session.execute(changing, identity, &mut NoSink)?;
                if grouping.leave(session, 1)? {
                    laps.lap();
                }
            }
            Ok::<_, EngineError>(())
        })?;
    }
    bench.clock.window(|_| grouping.finish(session))?;
    session.release(reading);
    session.release(changing);
    let matched = found.rows.len() as u64;
    // A cascade may have taken a matched record before its turn; none may appear.
    if changed > matched {
        return Err(Failure::Plan(format!(
            "{changed} records changed by the identities of {matched}"
        )));
    }
    Ok(Done {
        count: matched,
        commits: grouping.commits(),
        ..Done::default()
    })
}
