//! `@Query SELECT`: every row copied into the cursor's window, an object built
//! from each, and then handed over.

use super::cursor::{Arguments, Cursor};
use super::database::Database;
use super::lane::Prepared;
use super::relation::{Lists, Relation, part};
use crate::base::{Value, ValueRef};
use crate::engines::EngineError;
use crate::engines::sqlite::decode::recycle;
use crate::engines::sqlite::sql::{Output, Read, Type};
use crate::workload::Sink;

/// A read with its statements and reused room.
pub struct Reading {
    main: Prepared,
    /// Type of each column that the statement delivers.
    types: Vec<Type>,
    /// What is handed over.
    outputs: Vec<Output>,
    relations: Vec<Relation>,
    values: Vec<ValueRef<'static>>,
    elements: Vec<ValueRef<'static>>,
    inner: Vec<ValueRef<'static>>,
}

/// An object: its columns, and its lists by relation.
struct Object {
    columns: Box<[Value]>,
    lists: Box<[Option<i64>]>,
}

impl Reading {
    /// Prepares a read whose first `added` outputs are not asked for.
    pub fn new(database: &Database, read: Read, added: usize) -> Result<Reading, EngineError> {
        let mut types = Vec::new();
        let mut note = |column: usize, ty: Type| {
            if types.len() <= column {
                types.resize(column + 1, Type::Any);
            }
            types[column] = ty;
        };
        for list in &read.lists {
            note(list.key, Type::Int);
            list.marker
                .into_iter()
                .for_each(|marker| note(marker, Type::Int));
        }
        for output in &read.outputs {
            if let Output::Scalar { column, ty } = output {
                note(*column, *ty);
            }
        }
        if types.is_empty() {
            // `SELECT 1`: rows without columns.
            types.push(Type::Int);
        }
        let mut outputs = read.outputs;
        outputs.drain(..added.min(outputs.len()));
        Ok(Reading {
            main: Prepared::new(database, read.sql)?,
            types,
            outputs,
            relations: read.lists.into_iter().map(Relation::new).collect(),
            values: Vec::new(),
            elements: Vec::new(),
            inner: Vec::new(),
        })
    }

    /// Whether it has relations, and so is a `@Transaction`.
    pub fn has_relations(&self) -> bool {
        !self.relations.is_empty()
    }

    /// Delivers all records; returns how many.
    pub fn run(
        &mut self,
        database: &Database,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        let window_bytes = database.configuration.window_bytes;
        let mut cursor = Cursor::new(
            self.main.on(database)?,
            Arguments::Values(arguments),
            self.types.len(),
            window_bytes,
        );
        let mut objects = Vec::with_capacity(cursor.count()?);
        let mut lists = Vec::with_capacity(self.relations.len());
        if self.relations.is_empty() {
            while cursor.advance()? {
                objects.push(object(&self.types, &[], |at, ty| cursor.value(at, ty))?);
            }
        } else {
            // DBUtil.query(maybeCopy = true): what does not fit into the window
            // is copied into a MatrixCursor, so as not to be queried again.
            let copied = match cursor.fits()? {
                true => None,
                false => Some(matrix(&mut cursor, &self.types)?),
            };
            let mut keys: Vec<Vec<i64>> = self.relations.iter().map(|_| Vec::new()).collect();
            let mut note = |relation: usize, key: &Value| {
                if let Value::Int(key) = key {
                    keys[relation].push(*key);
                }
            };
            match &copied {
                Some(rows) => {
                    for row in rows {
                        for (at, relation) in self.relations.iter().enumerate() {
                            note(at, &row[relation.read.key]);
                        }
                    }
                }
                None => {
                    while cursor.advance()? {
                        for (at, relation) in self.relations.iter().enumerate() {
                            note(at, &cursor.value(relation.read.key, Type::Int)?);
                        }
                    }
                    cursor.rewind();
                }
            }
            for (relation, keys) in self.relations.iter_mut().zip(keys) {
                lists.push(relation.fetch(&database.primary, keys, window_bytes)?);
            }
            match copied {
                Some(rows) => {
                    for row in &rows {
                        let read = |at: usize, _| Ok(row[at].clone());
                        objects.push(object(&self.types, &self.relations, read)?);
                    }
                }
                None => {
                    while cursor.advance()? {
                        let read = |at, ty| cursor.value(at, ty);
                        objects.push(object(&self.types, &self.relations, read)?);
                    }
                }
            }
        }
        drop(cursor);
        for object in &objects {
            self.deliver(object, &lists, sink);
        }
        Ok(objects.len() as u64)
    }

