//! `update … by object`: entities are queried, changed, and given to `@Update`.

use super::cursor::{Arguments, Cursor};
use super::database::Database;
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::sqlite::decode::bind;
use crate::engines::sqlite::inserting::column_names;
use crate::engines::sqlite::sql::frame::{self, Context, Frame, ROOT, column};
use crate::engines::sqlite::sql::update::{stored, target};
use crate::engines::sqlite::sql::{Type, expression, filter};
use crate::engines::sqlite::statement::Statement;
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{Expr, Select};

/// The query of the entities, with their new values behind their columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Entities {
    /// The query: all columns of the entity, then the new values.
    pub select: String,
    /// How many columns the entity has.
    pub columns: usize,
    /// Which of them each new value replaces.
    pub replaced: Vec<usize>,
    /// Which of them is the primary key.
    pub id: usize,
}

/// Compiles the query. The new values are computed by it, for the app that
/// would compute them from the objects; what they are is the same.
pub fn compile(
    c: &Context<'_>,
    model: ModelId,
    select: &Select,
    set: &[(FieldId, Expr)],
) -> Result<Entities, EngineError> {
    let table = &c.layout.tables[model];
    let names = column_names(table);
    let mut frame = Frame::new(model, ROOT);
    let mut columns: Vec<String> = names.iter().map(|name| column(ROOT, name)).collect();
    let mut replaced = Vec::with_capacity(set.len());
    for (field, expr) in set {
        let target = target(c, model, *field)?;
        replaced.extend(names.iter().position(|name| *name == target));
        let value = expression::value(c, &mut frame, expr)?;
        columns.push(stored(c, model, *field, value));
    }
    let clause = filter::clause(c, &mut frame, select)?;
    let id = frame::id(c, ROOT, model, false).sql;
    let id = columns.iter().position(|column| *column == id);
    let select = format!(
        "SELECT {} FROM {}{clause}",
        columns.join(", "),
        frame.from(c)
    );
    Ok(Entities {
        select: c.finish(&select),
        columns: names.len(),
        replaced,
        id: id.unwrap_or_default(),
    })
}

/// Queries the entities, changes them, and updates each by its primary key.
pub fn run(
    database: &Database,
    entities: &Entities,
    select: &mut Statement,
    update: &mut Statement,
    arguments: &[Value],
) -> Result<u64, EngineError> {
    let width = entities.columns + entities.replaced.len();
    let mut cursor = Cursor::new(
        select,
        Arguments::Values(arguments),
        width,
        database.configuration.window_bytes,
    );
    let mut objects: Vec<Box<[Value]>> = Vec::with_capacity(cursor.count()?);
    while cursor.advance()? {
        let mut object = (0..entities.columns)
            .map(|at| cursor.value(at, Type::Any))
            .collect::<Result<Box<[Value]>, EngineError>>()?;
        for (new, at) in entities.replaced.iter().enumerate() {
            object[*at] = cursor.value(entities.columns + new, Type::Any)?;
        }
        objects.push(object);
    }
    drop(cursor);
    for object in &objects {
        let mut row = update.execution();
        for value in object {
            bind(&mut row, value)?;
        }
        bind(&mut row, &object[entities.id])?;
        row.run()?;
    }
    Ok(objects.len() as u64)
}
