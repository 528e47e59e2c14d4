//! `read`, `count`.

use super::super::checker::Checker;
use super::super::model::OpDef;
use super::super::types::Type;
use super::{StepFacts, TrialState};
use crate::diagnostics::Code;
use crate::syntax::ast::{self, Filter};

impl<'a> Checker<'a> {
    pub fn read(
        &mut self,
        read: &'a ast::Read,
        state: &mut TrialState,
        facts: &mut StepFacts,
    ) -> Option<OpDef> {
        facts.counts = true;
        self.no_transaction(read.transaction.as_ref());
        let model = self.step_model(&read.model, state)?;
        if !matches!(read.filter, Some(Filter::By { .. })) {
            self.stored_before(model, read.model.span, state);
        }
        let (filter, access) = self.filter(read.filter.as_ref(), model, state);
        let order = self.order_keys(&read.order, model);
        let limit = read
            .limit
            .as_ref()
            .map(|limit| self.quantity_expr(limit, state.unit, 0, "a limit"));
        let offset = read
            .offset
            .as_ref()
            .map(|offset| self.quantity_expr(offset, state.unit, 0, "an offset"));
        self.total_order(read, model, &order, access.as_ref());
        let touch = self.touching(read.touching.as_ref(), model);
        let compute = read
            .compute
            .as_ref()
            .and_then(|compute| self.compute(compute, model, read.touching.as_ref(), state));
        if let Some((_, ty)) = &compute {
            facts.result = Some(ty.clone());
        } else if read.compute.is_some() {
            facts.result = Some(Type::Unknown);
        }
        let repeat = self.repeat(read.repeat.as_ref(), state, facts);
        Some(OpDef::Read {
            model,
            filter,
            access,
            order,
            limit,
            offset,
            touch,
            compute: compute.map(|(def, _)| def),
            repeat,
        })
    }

    pub fn count(
        &mut self,
        count: &'a ast::Count,
        state: &mut TrialState,
        facts: &mut StepFacts,
    ) -> Option<OpDef> {
        facts.counts = true;
        self.no_transaction(count.transaction.as_ref());
        let model = self.step_model(&count.model, state)?;
        self.stored_before(model, count.model.span, state);
        if let Some(Filter::By { span, .. }) = &count.filter {
            self.error_help(
                Code::BadClause,
                *span,
                "`count` counts what a condition selects",
                "write `where …`; point access is for read, update and delete",
            );
            return None;
        }
        let (filter, _) = self.filter(count.filter.as_ref(), model, state);
        let per = count.per.as_ref().and_then(|per| {
            let walk = self.walk(per, model, false)?;
            let fits = walk.ty.is_ordered() || matches!(walk.ty, Type::ToOne(_));
            if !fits || walk.ty == Type::Dynamic {
                let words = walk.ty.words(&self.exp.schema);
                self.error(
                    Code::BadClause,
                    per.span,
                    format!("`per` groups by a single value or a link to one; `{per}` is {words}"),
                );
                return None;
            }
            Some(walk.path)
        });
        let repeat = self.repeat(count.repeat.as_ref(), state, facts);
        Some(OpDef::Count {
            model,
            filter,
            per,
            repeat,
        })
    }
}
