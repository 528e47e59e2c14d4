//! Syntax of hooks, before anything runs.

use rhai::{Dynamic, Engine, Position, Scope};

use super::fault::{self, Fault};
use super::sandbox;
use super::script::{Piece, Script};
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic};

/// A hook as `check` has it.
#[derive(Clone, Copy, Debug)]
pub struct HookSource<'a> {
    /// Name in its own file.
    pub name: &'a str,
    /// Where the name stands.
    pub name_span: Span,
    /// Names of its parameters; how many arguments it takes.
    pub parameters: &'a [String],
    /// The text between the braces.
    pub body: &'a str,
    /// Where `body` stands: an offset into it is `body_span.start` plus that.
    pub body_span: Span,
}

/// The syntax errors of some hooks, at most one in each.
pub fn check(hooks: &[HookSource<'_>]) -> Vec<Diagnostic> {
    if hooks.is_empty() {
        return Vec::new();
    }
    let (engine, _) = sandbox::engine();
    hooks
        .iter()
        .filter_map(|hook| check_one(&engine, hook))
        .collect()
}

fn check_one(engine: &Engine, hook: &HookSource<'_>) -> Option<Diagnostic> {
    let empty = Script::of([piece(hook, "")]);
    if let Err(error) = engine.compile(&empty.text) {
        let reason = fault::of_parse(error.err_type(), error.position()).message;
        let message = format!(
            "a word of rhai in the head of hook `{}`: {reason}",
            hook.name
        );
        return Some(
            Diagnostic::error(Code::HookName, hook.name_span, message)
                .help("rhai's own words, such as `fn`, `let`, `this`, name no hook or parameter"),
        );
    }
    let script = Script::of([piece(hook, hook.body)]);
    let fault = fault_of(engine, hook, &script)?;
    let offset = script.place(fault.position, 0).offset(hook.body);
    let length = token_length(&hook.body[offset..]);
    let start = hook.body_span.start as usize + offset;
    let span = Span::of(hook.body_span.file, start, start + length);
    let message = format!("hook `{}`: {}", hook.name, fault.message);
    Some(Diagnostic::error(Code::HookSyntax, span, message))
}

/// What is wrong with a body, read as a function and alone: a worker needs both.
fn fault_of(engine: &Engine, hook: &HookSource<'_>, script: &Script) -> Option<Fault> {
    let as_function = match engine.compile(&script.text) {
        Ok(ast) => ast,
        Err(error) => return Some(fault::of_parse(error.err_type(), error.position())),
    };
    let own = |name: &str| !name.starts_with("anon$");
    if as_function.iter_functions().filter(|f| own(f.name)).count() != 1 {
        return Some(Fault {
            message: "its body ends before its last brace".to_owned(),
            position: Position::NONE,
        });
    }
    let mut scope = Scope::new();
    for name in hook.parameters {
        scope.push_dynamic(name.as_str(), Dynamic::UNIT);
    }
    engine
        .compile_with_scope(&scope, script.alone(hook.body))
        .err()
        .map(|error| fault::of_parse(error.err_type(), error.position()))
}

fn piece<'a>(hook: &HookSource<'a>, body: &'a str) -> Piece<'a> {
    Piece {
        name: hook.name,
        parameters: hook.parameters,
        body,
    }
}

/// Bytes of the word or the single character that the text starts with.
fn token_length(text: &str) -> usize {
    let word = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    match word {
        0 => text.chars().next().map_or(0, char::len_utf8),
        length => length,
    }
}
