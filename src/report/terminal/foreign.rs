//! How often an engine behind a foreign interface was called for each record.

use crate::report::model::{Figures, Table};

/// One line per engine that counts its calls, at the largest size that it was
/// measured at.
pub(super) fn lines(tables: &[&Table]) -> Vec<String> {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for row in tables.iter().rev().flat_map(|table| &table.rows) {
        let steps: Vec<String> = row.steps.iter().filter_map(step).collect();
        if steps.is_empty() || lines.iter().any(|(engine, _)| *engine == row.engine) {
            continue;
        }
        let line = format!(
            "{}: calls of its interface per record: {}",
            row.engine,
            steps.join(", ")
        );
        lines.push((&row.engine, line));
    }
    lines.reverse();
    lines.into_iter().map(|(_, line)| line).collect()
}

/// A step's calls over the records it stored, delivered or matched; over its
/// operations where there were none.
fn step(figures: &Figures) -> Option<String> {
    let calls = figures.foreign_calls? as f64;
    let records = figures
        .objects
        .or(figures.count.filter(|count| *count > 0))
        .or(figures.operations)
        .unwrap_or(1);
    let each = calls / records.max(1) as f64;
    Some(format!("{} {}", figures.step, rounded(each)))
}

/// Two places below one, one below a hundred.
fn rounded(each: f64) -> String {
    if each < 1.0 {
        format!("{each:.2}")
    } else if each < 100.0 {
        format!("{each:.1}")
    } else {
        format!("{each:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(calls: Option<u64>, objects: Option<u64>, count: Option<u64>) -> Figures {
        Figures {
            step: "write".into(),
            foreign_calls: calls,
            objects,
            count,
            operations: Some(4),
            ..Figures::default()
        }
    }

    #[test]
    fn calls_are_told_per_record() {
        let text = |calls, objects, count| step(&figures(calls, objects, count));
        assert_eq!(text(None, Some(10), None), None);
        assert_eq!(text(Some(25), Some(10), Some(5)).unwrap(), "write 2.5");
        assert_eq!(text(Some(5), None, Some(100)).unwrap(), "write 0.05");
        // A count that found nothing still made its calls.
        assert_eq!(text(Some(800), None, Some(0)).unwrap(), "write 200");
    }
}
