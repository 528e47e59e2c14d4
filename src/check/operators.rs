//! Arithmetic, comparison, `in`, `is null`, `is empty`.

use super::checker::Checker;
use super::place::Cx;
use super::quantities::Kind;
use super::types::{Type, Typed};
use crate::base::Value;
use crate::base::span::{Span, Spanned};
use crate::diagnostics::{Code, did_you_mean};
use crate::plan::{ArithOp, CompareOp, Expr, TextOp};
use crate::syntax::ast::{self, BinaryOp, ExprKind, InSet};

/// Nanoseconds in a millisecond: timestamps count in the latter.
const NS_PER_MS: i64 = 1_000_000;

impl<'a> Checker<'a> {
    pub fn binary(
        &mut self,
        op: Spanned<BinaryOp>,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
        ignoring_case: bool,
        cx: Cx<'_>,
    ) -> Typed {
        match op.node {
            BinaryOp::And | BinaryOp::Or => {
                let mut parts = Vec::new();
                self.flatten(op.node, left, cx, &mut parts);
                self.flatten(op.node, right, cx, &mut parts);
                let expr = if op.node == BinaryOp::And {
                    Expr::And(parts)
                } else {
                    Expr::Or(parts)
                };
                Typed::new(expr, Type::Bool)
            }
            arith if arith.is_arithmetic() => {
                let left = self.expr(left, cx);
                let right = self.expr(right, cx);
                self.arithmetic(op, left, right)
            }
            _ => self.comparison(op, left, right, ignoring_case, cx),
        }
    }

    /// `a and b and c` as one list.
    fn flatten(&mut self, op: BinaryOp, expr: &'a ast::Expr, cx: Cx<'_>, parts: &mut Vec<Expr>) {
        match &expr.kind {
            ExprKind::Binary {
                op: inner,
                left,
                right,
                ..
            } if inner.node == op => {
                self.flatten(op, left, cx, parts);
                self.flatten(op, right, cx, parts);
            }
            _ => parts.push(self.condition(expr, cx)),
        }
    }

    fn arithmetic(&mut self, op: Spanned<BinaryOp>, left: Typed, right: Typed) -> Typed {
        use ArithOp::{Add, Divide, Multiply, Remainder, Subtract};
        let arith = arith_op(op.node);
        let mut to_ms = (false, false);
        let ty = match (&left.ty, arith, &right.ty) {
            (Type::Unknown, ..) | (.., Type::Unknown) => Type::Unknown,
            (Type::Dynamic, ..) | (.., Type::Dynamic) => Type::Dynamic,
            (Type::Int, _, Type::Int) => Type::Int,
            (
                Type::Int | Type::Float,
                Add | Subtract | Multiply | Divide,
                Type::Int | Type::Float,
            ) => Type::Float,
            (Type::Timestamp, Add | Subtract, Type::Duration) => {
                to_ms = (false, true);
                Type::Timestamp
            }
            (Type::Duration, Add, Type::Timestamp) => {
                to_ms = (true, false);
                Type::Timestamp
            }
            (Type::Timestamp, Subtract, Type::Timestamp)
            | (Type::Duration, Add | Subtract, Type::Duration)
            | (Type::Duration, Multiply | Divide | Remainder, Type::Int)
            | (Type::Int, Multiply, Type::Duration) => {
                to_ms = (true, true);
                Type::Duration
            }
            (a, _, b) => {
                let help = arithmetic_help(a, b, arith);
                let schema = &self.exp.schema;
                let message = format!(
                    "`{}` does not go with {} and {}",
                    op.node.symbol(),
                    a.words(schema),
                    b.words(schema)
                );
                self.error_maybe(Code::WrongType, op.span, message, help);
                return Typed::unknown();
            }
        };
        let null = left.null || right.null;
        let (mut left, mut right) = (left, right);
        if to_ms.0 && left.ty == Type::Duration {
            left = self.in_milliseconds(left, op.span);
        }
        if to_ms.1 && right.ty == Type::Duration {
            right = self.in_milliseconds(right, op.span);
        }
        // Fold a length written as `2 * 1d`, so that it is never taken for ns again.
        let expr = Expr::Arith {
            op: arith,
            left: Box::new(left.expr),
            right: Box::new(right.expr),
        };
        Typed::new(expr, ty).nullable(null)
    }

