//! Facts about the engine.

use std::path::Path;
use std::rc::Rc;

use super::session::RealmSession;
use super::{explain, options, tier};
use crate::engines::native::{self, installed, pin};
use crate::engines::{
    Capabilities, Engine, EngineError, OptionSpec, Options, Presence, Session, Setting,
};
use crate::plan::{Fidelity, Request, Tier};
use crate::sample::{Native, Provenance};
use crate::workload::HookRunner;

/// Realm Core, installed.
#[derive(Clone, Copy, Debug)]
pub struct RealmEngine;

impl Engine for RealmEngine {
    fn kind(&self) -> &'static str {
        pin::REALM.kind
    }

    fn about(&self) -> &'static str {
        "Realm Core, the object store of the Realm SDKs, through its C API"
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Native
    }

    fn version(&self) -> String {
        pin::REALM.engine_version.into()
    }

    fn presence(&self) -> Presence {
        native::presence(&pin::REALM)
    }

    fn provenance(&self) -> Option<Provenance> {
        installed::find(&pin::REALM).map(|installed| installed.provenance)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            instantiate: false,
            compact: true,
            checkpoint: false,
            persistent: true,
            update_by_statement: false,
        }
    }

    fn options(&self) -> &'static [OptionSpec] {
        options::OPTIONS
    }

    fn tier(&self, options: &Options) -> Tier {
        tier::tier(options)
    }

    fn explain(&self, setting: &Setting<'_>, request: &Request) -> Result<Native, EngineError> {
        Ok(explain::explain(setting, request))
    }

    fn open(
        &self,
        directory: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Box<dyn Session>, EngineError> {
        Ok(Box::new(RealmSession::open(directory, setting, hooks)?))
    }
}
