//! What runs above the engine, in words.

use super::encoding::Encoding;
use super::program::{Program, selection};
use crate::engines::{EngineError, Setting};
use crate::plan::expr::Expr;
use crate::plan::{CompareOp, Request, Select};

/// How the records of a request are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// One, by its key.
    Key,
    /// All of the model are read.
    Scan,
    /// Their number alone is asked.
    Count,
}

/// How the records of a request are found.
pub fn access(setting: &Setting<'_>, request: &Request) -> Access {
    let (model, select) = selection(request);
    let key = setting.schema.models.get(model).and_then(|m| m.key);
    match select {
        Select::Identity => Access::Key,
        Select::Point(field) if key == Some(*field) => Access::Key,
        Select::Where(predicate)
            if key.is_some_and(|key| super::find::asked_for(predicate, key).is_some()) =>
        {
            Access::Key
        }
        Select::All if matches!(request, Request::Count { .. }) => Access::Count,
        Select::All | Select::Point(_) | Select::Where(_) => Access::Scan,
    }
}

/// What runs above the engine, one line for each thing.
pub fn above(
    setting: &Setting<'_>,
    encoding: Encoding,
    request: &Request,
) -> Result<Option<String>, EngineError> {
    let program = Program::of(setting.schema, encoding, request)?;
    let (model, select) = selection(request);
    let declared = &setting.schema.models[model];
    let mut lines = Vec::new();
    let names = |fields: &super::fields::Fields| {
        let names = fields
            .iter()
            .map(|field| declared.fields[field].name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let fields = |fields: &super::fields::Fields| match encoding {
        _ if fields.is_empty() => None,
        Encoding::Json => Some(format!(
            "its JSON is parsed whole, values made of {}",
            names(fields)
        )),
        Encoding::Binary => Some(format!("decoded: {}", names(fields))),
    };
    let each = match access(setting, request) {
        Access::Count => return Ok(None),
        Access::Key => "the record",
        Access::Scan => "each record",
    };
    if let Some(decoded) = fields(&program.first) {
        lines.push(format!("of {each} {decoded}"));
    }
    match select {
        Select::Where(predicate) => {
            lines.push(
                match predicate {
                    Expr::Compare {
                        op: CompareOp::Equal,
                        ..
                    } => "the comparison is made",
                    _ => "the predicate is evaluated",
                }
                .into(),
            );
        }
        Select::Point(field) if declared.key != Some(*field) => {
            lines.push(format!("{} is compared", declared.fields[*field].name));
        }
        _ => {}
    }
    if let Some(decoded) = fields(&program.then) {
        lines.push(format!("of each record selected {decoded}"));
    }
    let query = match request {
        Request::Read(query) | Request::Aggregate { query, .. } => Some(query),
        _ => None,
    };
    if let Some(query) = query {
        if !query.order.is_empty() {
            lines.push("all selected are kept and sorted".into());
            if let Some(decoded) = fields(&program.shown) {
                lines.push(format!("of each record of the page {decoded}"));
            }
        }
        if query.limit.is_some() || query.offset > 0 {
            lines.push("offset and limit are counted off".into());
        }
    }
    if program.linked.iter().any(|fields| !fields.is_empty()) {
        lines.push("each link on the way is followed by a read of its target".into());
    }
    match request {
        Request::CountPer { .. } => lines.push("groups are counted in a hash map".into()),
        Request::Aggregate { .. } => lines.push("values are aggregated".into()),
        Request::Update { .. } => lines.push("each record is encoded again as a whole".into()),
        Request::Delete { .. } => lines.push(
            "what cascades is gathered by its keys; links to what is gone are found by the \
             back-link, or by a scan of the models that link to it"
                .into(),
        ),
        Request::Read(_) | Request::Count { .. } => {}
    }
    Ok((!lines.is_empty()).then(|| lines.join("; ")))
}
