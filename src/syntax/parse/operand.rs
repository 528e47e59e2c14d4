//! Operands: literals, names, calls and what stands in brackets.

use pest::iterators::Pair;

use super::Rule;
use super::pairs::{Parts, misread};
use super::parser::{Built, Parser};
use crate::base::span::{Span, Spanned};
use crate::syntax::ast::{Arg, Expr, ExprKind, Quantifier};

impl<'t> Parser<'t> {
    pub fn operand(&mut self, pair: Pair<'t, Rule>) -> Built<Expr> {
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
}