    /// Touches what was asked for.
    fn deliver(&mut self, object: &Object, lists: &[Lists], sink: &mut dyn Sink) {
        let parts: Vec<Value> = self
            .outputs
            .iter()
            .filter_map(|output| match output {
                Output::Scalar {
                    column,
                    ty: Type::JsonPart,
                } => Some(part(object.columns[*column].clone())),
                _ => None,
            })
            .collect();
        // Innermost first: each level borrows from the one below.
        let mut inner = recycle(std::mem::take(&mut self.inner));
        let mut elements = recycle(std::mem::take(&mut self.elements));
        let mut values = recycle(std::mem::take(&mut self.values));
        for output in &self.outputs {
            for value in items(output, object, lists) {
                if let Value::List(list) = value {
                    inner.extend(list.iter().map(Value::scalar_ref));
                }
            }
        }
        let mut rest = inner.as_slice();
        for output in &self.outputs {
            for value in items(output, object, lists) {
                elements.push(match value {
                    Value::List(list) => {
                        let (own, after) = rest.split_at(list.len());
                        rest = after;
                        ValueRef::List(own)
                    }
                    scalar => scalar.scalar_ref(),
                });
            }
        }
        let mut rest = elements.as_slice();
        let mut parts = parts.iter();
        for output in &self.outputs {
            values.push(match *output {
                Output::Scalar {
                    ty: Type::JsonPart, ..
                } => parts.next().map_or(ValueRef::Null, Value::scalar_ref),
                Output::Scalar { column, .. } => object.columns[column].scalar_ref(),
                Output::List { list, .. } if object.lists[list].is_none() => ValueRef::Null,
                Output::List { .. } => {
                    let (own, after) = rest.split_at(items(output, object, lists).count());
                    rest = after;
                    ValueRef::List(own)
                }
            });
        }
        sink.row(&values);
        self.values = recycle(values);
        self.elements = recycle(elements);
        self.inner = recycle(inner);
    }
}

/// The elements of a list that is handed over.
fn items<'a>(
    output: &Output,
    object: &'a Object,
    lists: &'a [Lists],
) -> impl Iterator<Item = &'a Value> + use<'a> {
    let (list, column) = match output {
        Output::List { list, column } => {
            (lists[*list].of(object.lists[*list].unwrap_or(0)), *column)
        }
        Output::Scalar { .. } => (&[][..], 0),
    };
    let null = match output {
        Output::List { list, .. } => object.lists[*list].is_none(),
        Output::Scalar { .. } => true,
    };
    list.iter()
        .filter(move |_| !null)
        .map(move |item| &item[column])
}

/// Builds an object from a row.
fn object(
    types: &[Type],
    relations: &[Relation],
    read: impl Fn(usize, Type) -> Result<Value, EngineError>,
) -> Result<Object, EngineError> {
    let columns: Result<Box<[Value]>, EngineError> = types
        .iter()
        .enumerate()
        .map(|(at, ty)| read(at, *ty))
        .collect();
    let columns = columns?;
    let list = |relation: &Relation| {
        let there = relation.read.marker.is_none_or(|at| !columns[at].is_null());
        match columns[relation.read.key] {
            Value::Int(key) if there => Some(key),
            _ => None,
        }
    };
    let lists = relations.iter().map(list).collect();
    Ok(Object { columns, lists })
}

/// `CursorUtil.copyAndClose`.
fn matrix(cursor: &mut Cursor<'_>, types: &[Type]) -> Result<Vec<Box<[Value]>>, EngineError> {
    let mut rows = Vec::with_capacity(cursor.count()?);
    while cursor.advance()? {
        let row: Result<Box<[Value]>, EngineError> = types
            .iter()
            .enumerate()
            .map(|(at, ty)| cursor.value(at, *ty))
            .collect();
        rows.push(row?);
    }
    Ok(rows)
}
