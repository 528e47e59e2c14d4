//! Draws one table, split where the terminal is too narrow.

use comfy_table::{Attribute, Cell, Color};

use super::Style;
use super::comfy::{self, GAP};
use super::split::split;
use super::wrap::{cut, wrap};
use crate::report::grid::{Column, Grid, Group, grid};
use crate::report::model::{Answers, Table};
use crate::report::words::{engine_name, state_words};

/// Space before a group of columns.
const GROUP_GAP: u16 = 3;

pub(super) fn draw(table: &Table, style: Style, out: &mut String) {
    let mut grid = grid(table);
    if let Some(engine) = &grid.shared_engine {
        wrap(&format!("engine: {engine}"), 2, style.width, out);
    }
    // The first column stands at the edge.
    let keys: usize = grid.keys.iter().map(|c| width_of(c, GAP)).sum();
    let keys = keys.saturating_sub(usize::from(GAP));
    let left_out = narrow(&mut grid, style.width.saturating_sub(keys));
    let widths: Vec<usize> = grid.groups.iter().map(group_width).collect();
    let mut untold: Vec<usize> = Vec::new();
    for (at, range) in split(keys, &widths, style.width).into_iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        if at > 0
            && let Some(answers) = alike(&grid, range.clone())
        {
            let title = &grid.groups[range.start].title;
            let void = table.rows.iter().any(|row| row.answers == Answers::Void);
            let rows = if void { "other rows" } else { "rows" };
            wrap(
                &format!("{title}: {answers} in all {rows} that ran"),
                2,
                style.width,
                out,
            );
            continue;
        }
        part(&grid, range, keys, style, &mut untold, out);
    }
    if !left_out.is_empty() {
        let names = left_out.join(", ");
        wrap(
            &format!("left out, for a wider terminal: {names}"),
            2,
            style.width,
            out,
        );
    }
    // What a row's line could not hold in full.
    for (at, row) in table.rows.iter().enumerate() {
        let told = grid.words[at].is_some() && !untold.contains(&at);
        if let Some(words) = state_words(row).filter(|_| !told) {
            let mut name = engine_name(row, false);
            for axis in &table.axes {
                if let Some((_, value)) = row.point.iter().find(|(a, _)| a == axis) {
                    let value = crate::report::words::value_words(value);
                    name.push_str(&format!(", {axis} {value}"));
                }
            }
            wrap(&format!("{name}: {words}"), 2, style.width, out);
        }
    }
}

/// Takes columns out of groups that are wider than `room` alone, the spread
/// first, the figure never; their titles.
fn narrow(grid: &mut Grid, room: usize) -> Vec<String> {
    let mut left_out: Vec<String> = Vec::new();
    for group in &mut grid.groups {
        while group_width(group) > room && group.columns.len() > 1 {
            let column = group.columns.remove(1);
            if !left_out.contains(&column.title) {
                left_out.push(column.title);
            }
        }
    }
    left_out
}

/// What a table of one column would say in every row that says nothing in
/// words: a line says that better.
fn alike(grid: &Grid, range: std::ops::Range<usize>) -> Option<&str> {
    let [group] = &grid.groups[range] else {
        return None;
    };
    let [column] = group.columns.as_slice() else {
        return None;
    };
    let mut told = grid
        .words
        .iter()
        .zip(&column.cells)
        .filter(|(words, _)| words.is_none());
    let (_, first) = told.next()?;
    told.all(|(_, cell)| cell == first).then_some(first)
}

