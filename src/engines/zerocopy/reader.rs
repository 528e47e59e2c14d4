//! Reading a version, or what an open transaction sees.

use std::cell::RefCell;

use super::catalog::Catalog;
use super::directory::Table;
use super::error::Result;
use super::key;
use super::layout::FieldLayout;
use super::node::Nodes;
use super::roots::Roots;
use super::row::Row;
use super::tree::Tree;
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, ModelId};
use crate::workload::eval::EvalError;

/// An error that an evaluation met in the store: evaluation itself can only
/// tell its own kinds.
#[derive(Default)]
pub struct Fault(RefCell<Option<EngineError>>);

impl Fault {
    /// Keeps the first error; evaluation ends with one of its own.
    pub fn keep(&self, error: EngineError) -> EvalError {
        let words = EvalError::wrong(error.message.clone());
        self.0.borrow_mut().get_or_insert(error);
        words
    }

    /// What an evaluation's error really is.
    pub fn told(&self, error: EvalError) -> EngineError {
        self.0.borrow_mut().take().unwrap_or_else(|| error.into())
    }
}

/// What is read, and how to understand it.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    /// All nodes.
    pub nodes: Nodes<'a>,
    /// Where trees begin.
    pub roots: &'a Roots,
    /// What they hold.
    pub catalog: &'a Catalog,
    /// Where errors inside evaluations go.
    pub fault: &'a Fault,
}

impl<'a> Reader<'a> {
    /// The records of a model.
    pub fn table(&self, model: ModelId) -> Table<'a> {
        let root = self.roots.tables.get(model);
        Table::new(self.nodes, root.map(|table| table.root).unwrap_or_default())
    }

    /// An index.
    pub fn tree(&self, tree: usize) -> Tree<'a> {
        let root = self.roots.trees.get(tree);
        Tree::new(self.nodes, root.copied().unwrap_or_default())
    }

    /// Number of records of a model.
    pub fn count(&self, model: ModelId) -> u64 {
        self.roots.tables.get(model).map_or(0, |table| table.count)
    }

    /// Whether a row is there.
    pub fn has(&self, model: ModelId, row: u64) -> Result<bool> {
        let Some(table) = self.roots.tables.get(model) else {
            return Ok(false);
        };
        if row < table.low || row >= table.high {
            return Ok(false);
        }
        if table.is_dense() {
            return Ok(true);
        }
        Ok(self.table(model).find(row)?.is_some())
    }

    /// A record.
    pub fn row(&self, model: ModelId, row: u64) -> Result<Option<Row<'a>>> {
        let found = self.table(model).find(row)?;
        Ok(found.map(|(cluster, position)| Row {
            reader: *self,
            model,
            cluster,
            position,
        }))
    }

    /// Rows of `model` whose link `field` leads to `target`, ascending.
    pub fn sources(&self, model: ModelId, field: FieldId, target: u64) -> Result<Vec<u64>> {
        match self.catalog.kept(model).fields.get(field) {
            Some(
                FieldLayout::One {
                    back: Some(tree), ..
                }
                | FieldLayout::Many {
                    back: Some(tree), ..
                },
            ) => {
                let mut key = Vec::with_capacity(8);
                key::put_row(&mut key, target);
                self.tree(*tree).rows(&key)
            }
            Some(
                FieldLayout::One { target: owned, .. } | FieldLayout::Many { target: owned, .. },
            ) => {
                let Some(column) = self.catalog.kept(*owned).owner(model, field) else {
                    return Ok(Vec::new());
                };
                match self.row(*owned, target)? {
                    Some(row) => Ok(row.column(column)?.link(row.position).into_iter().collect()),
                    None => Ok(Vec::new()),
                }
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The lowest of them.
    pub fn source(&self, model: ModelId, field: FieldId, target: u64) -> Result<Option<u64>> {
        match self.catalog.kept(model).fields.get(field) {
            Some(
                FieldLayout::One {
                    back: Some(tree), ..
                }
                | FieldLayout::Many {
                    back: Some(tree), ..
                },
            ) => {
                let mut key = Vec::with_capacity(8);
                key::put_row(&mut key, target);
                self.tree(*tree).first(&key)
            }
            _ => Ok(self.sources(model, field, target)?.first().copied()),
        }
    }
}

impl<'a> Reader<'a> {
    /// Shows the records of these rows (ascending); one that is not there is left out.
    pub fn each(
        &self,
        model: ModelId,
        rows: &[u64],
        show: &mut dyn FnMut(&Row<'a>) -> Result<()>,
    ) -> Result<()> {
        let mut last: Option<Row<'a>> = None;
        for number in rows {
            let near = last.and_then(|row| {
                let position = row.cluster.position(*number)?;
                Some(Row { position, ..row })
            });
            last = match near {
                Some(row) => Some(row),
                None => self.row(model, *number)?.or(None),
            };
            if let Some(row) = &last {
                show(row)?;
            }
        }
        Ok(())
    }
}
