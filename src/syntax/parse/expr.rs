//! Expressions. The grammar gives operands and operators in a row; here they
//! find their precedence:
//! `or` < `and` < `not` < comparison < `of` < `..` < `+ -` < `* / mod` < minus.

use std::iter::Peekable;

use pest::iterators::{Pair, Pairs};

use super::Rule;
use super::pairs::{Parts, misread};
use super::parser::{Built, Parser};
use crate::base::span::{Span, Spanned};
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{Arg, BinaryOp, Expr, ExprKind, InSet, LinkDraw, Quantifier, UnaryOp};

/// Trees of expressions higher than this are refused: everything that walks
/// them may recurse.
const MAX_HEIGHT: u32 = 160;

// Binding powers.
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const IGNORING: u8 = 4;
const COMPARE: u8 = 5;
const OF: u8 = 6;
const RANGE: u8 = 7;
const ADD: u8 = 8;
const MUL: u8 = 9;
const NEG: u8 = 10;
const CELL: u8 = 11;

type Row<'t> = Peekable<Pairs<'t, Rule>>;

impl<'t> Parser<'t> {
    /// An `expr` or `operation` pair.
    pub fn expr(&mut self, pair: Pair<'t, Rule>) -> Built<Expr> {
        let span = self.span(&pair);
        let mut conditions = Vec::new();
        let mut operation = None;
        match pair.as_rule() {
            Rule::expr => {
                for part in pair.clone().into_inner() {
                    match part.as_rule() {
                        Rule::conditional => conditions.push(part),
                        _ => operation = Some(part),
                    }
                }
            }
            _ => operation = Some(pair.clone()),
        }
        let operation = operation.ok_or_else(|| misread(self, &pair))?;
        let mut prefixes = Vec::with_capacity(conditions.len());
        let mut height = 0;
        for condition in conditions {
            prefixes.push(self.condition(condition)?);
            height = height.max(self.height);
        }
        let mut expr = self.operation(operation)?;
        height = height.max(self.height);
        // From the innermost outwards.
        for (prefix, start) in prefixes.into_iter().rev() {
            self.grown(height, span)?;
            height = self.height;
            let span = Span::new(span.file, start, span.end);
            expr = Expr::new(prefix.before(expr), span);
        }
        self.height = height;
        Ok(expr)
    }

    fn condition(&mut self, pair: Pair<'t, Rule>) -> Built<(Condition, u32)> {
        let start = self.span(&pair).start;
        let inner = Parts::of(pair).next(self)?;
        let rule = inner.as_rule();
        let mut parts = Parts::of(inner);
        let condition = if rule == Rule::null_share {
            let number = parts.next(self)?;
            self.height = 1;
            Condition::Share(self.number(&number)?)
        } else {
            parts.skip(Rule::kw_null);
            parts.skip(Rule::kw_when);
            let operation = parts.next(self)?;
            Condition::When(Box::new(self.expr(operation)?))
        };
        Ok((condition, start))
    }

    fn operation(&mut self, pair: Pair<'t, Rule>) -> Built<Expr> {
        let whole = pair.clone();
        let mut row = pair.into_inner().peekable();
        let expr = self.climb(&mut row, 0, 0, &whole)?;
        match row.next() {
            None => Ok(expr),
            Some(rest) => Err(misread(self, &rest)),
        }
    }

    fn climb(
        &mut self,
        row: &mut Row<'t>,
        least: u8,
        nesting: u32,
        whole: &Pair<'t, Rule>,
    ) -> Built<Expr> {
        if nesting > MAX_HEIGHT {
            return Err(too_high(self.span(whole)));
        }
        let first = row.next().ok_or_else(|| misread(self, whole))?;
        let mut left = match first.as_rule() {
            Rule::op_neg | Rule::kw_not | Rule::row_of => {
                self.prefixed(first, row, nesting, whole)?
            }
            _ => self.operand(first)?,
        };
        while let Some(next) = row.peek() {
            let power = power(next.as_rule());
            if power == 0 || power < least {
                break;
            }
            let Some(next) = row.next() else { break };
            let height = self.height;
            left = if is_postfix(next.as_rule()) {
                self.postfixed(left, next, height)?
            } else {
                let right = self.climb(row, power + 1, nesting + 1, whole)?;
                let span = left.span.to(right.span);
                self.grown(height.max(self.height), span)?;
                self.binary(left, &next, right)?
            };
        }
        Ok(left)
    }

