//! The columns after the steps: memory, the harness's share, answers.

use super::{Column, Group};
use crate::base::units::{format_share, format_size};
use crate::report::model::{Row, Table};
use crate::report::words::state_short;

pub(super) fn groups(table: &Table) -> Vec<Group> {
    let group = |title: &str, note: &str, right: bool, cell: &dyn Fn(&Row) -> String| Group {
        title: title.into(),
        note: note.into(),
        columns: vec![Column::new(
            "",
            right,
            table.rows.iter().map(cell).collect(),
        )],
    };
    let memory = group("peak", "memory", true, &|row| {
        row.peak_bytes
            .map_or_else(String::new, |s| format_size(s.median))
    });
    let harness = group("harness", "at most", true, &|row| {
        row.harness_share.map_or_else(String::new, format_share)
    });
    let answers = group("answers", "", false, &|row| state_short(row).into());
    [memory, harness]
        .into_iter()
        .filter(|group| !group.columns[0].is_empty())
        .chain([answers])
        .collect()
}
