//! `NSBatchInsertRequest`: rows straight from dictionaries, without objects.

use super::context::Context;
use super::layer::{Change, ChangeKind};
use crate::engines::EngineError;
use crate::engines::sqlite::error::misuse;
use crate::plan::schema::ModelId;
use crate::workload::{Content, Record};

impl Context {
    /// Inserts records of an entity without relationships.
    pub fn batch_insert(&self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        let entity = self.entity(model);
        if !self.store.in_transaction.get() {
            self.store.begin()?;
        }
        let highest = self.highest(entity.number)?;
        let mut last = highest;
        let statement = self.insert_statement(model)?;
        let mut changes = Vec::new();
        for record in records {
            let mut values = Vec::with_capacity(entity.slots.len());
            for (content, slot) in record.fields.iter().zip(&entity.slots) {
                let Content::Value(value) = content else {
                    return Err(misuse("a batch insert takes attributes only"));
                };
                if value.is_null() && !slot.optional {
                    let column = slot.column.as_deref().unwrap_or_default();
                    return Err(self.refuse(model, &format!("{column} may not be null")));
                }
                values.push(value.clone());
            }
            let wanted = i64::try_from(record.row)
                .ok()
                .and_then(|r| r.checked_add(1));
            let id = match (entity.key, wanted) {
                (None, Some(wanted)) => wanted,
                _ => last + 1,
            };
            last = last.max(id);
            self.insert_row(&mut statement.borrow_mut(), model, id, &values)?;
            if self.layer.is_some() {
                changes.push(Change {
                    kind: ChangeKind::Insert,
                    entity: model,
                    id,
                    slots: Vec::new(),
                });
            }
        }
        if last > highest {
            self.raise(entity.number, highest, last)?;
        }
        match &self.layer {
            Some(layer) => layer.saved(self, &changes),
            None => Ok(()),
        }
    }
}
