//! The language's own functions: generators, and `count(…)`.

use std::cmp::Ordering;

use super::checker::Checker;
use super::constant::order;
use super::place::{Cx, Place};
use super::types::{Type, Typed};
use crate::base::Value;
use crate::base::span::Span;
use crate::diagnostics::Code;
use crate::plan::{Expr, Generator};
use crate::syntax::ast::{self, ExprKind};

impl<'a> Checker<'a> {
    pub fn builtin(
        &mut self,
        name: &'a ast::Ident,
        args: &'a [ast::Arg],
        span: Span,
        cx: Cx<'_>,
    ) -> Typed {
        match (name.name.as_str(), cx.place) {
            ("count", Place::Record { .. }) => self.count_of(args, span, cx),
            ("sum" | "avg" | "min" | "max" | "count", _) => self.not_here(
                span,
                &format!("`{name}(…)` does not stand here"),
                "an aggregate stands after `compute`, `count(grades)` in a predicate",
            ),
            ("owned" | "shared", Place::Generator { .. }) => self.not_here(
                span,
                &format!("`{name}(…)` is the whole generator of a field whose type is a model"),
                "such as `grades: Grade[] = owned(2..7)`",
            ),
            (_, Place::Generator { .. }) => self.generator(name, args, span, cx),
            _ => self.not_here(
                span,
                &format!("`{name}(…)` draws values: it stands in generators"),
                "what a step compares with is the same for every record",
            ),
        }
    }

    fn count_of(&mut self, args: &'a [ast::Arg], span: Span, cx: Cx<'_>) -> Typed {
        let [arg] = args else {
            self.error_help(
                Code::BadArguments,
                span,
                "`count` takes one list or link",
                "such as `count(grades) > 3`",
            );
            return Typed::unknown();
        };
        self.unnamed(arg);
        let Some(path) = arg.value.inner().as_path() else {
            self.error_help(
                Code::BadArguments,
                arg.value.span,
                "`count` takes the name of a list or link",
                "such as `count(grades) > 3`",
            );
            return Typed::unknown();
        };
        let Some((over, _)) = self.many(path, cx) else {
            return Typed::unknown();
        };
        let expr = Expr::CountOf {
            over,
            predicate: None,
        };
        Typed::new(expr, Type::Int)
    }

    fn generator(
        &mut self,
        name: &'a ast::Ident,
        args: &'a [ast::Arg],
        span: Span,
        cx: Cx<'_>,
    ) -> Typed {
        if name.name == "sequence" {
            return self.sequence(args, span, cx);
        }
        if name.name == "pick" {
            return self.pick(args, span, cx);
        }
        let takes = match name.name.as_str() {
            "uniform" => "uniform(low, high)",
            "normal" => "normal(mean, deviation)",
            "zipf" => "zipf(ranks, skew)",
            "timestamp" => "timestamp(from, to)",
            "list" => "list(0..5, generator)",
            "chance" => "chance(60%)",
            "cycle" => "cycle(pool)",
            "shuffled" => "shuffled(row)",
            "bytes" => "bytes(1KiB)",
            "text" => "text(8..40)",
            _ => "paragraph(120..480)",
        };
        for arg in args {
            self.unnamed(arg);
        }
        let two = takes.contains(", ");
        if args.len() != 1 + usize::from(two) {
            self.error_help(
                Code::BadArguments,
                span,
                format!(
                    "`{name}` takes {}, not {}",
                    if two { "2 arguments" } else { "1 argument" },
                    args.len()
                ),
                format!("write `{takes}`"),
            );
            return Typed::unknown();
        }
        let first = &args[0].value;
        match (name.name.as_str(), args.get(1)) {
            ("uniform", Some(high)) => self.uniform(first, &high.value, span, cx),
            ("normal", Some(deviation)) => {
                let mean = self.number(first, cx);
                let deviation = self.number(&deviation.value, cx);
                self.not_negative(&deviation, args[1].value.span, "a deviation");
                Typed::generated(Generator::Normal { mean, deviation }, Type::Float)
            }
            ("zipf", Some(exponent)) => {
                let n = self.int(first, cx);
                let exponent = self.number(&exponent.value, cx);
                self.at_least(&n, 1, first.span, "the number of ranks");
                self.not_negative(&exponent, args[1].value.span, "a skew");
                Typed::generated(Generator::Zipf { n, exponent }, Type::Int)
            }
            ("timestamp", Some(to)) => {
                let from = self.of_type(first, &Type::Timestamp, cx);
                let to_value = self.of_type(&to.value, &Type::Timestamp, cx);
                self.rising(&from, &to_value, span);
                let generator = Generator::Timestamp { from, to: to_value };
                Typed::generated(generator, Type::Timestamp)
            }
            ("list", Some(item)) => {
                let (min, max) = self.length(first, cx);
                let item = self.expr(&item.value, cx);
                let ty = Type::List(Box::new(item.ty));
                let generator = Generator::List {
                    min,
                    max,
                    item: item.expr,
                };
                Typed::generated(generator, ty)
            }
            ("chance", _) => self.chance(first, cx),
            ("cycle", _) => self.cycle(first, cx),
            ("shuffled", _) => {
                let of = self.int(first, cx);
                Typed::generated(Generator::Shuffled { of, domain: 0 }, Type::Int)
            }
            (kind, _) => {
                let (min, max) = self.length(first, cx);
                match kind {
                    "bytes" => Typed::generated(Generator::Bytes { min, max }, Type::Blob),
                    "text" => Typed::generated(Generator::Text { min, max }, Type::Text),
                    _ => Typed::generated(Generator::Paragraph { min, max }, Type::Text),
                }
            }
        }
    }

