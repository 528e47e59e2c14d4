//! Records that are appended one by one: a line of JSON each, durable before
//! the next begins.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::fault::{check_version, unreadable, unwritable};
use crate::diagnostics::Diagnostic;

/// A file of records, open for appending.
#[derive(Debug)]
pub struct Lines {
    file: File,
    path: PathBuf,
}

impl Lines {
    /// Opens (creating it) and cuts off what stands behind the first `length`
    /// bytes: [`Content::length`] of an earlier reading, so that a torn line goes.
    pub fn open(path: &Path, length: u64) -> Result<Lines, Diagnostic> {
        let open = || {
            let mut file = File::options()
                .create(true)
                .truncate(false)
                .read(true)
                .write(true)
                .open(path)?;
            if file.metadata()?.len() > length {
                file.set_len(length)?;
                file.sync_all()?;
            }
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(|error: std::io::Error| unwritable(path, error))?;
        Ok(Lines {
            file,
            path: path.to_owned(),
        })
    }

    /// Appends a record; it is on disk when this returns.
    pub fn append<T: Serialize>(&mut self, record: &T) -> Result<(), Diagnostic> {
        let mut line = serde_json::to_vec(record).map_err(|error| unwritable(&self.path, error))?;
        line.push(b'\n');
        self.file
            .write_all(&line)
            .and_then(|()| self.file.sync_data())
            .map_err(|error| unwritable(&self.path, error))
    }
}

/// What a file of records holds.
#[derive(Debug)]
pub struct Content<T> {
    /// Whole records, in order.
    pub records: Vec<T>,
    /// Bytes that they take.
    pub length: u64,
    /// Whether a line at the end was torn by an interruption, and dropped.
    pub torn: bool,
}

/// Every record carries one.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

/// Reads all whole records. A file that is not there holds none. `known` is
/// the newest version that is understood.
///
/// # Errors
/// Where a line before the last cannot be read, or one has a newer version.
pub fn read<T: DeserializeOwned>(path: &Path, known: u32) -> Result<Content<T>, Diagnostic> {
    let mut content = Content {
        records: Vec::new(),
        length: 0,
        torn: false,
    };
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(content),
        Err(error) => return Err(unreadable(path, error)),
    };
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').peekable();
    let mut number = 0;
    while let Some(line) = lines.next() {
        number += 1;
        let last = lines.peek().is_none();
        if !line.ends_with(b"\n") {
            content.torn = true;
            break;
        }
        match parse(path, line, known)? {
            Ok(record) => content.records.push(record),
            Err(_) if last => {
                content.torn = true;
                break;
            }
            Err(error) => return Err(unreadable(path, format!("line {number}: {error}"))),
        }
        content.length += line.len() as u64;
    }
    Ok(content)
}

/// The outer error is a version that is too new; the inner one a line that is no record.
fn parse<T: DeserializeOwned>(
    path: &Path,
    line: &[u8],
    known: u32,
) -> Result<Result<T, serde_json::Error>, Diagnostic> {
    if let Ok(found) = serde_json::from_slice::<Version>(line) {
        check_version(path, found.version, known)?;
    }
    Ok(serde_json::from_slice(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Note {
        version: u32,
        text: String,
    }

    fn note(version: u32, text: &str) -> Note {
        Note {
            version,
            text: text.into(),
        }
    }

    #[test]
    fn a_torn_last_line_is_dropped_and_overwritten() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("notes.jsonl");
        let mut lines = Lines::open(&path, 0).unwrap();
        lines.append(&note(1, "a")).unwrap();
        lines.append(&note(1, "b\n\"")).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for cut in 1..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let content = read::<Note>(&path, 1).unwrap();
            assert!(content.records.len() <= 1, "cut at {cut}");
            assert_eq!(content.torn, content.length < cut as u64, "cut at {cut}");
            let mut lines = Lines::open(&path, content.length).unwrap();
            lines.append(&note(1, "after")).unwrap();
            let again = read::<Note>(&path, 1).unwrap();
            assert_eq!(again.records.len(), content.records.len() + 1);
            assert_eq!(again.records.last(), Some(&note(1, "after")));
            assert!(!again.torn);
        }
    }

    #[test]
    fn a_bad_line_in_the_middle_and_a_newer_version_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("notes.jsonl");
        let good = "{\"version\":1,\"text\":\"x\"}\n";
        std::fs::write(&path, format!("{good}oops\n{good}")).unwrap();
        let error = read::<Note>(&path, 1).unwrap_err();
        assert!(error.message.contains("line 2"), "{}", error.message);
        std::fs::write(&path, "{\"version\":2,\"other\":\"x\"}\n").unwrap();
        let error = read::<Note>(&path, 1).unwrap_err();
        assert_eq!(error.code, crate::diagnostics::Code::ArchiveNewer);
    }
}
