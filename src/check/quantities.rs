//! Params and sweeps: values and axes.

use std::collections::{BTreeMap, BTreeSet};

use super::checker::Checker;
use super::constant::{evaluate, order};
use super::model::{Axis, Param};
use super::points::distinct;
use crate::base::Value;
use crate::base::span::Span;
use crate::diagnostics::Code;
use crate::plan::{ArithOp, Expr};
use crate::syntax::ast::{self, BinaryOp, ExprKind, ItemKind, Number, SweepStep, SweepValues};

/// More values than this are no axis.
const MOST_VALUES: usize = 2_000;

/// What a param or an axis holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Int,
    Float,
    Bool,
    /// A text or a symbol.
    Text,
    /// Bytes, an int.
    Size,
    /// Nanoseconds, an int.
    Duration,
    Timestamp,
    /// Wrong and reported.
    Unknown,
}

/// A param or an axis.
#[derive(Clone, Debug)]
pub(super) struct Quantity {
    pub name: String,
    pub kind: Kind,
    pub is_axis: bool,
    pub span: Span,
    /// Its possible values, distinct.
    pub values: Vec<Value>,
    /// Params and axes that its values name, and theirs.
    pub names: BTreeSet<String>,
}

impl Kind {
    pub fn words(self) -> &'static str {
        match self {
            Kind::Int => "an int",
            Kind::Float => "a float",
            Kind::Bool => "a bool",
            Kind::Text => "a word",
            Kind::Size => "a size",
            Kind::Duration => "a length of time",
            Kind::Timestamp => "a timestamp",
            Kind::Unknown => "a value",
        }
    }

    pub fn is_numeric(self) -> bool {
        matches!(self, Kind::Int | Kind::Float | Kind::Size | Kind::Duration)
    }
}

impl<'a> Checker<'a> {
    /// The param or axis of that name.
    pub fn quantity(&self, name: &str) -> Option<&Quantity> {
        self.quantities.iter().find(|q| q.name == name)
    }

    /// Checks all params and sweeps, in order.
    pub fn check_quantities(&mut self) {
        let Some(unit) = self.units.first() else {
            return;
        };
        for item in &unit.file.items {
            self.names.clear();
            match &item.kind {
                ItemKind::Param(param) => self.param(param),
                ItemKind::Sweep(sweep) => self.sweep(sweep),
                _ => {}
            }
        }
        self.names.clear();
    }

    fn param(&mut self, param: &'a ast::Param) {
        let (value, kind) = self.quantity_value(&param.value);
        if self.quantity(&param.name.name).is_some() {
            return;
        }
        if let Some(axis) = self.names.iter().find(|n| self.exp.axis(n).is_some()) {
            let message = format!("a param cannot depend on the sweep `{axis}`");
            self.error_help(
                Code::BadSweep,
                param.value.span,
                message,
                "make it a sweep with this one value: `sweep batch = n`",
            );
        }
        self.add(&param.name, kind, false, std::slice::from_ref(&value));
        self.exp.params.push(Param {
            name: param.name.name.clone(),
            value,
        });
    }

    fn sweep(&mut self, sweep: &'a ast::Sweep) {
        let (values, kind) = self.sweep_values(&sweep.values, sweep.name.span);
        if self.quantity(&sweep.name.name).is_some() {
            return;
        }
        self.add(&sweep.name, kind, true, &values);
        self.exp.axes.push(Axis {
            name: sweep.name.name.clone(),
            values,
        });
    }

    fn add(&mut self, name: &ast::Ident, kind: Kind, is_axis: bool, exprs: &[Expr]) {
        let mut names = self.take_names();
        for used in names.clone() {
            if let Some(quantity) = self.quantity(&used) {
                names.extend(quantity.names.iter().cloned());
            }
        }
        let mut values = Vec::new();
        for expr in exprs {
            values.extend(self.possible_over(expr, &names).unwrap_or_default());
        }
        self.quantities.push(Quantity {
            name: name.name.clone(),
            kind,
            is_axis,
            span: name.span,
            values: distinct(values),
            names,
        });
    }