    fn uniform(
        &mut self,
        low: &'a ast::Expr,
        high: &'a ast::Expr,
        span: Span,
        cx: Cx<'_>,
    ) -> Typed {
        let a = self.expr(low, cx);
        let b = self.expr(high, cx);
        if a.ty == Type::Timestamp || b.ty == Type::Timestamp {
            return self.not_here(
                span,
                "`uniform` draws numbers",
                "moments are drawn by `timestamp(from, to)`",
            );
        }
        for (typed, at) in [(&a, low), (&b, high)] {
            self.expect_number(typed, at.span);
        }
        self.rising(&a.expr, &b.expr, span);
        let ty = match (&a.ty, &b.ty) {
            (Type::Int, Type::Int) => Type::Int,
            (x, y) if x.is_open() || y.is_open() => Type::Dynamic,
            _ => Type::Float,
        };
        let generator = Generator::Uniform {
            low: a.expr,
            high: b.expr,
        };
        Typed::generated(generator, ty)
    }

    fn chance(&mut self, share: &'a ast::Expr, cx: Cx<'_>) -> Typed {
        let part = self.number(share, cx);
        let values = self.possible(&part).unwrap_or_default();
        let outside = values
            .iter()
            .filter_map(super::constant::number)
            .any(|p| !(0.0..=1.0).contains(&p));
        if outside {
            self.error_help(
                Code::BadRange,
                share.span,
                "a chance lies between 0% and 100%",
                "such as `chance(60%)` or `chance(0.6)`",
            );
        }
        Typed::generated(Generator::Chance(part), Type::Bool)
    }

    fn cycle(&mut self, pool: &'a ast::Expr, cx: Cx<'_>) -> Typed {
        let found = match pool.inner().as_path() {
            Some(path) => self.pool_or_report(path, cx.unit),
            None => {
                return self.not_here(
                    pool.span,
                    "`cycle` takes the name of a pool",
                    "such as `cycle(schools.school_name)`",
                );
            }
        };
        match found {
            Some((id, ty)) => Typed::generated(Generator::Cycle(id), ty),
            None => Typed::unknown(),
        }
    }

    fn pick(&mut self, args: &'a [ast::Arg], span: Span, cx: Cx<'_>) -> Typed {
        if args.is_empty() {
            self.error_help(
                Code::BadArguments,
                span,
                "`pick` needs something to choose from",
                "such as `pick(\"red\", \"green\")`",
            );
            return Typed::unknown();
        }
        let mut ty = Type::Unknown;
        let mut null = false;
        let mut among = Vec::with_capacity(args.len());
        for arg in args {
            self.unnamed(arg);
            let one = self.expr(&arg.value, cx);
            null |= one.null;
            ty = match (&ty, &one.ty) {
                (Type::Unknown | Type::Null, other) => other.clone(),
                (own, Type::Null | Type::Unknown) => own.clone(),
                (Type::Int, Type::Float) | (Type::Float, Type::Int) => Type::Float,
                (Type::Dynamic, _) | (_, Type::Dynamic) => Type::Dynamic,
                (own, other) if own == other => own.clone(),
                (own, other) => {
                    let schema = &self.exp.schema;
                    let (own_words, other_words) = (own.words(schema), other.words(schema));
                    let message =
                        format!("the choices before are {own_words}, this is {other_words}");
                    let own = own.clone();
                    self.error_help(
                        Code::WrongType,
                        arg.value.span,
                        message,
                        "all choices are of one kind",
                    );
                    own
                }
            };
            among.push(one.expr);
        }
        Typed::generated(Generator::Pick(among), ty).nullable(null)
    }

