//! Deleting records, and what goes with them.

use std::collections::{BTreeMap, BTreeSet};

use super::record::{Kept, Slot};
use super::store::Store;
use crate::engines::EngineError;
use crate::plan::schema::{FieldKind, ModelId};

impl Store {
    /// Deletes these rows with all that they cascade to; links to what is gone
    /// become null, entries of to-many links go, a required link refuses.
    pub fn delete(&mut self, model: ModelId, rows: &[u64]) -> Result<(), EngineError> {
        let gone = self.cascade(model, rows);
        for (model, rows) in &gone {
            self.unlink(*model, rows, &gone)?;
        }
        for (model, rows) in &gone {
            for row in rows {
                self.put(*model, *row, None)?;
            }
        }
        Ok(())
    }

    /// These rows and all that their cascading links lead to, to any depth.
    fn cascade(&self, model: ModelId, rows: &[u64]) -> Gone {
        let mut gone = Gone::new();
        let mut ahead: Vec<(ModelId, u64)> = rows.iter().map(|row| (model, *row)).collect();
        while let Some((model, row)) = ahead.pop() {
            let Some(kept) = self.get(model, row) else {
                continue;
            };
            if !gone.entry(model).or_default().insert(row) {
                continue;
            }
            for (field, slot) in self.schema.models[model].fields.iter().zip(kept) {
                let (FieldKind::ToOne {
                    target,
                    cascade: true,
                    ..
                }
                | FieldKind::ToMany {
                    target,
                    cascade: true,
                    ..
                }) = field.kind
                else {
                    continue;
                };
                match slot {
                    Slot::One(link) => ahead.extend(link.map(|row| (target, row))),
                    Slot::Many(links) => ahead.extend(links.iter().map(|row| (target, *row))),
                    Slot::Value(_) | Slot::Back => {}
                }
            }
        }
        gone
    }

    /// Takes the links to these rows out of every record that stays.
    fn unlink(
        &mut self,
        target: ModelId,
        rows: &BTreeSet<u64>,
        gone: &Gone,
    ) -> Result<(), EngineError> {
        for (model, field) in self.links_to(target) {
            let staying: BTreeSet<u64> = rows
                .iter()
                .flat_map(|row| self.linking(model, field, *row))
                .filter(|from| !gone.get(&model).is_some_and(|rows| rows.contains(from)))
                .collect();
            for from in staying {
                let Some(mut kept) = self.get(model, from).cloned() else {
                    continue;
                };
                clear(&mut kept, field, rows);
                self.check_nulls(model, &kept)?;
                self.put(model, from, Some(kept))?;
            }
        }
        self.check_owners(target, rows, gone)
    }

    /// A required back-link of a record that stays may not lose its owner.
    fn check_owners(
        &self,
        owner: ModelId,
        rows: &BTreeSet<u64>,
        gone: &Gone,
    ) -> Result<(), EngineError> {
        for (field, declared) in self.schema.models[owner].fields.iter().enumerate() {
            let Some(target) = declared.kind.target() else {
                continue;
            };
            let required = self.schema.models[target].fields.iter().any(|back| {
                !back.optional
                    && matches!(
                        back.kind,
                        FieldKind::ToOne { target, inverse_of: Some(of), .. }
                            if target == owner && of == field
                    )
            });
            if !required {
                continue;
            }
            let slots = rows
                .iter()
                .filter_map(|row| self.get(owner, *row)?.get(field));
            let left = slots
                .flat_map(|slot| match slot {
                    Slot::One(link) => link.as_slice(),
                    Slot::Many(links) => links,
                    Slot::Value(_) | Slot::Back => &[],
                })
                .find(|row| !gone.get(&target).is_some_and(|rows| rows.contains(row)));
            if let Some(row) = left {
                return Err(self.refuse(target, format!("row {row} needs its owner")));
            }
        }
        Ok(())
    }
}

/// Rows to be deleted, by model.
type Gone = BTreeMap<ModelId, BTreeSet<u64>>;

fn clear(kept: &mut Kept, field: usize, rows: &BTreeSet<u64>) {
    match kept.get_mut(field) {
        Some(Slot::One(link)) => *link = link.filter(|row| !rows.contains(row)),
        Some(Slot::Many(links)) => links.retain(|row| !rows.contains(row)),
        Some(Slot::Value(_) | Slot::Back) | None => {}
    }
}
