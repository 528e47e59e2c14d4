//! Storing new records: all is checked before anything changes.

use xxhash_rust::xxh3::xxh3_64;

use super::batch::Batch;
use super::catalog::Catalog;
use super::draft::Draft;
use super::error::{Result, refused};
use super::key;
use super::keys::{self, Key};
use super::layout::FieldLayout;
use super::reader::Fault;
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, ModelId};
use crate::workload::{Content, Record, Target};

/// Stores records that must be new, their children first.
pub fn insert(
    draft: &mut Draft,
    catalog: &Catalog,
    model: ModelId,
    records: &[Record],
) -> Result<()> {
    let fault = Fault::default();
    let mut statement = Statement {
        draft,
        catalog,
        fault: &fault,
        batches: vec![None; catalog.layout.models.len()],
        entries: Vec::new(),
        bytes: Vec::new(),
        prints: Vec::new(),
        key: Key::default(),
    };
    let result = records
        .iter()
        .try_for_each(|record| statement.add(model, record, None));
    match result {
        Ok(()) => statement.done(),
        Err(error) => {
            for (tree, print) in statement.prints {
                statement.draft.unprint(tree, print);
            }
            Err(error)
        }
    }
}

/// One statement's new records and index entries.
struct Statement<'s> {
    draft: &'s mut Draft,
    catalog: &'s Catalog,
    fault: &'s Fault,
    batches: Vec<Option<Batch>>,
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    prints: Vec<(usize, u64)>,
    key: Key,
}

struct Entry {
    tree: usize,
    key: std::ops::Range<usize>,
    row: u64,
}

/// The record that a child belongs to.
#[derive(Clone, Copy)]
struct Owner {
    model: ModelId,
    field: FieldId,
    row: u64,
}

