//! The members of every kind of block.

use super::block::{self, Member};
use super::expr::{expr, exprs, paths, text};
use super::page::{Line, LineKind, Page, width};
use super::step::{clauses, order_keys};
use super::{INDENT, WIDTH};
use crate::syntax::ast::{
    AttributeKind, CacheState, Comparison, EngineOption, EnumCase, Field, Limit, LimitKind,
    ModelMember, ModelMemberKind, QuickValue, RoundOrder, Setting, SettingKind, Step, StepKind,
    SweepStep, SweepValues, TrialMember, TrialMemberKind, Trivia, Type, TypeKind,
};

/// Prints a member that has all its columns.
fn simple<M: Member>(member: &M, page: &mut Page, line: Line) {
    let cells = member.cells(line.indent).unwrap_or_default();
    page.push(Line { cells, ..line });
    page.tail(member.trivia().trailing.as_ref());
}

impl Member for Setting {
    const SHARE_LINES: bool = true;
    const KIND: LineKind = LineKind::Pair;

    fn trivia(&self) -> &Trivia {
        &self.trivia
    }

    fn cells(&self, indent: usize) -> Option<Vec<String>> {
        let value = match &self.kind {
            SettingKind::Source(value)
            | SettingKind::About(value)
            | SettingKind::Authors(value) => text(value),
            SettingKind::Seed(value)
            | SettingKind::Runs(value)
            | SettingKind::Warmup(value)
            | SettingKind::Budget(value) => expr(value, indent),
            SettingKind::Order(order) => match order.node {
                RoundOrder::Interleaved => "interleaved".to_owned(),
                RoundOrder::Sequential => "sequential".to_owned(),
            },
            SettingKind::Cache(state) => match state.node {
                CacheState::Warm => "warm".to_owned(),
                CacheState::Cold => "cold".to_owned(),
            },
            SettingKind::TiersMixed(_) => "mixed".to_owned(),
            SettingKind::Limits(limits) => block::one_line(limits, indent)?,
            SettingKind::Quick(values) => block::one_line(values, indent)?,
        };
        Some(vec![self.keyword.to_string(), value])
    }

    fn print_open(&self, page: &mut Page, line: Line) {
        let trailing = self.trivia.trailing.as_ref();
        let cells = vec![self.keyword.to_string()];
        match &self.kind {
            _ if fits(self.cells(line.indent), line.indent) => simple(self, page, line),
            SettingKind::Limits(limits) => {
                block::print(page, Line { cells, ..line }, limits, trailing);
            }
            SettingKind::Quick(values) => {
                block::print(page, Line { cells, ..line }, values, trailing);
            }
            _ => simple(self, page, line),
        }
    }
}

fn fits(cells: Option<Vec<String>>, indent: usize) -> bool {
    cells.is_some_and(|cells| indent * INDENT + width(&cells.join(" ")) <= WIDTH)
}

impl Member for Limit {
    const SHARE_LINES: bool = true;
    const KIND: LineKind = LineKind::Pair;

    fn trivia(&self) -> &Trivia {
        &self.trivia
    }

    fn cells(&self, indent: usize) -> Option<Vec<String>> {
        let word = match self.kind.node {
            LimitKind::Memory => "memory",
            LimitKind::Time => "time",
            LimitKind::Disk => "disk",
        };
        Some(vec![word.to_owned(), expr(&self.value, indent)])
    }

    fn print_open(&self, page: &mut Page, line: Line) {
        simple(self, page, line);
    }
}

impl Member for QuickValue {
    const SHARE_LINES: bool = true;
    const KIND: LineKind = LineKind::Pair;

    fn trivia(&self) -> &Trivia {
        &self.trivia
    }

    fn cells(&self, indent: usize) -> Option<Vec<String>> {
        Some(vec![
            self.name.to_string(),
            format!("= {}", values(&self.values, indent)),
        ])
    }

    fn print_open(&self, page: &mut Page, line: Line) {
        simple(self, page, line);
    }
}

