//! What does not change while a store is open.

use super::compile::Compiler;
use super::layout::Layout;
use super::options::Set;
use crate::engines::{EngineError, Setting};
use crate::plan::Schema;

/// Schema, layout, options.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Models, relationships, indexes.
    pub schema: Schema,
    /// Where they are in the store.
    pub layout: Layout,
    /// Options, typed.
    pub options: Set,
}

impl Setup {
    /// From what a store is opened with.
    pub fn of(setting: &Setting<'_>) -> Result<Setup, EngineError> {
        let options = Set::of(setting.options)?;
        Ok(Setup {
            schema: setting.schema.clone(),
            layout: Layout::of(setting.schema, options.text_index),
            options,
        })
    }

    /// A compiler of predicates for it.
    pub fn compiler(&self) -> Compiler<'_> {
        Compiler {
            layout: &self.layout,
            case_insensitive: self.options.case_insensitive,
        }
    }
}
