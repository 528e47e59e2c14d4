//! `engines`: what is here, and how to get what is missing.

use crate::base::Value;
use crate::base::units::format_size;
use crate::cli::exit::Exit;
use crate::cli::output;
use crate::engines::native::pin::{self, Client, Pin};
use crate::engines::native::{home, installed};
use crate::engines::{Engine, OptionKind, Options, registry, tested};
use crate::report::terminal::wrap;
use crate::report::words::tier_long;

pub(super) fn engines() -> Exit {
    let width = output::table_style().width;
    let mut out = String::new();
    for engine in registry::adapters() {
        here(*engine, width, &mut out);
        out.push('\n');
    }
    for engine in registry::missing() {
        let fidelity = format!("{:?}", engine.fidelity).to_lowercase();
        wrap(
            &format!("{} ({fidelity}): {}", engine.kind, engine.about),
            2,
            width,
            &mut out,
        );
        wrap(&format!("  {}", engine.how), 2, width, &mut out);
    }
    if let Some(home) = home() {
        out.push('\n');
        let place = home.join("engines");
        wrap(
            &format!("what `engines install` brings lies in {}", place.display()),
            2,
            width,
            &mut out,
        );
    }
    output::data(&out);
    Exit::Good
}

fn here(engine: &dyn Engine, width: usize, out: &mut String) {
    let fidelity = format!("{:?}", engine.fidelity()).to_lowercase();
    let tier = engine.tier(&Options::new());
    wrap(
        &format!(
            "{} {} ({fidelity}): {}",
            engine.kind(),
            engine.version(),
            engine.about()
        ),
        2,
        width,
        out,
    );
    if let Some(how) = engine.presence().missing() {
        wrap(&format!("  {how}"), 4, width, out);
    }
    if let Some(pin) = pin::of(engine.kind()) {
        wrap(&format!("  {}", package_words(pin)), 4, width, out);
    }
    wrap(
        &format!(
            "  at its defaults {}",
            tier_long(tier, tested::tier(engine))
        ),
        4,
        width,
        out,
    );
    let capabilities = engine.capabilities();
    let lacks: Vec<&str> = [
        (capabilities.persistent, "files"),
        (capabilities.instantiate, "an object layer (`instantiate`)"),
        (capabilities.compact, "compaction"),
        (capabilities.checkpoint, "checkpoints"),
        (capabilities.update_by_statement, "updates by statement"),
        (
            engine.atomic_commit(),
            "transactions of its own (a kill in the middle of a commit leaves a part of it)",
        ),
    ]
    .into_iter()
    .filter_map(|(has, what)| (!has).then_some(what))
    .collect();
    if !lacks.is_empty() {
        wrap(&format!("  without {}", lacks.join(", ")), 4, width, out);
    }
    let widest = engine
        .options()
        .iter()
        .map(|option| option.name.len())
        .max()
        .unwrap_or(0);
    for option in engine.options() {
        wrap(
            &format!(
                "  {:widest$}  {}; default {}; {}",
                option.name,
                takes(option.kind),
                option.default,
                option.about
            ),
            widest + 4,
            width,
            out,
        );
    }
}

/// What brings an engine, and how what is installed was made.
fn package_words(pin: &Pin) -> String {
    let client = match pin.client {
        Client::Npm => "npm",
        Client::Pip => "pip",
    };
    let package = format!(
        "{client} package {} {}; licence: {}",
        pin.package, pin.package_version, pin.licence
    );
    match installed::find(pin) {
        None => format!("would come from {package}"),
        Some(installed) => format!(
            "installed from {package}; {}, {}",
            match &installed.provenance.compiler {
                Some(compiler) => format!("built by {compiler}"),
                None => "built by its maker".to_owned(),
            },
            format_size(installed.provenance.library_bytes as f64)
        ),
    }
}

/// What an option takes, in the language's words.
fn takes(kind: OptionKind) -> String {
    match kind {
        OptionKind::Symbol(symbols) => symbols.join(" | "),
        OptionKind::Int { low, high } => format!(
            "{}..{}",
            crate::report::words::value_words(&Value::Int(low)),
            crate::report::words::value_words(&Value::Int(high))
        ),
        OptionKind::Size { low, high } => format!(
            "a size, {} to {}",
            format_size(low as f64),
            format_size(high as f64)
        ),
        OptionKind::Duration => "a time".into(),
        OptionKind::Bool => "true | false".into(),
    }
}
