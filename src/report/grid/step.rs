//! The columns of one step.

use super::{Column, Group};
use crate::base::units::{
    format_count, format_size, format_time, number_in, significant, size_unit, time_unit,
};
use crate::report::model::{Figures, Measure, Table};
use crate::stats::Summary;

pub(super) fn group(table: &Table, at: usize) -> Group {
    let step = &table.steps[at];
    let figures: Vec<&Figures> = table.rows.iter().map(|row| &row.steps[at]).collect();
    let size = step.measure == Measure::Size;
    let summary = |f: &Figures| if size { f.allocated_bytes } else { f.wall_ns };
    let column = |title: &str, cell: &dyn Fn(&Figures) -> String| {
        Column::new(title, true, figures.iter().map(|f| cell(f)).collect())
    };
    let title = spread_title(&figures, summary);
    let mut columns = vec![column("", &|f| figure(f, summary(f), size))];
    let more = [
        column(title, &|f| {
            let spread = |s| spread(s, size, title == INTERVAL);
            summary(f).map_or_else(String::new, spread)
        }),
        column("ratio", &|f| {
            f.ratio.map_or_else(String::new, |r| {
                let sign = if f.is_level() { '≈' } else { '×' };
                format!("{sign}{}", significant(r))
            })
        }),
        column("hooks", &|f| {
            f.hook_ns
                .map_or_else(String::new, |s| format_time(s.median))
        }),
        column("decoding", &|f| {
            f.decode_ns
                .map_or_else(String::new, |s| format_time(s.median))
        }),
    ];
    columns.extend(more.into_iter().filter(|column| !column.is_empty()));
    Group {
        title: step.label.clone(),
        note: if step.counts {
            note(&figures)
        } else {
            String::new()
        },
        columns,
    }
}

fn figure(figures: &Figures, summary: Option<Summary>, size: bool) -> String {
    match (summary, &figures.absent) {
        (Some(s), _) if size => format_size(s.median),
        (Some(s), _) => format_time(s.median),
        (None, Some(why)) if why.starts_with("n/a") => "n/a".into(),
        (None, Some(_)) => "not timed".into(),
        (None, None) => String::new(),
    }
}

/// Title of a column of intervals.
const INTERVAL: &str = "95%";

/// What the column of spreads is called: with enough runs in any row they are
/// intervals, and a row with fewer has its range in parentheses.
fn spread_title(
    figures: &[&Figures],
    summary: impl Fn(&Figures) -> Option<Summary>,
) -> &'static str {
    let interval = |f: &&Figures| summary(f).is_some_and(|s| s.interval.is_some());
    if figures.iter().any(interval) {
        INTERVAL
    } else {
        "range"
    }
}

/// The interval, or smallest and largest, in the unit of the median; nothing
/// for a single run, nor where all runs agree to the byte.
fn spread(summary: Summary, size: bool, among_intervals: bool) -> String {
    if summary.runs < 2 || (size && summary.is_constant()) {
        return String::new();
    }
    let unit = if size {
        size_unit(summary.median)
    } else {
        time_unit(summary.median)
    };
    let between = |low, high| format!("{}–{}", number_in(low, unit), number_in(high, unit));
    match summary.interval {
        Some(interval) => between(interval.low, interval.high),
        None if among_intervals => format!("({})", between(summary.min, summary.max)),
        None => between(summary.min, summary.max),
    }
}

/// How much a step did: objects stored, records found, or repetitions.
fn note(figures: &[&Figures]) -> String {
    let span = |of: fn(&Figures) -> Option<u64>| -> Option<(u64, u64)> {
        let values: Vec<u64> = figures.iter().filter_map(|f| of(f)).collect();
        Some((*values.iter().min()?, *values.iter().max()?))
    };
    let words = |(low, high): (u64, u64), noun: &str, plural: &str| {
        if low == high {
            let noun = if low == 1 { noun } else { plural };
            format!("{} {noun}", format_count(low))
        } else {
            format!("{}–{} {plural}", format_count(low), format_count(high))
        }
    };
    if let Some((low, high)) = span(|f| f.operations.filter(|o| *o > 1)) {
        return format!("each of {}", words((low, high), "", "").trim_end());
    }
    if let Some(objects) = span(|f| f.objects) {
        return words(objects, "object", "objects");
    }
    span(|f| f.count).map_or_else(String::new, |count| words(count, "row", "rows"))
}
