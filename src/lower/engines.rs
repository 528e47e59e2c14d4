//! Rows of the comparison.

use crate::check::model::EngineDef;
use crate::diagnostics::Diagnostic;
use crate::engines::registry::{self, Known};
use crate::engines::{Options, tested};
use crate::plan::{EngineRow, Expr, Fidelity, Tier};

use super::fold::{Names, fold};
use super::names::{NameSet, of_expr};

/// The row of an engine as the whole experiment sees it.
///
/// Options that an axis decides stand there by the axis's name; the tier is
/// then left to each job.
pub fn row(engine: &EngineDef, params: &Names) -> Result<EngineRow, Diagnostic> {
    let mut options = Options::new();
    let mut open = false;
    for (name, value) in &engine.options {
        let mut named = NameSet::new();
        of_expr(value, &mut named);
        let fixed = named.iter().all(|name| params.contains_key(name));
        let value = match value {
            Expr::Name(axis) if !fixed => crate::base::Value::Text(axis.clone()),
            value if fixed => fold(value, params)?,
            _ => crate::base::Value::Null,
        };
        open |= !fixed;
        options.insert(name.clone(), value);
    }
    let (fidelity, version, missing, tested) = match registry::find(&engine.kind) {
        Some(Known::Adapter(here)) => {
            let missing = here.presence().missing();
            let version = missing.is_none().then(|| here.version());
            (here.fidelity(), version, missing, tested::tier(here))
        }
        Some(Known::Missing(missing)) => {
            (missing.fidelity, None, Some(missing.how.to_owned()), None)
        }
        None => (
            Fidelity::Native,
            None,
            Some(format!("no engine is called `{}`", engine.kind)),
            None,
        ),
    };
    Ok(EngineRow {
        label: engine.label.clone(),
        kind: engine.kind.clone(),
        tier: if open { None } else { tier(engine, &options) },
        tested,
        options,
        fidelity,
        version,
        missing,
    })
}

/// Options of an engine at one point.
pub fn options_at(engine: &EngineDef, names: &Names) -> Result<Options, Diagnostic> {
    let options = engine
        .options
        .iter()
        .map(|(name, value)| Ok((name.clone(), fold(value, names)?)));
    options.collect()
}

/// Durability promised under these options; `None` where the engine is not here.
pub fn tier(engine: &EngineDef, options: &Options) -> Option<Tier> {
    match registry::find(&engine.kind) {
        Some(Known::Adapter(here)) => Some(here.tier(options)),
        Some(Known::Missing(_)) | None => None,
    }
}
