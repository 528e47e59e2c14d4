//! Facts about the engine.

use std::path::Path;
use std::rc::Rc;

use super::explain;
use super::session::MemorySession;
use crate::engines::{Capabilities, Engine, EngineError, OptionSpec, Options, Session, Setting};
use crate::plan::{Fidelity, Request, Tier};
use crate::sample::Native;
use crate::workload::HookRunner;

/// The `memory` engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryEngine;

impl Engine for MemoryEngine {
    fn kind(&self) -> &'static str {
        "memory"
    }

    fn about(&self) -> &'static str {
        "sorted maps in memory: the oracle that answers are held against"
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Own
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").into()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            instantiate: false,
            compact: false,
            checkpoint: false,
            persistent: false,
            update_by_statement: true,
        }
    }

    fn options(&self) -> &'static [OptionSpec] {
        &[]
    }

    fn tier(&self, _: &Options) -> Tier {
        Tier::T0
    }

    fn explain(&self, setting: &Setting<'_>, request: &Request) -> Result<Native, EngineError> {
        Ok(explain::native(setting.schema, request))
    }

    fn open(
        &self,
        _: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Box<dyn Session>, EngineError> {
        Ok(Box::new(MemorySession::new(setting.schema.clone(), hooks)))
    }
}
