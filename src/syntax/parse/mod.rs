//! Text to tree. A file is cut into items and blocks into members by brackets
//! and first words (`scan`, `brackets`, `starts`); every piece is read by one
//! rule of `grammar/exp.pest`, so that a mistake costs one piece and one
//! message (`explain`).

mod block;
mod brackets;
mod claim;
mod clauses;
mod engine;
mod expect;
mod experiment;
mod explain;
mod expr;
mod file;
mod hook;
mod literal;
mod model;
mod name;
mod operand;
mod pairs;
mod parser;
mod pool;
mod postfix;
mod rhai_body;
mod scan;
mod starts;
mod step;
mod sweep;
mod trial;
mod trivia;
mod types;
mod r#use;

use pest_derive::Parser as PestParser;

use crate::base::span::{FileId, Span};
use crate::diagnostics::{Code, Diagnostic, sort};
use crate::syntax::ast;

/// The grammar's rules; their names are never shown.
#[derive(PestParser)]
#[grammar = "grammar/exp.pest"]
struct Grammar;

/// What could be read of a file, and every syntax error in it.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub file: ast::File,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Largest text that is read, in bytes: experiments are written by hand.
pub const MAX_BYTES: usize = 16 << 20;

/// Reads a whole file. Never fails: what does not parse is left out of the
/// tree, and said in the diagnostics.
pub fn parse(file: FileId, text: &str) -> Parsed {
    if text.len() > MAX_BYTES {
        return too_large(file, text);
    }
    let mut parser = parser::Parser::new(file, text);
    let file = parser.file();
    let mut diagnostics = parser.diagnostics;
    sort(&mut diagnostics);
    Parsed { file, diagnostics }
}

fn too_large(file: FileId, text: &str) -> Parsed {
    let span = Span::new(file, 0, 0);
    let message = format!(
        "this file is {} MiB large; an experiment is at most {} MiB",
        text.len() >> 20,
        MAX_BYTES >> 20
    );
    Parsed {
        file: ast::File {
            id: file,
            items: Vec::new(),
            broken: vec![ast::Broken { name: None, span }],
            closing: Vec::new(),
            span,
        },
        diagnostics: vec![
            Diagnostic::error(Code::FileTooLarge, span, message)
                .help("long lists of values go to a text file: `pool name from \"names.txt\"`"),
        ],
    }
}
