//! A report for a terminal: plain lines, never wider than it is.

mod claims;
mod comfy;
mod draw;
mod effects;
mod equal;
mod foreign;
mod glance;
mod split;
mod wrap;

use super::model::{Report, Table};
use super::words::{legend, point_words};
use crate::base::units::format_count;

pub use wrap::wrap;

/// Width where there is no terminal.
pub const DEFAULT_WIDTH: usize = 100;

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether the best and the void are coloured; nothing depends on it.
    pub colour: bool,
}

/// The whole report.
pub fn render(report: &Report, style: Style) -> String {
    let mut out = String::new();
    heading(report, style, &mut out);
    let mut trial = "";
    for (at, table) in report.tables.iter().enumerate() {
        out.push('\n');
        out.push_str(&title(table));
        out.push('\n');
        glance::glance(table, style, &mut out);
        draw::draw(table, style, &mut out);
        let signs = legend(table);
        if !signs.is_empty() {
            wrap(&signs.join("; "), 2, style.width, &mut out);
        }
        effects::effects(table, style, &mut out);
        trial = &table.trial;
        let last = report
            .tables
            .get(at + 1)
            .is_none_or(|next| next.trial != trial);
        if last {
            notes(report, Some(trial), style, &mut out);
            equal::equal(report, trial, style, &mut out);
        }
    }
    if trial.is_empty() {
        out.push_str("\nno trial was planned\n");
    }
    notes(report, None, style, &mut out);
    claims::claims(report, style, &mut out);
    out
}

fn heading(report: &Report, style: Style, out: &mut String) {
    out.push_str(&report.title);
    if report.quick {
        out.push_str(" (quick)");
    }
    out.push('\n');
    for source in &report.sources {
        wrap(&format!("source: {source}"), 0, style.width, out);
    }
    if !report.overrides.is_empty() {
        wrap(
            &format!(
                "changed on the command line: {}",
                report.overrides.join(" ")
            ),
            0,
            style.width,
            out,
        );
    }
    for (name, value) in &report.environment {
        wrap(&format!("{name}: {value}"), 0, style.width, out);
    }
}

/// `simple — Simple objects — n = 1k`
fn title(table: &Table) -> String {
    let point = if table.point.is_empty() {
        let varies = table
            .rows
            .iter()
            .any(|row| row.point.iter().any(|(axis, _)| axis == "n"));
        if varies {
            String::new()
        } else {
            format!(" — {} objects", format_count(table.size))
        }
    } else {
        format!(" — {}", point_words(&table.point))
    };
    if table.trial == table.title {
        format!("{}{point}", table.title)
    } else {
        format!("{} — {}{point}", table.trial, table.title)
    }
}

/// Warnings about a trial (or the whole run), one a paragraph.
fn notes(report: &Report, trial: Option<&str>, style: Style, out: &mut String) {
    let notes: Vec<_> = report
        .warnings
        .iter()
        .filter(|note| note.finding.trial.as_deref() == trial)
        .collect();
    let general: &[String] = if trial.is_none() { &report.notes } else { &[] };
    if notes.is_empty() && general.is_empty() {
        return;
    }
    out.push_str(if trial.is_some() {
        "\nWarnings\n"
    } else {
        "\nWarnings about the whole run\n"
    });
    for note in notes {
        wrap(&format!("! {}", note.text), 2, style.width, out);
    }
    for note in general {
        wrap(&format!("! {note}"), 2, style.width, out);
    }
}