/// Keys and some groups.
fn part(
    grid: &Grid,
    range: std::ops::Range<usize>,
    keys: usize,
    style: Style,
    untold: &mut Vec<usize>,
    out: &mut String,
) {
    let groups = &grid.groups[range.clone()];
    let mut table = comfy::table(style);
    let noted = groups.iter().any(|group| !group.note.is_empty());
    table.set_header(header(grid, groups, noted));
    // Every row stands in every part: one that is gone would look forgotten.
    for at in 0..grid.words.len() {
        table.add_row(row(grid, groups, range.start, at, at.checked_sub(1)));
    }
    let keyed = grid.keys.iter().map(|column| (column.right, GAP));
    comfy::align(&mut table, keyed.chain(groups.iter().flat_map(gaps)));
    let drawn = table.trim_fmt();
    let head = if noted { 3 } else { 2 };
    for (line_at, line) in drawn.lines().enumerate() {
        let words = line_at
            .checked_sub(head)
            .and_then(|at| Some((at, grid.words.get(at)?.as_ref()?)));
        match words {
            Some((at, (from, words))) if range.contains(from) => {
                let before: usize = groups[..from - range.start].iter().map(group_width).sum();
                let offset = keys + before + usize::from(GROUP_GAP);
                let room = style.width.saturating_sub(offset);
                if words.chars().count() > room && !untold.contains(&at) {
                    untold.push(at);
                }
                let pad = offset.saturating_sub(line.chars().count());
                out.push_str(line);
                out.push_str(&" ".repeat(pad));
                out.push_str(&cut(words, room));
            }
            Some((_, (from, _))) if *from < range.start && line.trim_end().len() <= keys => {
                // Its words stand in an earlier part.
                let offset = keys + usize::from(GROUP_GAP);
                let pad = offset.saturating_sub(line.trim_end().chars().count());
                out.push_str(line.trim_end());
                out.push_str(&" ".repeat(pad));
                out.push_str("as above");
            }
            _ => out.push_str(line.trim_end()),
        }
        out.push('\n');
    }
}

fn header(grid: &Grid, groups: &[Group], noted: bool) -> Vec<Cell> {
    let two = |first: &str, second: &str| {
        if noted {
            Cell::new(format!("{first}\n{second}"))
        } else {
            Cell::new(first)
        }
    };
    let mut cells: Vec<Cell> = grid.keys.iter().map(|key| two(&key.title, "")).collect();
    for group in groups {
        for (at, column) in group.columns.iter().enumerate() {
            cells.push(if at == 0 {
                two(&group.title, &group.note)
            } else {
                two(&column.title, "")
            });
        }
    }
    cells
}

fn row(grid: &Grid, groups: &[Group], first: usize, at: usize, above: Option<usize>) -> Vec<Cell> {
    let mut cells = Vec::new();
    // Leading values that repeat the row above are left out.
    let mut same = true;
    for (column, key) in grid.keys.iter().enumerate() {
        same = same
            && above.is_some_and(|above| key.cells[at] == key.cells[above])
            && column + 1 < grid.keys.len();
        cells.push(Cell::new(if same { "" } else { &key.cells[at] }));
    }
    let from = grid.words[at].as_ref().map(|(from, _)| *from);
    for (index, group) in groups.iter().enumerate() {
        // Words take the rest of the line of the table that they stand in.
        let silent = from.is_some_and(|from| first <= from && from <= first + index);
        for column in &group.columns {
            let text = if silent { "" } else { &column.cells[at] };
            let cell = Cell::new(text);
            cells.push(match text {
                "VOID" | "died" | "EXPECT FAILED" => cell.fg(Color::Red),
                "×1.00" => cell.add_attribute(Attribute::Bold),
                _ => cell,
            });
        }
    }
    cells
}

/// Alignment of a group's columns, and the space before each.
fn gaps(group: &Group) -> impl Iterator<Item = (bool, u16)> {
    group
        .columns
        .iter()
        .enumerate()
        .map(|(at, column)| (column.right, if at == 0 { GROUP_GAP } else { GAP }))
}

fn group_width(group: &Group) -> usize {
    group
        .columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            if at == 0 {
                let heading = group.title.chars().count().max(group.note.chars().count());
                width_of(column, GROUP_GAP).max(heading + usize::from(GROUP_GAP))
            } else {
                width_of(column, GAP)
            }
        })
        .sum()
}

fn width_of(column: &Column, gap: u16) -> usize {
    let widest = column
        .cells
        .iter()
        .chain([&column.title])
        .map(|cell| cell.chars().count())
        .max()
        .unwrap_or(0);
    widest + usize::from(gap)
}
