//! Deleting records, and what goes with them.

use std::collections::BTreeMap;

use super::block::Cell;
use super::changes::Changes;
use super::error::{Result, refused};
use super::keys;
use super::layout::FieldLayout;
use super::reader::Reader;
use crate::plan::schema::{FieldId, FieldKind, ModelId};

/// Rows to be deleted, ascending, by model.
type Gone = BTreeMap<ModelId, Vec<u64>>;

/// What a deletion does: these rows go with all that they cascade to; links to
/// what is gone become null, entries of to-many links go, a required link refuses.
pub fn delete(reader: &Reader<'_>, model: ModelId, rows: Vec<u64>) -> Result<Changes> {
    let gone = cascade(reader, model, rows)?;
    let mut deletion = Deletion {
        reader,
        gone: &gone,
        changes: Changes::default(),
        cleared: BTreeMap::new(),
    };
    for target in gone.keys() {
        for (from, field) in reader.catalog.layout.links_to(*target) {
            deletion.unlink(*target, from, field)?;
        }
        deletion.check_owners(*target)?;
    }
    deletion.clear()?;
    for (model, rows) in &gone {
        deletion.unindex(*model, rows)?;
        deletion.disown(*model, rows)?;
    }
    let mut changes = deletion.changes;
    for (model, rows) in gone {
        changes.remove(model, rows);
    }
    Ok(changes)
}

/// These rows and all that their cascading links lead to, to any depth.
fn cascade(reader: &Reader<'_>, model: ModelId, rows: Vec<u64>) -> Result<Gone> {
    let mut gone = Gone::new();
    let mut ahead = vec![(model, rows)];
    while let Some((model, mut rows)) = ahead.pop() {
        let known = gone.entry(model).or_default();
        rows.sort_unstable();
        rows.dedup();
        rows.retain(|row| known.binary_search(row).is_err());
        if rows.is_empty() {
            continue;
        }
        for (field, declared) in reader.catalog.declared(model).fields.iter().enumerate() {
            let (FieldKind::ToOne {
                target,
                cascade: true,
                ..
            }
            | FieldKind::ToMany {
                target,
                cascade: true,
                ..
            }) = declared.kind
            else {
                continue;
            };
            // A back-link is no link of its own.
            if matches!(
                reader.catalog.kept(model).fields[field],
                FieldLayout::Back { .. }
            ) {
                continue;
            }
            ahead.push((target, targets(reader, model, &rows, field)?));
        }
        known.extend(rows);
        known.sort_unstable();
    }
    gone.retain(|_, rows| !rows.is_empty());
    Ok(gone)
}

/// All rows that a field of these records links to.
fn targets(reader: &Reader<'_>, model: ModelId, rows: &[u64], field: FieldId) -> Result<Vec<u64>> {
    let mut targets = Vec::new();
    reader.each(model, rows, &mut |row| {
        targets.extend(row.links(field)?);
        Ok(())
    })?;
    Ok(targets)
}

struct Deletion<'d> {
    reader: &'d Reader<'d>,
    gone: &'d Gone,
    changes: Changes,
    /// Records that stay, with their fields that link to what goes.
    cleared: BTreeMap<(ModelId, u64), Vec<FieldId>>,
}

