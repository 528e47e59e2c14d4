//! A table as cells of text, before any format draws it.

mod keys;
mod step;
mod tail;

use super::model::{Measure, Row, Table};
use super::words::{self, state_short};

/// A table: columns that name the row, then groups of columns that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// What names a row: engine, axes, tier.
    pub keys: Vec<Column>,
    /// One per step, then memory, harness and answers.
    pub groups: Vec<Group>,
    /// Per row: words instead of the cells from this group on.
    pub words: Vec<Option<(usize, String)>>,
    /// The engine, where all rows share one and its name needs no column.
    pub shared_engine: Option<String>,
}

/// Columns that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Label of the step.
    pub title: String,
    /// A few words below it: how many records.
    pub note: String,
    /// The figure first, then range, ratio, hooks, decoding.
    pub columns: Vec<Column>,
}

/// One column; as many cells as the table has rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Heading; of a group's first column empty, since the group has one.
    pub title: String,
    /// Whether it is set to the right, as numbers are.
    pub right: bool,
    /// Cells; empty where there is nothing to say.
    pub cells: Vec<String>,
}

impl Column {
    fn new(title: impl Into<String>, right: bool, cells: Vec<String>) -> Column {
        Column {
            title: title.into(),
            right,
            cells,
        }
    }

    /// Whether no row has anything to say here.
    fn is_empty(&self) -> bool {
        self.cells.iter().all(String::is_empty)
    }
}

/// Lays a table out.
pub fn grid(table: &Table) -> Grid {
    let (keys, shared_engine) = keys::keys(table);
    let mut groups: Vec<Group> = table
        .steps
        .iter()
        .enumerate()
        .filter(|(_, step)| step.measure != Measure::Expectation)
        .map(|(at, _)| step::group(table, at))
        .collect();
    groups.extend(tail::groups(table));
    let words = table
        .rows
        .iter()
        .enumerate()
        .map(|(at, row)| words_from(&groups, at, row))
        .collect();
    Grid {
        keys,
        groups,
        words,
        shared_engine,
    }
}

/// Where a row says in words why it has no figures: from its first empty group
/// on; `None` where every step has one.
fn words_from(groups: &[Group], at: usize, row: &Row) -> Option<(usize, String)> {
    let words = words::state_words(row)?;
    let empty = groups.iter().position(|group| {
        group
            .columns
            .iter()
            .all(|column| column.cells[at].is_empty())
    })?;
    // The tail always says something; words belong among the steps.
    (groups[empty].title != state_short(row)).then_some((empty, words))
}
