//! The state of a check: what was read, what is known so far, what is wrong.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::{Unit, UnitId};
use super::model::Experiment;
use super::models::ModelInfo;
use super::quantities::Quantity;
use super::trials::TrialFacts;
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic, Sources};
use crate::plan::expr::HookId;
use crate::plan::generator::PoolId;
use crate::plan::schema::{FieldId, ModelId};
use crate::syntax::ast;

/// Names that one file declares.
#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    pub models: BTreeMap<&'a str, ModelId>,
    pub enums: BTreeMap<&'a str, &'a ast::EnumItem>,
    pub pools: BTreeMap<&'a str, &'a ast::Pool>,
    pub hooks: BTreeMap<&'a str, HookId>,
    pub presets: BTreeMap<&'a str, &'a ast::Preset>,
}

/// A row of the comparison, as claims and trials need it.
#[derive(Debug, Default)]
pub(super) struct EngineFacts {
    pub label: String,
    pub kind: String,
    /// Params and axes that its options name.
    pub names: BTreeSet<String>,
}

pub(super) struct Checker<'a> {
    pub units: &'a [Unit],
    pub sources: &'a Sources,
    pub out: Vec<Diagnostic>,
    pub exp: Experiment,
    pub scopes: Vec<Scope<'a>>,
    pub models: Vec<ModelInfo<'a>>,
    pub quantities: Vec<Quantity>,
    pub pool_ids: BTreeMap<Span, PoolId>,
    pub engines: Vec<EngineFacts>,
    pub trials: Vec<TrialFacts>,
    /// Params and axes named since the last [`Checker::take_names`].
    pub names: BTreeSet<String>,
    /// Params and axes named anywhere.
    pub all_names: BTreeSet<String>,
    /// Models that a trial or another model names.
    pub used_models: BTreeSet<ModelId>,
    /// Fields of the drawn record that the block named so far.
    pub binds: Vec<FieldId>,
    /// Whether the file has an experiment; without, names of params are open.
    pub runnable: bool,
    /// Whether bare words in values stay open, as names.
    pub open_words: bool,
    /// Whether bare words in values are symbols: a module's presets know no params.
    pub only_symbols: bool,
}

impl<'a> Checker<'a> {
    pub fn new(units: &'a [Unit], sources: &'a Sources) -> Self {
        Checker {
            units,
            sources,
            out: Vec::new(),
            exp: Experiment::default(),
            scopes: Vec::new(),
            models: Vec::new(),
            quantities: Vec::new(),
            pool_ids: BTreeMap::new(),
            engines: Vec::new(),
            trials: Vec::new(),
            names: BTreeSet::new(),
            all_names: BTreeSet::new(),
            used_models: BTreeSet::new(),
            binds: Vec::new(),
            runnable: true,
            open_words: false,
            only_symbols: false,
        }
    }

    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.out.push(Diagnostic::error(code, span, message));
    }

    pub fn error_help(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.out
            .push(Diagnostic::error(code, span, message).help(help));
    }

    pub fn error_maybe(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        self.out
            .push(Diagnostic::error(code, span, message).maybe_help(help));
    }

    /// All items of all files, with their unit.
    pub fn items(&self) -> impl Iterator<Item = (UnitId, &'a ast::Item)> + use<'a> {
        self.units
            .iter()
            .enumerate()
            .flat_map(|(unit, parsed)| parsed.file.items.iter().map(move |item| (unit, item)))
    }

    /// Notes that a param or axis was named.
    pub fn note_name(&mut self, name: &str) {
        if !self.names.contains(name) {
            self.names.insert(name.to_owned());
            self.all_names.insert(name.to_owned());
        }
    }

    /// Params and axes named since the last call.
    pub fn take_names(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.names)
    }

    /// A name as the whole experiment knows it: `people.first_name`.
    pub fn qualified(&self, unit: UnitId, name: &str) -> String {
        match self.units[unit].prefix.as_str() {
            "" => name.to_owned(),
            prefix => format!("{prefix}.{name}"),
        }
    }

    /// Whether a broken item of the file may have declared the name.
    pub fn may_declare(&self, unit: UnitId, name: &str) -> bool {
        self.units[unit].file.may_declare(name)
    }

    /// Whether an item of this very name did not parse.
    pub fn is_lost(&self, unit: UnitId, name: &str) -> bool {
        let broken = &self.units[unit].file.broken;
        broken
            .iter()
            .any(|part| part.name.as_ref().is_some_and(|own| own.name == name))
    }

    /// The unit that `alias.` stands for: `None` for no alias, `Some(None)` for
    /// a module that could not be had.
    pub fn alias(&self, unit: UnitId, alias: &str) -> Option<Option<UnitId>> {
        self.units[unit].aliases.get(alias).copied()
    }

    /// What the author wrote there, on one line, without comments.
    pub fn one_line(&self, span: Span) -> String {
        super::one_line::fold(self.sources.snippet(span))
    }
}
