//! Changes of stored records, gathered and checked before any is made.

use std::collections::BTreeMap;

use super::block::Cell;
use super::catalog::Catalog;
use super::draft::Draft;
use super::entries::Entries;
use super::error::Result;
use super::key;
use super::keys;
use super::layout::IndexLayout;
use super::row::Row;
use super::rows::{self, Patch};
use crate::base::Value;
use crate::plan::schema::ModelId;

/// What a statement is going to change.
#[derive(Default)]
pub struct Changes {
    patches: BTreeMap<ModelId, Vec<Patch>>,
    removed: BTreeMap<ModelId, Vec<u64>>,
    entries: BTreeMap<usize, Entries>,
    emptied: Vec<usize>,
}

/// The value of a cell as an index sees it; lists are in none.
fn indexed(cell: &Cell) -> Value {
    match cell {
        Cell::Value(value) => value.clone(),
        Cell::Link(link) => link.map_or(Value::Null, |row| Value::Int(row as i64)),
        Cell::Links(_) => Value::Null,
    }
}

/// The key that a record has in an index once these cells are changed.
pub fn new_key(row: &Row<'_>, index: &IndexLayout, cells: &[(usize, Cell)]) -> Result<keys::Key> {
    keys::of_row(row, index, &|column| {
        let changed = cells.iter().rev().find(|(own, _)| *own == column);
        changed.map(|(_, cell)| indexed(cell))
    })
}

/// Whether an index has one of these columns.
pub fn touches(index: &IndexLayout, cells: &[(usize, Cell)]) -> bool {
    let columns = index.parts.iter().map(|part| part.column);
    columns
        .into_iter()
        .any(|column| cells.iter().any(|(own, _)| *own == column))
}

impl Changes {
    /// Changes cells of a stored record, and its place in the indexes.
    pub fn change(&mut self, row: &Row<'_>, cells: Vec<(usize, Cell)>) -> Result<()> {
        let number = row.number();
        for index in row.reader.catalog.indexes(row.model) {
            if !touches(index, &cells) {
                continue;
            }
            let old = keys::of_row(row, index, &|_| None)?;
            let new = new_key(row, index, &cells)?;
            if old != new {
                let entries = self.entries.entry(index.tree).or_default();
                entries.push(&old.bytes, number, false);
                entries.push(&new.bytes, number, true);
            }
        }
        self.patch(row.model, number, cells);
        Ok(())
    }

    /// Changes cells that are in no index.
    pub fn patch(&mut self, model: ModelId, row: u64, cells: Vec<(usize, Cell)>) {
        let patches = self.patches.entry(model).or_default();
        patches.extend(
            cells
                .into_iter()
                .map(|(column, cell)| Patch { row, column, cell }),
        );
    }

    /// Removes records (rows ascending) and nothing else.
    pub fn remove(&mut self, model: ModelId, rows: Vec<u64>) {
        self.removed.insert(model, rows);
    }

    /// Takes an entry out of an index.
    pub fn drop_entry(&mut self, tree: usize, key: &[u8], row: u64) {
        self.entries.entry(tree).or_default().push(key, row, false);
    }

    /// A back-link comes or goes.
    pub fn back_link(&mut self, tree: usize, target: u64, source: u64, add: bool) {
        let mut bytes = Vec::with_capacity(8);
        key::put_row(&mut bytes, target);
        self.entries
            .entry(tree)
            .or_default()
            .push(&bytes, source, add);
    }

    /// Takes all entries out of an index.
    pub fn empty(&mut self, tree: usize) {
        self.emptied.push(tree);
    }

    /// Makes the changes.
    pub fn apply(self, draft: &mut Draft, catalog: &Catalog) -> Result<()> {
        let Changes {
            patches,
            removed,
            entries,
            emptied,
        } = self;
        if patches.is_empty() && removed.is_empty() && entries.is_empty() && emptied.is_empty() {
            return Ok(());
        }
        draft.apply(|draft| {
            for (model, mut patches) in patches {
                patches.sort_by_key(|patch| patch.row);
                let kinds = &catalog.kept(model).columns;
                rows::patch(
                    &mut draft.space,
                    &mut draft.roots.tables[model],
                    kinds,
                    &patches,
                )?;
            }
            for (model, gone) in removed {
                let kinds = &catalog.kept(model).columns;
                rows::remove(
                    &mut draft.space,
                    &mut draft.roots.tables[model],
                    kinds,
                    &gone,
                )?;
            }
            for tree in emptied {
                draft.settle_tree(tree)?;
                let root = std::mem::take(&mut draft.roots.trees[tree]);
                draft.space.release_all(root)?;
            }
            for (tree, entries) in entries {
                draft.merge(tree, entries)?;
            }
            Ok(())
        })
    }
}
