//! Facts about the engine.

use std::path::Path;
use std::rc::Rc;

use super::explain;
use super::options;
use super::session::ZerocopySession;
use crate::engines::{Capabilities, Engine, EngineError, OptionSpec, Options, Session, Setting};
use crate::plan::{Fidelity, Request, Tier};
use crate::sample::Native;
use crate::workload::HookRunner;

/// The `zerocopy` engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zerocopy;

impl Engine for Zerocopy {
    fn kind(&self) -> &'static str {
        "zerocopy"
    }

    fn about(&self) -> &'static str {
        "this project's memory-mapped columnar store"
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Own
    }

    fn version(&self) -> String {
        let format = super::header::VERSION;
        format!("{} (format {format})", env!("CARGO_PKG_VERSION"))
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

    /// With `full` every commit is two synced steps, nodes and then a header,
    /// and the file's name is synced when it is made. With `none` nothing is
    /// synced: the kernel has the writes, so they outlive the process alone.
    fn tier(&self, options: &Options) -> Tier {
        match options::is_durable(options) {
            true => Tier::T3,
            false => Tier::T1,
        }
    }

    fn explain(&self, setting: &Setting<'_>, request: &Request) -> Result<Native, EngineError> {
        Ok(explain::native(setting.schema, request))
    }

    fn open(
        &self,
        directory: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Box<dyn Session>, EngineError> {
        let session = ZerocopySession::open(directory, setting, hooks)?;
        Ok(Box::new(session))
    }
}
