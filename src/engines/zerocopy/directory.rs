//! Directories: the inner nodes of a table.

use super::bytes::{part, u32_at, u64_at};
use super::cluster::Cluster;
use super::error::{Result, corrupt};
use super::node::{self, HEAD, Kind, Nodes, Ref};
use super::workspace::Workspace;

/// Most entries of a directory.
const FANOUT: usize = 256;
/// Levels that no table reaches.
const MOST_LEVELS: u8 = 12;
const ENTRIES: usize = HEAD + 8;

/// First row and node of what lies below.
pub type Entry = (u64, Ref);

/// Where the reference of an entry stands.
pub fn reference(len: usize, entry: usize) -> usize {
    ENTRIES + 8 * (len + entry)
}

/// A directory node.
#[derive(Clone, Copy)]
struct Directory<'a> {
    bytes: &'a [u8],
    len: usize,
    /// 1 above clusters.
    level: u8,
}

impl<'a> Directory<'a> {
    fn read(nodes: &Nodes<'a>, at: Ref) -> Result<Self> {
        let bytes = nodes.get(at, Kind::Directory)?;
        let (len, level) = (u32_at(bytes, HEAD)? as usize, node::form(bytes));
        if len == 0 || level == 0 || level > MOST_LEVELS {
            return Err(corrupt("a directory that leads nowhere"));
        }
        part(bytes, ENTRIES, 16 * len)?;
        Ok(Directory { bytes, len, level })
    }

    /// A directory below this one.
    fn below(&self, nodes: &Nodes<'a>, at: Ref) -> Result<Self> {
        let below = Directory::read(nodes, at)?;
        if below.level + 1 != self.level {
            return Err(corrupt("a directory of the wrong level"));
        }
        Ok(below)
    }

    fn first(&self, entry: usize) -> Result<u64> {
        u64_at(self.bytes, ENTRIES + 8 * entry)
    }

    fn child(&self, entry: usize) -> Result<Ref> {
        u64_at(self.bytes, reference(self.len, entry)).map(Ref)
    }

    /// The entry whose range a row lies in.
    fn entry_of(&self, row: u64) -> Result<usize> {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = (low + high) / 2;
            if self.first(middle)? <= row {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low.saturating_sub(1))
    }

    fn entries(&self) -> Result<Vec<Entry>> {
        (0..self.len)
            .map(|entry| Ok((self.first(entry)?, self.child(entry)?)))
            .collect()
    }
}

/// The rows of a model.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    nodes: Nodes<'a>,
    root: Ref,
}

impl<'a> Table<'a> {
    /// The table with that root.
    pub fn new(nodes: Nodes<'a>, root: Ref) -> Self {
        Table { nodes, root }
    }

    /// The cluster of a row, and its position there.
    pub fn find(&self, row: u64) -> Result<Option<(Cluster<'a>, usize)>> {
        let located = self.locate(row)?;
        Ok(located.map(|(_, cluster, position)| (cluster, position)))
    }

    /// As [`Table::find`], with the cluster's own place.
    pub fn locate(&self, row: u64) -> Result<Option<(Ref, Cluster<'a>, usize)>> {
        if self.root.is_none() {
            return Ok(None);
        }
        let mut directory = Directory::read(&self.nodes, self.root)?;
        loop {
            let child = directory.child(directory.entry_of(row)?)?;
            if directory.level == 1 {
                let cluster = Cluster::read(&self.nodes, child)?;
                let position = cluster.position(row);
                return Ok(position.map(|position| (child, cluster, position)));
            }
            directory = directory.below(&self.nodes, child)?;
        }
    }

    /// All clusters in the order of their rows.
    pub fn clusters(&self) -> Result<Vec<Entry>> {
        let mut found = Vec::new();
        if !self.root.is_none() {
            let root = Directory::read(&self.nodes, self.root)?;
            self.gather(root, &mut found)?;
        }
        if found.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
            return Err(corrupt("a directory out of order"));
        }
        Ok(found)
    }

    fn gather(&self, directory: Directory<'a>, found: &mut Vec<Entry>) -> Result<()> {
        if directory.level == 1 {
            found.extend(directory.entries()?);
            return Ok(());
        }
        for (_, child) in directory.entries()? {
            self.gather(directory.below(&self.nodes, child)?, found)?;
        }
        Ok(())
    }
}

/// What an edit does with a cluster (or none) and the rows that fall to it
/// (their range among all): the clusters that come into its place.
pub type Change<'c> =
    dyn FnMut(&mut Workspace, Option<Ref>, std::ops::Range<usize>) -> Result<Vec<Entry>> + 'c;

/// Changes the clusters that these rows (ascending) fall to; the new root.
pub fn edit(
    space: &mut Workspace,
    root: Ref,
    rows: &[u64],
    change: &mut Change<'_>,
) -> Result<Ref> {
    if rows.is_empty() {
        return Ok(root);
    }
    let (mut entries, mut level) = if root.is_none() {
        (change(space, None, 0..rows.len())?, 1)
    } else {
        let level = Directory::read(&space.nodes(), root)?.level;
        let above = edit_below(space, root, level, rows, 0..rows.len(), change)?;
        (above, level + 1)
    };
    if entries.is_empty() {
        return Ok(Ref::NONE);
    }
    // A root above one directory is no use, neither is a cluster without one.
    while entries.len() > 1 || level == 1 {
        entries = pack(space, entries, level)?;
        level += 1;
    }
    let mut root = entries[0].1;
    loop {
        let directory = Directory::read(&space.nodes(), root)?;
        if directory.level == 1 || directory.len > 1 {
            return Ok(root);
        }
        let child = directory.child(0)?;
        space.release(root)?;
        root = child;
    }
}

/// The directories that come into the place of one.
fn edit_below(
    space: &mut Workspace,
    at: Ref,
    level: u8,
    rows: &[u64],
    range: std::ops::Range<usize>,
    change: &mut Change<'_>,
) -> Result<Vec<Entry>> {
    let directory = Directory::read(&space.nodes(), at)?;
    if directory.level != level {
        return Err(corrupt("a directory of the wrong level"));
    }
    let entries = directory.entries()?;
    let mut after = Vec::with_capacity(entries.len() + 1);
    let mut next = range.start;
    for (place, (first, child)) in entries.iter().enumerate() {
        let end = match entries.get(place + 1) {
            Some((bound, _)) => next + rows[next..range.end].partition_point(|row| row < bound),
            None => range.end,
        };
        if next == end {
            after.push((*first, *child));
            continue;
        }
        let part = next..end;
        next = end;
        if level == 1 {
            after.extend(change(space, Some(*child), part)?);
        } else {
            after.extend(edit_below(space, *child, level - 1, rows, part, change)?);
        }
    }
    space.release(at)?;
    pack(space, after, level)
}

/// Entries in as many directories as they need, evenly.
fn pack(space: &mut Workspace, entries: Vec<Entry>, level: u8) -> Result<Vec<Entry>> {
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let parts = entries.len().div_ceil(FANOUT);
    let each = entries.len().div_ceil(parts);
    entries
        .chunks(each)
        .map(|part| {
            let mut bytes = node::start(Kind::Directory, level, 0);
            bytes.extend((part.len() as u32).to_le_bytes());
            bytes.extend([0; 4]);
            bytes.extend(part.iter().flat_map(|(first, _)| first.to_le_bytes()));
            bytes.extend(part.iter().flat_map(|(_, child)| child.0.to_le_bytes()));
            Ok((part[0].0, space.add(node::finish(bytes)?)))
        })
        .collect()
}
