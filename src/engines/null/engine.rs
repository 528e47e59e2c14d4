//! Facts about the engine.

use std::path::Path;
use std::rc::Rc;

use super::delivery::Delivery;
use super::session::NullSession;
use crate::engines::{Capabilities, Engine, EngineError, OptionSpec, Options, Session, Setting};
use crate::plan::{Fidelity, Request, Tier};
use crate::sample::Native;
use crate::workload::HookRunner;

/// The `null` engine.
#[derive(Clone, Debug, Default)]
pub struct NullEngine {
    delivery: Option<Delivery>,
}

impl NullEngine {
    /// One that delivers nothing.
    pub const fn idle() -> Self {
        NullEngine { delivery: None }
    }

    /// One that delivers what it is told to.
    pub fn delivering(delivery: Delivery) -> Self {
        NullEngine {
            delivery: Some(delivery),
        }
    }
}

impl Engine for NullEngine {
    fn kind(&self) -> &'static str {
        "null"
    }

    fn about(&self) -> &'static str {
        "does nothing: its time is the harness's own share"
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Own
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").into()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            instantiate: true,
            compact: true,
            checkpoint: true,
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

    fn explain(&self, _: &Setting<'_>, _: &Request) -> Result<Native, EngineError> {
        Ok(Native {
            text: "nothing, or rows built beforehand".into(),
            above: None,
            access: None,
        })
    }

    fn open(
        &self,
        _: &Path,
        setting: &Setting<'_>,
        _: Rc<dyn HookRunner>,
    ) -> Result<Box<dyn Session>, EngineError> {
        let delivery = self.delivery.clone().unwrap_or_default();
        Ok(Box::new(NullSession::new(setting.schema.clone(), delivery)))
    }
}
