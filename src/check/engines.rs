//! `engine`, `preset`: rows of the comparison and their options.

use std::collections::BTreeMap;

use super::checker::{Checker, EngineFacts};
use super::imports::UnitId;
use super::model::EngineDef;
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic, did_you_mean};
use crate::engines::registry::{self, Known};
use crate::engines::{OptionSpec, options};
use crate::plan::Expr;
use crate::syntax::ast::{self, ItemKind};

/// What an engine or preset comes down to.
struct Settled {
    kind: String,
    options: BTreeMap<String, Expr>,
}

impl<'a> Checker<'a> {
    /// Engines and presets.
    pub fn check_engines(&mut self) {
        for (unit, item) in self.items() {
            self.names.clear();
            match &item.kind {
                ItemKind::Preset(preset) => {
                    let trail = vec![(unit, preset.label.name.clone())];
                    self.settle(unit, &preset.kind, preset.options.as_ref(), &trail, true);
                }
                ItemKind::Engine(engine) if unit == 0 => self.engine(engine),
                _ => {}
            }
        }
        self.names.clear();
        if let (true, true, Some(span)) = (
            self.runnable,
            self.exp.engines.is_empty(),
            self.experiment_span(),
        ) {
            let broken = self
                .units
                .first()
                .is_some_and(|u| !u.file.broken.is_empty());
            let any = self
                .items()
                .any(|(_, i)| matches!(i.kind, ItemKind::Engine(_)));
            if !broken && !any {
                self.error_help(
                    Code::UnknownEngine,
                    span,
                    "the experiment has no engine",
                    "add one: `engine sqlite`",
                );
            }
        }
    }

    /// Where the experiment's title stands.
    pub fn experiment_span(&self) -> Option<Span> {
        self.items().find_map(|(_, item)| match &item.kind {
            ItemKind::Experiment(experiment) => Some(experiment.title.span),
            _ => None,
        })
    }

    fn engine(&mut self, engine: &'a ast::Engine) {
        let settled = self.settle(0, &engine.kind, engine.options.as_ref(), &[], true);
        let Some(label) = engine.label.as_ref().or(engine.kind.last()) else {
            return;
        };
        if self.engines.iter().any(|e| e.label == label.name) {
            let mut diagnostic = Diagnostic::error(
                Code::DuplicateName,
                label.span,
                format!("a second engine is called `{label}`"),
            )
            .help(format!(
                "tell them apart: `engine {} as {label}_2 {{ … }}`",
                engine.kind
            ));
            let first = self.items().find_map(|(_, item)| match &item.kind {
                ItemKind::Engine(e) => {
                    let own = e.label.as_ref().or(e.kind.last())?;
                    (own.name == label.name).then_some(own.span)
                }
                _ => None,
            });
            if let Some(first) = first {
                diagnostic = diagnostic.related(first, "the first");
            }
            self.out.push(diagnostic);
            return;
        }
        let names = self.take_names();
        let settled = settled.unwrap_or(Settled {
            kind: engine.kind.to_string(),
            options: BTreeMap::new(),
        });
        self.engines.push(EngineFacts {
            label: label.name.clone(),
            kind: settled.kind.clone(),
            names,
        });
        self.exp.engines.push(EngineDef {
            label: label.name.clone(),
            kind: settled.kind,
            options: settled.options,
        });
    }

    /// Follows presets down to a kind, and lays the options over each other.
    fn settle(
        &mut self,
        unit: UnitId,
        kind: &'a ast::Path,
        own: Option<&'a ast::Block<ast::EngineOption>>,
        trail: &[(UnitId, String)],
        report: bool,
    ) -> Option<Settled> {
        let mut settled = self.base(unit, kind, trail, report)?;
        let specs = match registry::find(&settled.kind) {
            Some(Known::Adapter(engine)) => Some(engine.options()),
            _ => None,
        };
        let mut seen: Vec<&ast::Ident> = Vec::new();
        for option in own.iter().flat_map(|block| &block.members) {
            if let Some(first) = seen.iter().find(|n| n.name == option.name.name) {
                if report {
                    self.out.push(
                        Diagnostic::error(
                            Code::DuplicateName,
                            option.name.span,
                            format!("`{}` is set twice", option.name),
                        )
                        .related(first.span, "first here"),
                    );
                }
                continue;
            }
            seen.push(&option.name);
            let before = self.out.len();
            self.only_symbols = unit > 0;
            let value = self.option(&settled.kind, specs, option);
            self.only_symbols = false;
            if !report {
                self.out.truncate(before);
            }
            if let Some(value) = value {
                settled.options.insert(option.name.name.clone(), value);
            }
        }
        Some(settled)
    }

