//! A stored column block of any type.

use std::ops::Range;

use super::fixed::Fixed;
use super::ints::Ints;
use super::lists::Lists;
use super::texts::Texts;
use super::types::{ColumnType, Type};
use crate::base::{Value, ValueRef};
use crate::engines::zerocopy::error::{Result, corrupt, misuse};
use crate::engines::zerocopy::node::{Kind, Nodes, Ref};

/// One column of one cluster, as it lies in the file.
#[derive(Clone, Copy)]
pub enum Column<'a> {
    /// Bools, ints, timestamps and links.
    Ints(Ints<'a>, Type),
    /// Floats.
    Floats(Fixed<'a, 8>),
    /// Uuids.
    Uuids(Fixed<'a, 16>),
    /// Texts, JSON and blobs.
    Texts(Texts<'a>, Type),
    /// Lists, with the column of their elements.
    Lists(Lists<'a>, Elements<'a>),
}

/// The elements of lists: a column that holds no lists.
#[derive(Clone, Copy)]
pub enum Elements<'a> {
    Ints(Ints<'a>, Type),
    Floats(Fixed<'a, 8>),
    Uuids(Fixed<'a, 16>),
    Texts(Texts<'a>, Type),
}

/// What one row of a column holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A scalar, a list, or null.
    Value(Value),
    /// A to-one link.
    Link(Option<u64>),
    /// Links to many.
    Links(Vec<u64>),
}

impl<'a> Elements<'a> {
    fn open(nodes: &Nodes<'a>, at: Ref, element: Type) -> Result<Self> {
        Ok(match element {
            Type::Bool | Type::Int | Type::Timestamp | Type::Link => {
                Elements::Ints(Ints::read(nodes.get(at, Kind::Ints)?)?, element)
            }
            Type::Float => Elements::Floats(Fixed::read(nodes.get(at, Kind::Fixed)?)?),
            Type::Uuid => Elements::Uuids(Fixed::read(nodes.get(at, Kind::Fixed)?)?),
            Type::Text | Type::Json | Type::Blob => {
                Elements::Texts(Texts::read(nodes.any(at)?)?, element)
            }
        })
    }

    fn len(&self) -> usize {
        match self {
            Elements::Ints(ints, _) => ints.len,
            Elements::Floats(fixed) => fixed.len,
            Elements::Uuids(fixed) => fixed.len,
            Elements::Texts(texts, _) => texts.len,
        }
    }

    /// An element.
    #[inline]
    pub fn get(&self, at: usize) -> Result<ValueRef<'a>> {
        match self {
            Elements::Ints(ints, kind) => Ok(int(*kind, ints.get(at))),
            Elements::Floats(fixed) => Ok(float(fixed.get(at))),
            Elements::Uuids(fixed) => Ok(fixed.get(at).map_or(ValueRef::Null, ValueRef::Uuid)),
            Elements::Texts(texts, kind) => text(*kind, texts.get(at)?),
        }
    }
}

impl<'a> Column<'a> {
    /// Opens a block of that type over that many rows.
    pub fn open(nodes: &Nodes<'a>, at: Ref, kind: ColumnType, rows: usize) -> Result<Self> {
        let column = if kind.list {
            let (lists, elements) = Lists::read(nodes.get(at, Kind::Lists)?)?;
            let elements = Elements::open(nodes, elements, kind.element)?;
            if elements.len() != lists.total {
                return Err(corrupt("lists over elements of another number"));
            }
            Column::Lists(lists, elements)
        } else {
            match Elements::open(nodes, at, kind.element)? {
                Elements::Ints(ints, kind) => Column::Ints(ints, kind),
                Elements::Floats(fixed) => Column::Floats(fixed),
                Elements::Uuids(fixed) => Column::Uuids(fixed),
                Elements::Texts(texts, kind) => Column::Texts(texts, kind),
            }
        };
        if column.len() != rows {
            return Err(corrupt("a column of another length than its cluster"));
        }
        Ok(column)
    }

    /// Rows.
    pub fn len(&self) -> usize {
        match self {
            Column::Ints(ints, _) => ints.len,
            Column::Floats(fixed) => fixed.len,
            Column::Uuids(fixed) => fixed.len,
            Column::Texts(texts, _) => texts.len,
            Column::Lists(lists, _) => lists.len,
        }
    }

    /// The value of a row, borrowed from the file. Of a list, see [`Column::items`].
    #[inline]
    pub fn get(&self, row: usize) -> Result<ValueRef<'a>> {
        match self {
            Column::Ints(ints, kind) => Ok(int(*kind, ints.get(row))),
            Column::Floats(fixed) => Ok(float(fixed.get(row))),
            Column::Uuids(fixed) => Ok(fixed.get(row).map_or(ValueRef::Null, ValueRef::Uuid)),
            Column::Texts(texts, kind) => text(*kind, texts.get(row)?),
            Column::Lists(..) => Err(misuse("a list where a single value should be")),
        }
    }

    /// Whether any row may be null.
    pub fn has_nulls(&self) -> bool {
        match self {
            Column::Ints(ints, _) => ints.nulls.any(),
            Column::Floats(fixed) => fixed.nulls.any(),
            Column::Uuids(fixed) => fixed.nulls.any(),
            Column::Texts(texts, _) => texts.nulls.any(),
            Column::Lists(lists, _) => lists.nulls.any(),
        }
    }

    /// Whether a row is null.
    pub fn is_null(&self, row: usize) -> bool {
        match self {
            Column::Ints(ints, _) => ints.nulls.has(row),
            Column::Floats(fixed) => fixed.nulls.has(row),
            Column::Uuids(fixed) => fixed.nulls.has(row),
            Column::Texts(texts, _) => texts.nulls.has(row),
            Column::Lists(lists, _) => lists.nulls.has(row),
        }
    }

    /// The elements of a row's list, by their place in the column of elements.
    pub fn items(&self, row: usize) -> Result<Option<(Range<usize>, &Elements<'a>)>> {
        match self {
            Column::Lists(lists, elements) => Ok(lists.get(row)?.map(|range| (range, elements))),
            _ => Err(misuse("a single value where a list should be")),
        }
    }

    /// The link of a row.
    #[inline]
    pub fn link(&self, row: usize) -> Option<u64> {
        match self {
            Column::Ints(ints, _) => ints.get(row).map(|row| row as u64),
            _ => None,
        }
    }

    /// The links of a row.
    pub fn links(&self, row: usize) -> Result<Vec<u64>> {
        match self.items(row)? {
            Some((range, Elements::Ints(ints, _))) => Ok(range
                .filter_map(|at| ints.get(at))
                .map(|row| row as u64)
                .collect()),
            _ => Ok(Vec::new()),
        }
    }

    /// The value of a row, copied; a list too.
    pub fn value(&self, row: usize) -> Result<Value> {
        match self {
            Column::Lists(..) => match self.items(row)? {
                None => Ok(Value::Null),
                Some((range, elements)) => range
                    .map(|at| elements.get(at).map(|item| item.to_value()))
                    .collect::<Result<_>>()
                    .map(Value::List),
            },
            _ => self.get(row).map(|value| value.to_value()),
        }
    }
}

#[inline]
fn int<'a>(kind: Type, value: Option<i64>) -> ValueRef<'a> {
    match (value, kind) {
        (None, _) => ValueRef::Null,
        (Some(int), Type::Bool) => ValueRef::Bool(int != 0),
        (Some(int), Type::Timestamp) => ValueRef::Timestamp(int),
        (Some(int), _) => ValueRef::Int(int),
    }
}

#[inline]
fn float<'a>(value: Option<[u8; 8]>) -> ValueRef<'a> {
    value.map_or(ValueRef::Null, |b| ValueRef::Float(f64::from_le_bytes(b)))
}

/// The value of bytes in a column of that type.
#[inline]
pub fn text(kind: Type, value: Option<&[u8]>) -> Result<ValueRef<'_>> {
    let Some(bytes) = value else {
        return Ok(ValueRef::Null);
    };
    if kind == Type::Blob {
        return Ok(ValueRef::Blob(bytes));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| corrupt("a text that is not UTF-8"))?;
    Ok(match kind {
        Type::Json => ValueRef::Json(text),
        _ => ValueRef::Text(text),
    })
}
