//! One record, read field by field where it lies.

use std::borrow::Cow;

use super::block::Column;
use super::cluster::Cluster;
use super::error::{Result, corrupt, misuse};
use super::layout::FieldLayout;
use super::reader::Reader;
use crate::base::Value;
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{Column as Delivered, Path};
use crate::workload::eval::json::json_value;
use crate::workload::eval::{Element, Elements, EvalError, View};

/// A record in its cluster.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub reader: Reader<'a>,
    pub model: ModelId,
    pub cluster: Cluster<'a>,
    pub position: usize,
}

impl<'a> Row<'a> {
    /// Its number.
    pub fn number(&self) -> u64 {
        self.cluster.row(self.position)
    }

    /// A column of its cluster.
    pub fn column(&self, column: usize) -> Result<Column<'a>> {
        let kinds = &self.reader.catalog.kept(self.model).columns;
        let kind = kinds.get(column).ok_or_else(|| misuse("no such column"))?;
        self.cluster.column(column, *kind)
    }

    fn field(&self, field: FieldId) -> Result<&'a FieldLayout> {
        let fields = &self.reader.catalog.kept(self.model).fields;
        fields
            .get(field)
            .ok_or_else(|| misuse("a field that the model does not have"))
    }

    /// The row behind a to-one link or back-link.
    pub fn link(&self, field: FieldId) -> Result<Option<u64>> {
        match self.field(field)? {
            FieldLayout::One { column, .. } => Ok(self.column(*column)?.link(self.position)),
            FieldLayout::Back { target, of } => {
                let owned = self.reader.catalog.kept(self.model);
                match owned.owner(*target, *of) {
                    Some(column) => Ok(self.column(column)?.link(self.position)),
                    None => self.reader.source(*target, *of, self.number()),
                }
            }
            _ => Err(misuse("a path through something else than a to-one link")),
        }
    }

    /// The rows behind a link of any kind.
    pub fn links(&self, field: FieldId) -> Result<Vec<u64>> {
        match self.field(field)? {
            FieldLayout::Many { column, .. } => self.column(*column)?.links(self.position),
            FieldLayout::Column(_) => Ok(Vec::new()),
            _ => Ok(self.link(field)?.into_iter().collect()),
        }
    }

    /// A record that a link of this one leads to.
    fn other(&self, field: FieldId, row: u64) -> Result<Row<'a>> {
        let target = match self.field(field)? {
            FieldLayout::One { target, .. }
            | FieldLayout::Many { target, .. }
            | FieldLayout::Back { target, .. } => *target,
            FieldLayout::Column(_) => return Err(misuse("a path through a scalar")),
        };
        self.reader
            .row(target, row)?
            .ok_or_else(|| corrupt(format!("a link to row {row}, which is not there")))
    }

    /// The record behind a to-one link or back-link.
    fn behind(&self, field: FieldId) -> Result<Option<Row<'a>>> {
        self.link(field)?
            .map(|row| self.other(field, row))
            .transpose()
    }

    /// The value at the end of a path; a to-many link on the way makes it a
    /// list of the values behind each of its objects.
    pub fn follow(&self, hops: &[FieldId], json: &[String]) -> Result<Value> {
        let Some((first, rest)) = hops.split_first() else {
            return Ok(Value::Int(self.number() as i64));
        };
        match self.field(*first)? {
            FieldLayout::Column(column) if rest.is_empty() => {
                let value = self.column(*column)?.value(self.position)?;
                Ok(match value {
                    Value::Json(text) if !json.is_empty() => json_value(&text, json),
                    value => value,
                })
            }
            FieldLayout::Column(_) => Err(misuse("a path through a scalar")),
            FieldLayout::Many { .. } => self
                .links(*first)?
                .into_iter()
                .map(|row| self.other(*first, row)?.follow(rest, json))
                .collect::<Result<_>>()
                .map(Value::List),
            FieldLayout::One { .. } | FieldLayout::Back { .. } => match self.link(*first)? {
                Some(row) if rest.is_empty() => Ok(Value::Int(row as i64)),
                Some(row) => self.other(*first, row)?.follow(rest, json),
                None => Ok(Value::Null),
            },
        }
    }

    /// The value of a delivered column.
    pub fn delivered(&self, column: &Delivered) -> Result<Value> {
        match column {
            Delivered::Identity => Ok(Value::Int(self.number() as i64)),
            Delivered::Path(path) => self.follow(&path.hops, &path.json),
        }
    }

    fn kept<T>(&self, result: Result<T>) -> std::result::Result<T, EvalError> {
        result.map_err(|error| self.reader.fault.keep(error))
    }
}

impl View for Row<'_> {
    fn value(&self, path: &Path) -> std::result::Result<Cow<'_, Value>, EvalError> {
        self.kept(self.follow(&path.hops, &path.json))
            .map(Cow::Owned)
    }

    fn elements(
        &self,
        over: &Path,
        visit: &mut dyn FnMut(Element<'_>) -> std::result::Result<bool, EvalError>,
    ) -> std::result::Result<Elements, EvalError> {
        let Some((last, before)) = over.hops.split_last() else {
            return Ok(Elements::Scalar);
        };
        let mut at = *self;
        for hop in before {
            match self.kept(at.behind(*hop))? {
                Some(next) => at = next,
                None => return Ok(Elements::Null),
            }
        }
        match self.kept(at.field(*last))? {
            FieldLayout::Column(column) => {
                let column = self.kept(at.column(*column))?;
                if !matches!(column, Column::Lists(..)) {
                    return Ok(Elements::Scalar);
                }
                let Some((range, elements)) = self.kept(column.items(at.position))? else {
                    return Ok(Elements::Null);
                };
                for item in range {
                    let item = self.kept(elements.get(item))?.to_value();
                    if !visit(Element::Scalar(&item))? {
                        break;
                    }
                }
                Ok(Elements::Listed)
            }
            FieldLayout::Many { .. } => {
                for row in self.kept(at.links(*last))? {
                    let other = self.kept(at.other(*last, row))?;
                    if !visit(Element::Record(&other))? {
                        break;
                    }
                }
                Ok(Elements::Listed)
            }
            FieldLayout::One { .. } | FieldLayout::Back { .. } => Ok(Elements::Scalar),
        }
    }

    fn fields(&self) -> std::result::Result<Vec<(&str, Cow<'_, Value>)>, EvalError> {
        let declared = &self.reader.catalog.declared(self.model).fields;
        let kept = &self.reader.catalog.kept(self.model).fields;
        let mut fields = Vec::with_capacity(declared.len());
        for (field, layout) in declared.iter().zip(kept) {
            if let FieldLayout::Column(column) = layout {
                let column = self.kept(self.column(*column))?;
                let value = self.kept(column.value(self.position))?;
                fields.push((field.name.as_str(), Cow::Owned(value)));
            }
        }
        Ok(fields)
    }
}
