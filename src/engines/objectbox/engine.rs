//! ObjectBox as an engine.

use std::path::Path;
use std::rc::Rc;

use super::session::ObjectBoxSession;
use super::{explain, options, tier};
use crate::engines::native::{self, pin};
use crate::engines::{
    Capabilities, Engine, EngineError, OptionSpec, Options, Presence, Session, Setting,
};
use crate::plan::{Fidelity, Request, Tier};
use crate::sample::{Native, Provenance};
use crate::workload::HookRunner;

/// ObjectBox, by its C API.
#[derive(Clone, Copy, Debug)]
pub struct ObjectBox;

impl Engine for ObjectBox {
    fn kind(&self) -> &'static str {
        "objectbox"
    }

    fn about(&self) -> &'static str {
        "ObjectBox, an object store over LMDB, by its C API"
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Native
    }

    fn version(&self) -> String {
        pin::OBJECTBOX.engine_version.to_owned()
    }

    fn presence(&self) -> Presence {
        native::presence(&pin::OBJECTBOX)
    }

    fn provenance(&self) -> Option<Provenance> {
        native::find(&pin::OBJECTBOX).map(|installed| installed.provenance)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            instantiate: false,
            compact: false,
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
        explain::explain(setting, request)
    }

    fn open(
        &self,
        directory: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Box<dyn Session>, EngineError> {
        Ok(Box::new(ObjectBoxSession::open(directory, setting, hooks)?))
    }
}
