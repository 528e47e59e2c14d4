//! A list as one SQL value: a JSON array of texts, blobs in hex. For where a
//! statement of its own would have nowhere to go: arguments of hooks, and lists
//! inside lists.

use super::frame::{Context, column};
use super::typed::Type;
use crate::base::Value;
use crate::plan::schema::ModelId;

/// The list of a record; null where an optional list is null.
pub fn value(
    c: &Context<'_>,
    record: &str,
    model: ModelId,
    table: &str,
    marker: Option<&str>,
    ty: Type,
) -> String {
    let alias = c.alias();
    let value = match ty {
        Type::Uuid | Type::Blob => format!("hex({alias}.\"value\")"),
        Type::Float => format!("printf('%!.17g', {alias}.\"value\")"),
        _ => format!("CAST({alias}.\"value\" AS TEXT)"),
    };
    let owner = column(record, &c.layout.tables[model].id);
    let array = format!(
        "(SELECT json_group_array({value} ORDER BY {alias}.\"position\") FROM {table} AS {alias} WHERE {alias}.\"owner\" = {owner})"
    );
    match marker {
        Some(marker) => {
            let marker = column(record, marker);
            format!("CASE WHEN {marker} IS NOT NULL THEN {array} END")
        }
        None => array,
    }
}

/// The elements of such a value.
pub fn elements(json: &str, ty: Type) -> Vec<Value> {
    let texts: Vec<String> = serde_json::from_str(json).unwrap_or_default();
    texts.into_iter().map(|text| element(text, ty)).collect()
}

fn element(text: String, ty: Type) -> Value {
    let int = || text.parse().unwrap_or_default();
    match ty {
        Type::Bool => Value::Bool(text == "1"),
        Type::Int => Value::Int(int()),
        Type::Timestamp => Value::Timestamp(int()),
        Type::Float => Value::Float(text.parse().unwrap_or_default()),
        Type::Json => Value::Json(text),
        Type::Uuid | Type::Blob => {
            let digit = |at: usize| {
                text.get(at..at + 2)
                    .and_then(|d| u8::from_str_radix(d, 16).ok())
            };
            let bytes: Vec<u8> = (0..text.len()).step_by(2).filter_map(digit).collect();
            match (<[u8; 16]>::try_from(bytes.as_slice()), ty) {
                (Ok(uuid), Type::Uuid) => Value::Uuid(uuid),
                _ => Value::Blob(bytes),
            }
        }
        Type::Text | Type::JsonPart | Type::Any => Value::Text(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_comes_back_through_sqlite() {
        let third = 1.0 / 3.0;
        let uuid = [0xab; 16];
        let cases = [
            (
                Type::Int,
                "(-5), (9223372036854775807)",
                vec![Value::Int(-5), Value::Int(i64::MAX)],
            ),
            (Type::Timestamp, "(7)", vec![Value::Timestamp(7)]),
            (
                Type::Bool,
                "(1), (0)",
                vec![Value::Bool(true), Value::Bool(false)],
            ),
            (
                Type::Float,
                "(1.0 / 3.0), (2.0), (-1e300)",
                vec![Value::Float(third), Value::Float(2.0), Value::Float(-1e300)],
            ),
            (
                Type::Text,
                "('a\"b'), ('é'), ('')",
                ["a\"b", "é", ""].map(|t| Value::Text(t.into())).to_vec(),
            ),
            (
                Type::Json,
                "('{\"a\":1}')",
                vec![Value::Json("{\"a\":1}".into())],
            ),
            (
                Type::Blob,
                "(x'01ff'), (x'')",
                vec![Value::Blob(vec![1, 255]), Value::Blob(vec![])],
            ),
            (
                Type::Uuid,
                "(x'abababababababababababababababab')",
                vec![Value::Uuid(uuid)],
            ),
        ];
        let schema = crate::plan::Schema {
            models: vec![crate::plan::Model {
                name: "Note".into(),
                fields: Vec::new(),
                key: None,
                indexes: Vec::new(),
            }],
        };
        let layout = crate::engines::sqlite::layout::Layout::of(&schema);
        for (ty, rows, expected) in cases {
            let c = Context::new(&schema, &layout, &[]);
            let sql = value(&c, "note", 0, "list", None, ty);
            let db = rusqlite::Connection::open_in_memory().unwrap();
            db.execute_batch(&format!(
                "CREATE TABLE note (_id); INSERT INTO note VALUES (1);
                 CREATE TABLE list (position INTEGER PRIMARY KEY, owner DEFAULT 1, value);
                 INSERT INTO list (value) VALUES {rows};"
            ))
            .unwrap();
            let json: String = db
                .query_row(&format!("SELECT {sql} FROM note"), [], |row| row.get(0))
                .unwrap();
            assert_eq!(elements(&json, ty), expected, "{json}");
        }
    }
}
