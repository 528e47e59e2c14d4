//! A report as Markdown: the terminal's tables without its width.

use super::grid::{Column, Grid, grid};
use super::model::{Report, Table};
use super::words::{legend, point_words, state_words};
use crate::base::units::format_count;

/// The whole report.
pub fn render(report: &Report) -> String {
    let mut out = format!("# {}\n\n", escape(&report.title));
    if report.quick {
        out.push_str("A quick run: few sizes, few runs.\n\n");
    }
    for source in &report.sources {
        out.push_str(&format!("Source: {}\n\n", escape(source)));
    }
    for (name, value) in &report.environment {
        out.push_str(&format!("- {name}: {}\n", escape(value)));
    }
    for table in &report.tables {
        out.push_str(&format!("\n## {}\n\n", title(table)));
        draw(&grid(table), &mut out);
        let signs = legend(table);
        if !signs.is_empty() {
            out.push_str(&format!("\n{}\n", signs.join("; ")));
        }
        for row in &table.rows {
            if let Some(words) = state_words(row) {
                out.push_str(&format!("\n{}: {}\n", escape(&row.job), escape(&words)));
            }
        }
    }
    list(
        &mut out,
        "Warnings",
        report
            .warnings
            .iter()
            .map(|note| &note.text)
            .chain(&report.notes)
            .cloned(),
    );
    list(
        &mut out,
        "Claims",
        report
            .claims
            .iter()
            .map(|claim| format!("{}: {}", claim.verdict, claim.text)),
    );
    out
}

fn title(table: &Table) -> String {
    let point = if table.point.is_empty() {
        format!("{} objects", format_count(table.size))
    } else {
        point_words(&table.point)
    };
    escape(&format!("{} — {} — {point}", table.trial, table.title))
}

fn draw(grid: &Grid, out: &mut String) {
    if let Some(engine) = &grid.shared_engine {
        out.push_str(&format!("Engine: {}\n\n", escape(engine)));
    }
    let mut titles: Vec<String> = Vec::new();
    let mut columns: Vec<&Column> = Vec::new();
    for key in &grid.keys {
        titles.push(key.title.clone());
        columns.push(key);
    }
    for group in &grid.groups {
        for (at, column) in group.columns.iter().enumerate() {
            let counted = group.note.starts_with(|c: char| c.is_ascii_digit());
            titles.push(match at {
                0 if counted => format!("{} ({})", group.title, group.note),
                0 => format!("{} {}", group.title, group.note)
                    .trim_end()
                    .to_owned(),
                _ => column.title.clone(),
            });
            columns.push(column);
        }
    }
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    out.push_str(&line(titles.iter().map(|t| escape(t)).collect()));
    out.push_str(&line(
        columns
            .iter()
            .map(|c| if c.right { "---:" } else { "---" }.to_owned())
            .collect(),
    ));
    for at in 0..grid.words.len() {
        out.push_str(&line(
            columns.iter().map(|c| escape(&c.cells[at])).collect(),
        ));
    }
}

fn list(out: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let mut items = items.peekable();
    if items.peek().is_none() {
        return;
    }
    out.push_str(&format!("\n## {title}\n\n"));
    for item in items {
        out.push_str(&format!("- {}\n", escape(&item)));
    }
}

/// Text that stays text: no column, emphasis or tag begins in it.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(
            c,
            '|' | '*' | '_' | '`' | '<' | '>' | '\\' | '[' | ']' | '#'
        ) {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
    }
    out
}