    fn prefixed(
        &mut self,
        prefix: Pair<'t, Rule>,
        row: &mut Row<'t>,
        nesting: u32,
        whole: &Pair<'t, Rule>,
    ) -> Built<Expr> {
        let start = self.span(&prefix);
        let (op, power) = match prefix.as_rule() {
            Rule::op_neg => (Some(UnaryOp::Neg), NEG),
            Rule::kw_not => (Some(UnaryOp::Not), NOT),
            _ => (None, ADD),
        };
        let operand = self.climb(row, power, nesting + 1, whole)?;
        let span = start.to(operand.span);
        self.grown(self.height, span)?;
        let operand = Box::new(operand);
        let kind = match op {
            Some(op) => ExprKind::Unary {
                op: Spanned::new(op, start),
                operand,
            },
            None => {
                let model = Parts::of(prefix).next(self)?;
                ExprKind::At {
                    model: self.path(model),
                    row: operand,
                }
            }
        };
        Ok(Expr::new(kind, span))
    }

    fn binary(&mut self, left: Expr, op: &Pair<'t, Rule>, right: Expr) -> Built<Expr> {
        let span = left.span.to(right.span);
        let op_span = self.span(op);
        let kind = match op.as_rule() {
            Rule::op_range => {
                if matches!(left.kind, ExprKind::Range { .. }) {
                    return Err(Box::new(
                        Diagnostic::error(Code::Unexpected, op_span, "a range has two ends")
                            .label("a third end"),
                    ));
                }
                ExprKind::Range {
                    from: Box::new(left),
                    to: Box::new(right),
                }
            }
            Rule::op_in => {
                unchained(&left, op_span)?;
                ExprKind::In {
                    value: Box::new(left),
                    set: InSet::Expr(Box::new(right)),
                    ignoring_case: false,
                }
            }
            _ => {
                let symbol = op.as_str().trim();
                let found = BinaryOp::ALL.iter().find(|op| op.symbol() == symbol);
                let op = *found.ok_or_else(|| misread(self, op))?;
                if op.is_comparison() {
                    unchained(&left, op_span)?;
                }
                ExprKind::Binary {
                    op: Spanned::new(op, op_span),
                    left: Box::new(left),
                    right: Box::new(right),
                    ignoring_case: false,
                }
            }
        };
        Ok(Expr::new(kind, span))
    }

    fn postfixed(&mut self, left: Expr, pair: Pair<'t, Rule>, height: u32) -> Built<Expr> {
        let end = self.span(&pair);
        let span = left.span.to(end);
        self.height = 0;
        let kind = match pair.as_rule() {
            Rule::ignoring_case => {
                self.height = height;
                return ignoring_case(left, end, span);
            }
            Rule::of_model => ExprKind::Link {
                draw: draw(left)?,
                model: {
                    let mut parts = Parts::of(pair);
                    parts.skip(Rule::kw_of);
                    self.path(parts.next(self)?)
                },
            },
            Rule::picks | Rule::over => self.cell(left, pair)?,
            Rule::in_list => {
                unchained(&left, end)?;
                let mut parts = Parts::of(pair);
                parts.skip(Rule::kw_in);
                ExprKind::In {
                    value: Box::new(left),
                    set: InSet::List(self.exprs(&mut parts)?),
                    ignoring_case: false,
                }
            }
            rule => {
                unchained(&left, end)?;
                let mut parts = Parts::of(pair);
                parts.skip(Rule::kw_is);
                let negated = parts.skip(Rule::kw_not);
                let value = Box::new(left);
                match rule {
                    Rule::is_null => ExprKind::IsNull { value, negated },
                    Rule::is_empty => ExprKind::IsEmpty { value, negated },
                    _ => {
                        let word = parts.next(self)?;
                        let shape = self.ident(&word);
                        ExprKind::IsShape { value, shape }
                    }
                }
            }
        };
        self.grown(height.max(self.height), span)?;
        Ok(Expr::new(kind, span))
    }

