//! A report as CSV: one line per row and step, plain numbers, units in the names.

use super::model::{Figures, Report, Row, Table};
use super::words::{state_short, value_words};
use crate::base::Value;
use crate::stats::Summary;

/// Columns, in order; axes follow `engine`, as many as the experiment has.
const FACTS: [&str; 3] = ["kind", "fidelity", "tier"];
const FIGURES: [&str; 22] = [
    "step",
    "state",
    "runs",
    "wall_ns_median",
    "wall_ns_min",
    "wall_ns_max",
    "ratio",
    "cpu_ns_median",
    "hook_ns_median",
    "decode_ns_median",
    "peak_bytes_median",
    "allocated_bytes_median",
    "apparent_bytes_median",
    "read_bytes_median",
    "written_bytes_median",
    "logical_bytes",
    "operations",
    "commits",
    "objects",
    "count",
    "harness_share",
    "remark",
];

/// The whole report, with a line of names first; lines end in `\n`.
pub fn render(report: &Report) -> String {
    let mut axes: Vec<&str> = Vec::new();
    for row in report.tables.iter().flat_map(|t| &t.rows) {
        for (axis, _) in &row.point {
            if !axes.contains(&axis.as_str()) {
                axes.push(axis);
            }
        }
    }
    let mut out = String::new();
    let names = ["trial", "engine"]
        .into_iter()
        .chain(axes.iter().copied())
        .chain(FACTS)
        .chain(FIGURES);
    line(names.map(str::to_owned), &mut out);
    for table in &report.tables {
        for row in &table.rows {
            for figures in &row.steps {
                line(cells(table, row, figures, &axes), &mut out);
            }
        }
    }
    out
}

fn cells(table: &Table, row: &Row, figures: &Figures, axes: &[&str]) -> Vec<String> {
    let mut cells = vec![table.trial.clone(), row.engine.clone()];
    cells.extend(axes.iter().map(|axis| {
        row.point
            .iter()
            .find(|(name, _)| name == axis)
            .map_or_else(String::new, |(_, value)| plain(value))
    }));
    cells.push(row.kind.clone());
    cells.push(format!("{:?}", row.fidelity).to_lowercase());
    cells.push(
        row.tier
            .map_or_else(String::new, |tier| format!("{tier:?}")),
    );
    let median = |summary: Option<Summary>| number(summary.map(|s| s.median));
    let whole = |value: Option<u64>| value.map_or_else(String::new, |v| v.to_string());
    cells.extend([
        figures.step.clone(),
        state_short(row).to_lowercase(),
        row.runs.to_string(),
        median(figures.wall_ns),
        number(figures.wall_ns.map(|s| s.min)),
        number(figures.wall_ns.map(|s| s.max)),
        number(figures.ratio),
        median(figures.cpu_ns),
        median(figures.hook_ns),
        median(figures.decode_ns),
        median(figures.peak_bytes),
        median(figures.allocated_bytes),
        median(figures.apparent_bytes),
        median(figures.read_bytes),
        median(figures.written_bytes),
        whole(figures.logical_bytes),
        whole(figures.operations),
        whole(figures.commits),
        whole(figures.objects),
        whole(figures.count),
        number(figures.harness_share),
        figures
            .absent
            .clone()
            .or_else(|| super::words::state_words(row))
            .unwrap_or_default(),
    ]);
    cells
}

/// A value without grouping or suffix: for machines.
fn plain(value: &Value) -> String {
    match value {
        Value::Int(i) => i.to_string(),
        Value::Float(f) => f.to_string(),
        other => value_words(other),
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |v| v.to_string())
}

/// One line; cells with a comma, quote or line break are quoted (RFC 4180).
fn line(cells: impl IntoIterator<Item = String>, out: &mut String) {
    for (at, cell) in cells.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            out.push('"');
            out.push_str(&cell.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(&cell);
        }
    }
    out.push('\n');
}
