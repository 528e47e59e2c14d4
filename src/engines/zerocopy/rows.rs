//! Changing the clusters of a table.

use super::batch::Batch;
use super::block::{Builder, Cell, ColumnType};
use super::bytes::set_u64;
use super::cluster::{self, COLUMNS, Cluster};
use super::directory::{Entry, edit};
use super::error::{Result, corrupt};
use super::picks::ROWS;
use super::roots::TableRoot;
use super::workspace::Workspace;

/// About the most bytes that the columns of one cluster take.
const MOST_BYTES: usize = 2 << 20;

/// A new value of one column of one record.
#[derive(Clone, Debug)]
pub struct Patch {
    /// The row.
    pub row: u64,
    /// The column.
    pub column: usize,
    /// What it holds from now on.
    pub cell: Cell,
}

/// Puts new records (in the order of their rows, none of them there) into a table.
pub fn insert(
    space: &mut Workspace,
    table: &mut TableRoot,
    kinds: &[ColumnType],
    batch: &Batch,
) -> Result<()> {
    let (Some(first), Some(last)) = (batch.rows.first(), batch.rows.last()) else {
        return Ok(());
    };
    let root = edit(space, table.root, &batch.rows, &mut |space, at, range| {
        let mut old = (Vec::new(), Vec::new());
        let mut before = Vec::new();
        if let Some(at) = at {
            let cluster = Cluster::read(&space.nodes(), at)?;
            let follows = cluster.row(cluster.len() - 1) < batch.rows[range.start];
            if follows && cluster.len() == ROWS {
                before.push((cluster.row(0), at));
            } else {
                old = (cluster.rows(), decode(&cluster, kinds)?);
                space.release_all(at)?;
            }
        }
        before.extend(merge(space, kinds, &old, batch, range)?);
        Ok(before)
    })?;
    table.root = root;
    table.grow(*first, *last, batch.rows.len() as u64);
    Ok(())
}

fn decode(cluster: &Cluster<'_>, kinds: &[ColumnType]) -> Result<Vec<Builder>> {
    let columns = kinds.iter().enumerate();
    columns
        .map(|(column, kind)| Builder::decode(&cluster.column(column, *kind)?))
        .collect()
}

/// Clusters of old records and of a part of a batch.
fn merge(
    space: &mut Workspace,
    kinds: &[ColumnType],
    old: &(Vec<u64>, Vec<Builder>),
    batch: &Batch,
    range: std::ops::Range<usize>,
) -> Result<Vec<Entry>> {
    let appended = old
        .0
        .last()
        .is_none_or(|last| *last < batch.rows[range.start]);
    let mut order: Vec<(u64, bool, usize)> = Vec::with_capacity(old.0.len() + range.len());
    order.extend(old.0.iter().enumerate().map(|(at, row)| (*row, false, at)));
    order.extend(range.map(|at| (batch.rows[at], true, at)));
    if !appended {
        order.sort_unstable_by_key(|(row, ..)| *row);
    }
    let weights = old.1.iter().chain(&batch.columns).map(Builder::weight);
    let each = weights.sum::<usize>() / (old.0.len() + batch.rows.len()).max(1);
    let most = (MOST_BYTES / each.max(1)).clamp(1, ROWS);
    let most = match appended {
        true => most,
        // Evenly, so that more can come in between.
        false => order.len().div_ceil(order.len().div_ceil(most)),
    };
    let mut clusters = Vec::new();
    for part in order.chunks(most) {
        let rows: Vec<u64> = part.iter().map(|(row, ..)| *row).collect();
        let mut columns = Vec::with_capacity(kinds.len());
        for (column, kind) in kinds.iter().enumerate() {
            let mut builder = Builder::new(*kind);
            for (_, new, at) in part {
                let from = if *new { &batch.columns } else { &old.1 };
                let from = from
                    .get(column)
                    .ok_or_else(|| corrupt("a column is missing"))?;
                builder.push_from(from, *at)?;
            }
            columns.push(builder);
        }
        clusters.push(store(space, &rows, &columns)?);
    }
    Ok(clusters)
}

