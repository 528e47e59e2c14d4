//! `create`, `upsert` and `instantiate`.

use crate::engines::{EngineError, Session};
use crate::plan::Transaction;
use crate::plan::schema::ModelId;
use crate::worker::batch::Batches;
use crate::worker::bench::Bench;
use crate::worker::done::Done;
use crate::worker::failure::Failure;
use crate::worker::grouping::Grouping;
use crate::workload::Record;

/// Rows that a step makes.
#[derive(Clone, Copy)]
pub struct Rows {
    /// Their model.
    pub model: ModelId,
    /// First row.
    pub first: u64,
    /// How many.
    pub count: u64,
}

/// Stores new objects, shared pools first.
pub fn create(
    bench: &mut Bench<'_>,
    rows: Rows,
    pools: &[(ModelId, u64)],
    transaction: Transaction,
    instantiated: bool,
) -> Result<Done, Failure> {
    let mut grouping = Grouping::new(transaction);
    let mut done = store_pools(bench, pools, &mut grouping)?;
    if instantiated && bench.store.capabilities().instantiate {
        store_instantiated(bench, rows, &mut grouping, &mut done)?;
    } else {
        let batches = Batches::new(rows.model, rows.first, rows.count, 0);
        store(
            bench,
            rows.model,
            batches,
            &mut grouping,
            &mut done,
            |s, m, r| s.insert(m, r),
        )?;
    }
    done.count = rows.count;
    Ok(done)
}

/// Stores rows `0..count` by key.
pub fn upsert(
    bench: &mut Bench<'_>,
    model: ModelId,
    count: u64,
    generation: u32,
    transaction: Transaction,
) -> Result<Done, Failure> {
    let mut grouping = Grouping::new(transaction);
    let mut done = Done::default();
    let batches = Batches::new(model, 0, count, generation);
    store(
        bench,
        model,
        batches,
        &mut grouping,
        &mut done,
        |s, m, r| s.upsert(m, r),
    )?;
    done.count = count;
    Ok(done)
}

/// Builds objects in the engine's own representation.
pub fn instantiate(bench: &mut Bench<'_>, rows: Rows) -> Result<Done, Failure> {
    if !bench.store.capabilities().instantiate {
        return Ok(Done::not_applicable("belongs to the language binding"));
    }
    let session = bench.store.session()?;
    let mut batches = Batches::new(rows.model, rows.first, rows.count, 0);
    while let Some(records) = batches.next(bench.source)? {
        bench
            .clock
            .window(|_| session.instantiate(rows.model, records))?;
    }
    bench.instantiated = batches.weight();
    Ok(Done {
        count: rows.count,
        harness_bytes: batches.most_heap_bytes(),
        ..Done::default()
    })
}

/// Stores shared pools; a transaction is left open for the objects that follow.
pub fn store_pools(
    bench: &mut Bench<'_>,
    pools: &[(ModelId, u64)],
    grouping: &mut Grouping,
) -> Result<Done, Failure> {
    let mut done = Done::default();
    let session = bench.store.session()?;
    for (model, size) in pools {
        let mut batches = Batches::new(*model, 0, *size, 0);
        while let Some(records) = batches.next(bench.source)? {
            bench.clock.window(|_| {
                grouping.begin(session)?;
                session.insert(*model, records)
            })?;
        }
        done.stored += batches.weight();
        done.harness_bytes = done.harness_bytes.max(batches.most_heap_bytes());
    }
    Ok(done)
}

/// Stores batch after batch, grouped into commits; the clock stands still
/// while the next batch is generated, the transaction stays open.
fn store(
    bench: &mut Bench<'_>,
    model: ModelId,
    mut batches: Batches,
    grouping: &mut Grouping,
    done: &mut Done,
    put: impl Fn(&mut dyn Session, ModelId, &[Record]) -> Result<(), EngineError>,
) -> Result<(), Failure> {
    let session = bench.store.session()?;
    while let Some(mut records) = batches.next(bench.source)? {
        bench.clock.window(|laps| {
            while !records.is_empty() {
                let fit = grouping.room().min(records.len() as u64);
                let (now, later) = records.split_at(fit as usize);
                grouping.enter(session)?;
                put(session, model, now)?;
                if grouping.leave(session, fit)? {
                    laps.lap();
                }
                records = later;
            }
            Ok::<_, EngineError>(())
        })?;
    }
    finish(bench, grouping)?;
    done.stored += batches.weight();
    done.harness_bytes = done.harness_bytes.max(batches.most_heap_bytes());
    done.commits = grouping.commits();
    Ok(())
}

fn store_instantiated(
    bench: &mut Bench<'_>,
    rows: Rows,
    grouping: &mut Grouping,
    done: &mut Done,
) -> Result<(), Failure> {
    let session = bench.store.session()?;
    bench.clock.window(|laps| {
        let mut left = rows.count;
        while left > 0 {
            let fit = grouping.room().min(left);
            grouping.enter(session)?;
            session.insert_instantiated(rows.model, fit)?;
            if grouping.leave(session, fit)? {
                laps.lap();
            }
            left -= fit;
        }
        Ok::<_, EngineError>(())
    })?;
    finish(bench, grouping)?;
    done.stored += std::mem::take(&mut bench.instantiated);
    done.commits = grouping.commits();
    Ok(())
}

/// Commits what is still open, inside the clock.
fn finish(bench: &mut Bench<'_>, grouping: &mut Grouping) -> Result<(), Failure> {
    let session = bench.store.session()?;
    bench.clock.window(|laps| {
        if grouping.finish(session)? {
            laps.lap();
        }
        Ok::<_, EngineError>(())
    })?;
    Ok(())
}
