//! SwiftData's mechanism as an engine.

use std::path::Path;
use std::rc::Rc;

use super::layer::SwiftDataLayer;
use super::options;
use crate::engines::coredata::engine::CAPABILITIES;
use crate::engines::coredata::entity::Entities;
use crate::engines::coredata::layer::Layer;
use crate::engines::coredata::session::CoreDataSession;
use crate::engines::coredata::{explain, tier};
use crate::engines::{Capabilities, Engine, EngineError, OptionSpec, Options, Session, Setting};
use crate::plan::{Fidelity, Request, Tier};
use crate::sample::Native;
use crate::workload::HookRunner;

/// SwiftData's mechanism over Core Data's.
#[derive(Clone, Copy, Debug)]
pub struct SwiftData;

fn layer(options: &Options) -> impl FnOnce(&Entities) -> Option<Box<dyn Layer>> {
    let history = options::history(options);
    move |entities| Some(Box::new(SwiftDataLayer::new(entities, history)))
}

impl Engine for SwiftData {
    fn kind(&self) -> &'static str {
        "swiftdata"
    }

    fn about(&self) -> &'static str {
        "SwiftData's mechanism: Core Data's, observed properties, persistent history"
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Model
    }

    fn version(&self) -> String {
        format!("over SQLite {}", rusqlite::version())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            update_by_statement: false,
            ..CAPABILITIES
        }
    }

    fn options(&self) -> &'static [OptionSpec] {
        options::all()
    }

    fn tier(&self, options: &Options) -> Tier {
        tier::tier(options)
    }

    fn explain(&self, setting: &Setting<'_>, request: &Request) -> Result<Native, EngineError> {
        let settings = options::settings(setting.options)?;
        explain::explain(setting, request, settings, layer(setting.options))
    }

    fn open(
        &self,
        directory: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Box<dyn Session>, EngineError> {
        let settings = options::settings(setting.options)?;
        let layer = layer(setting.options);
        let session = CoreDataSession::open(directory, setting, settings, hooks, layer)?;
        Ok(Box::new(session))
    }
}
