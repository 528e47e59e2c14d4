//! Rows in words.

use crate::base::Value;
use crate::base::units::{format_count, significant};
use crate::plan::{Fidelity, Tier};
use crate::report::model::{Answers, Row, RowState};

/// A value as it stands in a table or title.
pub fn value_words(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => match u64::try_from(*i) {
            Ok(count) => format_count(count),
            Err(_) => format!("-{}", format_count(i.unsigned_abs())),
        },
        Value::Timestamp(ms) => format!("{ms} ms"),
        Value::Float(f) => significant(*f),
        Value::Text(t) | Value::Json(t) => t.clone(),
        Value::Uuid(bytes) => uuid::Uuid::from_bytes(*bytes).to_string(),
        Value::Blob(bytes) => format!("{} bytes", bytes.len()),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(value_words).collect();
            format!("[{}]", items.join(", "))
        }
    }
}

/// `n = 1k, batch = 10`
pub fn point_words(point: &[(String, Value)]) -> String {
    point
        .iter()
        .map(|(axis, value)| format!("{axis} = {}", value_words(value)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// `sqlite (native, T3/T1)`; the tier where it is known and `with_tier`.
pub fn engine_name(row: &Row, with_tier: bool) -> String {
    let fidelity = match row.fidelity {
        Fidelity::Native => "native",
        Fidelity::Model => "model",
        Fidelity::Own => "own",
    };
    match tier_short(row).filter(|_| with_tier) {
        Some(tier) => format!("{} ({fidelity}, {tier})", row.engine),
        None => format!("{} ({fidelity})", row.engine),
    }
}

/// `T3/T1`: declared, and what of it was tested; `T3` where nothing was.
pub fn tier_short(row: &Row) -> Option<String> {
    let declared = row.tier?;
    Some(match row.tested {
        Some(tested) => format!("{declared:?}/{tested:?}"),
        None => format!("{declared:?}"),
    })
}

/// `T3 declared (every acknowledged commit survives power loss), T1 tested`
pub fn tier_long(declared: Tier, tested: Option<Tier>) -> String {
    let words = tier_words(declared);
    match tested {
        Some(Tier::T0) if declared > Tier::T0 => {
            format!("{declared:?} declared ({words}), broken by the kill test")
        }
        Some(tested) if declared >= tested && declared > Tier::T0 => {
            format!("{declared:?} declared ({words}), {tested:?} tested")
        }
        _ => format!("{declared:?} declared ({words})"),
    }
}

/// What a tier promises.
pub fn tier_words(tier: Tier) -> &'static str {
    match tier {
        Tier::T0 => "promises nothing",
        Tier::T1 => "commits survive a kill of the process",
        Tier::T2 => "commits survive power loss up to the last sync or checkpoint",
        Tier::T3 => "every acknowledged commit survives power loss",
    }
}

/// Why a row has no figures (or not all), in a sentence; `None` where all is well.
pub fn state_words(row: &Row) -> Option<String> {
    match &row.state {
        RowState::Measured => None,
        RowState::Partial => Some(format!(
            "{} of {} runs made before the run was stopped",
            row.runs, row.planned_runs
        )),
        RowState::Missing { how } => Some(if how.starts_with("not here") {
            how.clone()
        } else {
            format!("not here yet: {how}")
        }),
        RowState::Skipped { why } => Some(format!("left out: {why}")),
        RowState::NotReached => Some("not reached: the run was stopped before".into()),
        RowState::NotTried { why } => Some(format!("not tried: {why}")),
        RowState::Died {
            step,
            cause,
            message,
        } => {
            let at = step
                .as_ref()
                .map_or_else(|| "before its first step".into(), |s| format!("in {s}"));
            if message.is_empty() || message == cause {
                Some(format!("died {at}: {cause}"))
            } else {
                Some(format!("died {at}: {cause}: {message}"))
            }
        }
        RowState::Void { step, difference } => Some(format!(
            "VOID: {step} answered {difference}; no time counts"
        )),
    }
}

/// The answers column.
pub fn state_short(row: &Row) -> &'static str {
    match (&row.state, row.answers) {
        (RowState::Void { .. }, _) | (_, Answers::Void) => "VOID",
        (RowState::Died { .. }, _) => "died",
        (RowState::Missing { .. }, _) => "not here",
        (RowState::Skipped { .. }, _) => "left out",
        (RowState::NotTried { .. }, _) => "not tried",
        (RowState::NotReached, _) => "not reached",
        (_, Answers::Unchecked) => "unchecked",
        (_, Answers::Ok) if row.steps.iter().any(|s| s.held == Some(false)) => "EXPECT FAILED",
        (_, Answers::Ok) => "ok",
        (_, Answers::None) => "none",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tier_says_what_of_it_was_tested() {
        assert_eq!(
            tier_long(Tier::T3, Some(Tier::T1)),
            "T3 declared (every acknowledged commit survives power loss), T1 tested"
        );
        assert_eq!(
            tier_long(Tier::T1, Some(Tier::T0)),
            "T1 declared (commits survive a kill of the process), broken by the kill test"
        );
        assert_eq!(
            tier_long(Tier::T0, Some(Tier::T1)),
            "T0 declared (promises nothing)"
        );
        assert_eq!(
            tier_long(Tier::T1, None),
            "T1 declared (commits survive a kill of the process)"
        );
    }
}
