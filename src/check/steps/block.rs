//! `repeat k with p at random Product TX { … }`.

use super::super::checker::Checker;
use super::super::model::{AtDef, OpDef};
use super::{StepFacts, TrialState};
use crate::diagnostics::Code;
use crate::plan::At;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    pub fn block(
        &mut self,
        block: &'a ast::RepeatBlock,
        state: &mut TrialState,
        facts: &mut StepFacts,
    ) -> Option<OpDef> {
        facts.counts = true;
        facts.repeats = true;
        let repeat = self.quantity_expr(&block.times, state.unit, 1, "the number of passes");
        let transaction = self.transaction(block.transaction.as_ref(), state);
        let at = self.position(&block.at, state);
        let model = self.step_model(&block.model, state)?;
        self.needs_stored(model, block.model.span, state);
        if matches!(at, Some(AtDef::Fixed(At::Missing))) {
            self.error(
                Code::BadClause,
                block.at.span,
                "a block draws a record that is there",
            );
        }
        let broken = state.broken;
        state.broken |= !block.steps.broken.is_empty();
        let outer = std::mem::take(&mut self.binds);
        state.binder = Some((block.name.name.clone(), model));
        let mut body = Vec::with_capacity(block.steps.members.len());
        for step in &block.steps.members {
            body.extend(self.step(step, state));
        }
        state.binder = None;
        let binds = std::mem::replace(&mut self.binds, outer);
        if block.steps.members.is_empty() && block.steps.broken.is_empty() {
            self.error_help(
                Code::MisplacedStep,
                block.steps.span,
                "the block does nothing",
                "give it a step, such as `update Product where sku == p.sku set stock = stock - 1`",
            );
        }
        state.broken = broken;
        Some(OpDef::Block {
            repeat,
            model,
            at: at?,
            binds,
            transaction,
            body,
        })
    }
}
