//! Records, one by one and in batches.

use std::rc::Rc;

use super::error::GenerateError;
use super::field::{Draw, FieldPlan};
use crate::base::Value;
use crate::plan::schema::{FieldId, FieldKind, ModelId};
use crate::plan::{Extent, Job, Pool, Schema};
use crate::workload::eval::EvalError;
use crate::workload::{Content, HookRunner, Record};

/// The data of one job.
pub struct Source {
    pub(super) schema: Schema,
    pub(super) plans: Vec<Vec<FieldPlan>>,
    pub(super) extents: Vec<Extent>,
    pub(super) pools: Vec<Pool>,
    pub(super) hooks: Rc<dyn HookRunner>,
    seed: u64,
}

impl Source {
    /// The data of a job under a seed.
    pub fn new(job: &Job, pools: &[Pool], seed: u64, hooks: Rc<dyn HookRunner>) -> Self {
        let plans = job
            .schema
            .models
            .iter()
            .enumerate()
            .map(|(at, model)| {
                let generators = job.generators.get(at);
                let expr = |field| generators.and_then(|g| g.get(field)).cloned().flatten();
                model
                    .fields
                    .iter()
                    .enumerate()
                    .map(|(field, f)| FieldPlan::new(seed, &model.name, &f.name, expr(field)))
                    .collect()
            })
            .collect();
        Source {
            schema: job.schema.clone(),
            plans,
            extents: job.extents.clone(),
            pools: pools.to_vec(),
            hooks,
            seed,
        }
    }

    /// The seed of all data and draws.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The schema of the data.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The record of that row with all that it owns.
    ///
    /// Generation 0 is what `create` stores, each upsert counts one up; the
    /// key field is the same in all of them.
    pub fn record(
        &self,
        model: ModelId,
        row: u64,
        generation: u32,
    ) -> Result<Record, GenerateError> {
        let Some(plans) = self.plans.get(model) else {
            let cause = EvalError::wrong("a model that the schema does not have");
            return Err(self.error(model, 0, row, cause));
        };
        let mut fields: Vec<Content> = Vec::with_capacity(plans.len());
        for field in 0..plans.len() {
            let content = self
                .content(model, field, row, generation, &fields)
                .map_err(|cause| self.error(model, field, row, cause))?;
            fields.push(content);
        }
        Ok(Record { row, fields })
    }

    /// Fills `records` with the rows `first_row..first_row + count`.
    pub fn batch(
        &self,
        model: ModelId,
        first_row: u64,
        count: u64,
        generation: u32,
        records: &mut Vec<Record>,
    ) -> Result<(), GenerateError> {
        records.clear();
        for row in first_row..first_row.saturating_add(count) {
            records.push(self.record(model, row, generation)?);
        }
        Ok(())
    }

    /// The value that generation 0 puts into a scalar or list field of a row,
    /// without building the rest of the record.
    pub fn value(&self, model: ModelId, field: FieldId, row: u64) -> Result<Value, GenerateError> {
        self.first_value(model, field, row)
            .map_err(|cause| self.error(model, field, row, cause))
    }

    pub(super) fn first_value(
        &self,
        model: ModelId,
        field: FieldId,
        row: u64,
    ) -> Result<Value, EvalError> {
        match self.content(model, field, row, 0, &[])? {
            Content::Value(value) => Ok(value),
            _ => Err(EvalError::wrong("a link where a value is asked for")),
        }
    }

    /// What a field of a row holds; `built` are the fields before it as far as
    /// they are known, of the same row and generation.
    pub(super) fn content(
        &self,
        model: ModelId,
        field: FieldId,
        row: u64,
        generation: u32,
        built: &[Content],
    ) -> Result<Content, EvalError> {
        let (Some(declared), Some(plan)) = (
            self.schema
                .models
                .get(model)
                .and_then(|m| m.fields.get(field)),
            self.plans.get(model).and_then(|m| m.get(field)),
        ) else {
            return Err(EvalError::wrong("a field that the schema does not have"));
        };
        let is_key = self.schema.models[model].key == Some(field);
        let (generation, built) = if is_key && generation > 0 {
            (0, &[][..])
        } else {
            (generation, built)
        };
        let Some(expr) = &plan.expr else {
            return match declared.kind {
                FieldKind::ToOne { .. } => Ok(Content::Owner),
                FieldKind::ToMany { .. } => Ok(Content::Links(Vec::new())),
                _ => Err(EvalError::wrong("the field has no generator")),
            };
        };
        let draw = Draw::new(self, plan, model, field, row, generation, built);
        match &declared.kind {
            FieldKind::Scalar(scalar) => Ok(Content::Value(draw.scalar(expr, scalar)?)),
            FieldKind::List(scalar) => Ok(Content::Value(draw.list(expr, scalar)?)),
            FieldKind::ToOne {
                target, ownership, ..
            } => draw.to_one(expr, *target, *ownership),
            FieldKind::ToMany {
                target, ownership, ..
            } => draw.to_many(expr, *target, *ownership),
        }
    }

    fn error(&self, model: ModelId, field: FieldId, row: u64, cause: EvalError) -> GenerateError {
        let name = match self.schema.models.get(model) {
            Some(m) => match m.fields.get(field) {
                Some(f) => format!("{}.{}", m.name, f.name),
                None => m.name.clone(),
            },
            None => "unknown model".into(),
        };
        GenerateError {
            field: name,
            row,
            cause,
        }
    }
}
