//! `time(sqlite, notes.read) [batch == 1]`: engine, trial, step, cell.

use std::collections::BTreeSet;

use super::super::checker::Checker;
use super::super::steps::StepFacts;
use super::term::Unit;
use crate::base::span::Span;
use crate::diagnostics::{Code, did_you_mean};
use crate::plan::Expr;
use crate::plan::claim::{Metric, MetricKind, Term};
use crate::syntax::ast::{self, ExprKind};

const KINDS: &[(&str, MetricKind)] = &[
    ("time", MetricKind::Time),
    ("cpu", MetricKind::Cpu),
    ("p50", MetricKind::P50),
    ("p99", MetricKind::P99),
    ("max", MetricKind::Max),
    ("rate", MetricKind::Rate),
    ("peak_memory", MetricKind::PeakMemory),
    ("disk", MetricKind::Disk),
    ("bytes_written", MetricKind::BytesWritten),
    ("logical_bytes", MetricKind::LogicalBytes),
    ("rows", MetricKind::Rows),
];

/// What the check of a comparison needs of one of its metrics.
#[derive(Clone, Debug)]
pub(super) struct MetricFacts {
    pub span: Span,
    /// Axes of its engine and trial.
    pub axes: BTreeSet<String>,
    /// Conditions of its cell.
    pub picks: Vec<Expr>,
    /// Points that its trial leaves out.
    pub skips: Vec<Expr>,
}

impl<'a> Checker<'a> {
    pub(super) fn metric_term(
        &mut self,
        expr: &'a ast::Expr,
        metrics: &mut Vec<MetricFacts>,
    ) -> Option<(Term, Unit)> {
        let (call, over, picks) = parts(expr);
        let ExprKind::Call { function, args } = &call.kind else {
            self.error(Code::BadClaim, call.span, "a metric stands before `[…]`");
            return None;
        };
        let name = function.single()?;
        if name.name == "growth" {
            self.error_help(
                Code::BadClaim,
                call.span,
                "growth has a shape, no value",
                "write `growth(time, sqlite, notes.read) is linear`",
            );
            return None;
        }
        if name.name == "reached" {
            let (metric, facts) = self.metric(MetricKind::Time, args, picks, call.span, true)?;
            let over = self.axis_over(over, &facts, call.span)?;
            metrics.push(facts);
            return Some((Term::Reached { of: metric, over }, Unit::NONE));
        }
        let kind = self.metric_kind(name)?;
        if let Some(over) = over {
            self.error_help(
                Code::BadClaim,
                over.span,
                "`over` goes with `growth` and `reached`",
                "a cell is picked by `[batch == 1]`",
            );
        }
        let (metric, facts) = self.metric(kind, args, picks, call.span, false)?;
        metrics.push(facts);
        Some((Term::Metric(metric), unit_of(kind)))
    }

    /// `growth(time, sqlite, notes.read) over batch`, without its shape.
    pub(super) fn growth(
        &mut self,
        expr: &'a ast::Expr,
        metrics: &mut Vec<MetricFacts>,
    ) -> Option<(Metric, String)> {
        let (call, over, picks) = parts(expr);
        let args = match &call.kind {
            ExprKind::Call { function, args }
                if function.single().is_some_and(|n| n.name == "growth") =>
            {
                args
            }
            _ => {
                self.error_help(
                    Code::BadClaim,
                    call.span,
                    "only growth has a shape",
                    "write `growth(time, sqlite, notes.read) is linear`",
                );
                return None;
            }
        };
        let Some((first, rest)) = args.split_first() else {
            self.error_help(
                Code::BadArguments,
                call.span,
                "`growth` takes a metric, an engine and a step",
                "write `growth(time, sqlite, notes.read)`",
            );
            return None;
        };
        let kind = match first.value.inner().as_name() {
            Some(name) => self.metric_kind(name)?,
            None => {
                self.error_help(
                    Code::BadArguments,
                    first.value.span,
                    "the name of a metric comes first",
                    "write `growth(time, sqlite, notes.read)`",
                );
                return None;
            }
        };
        let (metric, facts) = self.metric(kind, rest, picks, call.span, false)?;
        let over = self.axis_over(over, &facts, call.span)?;
        metrics.push(facts);
        Some((metric, over))
    }

