//! A prepared read, executed.

use std::rc::Rc;

use rusqlite::Connection;

use super::arena::{Arena, Kept};
use super::decode::{bind_arguments, recycle, value};
use super::sql::{ListRead, Output, Read, Type, list};
use super::statement::{Execution, Statement};
use crate::base::{Value, ValueRef};
use crate::engines::EngineError;
use crate::workload::Sink;
use crate::workload::eval::json::json_value;

/// A read with its statements and reused room.
pub struct Reading {
    main: Statement,
    outputs: Vec<Output>,
    lists: Vec<Lists>,
    /// Where every value can be borrowed from its row: column and type of each.
    borrowed: Option<Vec<(usize, Type)>>,
    values: Vec<ValueRef<'static>>,
    elements: Vec<ValueRef<'static>>,
    /// Elements of lists inside lists.
    inner: Vec<ValueRef<'static>>,
    parts: Vec<Kept>,
    arena: Arena,
}

/// A list statement with the elements of the current record.
struct Lists {
    statement: Statement,
    read: ListRead,
    /// Column by column.
    columns: Vec<Vec<Kept>>,
    null: bool,
}

impl Reading {
    /// Prepares its statements.
    pub fn new(connection: &Rc<Connection>, read: Read) -> Result<Self, EngineError> {
        let scalar = |output: &Output| match output {
            Output::Scalar { column, ty } if *ty != Type::JsonPart => Some((*column, *ty)),
            _ => None,
        };
        let lists = read.lists.into_iter().map(|read| {
            Ok(Lists {
                statement: Statement::new(connection, &read.sql)?,
                columns: vec![Vec::new(); read.columns.len()],
                read,
                null: false,
            })
        });
        Ok(Reading {
            main: Statement::new(connection, &read.sql)?,
            borrowed: read.outputs.iter().map(scalar).collect(),
            outputs: read.outputs,
            lists: lists.collect::<Result<_, EngineError>>()?,
            values: Vec::new(),
            elements: Vec::new(),
            inner: Vec::new(),
            parts: Vec::new(),
            arena: Arena::default(),
        })
    }

    /// Delivers all records; returns how many.
    pub fn run(&mut self, arguments: &[Value], sink: &mut dyn Sink) -> Result<u64, EngineError> {
        let parameters = self.main.parameters();
        let mut row = self.main.execution();
        bind_arguments(&mut row, parameters, arguments)?;
        let mut count = 0;
        if let Some(columns) = &self.borrowed {
            let mut room = std::mem::take(&mut self.values);
            while row.step()? {
                let mut values = recycle(room);
                for &(column, ty) in columns {
                    values.push(value(&row, column, ty)?);
                }
                sink.row(&values);
                room = recycle(values);
                count += 1;
            }
            self.values = room;
            return Ok(count);
        }
        while row.step()? {
            self.arena.clear();
            self.parts.clear();
            for list in &mut self.lists {
                list.read(&row, &mut self.arena)?;
            }
            for output in &self.outputs {
                if let Output::Scalar {
                    column,
                    ty: Type::JsonPart,
                } = output
                {
                    self.parts.push(part(&row, *column, &mut self.arena)?);
                }
            }
            let mut inner = recycle(std::mem::take(&mut self.inner));
            inner.extend(self.arena.items());
            let mut elements = recycle(std::mem::take(&mut self.elements));
            for list in &self.lists {
                for column in &list.columns {
                    elements.extend(column.iter().map(|kept| self.arena.get_in(kept, &inner)));
                }
            }
            let mut values = recycle(std::mem::take(&mut self.values));
            let mut parts = self.parts.iter();
            for output in &self.outputs {
                values.push(match *output {
                    Output::Scalar {
                        ty: Type::JsonPart, ..
                    } => parts
                        .next()
                        .map_or(ValueRef::Null, |kept| self.arena.get(kept)),
                    Output::Scalar { column, ty } => value(&row, column, ty)?,
                    Output::List { list, column } => slice(&self.lists, &elements, list, column),
                });
            }
            sink.row(&values);
            self.values = recycle(values);
            self.elements = recycle(elements);
            self.inner = recycle(inner);
            count += 1;
        }
        Ok(count)
    }
}

impl Lists {
    /// Reads the lists of the record in `row`.
    fn read(&mut self, row: &Execution<'_, '_>, arena: &mut Arena) -> Result<(), EngineError> {
        self.columns.iter_mut().for_each(Vec::clear);
        let missing = |column: usize| row.is_null(column);
        self.null = missing(self.read.key) || self.read.marker.is_some_and(missing);
        if self.null {
            return Ok(());
        }
        let mut elements = self.statement.execution();
        elements.int(row.get_int(self.read.key))?;
        while elements.step()? {
            for (at, column) in self.read.columns.iter().enumerate() {
                let kept = match (column.ty, column.nested) {
                    (ty, true) => match value(&elements, at, Type::Text)? {
                        ValueRef::Text(json) => arena.keep_list(&list::elements(json, ty)),
                        other => arena.keep(other),
                    },
                    (Type::JsonPart, false) => part(&elements, at, arena)?,
                    (ty, false) => arena.keep(value(&elements, at, ty)?),
                };
                self.columns[at].push(kept);
            }
        }
        Ok(())
    }
}

/// A part of a JSON field, delivered as JSON text, as the value that it spells.
fn part(row: &Execution<'_, '_>, column: usize, arena: &mut Arena) -> Result<Kept, EngineError> {
    Ok(match value(row, column, Type::JsonPart)? {
        ValueRef::Json(text) => arena.keep_value(&json_value(text, &[])),
        other => arena.keep(other),
    })
}

/// The elements of one list column: they lie one list after another.
fn slice<'a>(
    lists: &[Lists],
    elements: &'a [ValueRef<'a>],
    list: usize,
    column: usize,
) -> ValueRef<'a> {
    if lists[list].null {
        return ValueRef::Null;
    }
    let before: usize = lists[..list]
        .iter()
        .flat_map(|l| l.columns.iter().map(Vec::len))
        .sum();
    let length = lists[list].columns[column].len();
    let start = before + column * length;
    ValueRef::List(&elements[start..start + length])
}
