//! Writing an archive: everything is on disk before the next thing begins.

use std::path::{Path, PathBuf};

use super::answers::{AnswerRecord, HarnessRecord};
use super::environment::Environment;
use super::fault::unwritable;
use super::format::{
    ANSWERS, ARCHIVE_VERSION, CELLS, ENVIRONMENT, HARNESS, HASHES, MANIFEST, PLAN, WORK,
    environment_name,
};
use super::lines::Lines;
use super::lock::{self, Lock};
use super::manifest::{Manifest, Note, Session, State};
use super::reader::{self, Archive, Lengths};
use super::source::{SourceEntry, SourceFile};
use super::{atomic, hashes, other_plan};
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::Plan;
use crate::sample::CellRecord;

/// An archive that is being written; no one else writes to it meanwhile.
#[derive(Debug)]
pub struct Recorder {
    directory: PathBuf,
    manifest: Manifest,
    environment: Environment,
    cells: Lines,
    answers: Lines,
    harness: Lines,
    _lock: Lock,
}

impl Recorder {
    /// Begins an archive in a directory that is empty or not there.
    ///
    /// The manifest is written last: a directory with one is whole. `cells` is
    /// the number of cells of the plan, `now` is in seconds since the epoch.
    pub fn create(
        directory: &Path,
        plan: &Plan,
        sources: &[SourceFile],
        environment: Environment,
        cells: u64,
        now: u64,
    ) -> Result<Recorder, Diagnostic> {
        make_directory(directory)?;
        let lock = lock::take(directory)?;
        refuse_used(directory)?;
        let plan_path = directory.join(PLAN);
        let plan_bytes = atomic::to_json(&plan_path, plan)?;
        atomic::write(&plan_path, &plan_bytes)?;
        let entries = SourceEntry::assign(sources);
        for (entry, source) in entries.iter().zip(sources) {
            let path = directory.join(&entry.path);
            if let Some(parent) = path.parent() {
                make_directory(parent)?;
            }
            atomic::write(&path, source.text.as_bytes())?;
        }
        atomic::write_json(&directory.join(ENVIRONMENT), &environment)?;
        let manifest = Manifest {
            version: ARCHIVE_VERSION,
            tool: environment.build.tool.clone(),
            state: State::Running,
            started_unix_s: now,
            ended_unix_s: None,
            plan_digest: hashes::digest(&plan_bytes),
            cells,
            sources: entries,
            sessions: vec![Session {
                started_unix_s: now,
                ended_unix_s: None,
                environment: ENVIRONMENT.into(),
            }],
            notes: Vec::new(),
        };
        Self::start(directory, manifest, environment, Lengths::default(), lock)
    }

    /// Goes on with an archive, after holding its plan against `plan` and its
    /// files against their hashes. Gives what is there already.
    pub fn resume(
        directory: &Path,
        plan: &Plan,
        environment: Environment,
        now: u64,
    ) -> Result<(Recorder, Archive), Diagnostic> {
        // Opened first without the lock: what is no archive shall not get a lock file.
        reader::open(directory)?;
        let lock = lock::take(directory)?;
        let (archive, lengths) = reader::open_with_lengths(directory)?;
        same_plan(&archive, plan)?;
        unchanged(directory)?;
        let mut manifest = archive.manifest.clone();
        manifest.state = State::Running;
        manifest.ended_unix_s = None;
        manifest
            .notes
            .retain(|note| !matches!(note, Note::NotReached { .. }));
        let number = manifest.sessions.len() + 1;
        let differs = match archive.environment() {
            Some(first) => first.differences(&environment),
            None => Vec::new(),
        };
        let mut name = manifest
            .sessions
            .first()
            .map_or(ENVIRONMENT.into(), |first| first.environment.clone());
        if !differs.is_empty() {
            name = environment_name(number);
            atomic::write_json(&directory.join(&name), &environment)?;
            manifest.notes.push(Note::EnvironmentChanged {
                session: number as u64,
                differs,
            });
        }
        manifest.sessions.push(Session {
            started_unix_s: now,
            ended_unix_s: None,
            environment: name,
        });
        let sealed = directory.join(HASHES);
        if sealed.exists() {
            std::fs::remove_file(&sealed).map_err(|error| unwritable(&sealed, error))?;
        }
        let recorder = Self::start(directory, manifest, environment, lengths, lock)?;
        Ok((recorder, archive))
    }

