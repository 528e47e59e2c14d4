//! Which objects existed when a row was made.

use super::records::Source;
use crate::plan::Ownership;
use crate::plan::schema::{FieldKind, ModelId};

impl Source {
    /// How many objects of `target` a row of `model` could link to: those that
    /// existed when its step ran. An owned object has its owner's moment.
    /// `None` if no step makes the row.
    pub(super) fn population(&self, model: ModelId, row: u64, target: ModelId) -> Option<u64> {
        let inside = |extent: &&crate::plan::Extent| {
            extent.model == model
                && row >= extent.first_row
                && row - extent.first_row < extent.count
        };
        if let Some(extent) = self.extents.iter().find(inside) {
            return Some(extent.populations.get(target).copied().unwrap_or(0));
        }
        // A model never owns itself, directly or around, so this ends.
        self.owners(model)
            .into_iter()
            .find_map(|(owner, max)| self.population(owner, row / max, target))
    }

    /// Models that own objects of this one, with how many at most.
    fn owners(&self, model: ModelId) -> Vec<(ModelId, u64)> {
        let mut owners = Vec::new();
        for (at, owner) in self.schema.models.iter().enumerate() {
            for field in &owner.fields {
                let most = match field.kind {
                    FieldKind::ToMany {
                        target,
                        ownership: Ownership::Owned { max },
                        ..
                    } if target == model => max,
                    FieldKind::ToOne {
                        target,
                        ownership: Ownership::Owned { .. },
                        inverse_of: None,
                        ..
                    } if target == model => 1,
                    _ => continue,
                };
                if at != model {
                    owners.push((at, most.max(1)));
                }
            }
        }
        owners
    }
}
