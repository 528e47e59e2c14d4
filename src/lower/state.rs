//! What a job's steps have made so far.

use crate::plan::job::Extent;
use crate::plan::schema::{FieldKind, ModelId, Ownership, Schema};

/// Row counters while a job's steps are lowered, in order.
#[derive(Clone, Debug)]
pub struct State {
    /// Next row of each model; for owned models one past the highest possible.
    pub next_row: Vec<u64>,
    /// Rows of each model that a link can point to: dense from 0.
    pub linkable: Vec<u64>,
    /// Upserts of each model so far.
    pub generation: Vec<u32>,
    /// Objects built by `instantiate` and not yet stored: model, first row, count.
    pub instantiated: Option<(ModelId, u64, u64)>,
    /// Every run of rows so far.
    pub extents: Vec<Extent>,
    /// Top-level objects created.
    pub top_level: u64,
    /// Steps lowered: keeps the draws of equal steps apart.
    pub steps: u64,
}

impl State {
    /// Nothing made yet.
    pub fn new(schema: &Schema) -> State {
        let models = schema.models.len();
        State {
            next_row: vec![0; models],
            linkable: vec![0; models],
            generation: vec![0; models],
            instantiated: None,
            extents: Vec::new(),
            top_level: 0,
            steps: 0,
        }
    }

    /// Shared pools that creating `model` needs and that are not stored yet,
    /// those that others link to first.
    pub fn missing_pools(&self, schema: &Schema, model: ModelId) -> Vec<(ModelId, u64)> {
        let mut pools = Vec::new();
        self.collect_pools(schema, model, &mut Vec::new(), &mut pools);
        pools
    }

    fn collect_pools(
        &self,
        schema: &Schema,
        model: ModelId,
        seen: &mut Vec<ModelId>,
        pools: &mut Vec<(ModelId, u64)>,
    ) {
        if seen.contains(&model) {
            return;
        }
        seen.push(model);
        for field in &schema.models[model].fields {
            let (FieldKind::ToOne {
                target, ownership, ..
            }
            | FieldKind::ToMany {
                target, ownership, ..
            }) = &field.kind
            else {
                continue;
            };
            match ownership {
                Ownership::Owned { .. } => self.collect_pools(schema, *target, seen, pools),
                Ownership::Shared { pool } => {
                    self.collect_pools(schema, *target, seen, pools);
                    let stored = self.linkable[*target] >= *pool;
                    if !stored && !pools.iter().any(|(model, _)| model == target) {
                        pools.push((*target, *pool));
                    }
                }
                Ownership::Linked => {}
            }
        }
    }

    /// Takes note of `count` new top-level rows (and their pools and children);
    /// returns the first row.
    pub fn create(
        &mut self,
        schema: &Schema,
        model: ModelId,
        count: u64,
        pools: &[(ModelId, u64)],
    ) -> Option<u64> {
        for (pool, size) in pools {
            let first = self.next_row[*pool];
            self.extend(schema, *pool, first, size.saturating_sub(first))?;
            self.linkable[*pool] = self.next_row[*pool];
        }
        let first = self.next_row[model];
        self.extend(schema, model, first, count)?;
        self.linkable[model] = self.next_row[model];
        self.top_level = self.top_level.checked_add(count)?;
        Some(first)
    }

    /// `None` on overflow of row numbers.
    fn extend(&mut self, schema: &Schema, model: ModelId, first: u64, count: u64) -> Option<()> {
        let end = first.checked_add(count).filter(|end| *end < 1 << 62)?;
        self.next_row[model] = self.next_row[model].max(end);
        if count > 0 {
            self.extents.push(Extent {
                model,
                first_row: first,
                count,
                populations: self.linkable.clone(),
            });
        }
        for field in &schema.models[model].fields {
            if let FieldKind::ToOne {
                target,
                ownership: Ownership::Owned { max },
                ..
            }
            | FieldKind::ToMany {
                target,
                ownership: Ownership::Owned { max },
                ..
            } = &field.kind
                && count > 0
                && *max > 0
            {
                let (first, count) = (first.checked_mul(*max)?, count.checked_mul(*max)?);
                self.extend(schema, *target, first, count)?;
            }
        }
        Some(())
    }
}
