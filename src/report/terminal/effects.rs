//! What each axis does, where a table has several.

use super::Style;
use super::comfy::{self, GAP};
use super::glance::LONG;
use super::wrap::wrap;
use crate::base::units::significant;
use crate::report::model::{Measure, Table};
use crate::report::words::value_words;

pub(super) fn effects(table: &Table, style: Style, out: &mut String) {
    let several = table
        .effects
        .iter()
        .any(|e| e.axis != table.effects[0].axis);
    if !several || table.rows.len() <= LONG {
        return;
    }
    out.push('\n');
    wrap(
        "What each axis does, all else equal: median of the ratio to the axis's best value",
        0,
        style.width,
        out,
    );
    let steps: Vec<usize> = (0..table.steps.len())
        .filter(|at| table.steps[*at].measure != Measure::Expectation)
        .collect();
    let cells: Vec<Vec<String>> = table
        .effects
        .iter()
        .map(|effect| {
            let ratios = steps.iter().map(|at| {
                effect.ratios[*at].map_or_else(String::new, |r| format!("×{}", significant(r)))
            });
            [effect.axis.clone(), value_words(&effect.value)]
                .into_iter()
                .chain(ratios)
                .collect()
        })
        .collect();
    let titles: Vec<String> = ["axis".to_owned(), "value".to_owned()]
        .into_iter()
        .chain(steps.iter().map(|at| table.steps[*at].label.clone()))
        .collect();
    let width = |column: usize| {
        let cells = cells.iter().map(|row| row[column].chars().count());
        cells
            .chain([titles[column].chars().count()])
            .max()
            .unwrap_or(0)
            + usize::from(GAP)
    };
    let keys = width(0) + width(1) - usize::from(GAP);
    let widths: Vec<usize> = (2..titles.len()).map(width).collect();
    for (at, range) in super::split::split(keys, &widths, style.width)
        .into_iter()
        .enumerate()
    {
        if at > 0 {
            out.push('\n');
        }
        let columns: Vec<usize> = [0, 1]
            .into_iter()
            .chain(range.map(|group| group + 2))
            .collect();
        let mut drawn = comfy::table(style);
        drawn.set_header(columns.iter().map(|c| &titles[*c]));
        for (row_at, row) in cells.iter().enumerate() {
            let same = row_at > 0 && cells[row_at - 1][0] == row[0];
            drawn.add_row(columns.iter().map(|column| match column {
                0 if same => "",
                _ => &row[*column],
            }));
        }
        comfy::align(&mut drawn, columns.iter().map(|column| (*column >= 2, GAP)));
        out.push_str(&drawn.trim_fmt());
        out.push('\n');
    }
}
