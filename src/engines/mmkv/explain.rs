//! A request in MMKV's calls.

use super::options::Chosen;
use crate::engines::records::{self, Access, Encoding};
use crate::engines::{EngineError, Setting};
use crate::plan::Request;
use crate::plan::schema::ModelId;
use crate::sample::Native;

/// The calls that a request is, and what runs above them.
pub fn explain(setting: &Setting<'_>, request: &Request) -> Result<Native, EngineError> {
    let chosen = Chosen::of(setting.options)?;
    let model = model_of(request);
    let name = setting.schema.models.get(model).map_or("?", |m| &m.name);
    let access = records::access(setting, request);
    let mut text = match access {
        Access::Key => format!("{name}.getBytes(key)"),
        Access::Scan => format!("for key in {name}.allKeys() {{ {name}.writeValueToBuffer(key) }}"),
        Access::Count => format!("{name}.count()"),
    };
    let form = match chosen.encoding {
        Encoding::Json => "JSON",
        Encoding::Binary => "compact binary",
    };
    match request {
        Request::Update { .. } => text.push_str(&format!(
            "\nat commit, for each record: {name}.set(key, the record as {form})"
        )),
        Request::Delete { .. } => text.push_str(&format!(
            "\nat commit, for each record: {name}.removeValueForKey(key)"
        )),
        _ => {}
    }
    let mut above = records::above(setting, chosen.encoding, request)?;
    if matches!(request, Request::Update { .. } | Request::Delete { .. }) {
        let buffered = "MMKV has no transactions: writes wait in memory and are made one by one \
                        at commit, and a kill in the middle leaves those made so far";
        above = Some(match above {
            Some(above) => format!("{above}; {buffered}"),
            None => buffered.into(),
        });
    }
    Ok(Native {
        text,
        above,
        access: Some(
            match access {
                Access::Key => "one look-up in MMKV's hash map of keys",
                Access::Scan => "all keys are listed, all values read",
                Access::Count => "MMKV's own count of keys",
            }
            .into(),
        ),
    })
}

fn model_of(request: &Request) -> ModelId {
    match request {
        Request::Read(query) | Request::Aggregate { query, .. } => query.model,
        Request::Count { model, .. }
        | Request::CountPer { model, .. }
        | Request::Update { model, .. }
        | Request::Delete { model, .. } => *model,
    }
}