    /// Lengths of time stand in ns as written and in params, in ms beside
    /// timestamps. Anything computed is in ms already.
    pub fn in_milliseconds(&mut self, typed: Typed, span: Span) -> Typed {
        if typed.ty != Type::Duration {
            return typed;
        }
        let expr = match typed.expr {
            Expr::Literal(Value::Int(ns)) => {
                if ns % NS_PER_MS != 0 {
                    self.error_help(
                        Code::WrongType,
                        span,
                        "a timestamp is exact to the millisecond",
                        "write a length in `ms` or more",
                    );
                }
                Expr::Literal(Value::Int(ns / NS_PER_MS))
            }
            Expr::Name(name) => Expr::Arith {
                op: ArithOp::Divide,
                left: Box::new(Expr::Name(name)),
                right: Box::new(Expr::Literal(Value::Int(NS_PER_MS))),
            },
            Expr::Neg(inner) if matches!(*inner, Expr::Name(_)) => Expr::Neg(Box::new(
                self.in_milliseconds(Typed::new(*inner, Type::Duration), span)
                    .expr,
            )),
            other => other,
        };
        Typed { expr, ..typed }
    }

    fn comparison(
        &mut self,
        op: Spanned<BinaryOp>,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
        ignoring_case: bool,
        cx: Cx<'_>,
    ) -> Typed {
        if let Some(typed) = self.engine_comparison(op, left, right, cx) {
            return typed;
        }
        let (a, b) = self.sides(left, right, cx);
        if let Some(text_op) = text_op(op.node) {
            return self.text_match(text_op, op, (a, left), (b, right), ignoring_case);
        }
        let compare = compare_op(op.node);
        for (side, other) in [(left, &a), (right, &b)] {
            if matches!(side.inner().kind, ExprKind::Null) {
                let negated = compare == CompareOp::NotEqual;
                let _ = other;
                self.error_help(
                    Code::NotComparable,
                    side.span,
                    "a comparison with null is never true",
                    if negated {
                        "write `is not null`"
                    } else {
                        "write `is null`"
                    },
                );
                return Typed::new(Expr::Literal(Value::Bool(false)), Type::Bool);
            }
        }
        let (a, b) = self.comparable(a, left.span, b, right.span, compare, op.span);
        if ignoring_case && !(a.ty.is_text() && b.ty.is_text()) {
            self.error(
                Code::NotComparable,
                op.span,
                "`ignoring case` compares texts",
            );
        }
        let expr = Expr::Compare {
            op: compare,
            left: Box::new(a.expr),
            right: Box::new(b.expr),
            ignoring_case,
        };
        Typed::new(expr, Type::Bool)
    }

    /// Both sides; where one is a symbol of the axis on the other, it is text.
    fn sides(&mut self, left: &'a ast::Expr, right: &'a ast::Expr, cx: Cx<'_>) -> (Typed, Typed) {
        if let Some(symbol) = self.symbol_beside(left, right, cx) {
            return (self.expr(left, cx), symbol);
        }
        if let Some(symbol) = self.symbol_beside(right, left, cx) {
            return (symbol, self.expr(right, cx));
        }
        (self.expr(left, cx), self.expr(right, cx))
    }

    /// `wal` in `journal == wal`, where `journal` is an axis of words.
    fn symbol_beside(
        &mut self,
        axis: &ast::Expr,
        symbol: &'a ast::Expr,
        cx: Cx<'_>,
    ) -> Option<Typed> {
        if !cx.is_point() {
            return None;
        }
        let axis = self.quantity(&axis.inner().as_name()?.name)?;
        if axis.kind != Kind::Text {
            return None;
        }
        let word = match &symbol.inner().kind {
            ExprKind::Path(path) => path.single().map(|name| name.name.clone()),
            ExprKind::Text(text) => text.plain().map(str::to_owned),
            _ => None,
        }?;
        if self.quantity(&word).is_some() && symbol.inner().as_name().is_some() {
            return None;
        }
        let axis = axis.clone();
        self.value_of_axis(&axis, &word, symbol.span);
        Some(Typed::new(Expr::Literal(Value::Text(word)), Type::Text))
    }

