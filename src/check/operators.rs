//! Operators: logic and comparison.

use super::checker::Checker;
use super::place::Cx;
use super::quantities::Kind;
use super::types::{Type, Typed};
use crate::base::Value;
use crate::base::span::{Span, Spanned};
use crate::diagnostics::{Code, did_you_mean};
use crate::plan::{ArithOp, CompareOp, Expr, TextOp};
use crate::syntax::ast::{self, BinaryOp, ExprKind};

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
        for side in [left, right] {
            if matches!(side.inner().kind, ExprKind::Null) {
                let negated = compare == CompareOp::NotEqual;
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
    pub fn symbol_beside(
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
            let message = if a.ty == b.ty {
                format!("{} has no order", a.ty.words(schema))
            } else {
                format!(
                    "{} cannot be compared with {}",
                    a.ty.words(schema),
                    b.ty.words(schema)
                )
            };
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
