//! `any grades (…)`, `all`, `none`, `count(grades)`.

use super::checker::Checker;
use super::place::{Cx, Place};
use super::types::{Type, Typed};
use crate::base::span::Span;
use crate::diagnostics::Code;
use crate::plan::{Expr, Path, Quantifier};
use crate::syntax::ast;

impl<'a> Checker<'a> {
    pub fn quantified(
        &mut self,
        quantifier: ast::Quantifier,
        over: &'a ast::Path,
        predicate: &'a ast::Expr,
        span: Span,
        cx: Cx<'_>,
    ) -> Typed {
        if matches!(cx.place, Place::Generator { .. }) {
            return self.not_here(
                span,
                "questions about many stand in predicates",
                "a generator sees only the values of its own record",
            );
        }
        let Some((path, ty)) = self.many(over, cx) else {
            return Typed::unknown();
        };
        let predicate = match &ty {
            Type::ToMany(target) => {
                self.condition(predicate, cx.at(Place::Record { model: *target }))
            }
            Type::List(item) => self.condition(predicate, cx.at(Place::Element { item })),
            _ => return Typed::unknown(),
        };
        let quantifier = match quantifier {
            ast::Quantifier::Any => Quantifier::Any,
            ast::Quantifier::All => Quantifier::All,
            ast::Quantifier::None => Quantifier::None,
        };
        let expr = Expr::Quantified {
            quantifier,
            over: path,
            predicate: Box::new(predicate),
        };
        Typed::new(expr, Type::Bool)
    }

    /// A path to a list of values or a link to many; reports anything else.
    pub fn many(&mut self, over: &'a ast::Path, cx: Cx<'_>) -> Option<(Path, Type)> {
        let Some(model) = Self::record_of(cx) else {
            self.not_here(
                over.span,
                "there is no record here to ask about",
                "questions about many stand in the predicates of steps",
            );
            return None;
        };
        let walk = self.walk(over, model, false)?;
        match walk.ty {
            Type::List(_) | Type::ToMany(_) => Some((walk.path, walk.ty)),
            Type::Unknown => None,
            other => {
                let words = other.words(&self.exp.schema);
                self.error_help(
                    Code::BadPath,
                    over.span,
                    format!("`{over}` is {words}, not many"),
                    "`any`, `all`, `none` and `count(…)` ask about a list or a link to many",
                );
                None
            }
        }
    }
}
