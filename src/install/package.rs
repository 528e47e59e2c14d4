//! Files of a package: gzipped tar from npm, zip from pip.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use flate2::read::GzDecoder;

use crate::engines::native::pin::Client;

/// What [`each`] does with a file: its path in the package, its bytes.
pub type Visit<'v> = dyn FnMut(&str, &mut dyn Read) -> io::Result<()> + 'v;

/// Goes through the plain files of a package in their order. Links and all
/// else that is no plain file are passed over, and so are names that are no text.
pub fn each(file: &mut File, client: Client, visit: &mut Visit<'_>) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    match client {
        Client::Npm => tar(BufReader::new(file), visit),
        Client::Pip => zip(BufReader::new(file), visit),
    }
}

fn tar(from: impl Read, visit: &mut Visit<'_>) -> io::Result<()> {
    let mut archive = tar::Archive::new(GzDecoder::new(from));
    for entry in archive.entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = entry.path()?.to_str().map(str::to_owned);
        if let Some(path) = path {
            visit(&path, &mut entry)?;
        }
    }
    Ok(())
}

fn zip(from: impl Read + Seek, visit: &mut Visit<'_>) -> io::Result<()> {
    let mut archive = zip::ZipArchive::new(from)?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index)?;
        if !entry.is_file() {
            continue;
        }
        let path = entry.name()?.into_owned();
        visit(&path, &mut entry)?;
    }
    Ok(())
}
