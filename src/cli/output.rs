//! Standard output and error.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::diagnostics::{Diagnostic, Sources, Style, render_all};
use crate::report::terminal::{self, DEFAULT_WIDTH};

/// Whether standard output refused data: what was written is not whole.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Whether all data reached standard output, or a reader that went away.
pub fn whole() -> bool {
    !REFUSED.load(Ordering::Relaxed)
}

/// Writes data to standard output. A reader that went away is no error.
pub fn data(text: &str) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        REFUSED.store(true, Ordering::Relaxed);
        say(&format!("cannot write to standard output: {error}"));
    }
}

/// Says something on standard error.
pub fn say(text: &str) {
    // Nobody is left to be told of a failure here.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Diagnostics on standard error, the source lines marked.
pub fn diagnostics(diagnostics: &[Diagnostic], sources: &Sources) {
    let style = if colour(&io::stderr()) {
        Style::Colour
    } else {
        Style::Plain
    };
    let text = render_all(diagnostics, sources, style);
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// How tables are drawn on standard output.
pub fn table_style() -> terminal::Style {
    let stdout = io::stdout();
    let width = columns().unwrap_or_else(|| {
        stdout
            .is_terminal()
            .then(|| comfy_table::Table::new().width())
            .flatten()
            .map_or(DEFAULT_WIDTH, usize::from)
    });
    terminal::Style {
        width,
        colour: colour(&stdout),
    }
}

/// The width that COLUMNS asks for, if it is one.
fn columns() -> Option<usize> {
    let asked = std::env::var("COLUMNS").ok()?.trim().parse().ok()?;
    (20..=10_000).contains(&asked).then_some(asked)
}

fn colour(stream: &impl IsTerminal) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    stream.is_terminal() && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}
