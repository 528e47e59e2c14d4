//! The texts that spans point into.

use crate::base::span::{FileId, Span};

/// One text, with the path that the user knows it by.
#[derive(Clone, Debug)]
pub struct Source {
    pub path: String,
    pub text: String,
    /// Byte offset of the start of every line.
    line_starts: Vec<u32>,
}

/// A place as people count it: both from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// Every text of a check, by [`FileId`].
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under the path to be shown to the user.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(Source::new(path.into(), text.into()));
        id
    }

    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(file.0 as usize)
    }

    /// Path to show; empty for an unknown file.
    pub fn path(&self, file: FileId) -> &str {
        self.get(file).map_or("", |source| &source.path)
    }

    /// Whole text; empty for an unknown file.
    pub fn text(&self, file: FileId) -> &str {
        self.get(file).map_or("", |source| &source.text)
    }

    /// What the author wrote at `span`; empty where the span fits no text.
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.file).get(span.range()).unwrap_or("")
    }

    /// Line and column of the start of `span`.
    pub fn position(&self, span: Span) -> Position {
        self.position_at(span.file, span.start)
    }

    /// Line and column of a byte offset; 1:1 in an unknown file.
    pub fn position_at(&self, file: FileId, offset: u32) -> Position {
        self.get(file)
            .map_or(Position { line: 1, column: 1 }, |source| {
                source.position(offset)
            })
    }

    pub fn files(&self) -> impl Iterator<Item = (FileId, &Source)> {
        (0..).map(FileId).zip(&self.files)
    }
}

impl Source {
    fn new(path: String, text: String) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0)
            .chain(breaks.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX)))
            .collect();
        Self {
            path,
            text,
            line_starts,
        }
    }

    /// Line and column of a byte offset; past the end means the end.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line - 1] as usize;
        let before = floor_char(&self.text, offset as usize);
        let column = self.text[start..before.max(start)].chars().count();
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column + 1).unwrap_or(u32::MAX),
        }
    }
}

/// The nearest character boundary at or before `offset`.
pub(super) fn floor_char(text: &str, offset: usize) -> usize {
    text.floor_char_boundary(offset.min(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let mut sources = Sources::new();
        let file = sources.add("a.exp", "ab\nパx\n");
        let at = |offset| {
            let position = sources.position_at(file, offset);
            (position.line, position.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 3));
        assert_eq!(at(3), (2, 1));
        assert_eq!(at(6), (2, 2));
        assert_eq!(at(8), (3, 1));
        assert_eq!(at(99), (3, 1));
        assert_eq!(sources.snippet(Span::new(file, 3, 6)), "パ");
        assert_eq!(sources.position_at(FileId(7), 3).line, 1);
    }
}
