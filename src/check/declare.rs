//! Every name that the files declare, before anything is looked into.

use std::collections::BTreeMap;

use super::checker::{Checker, Scope};
use super::models::ModelInfo;
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::Hook;
use crate::plan::schema::Model;
use crate::syntax::ast::{self, ItemKind};

/// Words that mean something by themselves where names stand.
const TAKEN: &[&str] = &["row", "uuid", "it", "engine"];

/// Functions of the language: no hook may be called so.
pub(super) const FUNCTIONS: &[&str] = &[
    "uniform",
    "normal",
    "zipf",
    "pick",
    "chance",
    "sequence",
    "cycle",
    "shuffled",
    "text",
    "paragraph",
    "bytes",
    "list",
    "timestamp",
    "owned",
    "shared",
    "count",
    "sum",
    "avg",
    "min",
    "max",
];

impl<'a> Checker<'a> {
    /// Fills the scopes of all units; models and hooks get their positions.
    pub fn declare(&mut self) {
        self.contents();
        for unit in 0..self.units.len() {
            let mut scope = Scope::default();
            let mut taken: BTreeMap<&'a str, Span> = BTreeMap::new();
            let mut presets: BTreeMap<&'a str, Span> = BTreeMap::new();
            let mut models: BTreeMap<&'a str, Span> = BTreeMap::new();
            let units = self.units;
            for item in &units[unit].file.items {
                match &item.kind {
                    ItemKind::Model(model) => {
                        if self.claim_name(&mut models, &model.name, "model") {
                            let id = self.model(unit, model);
                            scope.models.insert(&model.name.name, id);
                        }
                    }
                    ItemKind::Enum(one) => {
                        if self.claim_name(&mut taken, &one.name, "enum") {
                            scope.enums.insert(&one.name.name, one);
                        }
                    }
                    ItemKind::Pool(pool) => {
                        if self.claim_name(&mut taken, &pool.name, "pool") {
                            scope.pools.insert(&pool.name.name, pool);
                        }
                    }
                    ItemKind::Hook(hook) => {
                        if self.claim_name(&mut taken, &hook.name, "hook") {
                            let id = self.hook(unit, hook);
                            scope.hooks.insert(&hook.name.name, id);
                        }
                    }
                    ItemKind::Preset(preset) => {
                        if self.claim_name(&mut presets, &preset.label, "preset") {
                            scope.presets.insert(&preset.label.name, preset);
                        }
                    }
                    ItemKind::Param(param) => {
                        self.claim_name(&mut taken, &param.name, "param");
                    }
                    ItemKind::Sweep(sweep) => {
                        self.claim_name(&mut taken, &sweep.name, "sweep");
                    }
                    ItemKind::Use(_)
                    | ItemKind::Experiment(_)
                    | ItemKind::Engine(_)
                    | ItemKind::Trial(_)
                    | ItemKind::Claim(_) => {}
                }
            }
            self.scopes.push(scope);
        }
    }

    /// Whether the name is free; reports it where it is not.
    fn claim_name(
        &mut self,
        taken: &mut BTreeMap<&'a str, Span>,
        name: &'a ast::Ident,
        what: &str,
    ) -> bool {
        if TAKEN.contains(&name.name.as_str())
            || (what == "hook" && FUNCTIONS.contains(&name.name.as_str()))
        {
            self.error_help(
                Code::TakenName,
                name.span,
                format!("`{name}` is a word of the language"),
                format!("give the {what} another name"),
            );
        }
        match taken.get(name.name.as_str()) {
            Some(first) => {
                self.out.push(
                    Diagnostic::error(
                        Code::DuplicateName,
                        name.span,
                        format!("`{name}` is declared twice"),
                    )
                    .label("again here")
                    .related(*first, "first here"),
                );
                false
            }
            None => {
                taken.insert(&name.name, name.span);
                true
            }
        }
    }

    fn model(&mut self, unit: usize, model: &'a ast::Model) -> usize {
        self.exp.schema.models.push(Model {
            name: self.qualified(unit, &model.name.name).replace('.', "_"),
            fields: Vec::new(),
            key: None,
            indexes: Vec::new(),
        });
        self.models.push(ModelInfo::new(unit, model));
        self.models.len() - 1
    }

    fn hook(&mut self, unit: usize, hook: &'a ast::Hook) -> usize {
        let start = self.sources.position(hook.body.span);
        self.exp.hooks.push(Hook {
            name: self.qualified(unit, &hook.name.name),
            parameters: hook.params.iter().map(|p| p.name.clone()).collect(),
            body: hook.body.text.clone(),
            file: self.sources.path(hook.name.span.file).to_owned(),
            line: start.line,
            column: start.column,
        });
        self.exp.hooks.len() - 1
    }

    /// What the experiment must and modules must not hold.
    fn contents(&mut self) {
        let mut first: Option<Span> = None;
        let mut needs: Option<Span> = None;
        for (unit, item) in self.items() {
            let what = match &item.kind {
                ItemKind::Experiment(_) => "experiment",
                ItemKind::Engine(_) => "engine",
                ItemKind::Param(_) => "param",
                ItemKind::Sweep(_) => "sweep",
                ItemKind::Claim(_) => "claim",
                _ => continue,
            };
            let head = head(item);
            if unit > 0 {
                self.error_help(
                    Code::ModuleContent,
                    head,
                    format!("a module holds no `{what}`"),
                    "move it into the experiment; a module holds models, enums, pools, presets, hooks and trials",
                );
            } else if what != "experiment" {
                needs = needs.or(Some(head));
            } else if let Some(first) = first {
                self.out.push(
                    Diagnostic::error(Code::NoExperiment, head, "a second `experiment`")
                        .help("a file holds one; put the other into a file of its own")
                        .related(first, "the first"),
                );
            } else {
                first = Some(head);
            }
        }
        self.runnable = first.is_some();
        let lost = |unit: &super::imports::Unit| unit.file.broken.iter().any(|b| b.name.is_none());
        if let (None, Some(needs)) = (first, needs)
            && !self.units.first().is_some_and(lost)
        {
            self.runnable = true;
            self.error_help(
                Code::NoExperiment,
                needs,
                "the file runs something but has no `experiment`",
                "begin it with `experiment \"title\" { seed 1 }`",
            );
        }
    }
}

/// The first word of an item, for marking.
fn head(item: &ast::Item) -> Span {
    let length = match &item.kind {
        ItemKind::Experiment(_) => 10,
        ItemKind::Engine(_) => 6,
        _ => 5,
    };
    Span::new(
        item.span.file,
        item.span.start,
        item.span.end.min(item.span.start + length),
    )
}
