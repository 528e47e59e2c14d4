//! The hooks of one file as one rhai script, and the way back from a place in it.
//!
//! A hook that is called from outside runs as a script of its own with the
//! functions beside it: rhai keeps the place of a limit that was hit only
//! outside of functions. Lines of such a script are numbered on from the
//! functions' last, so that a line alone says where a place is.

use rhai::Position;

/// A hook's source, wherever it comes from.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    /// Name of the rhai function.
    pub name: &'a str,
    pub parameters: &'a [String],
    /// The text between the braces.
    pub body: &'a str,
}

/// Each hook a function, its body as it was written.
#[derive(Default)]
pub(super) struct Script {
    pub text: String,
    starts: Vec<Start>,
    lines: usize,
}

struct Start {
    /// Line of the function's header, from 1.
    line: usize,
    /// Characters before the body in that line.
    header: usize,
}

/// A place in a hook's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Position of the hook in its script.
    pub piece: usize,
    /// Line in the body, from 0.
    pub line: usize,
    /// Column in that line, in characters, from 0.
    pub column: usize,
}

impl Script {
    pub fn of<'a>(pieces: impl IntoIterator<Item = Piece<'a>>) -> Script {
        let mut script = Script::default();
        for piece in pieces {
            script.push(piece);
        }
        script
    }

    fn push(&mut self, piece: Piece<'_>) {
        let header = format!("fn {}({}) {{", piece.name, piece.parameters.join(", "));
        self.starts.push(Start {
            line: self.lines + 1,
            header: header.chars().count(),
        });
        self.text.push_str(&header);
        self.text.push_str(piece.body);
        // On a line of its own: the body may end in a comment.
        self.text.push_str("\n}\n");
        self.lines += piece.body.matches('\n').count() + 2;
    }

    /// A body as a script of its own, to run beside the functions.
    pub fn alone(&self, body: &str) -> String {
        "\n".repeat(self.lines) + body
    }

    /// Where in which body; in the header that is the body's start, as is no place at all.
    ///
    /// `called` is the hook that runs as a script of its own.
    pub fn place(&self, position: Position, called: usize) -> Place {
        let Some(line) = position.line() else {
            return Place::start(called);
        };
        let column = position.position().unwrap_or(1).saturating_sub(1);
        if line > self.lines {
            return Place {
                piece: called,
                line: line - self.lines - 1,
                column,
            };
        }
        let piece = self
            .starts
            .partition_point(|start| start.line <= line)
            .saturating_sub(1);
        let Some(start) = self.starts.get(piece) else {
            return Place::start(called);
        };
        match line - start.line {
            0 => Place {
                piece,
                line: 0,
                column: column.saturating_sub(start.header),
            },
            line => Place {
                piece,
                line,
                column,
            },
        }
    }
}

impl Place {
    fn start(piece: usize) -> Place {
        Place {
            piece,
            line: 0,
            column: 0,
        }
    }

    /// Byte offset into the body; its end if the place lies behind it.
    pub fn offset(self, body: &str) -> usize {
        let line_start = body
            .match_indices('\n')
            .nth(self.line.wrapping_sub(1))
            .map(|(at, _)| at + 1);
        let line_start = match (self.line, line_start) {
            (0, _) => 0,
            (_, Some(at)) => at,
            (_, None) => return body.len(),
        };
        let line = body[line_start..].split('\n').next().unwrap_or_default();
        line_start
            + line
                .char_indices()
                .nth(self.column)
                .map_or(line.len(), |(at, _)| at)
    }
}