    /// Reports a word that the axis never takes.
    fn value_of_axis(&mut self, axis: &super::quantities::Quantity, word: &str, span: Span) {
        let words: Vec<&str> = axis
            .values
            .iter()
            .filter_map(|v| match v {
                Value::Text(t) => Some(t.as_str()),
                _ => None,
            })
            .collect();
        if !words.contains(&word) {
            let help = did_you_mean(word, words.iter().copied())
                .unwrap_or_else(|| format!("its values are {}", words.join(", ")));
            self.error_help(
                Code::UnknownName,
                span,
                format!("`{}` is never `{word}`", axis.name),
                help,
            );
        }
    }

    /// Both sides in a form in which they can be compared; reports where not.
    pub fn comparable(
        &mut self,
        a: Typed,
        a_span: Span,
        b: Typed,
        b_span: Span,
        op: CompareOp,
        at: Span,
    ) -> (Typed, Typed) {
        let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        let fine = match (&a.ty, &b.ty) {
            (x, y) if x.is_open() || y.is_open() => true,
            (Type::Int | Type::Float, Type::Int | Type::Float) => true,
            (Type::Enum(_), Type::Text) => return (a.clone(), self.case_of(&a.ty, b, b_span)),
            (Type::Text, Type::Enum(_)) => return (self.case_of(&b.ty, a, a_span), b.clone()),
            (Type::Enum(x), Type::Enum(y)) => x.iter().any(|case| y.contains(case)),
            (Type::Uuid, Type::Text) => return (a, self.uuid_of(b, b_span)),
            (Type::Text, Type::Uuid) => return (self.uuid_of(a, a_span), b),
            (Type::Bool, Type::Bool) => equality,
            (x, y) => x == y && x.is_ordered(),
        };
        if !fine {
            let help = comparison_help(&a.ty, &b.ty, equality);
            let schema = &self.exp.schema;
            let message = format!(
                "{} cannot be compared with {}",
                a.ty.words(schema),
                b.ty.words(schema)
            );
            self.error_maybe(Code::NotComparable, at, message, help);
            return (Typed::unknown(), Typed::unknown());
        }
        if a.ty == Type::Duration && b.ty == Type::Duration {
            return (
                self.in_milliseconds(a, a_span),
                self.in_milliseconds(b, b_span),
            );
        }
        let float = a.ty == Type::Float || b.ty == Type::Float;
        if float {
            return (float_literal(a), float_literal(b));
        }
        (a, b)
    }

    /// A text beside an enum: if it is written out, it must be a case.
    fn case_of(&mut self, ty: &Type, text: Typed, span: Span) -> Typed {
        let Type::Enum(cases) = ty else {
            return text;
        };
        if let Expr::Literal(Value::Text(word)) = &text.expr
            && !cases.contains(word)
        {
            let word = word.clone();
            self.unknown_case(cases, &word, span);
        }
        text
    }

    /// Reports a text that is no case.
    pub fn unknown_case(&mut self, cases: &[String], word: &str, span: Span) {
        let help = did_you_mean(word, cases.iter().map(String::as_str))
            .unwrap_or_else(|| format!("its cases are {}", cases.join(", ")));
        self.error_help(
            Code::UnknownCase,
            span,
            format!("`{word}` is no case of the enum"),
            help,
        );
    }

    /// A text that spells a uuid, as one.
    pub fn uuid_of(&mut self, text: Typed, span: Span) -> Typed {
        let parsed = match &text.expr {
            Expr::Literal(Value::Text(word)) => uuid::Uuid::try_parse(word).ok(),
            _ => None,
        };
        if let Some(uuid) = parsed {
            return Typed::new(Expr::Literal(Value::Uuid(*uuid.as_bytes())), Type::Uuid);
        }
        self.error_help(
            Code::NotComparable,
            span,
            "this is no uuid",
            "write one out: `\"123e4567-e89b-42d3-a456-426614174000\"`",
        );
        Typed::unknown()
    }

