//! The columns that name a row.

use std::collections::BTreeMap;

use super::Column;
use crate::plan::Tier;
use crate::report::model::{RowState, Table};
use crate::report::words::{engine_name, tier_short, value_words};

/// Key columns, and the engine where it stands above the table instead.
pub(super) fn keys(table: &Table) -> (Vec<Column>, Option<String>) {
    let varies = tier_varies(table);
    let names: Vec<String> = table
        .rows
        .iter()
        // A row that is not here promises nothing yet.
        .map(|row| {
            engine_name(
                row,
                !varies && !matches!(row.state, RowState::Missing { .. }),
            )
        })
        .collect();
    let one_engine = names.windows(2).all(|pair| pair[0] == pair[1]);
    let shared = (one_engine && !table.axes.is_empty())
        .then(|| names.first().cloned())
        .flatten();
    let mut columns = Vec::new();
    if shared.is_none() {
        columns.push(Column::new("engine", false, names));
    }
    for axis in &table.axes {
        let values: Vec<Option<&crate::base::Value>> = table
            .rows
            .iter()
            .map(|row| row.point.iter().find(|(a, _)| a == axis).map(|(_, v)| v))
            .collect();
        let numbers = values.iter().flatten().all(|value| {
            matches!(
                value,
                crate::base::Value::Int(_) | crate::base::Value::Float(_)
            )
        });
        let cells = values
            .iter()
            .map(|value| value.map_or_else(|| "–".into(), value_words))
            .collect();
        columns.push(Column::new(axis, numbers, cells));
    }
    if varies {
        let tiers = table
            .rows
            .iter()
            .map(|row| tier_short(row).unwrap_or_default());
        columns.push(Column::new("tier", false, tiers.collect()));
    }
    (columns, shared)
}

/// Whether rows of one engine have different tiers, so that its name cannot carry them.
fn tier_varies(table: &Table) -> bool {
    let mut of: BTreeMap<&str, Option<Tier>> = BTreeMap::new();
    table
        .rows
        .iter()
        .any(|row| *of.entry(&row.engine).or_insert(row.tier) != row.tier)
}