impl Member for EngineOption {
    const SHARE_LINES: bool = true;
    const KIND: LineKind = LineKind::Pair;

    fn trivia(&self) -> &Trivia {
        &self.trivia
    }

    fn cells(&self, indent: usize) -> Option<Vec<String>> {
        Some(vec![format!("{}:", self.name), expr(&self.value, indent)])
    }

    fn print_open(&self, page: &mut Page, line: Line) {
        simple(self, page, line);
    }
}

impl Member for Comparison {
    const SHARE_LINES: bool = false;
    const KIND: LineKind = LineKind::Comparison;

    fn trivia(&self) -> &Trivia {
        &self.trivia
    }

    fn cells(&self, indent: usize) -> Option<Vec<String>> {
        Some(comparison(self, indent))
    }

    fn print_open(&self, page: &mut Page, line: Line) {
        simple(self, page, line);
    }
}

pub(super) fn comparison(comparison: &Comparison, indent: usize) -> Vec<String> {
    let mut cells = vec![expr(&comparison.expr, indent)];
    let condition = comparison.condition.as_ref();
    cells.extend(condition.map(|condition| format!("for {}", expr(condition, indent))));
    cells
}

impl Member for ModelMember {
    const SHARE_LINES: bool = false;
    const KIND: LineKind = LineKind::Field;

    fn trivia(&self) -> &Trivia {
        &self.trivia
    }

    fn cells(&self, indent: usize) -> Option<Vec<String>> {
        Some(match &self.kind {
            ModelMemberKind::Field(field) => self::field(field, indent),
            ModelMemberKind::Index(index) => {
                let when = index.when.as_ref();
                let when = when.map(|when| format!(" when {}", expr(when, indent)));
                let keys = order_keys(&index.keys);
                vec![format!("index ({keys}){}", when.unwrap_or_default())]
            }
            ModelMemberKind::Unique(unique) => vec![format!("unique ({})", paths(&unique.fields))],
        })
    }

    fn print_open(&self, page: &mut Page, line: Line) {
        simple(self, page, line);
    }
}

/// Name, type, generator (after `key`), and the other attributes.
fn field(field: &Field, indent: usize) -> Vec<String> {
    let attribute = |kind: &AttributeKind| match kind {
        AttributeKind::Key => "key".to_owned(),
        AttributeKind::Index { when: None } => "index".to_owned(),
        AttributeKind::Index { when: Some(when) } => format!("index when {}", expr(when, indent)),
        AttributeKind::Unique => "unique".to_owned(),
        AttributeKind::Cascade => "cascade".to_owned(),
        AttributeKind::Inverse(name) => format!("inverse {name}"),
    };
    let (keys, others): (Vec<_>, Vec<_>) = field
        .attributes
        .iter()
        .map(|found| &found.kind)
        .partition(|kind| **kind == AttributeKind::Key);
    let keys: Vec<_> = keys.into_iter().map(attribute).collect();
    let others: Vec<_> = others.into_iter().map(attribute).collect();
    let mut middle = keys.join(" ");
    if let Some(generator) = &field.generator {
        let space = if middle.is_empty() { "" } else { " " };
        middle += &format!("{space}= {}", expr(generator, indent));
    }
    let mut cells = vec![format!("{}:", field.name), field_type(&field.ty)];
    let others = others.join(" ");
    match (middle.is_empty(), others.is_empty()) {
        (true, true) => {}
        (true, false) => cells.push(others),
        (false, true) => cells.push(middle),
        // Over several lines there are no columns any more.
        (false, false) if middle.contains('\n') => cells.push(format!("{middle} {others}")),
        (false, false) => {
            cells.push(middle);
            cells.push(others);
        }
    }
    cells
}

pub(super) fn field_type(ty: &Type) -> String {
    let mut out = match &ty.kind {
        TypeKind::Scalar(scalar) => scalar.word().to_owned(),
        TypeKind::Enum(cases) => format!("enum({})", self::cases(cases).join(", ")),
        TypeKind::Named(path) => path.to_string(),
    };
    if ty.list {
        out += "[]";
    }
    if ty.optional {
        out += "?";
    }
    out
}

