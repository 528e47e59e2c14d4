//! Storing records by key: each in the place of the one that has its key, or new.

use std::collections::{BTreeMap, HashMap};

use super::block::Cell;
use super::catalog::Catalog;
use super::changes::Changes;
use super::draft::Draft;
use super::error::{Result, refused};
use super::insert;
use super::keys::{self, Key};
use super::layout::FieldLayout;
use super::reader::{Fault, Reader};
use super::row::Row;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::schema::ModelId;
use crate::workload::{Content, Record};

/// Stores records by key, one after the other: each sees those before it.
pub fn upsert(
    draft: &mut Draft,
    catalog: &Catalog,
    model: ModelId,
    records: &[Record],
) -> Result<()> {
    if !catalog.has(model) || catalog.declared(model).key.is_none() {
        return Err(EngineError::new(
            ErrorKind::Unsupported,
            "an upsert needs a key",
        ));
    }
    draft.settle(catalog)?;
    let fault = Fault::default();
    let reader = draft.reader(catalog, &fault);
    let mut statement = Statement {
        reader,
        model,
        taken: vec![HashMap::new(); catalog.indexes(model).len()],
        keys: HashMap::new(),
        last: BTreeMap::new(),
    };
    for record in records {
        statement.add(record)?;
    }
    let last = std::mem::take(&mut statement.last);
    let mut changes = Changes::default();
    let mut new = Vec::new();
    for (number, record) in last {
        match reader.row(model, number)? {
            Some(row) => replace(&row, record, &mut changes)?,
            None => new.push(Record {
                row: number,
                fields: record.fields.clone(),
            }),
        }
    }
    changes.apply(draft, catalog)?;
    insert::insert(draft, catalog, model, &new)
}

/// One statement, record by record, before anything is changed.
struct Statement<'s> {
    reader: Reader<'s>,
    model: ModelId,
    /// By unique index and key, the row that has it now; `None` for no longer one.
    taken: Vec<HashMap<Vec<u8>, Option<u64>>>,
    /// Unique keys that a row of this statement has now, by index.
    keys: HashMap<u64, Vec<Option<Vec<u8>>>>,
    /// What each row is in the end.
    last: BTreeMap<u64, &'s Record>,
}

impl<'s> Statement<'s> {
    fn add(&mut self, record: &'s Record) -> Result<()> {
        let catalog = self.reader.catalog;
        let declared = catalog.declared(self.model);
        if record.fields.len() != declared.fields.len() {
            return Err(refused(&declared.name, "a record of another shape"));
        }
        let indexes = catalog.indexes(self.model);
        let mut own = Vec::with_capacity(indexes.len());
        for index in indexes {
            let mut key = Key::default();
            keys::of_contents(&record.fields, index, &mut key)?;
            own.push((index.unique && !key.null).then_some(key.bytes));
        }
        // The key's index is the first.
        let holder = match own.first() {
            Some(Some(key)) => self.holder(0, key)?,
            _ => None,
        };
        let row = holder.unwrap_or(record.row);
        self.check(record)?;
        for (at, key) in self.keys_of(row)?.into_iter().enumerate() {
            if let Some(key) = key {
                self.taken[at].insert(key, None);
            }
        }
        for (at, key) in own.iter().enumerate() {
            let Some(key) = key else { continue };
            if self.holder(at, key)?.is_some() {
                return Err(refused(
                    &declared.name,
                    format!("{} is taken", indexes[at].name),
                ));
            }
            self.taken[at].insert(key.clone(), Some(row));
        }
        self.keys.insert(row, own);
        self.last.insert(row, record);
        Ok(())
    }

    /// The row that has a unique key at this point of the statement.
    fn holder(&self, index: usize, key: &[u8]) -> Result<Option<u64>> {
        match self.taken[index].get(key) {
            Some(holder) => Ok(*holder),
            None => {
                let tree = self.reader.catalog.indexes(self.model)[index].tree;
                self.reader.tree(tree).first(key)
            }
        }
    }

    /// The unique keys that a row has at this point of the statement.
    fn keys_of(&self, row: u64) -> Result<Vec<Option<Vec<u8>>>> {
        if let Some(keys) = self.keys.get(&row) {
            return Ok(keys.clone());
        }
        let Some(row) = self.reader.row(self.model, row)? else {
            return Ok(Vec::new());
        };
        let indexes = self.reader.catalog.indexes(self.model).iter();
        indexes
            .map(|index| {
                let key = keys::of_row(&row, index, &|_| None)?;
                Ok((index.unique && !key.null).then_some(key.bytes))
            })
            .collect()
    }

    /// Nulls stand only where they may, links lead only to what is there.
    fn check(&self, record: &Record) -> Result<()> {
        let catalog = self.reader.catalog;
        let declared = catalog.declared(self.model);
        let layouts = &catalog.kept(self.model).fields;
        for ((field, layout), content) in declared.fields.iter().zip(layouts).zip(&record.fields) {
            let null = match content {
                Content::Value(value) => value.is_null(),
                Content::Link(link) => link.is_none(),
                _ => false,
            };
            if null && !field.optional {
                let what = format!("{} may not be null", field.name);
                return Err(refused(&declared.name, what));
            }
            let links = match content {
                Content::Link(link) => link.as_slice(),
                Content::Links(links) => links,
                _ => &[],
            };
            let (FieldLayout::One { target, .. } | FieldLayout::Many { target, .. }) = layout
            else {
                continue;
            };
            for link in links {
                let there = (*target == self.model && self.last.contains_key(&link.row))
                    || self.reader.has(*target, link.row)?;
                if !there {
                    let name = &catalog.declared(*target).name;
                    let what = format!("there is no row {} to link to", link.row);
                    return Err(refused(name, what));
                }
            }
        }
        Ok(())
    }
}

/// Gives a stored record all new values.
fn replace(row: &Row<'_>, record: &Record, changes: &mut Changes) -> Result<()> {
    let kept = row.reader.catalog.kept(row.model);
    let name = &row.reader.catalog.declared(row.model).name;
    let mut cells = Vec::with_capacity(record.fields.len());
    for (field, (content, layout)) in record.fields.iter().zip(&kept.fields).enumerate() {
        let mut relink = |back: Option<usize>, new: &[u64]| -> Result<()> {
            let Some(tree) = back else {
                return Err(refused(name, "an owned record is made by its owner"));
            };
            for old in row.links(field)? {
                changes.back_link(tree, old, row.number(), false);
            }
            for new in new {
                changes.back_link(tree, *new, row.number(), true);
            }
            Ok(())
        };
        match (content, layout) {
            (Content::Value(value), FieldLayout::Column(column)) => {
                cells.push((*column, Cell::Value(value.clone())));
            }
            (Content::Link(link), FieldLayout::One { column, back, .. }) => {
                let link = link.as_ref().map(|link| link.row);
                relink(*back, link.as_slice())?;
                cells.push((*column, Cell::Link(link)));
            }
            (Content::Links(links), FieldLayout::Many { column, back, .. }) => {
                let links: Vec<u64> = links.iter().map(|link| link.row).collect();
                relink(*back, &links)?;
                cells.push((*column, Cell::Links(links)));
            }
            (Content::Owner, FieldLayout::Back { .. }) => {}
            _ => return Err(refused(name, format!("field {field} of another kind"))),
        }
    }
    changes.change(row, cells)
}
