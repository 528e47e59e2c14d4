//! `in one transaction`, `in transactions of k`, `autocommit`, `repeat k`.

use super::super::checker::Checker;
use super::super::model::TransactionDef;
use super::{StepFacts, TrialState};
use crate::diagnostics::Code;
use crate::plan::Expr;
use crate::syntax::ast::{self, TransactionKind};

impl<'a> Checker<'a> {
    /// How a writing step is grouped.
    pub fn transaction(
        &mut self,
        transaction: Option<&'a ast::Transaction>,
        state: &TrialState,
    ) -> TransactionDef {
        let Some(transaction) = transaction else {
            return TransactionDef::Unsaid;
        };
        if state.binder.is_some() {
            self.error_help(
                Code::BadClause,
                transaction.span,
                "steps in a block have no transaction of their own",
                "it stands before the block's brace: `repeat k with p at random Product in transactions of 10 { … }`",
            );
            return TransactionDef::Unsaid;
        }
        match &transaction.kind {
            TransactionKind::One => TransactionDef::One,
            TransactionKind::Autocommit => TransactionDef::Autocommit,
            TransactionKind::Of(size) => {
                let size = self.quantity_expr(size, state.unit, 1, "the size of a transaction");
                TransactionDef::Of(size)
            }
        }
    }

    /// Reports a transaction clause on a step that writes nothing.
    pub fn no_transaction(&mut self, transaction: Option<&'a ast::Transaction>) {
        if let Some(transaction) = transaction {
            self.error_help(
                Code::BadClause,
                transaction.span,
                "a step that only reads has no transaction clause",
                "leave it out",
            );
        }
    }

    /// `repeat k`.
    pub fn repeat(
        &mut self,
        repeat: Option<&'a ast::Expr>,
        state: &TrialState,
        facts: &mut StepFacts,
    ) -> Option<Expr> {
        let repeat = repeat?;
        if state.binder.is_some() {
            self.error_help(
                Code::BadClause,
                repeat.span,
                "steps in a block are repeated with the block",
                "leave `repeat` out",
            );
            return None;
        }
        facts.repeats = true;
        Some(self.quantity_expr(repeat, state.unit, 1, "the number of repetitions"))
    }
}