pub(super) fn cases(cases: &[EnumCase]) -> Vec<String> {
    let case = |case: &EnumCase| {
        let name = match &case.quoted {
            Some(raw) => format!("\"{raw}\""),
            None => case.name.to_string(),
        };
        match &case.weight {
            Some(weight) => format!("{name}: {}", weight.text),
            None => name,
        }
    };
    cases.iter().map(case).collect()
}

pub(super) fn values(values: &SweepValues, indent: usize) -> String {
    match values {
        SweepValues::List(list) => exprs(list, indent),
        SweepValues::Range { from, to, step, by } => {
            let sign = match step.node {
                SweepStep::Times => "*",
                SweepStep::Plus => "+",
            };
            let (from, to) = (expr(from, indent), expr(to, indent));
            format!("{from}..{to} by {sign}{}", expr(by, indent))
        }
    }
}

impl Member for Step {
    const SHARE_LINES: bool = false;
    const KIND: LineKind = LineKind::Step;

    fn trivia(&self) -> &Trivia {
        &self.trivia
    }

    fn cells(&self, indent: usize) -> Option<Vec<String>> {
        let mut text = clauses(self, indent).join(" ");
        if let StepKind::Repeat(repeat) = &self.kind {
            text = format!("{text} {}", block::one_line(&repeat.steps, indent)?);
        }
        Some(label(self).into_iter().chain([text]).collect())
    }

    fn print_open(&self, page: &mut Page, line: Line) {
        step(self, page, line, self.trivia.trailing.as_ref());
    }
}

fn label(step: &Step) -> Option<String> {
    step.label.as_ref().map(|label| format!("{label}:"))
}

fn step(step: &Step, page: &mut Page, line: Line, trailing: Option<&crate::syntax::ast::Comment>) {
    let mut clauses = clauses(step, line.indent);
    let label = label(step);
    let before = label.as_ref().map_or(0, |label| width(label) + 1);
    let whole = clauses.join(" ");
    let cells = |text: String| label.clone().into_iter().chain([text]).collect();
    if let StepKind::Repeat(repeat) = &step.kind {
        let cells = cells(whole);
        block::print(page, Line { cells, ..line }, &repeat.steps, trailing);
        return;
    }
    if line.indent * INDENT + before + width(&whole) <= WIDTH || clauses.len() == 1 {
        page.push(Line {
            cells: cells(whole),
            ..line
        });
    } else {
        let more = clauses.split_off(1);
        page.push(Line {
            cells: cells(clauses.remove(0)),
            more,
            ..line
        });
    }
    page.tail(trailing);
}

impl Member for TrialMember {
    const SHARE_LINES: bool = false;
    const KIND: LineKind = LineKind::Step;

    fn trivia(&self) -> &Trivia {
        &self.trivia
    }

    fn cells(&self, indent: usize) -> Option<Vec<String>> {
        match &self.kind {
            TrialMemberKind::Skip { when } => {
                Some(vec![format!("skip when {}", expr(when, indent))])
            }
            TrialMemberKind::Runs { runs, when } => {
                let when = when.as_ref();
                let when = when.map(|when| format!(" when {}", expr(when, indent)));
                let runs = expr(runs, indent);
                Some(vec![format!("runs {runs}{}", when.unwrap_or_default())])
            }
            TrialMemberKind::Setup(setup) => {
                let steps = block::one_line(&setup.steps, indent)?;
                Some(vec![format!("setup {steps}")])
            }
            TrialMemberKind::Step(step) => step.cells(indent),
        }
    }

    fn print_open(&self, page: &mut Page, line: Line) {
        let trailing = self.trivia.trailing.as_ref();
        match &self.kind {
            TrialMemberKind::Setup(setup) => {
                let cells = vec!["setup".to_owned()];
                block::print(page, Line { cells, ..line }, &setup.steps, trailing);
            }
            TrialMemberKind::Step(step) => self::step(step, page, line, trailing),
            _ => simple(self, page, line),
        }
    }
}
