//! Indexes: ordered sets of (key, row).

use std::ops::ControlFlow;

use super::branch::Branch;
use super::error::{Result, corrupt};
use super::leaf::Leaf;
use super::node::{self, Kind, Nodes, Ref};

/// What a walk is shown: a key and its row; breaking ends it.
pub type Visit<'v> = dyn FnMut(&[u8], u64) -> Result<ControlFlow<()>> + 'v;

/// A stored index.
#[derive(Clone, Copy)]
pub struct Tree<'a> {
    nodes: Nodes<'a>,
    root: Ref,
}

impl<'a> Tree<'a> {
    /// The index with that root.
    pub fn new(nodes: Nodes<'a>, root: Ref) -> Self {
        Tree { nodes, root }
    }

    /// The lowest row with exactly this key.
    pub fn first(&self, key: &[u8]) -> Result<Option<u64>> {
        let mut found = None;
        self.walk(key, &mut |own, row| {
            if own == key {
                found = Some(row);
            }
            Ok(ControlFlow::Break(()))
        })?;
        Ok(found)
    }

    /// All rows with exactly this key, ascending.
    pub fn rows(&self, key: &[u8]) -> Result<Vec<u64>> {
        let mut rows = Vec::new();
        self.walk(key, &mut |own, row| {
            if own != key {
                return Ok(ControlFlow::Break(()));
            }
            rows.push(row);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(rows)
    }

    /// Shows entries from the first whose key is not below `from`, ascending.
    pub fn walk(&self, from: &[u8], visit: &mut Visit<'_>) -> Result<()> {
        if !self.root.is_none() {
            let _ = self.forwards(self.root, None, Some(from), &mut Vec::new(), visit)?;
        }
        Ok(())
    }

    /// Shows entries whose key is below `to` (all for `None`), descending.
    pub fn walk_back(&self, to: Option<&[u8]>, visit: &mut Visit<'_>) -> Result<()> {
        if !self.root.is_none() {
            let _ = self.backwards(self.root, None, to, &mut Vec::new(), visit)?;
        }
        Ok(())
    }

    fn branch(&self, at: Ref, above: Option<u8>) -> Result<Option<Branch<'a>>> {
        if node::kind(self.nodes.any(at)?) == Some(Kind::Leaf) {
            return match above {
                None | Some(1) => Ok(None),
                Some(_) => Err(corrupt("a leaf of the wrong level")),
            };
        }
        let branch = Branch::read(&self.nodes, at)?;
        if above.is_some_and(|above| branch.level + 1 != above) {
            return Err(corrupt("a branch of the wrong level"));
        }
        Ok(Some(branch))
    }

    fn forwards(
        &self,
        at: Ref,
        above: Option<u8>,
        from: Option<&[u8]>,
        key: &mut Vec<u8>,
        visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>> {
        if let Some(branch) = self.branch(at, above)? {
            let start = from.map_or(Ok(0), |from| branch.child_of(from))?;
            for child in start..branch.len {
                let from = from.filter(|_| child == start);
                let flow =
                    self.forwards(branch.child(child)?, Some(branch.level), from, key, visit)?;
                if flow.is_break() {
                    return Ok(flow);
                }
            }
            return Ok(ControlFlow::Continue(()));
        }
        let leaf = Leaf::read(&self.nodes, at)?;
        let start = from.map_or(Ok(0), |from| leaf.lower_bound(from))?;
        self.show(&leaf, &mut (start..leaf.len), key, visit)
    }

    fn backwards(
        &self,
        at: Ref,
        above: Option<u8>,
        to: Option<&[u8]>,
        key: &mut Vec<u8>,
        visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>> {
        if let Some(branch) = self.branch(at, above)? {
            let last = to.map_or(Ok(branch.len - 1), |to| branch.child_of(to))?;
            for child in (0..=last).rev() {
                let to = to.filter(|_| child == last);
                let flow =
                    self.backwards(branch.child(child)?, Some(branch.level), to, key, visit)?;
                if flow.is_break() {
                    return Ok(flow);
                }
            }
            return Ok(ControlFlow::Continue(()));
        }
        let leaf = Leaf::read(&self.nodes, at)?;
        let end = to.map_or(Ok(leaf.len), |to| leaf.lower_bound(to))?;
        self.show(&leaf, &mut (0..end).rev(), key, visit)
    }

    fn show(
        &self,
        leaf: &Leaf<'a>,
        entries: &mut dyn Iterator<Item = usize>,
        key: &mut Vec<u8>,
        visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>> {
        key.clear();
        key.extend_from_slice(leaf.prefix);
        for entry in entries {
            key.truncate(leaf.prefix.len());
            key.extend_from_slice(leaf.suffix(entry)?);
            if visit(key, leaf.row(entry))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
