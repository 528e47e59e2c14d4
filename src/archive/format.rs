//! Names of an archive's files, and the version of its own types.

/// Version of every type in this room, as written into archives. Readers
/// refuse a newer one.
pub const ARCHIVE_VERSION: u32 = 1;

/// State, sessions, notes; rewritten whole.
pub const MANIFEST: &str = "manifest.json";
/// The resolved plan.
pub const PLAN: &str = "plan.json";
/// The machine and the build that the run began with.
pub const ENVIRONMENT: &str = "environment.json";
/// One [`CellRecord`](crate::sample::CellRecord) a line.
pub const CELLS: &str = "cells.jsonl";
/// One [`AnswerRecord`](super::AnswerRecord) a line.
pub const ANSWERS: &str = "answers.jsonl";
/// One [`HarnessRecord`](super::HarnessRecord) a line.
pub const HARNESS: &str = "harness.jsonl";
/// SHA-256 of every other file.
pub const HASHES: &str = "hashes.json";
/// The experiment as it was run.
pub const EXPERIMENT: &str = "experiment.exp";
/// Modules and pool files that the experiment uses.
pub const SOURCES: &str = "sources";
/// Held by a run that writes here.
pub const LOCK: &str = "lock";
/// Stores of the cell that is running.
pub const WORK: &str = "work";

/// Name of the environment of session `number`, from 1: the first has no number.
pub fn environment_name(number: usize) -> String {
    if number <= 1 {
        ENVIRONMENT.into()
    } else {
        format!("environment-{number}.json")
    }
}
