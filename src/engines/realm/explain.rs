//! A request in Realm's words, and what runs above it. Needs no library.

use super::layout::{Class, Holds, Key, Layout};
use super::options::Chosen;
use super::query::slot::Operand;
use super::query::tail::Tail;
use super::query::{Access, Filter, Selection};
use super::read::aggregate::natively;
use super::write::delete::Care;
use crate::base::Value;
use crate::engines::Setting;
use crate::plan::schema::ModelId;
use crate::plan::{Query, Request, Select};
use crate::sample::Native;

/// What a request does.
pub fn explain(setting: &Setting<'_>, request: &Request) -> Native {
    let layout = Layout::of(setting.schema, Chosen::of(setting.options).embedded);
    let plain = |model: &ModelId, select: &Select| {
        Selection::of(&layout, *model, select, Tail::default(), None)
    };
    let ordered = |query: &Query| {
        let tail = Tail::of(&layout, query);
        Selection::of(&layout, query.model, &query.select, tail, None)
    };
    let mut above = Vec::new();
    let (selection, then) = match request {
        Request::Read(query) => (ordered(query), "realm_get_values of each"),
        Request::Count { model, select } => (plain(model, select), "counted"),
        Request::CountPer { model, select, .. } => {
            above.push("Realm has no grouping: each object is read and counted".to_owned());
            (plain(model, select), "realm_get_values of each")
        }
        Request::Aggregate {
            query,
            function,
            of,
        } => {
            let selection = ordered(query);
            let page = query.limit.is_some() || query.offset > 0;
            let native = natively(&layout, query.model, *function, of).is_some();
            if native && !page && selection.above.is_none() {
                (selection, "aggregated by Realm")
            } else {
                above.push("the values are read and aggregated one by one".to_owned());
                (selection, "realm_get_values of each")
            }
        }
        Request::Update { model, select, .. } => {
            above.push("matches are read, changed and written one by one, over a snapshot".into());
            if !layout.classes[*model].watched.is_empty() {
                above.push("unique fields are looked up before they are set".into());
            }
            (plain(model, select), "realm_set_values of each")
        }
        Request::Delete { model, select } => {
            let care = Care::of(&layout, setting.schema, *model);
            let selection = plain(model, select);
            let each = care.needed || selection.above.is_some();
            above.extend(care.words);
            let then = if each {
                "realm_object_delete of each"
            } else {
                "realm_results_delete_all"
            };
            (selection, then)
        }
    };
    let order = match request {
        Request::Read(query) | Request::Aggregate { query, .. } => &query.order,
        _ => &Vec::new(),
    };
    if selection.above.is_some() {
        above.insert(
            0,
            "part of the condition is decided on the objects found".into(),
        );
    }
    if selection.tail.sorted_above && !order.is_empty() {
        above.push(
            "the order is made above: Realm's own of texts is a collation, and it puts null links last"
                .into(),
        );
    }
    let class = &layout.classes[selection.model];
    Native {
        text: format!(
            "{}: {}; {then}",
            class.name,
            asked(class, &selection.access)
        ),
        above: (!above.is_empty()).then(|| above.join("; ")),
        access: Some(access(class, &selection.access)),
    }
}

/// The question, with constants in their places.
fn asked(class: &Class, access: &Access) -> String {
    match access {
        Access::All => "all objects".into(),
        Access::Identity => "realm_get_object by object key".into(),
        Access::Key => match &class.key {
            Key::Field(field) => format!(
                "realm_object_find_with_primary_key by {}",
                class.properties[*field].name
            ),
            _ => "realm_object_find_with_primary_key".into(),
        },
        Access::Nothing => "nothing".into(),
        Access::Query(filter) => spelled(filter),
    }
}

fn spelled(filter: &Filter) -> String {
    let mut text = filter.text.clone();
    // From the last on, so that `$1` does not meet `$10`.
    for (at, slot) in filter.slots.iter().enumerate().rev() {
        let value = match &slot.operand {
            Operand::Literal(value) => literal(value),
            Operand::Argument(argument) => format!("<argument {argument}>"),
        };
        text = text.replace(&format!("${at}"), &value);
    }
    text
}

fn literal(value: &Value) -> String {
    match value {
        Value::Text(text) | Value::Json(text) => format!("{text:?}"),
        Value::Int(int) => int.to_string(),
        Value::Float(float) => format!("{float:?}"),
        Value::Bool(value) => value.to_string(),
        Value::Timestamp(ms) => format!("T{}:{}", ms / 1000, ms % 1000 * 1_000_000),
        Value::Uuid(uuid) => format!("uuid({})", uuid::Uuid::from_bytes(*uuid)),
        Value::Blob(bytes) => format!("<{} bytes>", bytes.len()),
        Value::Null => "NULL".into(),
        Value::List(_) => "<a list>".into(),
    }
}

/// How the objects are found. Realm tells nothing of this itself; it follows
/// from what its query engine does with equality on indexed properties.
fn access(class: &Class, access: &Access) -> String {
    match access {
        Access::All => format!("every object of {}", class.name),
        Access::Identity => "object key".into(),
        Access::Key => "primary key".into(),
        Access::Nothing => "nothing".into(),
        Access::Query(filter) => {
            let indexed = class
                .properties
                .iter()
                .enumerate()
                .filter(|(at, property)| {
                    matches!(property.holds, Holds::Scalar(_))
                        && (property.index.is_some() || class.key == Key::Field(*at))
                });
            let mut used = indexed.filter(|(_, property)| {
                let equality = format!("{} == ", property.name);
                filter.text.starts_with(&equality)
                    || filter.text.contains(&format!(" AND {equality}"))
            });
            match used.next() {
                Some((_, property)) => {
                    format!("search index {}.{}", class.name, property.name)
                }
                None => format!("scan of {}", class.name),
            }
        }
    }
}
