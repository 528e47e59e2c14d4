//! `engines install`, `engines remove`: engines that a package brings.

use std::path::{Path, PathBuf};

use crate::base::units::format_size;
use crate::cli::args::{InstallArgs, RemoveArgs};
use crate::cli::exit::Exit;
use crate::cli::output;
use crate::diagnostics::{Code, Diagnostic, Sources, did_you_mean};
use crate::engines::Presence;
use crate::engines::native::{PINS, Pin, home, pin};
use crate::engines::registry::{self, Known};
use crate::install::{Installer, Progress, Removed, StderrProgress, Stop, recipes};
use crate::plan::Plan;
use crate::run::interrupt::Interrupt;

/// All of them.
const ALL: &str = "all";

pub(super) fn install(args: &InstallArgs) -> Exit {
    let pins = match pins(&args.kinds) {
        Ok(pins) => pins,
        Err(error) => return refuse(error),
    };
    if args.from.is_some() && pins.len() > 1 {
        return refuse(
            Diagnostic::general(Code::GivenFile, "`--from` gives the package of one engine")
                .help("name that engine alone, such as `engines install realm --from FILE`"),
        );
    }
    // What the machine cannot have is no mistake where everything is asked for.
    let all = args.kinds.iter().any(|kind| kind == ALL);
    let (pins, others): (Vec<&Pin>, Vec<&Pin>) = pins
        .into_iter()
        .partition(|pin| !all || pin.architectures.contains(&std::env::consts::ARCH));
    for pin in others {
        output::say(&format!(
            "{}: its package has nothing for {}: left out",
            pin.kind,
            std::env::consts::ARCH
        ));
    }
    bring(&pins, args.from.as_deref(), args.jobs.map(usize::from))
}

/// Installs these, saying what is going on and what is wrong. One that fails
/// does not keep the others away.
pub(super) fn bring(pins: &[&Pin], from: Option<&Path>, jobs: Option<usize>) -> Exit {
    let home = match place() {
        Ok(home) => home,
        Err(error) => return refuse(error),
    };
    let interrupt = Interrupt::install();
    let interrupted = || interrupt.asked();
    let mut exit = Exit::Good;
    for pin in pins {
        let Some(recipe) = recipes::of(pin) else {
            continue;
        };
        let mut progress = StderrProgress::new();
        let mut installer = Installer {
            home: &home,
            jobs,
            progress: &mut progress,
            interrupted: &interrupted,
        };
        match installer.install(pin, recipe, from) {
            Ok(_) => {}
            Err(Stop::Interrupted) => return stopped(&mut progress),
            Err(Stop::Failed(errors)) => {
                drop(progress);
                exit = refuse_all(&errors);
            }
        }
    }
    exit
}

/// What a plan needs and a package brings, each once.
pub(super) fn needed(plan: &Plan) -> Vec<&'static Pin> {
    let mut needed: Vec<&'static Pin> = Vec::new();
    for row in &plan.engines {
        let can_be_brought = match registry::find(&row.kind) {
            Some(Known::Adapter(engine)) => {
                matches!(engine.presence(), Presence::NotInstalled(_))
            }
            _ => false,
        };
        if let Some(pin) = pin::of(&row.kind)
            && can_be_brought
            && !needed.contains(&pin)
        {
            needed.push(pin);
        }
    }
    needed
}

pub(super) fn remove(args: &RemoveArgs) -> Exit {
    let pins = match pins(&args.kinds) {
        Ok(pins) => pins,
        Err(error) => return refuse(error),
    };
    let home = match place() {
        Ok(home) => home,
        Err(error) => return refuse(error),
    };
    let interrupt = Interrupt::install();
    let mut progress = StderrProgress::new();
    for pin in pins {
        let removed = crate::install::remove(&home, pin.kind, &mut progress, &|| interrupt.asked());
        match removed {
            Ok(Removed { libraries: 0, .. }) => {
                progress.say(&format!("{}: nothing is installed", pin.kind));
            }
            Ok(removed) => progress.say(&format!(
                "{}: removed, {} freed",
                pin.kind,
                format_size(removed.bytes as f64)
            )),
            Err(Stop::Interrupted) => return stopped(&mut progress),
            Err(Stop::Failed(errors)) => return refuse_all(&errors),
        }
    }
    Exit::Good
}

/// The pins of these names, each once, in the order of the first mention.
fn pins(kinds: &[String]) -> Result<Vec<&'static Pin>, Diagnostic> {
    let mut pins: Vec<&'static Pin> = Vec::new();
    for kind in kinds {
        let named: Vec<&'static Pin> = match pin::of(kind) {
            Some(pin) => vec![pin],
            None if kind == ALL => PINS.iter().collect(),
            None => return Err(unknown(kind)),
        };
        for pin in named {
            if !pins.contains(&pin) {
                pins.push(pin);
            }
        }
    }
    Ok(pins)
}

fn unknown(kind: &str) -> Diagnostic {
    let names: Vec<&str> = PINS.iter().map(|pin| pin.kind).chain([ALL]).collect();
    let message = if registry::find(kind).is_some() {
        format!("{kind} is not brought by a package: there is nothing to install or remove")
    } else {
        format!("there is no engine `{kind}` that a package brings")
    };
    Diagnostic::general(Code::InstallUnknown, message).help(
        did_you_mean(kind, names.iter().copied())
            .unwrap_or_else(|| format!("there are {}", names.join(", "))),
    )
}

/// The home, absolute: clients work in another directory.
fn place() -> Result<PathBuf, Diagnostic> {
    let home = home().map(|home| std::path::absolute(&home).unwrap_or(home));
    home.ok_or_else(|| {
        Diagnostic::general(
            Code::HomeUnusable,
            "there is no place for engines: neither PERSIST_LAB_HOME nor HOME is set",
        )
        .help("name a directory with PERSIST_LAB_HOME")
    })
}

fn stopped(progress: &mut StderrProgress) -> Exit {
    progress.say("stopped; what was begun is cleared away");
    Exit::Interrupted
}

fn refuse(error: Diagnostic) -> Exit {
    refuse_all(&[error])
}

fn refuse_all(errors: &[Diagnostic]) -> Exit {
    let typed = |error: &Diagnostic| matches!(error.code, Code::InstallUnknown | Code::GivenFile);
    output::diagnostics(errors, &Sources::new());
    if errors.iter().any(typed) {
        Exit::Wrong
    } else {
        Exit::Environment
    }
}
