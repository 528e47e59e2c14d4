//! Columns being gathered, and changed row by row.

use super::column::{Cell, Column, Elements};
use super::fixed::FixedBuilder;
use super::ints::IntsBuilder;
use super::lists;
use super::nulls::NullBits;
use super::texts::TextsBuilder;
use super::types::{ColumnType, Type};
use crate::base::Value;
use crate::engines::zerocopy::error::{Result, misuse};
use crate::engines::zerocopy::node::Ref;

/// One column of one cluster, being gathered.
#[derive(Clone, Debug)]
pub enum Builder {
    /// One value a row.
    One(Values),
    /// A list a row.
    Many(ListsBuilder),
}

/// Values, or the elements of lists.
#[derive(Clone, Debug)]
pub enum Values {
    Ints(IntsBuilder, Type),
    Floats(FixedBuilder<8>),
    Uuids(FixedBuilder<16>),
    Texts(TextsBuilder, Type),
}

/// Lists, as spans of elements that were added in any order.
#[derive(Clone, Debug)]
pub struct ListsBuilder {
    spans: Vec<(usize, usize)>,
    nulls: NullBits,
    elements: Values,
}

impl Values {
    fn new(element: Type) -> Self {
        match element {
            Type::Bool | Type::Int | Type::Timestamp | Type::Link => {
                Values::Ints(IntsBuilder::default(), element)
            }
            Type::Float => Values::Floats(FixedBuilder::default()),
            Type::Uuid => Values::Uuids(FixedBuilder::default()),
            Type::Text | Type::Json | Type::Blob => Values::Texts(TextsBuilder::default(), element),
        }
    }

    fn len(&self) -> usize {
        match self {
            Values::Ints(ints, _) => ints.values.len(),
            Values::Floats(fixed) => fixed.values.len(),
            Values::Uuids(fixed) => fixed.values.len(),
            Values::Texts(texts, _) => texts.len(),
        }
    }

    /// Adds a row, or changes one that is there.
    fn put(&mut self, row: Option<usize>, value: &Value) -> Result<()> {
        match (self, value) {
            (Values::Ints(ints, kind), value) => {
                let int = match (value, *kind) {
                    (Value::Null, _) => None,
                    (Value::Bool(bool), Type::Bool) => Some(i64::from(*bool)),
                    (Value::Int(int), Type::Int | Type::Link) => Some(*int),
                    (Value::Timestamp(int), Type::Timestamp) => Some(*int),
                    (other, _) => return Err(unfit(other)),
                };
                match row {
                    Some(row) => ints.set(row, int),
                    None => ints.push(int),
                }
            }
            (Values::Floats(fixed), value) => {
                let float = match value {
                    Value::Null => None,
                    Value::Float(float) => Some(float.to_le_bytes()),
                    other => return Err(unfit(other)),
                };
                match row {
                    Some(row) => fixed.set(row, float),
                    None => fixed.push(float),
                }
            }
            (Values::Uuids(fixed), value) => {
                let uuid = match value {
                    Value::Null => None,
                    Value::Uuid(uuid) => Some(*uuid),
                    other => return Err(unfit(other)),
                };
                match row {
                    Some(row) => fixed.set(row, uuid),
                    None => fixed.push(uuid),
                }
            }
            (Values::Texts(texts, kind), value) => {
                let bytes = match (value, *kind) {
                    (Value::Null, _) => None,
                    (Value::Text(text), Type::Text) | (Value::Json(text), Type::Json) => {
                        Some(text.as_bytes())
                    }
                    (Value::Blob(bytes), Type::Blob) => Some(bytes.as_slice()),
                    (other, _) => return Err(unfit(other)),
                };
                match row {
                    Some(row) => texts.set(row, bytes),
                    None => texts.push(bytes),
                }
            }
        }
        Ok(())
    }

