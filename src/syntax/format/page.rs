//! Lines with columns: what stands below each other is aligned.

use super::INDENT;
use crate::syntax::ast::Comment;

/// What a line holds: neighbours of one kind align.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LineKind {
    #[default]
    Plain,
    Comment,
    Param,
    Sweep,
    Pair,
    Field,
    Step,
    Comparison,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    /// Steps of indentation.
    pub indent: usize,
    /// Columns; no cell but the last may hold a line break.
    pub cells: Vec<String>,
    /// Further lines of the part, one step right of its last cell.
    pub more: Vec<String>,
    /// A comment at the end.
    pub tail: Option<String>,
    pub kind: LineKind,
    pub blank_before: bool,
}

#[derive(Debug, Default)]
pub(super) struct Page {
    lines: Vec<Line>,
}

/// Cells wider than this stick out instead of pushing their neighbours.
const WIDEST_TYPE: usize = 8;

impl Page {
    pub fn push(&mut self, line: Line) {
        self.lines.push(line);
    }

    pub fn plain(&mut self, indent: usize, text: impl Into<String>) {
        self.push(Line {
            indent,
            cells: vec![text.into()],
            ..Line::default()
        });
    }

    /// Comments on lines of their own. The first line of a block or a file has
    /// no blank line before it.
    pub fn comments(&mut self, indent: usize, comments: &[Comment], first: bool) {
        for (at, comment) in comments.iter().enumerate() {
            self.push(Line {
                indent,
                cells: vec![comment.text.clone()],
                kind: LineKind::Comment,
                blank_before: comment.blank_before && !(first && at == 0),
                ..Line::default()
            });
        }
    }

    /// Puts a comment at the end of the last line.
    pub fn tail(&mut self, comment: Option<&Comment>) {
        if let (Some(line), Some(comment)) = (self.lines.last_mut(), comment) {
            line.tail = Some(comment.text.clone());
        }
    }

    pub fn finish(mut self) -> String {
        let mut start = 0;
        while start < self.lines.len() {
            let end = group_end(&self.lines, start);
            align(&mut self.lines[start..end]);
            start = end;
        }
        let mut rows: Vec<(String, Option<String>, bool)> = Vec::new();
        for line in self.lines {
            flatten(line, &mut rows);
        }
        with_tails(&rows)
    }
}

/// The lines from `start` on that align: of one kind and indentation, with no
/// blank line between, up to one that is more than a line.
fn group_end(lines: &[Line], start: usize) -> usize {
    let first = &lines[start];
    let mut kind = first.kind;
    let mut end = start;
    while let Some(line) = lines.get(end) {
        let neutral = line.kind == LineKind::Comment || kind == LineKind::Comment;
        let fits = line.indent == first.indent && (neutral || line.kind == kind);
        if !fits || (end > start && line.blank_before) {
            break;
        }
        if line.kind != LineKind::Comment {
            kind = line.kind;
        }
        end += 1;
        if line.cells.iter().any(|cell| cell.contains('\n')) {
            break;
        }
    }
    end.max(start + 1)
}

/// Pads every cell but the last of each line to its column.
fn align(lines: &mut [Line]) {
    let columns = lines.iter().map(|line| line.cells.len()).max().unwrap_or(0);
    for column in 0..columns.saturating_sub(1) {
        let cells = lines
            .iter()
            .filter(|line| line.cells.len() > column + 1)
            .map(|line| (line.kind, width(&line.cells[column])));
        let types = |kind| kind == LineKind::Field && column == 1;
        let widest = cells
            .filter(|(kind, width)| !types(*kind) || *width <= WIDEST_TYPE)
            .map(|(_, width)| width)
            .max()
            .unwrap_or(0);
        for line in lines
            .iter_mut()
            .filter(|line| line.cells.len() > column + 1)
        {
            let missing = widest.saturating_sub(width(&line.cells[column]));
            line.cells[column].extend(std::iter::repeat_n(' ', missing));
        }
    }
}

fn flatten(line: Line, rows: &mut Vec<(String, Option<String>, bool)>) {
    let before: usize = line
        .cells
        .iter()
        .rev()
        .skip(1)
        .map(|cell| width(cell) + 1)
        .sum();
    let indent = line.indent * INDENT;
    let text = format!("{}{}", " ".repeat(indent), line.cells.join(" "));
    rows.push((text, None, line.blank_before));
    for more in line.more {
        let text = format!("{}{more}", " ".repeat(indent + before + INDENT));
        rows.push((text, None, false));
    }
    if let Some(last) = rows.last_mut() {
        last.1 = line.tail;
    }
}

/// Comments at the ends of neighbouring lines begin in one column, where the
/// lines are of about the same length.
fn with_tails(rows: &[(String, Option<String>, bool)]) -> String {
    const NEAR: usize = 24;
    let mut out = String::new();
    let mut at = 0;
    while at < rows.len() {
        let run = rows[at..]
            .iter()
            .enumerate()
            .take_while(|(ahead, (_, tail, blank))| tail.is_some() && !(*ahead > 0 && *blank))
            .count();
        let widths = rows[at..at + run].iter().map(|(text, ..)| last_width(text));
        let least = widths.clone().min().unwrap_or(0);
        let column = widths
            .filter(|width| *width <= least + NEAR)
            .max()
            .unwrap_or(0);
        for (text, tail, blank) in &rows[at..at + run.max(1)] {
            if *blank {
                out.push('\n');
            }
            out.push_str(text);
            if let Some(tail) = tail {
                let missing = column.saturating_sub(last_width(text)) + 2;
                out.extend(std::iter::repeat_n(' ', missing));
                out.push_str(tail);
            }
            out.push('\n');
        }
        at += run.max(1);
    }
    out
}

pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

/// Width of the last line.
fn last_width(text: &str) -> usize {
    width(text.rsplit('\n').next().unwrap_or(text))
}