    fn sequence(&mut self, args: &'a [ast::Arg], span: Span, cx: Cx<'_>) -> Typed {
        let step = args
            .iter()
            .find(|a| a.name.as_ref().is_some_and(|n| n.name == "step"));
        let start = args.iter().find(|a| a.name.is_none());
        let (Some(start), Some(step), 2) = (start, step, args.len()) else {
            self.error_help(
                Code::BadArguments,
                span,
                "`sequence` takes a start and a step",
                "write `sequence(1_700_000_000, step: 1..60)`",
            );
            return Typed::unknown();
        };
        let first = self.expr(&start.value, cx);
        let ty = match first.ty {
            Type::Int | Type::Timestamp => first.ty.clone(),
            ref open if open.is_open() => Type::Unknown,
            ref other => {
                let words = other.words(&self.exp.schema);
                self.error_help(
                    Code::WrongType,
                    start.value.span,
                    format!("a sequence starts at an int or a timestamp; this is {words}"),
                    "such as `sequence(1, step: 1..3)` or `sequence(@2026-01-01T00:00Z, step: 1s..90s)`",
                );
                return Typed::unknown();
            }
        };
        let step_type = if ty == Type::Timestamp {
            Type::Duration
        } else {
            Type::Int
        };
        let (low, high) = match &step.value.inner().kind {
            ExprKind::Range { from, to } => {
                let low = self.of_type(from, &step_type, cx);
                let high = self.of_type(to, &step_type, cx);
                self.rising(&low, &high, step.value.span);
                (low, high)
            }
            _ => {
                let both = self.of_type(&step.value, &step_type, cx);
                (both.clone(), both)
            }
        };
        let generator = Generator::Sequence {
            start: first.expr,
            low,
            high,
        };
        Typed::generated(generator, ty)
    }

    /// A length or number of things: `a..b` or one number.
    pub fn length(&mut self, expr: &'a ast::Expr, cx: Cx<'_>) -> (Expr, Expr) {
        match &expr.inner().kind {
            ExprKind::Range { from, to } => {
                let low = self.int(from, cx);
                let high = self.int(to, cx);
                self.not_negative(&low, from.span, "a length");
                self.rising(&low, &high, expr.span);
                (low, high)
            }
            _ => {
                let both = self.int(expr, cx);
                self.not_negative(&both, expr.span, "a length");
                (both.clone(), both)
            }
        }
    }

    pub fn int(&mut self, expr: &'a ast::Expr, cx: Cx<'_>) -> Expr {
        self.of_type(expr, &Type::Int, cx)
    }

    fn number(&mut self, expr: &'a ast::Expr, cx: Cx<'_>) -> Expr {
        let typed = self.expr(expr, cx);
        self.expect_number(&typed, expr.span);
        typed.expr
    }

    fn expect_number(&mut self, typed: &Typed, span: Span) {
        if !typed.ty.is_number() {
            let words = typed.ty.words(&self.exp.schema);
            self.error(
                Code::WrongType,
                span,
                format!("a number belongs here; this is {words}"),
            );
        }
    }

    /// An argument of this very type; lengths of time come out in ms.
    fn of_type(&mut self, expr: &'a ast::Expr, ty: &Type, cx: Cx<'_>) -> Expr {
        let typed = self.expr(expr, cx);
        if typed.ty != *ty && !typed.ty.is_open() {
            let schema = &self.exp.schema;
            let message = format!(
                "{} belongs here; this is {}",
                ty.words(schema),
                typed.ty.words(schema)
            );
            let help = match ty {
                Type::Timestamp => Some("a moment is written `@2026-01-31T00:00Z`".to_owned()),
                Type::Duration => Some("such as `1s`, `90s`, `1d`".to_owned()),
                _ => None,
            };
            self.error_maybe(Code::WrongType, expr.span, message, help);
        }
        self.in_milliseconds(typed, expr.span).expr
    }

    fn not_negative(&mut self, expr: &Expr, span: Span, what: &str) {
        self.at_least(expr, 0, span, what);
    }

    /// Reports a number that is smaller at some point.
    pub fn at_least(&mut self, expr: &Expr, least: i64, span: Span, what: &str) {
        let values = self.possible(expr).unwrap_or_default();
        let below = Value::Int(least);
        if values
            .iter()
            .any(|value| order(value, &below) == Some(Ordering::Less))
        {
            self.error(Code::BadRange, span, format!("{what} is {least} at least"));
        }
    }
}