    /// The values of a sweep (or of a `quick` line), all of one kind.
    pub fn sweep_values(&mut self, values: &'a SweepValues, at: Span) -> (Vec<Expr>, Kind) {
        match values {
            SweepValues::List(list) => {
                if list.is_empty() {
                    self.error(Code::BadSweep, at, "a sweep without values");
                }
                if list.len() > MOST_VALUES {
                    self.too_many(at);
                }
                let mut kind = Kind::Unknown;
                let mut exprs = Vec::with_capacity(list.len());
                for one in list {
                    let (expr, own) = self.quantity_value(one);
                    kind = self.one_kind(kind, own, one);
                    exprs.push(expr);
                }
                (exprs, kind)
            }
            SweepValues::Range { from, to, step, by } => {
                let (from_value, kind) = self.quantity_value(from);
                let (to_value, to_kind) = self.quantity_value(to);
                let (by_value, _) = self.quantity_value(by);
                let kind = self.one_kind(kind, to_kind, to);
                let span = from.span.to(by.span);
                let none = BTreeMap::new();
                let ends = (
                    evaluate(&from_value, &none),
                    evaluate(&to_value, &none),
                    evaluate(&by_value, &none),
                );
                let (Some(from), Some(to), Some(by)) = ends else {
                    self.error_help(
                        Code::BadSweep,
                        span,
                        "the ends and the step of a range must be numbers as written",
                        "list the values where one of them is a name: `sweep batch = 1, 10, n`",
                    );
                    return (Vec::new(), Kind::Unknown);
                };
                (self.steps(from, &to, &by, step.node, span), kind)
            }
        }
    }

    fn steps(
        &mut self,
        from: Value,
        to: &Value,
        by: &Value,
        step: SweepStep,
        span: Span,
    ) -> Vec<Expr> {
        use std::cmp::Ordering;
        let op = match step {
            SweepStep::Times => ArithOp::Multiply,
            SweepStep::Plus => ArithOp::Add,
        };
        let mut values = Vec::new();
        let mut at = from;
        loop {
            match order(&at, to) {
                Some(Ordering::Less | Ordering::Equal) => {}
                Some(Ordering::Greater) if !values.is_empty() => return values,
                Some(Ordering::Greater) => {
                    self.error_help(
                        Code::BadSweep,
                        span,
                        "the range is empty: it starts above its end",
                        "ranges go upwards: `100..10M by *10`",
                    );
                    return values;
                }
                None => {
                    self.error(Code::BadSweep, span, "a range of a sweep needs numbers");
                    return values;
                }
            }
            values.push(Expr::Literal(at.clone()));
            if values.len() > MOST_VALUES {
                self.too_many(span);
                return Vec::new();
            }
            let arith = Expr::Arith {
                op,
                left: Box::new(Expr::Literal(at.clone())),
                right: Box::new(Expr::Literal(by.clone())),
            };
            // Past the largest int there is no further value.
            let Some(next) = evaluate(&arith, &BTreeMap::new()) else {
                return values;
            };
            if order(&next, &at) != Some(Ordering::Greater) {
                self.error_help(
                    Code::BadSweep,
                    span,
                    "the range never gets further",
                    "multiply by more than 1 (`by *10`) from above 0, or add more than 0 (`by +100`)",
                );
                return Vec::new();
            }
            at = next;
        }
    }

    fn too_many(&mut self, span: Span) {
        self.error_help(
            Code::BadSweep,
            span,
            format!("more than {MOST_VALUES} values"),
            "a coarser sweep, such as `by *10`, shows as much",
        );
    }

    fn one_kind(&mut self, all: Kind, own: Kind, at: &ast::Expr) -> Kind {
        match (all, own) {
            (Kind::Unknown, own) => own,
            (all, Kind::Unknown) => all,
            (Kind::Int, Kind::Float) | (Kind::Float, Kind::Int) => Kind::Float,
            (all, own) if all == own => all,
            (all, own) => {
                let close = at
                    .as_name()
                    .and_then(|name| self.close_quantity(&name.name));
                self.error_maybe(
                    Code::BadSweep,
                    at.span,
                    format!(
                        "the values before are {}, this is {}",
                        plural(all),
                        own.words()
                    ),
                    close.or_else(|| Some("a list holds one kind of thing".to_owned())),
                );
                all
            }
        }
    }

    fn close_quantity(&self, name: &str) -> Option<String> {
        crate::diagnostics::did_you_mean(name, self.quantities.iter().map(|q| q.name.as_str()))
    }

