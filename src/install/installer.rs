//! From a pin to an installed library.

use std::fs::File;
use std::path::Path;

use super::build;
use super::client;
use super::compiler::{self, Compilers};
use super::elapsed::Since;
use super::fault;
use super::hash;
use super::log::Log;
use super::place::{Made, place};
use super::progress::Progress;
use super::recipe::{Library, Recipe};
use super::space;
use super::staging::Staging;
use super::tool::Tool;
use super::unpack::unpack;
use crate::base::units::format_size;
use crate::diagnostics::{Code, Diagnostic};
use crate::engines::native::Pin;
use crate::engines::native::installed::{directory, find_in, library_name};

/// What an install came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is there now.
    Installed,
    /// It was there.
    AlreadyThere,
}

/// Why an install ended before its end. Nothing of it is left behind.
#[derive(Debug)]
pub enum Stop {
    /// Someone asked for it.
    Interrupted,
    /// Something failed; all that is known to be wrong.
    Failed(Vec<Diagnostic>),
}

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Stop {
        Stop::Failed(vec![diagnostic])
    }
}

/// Installs below one home.
pub struct Installer<'i> {
    /// The user's home of this program.
    pub home: &'i Path,
    /// Compiles at a time; `None`: as many as the machine has processors and memory for.
    pub jobs: Option<usize>,
    /// Told of what is going on.
    pub progress: &'i mut dyn Progress,
    /// Whether to stop.
    pub interrupted: &'i (dyn Fn() -> bool + Sync),
}

impl Installer<'_> {
    /// Installs what a pin names, from its client or from a file at hand.
    ///
    /// # Errors
    /// [`Stop::Failed`] with a code from [`Code::InstallArchitecture`] to [`Code::GivenFile`].
    pub fn install(
        &mut self,
        pin: &Pin,
        recipe: &Recipe,
        from: Option<&Path>,
    ) -> Result<Outcome, Stop> {
        if self.there(pin) {
            return Ok(Outcome::AlreadyThere);
        }
        if !pin.architectures.contains(&std::env::consts::ARCH) {
            return Err(Diagnostic::general(
                Code::InstallArchitecture,
                format!(
                    "the package of {} has nothing for {}",
                    pin.kind,
                    std::env::consts::ARCH
                ),
            )
            .help(format!(
                "it has something for {}",
                pin.architectures.join(", ")
            ))
            .into());
        }
        let since = Since::now();
        let given = from.map(|path| given(path, pin)).transpose()?;
        let (client, compilers) = tools(pin, recipe, given.is_some())?;

        let staging = Staging::make(self.home, self.progress, self.interrupted)?;
        // Another install may have brought it meanwhile.
        if find_in(self.home, pin).is_some() {
            self.progress
                .say(&format!("{}: another install has brought it", pin.kind));
            return Ok(Outcome::AlreadyThere);
        }
        space::check(self.home, recipe.disk_bytes)?;
        let log = Log::begin(self.home, pin.kind).map_err(|e| fault::home(self.home, &e))?;

        let mut package = match (given, client) {
            (Some(file), _) => file,
            (None, Some(client)) => {
                self.progress.say(&format!(
                    "{}: fetching {} {} ({}) with {}",
                    pin.kind,
                    pin.package,
                    pin.package_version,
                    format_size(recipe.package_bytes as f64),
                    client.name()
                ));
                let into = staging.directory("package")?;
                let path = client::fetch(&client, pin, &into, &log, self.interrupted)?;
                let file = File::open(&path).map_err(|error| fault::home(&path, &error))?;
                self.check_hash(&file, pin)?;
                file
            }
            (None, None) => return Err(fault::package(pin.package, "it was not fetched").into()),
        };

        let source = staging.directory("source")?;
        let made = staging.directory("made")?;
        self.progress.say(&format!("{}: unpacking", pin.kind));
        unpack(&mut package, pin, recipe, &source, &made)?;
        let how = match (recipe.library, compilers) {
            (Library::Built(recipe), Some(compilers)) => {
                let task = build::Task {
                    kind: pin.kind,
                    recipe: &recipe,
                    compilers: &compilers,
                    source: &source,
                    work: &staging.directory("build")?,
                    library: &made.join(library_name(pin)),
                    jobs: self.jobs,
                    log: &log,
                };
                task.run(self.progress, self.interrupted)?
            }
            _ => Made::default(),
        };
        if (self.interrupted)() {
            return Err(Stop::Interrupted);
        }
        let aside = staging.directory("aside")?;
        place(self.home, pin, &made, how, &aside.join("old"))
            .map_err(|error| fault::home(self.home, &error))?;
        self.progress.say(&format!(
            "{}: {} installed in {}, {}",
            pin.kind,
            pin.engine_version,
            directory(self.home, pin).display(),
            since.words()
        ));
        Ok(Outcome::Installed)
    }

    fn there(&mut self, pin: &Pin) -> bool {
        let there = find_in(self.home, pin).is_some();
        if there {
            self.progress.say(&format!(
                "{}: {} is installed already in {}",
                pin.kind,
                pin.engine_version,
                directory(self.home, pin).display()
            ));
        }
        there
    }

    fn check_hash(&mut self, file: &File, pin: &Pin) -> Result<(), Stop> {
        let found =
            hash::of(file, pin.package_hash).map_err(|error| fault::package(pin.package, error))?;
        if found == pin.package_hash {
            return Ok(());
        }
        Err(Diagnostic::general(
            Code::WrongHash,
            format!(
                "the client brought {} {}, but its hash is not the pinned one: nothing of it is used\n  pinned {}\n  found  {found}",
                pin.package, pin.package_version, pin.package_hash
            ),
        )
        .help("the registry or a proxy on the way gave something else; do not go on with it")
        .into())
    }
}

/// A package at hand, if it is the pinned one.
fn given(path: &Path, pin: &Pin) -> Result<File, Diagnostic> {
    let wrong = |why: String| {
        Diagnostic::general(
            Code::GivenFile,
            format!("cannot take `{}`: {why}", path.display()),
        )
        .help(format!(
            "it must be the package {} {} as {} brings it",
            pin.package,
            pin.package_version,
            client::command_words(pin)
        ))
    };
    let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
    let found = hash::of(&file, pin.package_hash).map_err(|error| wrong(error.to_string()))?;
    if found != pin.package_hash {
        return Err(wrong(format!(
            "its hash is not that of {} {}\n  pinned {}\n  found  {found}",
            pin.package, pin.package_version, pin.package_hash
        )));
    }
    Ok(file)
}

/// The programs that are needed; all that are missing at once, and before
/// anything is fetched.
fn tools(
    pin: &Pin,
    recipe: &Recipe,
    given: bool,
) -> Result<(Option<Tool>, Option<Compilers>), Stop> {
    let client = (!given).then(|| client::find(pin)).transpose();
    let compilers = match recipe.library {
        Library::Inside(_) => Ok(None),
        Library::Built(_) => compiler::find(pin.kind).map(Some),
    };
    match (client, compilers) {
        (Ok(client), Ok(compilers)) => Ok((client, compilers)),
        (client, compilers) => Err(Stop::Failed(
            client.err().into_iter().chain(compilers.err()).collect(),
        )),
    }
}
