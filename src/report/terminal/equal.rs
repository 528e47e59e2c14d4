//! Whether the rows did equal work: read depth, transactions, options,
//! indexes really there, durability.

use std::collections::BTreeMap;

use super::Style;
use super::foreign;
use super::wrap::wrap;
use crate::report::model::{Report, Row, RowState};
use crate::report::words::{tier_long, value_words};

pub(super) fn equal(report: &Report, trial: &str, style: Style, out: &mut String) {
    let tables: Vec<_> = report.tables.iter().filter(|t| t.trial == trial).collect();
    let Some(first) = tables.first() else {
        return;
    };
    out.push_str("\nWhat was done\n");
    let widest = first
        .steps
        .iter()
        .map(|s| s.label.chars().count())
        .max()
        .unwrap_or(0);
    for step in &first.steps {
        let mut text = strip_label(&step.text, &step.label).to_owned();
        // A transaction that is written in the step need not be said again.
        if let Some(transaction) = step.transaction.as_ref().filter(|t| !text.contains(*t)) {
            text.push_str(&format!("  [{transaction}]"));
        }
        if let Some(depth) = step.depth.as_ref().filter(|_| !text.contains("touching")) {
            text.push_str(&format!("  [reads {depth}]"));
        }
        let line = format!("  {:widest$}  {text}", step.label);
        wrap(&line, widest + 6, style.width, out);
    }
    let rows: Vec<&Row> = tables
        .iter()
        .flat_map(|t| &t.rows)
        .filter(|row| !matches!(row.state, RowState::Missing { .. }))
        .collect();
    for line in engines(&rows).into_iter().chain(foreign::lines(&tables)) {
        wrap(&format!("  {line}"), 6, style.width, out);
    }
}

/// One line per engine and set of facts about it.
fn engines(rows: &[&Row]) -> Vec<String> {
    let mut lines: Vec<(String, BTreeMap<String, ()>)> = Vec::new();
    for row in rows {
        if row.indexes.is_empty() && row.runs == 0 {
            continue;
        }
        let indexes = if row.indexes.is_empty() {
            "no index".to_owned()
        } else {
            format!("indexes {}", row.indexes.join("; "))
        };
        let line = (row.engine.as_str(), indexes);
        let entry = format!("{}: {}", line.0, line.1);
        let facts = match lines.iter_mut().find(|(known, _)| *known == entry) {
            Some((_, facts)) => facts,
            None => {
                lines.push((entry, BTreeMap::new()));
                &mut lines.last_mut().expect("just pushed").1
            }
        };
        if let Some(tier) = row.tier {
            facts.insert(tier_long(tier, row.tested), ());
        }
        if !row.options.is_empty() {
            let options: Vec<String> = row
                .options
                .iter()
                .map(|(name, value)| format!("{name} {}", value_words(value)))
                .collect();
            facts.insert(format!("options {}", options.join(", ")), ());
        }
    }
    lines
        .into_iter()
        .map(|(entry, facts)| {
            // Options that an axis varies stand in the table already.
            let few: Vec<String> = facts.into_keys().collect();
            if few.len() <= 3 && !few.is_empty() {
                format!("{entry}; {}", few.join("; "))
            } else {
                entry
            }
        })
        .collect()
}

/// The step's text without the label that stands before it already.
fn strip_label<'t>(text: &'t str, label: &str) -> &'t str {
    text.strip_prefix(label)
        .and_then(|rest| rest.trim_start().strip_prefix(':'))
        .map_or(text, str::trim_start)
}
