//! What stands behind an operand: `is null`, `in (…)`, `of Model`,
//! `ignoring case`, and a metric's cell.

use pest::iterators::Pair;

use super::Rule;
use super::pairs::Parts;
use super::parser::{Built, Parser};
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, InSet, LinkDraw};

impl<'t> Parser<'t> {
    pub fn postfixed(&mut self, left: Expr, pair: Pair<'t, Rule>, height: u32) -> Built<Expr> {
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
pub(super) fn unchained(left: &Expr, place: Span) -> Built<()> {
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