    fn text_match(
        &mut self,
        op: TextOp,
        word: Spanned<BinaryOp>,
        (value, value_ast): (Typed, &'a ast::Expr),
        (pattern, pattern_ast): (Typed, &'a ast::Expr),
        ignoring_case: bool,
    ) -> Typed {
        for (side, ast) in [(&value, value_ast), (&pattern, pattern_ast)] {
            if !side.ty.is_text() {
                let words = side.ty.words(&self.exp.schema);
                let help = matches!(side.ty, Type::List(_))
                    .then(|| format!("write `any {} (it == …)`", self.sources.snippet(ast.span)));
                self.error_maybe(
                    Code::NotComparable,
                    ast.span,
                    format!(
                        "`{}` stands between texts; this is {words}",
                        word.node.symbol()
                    ),
                    help,
                );
                return Typed::new(Expr::Literal(Value::Bool(false)), Type::Bool);
            }
        }
        let fixed = matches!(
            pattern.expr,
            Expr::Literal(_) | Expr::Name(_) | Expr::Arg(_)
        );
        if !fixed {
            self.error_help(
                Code::NotHere,
                pattern_ast.span,
                format!(
                    "what stands after `{}` must be a text as written",
                    word.node.symbol()
                ),
                "such as `name starts_with \"sh\"`; a hook can compare two fields",
            );
        }
        let expr = Expr::TextMatch {
            op,
            value: Box::new(value.expr),
            pattern: Box::new(pattern.expr),
            ignoring_case,
        };
        Typed::new(expr, Type::Bool)
    }

    pub fn membership(
        &mut self,
        value: &'a ast::Expr,
        set: &'a InSet,
        ignoring_case: bool,
        cx: Cx<'_>,
    ) -> Typed {
        if let Some(typed) = self.engine_membership(value, set, cx) {
            return typed;
        }
        match set {
            InSet::List(items) => {
                let mut needle = self.expr(value, cx);
                let mut among = Vec::with_capacity(items.len());
                for item in items {
                    let one = match self.symbol_beside(value, item, cx) {
                        Some(symbol) => symbol,
                        None => self.expr(item, cx),
                    };
                    let (a, b) = self.comparable(
                        needle,
                        value.span,
                        one,
                        item.span,
                        CompareOp::Equal,
                        item.span,
                    );
                    among.push(b.expr);
                    needle = a;
                }
                let expr = Expr::In {
                    needle: Box::new(needle.expr),
                    among,
                    ignoring_case,
                };
                Typed::new(expr, Type::Bool)
            }
            InSet::Expr(range) => {
                let ExprKind::Range { from, to } = &range.inner().kind else {
                    return self.not_here(
                        range.span,
                        "after `in` stands a list in parentheses or a range",
                        "write `in (1, 2, 3)` or `in 1..3`",
                    );
                };
                let value_typed = self.expr(value, cx);
                let low = self.expr(from, cx);
                let high = self.expr(to, cx);
                let op = CompareOp::LessOrEqual;
                let (_, low) = self.comparable(
                    value_typed.clone(),
                    value.span,
                    low,
                    from.span,
                    op,
                    from.span,
                );
                let (value_typed, high) =
                    self.comparable(value_typed, value.span, high, to.span, op, to.span);
                self.rising(&low.expr, &high.expr, range.span);
                let expr = Expr::Between {
                    value: Box::new(value_typed.expr),
                    low: Box::new(low.expr),
                    high: Box::new(high.expr),
                };
                Typed::new(expr, Type::Bool)
            }
        }
    }

    pub fn is_null(&mut self, value: &'a ast::Expr, negated: bool, cx: Cx<'_>) -> Typed {
        let typed = self.expr(value, cx);
        if matches!(typed.ty, Type::ToMany(_)) {
            self.error_help(
                Code::NotComparable,
                value.span,
                "links to many are never null",
                "write `is empty`",
            );
        }
        let expr = Expr::IsNull(Box::new(typed.expr));
        negate(expr, negated)
    }

    pub fn is_empty(&mut self, value: &'a ast::Expr, negated: bool, cx: Cx<'_>) -> Typed {
        let typed = self.expr(value, cx);
        let fine = matches!(
            typed.ty,
            Type::Unknown | Type::List(_) | Type::ToMany(_) | Type::Text | Type::Blob
        );
        match (typed.expr, fine) {
            (Expr::Path(path), true) => negate(Expr::IsEmpty(path), negated),
            (_, true) if typed.ty == Type::Unknown => Typed::unknown(),
            _ => {
                let words = typed.ty.words(&self.exp.schema);
                self.error_help(
                    Code::NotComparable,
                    value.span,
                    format!("`is empty` asks about a field that is a list, a link to many, a text or a blob; this is {words}"),
                    "write `is null` to ask whether there is a value",
                );
                Typed::new(Expr::Literal(Value::Bool(false)), Type::Bool)
            }
        }
    }

    /// Reports a range whose lower end lies above its upper end at some point.
    pub fn rising(&mut self, low: &Expr, high: &Expr, span: Span) {
        let below = Expr::Compare {
            op: CompareOp::LessOrEqual,
            left: Box::new(low.clone()),
            right: Box::new(high.clone()),
            ignoring_case: false,
        };
        if self
            .possible(&below)
            .is_some_and(|values| values.contains(&Value::Bool(false)))
        {
            self.error_help(
                Code::BadRange,
                span,
                "the range is empty: it starts above its end",
                "ranges go upwards and include both ends",
            );
        }
    }
}

fn negate(expr: Expr, negated: bool) -> Typed {
    let expr = if negated {
        Expr::Not(Box::new(expr))
    } else {
        expr
    };
    Typed::new(expr, Type::Bool)
}

/// An int as written, beside floats.
#[allow(clippy::cast_precision_loss)]
fn float_literal(typed: Typed) -> Typed {
    match typed.expr {
        Expr::Literal(Value::Int(i)) => {
            Typed::new(Expr::Literal(Value::Float(i as f64)), Type::Float)
        }
        _ => typed,
    }
}

fn arithmetic_help(a: &Type, b: &Type, op: ArithOp) -> Option<String> {
    let text = match (a, b) {
        (Type::Text, _) | (_, Type::Text) => {
            "texts are put together by filling in: `\"user{row}\"`"
        }
        (Type::Timestamp, Type::Int) | (Type::Int, Type::Timestamp) => {
            "say how long: `placed + 1d`, `placed - 90s`"
        }
        (Type::Float, _) | (_, Type::Float) if op == ArithOp::Remainder => "`mod` is for ints",
        _ => return None,
    };
    Some(text.to_owned())
}

fn comparison_help(a: &Type, b: &Type, equality: bool) -> Option<String> {
    let text = match (a, b) {
        (Type::ToOne(_), _) | (_, Type::ToOne(_)) => {
            "compare a field of the object, such as `school.name`, or ask `is null`"
        }
        (Type::ToMany(_), _) | (_, Type::ToMany(_)) => "ask about one of them: `any grades (…)`",
        (Type::List(_), _) | (_, Type::List(_)) => "ask about an element: `any tags (it == \"x\")`",
        (Type::Json, _) | (_, Type::Json) => "name a value inside it, such as `sensor.temperature`",
        (Type::Bool, Type::Bool) if !equality => "bools have no order: use `==` or `!=`",
        (Type::Timestamp, Type::Int) | (Type::Int, Type::Timestamp) => {
            "a moment is written `@2026-01-31T00:00Z`"
        }
        (Type::Enum(_), Type::Enum(_)) => "the two enums have no case in common",
        (Type::Text, Type::Int | Type::Float) | (Type::Int | Type::Float, Type::Text) => {
            "texts stand in quotes, numbers do not"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

pub(super) fn arith_op(op: BinaryOp) -> ArithOp {
    match op {
        BinaryOp::Sub => ArithOp::Subtract,
        BinaryOp::Mul => ArithOp::Multiply,
        BinaryOp::Div => ArithOp::Divide,
        BinaryOp::Mod => ArithOp::Remainder,
        _ => ArithOp::Add,
    }
}

pub(super) fn compare_op(op: BinaryOp) -> CompareOp {
    match op {
        BinaryOp::Ne => CompareOp::NotEqual,
        BinaryOp::Lt => CompareOp::Less,
        BinaryOp::Le => CompareOp::LessOrEqual,
        BinaryOp::Gt => CompareOp::Greater,
        BinaryOp::Ge => CompareOp::GreaterOrEqual,
        _ => CompareOp::Equal,
    }
}

fn text_op(op: BinaryOp) -> Option<TextOp> {
    match op {
        BinaryOp::Contains => Some(TextOp::Contains),
        BinaryOp::StartsWith => Some(TextOp::StartsWith),
        BinaryOp::EndsWith => Some(TextOp::EndsWith),
        BinaryOp::Like => Some(TextOp::Like),
        _ => None,
    }
}
