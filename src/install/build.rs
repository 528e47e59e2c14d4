//! Compiling and linking.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

use super::compiler::Compilers;
use super::fault::{self, tail};
use super::inside;
use super::installer::Stop;
use super::log::Log;
use super::parallel;
use super::place::Made;
use super::progress::Progress;
use super::recipe::Build;
use super::tool::{Ended, Tool, run, status_words};
use crate::diagnostics::{Code, Diagnostic};

/// A library to be compiled.
pub struct Task<'t> {
    pub kind: &'t str,
    pub recipe: &'t Build,
    pub compilers: &'t Compilers,
    /// The package's sources.
    pub source: &'t Path,
    /// An empty directory for objects and our own files.
    pub work: &'t Path,
    /// Where the library goes.
    pub library: &'t Path,
    /// Compiles at a time; `None`: as the machine allows.
    pub jobs: Option<usize>,
    pub log: &'t Log,
}

/// One file to compile.
struct Unit {
    source: PathBuf,
    object: PathBuf,
    name: &'static str,
}

/// A program that failed: its name, how it ended, what it said.
struct Failure {
    what: String,
    how: String,
    said: String,
}

enum Report {
    Compiled,
    Failed(Failure),
    Interrupted,
    Broken(io::Error),
}

impl Task<'_> {
    /// Compiles all, links, and says how it was done.
    pub fn run(
        &self,
        progress: &mut dyn Progress,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Made, Stop> {
        let units = self
            .units()
            .map_err(|error| fault::home(self.work, &error))?;
        let objects: Vec<PathBuf> = units.iter().map(|unit| unit.object.clone()).collect();
        let jobs = self
            .jobs
            .unwrap_or_else(|| parallel::jobs(self.recipe.job_bytes))
            .clamp(1, units.len().max(1));
        progress.say(&format!(
            "{}: compiling {} files, {jobs} at a time, with {}",
            self.kind,
            units.len(),
            self.compilers.cxx.version
        ));
        self.log.add(&format!(
            "{}\n{}\n",
            self.compilers.cxx.version, self.compilers.c.version
        ));
        self.compile(units, jobs, progress, interrupted)?;
        progress.say(&format!("{}: linking", self.kind));
        self.link(&objects, interrupted)?;
        let flags = [
            self.recipe.flags,
            self.recipe.cxx_flags,
            self.recipe.link_flags,
        ]
        .concat();
        Ok(Made {
            compiler: Some(self.compilers.cxx.version.clone()),
            flags: flags.into_iter().map(str::to_owned).collect(),
        })
    }

    /// Writes our own files and lists what is to be compiled.
    fn units(&self) -> io::Result<Vec<Unit>> {
        let own = self.work.join("own");
        let mut units = Vec::new();
        let mut add = |source: PathBuf, name| {
            let object = self.work.join(format!("{}.o", units.len()));
            units.push(Unit {
                source,
                object,
                name,
            });
        };
        for name in self.recipe.sources() {
            add(self.source.join(name), name);
        }
        for file in self.recipe.own {
            let path = inside::below(&own, file.path).ok_or(io::ErrorKind::InvalidFilename)?;
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(&path, file.text)?;
            if file.path.ends_with(".cpp") {
                add(path, file.path);
            }
        }
        Ok(units)
    }

    fn compile(
        &self,
        units: Vec<Unit>,
        jobs: usize,
        progress: &mut dyn Progress,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), Stop> {
        let total = units.len();
        let words = format!("{}: compiled", self.kind);
        let waiting = Mutex::new(VecDeque::from(units));
        // One failure ends them all: the others would only delay its message.
        let stop = AtomicBool::new(false);
        let stopped = || stop.load(Ordering::Relaxed) || interrupted();
        let (sender, reports) = channel();
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                let sender = sender.clone();
                scope.spawn(|| self.worker(&waiting, &stopped, sender));
            }
            drop(sender);
            let mut done = 0;
            let mut end = Ok(());
            for report in reports {
                let wrong = match report {
                    Report::Compiled => {
                        done += 1;
                        progress.count(&words, done, total);
                        continue;
                    }
                    Report::Failed(failure) => self.refused(&failure).into(),
                    Report::Broken(error) => fault::home(self.work, &error).into(),
                    Report::Interrupted => Stop::Interrupted,
                };
                stop.store(true, Ordering::Relaxed);
                // The first is the cause; the others were stopped for it.
                if end.is_ok() {
                    end = Err(wrong);
                }
            }
            end
        })
    }

    /// Compiles until nothing waits or all is to stop.
    fn worker(
        &self,
        waiting: &Mutex<VecDeque<Unit>>,
        stopped: &(dyn Fn() -> bool + Sync),
        sender: Sender<Report>,
    ) {
        while !stopped() {
            let unit = waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .pop_front();
            let Some(unit) = unit else { return };
            let report = self.one(&unit, stopped);
            let last = !matches!(report, Report::Compiled);
            if sender.send(report).is_err() || last {
                return;
            }
        }
        // Nobody may be listening any more.
        let _ = sender.send(Report::Interrupted);
    }

    fn one(&self, unit: &Unit, stopped: &dyn Fn() -> bool) -> Report {
        let cxx = unit.name.ends_with(".cpp");
        let tool = if cxx {
            &self.compilers.cxx
        } else {
            &self.compilers.c
        };
        let mut command = tool.command();
        command.args(self.recipe.flags);
        if cxx {
            command.args(self.recipe.cxx_flags);
        }
        command.arg("-I").arg(self.work.join("own"));
        for include in self.recipe.includes {
            command.arg("-I").arg(self.source.join(include));
        }
        command
            .arg("-c")
            .arg(&unit.source)
            .arg("-o")
            .arg(&unit.object);
        self.call(tool, command, unit.name, &unit.object, stopped)
    }

    fn link(&self, objects: &[PathBuf], interrupted: &dyn Fn() -> bool) -> Result<(), Stop> {
        let tool = &self.compilers.cxx;
        let mut command = tool.command();
        command.arg("-o").arg(self.library).args(objects);
        // Last: libraries among them serve what stands before.
        command.args(self.recipe.link_flags);
        let said = self.work.join("link");
        match self.call(tool, command, "the library", &said, interrupted) {
            Report::Compiled => Ok(()),
            Report::Failed(failure) => Err(self.refused(&failure).into()),
            Report::Broken(error) => Err(fault::home(self.work, &error).into()),
            Report::Interrupted => Err(Stop::Interrupted),
        }
    }

    fn call(
        &self,
        tool: &Tool,
        mut command: Command,
        what: &str,
        beside: &Path,
        stopped: &dyn Fn() -> bool,
    ) -> Report {
        // A compiler that is killed leaves its temporary files where they are cleared away.
        command.env("TMPDIR", self.work);
        match run(&mut command, &beside.with_extension("said"), stopped) {
            Err(error) => Report::Broken(error),
            Ok(Ended::Interrupted) => Report::Interrupted,
            Ok(Ended::Status(status, said)) => {
                self.log.add(&format!("{command:?}\n{said}"));
                if status.success() {
                    return Report::Compiled;
                }
                Report::Failed(Failure {
                    what: format!("{} on {what}", tool.name()),
                    how: status_words(status),
                    said,
                })
            }
        }
    }

    fn refused(&self, failure: &Failure) -> Diagnostic {
        Diagnostic::general(
            Code::CompileFailed,
            format!(
                "cannot build {}: {} {}\n{}",
                self.kind,
                failure.what,
                failure.how,
                tail(&failure.said, 12)
            ),
        )
        .help(format!(
            "the whole log is {}; CXX and CC name other compilers, `--jobs 1` needs the least memory",
            self.log.path().display()
        ))
    }
}