impl Statement<'_> {
    fn refuse(&self, model: ModelId, what: impl std::fmt::Display) -> EngineError {
        let name = self
            .catalog
            .schema
            .models
            .get(model)
            .map_or("?", |m| &m.name);
        refused(name, what)
    }

    fn has(&self, model: ModelId, row: u64) -> Result<bool> {
        let batch = self.batches.get(model).and_then(Option::as_ref);
        if batch.is_some_and(|batch| batch.has(row)) {
            return Ok(true);
        }
        self.draft.has(model, row, self.catalog, self.fault)
    }

    fn add(&mut self, model: ModelId, record: &Record, owner: Option<Owner>) -> Result<()> {
        let catalog = self.catalog;
        if !catalog.has(model) || record.fields.len() != catalog.declared(model).fields.len() {
            return Err(self.refuse(model, "a record of another shape"));
        }
        let row = record.row;
        if row > i64::MAX as u64 {
            return Err(self.refuse(model, format!("row {row} is too large")));
        }
        if self.has(model, row)? {
            return Err(self.refuse(model, format!("row {row} is there already")));
        }
        let layouts = &catalog.kept(model).fields;
        for (field, (content, layout)) in record.fields.iter().zip(layouts).enumerate() {
            if let (
                Content::Children(children),
                FieldLayout::One { target, .. } | FieldLayout::Many { target, .. },
            ) = (content, layout)
            {
                for child in children {
                    self.add(*target, child, Some(Owner { model, field, row }))?;
                }
            }
        }
        // Taken out, so that the statement can be asked while it grows.
        let mut batch = self.batches[model]
            .take()
            .unwrap_or_else(|| Batch::new(&catalog.kept(model).columns));
        let result = self.put(model, record, owner, &mut batch);
        self.batches[model] = Some(batch);
        result
    }

    fn put(
        &mut self,
        model: ModelId,
        record: &Record,
        owner: Option<Owner>,
        batch: &mut Batch,
    ) -> Result<()> {
        let catalog = self.catalog;
        let (declared, kept) = (catalog.declared(model), catalog.kept(model));
        for (field, content) in record.fields.iter().enumerate() {
            let null = match content {
                Content::Value(value) => value.is_null(),
                Content::Link(link) => link.is_none(),
                Content::Children(children) => {
                    children.is_empty() && matches!(kept.fields[field], FieldLayout::One { .. })
                }
                Content::Links(_) | Content::Owner => false,
            };
            if null && !declared.fields[field].optional {
                let name = &declared.fields[field].name;
                return Err(self.refuse(model, format!("{name} may not be null")));
            }
            match (content, &kept.fields[field]) {
                (Content::Value(value), FieldLayout::Column(column)) => {
                    batch.columns[*column].push(value)?;
                }
                (
                    Content::Link(link),
                    FieldLayout::One {
                        column,
                        target,
                        back,
                    },
                ) => {
                    if let Some(link) = link {
                        self.link(model, *target, *back, link, record.row, batch)?;
                    }
                    batch.columns[*column].push_link(link.as_ref().map(|link| link.row))?;
                }
                (
                    Content::Links(links),
                    FieldLayout::Many {
                        column,
                        target,
                        back,
                    },
                ) => {
                    for link in links {
                        self.link(model, *target, *back, link, record.row, batch)?;
                    }
                    batch.columns[*column].push_links(links.iter().map(|link| link.row))?;
                }
                (
                    Content::Children(children),
                    FieldLayout::Many {
                        column, back: None, ..
                    },
                ) => {
                    batch.columns[*column].push_links(children.iter().map(|child| child.row))?;
                }
                (
                    Content::Children(children),
                    FieldLayout::One {
                        column, back: None, ..
                    },
                ) => {
                    batch.columns[*column].push_link(children.first().map(|child| child.row))?;
                }
                (Content::Owner, FieldLayout::Back { .. }) => {}
                _ => return Err(self.refuse(model, format!("field {field} of another kind"))),
            }
        }
        for column in &kept.owners {
            let of =
                owner.filter(|owner| (owner.model, owner.field) == (column.model, column.field));
            batch.columns[column.column].push_link(of.map(|owner| owner.row))?;
        }
        batch.push_row(record.row);
        self.index(model, record)
    }

    /// A link to a record that must be there.
    fn link(
        &mut self,
        model: ModelId,
        target: ModelId,
        back: Option<usize>,
        link: &Target,
        row: u64,
        batch: &Batch,
    ) -> Result<()> {
        let own = model == target && batch.has(link.row);
        if !own && !self.has(target, link.row)? {
            return Err(self.refuse(target, format!("there is no row {} to link to", link.row)));
        }
        let Some(tree) = back else {
            return Err(self.refuse(model, "an owned record is made by its owner"));
        };
        let from = self.bytes.len();
        key::put_row(&mut self.bytes, link.row);
        self.entries.push(Entry {
            tree,
            key: from..self.bytes.len(),
            row,
        });
        Ok(())
    }

    fn index(&mut self, model: ModelId, record: &Record) -> Result<()> {
        let catalog = self.catalog;
        let mut made = std::mem::take(&mut self.key);
        for index in catalog.indexes(model) {
            keys::of_contents(&record.fields, index, &mut made)?;
            if index.unique && !made.null && self.is_taken(index.tree, &made.bytes)? {
                return Err(self.refuse(model, format!("{} is taken", index.name)));
            }
            let from = self.bytes.len();
            self.bytes.extend_from_slice(&made.bytes);
            self.entries.push(Entry {
                tree: index.tree,
                key: from..self.bytes.len(),
                row: record.row,
            });
        }
        self.key = made;
        Ok(())
    }

    /// Whether another record has this unique key; else it is taken from now on.
    fn is_taken(&mut self, tree: usize, key: &[u8]) -> Result<bool> {
        let print = xxh3_64(key);
        if self.draft.print(tree, print) {
            self.prints.push((tree, print));
        } else {
            // Once in a while two keys have one fingerprint: look closely.
            let own = self.entries.iter().filter(|entry| entry.tree == tree);
            if own
                .clone()
                .any(|entry| &self.bytes[entry.key.clone()] == key)
            {
                return Ok(true);
            }
            self.draft.apply(|draft| draft.settle_tree(tree))?;
            for (other, print) in &self.prints {
                if *other == tree {
                    self.draft.print(tree, *print);
                }
            }
            if self.draft.print(tree, print) {
                self.prints.push((tree, print));
            }
        }
        if !self.draft.is_indexed(tree) {
            return Ok(false);
        }
        let reader = self.draft.reader(self.catalog, self.fault);
        Ok(reader.tree(tree).first(key)?.is_some())
    }

    fn done(self) -> Result<()> {
        let Statement {
            draft,
            catalog,
            batches,
            entries,
            bytes,
            ..
        } = self;
        draft.apply(|draft| {
            for entry in entries {
                draft.add_entry(entry.tree, &bytes[entry.key], entry.row);
            }
            for (model, batch) in batches.into_iter().enumerate() {
                if let Some(batch) = batch {
                    draft.gather(model, batch, catalog)?;
                }
            }
            Ok(())
        })
    }
}
