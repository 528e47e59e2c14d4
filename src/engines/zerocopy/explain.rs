//! Requests in this engine's words.

use super::catalog::Catalog;
use super::layout::IndexLayout;
use super::plan::{self, Access, SCAN_BEYOND};
use crate::plan::schema::{ModelId, Schema};
use crate::plan::{Expr, Query, Request, Select};
use crate::sample::Native;

/// What a request does here.
pub fn native(schema: &Schema, request: &Request) -> Native {
    let catalog = Catalog::new(schema.clone());
    let (verb, model, select, query) = match request {
        Request::Read(query) => ("deliver", query.model, &query.select, Some(query)),
        Request::Count { model, select } => ("count", *model, select, None),
        Request::CountPer { model, select, .. } => ("count per value of", *model, select, None),
        Request::Aggregate { query, .. } => ("aggregate", query.model, &query.select, Some(query)),
        Request::Update { model, select, .. } => ("change", *model, select, None),
        Request::Delete { model, select } => ("delete", *model, select, None),
    };
    let name = schema.models.get(model).map_or("?", |model| &model.name);
    let paged = query.and_then(|query| by_index(&catalog, query));
    let sorted = match query {
        Some(query) if !query.order.is_empty() && paged.is_none() => ", sorted afterwards",
        _ => "",
    };
    let access = match (paged, catalog.has(model)) {
        (Some(words), _) => words,
        (None, true) => access(&catalog, model, select),
        (None, false) => "no such model".into(),
    };
    Native {
        text: format!("{verb} {name}{}{sorted}", which(schema, model, select)),
        above: None,
        access: Some(access),
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

/// The words for a page that an index has in its order.
fn by_index(catalog: &Catalog, query: &Query) -> Option<String> {
    query.limit?;
    if !catalog.has(query.model) {
        return None;
    }
    let (access, backwards) = plan::page(catalog, query.model, &query.select, &query.order)?;
    let way = if backwards { "backwards" } else { "forwards" };
    Some(format!(
        "reads tree {} {way} from its place on{}",
        access.index.name,
        equal(&access)
    ))
}

fn equal(access: &Access<'_>) -> String {
    match access.equal.len() {
        0 => String::new(),
        1 => " (1 column equal)".into(),
        columns => format!(" ({columns} columns equal)"),
    }
}

fn access(catalog: &Catalog, model: ModelId, select: &Select) -> String {
    match select {
        Select::All => "walks the clusters".into(),
        Select::Identity => "descends the directory to the row".into(),
        Select::Point(field) => match plan::point(catalog, model, *field) {
            Some(index) => sought(index),
            None => "scans the column, block by block".into(),
        },
        Select::Where(predicate) => {
            let scan = scan(predicate);
            match plan::access(catalog, model, predicate) {
                Some(access) => format!(
                    "seeks tree {}{}{}; {scan} where more than one record in {SCAN_BEYOND} is found",
                    access.index.name,
                    equal(&access),
                    if access.range.is_some() {
                        " and a range"
                    } else {
                        ""
                    },
                ),
                None => scan.into(),
            }
        }
    }
}

fn sought(index: &IndexLayout) -> String {
    format!("seeks tree {}", index.name)
}

fn scan(predicate: &Expr) -> &'static str {
    let mut links = false;
    let mut each = false;
    look(predicate, &mut links, &mut each);
    match (links, each) {
        (false, false) => "scans columns, block by block",
        (true, false) => "scans columns, block by block, and those of linked records before them",
        (_, true) => "scans columns where it can and evaluates the rest record by record",
    }
}

/// Whether a predicate follows links, and whether parts of it need whole records.
fn look(predicate: &Expr, links: &mut bool, each: &mut bool) {
    match predicate {
        Expr::And(parts) | Expr::Or(parts) => {
            parts.iter().for_each(|part| look(part, links, each));
        }
        Expr::Not(inner) | Expr::IsNull(inner) => look(inner, links, each),
        Expr::Path(path) => {
            *links |= path.hops.len() > 1;
            *each |= !path.json.is_empty();
        }
        Expr::Literal(_) | Expr::Arg(_) => {}
        Expr::Compare { left, right, .. } => {
            let is_path = |side: &Expr| usize::from(matches!(side, Expr::Path(_)));
            let paths = is_path(left) + is_path(right);
            *each |= paths != 1;
            look(left, links, each);
            look(right, links, each);
        }
        Expr::In { needle, .. } => look(needle, links, each),
        Expr::Between { value, .. } | Expr::TextMatch { value, .. } => look(value, links, each),
        Expr::Quantified {
            over, predicate, ..
        } => {
            *links = true;
            *each |= over.hops.len() != 1;
            look(predicate, links, each);
        }
        _ => *each = true,
    }
}
