//! `fmt FILE…`

use std::path::Path;

use crate::check;
use crate::cli::args::FmtArgs;
use crate::cli::exit::Exit;
use crate::cli::output;
use crate::diagnostics::{Sources, has_errors};
use crate::syntax;

pub(super) fn fmt(args: &FmtArgs) -> Exit {
    let mut worst = Exit::Good;
    for file in &args.files {
        let exit = one(file, args.check);
        // A wrong file outweighs an unformatted one, an unwritable one both.
        if rank(exit) > rank(worst) {
            worst = exit;
        }
    }
    worst
}

fn rank(exit: Exit) -> u8 {
    match exit {
        Exit::Good => 0,
        Exit::Bad => 1,
        Exit::Wrong => 2,
        Exit::Environment | Exit::Interrupted => 3,
    }
}

fn one(file: &Path, only_check: bool) -> Exit {
    let shown = file.display();
    let mut sources = Sources::new();
    let text = match check::read(file, &check::Disk) {
        Ok(text) => text,
        Err(error) => {
            output::diagnostics(&[error], &sources);
            return Exit::Wrong;
        }
    };
    let id = sources.add(shown.to_string(), text.clone());
    let syntax::Parsed {
        file: tree,
        diagnostics,
    } = syntax::parse(id, &text);
    if has_errors(&diagnostics) {
        output::diagnostics(&diagnostics, &sources);
        return Exit::Wrong;
    }
    let formatted = syntax::format(&tree);
    if formatted == text {
        return Exit::Good;
    }
    if only_check {
        output::data(&format!("{shown}\n"));
        return Exit::Bad;
    }
    match replace(file, &formatted) {
        Ok(()) => Exit::Good,
        Err(error) => {
            output::say(&format!("error: cannot write {shown}: {error}"));
            Exit::Environment
        }
    }
}

/// Writes beside the file and renames: a full disk must not eat an experiment.
fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    // Through a link, the file that it points to.
    let file = std::fs::canonicalize(file)?;
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = file.with_file_name(name);
    let written = std::fs::write(&beside, text)
        .and_then(|()| std::fs::set_permissions(&beside, std::fs::metadata(&file)?.permissions()))
        .and_then(|()| std::fs::rename(&beside, &file));
    if written.is_err() {
        // Best effort: the first error is the one to tell.
        let _ = std::fs::remove_file(&beside);
    }
    written
}
