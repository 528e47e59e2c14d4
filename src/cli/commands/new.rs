//! `new NAME`: a starter file.

use std::io::Write;
use std::path::PathBuf;

use crate::cli::args::NewArgs;
use crate::cli::exit::Exit;
use crate::cli::output;

/// Checked and run by the tests.
pub const STARTER: &str = include_str!("starter.exp");
/// The title that the name replaces.
const TITLE: &str = "My experiment";

pub(super) fn new(args: &NewArgs) -> Exit {
    let path = with_extension(&args.name);
    let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else {
        output::say("error: the name of an experiment is text, such as `persist-lab new notes`");
        return Exit::Wrong;
    };
    // Inside a text on one line: quotes and braces would be read.
    let title = stem.replace(|c: char| c.is_control() || r#""\{}"#.contains(c), "");
    let text = STARTER.replacen(TITLE, &title, 1);
    let made = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    let shown = path.display();
    match made {
        Ok(()) => {
            output::say(&format!(
                "wrote {shown}; run it with `persist-lab run {} --quick`",
                word(&shown.to_string())
            ));
            Exit::Good
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            output::say(&format!(
                "error: {shown} is there already, and is left as it is"
            ));
            Exit::Environment
        }
        Err(error) => {
            output::say(&format!("error: cannot write {shown}: {error}"));
            Exit::Environment
        }
    }
}

/// As one word for a shell.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    if text.chars().all(plain) && !text.starts_with('-') {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

fn with_extension(name: &std::path::Path) -> PathBuf {
    if name.extension().is_some_and(|e| e == "exp") {
        name.to_owned()
    } else {
        let mut name = name.as_os_str().to_owned();
        name.push(".exp");
        PathBuf::from(name)
    }
}
