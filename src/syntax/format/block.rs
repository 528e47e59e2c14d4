//! `{ … }` on one line or on several.

use super::INDENT;
use super::WIDTH;
use super::page::{Line, LineKind, Page, width};
use crate::syntax::ast::{Block, Comment, Layout, Trivia};

/// How the members of a block are printed.
pub(super) trait Member {
    /// Whether several may share a line, as their author had it.
    const SHARE_LINES: bool;
    const KIND: LineKind;

    fn trivia(&self) -> &Trivia;

    /// In columns, without comments; `None` if it takes more than one line.
    fn cells(&self, indent: usize) -> Option<Vec<String>>;

    /// On several lines: the first one opened by `line`, which has the
    /// indentation and the blank line before.
    fn print_open(&self, page: &mut Page, line: Line);
}

/// The whole block on one line, if its author had it so and nothing in it
/// needs more.
pub(super) fn one_line<M: Member>(block: &Block<M>, indent: usize) -> Option<String> {
    if block.members.is_empty() && block.opening.is_none() && block.closing.is_empty() {
        return Some("{}".to_owned());
    }
    let quiet = |trivia: &Trivia| trivia.leading.is_empty() && trivia.trailing.is_none();
    let commented = block.opening.is_some()
        || !block.closing.is_empty()
        || !block.members.iter().all(|member| quiet(member.trivia()));
    if block.layout != Layout::OneLine || commented {
        return None;
    }
    let mut texts = Vec::with_capacity(block.members.len());
    for member in &block.members {
        let text = member.cells(indent)?.join(" ");
        if text.contains('\n') {
            return None;
        }
        texts.push(text);
    }
    Some(format!("{{ {} }}", texts.join("  ")))
}

/// Prints a part that ends in a block: `line` holds what stands before it.
pub(super) fn print<M: Member>(
    page: &mut Page,
    mut line: Line,
    block: &Block<M>,
    trailing: Option<&Comment>,
) {
    let indent = line.indent;
    let before: usize = line.cells.iter().map(|cell| width(cell) + 1).sum();
    let single = one_line(block, indent);
    let fits = |text: &String| indent * INDENT + before + width(text) <= WIDTH;
    let last = line.cells.last_mut();
    if let Some(single) = single.as_ref().filter(|text| fits(text)) {
        if let Some(last) = last {
            *last = format!("{last} {single}");
        }
        page.push(line);
        page.tail(trailing);
        return;
    }
    if let Some(last) = last {
        last.push_str(" {");
    }
    page.push(line);
    page.tail(block.opening.as_ref());
    let share = single.is_none();
    members(page, &block.members, indent + 1, share);
    let first = block.members.is_empty();
    page.comments(indent + 1, &block.closing, first);
    page.plain(indent, "}");
    page.tail(trailing);
}

/// Members one below the other; with `share`, those that their author put on
/// one line stay there.
fn members<M: Member>(page: &mut Page, members: &[M], indent: usize, share: bool) {
    let mut at = 0;
    while at < members.len() {
        let row = if share && M::SHARE_LINES {
            row(&members[at..], indent)
        } else {
            1
        };
        let member = &members[at];
        let trivia = member.trivia();
        page.comments(indent, &trivia.leading, at == 0);
        let first = at == 0 && trivia.leading.is_empty();
        let line = Line {
            indent,
            kind: M::KIND,
            blank_before: trivia.breaks_before >= 2 && !first,
            ..Line::default()
        };
        if row > 1 {
            let cells = members[at..at + row].iter().filter_map(|m| m.cells(indent));
            let texts: Vec<_> = cells.map(|cells| cells.join(" ")).collect();
            page.push(Line {
                cells: vec![texts.join("  ")],
                ..line
            });
            page.tail(members[at + row - 1].trivia().trailing.as_ref());
        } else {
            member.print_open(page, line);
        }
        at += row;
    }
}

/// How many members from the first on share its line.
fn row<M: Member>(members: &[M], indent: usize) -> usize {
    let single = |member: &M| {
        member
            .cells(indent)
            .is_some_and(|cells| !cells.iter().any(|cell| cell.contains('\n')))
    };
    if !single(&members[0]) {
        return 1;
    }
    let joins = |pair: &[M]| {
        let next = pair[1].trivia();
        pair[0].trivia().trailing.is_none()
            && next.breaks_before == 0
            && next.leading.is_empty()
            && single(&pair[1])
    };
    1 + members.windows(2).take_while(|pair| joins(pair)).count()
}
