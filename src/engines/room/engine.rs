//! Room as an engine.

use std::path::Path;
use std::rc::Rc;

use super::session::RoomSession;
use super::{explain, options, tier};
use crate::engines::{Capabilities, Engine, EngineError, OptionSpec, Options, Session, Setting};
use crate::plan::{Fidelity, Request, Tier};
use crate::sample::Native;
use crate::workload::HookRunner;

/// Version of Room whose mechanism is modelled.
pub const MODELLED: &str = "2.6.1";

/// Room's mechanism over SQLite.
#[derive(Clone, Copy, Debug)]
pub struct Room;

impl Engine for Room {
    fn kind(&self) -> &'static str {
        "room"
    }

    fn about(&self) -> &'static str {
        "Room's mechanism over SQLite, as on a current Android phone"
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Model
    }

    fn version(&self) -> String {
        format!("{MODELLED} over SQLite {}", rusqlite::version())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            instantiate: true,
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
        Ok(Box::new(RoomSession::open(directory, setting, hooks)?))
    }
}
