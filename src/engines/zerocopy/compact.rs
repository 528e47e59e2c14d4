//! Compaction: all nodes into a new file, which takes the old one's place.

use std::collections::BTreeMap;
use std::fs::File;
use std::sync::Arc;

use super::bytes::{set_u64, u64_at};
use super::error::{Result, io};
use super::header::Header;
use super::node::{self, Nodes, Ref};
use super::references::references;
use super::space::Space;
use super::storage::{self, Storage};
use super::store::{COMPACTED, FILE, Store, load};

/// Copies nodes into a new file, what they refer to first.
struct Copying<'c> {
    nodes: Nodes<'c>,
    space: Space,
    to: &'c mut dyn Storage,
    copied: BTreeMap<Ref, Ref>,
}

impl Copying<'_> {
    fn copy(&mut self, at: Ref) -> Result<Ref> {
        if at.is_none() {
            return Ok(at);
        }
        if let Some(copy) = self.copied.get(&at) {
            return Ok(*copy);
        }
        // Damage must not be copied under a new checksum.
        self.nodes.tested(at)?;
        let mut bytes = self.nodes.any(at)?.to_vec();
        for place in references(&bytes)? {
            let child = self.copy(Ref(u64_at(&bytes, place)?))?;
            set_u64(&mut bytes, place, child.0)?;
        }
        let copy = self.put(&mut bytes)?.0;
        self.copied.insert(at, copy);
        Ok(copy)
    }

    fn put(&mut self, bytes: &mut Vec<u8>) -> Result<(Ref, u64)> {
        let sum = node::seal(bytes);
        let at = self.space.take(bytes.len() as u64);
        self.to
            .write(at, bytes)
            .map_err(|error| io("writing the compacted file", &error))?;
        Ok((Ref(at), sum))
    }
}

impl Store {
    /// Writes the newest version alone into a new file and puts it into the
    /// place of the old one: whenever it is cut off, one of the two is there.
    pub fn compact(&mut self) -> Result<()> {
        self.workspace()?;
        let path = self.directory.join(COMPACTED);
        let failed = |error: std::io::Error| io("compacting", &error);
        let mut new: File = storage::open_locked(&path)?;
        new.set_len(0).map_err(failed)?;
        let version = Arc::clone(&self.current);
        let mut copying = Copying {
            nodes: version.nodes(),
            space: Space::new(),
            to: &mut new,
            copied: BTreeMap::new(),
        };
        let root = copying.copy(version.header.root)?;
        let (space_at, mut unused) = copying.space.encode()?;
        let space_sum = node::seal(&mut unused);
        let end = copying.space.end;
        new.set_len(end.div_ceil(4096) * 4096).map_err(failed)?;
        new.write(space_at, &unused).map_err(failed)?;
        // The copied root has other references, so another checksum.
        let mut sum = [0; 8];
        std::os::unix::fs::FileExt::read_exact_at(&new, &mut sum, root.0).map_err(failed)?;
        let header = Header {
            version: version.header.version + 1,
            end,
            root,
            root_sum: u64::from_le_bytes(sum),
            space: Ref(space_at),
            space_sum,
        };
        Storage::sync(&mut new).map_err(failed)?;
        new.write(header.place(), &header.encode())
            .map_err(failed)?;
        Storage::sync(&mut new).map_err(failed)?;
        let (current, space, file_len) = load(&new)?;
        let second = new.try_clone().map_err(failed)?;
        std::fs::rename(&path, self.directory.join(FILE)).map_err(failed)?;
        storage::sync_directory(&self.directory)?;
        self.file = new;
        self.storage = Box::new(second);
        self.current = Arc::new(current);
        self.registry = Arc::default();
        self.space = space;
        self.file_len = file_len;
        Ok(())
    }

    /// Makes all that was committed durable.
    pub fn checkpoint(&mut self) -> Result<()> {
        self.storage
            .sync()
            .map_err(|error| io("making all durable", &error))
    }
}
