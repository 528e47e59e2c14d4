//! The untimed second pass: what a step's answer really was.

use super::arguments::{Arguments, constant};
use super::bench::Bench;
use super::failure::Failure;
use crate::plan::{Access, Op, Request, Select, Step};
use crate::workload::{Digest, DigestSink};

/// Asks the step's verifying questions through the same session.
///
/// A point read is asked again for every key that was drawn; once where all
/// repetitions have the same key.
pub fn verify(bench: &mut Bench<'_>, step: &Step) -> Result<Option<Digest>, Failure> {
    if step.verify.is_empty() {
        return Ok(None);
    }
    let session = bench.store.session()?;
    let mut digests = Vec::with_capacity(step.verify.len());
    for request in &step.verify {
        let mut sink = match request {
            Request::Read(query) => DigestSink::new(bench.source.schema(), query),
            _ => DigestSink::plain(),
        };
        let prepared = session.prepare(request)?;
        let (access, repeat) = match (&step.op, request) {
            (Op::Read { access, repeat, .. }, Request::Read(query))
                if matches!(query.select, Select::Point(_)) =>
            {
                (access.as_ref(), *repeat)
            }
            _ => (None, 1),
        };
        let mut arguments = Arguments::new(
            bench.source,
            model(request),
            access,
            executions(access, repeat),
        );
        while let Some(chunk) = arguments.next()? {
            for arguments in chunk {
                session.execute(prepared, arguments, &mut sink)?;
            }
        }
        session.release(prepared);
        digests.push(sink.finish());
    }
    Ok(Digest::combined(&digests))
}

fn executions(access: Option<&Access>, repeat: u64) -> u64 {
    match access {
        Some(access) if constant(access.at) => 1,
        _ => repeat,
    }
}

fn model(request: &Request) -> usize {
    match request {
        Request::Read(query) | Request::Aggregate { query, .. } => query.model,
        Request::Count { model, .. }
        | Request::CountPer { model, .. }
        | Request::Update { model, .. }
        | Request::Delete { model, .. } => *model,
    }
}
