//! SQLite as an engine.

use std::path::Path;
use std::rc::Rc;

use super::session::SqliteSession;
use super::{explain, options, tier};
use crate::engines::{Capabilities, Engine, EngineError, OptionSpec, Options, Session, Setting};
use crate::plan::{Fidelity, Request, Tier};
use crate::sample::Native;
use crate::workload::HookRunner;

/// SQLite, built in.
#[derive(Clone, Copy, Debug)]
pub struct Sqlite;

impl Engine for Sqlite {
    fn kind(&self) -> &'static str {
        "sqlite"
    }

    fn about(&self) -> &'static str {
        "SQLite, the embedded SQL database, as a careful user sets it up"
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Native
    }

    fn version(&self) -> String {
        rusqlite::version().to_owned()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            instantiate: false,
            compact: true,
            checkpoint: true,
            persistent: true,
            update_by_statement: true,
        }
    }

    fn options(&self) -> &'static [OptionSpec] {
        options::OPTIONS
    }

    fn tier(&self, options: &Options) -> Tier {
        tier::tier(options)
    }

    fn explain(&self, setting: &Setting<'_>, request: &Request) -> Result<Native, EngineError> {
        explain::explain(setting, request)
    }

    fn open(
        &self,
        directory: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Box<dyn Session>, EngineError> {
        Ok(Box::new(SqliteSession::open(directory, setting, hooks)?))
    }
}
