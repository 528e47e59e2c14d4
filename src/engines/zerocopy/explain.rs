//! Requests in this engine's words.

use crate::plan::schema::{ModelId, Schema};
use crate::plan::{Request, Select};
use crate::sample::Native;

/// What a request does here.
pub fn native(schema: &Schema, request: &Request) -> Native {
    let (verb, model, select) = match request {
        Request::Read(query) => ("deliver", query.model, &query.select),
        Request::Count { model, select } => ("count", *model, select),
        Request::CountPer { model, select, .. } => ("count per value of", *model, select),
        Request::Aggregate { query, .. } => ("aggregate", query.model, &query.select),
        Request::Update { model, select, .. } => ("change", *model, select),
        Request::Delete { model, select } => ("delete", *model, select),
    };
    let name = schema.models.get(model).map_or("?", |m| &m.name);
    let sorted = match request {
        Request::Read(query) if !query.order.is_empty() => ", sorted afterwards",
        _ => "",
    };
    Native {
        text: format!("{verb} {name}{}{sorted}", which(schema, model, select)),
        above: None,
        access: None,
    }
}

fn which(schema: &Schema, model: ModelId, select: &Select) -> String {
    match select {
        Select::All => String::new(),
        Select::Where(_) => " for which the predicate holds".into(),
        Select::Point(field) => {
            let field = schema.models.get(model).and_then(|m| m.fields.get(*field));
            format!(" by {}", field.map_or("?", |f| &f.name))
        }
        Select::Identity => " by row".into(),
    }
}
