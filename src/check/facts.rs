//! Facts of the `experiment` block, and its `quick { … }`.

use super::checker::Checker;
use super::quantities::Kind;
use crate::base::Value;
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic, did_you_mean};
use crate::syntax::ast::{
    self, CacheState, ItemKind, LimitKind, QuickValue, RoundOrder, SettingKind,
};

impl<'a> Checker<'a> {
    pub fn check_facts(&mut self) {
        let experiment = self.items().find_map(|(unit, item)| match &item.kind {
            ItemKind::Experiment(experiment) if unit == 0 => Some(experiment),
            _ => None,
        });
        let Some(experiment) = experiment else {
            return;
        };
        self.exp.facts.title = self.heading(&experiment.title);
        let mut seen: Vec<&ast::Ident> = Vec::new();
        for setting in &experiment.settings.members {
            let keyword = &setting.keyword;
            let repeatable = matches!(setting.kind, SettingKind::Source(_));
            if let Some(first) = seen.iter().find(|k| k.name == keyword.name)
                && !repeatable
            {
                self.out.push(
                    Diagnostic::error(
                        Code::DuplicateName,
                        keyword.span,
                        format!("`{keyword}` stands twice"),
                    )
                    .related(first.span, "first here"),
                );
                continue;
            }
            seen.push(keyword);
            self.setting(&setting.kind);
        }
        self.names.clear();
    }

    fn setting(&mut self, kind: &'a SettingKind) {
        match kind {
            SettingKind::Source(text) => {
                let line = self.heading(text);
                self.exp.facts.sources.push(line);
            }
            SettingKind::About(text) => self.exp.facts.about = Some(self.heading(text)),
            SettingKind::Authors(text) => self.exp.facts.authors = Some(self.heading(text)),
            SettingKind::Seed(expr) => {
                if let Some(seed) = self.whole(expr, "seed", 0) {
                    self.exp.facts.seed = seed;
                }
            }
            SettingKind::Runs(expr) => self.exp.facts.runs = self.small(expr, "runs", 1),
            SettingKind::Warmup(expr) => {
                self.exp.facts.warmup = self.small(expr, "warmup", 0).unwrap_or(0);
            }
            SettingKind::Order(order) => {
                self.exp.facts.sequential = order.node == RoundOrder::Sequential;
            }
            SettingKind::Cache(cache) => self.exp.facts.cold = cache.node == CacheState::Cold,
            SettingKind::Budget(expr) => {
                self.exp.facts.budget_ns = self.amount(expr, Kind::Duration, "budget");
            }
            SettingKind::Limits(block) => {
                for (at, limit) in block.members.iter().enumerate() {
                    let again = block.members[..at]
                        .iter()
                        .any(|l| l.kind.node == limit.kind.node);
                    if again {
                        self.error(
                            Code::DuplicateName,
                            limit.kind.span,
                            "this limit stands twice",
                        );
                        continue;
                    }
                    self.limit(limit);
                }
            }
            SettingKind::TiersMixed(_) => self.exp.facts.tiers_mixed = true,
            SettingKind::Quick(block) => {
                for value in &block.members {
                    self.quick(value);
                }
            }
        }
    }

    fn limit(&mut self, limit: &'a ast::Limit) {
        let (kind, word) = match limit.kind.node {
            LimitKind::Memory => (Kind::Size, "memory"),
            LimitKind::Time => (Kind::Duration, "time"),
            LimitKind::Disk => (Kind::Size, "disk"),
        };
        let Some(amount) = self.amount(&limit.value, kind, word) else {
            return;
        };
        let limits = &mut self.exp.facts.limits;
        match limit.kind.node {
            LimitKind::Memory => limits.memory_bytes = amount,
            LimitKind::Time => limits.time_ns = amount,
            LimitKind::Disk => limits.disk_bytes = amount,
        }
    }

    /// A whole number of at least `least`.
    pub fn whole(&mut self, expr: &'a ast::Expr, what: &str, least: u64) -> Option<u64> {
        let (value, kind) = self.quantity_value(expr);
        if kind == Kind::Unknown {
            return None;
        }
        let one = match self.possible(&value).as_deref() {
            Some([Value::Int(i)]) if kind == Kind::Int => u64::try_from(*i).ok(),
            _ => None,
        };
        match one {
            Some(n) if n >= least => Some(n),
            _ => {
                self.error(
                    Code::BadFact,
                    expr.span,
                    format!("`{what}` is a whole number from {least} on"),
                );
                None
            }
        }
    }

    pub fn small(&mut self, expr: &'a ast::Expr, what: &str, least: u64) -> Option<u32> {
        let n = self.whole(expr, what, least)?;
        match u32::try_from(n) {
            Ok(n) if n <= 1_000_000 => Some(n),
            _ => {
                self.error(
                    Code::BadFact,
                    expr.span,
                    format!("`{what}` is larger than anyone can wait for"),
                );
                None
            }
        }
    }

    fn amount(&mut self, expr: &'a ast::Expr, wanted: Kind, what: &str) -> Option<u64> {
        let (value, kind) = self.quantity_value(expr);
        if kind == Kind::Unknown {
            return None;
        }
        let one = match self.possible(&value).as_deref() {
            Some([Value::Int(i)]) if kind == wanted && *i > 0 => u64::try_from(*i).ok(),
            _ => None,
        };
        if one.is_none() {
            let example = if wanted == Kind::Size {
                "8GiB"
            } else {
                "15min"
            };
            self.error_help(
                Code::BadFact,
                expr.span,
                format!("`{what}` is {} above 0", wanted.words()),
                format!("such as `{example}`"),
            );
        }
        one
    }

    fn quick(&mut self, value: &'a QuickValue) {
        let name = &value.name;
        self.names.clear();
        let (values, kind) = self.sweep_values(&value.values, name.span);
        self.names.clear();
        let Some(quantity) = self.quantity(&name.name).cloned() else {
            if !self.may_declare(0, &name.name) {
                let help =
                    did_you_mean(&name.name, self.quantities.iter().map(|q| q.name.as_str()));
                self.error_maybe(
                    Code::BadQuick,
                    name.span,
                    format!("there is no param or sweep `{name}`"),
                    help,
                );
            }
            return;
        };
        if self
            .exp
            .facts
            .quick
            .iter()
            .any(|(own, _)| *own == name.name)
        {
            self.error(
                Code::DuplicateName,
                name.span,
                format!("`{name}` stands twice"),
            );
            return;
        }
        if !quantity.is_axis && values.len() > 1 {
            self.error_help(
                Code::BadQuick,
                name.span,
                format!("`{name}` is a param: it has one value"),
                "make it a `sweep` for several",
            );
        }
        self.same_kind(&quantity, kind, name.span, Code::BadQuick);
        self.exp.facts.quick.push((name.name.clone(), values));
    }

    /// Reports values of another kind than the param or sweep that they replace.
    pub fn same_kind(
        &mut self,
        quantity: &super::quantities::Quantity,
        kind: Kind,
        span: Span,
        code: Code,
    ) {
        let numbers = |k: Kind| matches!(k, Kind::Int | Kind::Float);
        let fits = kind == quantity.kind
            || kind == Kind::Unknown
            || quantity.kind == Kind::Unknown
            || (numbers(kind) && numbers(quantity.kind) && quantity.kind == Kind::Float);
        if !fits {
            self.error(
                code,
                span,
                format!(
                    "`{}` is {}, and this is {}",
                    quantity.name,
                    quantity.kind.words(),
                    kind.words()
                ),
            );
        }
    }
}
