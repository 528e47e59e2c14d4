//! `read` and `count`.

use crate::plan::{Access, Op};
use crate::worker::arguments::Arguments;
use crate::worker::bench::Bench;
use crate::worker::done::Done;
use crate::worker::failure::Failure;
use crate::worker::question::Question;

/// Asks, once or often.
pub fn run(bench: &mut Bench<'_>, op: &Op) -> Result<Done, Failure> {
    let Some(mut question) = Question::of(bench.source.schema(), op)? else {
        return Err(Failure::Plan("this is no question".into()));
    };
    let (model, access, repeat) = asked(op);
    let mut arguments = Arguments::new(bench.source, model, access, repeat);
    let mut done = Done {
        operations: repeat,
        ..Done::default()
    };
    let session = bench.store.session()?;
    while let Some(chunk) = arguments.next()? {
        bench.clock.window(|laps| {
            for arguments in chunk {
                let (count, value) = question.ask(session, &*bench.hooks, arguments)?;
                done.count += count;
                done.value = value;
                laps.lap();
            }
            Ok::<_, Failure>(())
        })?;
    }
    question.release(session);
    Ok(done)
}

fn asked(op: &Op) -> (usize, Option<&Access>, u64) {
    match op {
        Op::Read {
            query,
            access,
            repeat,
            ..
        } => (query.model, access.as_ref(), *repeat),
        Op::Count { model, repeat, .. } => (*model, None, *repeat),
        _ => (0, None, 0),
    }
}
