//! MMKV as an engine.

use std::path::Path;
use std::rc::Rc;

use super::options::{Chosen, OPTIONS};
use super::values::Values;
use super::{explain, tier};
use crate::engines::native::{self, pin};
use crate::engines::records::RecordSession;
use crate::engines::{
    Capabilities, Engine, EngineError, OptionSpec, Options, Presence, Session, Setting,
};
use crate::plan::{Fidelity, Request, Tier};
use crate::sample::{Native, Provenance};
use crate::workload::HookRunner;

/// The `mmkv` engine.
#[derive(Clone, Copy, Debug)]
pub struct Mmkv;

impl Engine for Mmkv {
    fn kind(&self) -> &'static str {
        "mmkv"
    }

    fn about(&self) -> &'static str {
        "MMKV, Tencent's memory-mapped key-value store: a record is one value under its key"
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Native
    }

    fn version(&self) -> String {
        pin::MMKV.engine_version.into()
    }

    fn presence(&self) -> Presence {
        native::presence(&pin::MMKV)
    }

    fn provenance(&self) -> Option<Provenance> {
        native::installed::find(&pin::MMKV).map(|installed| installed.provenance)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            instantiate: false,
            compact: true,
            checkpoint: true,
            persistent: true,
            update_by_statement: false,
        }
    }

    fn atomic_commit(&self) -> bool {
        false
    }

    fn options(&self) -> &'static [OptionSpec] {
        OPTIONS
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
        let chosen = Chosen::of(setting.options)?;
        let values = Values::open(directory, setting.schema, chosen.settings, chosen.sync)?;
        let values = Box::new(values);
        RecordSession::new(setting.schema, chosen.encoding, values, hooks)
            .map(|session| Box::new(session) as Box<dyn Session>)
    }
}
