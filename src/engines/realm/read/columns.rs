//! Columns as a tree of what is read of each object, so that objects on
//! several paths are fetched once and properties of one object in one call.

use crate::engines::EngineError;
use crate::engines::realm::error::{misuse, unsupported};
use crate::engines::realm::ffi::types::PropertyKey;
use crate::engines::realm::layout::Holds;
use crate::engines::realm::store::Store;
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{Column, Scalar};

/// What is read of an object.
#[derive(Debug, Default)]
pub struct Node {
    /// Its model.
    pub model: ModelId,
    /// Outputs that are its object key.
    pub identities: Vec<usize>,
    /// Properties read in one call.
    pub keys: Vec<PropertyKey>,
    /// What they are, in the same order.
    pub cells: Vec<CellOutput>,
    /// Scalar lists.
    pub lists: Vec<ListOutput>,
    /// Objects behind links and back-links.
    pub others: Vec<(FieldId, Hop, Node)>,
}

/// What stands behind a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hop {
    /// One object or none.
    One,
    /// Objects of a list.
    Many,
}

/// A property read as a cell.
#[derive(Debug)]
pub struct CellOutput {
    /// The column.
    pub output: usize,
    /// Its type; `None` for a link, read as its object key.
    pub scalar: Option<Scalar>,
    /// Keys inside JSON.
    pub json: Vec<String>,
}

/// A scalar list.
#[derive(Debug)]
pub struct ListOutput {
    /// The column.
    pub output: usize,
    /// The field.
    pub field: FieldId,
    /// Type of the elements.
    pub scalar: Scalar,
}

impl Node {
    /// The tree of these columns.
    pub fn of(store: &Store, model: ModelId, columns: &[Column]) -> Result<Node, EngineError> {
        let mut root = Node {
            model,
            ..Node::default()
        };
        for (output, column) in columns.iter().enumerate() {
            match column {
                Column::Identity => root.identities.push(output),
                Column::Path(path) => root.add(store, &path.hops, &path.json, output, 0)?,
            }
        }
        Ok(root)
    }

    /// Whether each column is a property of the object itself, in order.
    pub fn is_flat(&self) -> bool {
        self.identities.is_empty()
            && self.lists.is_empty()
            && self.others.is_empty()
            && self.cells.iter().all(|cell| cell.json.is_empty())
    }

    fn add(
        &mut self,
        store: &Store,
        hops: &[FieldId],
        json: &[String],
        output: usize,
        lists: usize,
    ) -> Result<(), EngineError> {
        let Some((first, rest)) = hops.split_first() else {
            self.identities.push(output);
            return Ok(());
        };
        let property = store.layout.property(self.model, *first);
        let property = property.ok_or_else(|| misuse("a column of no field"))?;
        let (hop, target) = match &property.holds {
            Holds::Scalar(scalar) if rest.is_empty() => {
                self.keys.push(store.property(self.model, *first)?);
                self.cells.push(CellOutput {
                    output,
                    scalar: Some(scalar.clone()),
                    json: json.to_vec(),
                });
                return Ok(());
            }
            Holds::One(_) if rest.is_empty() => {
                self.keys.push(store.property(self.model, *first)?);
                self.cells.push(CellOutput {
                    output,
                    scalar: None,
                    json: Vec::new(),
                });
                return Ok(());
            }
            Holds::List(scalar) if rest.is_empty() => {
                self.lists.push(ListOutput {
                    output,
                    field: *first,
                    scalar: scalar.clone(),
                });
                return Ok(());
            }
            Holds::Scalar(_) | Holds::List(_) => return Err(misuse("a column through a scalar")),
            Holds::One(target) => (Hop::One, *target),
            Holds::Back { owner, .. } => (Hop::One, *owner),
            Holds::Many(_) if lists > 0 => {
                return Err(unsupported("a column through two to-many links"));
            }
            Holds::Many(target) => (Hop::Many, *target),
        };
        let lists = lists + usize::from(hop == Hop::Many);
        let there = self.others.iter().position(|(field, _, _)| field == first);
        let at = there.unwrap_or_else(|| {
            let node = Node {
                model: target,
                ..Node::default()
            };
            self.others.push((*first, hop, node));
            self.others.len() - 1
        });
        self.others[at].2.add(store, rest, json, output, lists)
    }
}
