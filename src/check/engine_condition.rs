//! `engine == realm` in the condition of an index.

use super::checker::Checker;
use super::place::{Cx, Place};
use super::types::{Type, Typed};
use crate::base::Value;
use crate::base::span::Spanned;
use crate::diagnostics::{Code, did_you_mean};
use crate::plan::Expr;
use crate::syntax::ast::{self, BinaryOp, InSet};

impl<'a> Checker<'a> {
    /// `engine == realm`, `engine != sqlite_wal`: over labels, or all labels of a kind.
    pub fn engine_comparison(
        &mut self,
        op: Spanned<BinaryOp>,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
        cx: Cx<'_>,
    ) -> Option<Typed> {
        self.speaks_of_engine(left, cx)?;
        let labels = self.labels_of(right);
        let one_of = labels_in(labels);
        let expr = match op.node {
            BinaryOp::Eq => one_of,
            BinaryOp::Ne => Expr::Not(Box::new(one_of)),
            _ => {
                self.error(
                    Code::NotComparable,
                    op.span,
                    "engines are compared by `==` and `!=`",
                );
                one_of
            }
        };
        Some(Typed::new(expr, Type::Bool))
    }

    /// `engine in (realm, sqlite)`
    pub fn engine_membership(
        &mut self,
        value: &'a ast::Expr,
        set: &'a InSet,
        cx: Cx<'_>,
    ) -> Option<Typed> {
        self.speaks_of_engine(value, cx)?;
        let InSet::List(items) = set else {
            return Some(self.not_here(
                value.span,
                "engines are listed in parentheses",
                "write `engine in (realm, sqlite)`",
            ));
        };
        let mut labels = Vec::new();
        for item in items {
            labels.extend(self.labels_of(item));
        }
        Some(Typed::new(labels_in(labels), Type::Bool))
    }

    fn speaks_of_engine(&mut self, expr: &ast::Expr, cx: Cx<'_>) -> Option<()> {
        let name = expr.inner().as_name()?;
        if name.name != "engine" || !cx.is_point() {
            return None;
        }
        if matches!(cx.place, Place::Point) {
            self.error_help(
                Code::NotHere,
                name.span,
                "this is about whole points, alike for every engine",
                "a trial is limited to engines by `for sqlite, realm` after its title",
            );
        }
        Some(())
    }

    fn labels_of(&mut self, expr: &'a ast::Expr) -> Vec<String> {
        let word = match &expr.inner().kind {
            ast::ExprKind::Path(path) => path.single().map(|n| n.name.clone()),
            ast::ExprKind::Text(text) => text.plain().map(str::to_owned),
            _ => None,
        };
        let Some(word) = word else {
            self.error(Code::NotHere, expr.span, "an engine's label stands here");
            return Vec::new();
        };
        let labels = self.engine_labels(&word);
        if labels.is_empty() && !self.may_declare(0, &word) && self.runnable {
            let known: Vec<&str> = self
                .engines
                .iter()
                .flat_map(|e| [e.label.as_str(), e.kind.as_str()])
                .collect();
            let help = did_you_mean(&word, known.iter().copied());
            self.error_maybe(
                Code::UnknownEngine,
                expr.span,
                format!("no engine here is called `{word}`"),
                help,
            );
        }
        labels
    }

    /// Labels that a word means: one row, or every row of a kind.
    pub fn engine_labels(&self, word: &str) -> Vec<String> {
        if self.engines.iter().any(|e| e.label == word) {
            return vec![word.to_owned()];
        }
        self.engines
            .iter()
            .filter(|e| e.kind == word)
            .map(|e| e.label.clone())
            .collect()
    }
}

fn labels_in(labels: Vec<String>) -> Expr {
    let literal = |label: String| Expr::Literal(Value::Text(label));
    Expr::In {
        needle: Box::new(Expr::Name("engine".to_owned())),
        among: labels.into_iter().map(literal).collect(),
        ignoring_case: false,
    }
}