    fn start(
        directory: &Path,
        manifest: Manifest,
        environment: Environment,
        lengths: Lengths,
        lock: Lock,
    ) -> Result<Recorder, Diagnostic> {
        let recorder = Recorder {
            cells: Lines::open(&directory.join(CELLS), lengths.cells)?,
            answers: Lines::open(&directory.join(ANSWERS), lengths.answers)?,
            harness: Lines::open(&directory.join(HARNESS), lengths.harness)?,
            directory: directory.to_owned(),
            manifest,
            environment,
            _lock: lock,
        };
        recorder.write_manifest()?;
        Ok(recorder)
    }

    /// Its directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The manifest as it stands.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Appends a finished cell.
    pub fn cell(&mut self, record: &CellRecord) -> Result<(), Diagnostic> {
        self.cells.append(record)
    }

    /// Appends what the oracle answered.
    pub fn answer(&mut self, record: &AnswerRecord) -> Result<(), Diagnostic> {
        self.answers.append(record)
    }

    /// Appends a run of the `null` engine.
    pub fn harness(&mut self, record: &HarnessRecord) -> Result<(), Diagnostic> {
        self.harness.append(record)
    }

    /// Adds a note, once.
    pub fn note(&mut self, note: Note) -> Result<(), Diagnostic> {
        if self.manifest.notes.contains(&note) {
            return Ok(());
        }
        self.manifest.notes.push(note);
        self.write_manifest()
    }

    /// Takes over the allocator's name, which only a worker can tell.
    pub fn allocator(&mut self, name: &str) -> Result<(), Diagnostic> {
        if self.environment.allocator.as_deref() == Some(name) {
            return Ok(());
        }
        self.environment.allocator = Some(name.to_owned());
        let Some(session) = self.manifest.sessions.last() else {
            return Ok(());
        };
        atomic::write_json(
            &self.directory.join(&session.environment),
            &self.environment,
        )
    }

    /// Ends the session and seals the archive.
    pub fn finish(mut self, state: State, now: u64) -> Result<(), Diagnostic> {
        self.manifest.state = state;
        self.manifest.ended_unix_s = Some(now);
        if let Some(session) = self.manifest.sessions.last_mut() {
            session.ended_unix_s = Some(now);
        }
        self.write_manifest()?;
        hashes::seal(&self.directory)
    }

    fn write_manifest(&self) -> Result<(), Diagnostic> {
        atomic::write_json(&self.directory.join(MANIFEST), &self.manifest)
    }
}

fn make_directory(directory: &Path) -> Result<(), Diagnostic> {
    std::fs::create_dir_all(directory).map_err(|error| unwritable(directory, error))?;
    match directory.parent() {
        Some(parent) => atomic::sync_directory(parent),
        None => Ok(()),
    }
}

/// A new run goes into an empty directory only (but for its lock, and the
/// stores of an earlier one that never came to write a manifest).
fn refuse_used(directory: &Path) -> Result<(), Diagnostic> {
    let entries = std::fs::read_dir(directory).map_err(|error| unwritable(directory, error))?;
    let used = entries.filter_map(Result::ok).any(|entry| {
        let name = entry.file_name();
        name != super::format::LOCK && name != WORK
    });
    if !used {
        return Ok(());
    }
    let shown = directory.display();
    Err(
        Diagnostic::general(Code::ArchiveUnwritable, format!("`{shown}` is not empty")).help(
            format!(
                "go on with a run that is there by `--resume {shown}`, or choose another directory"
            ),
        ),
    )
}

fn same_plan(archive: &Archive, plan: &Plan) -> Result<(), Diagnostic> {
    // Time for more cells is no other plan.
    let mut plan = plan.clone();
    plan.study.budget_ns = archive.plan.study.budget_ns;
    plan.study
        .overrides
        .clone_from(&archive.plan.study.overrides);
    let bytes = atomic::to_json(&archive.directory.join(PLAN), &plan)?;
    if hashes::digest(&bytes) == archive.manifest.plan_digest {
        return Ok(());
    }
    let mut differs = other_plan::words(&archive.plan, &plan);
    if differs.is_empty() {
        differs.push("`plan.json` is not the file that the run began with".into());
    }
    Err(Diagnostic::general(
        Code::ArchiveOther,
        format!(
            "`{}` is the archive of another plan: {}",
            archive.directory.display(),
            differs.join("; ")
        ),
    )
    .help("resume with the same experiment and options, or start afresh with another `--out`"))
}

fn unchanged(directory: &Path) -> Result<(), Diagnostic> {
    let found = hashes::verify(directory)?;
    if found.intact() {
        return Ok(());
    }
    let mut names = found.changed;
    names.extend(found.missing.iter().map(|name| format!("{name} (gone)")));
    Err(Diagnostic::general(
        Code::ArchiveChanged,
        format!(
            "`{}` was changed after it was sealed: {}",
            directory.display(),
            names.join(", ")
        ),
    )
    .help("a run cannot go on from results that someone has edited; start afresh"))
}
