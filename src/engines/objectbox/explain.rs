//! A request in the words of ObjectBox's query builder, and what runs above.

mod words;

use super::compile::{Check, Node, TextCheck};
use super::deleting::Along;
use super::layout::{Entity, Layout};
use super::reading::aggregated;
use super::selection::{Access, Selection, asks_for_id};
use super::setup::Setup;
use crate::engines::{EngineError, Setting};
use crate::plan::schema::ModelId;
use crate::plan::{Aggregate, Column, CompareOp, Expr, OrderKey, Query, Request, Select};
use crate::sample::Native;

/// Compiles the request; needs neither library nor store.
pub fn explain(setting: &Setting<'_>, request: &Request) -> Result<Native, EngineError> {
    let setup = Setup::of(setting)?;
    let explaining = Explaining {
        setup: &setup,
        setting,
    };
    Ok(match request {
        Request::Read(query) => explaining.read(query),
        Request::Count { model, select } => {
            let selection = Selection::of(&setup, *model, select, &[]);
            let mut above = explaining.rest(&selection);
            let verb = match (&selection.access, above.is_empty()) {
                (Access::Query(_) | Access::Scan, true) => "count",
                _ => "find",
            };
            if verb == "find" && !above.is_empty() {
                above.push("what is left is counted".into());
            }
            explaining.native(&selection, verb, above)
        }
        Request::CountPer { model, select, per } => {
            let selection = Selection::of(&setup, *model, select, &[]);
            let mut above = explaining.rest(&selection);
            above.push(format!("records are counted per {}", per.text));
            explaining.native(&selection, "find", above)
        }
        Request::Aggregate {
            query,
            function,
            of,
        } => explaining.aggregate(query, *function, of),
        Request::Update { model, select, .. } => {
            let selection = Selection::of(&setup, *model, select, &[]);
            let mut above = explaining.rest(&selection);
            above.push("each object is changed by the app and put again, one by one".into());
            let mut native = explaining.native(&selection, "find", above);
            native.text.push_str(", then put");
            native
        }
        Request::Delete { model, select } => explaining.delete(*model, select),
    })
}

struct Explaining<'a> {
    setup: &'a Setup,
    setting: &'a Setting<'a>,
}