    /// A literal, a name declared before, arithmetic over them, or a symbol.
    pub fn quantity_value(&mut self, expr: &'a ast::Expr) -> (Expr, Kind) {
        let literal = |value: Value, kind: Kind| (Expr::Literal(value), kind);
        let whole = |n: u64| Value::Int(i64::try_from(n).unwrap_or(i64::MAX));
        match &expr.kind {
            ExprKind::Bool(b) => literal(Value::Bool(*b), Kind::Bool),
            ExprKind::Number(number) => match number.value {
                Number::Int(i) => literal(Value::Int(i), Kind::Int),
                Number::Float(f) | Number::Percent(f) => literal(Value::Float(f), Kind::Float),
                Number::Size(n) => literal(whole(n), Kind::Size),
                Number::Duration(n) => literal(whole(n), Kind::Duration),
            },
            ExprKind::Date(date) => literal(Value::Timestamp(date.unix_ms), Kind::Timestamp),
            ExprKind::Text(text) => match text.plain() {
                Some(plain) => literal(Value::Text(plain.to_owned()), Kind::Text),
                None => {
                    self.misplaced_fill(text);
                    (Expr::It, Kind::Unknown)
                }
            },
            ExprKind::Paren(inner) => self.quantity_value(inner),
            ExprKind::Unary { op, operand } if op.node == ast::UnaryOp::Neg => {
                let (inner, kind) = self.quantity_value(operand);
                let value = match inner {
                    Expr::Literal(Value::Int(i)) => Expr::Literal(Value::Int(-i)),
                    Expr::Literal(Value::Float(f)) => Expr::Literal(Value::Float(-f)),
                    other => Expr::Neg(Box::new(other)),
                };
                (value, kind)
            }
            ExprKind::Path(path) => match path.single() {
                Some(name) => self.quantity_name(name),
                None => {
                    self.not_a_quantity(expr);
                    (Expr::It, Kind::Unknown)
                }
            },
            ExprKind::Binary {
                op, left, right, ..
            } if op.node.is_arithmetic() => self.quantity_arithmetic(op.node, left, right, expr),
            _ => {
                self.not_a_quantity(expr);
                (Expr::It, Kind::Unknown)
            }
        }
    }

    fn not_a_quantity(&mut self, expr: &ast::Expr) {
        self.error_help(
            Code::NotHere,
            expr.span,
            "a param or sweep takes plain values",
            "such as `10k`, `true`, `wal`, `4KiB`, or the name of one before it",
        );
    }

    fn quantity_name(&mut self, name: &ast::Ident) -> (Expr, Kind) {
        if self.only_symbols {
            return (Expr::Literal(Value::Text(name.name.clone())), Kind::Text);
        }
        if let Some(quantity) = self.quantity(&name.name) {
            let kind = quantity.kind;
            self.note_name(&name.name);
            return (Expr::Name(name.name.clone()), kind);
        }
        let later = self.items().any(|(unit, item)| {
            unit == 0
                && match &item.kind {
                    ItemKind::Param(p) => p.name.name == name.name,
                    ItemKind::Sweep(s) => s.name.name == name.name,
                    _ => false,
                }
        });
        if later {
            self.error_help(
                Code::UsedTooEarly,
                name.span,
                format!("`{name}` is declared further down"),
                "a value may name params and sweeps before it: move that one up",
            );
            self.note_name(&name.name);
            return (Expr::It, Kind::Unknown);
        }
        if self.open_words {
            return (Expr::Name(name.name.clone()), Kind::Unknown);
        }
        (Expr::Literal(Value::Text(name.name.clone())), Kind::Text)
    }

    fn quantity_arithmetic(
        &mut self,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
        whole: &ast::Expr,
    ) -> (Expr, Kind) {
        let (left_value, left_kind) = self.quantity_value(left);
        let (right_value, right_kind) = self.quantity_value(right);
        let kind = match (left_kind, right_kind) {
            (Kind::Unknown, _) | (_, Kind::Unknown) => Kind::Unknown,
            (Kind::Int, Kind::Float) | (Kind::Float, Kind::Int) => Kind::Float,
            (a, b) if a == b && a.is_numeric() => a,
            (a @ (Kind::Size | Kind::Duration), Kind::Int)
            | (Kind::Int, a @ (Kind::Size | Kind::Duration)) => a,
            (a, b) => {
                self.error(
                    Code::WrongType,
                    whole.span,
                    format!(
                        "`{}` does not go with {} and {}",
                        op.symbol(),
                        a.words(),
                        b.words()
                    ),
                );
                Kind::Unknown
            }
        };
        let value = Expr::Arith {
            op: super::operators::arith_op(op),
            left: Box::new(left_value),
            right: Box::new(right_value),
        };
        (value, kind)
    }
}

fn plural(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "ints",
        Kind::Float => "floats",
        Kind::Bool => "bools",
        Kind::Text => "words",
        Kind::Size => "sizes",
        Kind::Duration => "lengths of time",
        Kind::Timestamp => "timestamps",
        Kind::Unknown => "values",
    }
}