    fn cell(&mut self, left: Expr, pair: Pair<'t, Rule>) -> Built<ExprKind> {
        let place = self.span(&pair);
        let twice = |what: &str| {
            Box::new(Diagnostic::error(
                Code::Unexpected,
                place,
                format!("{what} stands here twice"),
            ))
        };
        let (metric, mut over, mut picks) = match left.kind {
            ExprKind::Cell {
                metric,
                over,
                picks,
            } => (metric, over, picks),
            ExprKind::Call { .. } => (Box::new(left), None, Vec::new()),
            _ => {
                return Err(Box::new(
                    Diagnostic::error(
                        Code::Unexpected,
                        place,
                        "only a metric has cells and an axis",
                    )
                    .help("such as `time(sqlite, notes.edit) [batch == 1k]`"),
                ));
            }
        };
        let picked = pair.as_rule() == Rule::picks;
        let mut parts = Parts::of(pair);
        if picked {
            if !picks.is_empty() {
                return Err(twice("the choice of a cell"));
            }
            picks = self.exprs(&mut parts)?;
        } else {
            if over.is_some() {
                return Err(twice("the axis"));
            }
            parts.skip(Rule::kw_over);
            over = Some(self.declared(parts.next(self)?, "an axis")?);
        }
        Ok(ExprKind::Cell {
            metric,
            over,
            picks,
        })
    }

    fn operand(&mut self, pair: Pair<'t, Rule>) -> Built<Expr> {
        let span = self.span(&pair);
        let pair = match pair.as_rule() {
            Rule::operand => Parts::of(pair).next(self)?,
            _ => pair,
        };
        self.height = 1;
        let kind = match pair.as_rule() {
            Rule::number => ExprKind::Number(self.number(&pair)?),
            Rule::date => ExprKind::Date(self.date(&pair)?),
            Rule::text => ExprKind::Text(self.text(pair)?),
            Rule::kw_true => ExprKind::Bool(true),
            Rule::kw_false => ExprKind::Bool(false),
            Rule::kw_null => ExprKind::Null,
            Rule::path => ExprKind::Path(self.lower_path(pair)?),
            Rule::call => self.call(pair)?,
            Rule::quantified => self.quantified(pair, span)?,
            Rule::paren => {
                let inside = Parts::of(pair).next(self)?;
                let inside = self.expr(inside)?;
                self.grown(self.height, span)?;
                ExprKind::Paren(Box::new(inside))
            }
            Rule::list => ExprKind::List(self.exprs(&mut Parts::of(pair))?),
            Rule::object => self.object(pair)?,
            _ => return Err(misread(self, &pair)),
        };
        Ok(Expr::new(kind, span))
    }

    /// Every remaining part, as expressions.
    pub fn exprs(&mut self, parts: &mut Parts<'t>) -> Built<Vec<Expr>> {
        let mut exprs = Vec::new();
        let mut height = 0;
        while let Some(pair) = parts.take(Rule::expr) {
            exprs.push(self.expr(pair)?);
            height = height.max(self.height);
        }
        self.height = height + 1;
        Ok(exprs)
    }

    pub fn call(&mut self, pair: Pair<'t, Rule>) -> Built<ExprKind> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let function = self.lower_path(parts.next(self)?)?;
        let mut args = Vec::new();
        let mut height = 0;
        for arg in parts.next(self)?.into_inner() {
            args.push(self.arg(arg)?);
            height = height.max(self.height);
        }
        self.grown(height, span)?;
        Ok(ExprKind::Call { function, args })
    }

    fn arg(&mut self, pair: Pair<'t, Rule>) -> Built<Arg> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let first = parts.next(self)?;
        let (name, value) = match first.as_rule() {
            Rule::label => {
                let name = self.label(first)?;
                let value = parts.next(self)?;
                (Some(name), self.expr(value)?)
            }
            Rule::kw_file => {
                let name = self.ident(&first);
                let pair = parts.next(self)?;
                let place = self.span(&pair);
                let text = self.plain_text(pair, "the ending of a file's name")?;
                (Some(name), Expr::new(ExprKind::Text(text), place))
            }
            _ => (None, self.expr(first)?),
        };
        Ok(Arg { name, value, span })
    }

    fn quantified(&mut self, pair: Pair<'t, Rule>, span: Span) -> Built<ExprKind> {
        let mut parts = Parts::of(pair);
        let word = parts.next(self)?;
        let quantifier = match word.as_str().trim() {
            "any" => Quantifier::Any,
            "all" => Quantifier::All,
            _ => Quantifier::None,
        };
        let quantifier = Spanned::new(quantifier, self.span(&word));
        let over = self.lower_path(parts.next(self)?)?;
        let predicate = parts.next(self)?;
        let predicate = Box::new(self.expr(predicate)?);
        self.grown(self.height, span)?;
        Ok(ExprKind::Quantified {
            quantifier,
            over,
            predicate,
        })
    }