    fn metric_kind(&mut self, name: &ast::Ident) -> Option<MetricKind> {
        let found = KINDS.iter().find(|(word, _)| *word == name.name);
        if found.is_none() {
            let words = KINDS.iter().map(|(word, _)| *word);
            let help = did_you_mean(&name.name, words.clone().chain(["growth", "reached"]))
                .unwrap_or_else(|| format!("metrics are {}", words.collect::<Vec<_>>().join(", ")));
            self.error_help(
                Code::UnknownInClaim,
                name.span,
                format!("there is no metric `{name}`"),
                help,
            );
        }
        found.map(|(_, kind)| *kind)
    }

    fn metric(
        &mut self,
        kind: MetricKind,
        args: &'a [ast::Arg],
        picks: &'a [ast::Expr],
        span: Span,
        any_step: bool,
    ) -> Option<(Metric, MetricFacts)> {
        let mut plain = Vec::new();
        let mut file = None;
        for arg in args {
            match &arg.name {
                None => plain.push(&arg.value),
                Some(name) if name.name == "file" => {
                    let text = match &arg.value.inner().kind {
                        ExprKind::Text(text) => text.plain(),
                        _ => None,
                    };
                    if text.is_none() || kind != MetricKind::Disk {
                        self.error_help(
                            Code::BadArguments,
                            arg.span,
                            "`file` limits `disk` to files by the end of their name",
                            "write `disk(sqlite, notes.size, file \"-wal\")`",
                        );
                    }
                    file = text.map(str::to_owned);
                }
                Some(_) => self.unnamed(arg),
            }
        }
        let [engine, step] = plain.as_slice() else {
            self.error_help(
                Code::BadArguments,
                span,
                "a metric takes an engine and a step",
                "such as `time(sqlite, notes.read)`",
            );
            return None;
        };
        let engine = self.claim_engine(engine);
        let step = self.claim_step(step);
        let (engine, (trial, step)) = (engine?, step?);
        let facts = &self.trials[trial];
        let runs = facts
            .engines
            .as_ref()
            .is_none_or(|labels| labels.contains(&engine));
        let (label, own) = (facts.label.clone(), facts.steps[step].clone());
        let skips = facts.skips.clone();
        if !runs {
            let list = facts.engines.clone().unwrap_or_default().join(", ");
            self.error_help(
                Code::UnknownInClaim,
                span,
                format!("trial `{label}` does not run for `{engine}`"),
                format!("it is for {list}"),
            );
            return None;
        }
        if !any_step {
            self.metric_fits(kind, &own, span)?;
        }
        let mut metric_facts = MetricFacts {
            span,
            axes: self.axes_of(trial, &engine),
            picks: Vec::new(),
            skips,
        };
        let mut selection = Vec::new();
        let mut fine = true;
        for pick in picks {
            match self.claim_condition(pick, std::slice::from_ref(&metric_facts)) {
                Some(clause) => {
                    metric_facts.picks.push(clause.expr);
                    selection.push(clause.condition);
                }
                None => fine = false,
            }
        }
        if !fine {
            return None;
        }
        let metric = Metric {
            kind,
            engine,
            trial: label,
            step: own.label,
            file,
            selection,
        };
        Some((metric, metric_facts))
    }

    fn claim_engine(&mut self, expr: &'a ast::Expr) -> Option<String> {
        let Some(name) = expr.inner().as_name() else {
            self.error(
                Code::BadArguments,
                expr.span,
                "an engine's label stands here",
            );
            return None;
        };
        let labels = self.engine_labels(&name.name);
        match labels.as_slice() {
            [one] => Some(one.clone()),
            [] => {
                if !self.may_declare(0, &name.name) {
                    let known: Vec<&str> = self.engines.iter().map(|e| e.label.as_str()).collect();
                    let help = did_you_mean(&name.name, known.iter().copied())
                        .unwrap_or_else(|| format!("there are {}", known.join(", ")));
                    self.error_help(
                        Code::UnknownInClaim,
                        name.span,
                        format!("no engine here is called `{name}`"),
                        help,
                    );
                }
                None
            }
            several => {
                let list = several.join(", ");
                self.error_help(
                    Code::UnknownInClaim,
                    name.span,
                    format!("several rows are of kind `{name}`"),
                    format!("name one of {list}"),
                );
                None
            }
        }
    }

