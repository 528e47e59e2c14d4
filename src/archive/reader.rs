//! Reading an archive back, of an interrupted run as well.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::answers::{AnswerRecord, HarnessRecord};
use super::environment::Environment;
use super::fault::{check_version, unreadable};
use super::format::{ANSWERS, ARCHIVE_VERSION, CELLS, HARNESS, MANIFEST, PLAN};
use super::lines::{self, Content};
use super::manifest::{Manifest, Note};
use super::source::SourceFile;
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::{PLAN_VERSION, Plan};
use crate::sample::{CellRecord, SAMPLE_VERSION};

/// A run, as its directory tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Archive {
    /// Its directory.
    pub directory: PathBuf,
    /// State, sessions and notes; a torn line found now is noted too.
    pub manifest: Manifest,
    /// The resolved plan.
    pub plan: Plan,
    /// The environment of each session that brought another than the one before, first one first.
    pub environments: Vec<Environment>,
    /// Finished cells, in the order in which they ran.
    pub cells: Vec<CellRecord>,
    /// What the oracle answered.
    pub answers: Vec<AnswerRecord>,
    /// Runs of the `null` engine.
    pub harness: Vec<HarnessRecord>,
    /// The experiment, then the modules and pool files that it uses.
    pub sources: Vec<SourceFile>,
}

/// Bytes of whole records in each file of lines: what a writer may append to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lengths {
    pub cells: u64,
    pub answers: u64,
    pub harness: u64,
}

/// Reads an archive.
///
/// # Errors
/// Where it is no archive, a file of it cannot be read, or a newer version wrote it.
pub fn open(directory: &Path) -> Result<Archive, Diagnostic> {
    open_with_lengths(directory).map(|(archive, _)| archive)
}

pub(super) fn open_with_lengths(directory: &Path) -> Result<(Archive, Lengths), Diagnostic> {
    let path = directory.join(MANIFEST);
    if !path.exists() {
        return Err(Diagnostic::general(
            Code::ArchiveUnreadable,
            format!(
                "`{}` is not the archive of a run: it has no {MANIFEST}",
                directory.display()
            ),
        )
        .help("name the directory that `persist-lab run` printed, such as one below `results/`"));
    }
    let mut manifest: Manifest = read_json(&path, ARCHIVE_VERSION)?;
    let plan = read_json(&directory.join(PLAN), PLAN_VERSION)?;
    let mut names: Vec<&str> = manifest
        .sessions
        .iter()
        .map(|session| session.environment.as_str())
        .collect();
    names.dedup();
    let environments = names
        .into_iter()
        .map(|name| read_json(&directory.join(name), ARCHIVE_VERSION))
        .collect::<Result<_, _>>()?;
    let sources = manifest
        .sources
        .iter()
        .map(|entry| {
            let path = directory.join(&entry.path);
            let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
            Ok(SourceFile {
                name: entry.name.clone(),
                text,
            })
        })
        .collect::<Result<_, Diagnostic>>()?;
    let cells = read_lines(directory, CELLS, SAMPLE_VERSION, &mut manifest.notes)?;
    let answers = read_lines(directory, ANSWERS, ARCHIVE_VERSION, &mut manifest.notes)?;
    let harness = read_lines(directory, HARNESS, ARCHIVE_VERSION, &mut manifest.notes)?;
    let lengths = Lengths {
        cells: cells.length,
        answers: answers.length,
        harness: harness.length,
    };
    let archive = Archive {
        directory: directory.to_owned(),
        manifest,
        plan,
        environments,
        cells: cells.records,
        answers: answers.records,
        harness: harness.records,
        sources,
    };
    check_cells(&archive)?;
    Ok((archive, lengths))
}

fn read_lines<T: DeserializeOwned>(
    directory: &Path,
    name: &str,
    known: u32,
    notes: &mut Vec<Note>,
) -> Result<Content<T>, Diagnostic> {
    let content = lines::read(&directory.join(name), known)?;
    if content.torn {
        notes.push(Note::TornLine { file: name.into() });
    }
    Ok(content)
}

/// Every record must speak of a job that the plan has, and of a run of its own.
fn check_cells(archive: &Archive) -> Result<(), Diagnostic> {
    let stray = archive.cells.iter().find(|record| {
        archive
            .plan
            .jobs
            .get(record.cell.job)
            .is_none_or(|job| job.id != record.job)
    });
    let mut seen = BTreeSet::new();
    let twice = archive.cells.iter().find(|record| {
        let cell = &record.cell;
        !seen.insert((cell.job, cell.run, cell.warmup))
    });
    match (stray, twice) {
        (None, None) => Ok(()),
        (None, Some(record)) => Err(unreadable(
            &archive.directory.join(CELLS),
            format!(
                "it has run {} of `{}` twice",
                record.cell.run + 1,
                record.job
            ),
        )),
        (Some(record), _) => Err(unreadable(
            &archive.directory.join(CELLS),
            format!("it has a cell of `{}`, which the plan does not", record.job),
        )),
    }
}

/// Every file has one.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

/// Reads one document, refusing a version newer than `known` before looking at anything else.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path, known: u32) -> Result<T, Diagnostic> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, error))?;
    let version: Version =
        serde_json::from_slice(&bytes).map_err(|error| unreadable(path, error))?;
    check_version(path, version.version, known)?;
    serde_json::from_slice(&bytes).map_err(|error| unreadable(path, error))
}

impl Archive {
    /// The environment that the run began in.
    pub fn environment(&self) -> Option<&Environment> {
        self.environments.first()
    }

    /// What the oracle answered for a job's answer key.
    pub fn expected(&self, answer_key: &str) -> Option<&super::Expected> {
        self.answers
            .iter()
            .find(|record| record.answer_key == answer_key)
            .map(|record| &record.expected)
    }
}