    /// Notes that something stands above an expression of this height.
    pub fn grown(&mut self, height: u32, span: Span) -> Built<()> {
        self.height = height + 1;
        if self.height > MAX_HEIGHT {
            return Err(too_high(span));
        }
        Ok(())
    }
}

enum Condition {
    When(Box<Expr>),
    Share(crate::syntax::ast::NumberLit),
}

impl Condition {
    fn before(self, otherwise: Expr) -> ExprKind {
        let otherwise = Box::new(otherwise);
        match self {
            Self::When(condition) => ExprKind::NullWhen {
                condition,
                otherwise,
            },
            Self::Share(share) => ExprKind::NullShare { share, otherwise },
        }
    }
}

/// Binding power of an operator; 0 for what is none.
fn power(rule: Rule) -> u8 {
    match rule {
        Rule::kw_or => OR,
        Rule::kw_and => AND,
        Rule::ignoring_case => IGNORING,
        Rule::op_compare | Rule::op_text | Rule::op_in => COMPARE,
        Rule::in_list | Rule::is_null | Rule::is_empty | Rule::is_shape => COMPARE,
        Rule::of_model => OF,
        Rule::op_range => RANGE,
        Rule::op_add => ADD,
        Rule::op_mul | Rule::kw_mod => MUL,
        Rule::picks | Rule::over => CELL,
        _ => 0,
    }
}

fn is_postfix(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::ignoring_case
            | Rule::in_list
            | Rule::is_null
            | Rule::is_empty
            | Rule::is_shape
            | Rule::of_model
            | Rule::picks
            | Rule::over
    )
}

fn too_high(span: Span) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::error(Code::TooDeep, span, "this expression is nested too deeply")
            .help("a list `in (…)`, a pool or a hook says the same in fewer words"),
    )
}

/// `one of`, `3..6 of`, `zipf of`, `zipf(1.1) of`.
fn draw(left: Expr) -> Built<LinkDraw> {
    let single = |path: &crate::syntax::ast::Path, word: &str| {
        path.single().is_some_and(|ident| ident.name == word)
    };
    match left.kind {
        ExprKind::Path(ref path) if single(path, "one") => Ok(LinkDraw::One),
        ExprKind::Path(ref path) if single(path, "zipf") => Ok(LinkDraw::Zipf(None)),
        ExprKind::Call { function, mut args } if single(&function, "zipf") => {
            let skew = args.pop();
            match skew {
                Some(arg) if args.is_empty() && arg.name.is_none() => {
                    Ok(LinkDraw::Zipf(Some(Box::new(arg.value))))
                }
                _ => Err(Box::new(
                    Diagnostic::error(
                        Code::Unexpected,
                        left.span,
                        "`zipf of` takes one number, the skew",
                    )
                    .help("write `zipf of …` or `zipf(1.1) of …`"),
                )),
            }
        }
        _ => Ok(LinkDraw::Count(Box::new(left))),
    }
}

fn ignoring_case(mut left: Expr, place: Span, span: Span) -> Built<Expr> {
    let flag = match &mut left.kind {
        ExprKind::Binary {
            op, ignoring_case, ..
        } if matches!(
            op.node,
            BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Contains
                | BinaryOp::StartsWith
                | BinaryOp::EndsWith
                | BinaryOp::Like
        ) =>
        {
            ignoring_case
        }
        ExprKind::In { ignoring_case, .. } => ignoring_case,
        _ => {
            return Err(Box::new(
                Diagnostic::error(
                    Code::Unexpected,
                    place,
                    "`ignoring case` follows a comparison of texts",
                )
                .help(r#"such as `name == "jane" ignoring case`; it goes with `== != in contains starts_with ends_with like`"#),
            ));
        }
    };
    *flag = true;
    left.span = span;
    Ok(left)
}

/// Comparisons do not chain.
fn unchained(left: &Expr, place: Span) -> Built<()> {
    let chained = match &left.kind {
        ExprKind::Binary { op, .. } => op.node.is_comparison(),
        ExprKind::In { .. }
        | ExprKind::IsNull { .. }
        | ExprKind::IsEmpty { .. }
        | ExprKind::IsShape { .. } => true,
        _ => false,
    };
    if !chained {
        return Ok(());
    }
    Err(Box::new(
        Diagnostic::error(Code::BadOperator, place, "comparisons do not chain")
            .label("a second comparison")
            .help("join two comparisons by `and`: `0 < x and x < 10`, or write `x in 1..9`"),
    ))
}