    fn push_from(&mut self, other: &Values, row: usize) -> Result<()> {
        match (self, other) {
            (Values::Ints(to, _), Values::Ints(from, _)) => to.push(from.get(row)),
            (Values::Floats(to), Values::Floats(from)) => to.push(from.get(row)),
            (Values::Uuids(to), Values::Uuids(from)) => to.push(from.get(row)),
            (Values::Texts(to, _), Values::Texts(from, _)) => to.push(from.get(row)),
            _ => return Err(misuse("columns of different types")),
        }
        Ok(())
    }

    fn push_stored(&mut self, elements: &Elements<'_>, at: usize) -> Result<()> {
        match (self, elements) {
            (Values::Ints(to, _), Elements::Ints(from, _)) => to.push(from.get(at)),
            (Values::Floats(to), Elements::Floats(from)) => to.push(from.get(at)),
            (Values::Uuids(to), Elements::Uuids(from)) => to.push(from.get(at)),
            (Values::Texts(to, _), Elements::Texts(from, _)) => to.push(from.get(at)?),
            _ => return Err(misuse("columns of different types")),
        }
        Ok(())
    }

    fn encode(&self) -> Result<Vec<u8>> {
        match self {
            Values::Ints(ints, _) => ints.encode(),
            Values::Floats(fixed) => fixed.encode(),
            Values::Uuids(fixed) => fixed.encode(),
            Values::Texts(texts, _) => texts.encode(),
        }
    }

    fn weight(&self) -> usize {
        match self {
            Values::Texts(texts, _) => texts.weight(),
            other => other.len() * 8,
        }
    }
}

impl ListsBuilder {
    fn put(&mut self, row: Option<usize>, null: bool, from: usize) {
        let span = (from, self.elements.len() - from);
        match row {
            Some(row) => {
                if let Some(place) = self.spans.get_mut(row) {
                    *place = span;
                    self.nulls.set(row, null);
                }
            }
            None => {
                self.spans.push(span);
                self.nulls.push(null);
            }
        }
    }

    fn encode(&self, keep: &mut dyn FnMut(Vec<u8>) -> Ref) -> Result<Vec<u8>> {
        let mut in_order = Values::new(match &self.elements {
            Values::Ints(_, kind) | Values::Texts(_, kind) => *kind,
            Values::Floats(_) => Type::Float,
            Values::Uuids(_) => Type::Uuid,
        });
        let mut lens = Vec::with_capacity(self.spans.len());
        for (row, (from, len)) in self.spans.iter().enumerate() {
            let len = if self.nulls.has(row) { 0 } else { *len };
            lens.push(len);
            for at in *from..*from + len {
                in_order.push_from(&self.elements, at)?;
            }
        }
        let elements = keep(in_order.encode()?);
        lists::encode(&lens, &self.nulls, elements)
    }
}

impl Builder {
    /// Without rows.
    pub fn new(kind: ColumnType) -> Self {
        let values = Values::new(kind.element);
        match kind.list {
            false => Builder::One(values),
            true => Builder::Many(ListsBuilder {
                spans: Vec::new(),
                nulls: NullBits::default(),
                elements: values,
            }),
        }
    }

    /// What a stored block holds.
    pub fn decode(column: &Column<'_>) -> Result<Self> {
        Ok(match column {
            Column::Ints(ints, kind) => {
                Builder::One(Values::Ints(IntsBuilder::decode(ints), *kind))
            }
            Column::Floats(fixed) => Builder::One(Values::Floats(FixedBuilder::decode(fixed))),
            Column::Uuids(fixed) => Builder::One(Values::Uuids(FixedBuilder::decode(fixed))),
            Column::Texts(texts, kind) => {
                Builder::One(Values::Texts(TextsBuilder::decode(texts)?, *kind))
            }
            Column::Lists(lists, elements) => {
                let element = match elements {
                    Elements::Ints(_, kind) | Elements::Texts(_, kind) => *kind,
                    Elements::Floats(_) => Type::Float,
                    Elements::Uuids(_) => Type::Uuid,
                };
                let mut builder = ListsBuilder {
                    spans: Vec::with_capacity(lists.len),
                    nulls: NullBits::default(),
                    elements: Values::new(element),
                };
                for row in 0..lists.len {
                    let from = builder.elements.len();
                    let range = lists.get(row)?;
                    let null = range.is_none();
                    for at in range.into_iter().flatten() {
                        builder.elements.push_stored(elements, at)?;
                    }
                    builder.put(None, null, from);
                }
                Builder::Many(builder)
            }
        })
    }