impl Deletion<'_> {
    fn is_gone(&self, model: ModelId, row: u64) -> bool {
        let rows = self.gone.get(&model);
        rows.is_some_and(|rows| rows.binary_search(&row).is_ok())
    }

    /// Whether all records of a model go.
    fn takes_all(&self, model: ModelId) -> bool {
        let rows = self.gone.get(&model).map_or(0, |rows| rows.len() as u64);
        rows == self.reader.count(model)
    }

    /// Finds the records that stay and link to what goes.
    fn unlink(&mut self, target: ModelId, from: ModelId, field: FieldId) -> Result<()> {
        if self.takes_all(from) {
            return Ok(());
        }
        for row in &self.gone[&target] {
            for source in self.reader.sources(from, field, *row)? {
                if !self.is_gone(from, source) {
                    let fields = self.cleared.entry((from, source)).or_default();
                    if fields.last() != Some(&field) {
                        fields.push(field);
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes the links to what goes out of the records that stay.
    fn clear(&mut self) -> Result<()> {
        for ((model, number), mut fields) in std::mem::take(&mut self.cleared) {
            fields.sort_unstable();
            fields.dedup();
            let Some(row) = self.reader.row(model, number)? else {
                continue;
            };
            let declared = self.reader.catalog.declared(model);
            let mut cells = Vec::with_capacity(fields.len());
            for field in fields {
                match &self.reader.catalog.kept(model).fields[field] {
                    FieldLayout::One { column, back, .. } => {
                        if !declared.fields[field].optional {
                            let name = &declared.fields[field].name;
                            return Err(refused(&declared.name, format!("{name} may not be null")));
                        }
                        if let (Some(tree), Some(linked)) = (back, row.link(field)?) {
                            self.changes.back_link(*tree, linked, number, false);
                        }
                        cells.push((*column, Cell::Link(None)));
                    }
                    FieldLayout::Many {
                        column,
                        target,
                        back,
                    } => {
                        let (left, lost): (Vec<u64>, Vec<u64>) = row
                            .links(field)?
                            .into_iter()
                            .partition(|linked| !self.is_gone(*target, *linked));
                        if let Some(tree) = back {
                            for linked in lost {
                                self.changes.back_link(*tree, linked, number, false);
                            }
                        }
                        cells.push((*column, Cell::Links(left)));
                    }
                    FieldLayout::Column(_) | FieldLayout::Back { .. } => {}
                }
            }
            self.changes.change(&row, cells)?;
        }
        Ok(())
    }

    /// A required back-link of a record that stays may not lose its owner.
    fn check_owners(&self, owner: ModelId) -> Result<()> {
        let catalog = self.reader.catalog;
        for (field, declared) in catalog.declared(owner).fields.iter().enumerate() {
            let Some(target) = declared.kind.target() else {
                continue;
            };
            let required = catalog.declared(target).fields.iter().any(|back| {
                !back.optional
                    && matches!(
                        back.kind,
                        FieldKind::ToOne { target, inverse_of: Some(of), .. }
                            if target == owner && of == field
                    )
            });
            if !required || self.takes_all(target) {
                continue;
            }
            for row in targets(self.reader, owner, &self.gone[&owner], field)? {
                if !self.is_gone(target, row) {
                    let name = &catalog.declared(target).name;
                    return Err(refused(name, format!("row {row} needs its owner")));
                }
            }
        }
        Ok(())
    }

    /// Takes what goes out of the indexes.
    fn unindex(&mut self, model: ModelId, rows: &[u64]) -> Result<()> {
        let kept = self.reader.catalog.kept(model);
        let backs: Vec<(FieldId, usize)> = kept
            .fields
            .iter()
            .enumerate()
            .filter_map(|(field, layout)| match layout {
                FieldLayout::One { back, .. } | FieldLayout::Many { back, .. } => {
                    back.map(|tree| (field, tree))
                }
                _ => None,
            })
            .collect();
        if self.takes_all(model) {
            for index in &kept.indexes {
                self.changes.empty(index.tree);
            }
            for (_, tree) in backs {
                self.changes.empty(tree);
            }
            return Ok(());
        }
        let (reader, changes) = (self.reader, &mut self.changes);
        reader.each(model, rows, &mut |row| {
            let number = row.number();
            for index in &kept.indexes {
                let key = keys::of_row(row, index, &|_| None)?;
                changes.drop_entry(index.tree, &key.bytes, number);
            }
            for (field, tree) in &backs {
                for linked in row.links(*field)? {
                    changes.back_link(*tree, linked, number, false);
                }
            }
            Ok(())
        })
    }

    /// What was owned by what goes, and stays, belongs to no one.
    fn disown(&mut self, model: ModelId, rows: &[u64]) -> Result<()> {
        for (field, layout) in self.reader.catalog.kept(model).fields.iter().enumerate() {
            let (FieldLayout::One { target, .. } | FieldLayout::Many { target, .. }) = layout
            else {
                continue;
            };
            let Some(column) = self.reader.catalog.kept(*target).owner(model, field) else {
                continue;
            };
            if self.takes_all(*target) {
                continue;
            }
            for row in targets(self.reader, model, rows, field)? {
                if !self.is_gone(*target, row) {
                    let cells = vec![(column, Cell::Link(None))];
                    self.changes.patch(*target, row, cells);
                }
            }
        }
        Ok(())
    }
}
