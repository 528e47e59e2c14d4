//! Draws one table, split where the terminal is too narrow.

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ContentArrangement, LineStyle, Table as Comfy,
    TableStyle,
};

use super::Style;
use super::split::split;
use super::wrap::{cut, wrap};
use crate::report::grid::{Column, Grid, Group, grid};
use crate::report::model::Table;
use crate::report::words::{engine_name, state_words};

/// A line under the heading and nothing else: figures stand on their own.
const LOOK: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─'));
/// Space before a column, and before a group of columns.
const GAP: u16 = 2;
const GROUP_GAP: u16 = 3;

pub(super) fn draw(table: &Table, style: Style, out: &mut String) {
    let grid = grid(table);
    if let Some(engine) = &grid.shared_engine {
        wrap(&format!("engine: {engine}"), 2, style.width, out);
    }
    // The first column stands at the edge.
    let keys: usize = grid.keys.iter().map(|c| width_of(c, GAP)).sum();
    let keys = keys.saturating_sub(usize::from(GAP));
    let widths: Vec<usize> = grid.groups.iter().map(group_width).collect();
    let mut untold: Vec<usize> = Vec::new();
    for (at, range) in split(keys, &widths, style.width).into_iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        part(&grid, range, keys, style, &mut untold, out);
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
    let mut comfy = Comfy::new();
    comfy
        .load_style(LOOK)
        .set_content_arrangement(ContentArrangement::Disabled);
    if style.colour {
        comfy.enforce_styling();
    } else {
        comfy.force_no_tty();
    }
    let noted = groups.iter().any(|group| !group.note.is_empty());
    comfy.set_header(header(grid, groups, noted));
    for at in 0..grid.words.len() {
        comfy.add_row(row(grid, groups, range.start, at));
    }
    align(&mut comfy, grid, groups);
    let drawn = comfy.trim_fmt();
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

fn row(grid: &Grid, groups: &[Group], first: usize, at: usize) -> Vec<Cell> {
    let mut cells = Vec::new();
    // Leading values that repeat the row above are left out.
    let mut same = at > 0;
    for (column, key) in grid.keys.iter().enumerate() {
        same = same && key.cells[at] == key.cells[at - 1] && column + 1 < grid.keys.len();
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

fn align(comfy: &mut Comfy, grid: &Grid, groups: &[Group]) {
    let keys = grid.keys.iter().map(|column| (column, GAP));
    let figures = groups.iter().flat_map(|group| {
        group
            .columns
            .iter()
            .enumerate()
            .map(|(at, column)| (column, if at == 0 { GROUP_GAP } else { GAP }))
    });
    for (index, (column, gap)) in keys.chain(figures).enumerate() {
        if let Some(drawn) = comfy.column_mut(index) {
            drawn.set_padding((if index == 0 { 0 } else { gap }, 0));
            if column.right {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
        }
    }
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