impl Explaining<'_> {
    fn layout(&self) -> &Layout {
        &self.setup.layout
    }

    fn read(&self, query: &Query) -> Native {
        let selection = Selection::of(self.setup, query.model, &query.select, &query.order);
        let mut above = self.rest(&selection);
        self.page(query, &selection, &mut above);
        above.extend(self.columns(query));
        let verb = match (&selection.access, query.limit, query.offset) {
            (Access::Query(_), None, 0) => "find".to_owned(),
            (Access::Query(_), limit, offset)
                if selection.rest.is_none() && selection.order.is_some() && limit != Some(0) =>
            {
                format!("offset {offset} limit {}, find", limit.unwrap_or(0))
            }
            _ => "find".to_owned(),
        };
        self.native(&selection, &verb, above)
    }

    fn page(&self, query: &Query, selection: &Selection, above: &mut Vec<String>) {
        if selection.order.is_none() {
            above.push(format!("matches are sorted by {}", ordered(&query.order)));
        }
        let paged = matches!(selection.access, Access::Query(_))
            && selection.rest.is_none()
            && selection.order.is_some();
        if (query.limit.is_some() || query.offset > 0) && !paged {
            above.push("offset and limit are applied".into());
        }
    }

    /// Columns that lie outside the object.
    fn columns(&self, query: &Query) -> Option<String> {
        let far: Vec<&str> = query
            .columns
            .iter()
            .filter_map(|column| match column {
                Column::Path(path) if path.hops.len() > 1 || !path.json.is_empty() => {
                    Some(path.text.as_str())
                }
                _ => None,
            })
            .collect();
        (!far.is_empty()).then(|| format!("{} got from each record by itself", is_or_are(&far)))
    }

    fn aggregate(&self, query: &Query, function: Aggregate, of: &Expr) -> Native {
        let mut selection = Selection::of(self.setup, query.model, &query.select, &query.order);
        let mut above = self.rest(&selection);
        let property = aggregated(self.setup, query, function, of);
        let verb = match (property, above.is_empty()) {
            (Some(_), true)
                if !matches!(
                    selection.access,
                    Access::Identity | Access::Key | Access::Ids(_)
                ) =>
            {
                if selection.access == Access::Scan {
                    selection.access = Access::Query(Node::default());
                }
                let function = match function {
                    Aggregate::Sum => "sum",
                    Aggregate::Average => "avg",
                    Aggregate::Min => "min",
                    Aggregate::Max => "max",
                };
                format!("property query {function}")
            }
            _ => {
                self.page(query, &selection, &mut above);
                above.push("the value is aggregated from the records".into());
                "find".to_owned()
            }
        };
        self.native(&selection, &verb, above)
    }

    fn delete(&self, model: ModelId, select: &Select) -> Native {
        let selection = Selection::of(self.setup, model, select, &[]);
        let along = Along::of(&self.setup.schema, self.layout(), model);
        let mut above = self.rest(&selection);
        if along.cascades {
            above.push(
                "there is no cascade: what goes along is gathered by the app and removed one by one"
                    .into(),
            );
        }
        if along.required {
            above.push("that no required link is lost is looked up before".into());
        }
        let simple = above.is_empty();
        let verb = match &selection.access {
            Access::Query(_) if simple => "remove",
            Access::Scan if simple => "remove all",
            _ => "find, then remove each",
        };
        self.native(&selection, verb, above)
    }

    /// What is asked of each candidate.
    fn rest(&self, selection: &Selection) -> Vec<String> {
        let Some(rest) = &selection.rest else {
            return Vec::new();
        };
        let words = words::expression(rest, self.setting);
        vec![format!("of each record found: {words}")]
    }

    fn native(&self, selection: &Selection, verb: &str, above: Vec<String>) -> Native {
        let entity = &self.layout().entities[selection.model];
        let (text, access) = match &selection.access {
            Access::Nothing => ("nothing is asked: nothing can match".to_owned(), None),
            Access::Scan if verb == "find" => (
                format!("cursor over {}", entity.name),
                Some("all objects by id".to_owned()),
            ),
            Access::Scan => (
                format!("box {}: {verb}", entity.name),
                Some("all objects".to_owned()),
            ),
            Access::Identity | Access::Key => (
                format!("box {}: get by id", entity.name),
                Some("the id".to_owned()),
            ),
            Access::Ids(ids) => (
                format!("box {}: get by id, {} of them", entity.name, ids.len()),
                Some("the ids".to_owned()),
            ),
            Access::Query(node) if asks_for_id(node) => (
                format!("box {}: get by the id of the argument", entity.name),
                Some("the id".to_owned()),
            ),
            Access::Query(node) => {
                let mut text = format!("query {}", entity.name);
                text.push_str(&words::node(self.layout(), selection.model, node));
                if let Some(order) = selection.order.as_ref().filter(|order| !order.is_empty()) {
                    text.push_str(&words::order(entity, order));
                }
                (
                    format!("{text}: {verb}"),
                    self.access(selection.model, node),
                )
            }
        };
        Native {
            text,
            above: (!above.is_empty()).then(|| above.join("; ")),
            access,
        }
    }

    /// Which index can help: ObjectBox itself does not tell.
    fn access(&self, model: ModelId, node: &Node) -> Option<String> {
        let mut told = Vec::new();
        node.for_each_test(model, &mut |model, test| {
            let entity: &Entity = &self.layout().entities[model];
            let property = &entity.properties[test.property];
            if !property.indexed {
                return;
            }
            let index = super::layout::model::described(entity, property);
            told.push(match &test.check {
                Check::Text(TextCheck::Compare(CompareOp::Equal), _, true)
                | Check::Texts(_, true)
                | Check::Int(CompareOp::Equal, _)
                | Check::Ints(_) => format!("{index} can find it"),
                Check::Text(_, _, false) | Check::Texts(_, false) => {
                    format!("{index} is of no use to a case-insensitive condition")
                }
                _ => format!("{index} may help"),
            });
        });
        match told.is_empty() {
            true => Some("every object is looked at".into()),
            false => Some(told.join("; ")),
        }
    }
}

fn ordered(order: &[OrderKey]) -> String {
    let keys = order.iter().map(|key| {
        let descending = if key.descending { " desc" } else { "" };
        format!("{}{descending}", key.path.text)
    });
    keys.collect::<Vec<_>>().join(", ")
}

fn is_or_are(names: &[&str]) -> String {
    match names {
        [one] => format!("{one} is"),
        many => format!("{} are", many.join(", ")),
    }
}
