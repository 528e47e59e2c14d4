//! The engine's store: open or closed, warm or cold.

use std::path::Path;
use std::rc::Rc;

use super::failure::Failure;
use crate::engines::{Capabilities, Engine, EngineError, Session, Setting};
use crate::probe::{Residency, drop_pages, residency, walk};
use crate::sample::FileSize;
use crate::workload::HookRunner;

/// The store of one cell.
pub struct Store<'a> {
    engine: &'a dyn Engine,
    directory: &'a Path,
    setting: Setting<'a>,
    hooks: Rc<dyn HookRunner>,
    session: Option<Box<dyn Session>>,
}

impl<'a> Store<'a> {
    /// A store that is not open yet.
    pub fn new(
        engine: &'a dyn Engine,
        directory: &'a Path,
        setting: Setting<'a>,
        hooks: Rc<dyn HookRunner>,
    ) -> Store<'a> {
        Store {
            engine,
            directory,
            setting,
            hooks,
            session: None,
        }
    }

    /// What the engine can do.
    pub fn capabilities(&self) -> Capabilities {
        self.engine.capabilities()
    }

    /// Whether a session is open.
    pub fn is_open(&self) -> bool {
        self.session.is_some()
    }

    /// The open session; a step that needs one after `close` is a mistake of the plan.
    pub fn session(&mut self) -> Result<&mut dyn Session, Failure> {
        match &mut self.session {
            Some(session) => Ok(session.as_mut()),
            None => Err(Failure::Plan("the store is closed here".into())),
        }
    }

    /// Opens the store.
    pub fn open(&mut self) -> Result<(), EngineError> {
        debug_assert!(self.session.is_none());
        let session = self
            .engine
            .open(self.directory, &self.setting, Rc::clone(&self.hooks))?;
        self.session = Some(session);
        Ok(())
    }

    /// Closes the store; nothing to do where it is closed.
    pub fn close(&mut self) -> Result<(), EngineError> {
        match self.session.take() {
            Some(session) => session.close(),
            None => Ok(()),
        }
    }

    /// Writes the files out and drops their pages. Only with the store closed:
    /// pages that are mapped stay.
    pub fn chill(&self) -> Result<(), Failure> {
        drop_pages(self.directory).map_err(Failure::io("cannot drop the files' pages"))
    }

    /// Share of the files' pages that is resident, 0 to 1; `None` without files.
    pub fn resident(&self) -> Result<Option<f64>, Failure> {
        if !self.capabilities().persistent {
            return Ok(None);
        }
        residency(self.directory)
            .map(Residency::share)
            .map_err(Failure::io("cannot count the files' resident pages"))
    }

    /// All files with their sizes; none of an engine that keeps none.
    pub fn files(&self) -> Result<Vec<FileSize>, Failure> {
        if !self.capabilities().persistent {
            return Ok(Vec::new());
        }
        walk(self.directory).map_err(Failure::io("cannot measure the files"))
    }
}
