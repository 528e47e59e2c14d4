//! What went wrong in a script, in the author's words.

use rhai::{EvalAltResult, ParseErrorType, Position};

use super::{limits, sandbox};

/// What went wrong, and where in the script.
#[derive(Debug)]
pub(super) struct Fault {
    pub message: String,
    pub position: Position,
}

/// The innermost cause, with the innermost known place.
pub(super) fn of_run(error: &EvalAltResult) -> Fault {
    let position = error.position();
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _)
        | EvalAltResult::ErrorInModule(_, inner, _) => {
            let mut fault = of_run(inner);
            if fault.position.is_none() {
                fault.position = position;
            }
            fault
        }
        cause => Fault {
            message: words(cause),
            position,
        },
    }
}

/// A syntax error.
pub(super) fn of_parse(kind: &ParseErrorType, position: Position) -> Fault {
    let message = match kind {
        ParseErrorType::VariableUndefined(name) => no_variable(name),
        ParseErrorType::ExprTooDeep => format!(
            "nests expressions deeper than its limit of {}",
            limits::MAX_EXPRESSION_DEPTH
        ),
        ParseErrorType::TooManyFunctions => {
            format!("holds more than {} functions", limits::MAX_FUNCTIONS)
        }
        ParseErrorType::Reserved(word) => absent(word),
        ParseErrorType::UnknownOperator(word) => absent(word),
        ParseErrorType::UnexpectedEOF => "ends in the middle of something".to_owned(),
        other => lower_first(&other.to_string()),
    };
    Fault { message, position }
}

fn absent(word: &str) -> String {
    match word {
        "**" | "**=" => format!("`{word}` is not to be had in a hook; `pow(x, y)` is"),
        _ => format!("`{word}` is not to be had in a hook"),
    }
}

fn words(error: &EvalAltResult) -> String {
    match error {
        EvalAltResult::ErrorTooManyOperations(_) => over_operations(),
        EvalAltResult::ErrorTerminated(token, _) => match token.as_int() {
            Ok(sandbox::OVER_TIME) => {
                format!("ran over its limit of {} s", limits::DEADLINE.as_secs())
            }
            _ => over_operations(),
        },
        EvalAltResult::ErrorStackOverflow(_) => format!(
            "calls itself or others deeper than its limit of {}",
            limits::MAX_CALL_DEPTH
        ),
        EvalAltResult::ErrorTooManyVariables(_) => format!(
            "holds more variables than its limit of {}",
            limits::MAX_VARIABLES
        ),
        EvalAltResult::ErrorDataTooLarge(what, _) => too_large(what),
        EvalAltResult::ErrorParsing(kind, position) => of_parse(kind, *position).message,
        EvalAltResult::ErrorVariableNotFound(name, _) => no_variable(name),
        EvalAltResult::ErrorPropertyNotFound(name, _) => format!("there is no field `{name}`"),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => {
            format!("no function fits `{}`", types(signature))
        }
        EvalAltResult::ErrorRuntime(thrown, _) => format!("throws {thrown}"),
        EvalAltResult::ErrorArithmetic(what, _) => lower_first(what),
        other => types(&without_place(other)),
    }
}

fn over_operations() -> String {
    format!(
        "ran over its limit of {} operations",
        limits::MAX_OPERATIONS
    )
}

fn no_variable(name: &str) -> String {
    format!("there is no variable `{name}`")
}

/// rhai's words for what grew are "Length of string", "Size of array/BLOB", "Size of object map".
fn too_large(what: &str) -> String {
    if what.contains("string") {
        format!(
            "a text grew over the limit of {} bytes",
            limits::MAX_STRING_BYTES
        )
    } else if what.contains("map") {
        format!(
            "a map grew over the limit of {} entries",
            limits::MAX_MAP_ENTRIES
        )
    } else {
        format!(
            "an array grew over the limit of {} elements",
            limits::MAX_ARRAY_LENGTH
        )
    }
}

/// rhai's message without the place, which is one in the script.
fn without_place(error: &EvalAltResult) -> String {
    let text = error.to_string();
    let text = text
        .rsplit_once(" (line ")
        .map_or(text.as_str(), |(message, _)| message);
    lower_first(text)
}

/// Names of types as the language has them.
fn types(text: &str) -> String {
    text.replace("&str | ImmutableString | String", "text")
        .replace("i64", "int")
        .replace("f64", "float")
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_lowercase().chain(chars).collect())
        .unwrap_or_default()
}