/// Stores a cluster.
fn store(space: &mut Workspace, rows: &[u64], columns: &[Builder]) -> Result<Entry> {
    let mut references = Vec::with_capacity(columns.len());
    for column in columns {
        let block = column.encode(&mut |bytes| space.add(bytes))?;
        references.push(space.add(block));
    }
    let (first, node) = cluster::encode(rows, &references, &mut |bytes| space.add(bytes))?;
    Ok((first, space.add(node)))
}

/// Changes single values; patches stand in the order of their rows, which are there.
pub fn patch(
    space: &mut Workspace,
    table: &mut TableRoot,
    kinds: &[ColumnType],
    patches: &[Patch],
) -> Result<()> {
    let rows: Vec<u64> = patches.iter().map(|patch| patch.row).collect();
    table.root = edit(space, table.root, &rows, &mut |space, at, range| {
        let at = at.ok_or_else(|| corrupt("a change of records in an empty table"))?;
        let patches = &patches[range];
        let mut columns: Vec<usize> = patches.iter().map(|patch| patch.column).collect();
        columns.sort_unstable();
        columns.dedup();
        let mut bytes = space.nodes().any(at)?.to_vec();
        let first = Cluster::read(&space.nodes(), at)?.row(0);
        for column in columns {
            let kind = kinds
                .get(column)
                .ok_or_else(|| corrupt("a column is missing"))?;
            let cluster = Cluster::read(&space.nodes(), at)?;
            let mut builder = Builder::decode(&cluster.column(column, *kind)?)?;
            for patch in patches.iter().filter(|patch| patch.column == column) {
                let position = cluster
                    .position(patch.row)
                    .ok_or_else(|| corrupt("a change of a record that is not there"))?;
                builder.set(position, &patch.cell)?;
            }
            let old = cluster.reference(column)?;
            space.release_all(old)?;
            let block = builder.encode(&mut |bytes| space.add(bytes))?;
            let new = space.add(block);
            set_u64(&mut bytes, COLUMNS + 8 * column, new.0)?;
        }
        space.release(at)?;
        Ok(vec![(first, space.add(bytes))])
    })?;
    Ok(())
}

/// Takes rows (ascending, all there) out of a table.
pub fn remove(
    space: &mut Workspace,
    table: &mut TableRoot,
    kinds: &[ColumnType],
    rows: &[u64],
) -> Result<()> {
    if rows.len() as u64 == table.count {
        space.release_all(table.root)?;
        *table = TableRoot::default();
        return Ok(());
    }
    table.root = edit(space, table.root, rows, &mut |space, at, range| {
        let at = at.ok_or_else(|| corrupt("a removal from an empty table"))?;
        let gone = &rows[range];
        let cluster = Cluster::read(&space.nodes(), at)?;
        let staying: Vec<usize> = (0..cluster.len())
            .filter(|position| gone.binary_search(&cluster.row(*position)).is_err())
            .collect();
        if staying.len() + gone.len() != cluster.len() {
            return Err(corrupt("a removal of a record that is not there"));
        }
        let numbers: Vec<u64> = staying.iter().map(|at| cluster.row(*at)).collect();
        let mut columns = Vec::with_capacity(kinds.len());
        if !staying.is_empty() {
            for old in decode(&cluster, kinds)?.iter().zip(kinds) {
                let mut column = Builder::new(*old.1);
                for position in &staying {
                    column.push_from(old.0, *position)?;
                }
                columns.push(column);
            }
        }
        space.release_all(at)?;
        match staying.is_empty() {
            true => Ok(Vec::new()),
            false => Ok(vec![store(space, &numbers, &columns)?]),
        }
    })?;
    table.count -= rows.len() as u64;
    Ok(())
}
