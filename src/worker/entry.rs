//! The worker's way in: one assignment in, frames out.

use std::io::{Read, Write};
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::rc::Rc;

use super::bench::Bench;
use super::cell::Cell;
use super::clock::Clock;
use super::failure::Failure;
use super::output::Output;
use super::probes::memory::Watch;
use super::probes::{allocator, text};
use super::store::Store;
use super::told::Told;
use super::{crash, process};
use crate::engines::null::NullEngine;
use crate::engines::registry::{Known, find};
use crate::engines::{Engine, Setting};
use crate::hooks::Host;
use crate::plan::{Assignment, PLAN_VERSION};
use crate::probe::monotonic_ns;
use crate::sample::Message;
use crate::workload::{HookRunner, Source};

/// The hidden subcommand `worker`: reads one [`Assignment`] as JSON from
/// standard input to its end, writes frames to standard output.
///
/// Exits with 0 after [`Message::Done`], with 1 after [`Message::Failed`], with
/// 2 where there was no assignment or nobody to tell.
pub fn main() -> ExitCode {
    let mut output = match process::die_with_supervisor().and_then(|()| process::private_output()) {
        Ok(output) => output,
        Err(error) => return hopeless(&error),
    };
    crash::watch();
    let mut text = Vec::new();
    if let Err(error) = std::io::stdin().lock().read_to_end(&mut text) {
        return hopeless(&error);
    }
    let assignment: Assignment = match serde_json::from_slice(&text) {
        Ok(assignment) => assignment,
        Err(error) => return hopeless(&error),
    };
    // Not held during the cell: it would count as memory.
    drop(text);
    match serve(&assignment, &mut output, Confinement::Process) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Silenced(error)) => hopeless(&error),
        Err(_) => ExitCode::FAILURE,
    }
}

fn hopeless(error: &dyn std::fmt::Display) -> ExitCode {
    eprintln!("worker: {error}");
    ExitCode::from(2)
}

/// Whether limits are laid on this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confinement {
    /// The assignment's memory limit holds for the process.
    Process,
    /// No limits: the cell runs inside a process that does other things too.
    None,
}

/// Runs one cell with the engine that the registry has under its kind.
///
/// Every error, panics included, has been told as [`Message::Failed`] when it
/// is returned (except [`Failure::Silenced`]).
pub fn serve(
    assignment: &Assignment,
    to: &mut dyn Write,
    confinement: Confinement,
) -> Result<(), Failure> {
    if let Some(told) = Told::of(assignment) {
        let engine = NullEngine::delivering(told.delivery());
        return serve_told(&engine, assignment, Some(told), to, confinement);
    }
    match find(&assignment.kind) {
        Some(Known::Adapter(engine)) => serve_with(engine, assignment, to, confinement),
        Some(Known::Missing(engine)) => refuse(to, format!("{}: {}", engine.kind, engine.how)),
        None => refuse(to, format!("no engine is called `{}`", assignment.kind)),
    }
}

fn refuse(to: &mut dyn Write, why: String) -> Result<(), Failure> {
    let failure = Failure::Plan(why);
    Output::new(to).failed(&failure)?;
    Err(failure)
}

/// Runs one cell with this engine.
pub fn serve_with(
    engine: &dyn Engine,
    assignment: &Assignment,
    to: &mut dyn Write,
    confinement: Confinement,
) -> Result<(), Failure> {
    serve_told(engine, assignment, None, to, confinement)
}

fn serve_told(
    engine: &dyn Engine,
    assignment: &Assignment,
    told: Option<Told<'_>>,
    to: &mut dyn Write,
    confinement: Confinement,
) -> Result<(), Failure> {
    let mut output = Output::new(to);
    let result = std::panic::catch_unwind(AssertUnwindSafe(|| {
        run(engine, assignment, told, &mut output, confinement)
    }))
    .unwrap_or_else(|payload| Err(Failure::Panic(crash::words(payload.as_ref()))));
    if let Err(failure) = &result
        && !matches!(failure, Failure::Silenced(_))
    {
        output.failed(failure)?;
    }
    result
}

fn run(
    engine: &dyn Engine,
    assignment: &Assignment,
    told: Option<Told<'_>>,
    output: &mut Output<'_>,
    confinement: Confinement,
) -> Result<(), Failure> {
    if assignment.version != PLAN_VERSION {
        return Err(Failure::Plan(format!(
            "plan version {}, this worker knows {PLAN_VERSION}",
            assignment.version
        )));
    }
    let job = &assignment.job;
    let hooks: Rc<dyn HookRunner> = Rc::new(Host::new(&assignment.hooks)?);
    let source = Source::new(job, &assignment.pools, assignment.seed, Rc::clone(&hooks));
    text::populate();
    let watch = Watch::start().map_err(Failure::io("cannot watch the memory"))?;
    let watch = Rc::new(watch);
    let clock = Clock::new(Rc::clone(&watch), Rc::clone(&hooks));
    let baseline = watch
        .take_baseline()
        .map_err(Failure::io("cannot read the memory"))?;
    if confinement == Confinement::Process {
        process::limit_data(baseline.data_bytes.saturating_add(assignment.memory_bytes))
            .map_err(Failure::io("cannot limit the memory"))?;
    }
    let setting = Setting {
        schema: &job.schema,
        hooks: &assignment.hooks,
        options: &job.options,
    };
    output.send(&Message::Ready {
        baseline_bytes: baseline.resident_bytes,
        anonymous_bytes: baseline.anonymous_bytes,
        at_ns: monotonic_ns(),
        allocator: allocator::name(),
    })?;
    let store = Store::new(engine, &assignment.directory, setting, Rc::clone(&hooks));
    let bench = Bench {
        job,
        source: &source,
        hooks,
        store,
        clock,
        answers: Default::default(),
        instantiated: Default::default(),
        resident_before: None,
    };
    let mut cell = Cell {
        assignment,
        bench,
        watch,
        output,
        told,
        untimed: false,
        indexed: false,
    };
    cell.run()
}
