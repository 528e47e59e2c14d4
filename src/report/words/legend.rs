//! What the signs of a table mean, where they stand in it.

use crate::report::model::{Figures, Table};
use crate::stats::RUNS_FOR_INTERVAL;

/// One sentence for each sign that the table has.
pub fn legend(table: &Table) -> Vec<String> {
    let any = |sign: &dyn Fn(&Figures) -> bool| {
        let mut figures = table.rows.iter().flat_map(|row| &row.steps);
        figures.any(sign)
    };
    let summaries = |f: &Figures| [f.wall_ns, f.allocated_bytes];
    let interval = |f: &Figures| summaries(f).iter().flatten().any(|s| s.interval.is_some());
    let range = |f: &Figures| {
        let mut spread = summaries(f).into_iter().flatten();
        spread.any(|s| s.interval.is_none() && s.runs > 1)
    };
    let mut sentences = Vec::new();
    if any(&interval) {
        sentences.push("95%: interval of the median".into());
        if any(&range) {
            sentences.push(format!(
                "in parentheses: the range, of fewer than {RUNS_FOR_INTERVAL} runs"
            ));
        }
    }
    if any(&Figures::is_level) {
        sentences.push("≈: the rounds do not tell the row from the best one".into());
    }
    sentences
}