    fn base(
        &mut self,
        unit: UnitId,
        kind: &'a ast::Path,
        trail: &[(UnitId, String)],
        report: bool,
    ) -> Option<Settled> {
        let (home, name) = match kind.segments.as_slice() {
            [name] => (unit, name),
            _ => self.owner(kind, unit)?,
        };
        let preset = self.scopes[home].presets.get(name.name.as_str()).copied();
        if let Some(preset) = preset {
            let step = (home, name.name.clone());
            // A preset may carry an engine's own name: then it is that engine.
            let inside_itself = trail.last() == Some(&step);
            if !inside_itself {
                if trail.contains(&step) {
                    self.error_help(
                        Code::UnknownEngine,
                        name.span,
                        "presets stand on each other in a circle",
                        "one of them must name an engine's kind",
                    );
                    return None;
                }
                let mut trail = trail.to_vec();
                trail.push(step);
                // What is wrong in the preset is reported where it stands.
                return self.settle(home, &preset.kind, preset.options.as_ref(), &trail, false);
            }
        }
        if home == unit && registry::find(&name.name).is_some() {
            return Some(Settled {
                kind: name.name.clone(),
                options: BTreeMap::new(),
            });
        }
        if !report || self.may_declare(home, &name.name) {
            return None;
        }
        let mut known: Vec<&str> = self.scopes[home].presets.keys().copied().collect();
        if home == unit {
            known.extend(registry::kinds());
        }
        let help = did_you_mean(&name.name, known.iter().copied())
            .unwrap_or_else(|| format!("there are {}", known.join(", ")));
        let what = if home == unit {
            "engine or preset"
        } else {
            "preset"
        };
        self.error_help(
            Code::UnknownEngine,
            name.span,
            format!("there is no {what} `{kind}`"),
            help,
        );
        None
    }

    fn option(
        &mut self,
        kind: &str,
        specs: Option<&'static [OptionSpec]>,
        option: &'a ast::EngineOption,
    ) -> Option<Expr> {
        let (value, value_kind) = self.quantity_value(&option.value);
        // Options of an engine that is not here are taken as they come.
        let Some(specs) = specs else {
            return Some(value);
        };
        let Some(spec) = specs.iter().find(|s| s.name == option.name.name) else {
            let help = did_you_mean(&option.name.name, specs.iter().map(|s| s.name))
                .unwrap_or_else(|| {
                    let all: Vec<&str> = specs.iter().map(|s| s.name).collect();
                    if all.is_empty() {
                        format!("{kind} takes no options")
                    } else {
                        format!("it takes {}", all.join(", "))
                    }
                });
            self.error_help(
                Code::UnknownOption,
                option.name.span,
                format!("{kind} has no option `{}`", option.name),
                help,
            );
            return None;
        };
        self.option_value(spec, &value, value_kind, option.value.span);
        Some(value)
    }
}

/// Shown where an option's own type is asked for.
pub(super) fn option_words(kind: &options::OptionKind) -> String {
    match kind {
        options::OptionKind::Symbol(symbols) => format!("one of {}", symbols.join(", ")),
        options::OptionKind::Int { low, high } => format!("an int from {low} to {high}"),
        options::OptionKind::Size { low, high } => {
            format!("a size from {low} to {high} bytes")
        }
        options::OptionKind::Duration => "a length of time, such as `5s`".to_owned(),
        options::OptionKind::Bool => "true or false".to_owned(),
    }
}
