//! Changing an index: sorted changes are merged into the leaves they fall to.

use std::cmp::Ordering;
use std::ops::Range;

use super::branch::{self, Branch, Child};
use super::entries::Entries;
use super::error::{Result, corrupt};
use super::leaf::{self, Leaf};
use super::node::{self, Kind, Ref};
use super::workspace::Workspace;

/// About how many bytes a node of an index takes.
const TARGET: usize = 4000;

/// Merges changes (sorted) into an index; its new root.
pub fn merge(space: &mut Workspace, root: Ref, changes: &Entries) -> Result<Ref> {
    if changes.is_empty() {
        return Ok(root);
    }
    let all = 0..changes.len();
    let (mut children, mut level) = if root.is_none() {
        (merge_leaf(space, Ref::NONE, changes, all)?, 0)
    } else {
        let level = level(space, root)?;
        (merge_below(space, root, level, changes, all)?, level)
    };
    if children.is_empty() {
        return Ok(Ref::NONE);
    }
    while children.len() > 1 {
        level += 1;
        children = pack(space, children, level)?;
    }
    let mut root = children[0].1;
    loop {
        let nodes = space.nodes();
        if node::kind(nodes.any(root)?) == Some(Kind::Leaf) {
            return Ok(root);
        }
        let branch = Branch::read(&nodes, root)?;
        if branch.len > 1 {
            return Ok(root);
        }
        let child = branch.child(0)?;
        space.release(root)?;
        root = child;
    }
}

/// 0 for a leaf.
fn level(space: &Workspace, at: Ref) -> Result<u8> {
    let nodes = space.nodes();
    match node::kind(nodes.any(at)?) {
        Some(Kind::Leaf) => Ok(0),
        _ => Branch::read(&nodes, at).map(|branch| branch.level),
    }
}

fn merge_below(
    space: &mut Workspace,
    at: Ref,
    expected: u8,
    changes: &Entries,
    range: Range<usize>,
) -> Result<Vec<Child>> {
    if level(space, at)? != expected {
        return Err(corrupt("an index of uneven height"));
    }
    if expected == 0 {
        return merge_leaf(space, at, changes, range);
    }
    let children = Branch::read(&space.nodes(), at)?.children()?;
    let mut after = Vec::with_capacity(children.len() + 1);
    let mut next = range.start;
    let bounds: Vec<Option<Vec<u8>>> = (1..=children.len())
        .map(|next| children.get(next).map(|(key, _)| key.clone()))
        .collect();
    for ((separator, child), bound) in children.into_iter().zip(bounds) {
        let end = match bound {
            Some(bound) => first_not_below(changes, next..range.end, &bound),
            None => range.end,
        };
        if next == end {
            after.push((separator, child));
            continue;
        }
        let part = next..end;
        next = end;
        after.extend(merge_below(space, child, expected - 1, changes, part)?);
    }
    space.release(at)?;
    pack(space, after, expected)
}

/// The first change that is not below a separator.
fn first_not_below(changes: &Entries, range: Range<usize>, bound: &[u8]) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = (low + high) / 2;
        let (key, row, _) = changes.get(middle);
        if below(key, row, bound) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

fn below(key: &[u8], row: u64, bound: &[u8]) -> bool {
    let head = key.len().min(bound.len());
    match key[..head].cmp(&bound[..head]) {
        Ordering::Equal if key.len() <= bound.len() => row.to_be_bytes()[..] < bound[head..],
        Ordering::Equal => false,
        order => order.is_lt(),
    }
}

fn separator(key: &[u8], row: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(key.len() + 8);
    bytes.extend_from_slice(key);
    bytes.extend(row.to_be_bytes());
    bytes
}

/// The leaves that come into the place of one (or of none).
fn merge_leaf(
    space: &mut Workspace,
    at: Ref,
    changes: &Entries,
    range: Range<usize>,
) -> Result<Vec<Child>> {
    let mut old_keys = Vec::new();
    let mut old = Vec::new();
    if !at.is_none() {
        let leaf = Leaf::read(&space.nodes(), at)?;
        old.reserve(leaf.len);
        for entry in 0..leaf.len {
            let from = old_keys.len();
            old_keys.extend_from_slice(leaf.prefix);
            old_keys.extend_from_slice(leaf.suffix(entry)?);
            old.push((from..old_keys.len(), leaf.row(entry)));
        }
        space.release(at)?;
    }
    let mut merged: Vec<(&[u8], u64)> = Vec::with_capacity(old.len() + range.len());
    let mut old = old
        .iter()
        .map(|(key, row)| (&old_keys[key.clone()], *row))
        .peekable();
    for change in range {
        let (key, row, add) = changes.get(change);
        while let Some(entry) = old.next_if(|entry| *entry < (key, row)) {
            merged.push(entry);
        }
        let there = old.next_if(|entry| *entry == (key, row)).is_some()
            || merged.last() == Some(&(key, row));
        match (there, add) {
            (_, true) if merged.last() != Some(&(key, row)) => merged.push((key, row)),
            (true, false) if merged.last() == Some(&(key, row)) => {
                merged.pop();
            }
            _ => {}
        }
    }
    merged.extend(old);
    let total: usize = merged.iter().map(size).sum();
    let each = total.div_ceil(total.div_ceil(TARGET).max(1));
    let mut leaves = Vec::new();
    let mut rest = &merged[..];
    while !rest.is_empty() {
        let mut bytes = 0;
        let taken = rest
            .iter()
            .take_while(|entry| {
                let fits = bytes < each;
                bytes += size(entry);
                fits
            })
            .count();
        let (part, after) = rest.split_at(taken.max(1));
        let node = leaf::encode(part)?;
        leaves.push((separator(part[0].0, part[0].1), space.add(node)));
        rest = after;
    }
    Ok(leaves)
}

fn size(entry: &(&[u8], u64)) -> usize {
    entry.0.len() + 4
}

/// Children in as many branches as they need, evenly.
fn pack(space: &mut Workspace, children: Vec<Child>, level: u8) -> Result<Vec<Child>> {
    let total: usize = children.iter().map(|(key, _)| key.len() + 12).sum();
    let each = total.div_ceil(total.div_ceil(TARGET).max(1));
    let mut branches = Vec::new();
    let mut rest = &children[..];
    while !rest.is_empty() {
        let mut bytes = 0;
        let taken = rest
            .iter()
            .take_while(|(key, _)| {
                let fits = bytes < each;
                bytes += key.len() + 12;
                fits
            })
            .count();
        // A branch of one child would never end.
        let taken = taken.max(2).min(rest.len());
        let (part, after) = rest.split_at(taken);
        let node = branch::encode(part, level)?;
        branches.push((part[0].0.clone(), space.add(node)));
        rest = after;
    }
    Ok(branches)
}