    /// Positions of the trial and of its step.
    fn claim_step(&mut self, expr: &'a ast::Expr) -> Option<(usize, usize)> {
        let help = "write trial and step: `notes.read`";
        let Some(path) = expr.inner().as_path() else {
            self.error_help(Code::BadArguments, expr.span, "a step stands here", help);
            return None;
        };
        let [trial_path @ .., step] = path.segments.as_slice() else {
            return None;
        };
        if trial_path.is_empty() {
            let home = self
                .trials
                .iter()
                .find(|t| t.steps.iter().any(|s| s.label == step.name));
            let help = match home {
                Some(trial) => format!("did you mean `{}.{step}`?", trial.label),
                None => help.to_owned(),
            };
            self.error_help(
                Code::UnknownInClaim,
                path.span,
                format!("`{step}` says no trial"),
                help,
            );
            return None;
        }
        let names: Vec<&str> = trial_path.iter().map(|s| s.name.as_str()).collect();
        let label = names.join(".");
        let Some(trial) = self.trials.iter().position(|t| t.label == label) else {
            if !self.may_declare(0, &label) {
                let labels = self.trials.iter().map(|t| t.label.as_str());
                let help = did_you_mean(&label, labels);
                self.error_maybe(
                    Code::UnknownInClaim,
                    trial_path[0].span,
                    format!("there is no trial `{label}`"),
                    help,
                );
            }
            return None;
        };
        let facts = &self.trials[trial];
        let found = facts.steps.iter().position(|s| s.label == step.name);
        let Some(at) = found else {
            if !facts.broken {
                let labels = facts.steps.iter().filter(|s| !s.in_setup && !s.in_block);
                let help = did_you_mean(&step.name, labels.map(|s| s.label.as_str()));
                self.error_maybe(
                    Code::UnknownInClaim,
                    step.span,
                    format!("trial `{label}` has no step `{step}`"),
                    help,
                );
            }
            return None;
        };
        let own = &facts.steps[at];
        if own.in_setup || own.in_block {
            let (message, help) = if own.in_setup {
                (
                    "is in `setup`: it is not measured",
                    "move it behind `setup`",
                )
            } else {
                (
                    "is part of a block: it has no time of its own",
                    "name the block",
                )
            };
            self.error_help(
                Code::UnknownInClaim,
                step.span,
                format!("`{step}` {message}"),
                help,
            );
            return None;
        }
        Some((trial, at))
    }

    fn metric_fits(&mut self, kind: MetricKind, step: &StepFacts, span: Span) -> Option<()> {
        let timed = !matches!(step.verb, "storage" | "expect");
        let (fits, help) = match kind {
            MetricKind::Disk => (step.verb == "storage", "it is measured by a `storage` step"),
            MetricKind::LogicalBytes => (
                matches!(step.verb, "create" | "upsert"),
                "it is counted by `create` and `upsert`",
            ),
            MetricKind::Rows => (step.counts, "steps over records have it"),
            MetricKind::P50 | MetricKind::P99 | MetricKind::Max => (
                timed && step.repeats,
                "latencies are taken of steps with `repeat k`",
            ),
            MetricKind::Time
            | MetricKind::Cpu
            | MetricKind::Rate
            | MetricKind::PeakMemory
            | MetricKind::BytesWritten => (timed, "steps that are timed have it"),
        };
        if fits {
            return Some(());
        }
        let word = KINDS
            .iter()
            .find(|(_, own)| *own == kind)
            .map_or("", |(word, _)| word);
        self.error_help(
            Code::WrongMetric,
            span,
            format!(
                "`{}` is a `{}` step: it has no `{word}`",
                step.label, step.verb
            ),
            help,
        );
        None
    }
}

/// The call, the axis it is over, and what picks its cell.
fn parts(expr: &ast::Expr) -> (&ast::Expr, Option<&ast::Ident>, &[ast::Expr]) {
    match &expr.kind {
        ExprKind::Paren(inner) => parts(inner),
        ExprKind::Cell {
            metric,
            over,
            picks,
        } => (metric.inner(), over.as_ref(), picks),
        _ => (expr, None, &[]),
    }
}

fn unit_of(kind: MetricKind) -> Unit {
    match kind {
        MetricKind::Time
        | MetricKind::Cpu
        | MetricKind::P50
        | MetricKind::P99
        | MetricKind::Max => Unit::TIME,
        MetricKind::PeakMemory
        | MetricKind::Disk
        | MetricKind::BytesWritten
        | MetricKind::LogicalBytes => Unit::BYTES,
        MetricKind::Rate | MetricKind::Rows => Unit::NONE,
    }
}
