//! The answer at first sight, where a table is long: best and worst row per step.

use super::Style;
use super::wrap::wrap;
use crate::base::units::{format_size, format_time, significant};
use crate::report::model::{Measure, Row, Table};
use crate::report::words::value_words;

/// Rows above which a table does not speak for itself.
pub(super) const LONG: usize = 6;
/// A worst row nearer to the best than this is no worse.
const ALIKE: f64 = 1.005;

pub(super) fn glance(table: &Table, style: Style, out: &mut String) {
    let ranked: Vec<(usize, Vec<(&Row, f64)>)> = (0..table.steps.len())
        .map(|step| (step, ranked(table, step)))
        .filter(|(_, rows)| rows.len() > LONG)
        .collect();
    for (step, rows) in ranked {
        let line = &table.steps[step];
        let (Some((best, _)), Some((worst, ratio))) = (rows.first(), rows.last()) else {
            continue;
        };
        if *ratio < ALIKE {
            continue;
        }
        let figures = &best.steps[step];
        let (word, figure) = match line.measure {
            Measure::Size => (
                "smallest",
                figures.allocated_bytes.map(|s| format_size(s.median)),
            ),
            _ => ("fastest", figures.wall_ns.map(|s| format_time(s.median))),
        };
        wrap(
            &format!(
                "  {}: {word} {} with {}; at most ×{} with {}",
                line.label,
                figure.unwrap_or_default(),
                name(table, best),
                significant(*ratio),
                name(table, worst)
            ),
            6,
            style.width,
            out,
        );
    }
}

/// Rows with a ratio, best first.
fn ranked(table: &Table, step: usize) -> Vec<(&Row, f64)> {
    let mut rows: Vec<(&Row, f64)> = table
        .rows
        .iter()
        .filter_map(|row| Some((row, row.steps.get(step)?.ratio?)))
        .collect();
    rows.sort_by(|a, b| a.1.total_cmp(&b.1));
    rows
}

/// `sqlite, journal wal, sync off`
fn name(table: &Table, row: &Row) -> String {
    let engines = table.rows.iter().any(|other| other.engine != row.engine);
    let axes = table.axes.iter().filter_map(|axis| {
        let (_, value) = row.point.iter().find(|(a, _)| a == axis)?;
        Some(format!("{axis} {}", value_words(value)))
    });
    engines
        .then(|| row.engine.clone())
        .into_iter()
        .chain(axes)
        .collect::<Vec<_>>()
        .join(", ")
}
