//! Commits: new nodes into unused space, then the older header.

use std::sync::Arc;

use super::bytes::set_u64;
use super::error::{Result, corrupt, io};
use super::extent::Extent;
use super::header::Header;
use super::map::Map;
use super::node::{self, Arena, Kind, Ref};
use super::references::references;
use super::roots::Roots;
use super::snapshot::Version;
use super::space::Space;
use super::store::Store;
use super::workspace::Workspace;

/// Nodes that lie one after another are written together up to this length.
const WRITE_BYTES: usize = 1 << 20;
/// Least growth of a file.
const LEAST_GROWTH: u64 = 16 << 10;

impl Store {
    /// Makes the nodes of a workspace the next version. On an error the
    /// version before stays the newest one.
    pub fn commit(&mut self, space: Workspace, roots: Roots) -> Result<()> {
        let result = self.write(space, roots);
        if result.is_err() {
            // What was given out meanwhile is free again: as the file says.
            let header = self.current.header;
            let stored = self.current.nodes().get(header.space, Kind::Space);
            match stored.and_then(|bytes| Space::read(bytes, header.end)) {
                Ok(space) => self.space = space,
                Err(_) => self.broken = true,
            }
        }
        result
    }

    fn write(&mut self, workspace: Workspace, mut roots: Roots) -> Result<()> {
        let writing = |error: std::io::Error| io("writing a commit", &error);
        let before = self.current.header;
        let version = before.version + 1;
        let Workspace {
            mut arena,
            mut released,
            ..
        } = workspace;
        // The version before the newest one stays whole, too: until this
        // commit is done, its header is the one to fall back to.
        let needed = self.registry.oldest().unwrap_or(u64::MAX);
        self.space.settle(needed.min(before.version - 1));
        let mut placing = Placing {
            arena: &mut arena,
            space: &mut self.space,
            placed: Vec::new(),
        };
        for table in &mut roots.tables {
            table.root = placing.place(table.root)?;
        }
        for tree in &mut roots.trees {
            *tree = placing.place(*tree)?;
        }
        let mut placed = placing.placed;
        let mut root = roots.encode()?;
        let root_sum = node::seal(&mut root);
        let root_at = self.space.take(root.len() as u64);
        placed.push((root_at, root));
        let nodes = self.current.nodes();
        for old in [before.root, before.space] {
            released.push(Extent::of(old, nodes.any(old)?.len()));
        }
        self.space.release(version, released);
        let (space_at, mut unused) = self.space.encode()?;
        let space_sum = node::seal(&mut unused);
        placed.push((space_at, unused));
        placed.sort_unstable_by_key(|(at, _)| *at);

        let header = Header {
            version,
            end: self.space.end,
            root: Ref(root_at),
            root_sum,
            space: Ref(space_at),
            space_sum,
        };
        if header.end > self.file_len {
            let step = match self.settings.growth {
                0 => (self.file_len / 8).max(LEAST_GROWTH),
                step => step,
            };
            let len = header.end.max(self.file_len.saturating_add(step));
            let len = len.div_ceil(4096) * 4096;
            self.storage.set_len(len).map_err(writing)?;
            self.file_len = len;
        }
        self.write_nodes(placed).map_err(writing)?;
        if self.settings.durable {
            self.storage.sync().map_err(writing)?;
        }
        let map = if header.end > self.current.map.room() {
            Arc::new(Map::new(&self.file, self.file_len)?)
        } else {
            Arc::clone(&self.current.map)
        };
        // From here on the header may be on the disk, whatever is said of it.
        self.broken = true;
        self.storage
            .write(header.place(), &header.encode())
            .map_err(writing)?;
        if self.settings.durable {
            self.storage.sync().map_err(writing)?;
        }
        self.broken = false;
        self.current = Arc::new(Version { map, header, roots });
        Ok(())
    }

    fn write_nodes(&mut self, placed: Vec<(u64, Vec<u8>)>) -> std::io::Result<()> {
        let mut run: Vec<u8> = Vec::new();
        let mut begin = 0;
        for (at, bytes) in placed {
            let follows = begin + run.len() as u64 == at;
            if !run.is_empty() && (!follows || run.len() + bytes.len() > WRITE_BYTES) {
                self.storage.write(begin, &run)?;
                run.clear();
            }
            if run.is_empty() {
                begin = at;
                if bytes.len() >= WRITE_BYTES {
                    self.storage.write(at, &bytes)?;
                    continue;
                }
            }
            run.extend_from_slice(&bytes);
        }
        match run.is_empty() {
            true => Ok(()),
            false => self.storage.write(begin, &run),
        }
    }
}

/// Gives the nodes of a transaction their places, what they refer to first.
struct Placing<'p> {
    arena: &'p mut Arena,
    space: &'p mut Space,
    placed: Vec<(u64, Vec<u8>)>,
}

impl Placing<'_> {
    fn place(&mut self, at: Ref) -> Result<Ref> {
        let Some(place) = at.fresh() else {
            return Ok(at);
        };
        let mut bytes = self.arena.take(place);
        if bytes.is_empty() {
            return Err(corrupt("a node that is gone is still referred to"));
        }
        for child in references(&bytes)? {
            let old = Ref(super::bytes::u64_at(&bytes, child)?);
            let new = self.place(old)?;
            set_u64(&mut bytes, child, new.0)?;
        }
        node::seal(&mut bytes);
        let at = self.space.take(bytes.len() as u64);
        self.placed.push((at, bytes));
        Ok(Ref(at))
    }
}
