//! `check FILE…`

use serde::Serialize;

use crate::cli::args::{Changes, CheckArgs, CheckFormat, Emit};
use crate::cli::exit::Exit;
use crate::cli::{find, output, set};
use crate::diagnostics::{self, JsonDiagnostic, Severity, Sources};
use crate::lower;
use crate::syntax;

/// What `--format json` prints; `docs/json.md` describes it.
#[derive(Serialize)]
struct Findings {
    format: &'static str,
    version: u32,
    /// Whether no file has an error.
    good: bool,
    diagnostics: Vec<JsonDiagnostic>,
}

pub(super) fn check(args: &CheckArgs) -> Exit {
    let mut findings = Findings {
        format: "persist-lab diagnostics",
        version: 1,
        good: true,
        diagnostics: Vec::new(),
    };
    for file in &args.files {
        if args.emit == Some(Emit::Ast) {
            emit_ast(file, args, &mut findings);
            continue;
        }
        let mut checked = find::checked(file);
        let plan = match (&checked.experiment, checked.has_errors()) {
            // A point can be wrong too: lowering sees what checking cannot.
            (Some(experiment), false) => {
                let plan = set::overrides(&Changes::default(), experiment)
                    .and_then(|overrides| lower::lower(experiment, &overrides));
                match plan {
                    Ok(plan) => Some(plan),
                    Err(errors) => {
                        checked.diagnostics.extend(errors);
                        None
                    }
                }
            }
            _ => None,
        };
        found(&checked.diagnostics, &checked.sources, args, &mut findings);
        if checked.has_errors() {
            continue;
        }
        match args.emit {
            Some(Emit::Model) => emit(&checked.experiment),
            Some(Emit::Plan) => emit(&plan),
            Some(Emit::Ast) | None => {}
        }
    }
    if args.format == CheckFormat::Json && args.emit.is_none() {
        emit(&findings);
    } else if findings.good && args.emit.is_none() {
        output::say(&format!(
            "{} checked, nothing wrong",
            counted(args.files.len(), "file")
        ));
    } else if args.emit.is_none() {
        output::say(&total(&findings.diagnostics, args.files.len()));
    }
    if findings.good {
        Exit::Good
    } else {
        Exit::Wrong
    }
}

/// `3 errors and 1 warning in 2 files`
fn total(diagnostics: &[JsonDiagnostic], files: usize) -> String {
    let count = |severity: Severity, word: &str| {
        let number = diagnostics
            .iter()
            .filter(|d| d.severity == severity)
            .count();
        counted(number, word)
    };
    let errors = count(Severity::Error, "error");
    let files = counted(files, "file");
    match count(Severity::Warning, "warning") {
        warnings if warnings.starts_with("0 ") => format!("{errors} in {files}"),
        warnings => format!("{errors} and {warnings} in {files}"),
    }
}

fn counted(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// The tree of a file, mistakes or not: it is what the parser made of them.
fn emit_ast(file: &std::path::Path, args: &CheckArgs, findings: &mut Findings) {
    let text = match find::text(file) {
        Ok(text) => text,
        Err(error) => {
            output::say(&format!("error: cannot read {}: {error}", file.display()));
            findings.good = false;
            return;
        }
    };
    let mut sources = Sources::new();
    let id = sources.add(file.display().to_string(), text.clone());
    let syntax::Parsed {
        file: tree,
        diagnostics,
    } = syntax::parse(id, &text);
    found(&diagnostics, &sources, args, findings);
    emit(&tree);
}

fn found(
    diagnostics: &[crate::diagnostics::Diagnostic],
    sources: &Sources,
    args: &CheckArgs,
    findings: &mut Findings,
) {
    findings.good &= !diagnostics::has_errors(diagnostics);
    findings
        .diagnostics
        .extend(diagnostics::json(diagnostics, sources));
    if args.format == CheckFormat::Text || args.emit.is_some() {
        output::diagnostics(diagnostics, sources);
    }
}

/// As JSON on standard output.
fn emit(value: &impl Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => output::data(&format!("{text}\n")),
        Err(error) => output::say(&format!("error: cannot write as JSON: {error}")),
    }
}
