//! Before the first cell: the archive, begun or taken up again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::environment;
use super::options::RunOptions;
use super::workplace::Workplace;
use crate::archive::{Archive, Note, Recorder, SourceFile};
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::Plan;
use crate::plan::order::{self, Cell};

/// All that a run sets out with.
#[derive(Debug)]
pub struct Setout {
    /// Writes the archive.
    pub recorder: Recorder,
    /// Where stores lie.
    pub workplace: Workplace,
    /// What was there already; `None` for a new run.
    pub earlier: Option<Archive>,
    /// Every cell of the plan, in order.
    pub order: Vec<Cell>,
    /// Main memory of the machine, bytes.
    pub machine_bytes: u64,
}

/// Begins an archive, or takes one up.
pub fn set_out(
    plan: &Plan,
    sources: &[SourceFile],
    options: &RunOptions,
) -> Result<Setout, Diagnostic> {
    let order = order::cells(plan);
    refuse_doubles(&order)?;
    let now = now_unix_s();
    let directory = match (&options.resume, &options.out) {
        (Some(directory), _) | (None, Some(directory)) => directory.clone(),
        (None, None) => default_directory(&options.results, sources, now),
    };
    // The disk that will hold the stores: its directory need not be there yet.
    let stores = options.work.as_deref().unwrap_or(&directory);
    let environment = environment::read(stores);
    let machine_bytes = environment.memory_bytes;
    let (mut recorder, earlier) = if options.resume.is_some() {
        let (recorder, archive) = Recorder::resume(&directory, plan, environment, now)?;
        (recorder, Some(archive))
    } else {
        let cells = order.len() as u64;
        let recorder = Recorder::create(&directory, plan, sources, environment, cells, now)?;
        (recorder, None)
    };
    let workplace = Workplace::new(&directory, options.work.as_deref())?;
    if !same_disk(&directory, workplace.root()) {
        recorder.note(Note::OtherDisk)?;
    }
    Ok(Setout {
        recorder,
        workplace,
        earlier,
        order,
        machine_bytes,
    })
}

/// Two cells under one name would be mistaken for each other on resuming.
fn refuse_doubles(order: &[Cell]) -> Result<(), Diagnostic> {
    let distinct: BTreeSet<&Cell> = order.iter().collect();
    if distinct.len() == order.len() {
        return Ok(());
    }
    Err(Diagnostic::general(
        Code::ArchiveOther,
        "the plan names a cell twice",
    ))
}

fn default_directory(results: &Path, sources: &[SourceFile], now: u64) -> PathBuf {
    let stem = sources
        .first()
        .and_then(|source| Path::new(&source.name).file_stem())
        .map_or("run".into(), |stem| stem.to_string_lossy().into_owned());
    let time = i64::try_from(now)
        .ok()
        .and_then(|now| jiff::Timestamp::from_second(now).ok())
        .map_or_else(
            || now.to_string(),
            |time| time.strftime("%Y%m%dT%H%M%SZ").to_string(),
        );
    let name = format!("{stem}-{time}");
    let free = |name: &String| !results.join(name).exists();
    let name = std::iter::once(name.clone())
        .chain((2..1000).map(|number| format!("{name}-{number}")))
        .find(free)
        .unwrap_or(name);
    results.join(name)
}

fn same_disk(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (std::fs::metadata(a), std::fs::metadata(b)) {
        (Ok(a), Ok(b)) => a.dev() == b.dev(),
        _ => false,
    }
}

/// Seconds since the epoch.
pub fn now_unix_s() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_secs())
}
