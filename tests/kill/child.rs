//! The process that is killed: opens the store, says what it finds, and then
//! writes until it is killed.
//!
//! It prints one line for what it found, waits for the number of the next
//! transaction, and prints one line for each commit that returned.

use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use persist_lab::engines::registry::{self, Known};
use persist_lab::engines::{Engine, Options, Session, Setting};
use persist_lab::workload::NoHooks;

use super::faulty::Faulty;
use super::story::{Writer, schema, state};

/// More than any round lets it write.
const MOST_TRANSACTIONS: u64 = 100_000;

/// `child KIND OPTIONS DIRECTORY SEED`
pub fn main(arguments: &[String]) -> ExitCode {
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error {}", error.replace('\n', " ")));
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [kind, options, directory, seed] = arguments else {
        return Err("it takes four arguments".into());
    };
    let options: Options = serde_json::from_str(options).map_err(|e| e.to_string())?;
    let seed: u64 = seed.parse().map_err(|_| "the seed is no number")?;
    let (engine, fault) = engine(kind)?;
    let mut session = open_engine(engine, Path::new(directory), &options)?;
    if let Some(fault) = fault {
        session = Box::new(Faulty::new(session, fault == "late"));
    }
    let found = state(session.as_mut(), engine.atomic_commit())?;
    say(&format!(
        "state {}",
        serde_json::to_string(&found).map_err(|e| e.to_string())?
    ));
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|e| e.to_string())?;
    let Ok(next) = line.trim().parse::<u64>() else {
        // Nothing is to be written: the end of a test.
        return session.close().map_err(|e| e.to_string());
    };
    let mut writer = Writer::new(session, seed, next).map_err(|e| e.to_string())?;
    for _ in 0..MOST_TRANSACTIONS {
        let number = writer.next();
        writer.transact().map_err(|e| e.to_string())?;
        say(&format!("done {number}"));
    }
    Ok(())
}

/// One write to the pipe, which outlives the process.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(format!("{line}\n").as_bytes());
    let _ = out.flush();
}

/// The engine of that kind; `late:sqlite` and `half:sqlite` are it made wrong.
pub fn engine(kind: &str) -> Result<(&'static dyn Engine, Option<&str>), String> {
    let (fault, kind) = match kind.split_once(':') {
        Some((fault, kind)) => (Some(fault), kind),
        None => (None, kind),
    };
    match registry::find(kind) {
        Some(Known::Adapter(engine)) => Ok((engine, fault)),
        _ => Err(format!("no engine {kind}")),
    }
}

/// Opens the store of an engine.
pub fn open_engine(
    engine: &dyn Engine,
    directory: &Path,
    options: &Options,
) -> Result<Box<dyn Session>, String> {
    let schema = schema();
    let setting = Setting {
        schema: &schema,
        hooks: &[],
        options,
    };
    engine
        .open(directory, &setting, Rc::new(NoHooks))
        .map_err(|e| e.to_string())
}
