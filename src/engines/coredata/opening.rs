//! Opening a store, and creating it.

use std::path::Path;

use rusqlite::Connection;

use super::ddl;
use super::entity::Entities;
use super::layer::Layer;
use super::options::with_defaults;
use crate::engines::sqlite::sql::names::text;
use crate::engines::sqlite::{functions, options};
use crate::engines::{EngineError, Options};
use crate::plan::schema::Schema;

/// Name of the store's main file.
pub const FILE: &str = "store.sqlite";

/// Opens the store in `directory` under these options.
pub fn open(
    directory: &Path,
    schema: &Schema,
    entities: &Entities,
    given: &Options,
    layer: Option<&dyn Layer>,
) -> Result<Connection, EngineError> {
    let connection = Connection::open(directory.join(FILE))?;
    options::apply(&connection, &with_defaults(given))?;
    functions::register(&connection)?;
    let there: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get(0))?;
    if there == 0 {
        create(&connection, schema, entities, layer)?;
    }
    Ok(connection)
}

/// Creates tables, indexes and the first rows, in one transaction.
pub fn create(
    connection: &Connection,
    schema: &Schema,
    entities: &Entities,
    layer: Option<&dyn Layer>,
) -> Result<(), EngineError> {
    let mut statements = ddl::statements(schema, entities);
    for (number, name) in ddl::rows(entities) {
        statements.push(format!(
            "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES ({number}, {}, 0, 0)",
            text(name)
        ));
    }
    statements.push(
        "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, '00000000-0000-4000-8000-000000000000', x'')".into(),
    );
    statements.push("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (x'')".into());
    statements.extend(layer.map(Layer::tables).unwrap_or_default());
    let statements = statements.join(";\n");
    connection.execute_batch(&format!("BEGIN EXCLUSIVE;\n{statements};\nCOMMIT"))?;
    Ok(())
}
