//! `compute sum(e)`, `compute age_gap`.

use super::super::checker::Checker;
use super::super::model::ComputeDef;
use super::super::place::{Cx, Place};
use super::super::types::Type;
use super::TrialState;
use crate::diagnostics::Code;
use crate::plan::Aggregate;
use crate::plan::schema::ModelId;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    /// What is made of the results, and its type.
    pub fn compute(
        &mut self,
        compute: &'a ast::Compute,
        model: ModelId,
        touching: Option<&'a ast::Touching>,
        state: &TrialState,
    ) -> Option<(ComputeDef, Type)> {
        let function = match compute.function.single().map(|n| n.name.as_str()) {
            Some("sum") => Aggregate::Sum,
            Some("avg") => Aggregate::Average,
            Some("min") => Aggregate::Min,
            Some("max") => Aggregate::Max,
            _ => return self.compute_hook(compute, state),
        };
        if let Some(touching) = touching {
            self.error_help(
                Code::BadClause,
                touching.span,
                "an aggregate reads what it aggregates and no more",
                "leave `touching` out",
            );
        }
        let word = compute.function.to_string();
        let [of] = compute.args.as_slice() else {
            self.error_help(
                Code::BadArguments,
                compute.span,
                format!("`{word}` takes one expression"),
                format!("such as `{word}(price)`"),
            );
            return None;
        };
        let cx = Self::step_cx(state.unit, model, state.binder.as_ref());
        let typed = self.expr(of, cx);
        let numeric = typed.ty.is_number();
        let fits = match function {
            Aggregate::Sum | Aggregate::Average => numeric,
            Aggregate::Min | Aggregate::Max => typed.ty.is_ordered(),
        };
        if !fits {
            let words = typed.ty.words(&self.exp.schema);
            let what = if matches!(function, Aggregate::Sum | Aggregate::Average) {
                "numbers"
            } else {
                "values that have an order"
            };
            self.error(
                Code::WrongType,
                of.span,
                format!("`{word}` is of {what}; this is {words}"),
            );
            return None;
        }
        let ty = match function {
            Aggregate::Average => Type::Float,
            _ => typed.ty,
        };
        let def = ComputeDef::Aggregate {
            function,
            of: typed.expr,
        };
        Some((def, ty))
    }

    fn compute_hook(
        &mut self,
        compute: &'a ast::Compute,
        state: &TrialState,
    ) -> Option<(ComputeDef, Type)> {
        let cx = Cx::new(state.unit, Place::Point);
        let mut args = Vec::with_capacity(compute.args.len());
        for arg in &compute.args {
            args.push(self.expr(arg, cx).expr);
        }
        let hook = self.find_hook(&compute.function, cx)?;
        self.arity(hook, &compute.function, args.len(), 1, compute.span);
        Some((ComputeDef::Hook { hook, args }, Type::Dynamic))
    }
}