    /// About how many bytes the values take.
    pub fn weight(&self) -> usize {
        match self {
            Builder::One(values) => values.weight(),
            Builder::Many(lists) => lists.elements.weight() + lists.spans.len() * 8,
        }
    }

    /// Adds a row.
    pub fn push(&mut self, value: &Value) -> Result<()> {
        self.put(None, value)
    }

    /// Adds a row with a to-one link.
    pub fn push_link(&mut self, link: Option<u64>) -> Result<()> {
        match self {
            Builder::One(Values::Ints(ints, _)) => {
                ints.push(link.map(|row| row as i64));
                Ok(())
            }
            _ => Err(misuse("a link in a column of something else")),
        }
    }

    /// Adds a row with links to many.
    pub fn push_links(&mut self, links: impl IntoIterator<Item = u64>) -> Result<()> {
        self.put_links(None, links)
    }

    /// Changes a row.
    pub fn set(&mut self, row: usize, cell: &Cell) -> Result<()> {
        match (self, cell) {
            (builder, Cell::Value(value)) => builder.put(Some(row), value),
            (Builder::One(Values::Ints(ints, _)), Cell::Link(link)) => {
                ints.set(row, link.map(|row| row as i64));
                Ok(())
            }
            (builder, Cell::Links(links)) => builder.put_links(Some(row), links.iter().copied()),
            _ => Err(misuse("a link in a column of something else")),
        }
    }

    fn put(&mut self, row: Option<usize>, value: &Value) -> Result<()> {
        match (self, value) {
            (Builder::One(values), value) => values.put(row, value),
            (Builder::Many(lists), Value::Null) => {
                lists.put(row, true, lists.elements.len());
                Ok(())
            }
            (Builder::Many(lists), Value::List(items)) => {
                let from = lists.elements.len();
                for item in items {
                    lists.elements.put(None, item)?;
                }
                lists.put(row, false, from);
                Ok(())
            }
            (Builder::Many(_), other) => Err(unfit(other)),
        }
    }

    fn put_links(
        &mut self,
        row: Option<usize>,
        links: impl IntoIterator<Item = u64>,
    ) -> Result<()> {
        let Builder::Many(lists) = self else {
            return Err(misuse("links in a column of something else"));
        };
        let Values::Ints(ints, _) = &mut lists.elements else {
            return Err(misuse("links in a list of something else"));
        };
        let from = ints.values.len();
        for link in links {
            ints.push(Some(link as i64));
        }
        lists.put(row, false, from);
        Ok(())
    }

    /// Adds a row of another column of the same type.
    pub fn push_from(&mut self, other: &Builder, row: usize) -> Result<()> {
        match (self, other) {
            (Builder::One(to), Builder::One(from)) => to.push_from(from, row),
            (Builder::Many(to), Builder::Many(from)) => {
                let first = to.elements.len();
                if let Some((at, len)) = from.spans.get(row) {
                    for element in *at..at + len {
                        to.elements.push_from(&from.elements, element)?;
                    }
                }
                to.put(None, from.nulls.has(row), first);
                Ok(())
            }
            _ => Err(misuse("columns of different types")),
        }
    }

    /// The block; nodes that it refers to go to `keep`.
    pub fn encode(&self, keep: &mut dyn FnMut(Vec<u8>) -> Ref) -> Result<Vec<u8>> {
        match self {
            Builder::One(values) => values.encode(),
            Builder::Many(lists) => lists.encode(keep),
        }
    }
}

fn unfit(value: &Value) -> crate::engines::EngineError {
    misuse(format!("{} in a column of another type", value.kind()))
}
