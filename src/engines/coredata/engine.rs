//! Core Data's mechanism as an engine.

use std::path::Path;
use std::rc::Rc;

use super::session::CoreDataSession;
use super::{explain, options, tier};
use crate::engines::{Capabilities, Engine, EngineError, OptionSpec, Options, Session, Setting};
use crate::plan::{Fidelity, Request, Tier};
use crate::sample::Native;
use crate::workload::HookRunner;

/// Core Data's mechanism over SQLite.
#[derive(Clone, Copy, Debug)]
pub struct CoreData;

/// What Core Data, and what stands above it, can do.
pub const CAPABILITIES: Capabilities = Capabilities {
    instantiate: true,
    compact: true,
    checkpoint: true,
    persistent: true,
    update_by_statement: true,
};

impl Engine for CoreData {
    fn kind(&self) -> &'static str {
        "coredata"
    }

    fn about(&self) -> &'static str {
        "Core Data's mechanism over SQLite: objects in a context, faults, saves row by row"
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Model
    }

    fn version(&self) -> String {
        format!("over SQLite {}", rusqlite::version())
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn options(&self) -> &'static [OptionSpec] {
        options::OPTIONS
    }

    fn tier(&self, options: &Options) -> Tier {
        tier::tier(options)
    }

    fn explain(&self, setting: &Setting<'_>, request: &Request) -> Result<Native, EngineError> {
        let settings = options::settings(setting.options, options::OPTIONS)?;
        explain::explain(setting, request, settings, |_| None)
    }

    fn open(
        &self,
        directory: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Box<dyn Session>, EngineError> {
        let settings = options::settings(setting.options, options::OPTIONS)?;
        let session = CoreDataSession::open(directory, setting, settings, hooks, |_| None)?;
        Ok(Box::new(session))
    }
}
