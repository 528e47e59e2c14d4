//! Package clients: npm and pip, as they are set up on this machine.

use std::path::{Path, PathBuf};

use super::fault::{self, tail};
use super::installer::Stop;
use super::log::Log;
use super::tool::{Ended, Tool, run, status_words};
use crate::diagnostics::{Code, Diagnostic};
use crate::engines::native::pin::{Client, Pin};

/// What a wheel is built for; also right where pip itself is older than the wheel.
const PLATFORM: &str = "manylinux_2_28_x86_64";

/// The client of a pin, if it is there.
///
/// # Errors
/// [`Code::ClientMissing`]
pub fn find(pin: &Pin) -> Result<Tool, Diagnostic> {
    let candidates: &[&[&str]] = match pin.client {
        Client::Npm => &[&["npm"]],
        Client::Pip => &[
            &["pip"],
            &["pip3"],
            &["python3", "-m", "pip"],
            &["python", "-m", "pip"],
        ],
    };
    let words = |words: &&[&str]| words.iter().map(|&word| word.to_owned()).collect();
    Tool::first(candidates.iter().map(words)).ok_or_else(|| missing(pin))
}

fn missing(pin: &Pin) -> Diagnostic {
    let (name, package) = match pin.client {
        Client::Npm => ("npm", "npm"),
        Client::Pip => ("pip", "python3-pip"),
    };
    Diagnostic::general(
        Code::ClientMissing,
        format!(
            "{name} is not here, which fetches {} from the package {} {}",
            pin.kind, pin.package, pin.package_version
        ),
    )
    .help(format!(
        "`apt-get install {package}` brings it on Debian and Ubuntu; or fetch the package elsewhere and give it with `engines install {} --from FILE`",
        pin.kind
    ))
}

/// Fetches the package of a pin into an empty directory.
///
/// # Errors
/// [`Code::DownloadFailed`] where the client fails or leaves nothing.
pub fn fetch(
    client: &Tool,
    pin: &Pin,
    into: &Path,
    log: &Log,
    interrupted: &dyn Fn() -> bool,
) -> Result<PathBuf, Stop> {
    let mut command = client.command();
    match pin.client {
        Client::Npm => {
            command
                .args([
                    "pack",
                    "--ignore-scripts",
                    "--loglevel=warn",
                    "--no-update-notifier",
                ])
                .arg("--pack-destination")
                .arg(into)
                .arg(format!("{}@{}", pin.package, pin.package_version));
        }
        Client::Pip => {
            command
                .args(["download", "--no-deps", "--only-binary=:all:"])
                .args(["--platform", PLATFORM])
                .args([
                    "--no-input",
                    "--disable-pip-version-check",
                    "--progress-bar=off",
                ])
                .arg("--dest")
                .arg(into)
                .arg(format!("{}=={}", pin.package, pin.package_version));
        }
    }
    // Not where a project's own settings of the client may lie.
    command.current_dir(into);
    log.add(&format!("{command:?}\n"));
    let said = into.with_extension("said");
    let (status, text) = match run(&mut command, &said, interrupted) {
        Ok(Ended::Status(status, text)) => (status, text),
        Ok(Ended::Interrupted) => return Err(Stop::Interrupted),
        Err(error) => return Err(fault::home(into, &error).into()),
    };
    log.add(&text);
    let brought = first_file(into).map_err(|error| fault::home(into, &error))?;
    match brought {
        Some(package) if status.success() => Ok(package),
        _ => Err(Diagnostic::general(
            Code::DownloadFailed,
            format!(
                "{} did not bring {} {}: it {}\n{}",
                client.name(),
                pin.package,
                pin.package_version,
                status_words(status),
                tail(&text, 5)
            ),
        )
        .help(format!(
            "the network, or the client's own settings; all that it said is in {}",
            log.path().display()
        ))
        .into()),
    }
}

fn first_file(directory: &Path) -> std::io::Result<Option<PathBuf>> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            return Ok(Some(entry.path()));
        }
    }
    Ok(None)
}

/// What a person types to fetch the package of a pin.
pub fn command_words(pin: &Pin) -> String {
    match pin.client {
        Client::Npm => format!("`npm pack {}@{}`", pin.package, pin.package_version),
        Client::Pip => format!(
            "`pip download --no-deps --only-binary=:all: --platform {PLATFORM} {}=={}`",
            pin.package, pin.package_version
        ),
    }
}
