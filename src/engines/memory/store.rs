//! Records, what is kept beside them, and what was there before.

use std::collections::{BTreeMap, BTreeSet};

use super::record::{Kept, Slot};
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::Schema;
use crate::plan::schema::{FieldId, FieldKind, ModelId};
use crate::workload::compare::Ordered;

/// All records.
pub struct Store {
    pub(super) schema: Schema,
    tables: Vec<Table>,
    /// What was there before each change since the last commit, oldest first.
    log: Vec<Before>,
}

struct Table {
    records: BTreeMap<u64, Kept>,
    uniques: Vec<Unique>,
    /// Per forward link field: (row linked to, row that links).
    linked: Vec<BTreeSet<(u64, u64)>>,
    /// Per field that point reads have asked for: value and rows.
    points: BTreeMap<FieldId, BTreeMap<Ordered, BTreeSet<u64>>>,
}

/// Fields in which no two records may agree; a null agrees with nothing.
struct Unique {
    fields: Vec<FieldId>,
    taken: BTreeMap<Vec<Ordered>, u64>,
}

struct Before {
    model: ModelId,
    row: u64,
    kept: Option<Kept>,
}

impl Store {
    pub fn new(schema: Schema) -> Self {
        let tables = schema
            .models
            .iter()
            .map(|model| {
                let key = model.key.iter().map(|key| vec![*key]);
                let declared = model.indexes.iter().filter(|index| index.unique);
                let declared = declared.map(|i| i.columns.iter().map(|c| c.field).collect());
                Table {
                    records: BTreeMap::new(),
                    uniques: key
                        .chain(declared)
                        .map(|fields| Unique {
                            fields,
                            taken: BTreeMap::new(),
                        })
                        .collect(),
                    linked: vec![BTreeSet::new(); model.fields.len()],
                    points: BTreeMap::new(),
                }
            })
            .collect();
        Store {
            schema,
            tables,
            log: Vec::new(),
        }
    }

    pub fn get(&self, model: ModelId, row: u64) -> Option<&Kept> {
        self.tables.get(model)?.records.get(&row)
    }

    pub fn records(&self, model: ModelId) -> impl Iterator<Item = (u64, &Kept)> {
        let records = self.tables.get(model).map(|table| &table.records);
        records
            .into_iter()
            .flatten()
            .map(|(row, kept)| (*row, kept))
    }

    /// Rows of `model` whose link `field` points to `row`.
    pub fn linking(
        &self,
        model: ModelId,
        field: FieldId,
        row: u64,
    ) -> impl Iterator<Item = u64> + '_ {
        let linked = self.tables.get(model).and_then(|t| t.linked.get(field));
        linked
            .into_iter()
            .flat_map(move |linked| linked.range((row, 0)..=(row, u64::MAX)))
            .map(|(_, from)| *from)
    }

    /// The row whose key is this.
    pub fn by_key(&self, model: ModelId, key: &Value) -> Option<u64> {
        self.schema.models.get(model)?.key?;
        // The key's map is the first.
        let unique = self.tables.get(model)?.uniques.first()?;
        unique.taken.get(&vec![Ordered(key.clone())]).copied()
    }

    /// Rows whose field equals this; `None` if point reads of the field were
    /// never announced.
    pub fn by_point(&self, model: ModelId, field: FieldId, value: &Value) -> Option<Vec<u64>> {
        let point = self.tables.get(model)?.points.get(&field)?;
        let rows = point.get(&Ordered(value.clone()));
        Some(rows.into_iter().flatten().copied().collect())
    }

    /// Announces point reads of a field.
    pub fn expect_points(&mut self, model: ModelId, field: FieldId) {
        let Some(table) = self.tables.get_mut(model) else {
            return;
        };
        if table.points.contains_key(&field) {
            return;
        }
        let mut point: BTreeMap<Ordered, BTreeSet<u64>> = BTreeMap::new();
        for (row, kept) in &table.records {
            if let Some(value) = point_value(kept, field) {
                point.entry(value).or_default().insert(*row);
            }
        }
        table.points.insert(field, point);
    }

    /// Puts a record in a row's place, or takes it away. The only way in which
    /// anything ever changes.
    pub fn put(&mut self, model: ModelId, row: u64, new: Option<Kept>) -> Result<(), EngineError> {
        let old = self.take(model, row);
        let refused = new.as_ref().and_then(|kept| self.conflict(model, kept));
        if let Some(refused) = refused {
            if let Some(old) = old {
                self.place(model, row, old);
            }
            return Err(refused);
        }
        if let Some(kept) = new {
            self.place(model, row, kept);
        }
        self.log.push(Before {
            model,
            row,
            kept: old,
        });
        Ok(())
    }

    /// How much was changed since the last commit, for [`Store::roll_back`].
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Undoes all changes after the mark, newest first.
    pub fn roll_back(&mut self, mark: usize) {
        while self.log.len() > mark {
            let Some(before) = self.log.pop() else { return };
            self.take(before.model, before.row);
            if let Some(kept) = before.kept {
                self.place(before.model, before.row, kept);
            }
        }
    }

    /// Forgets what was there before.
    pub fn commit(&mut self) {
        self.log = Vec::new();
    }

    /// The error if another record agrees with this one where none may.
    fn conflict(&self, model: ModelId, kept: &Kept) -> Option<EngineError> {
        let declared = &self.schema.models[model];
        self.tables[model].uniques.iter().find_map(|unique| {
            let value = unique_value(kept, &unique.fields)?;
            unique.taken.contains_key(&value).then(|| {
                let names: Vec<&str> = unique
                    .fields
                    .iter()
                    .map(|field| declared.fields[*field].name.as_str())
                    .collect();
                EngineError::new(
                    ErrorKind::Constraint,
                    format!("{} ({}) is taken", declared.name, names.join(", ")),
                )
            })
        })
    }

    fn take(&mut self, model: ModelId, row: u64) -> Option<Kept> {
        let table = self.tables.get_mut(model)?;
        let kept = table.records.remove(&row)?;
        for unique in &mut table.uniques {
            if let Some(value) = unique_value(&kept, &unique.fields) {
                unique.taken.remove(&value);
            }
        }
        for (linked, slot) in table.linked.iter_mut().zip(&kept) {
            for to in links(slot) {
                linked.remove(&(*to, row));
            }
        }
        for (field, point) in &mut table.points {
            if let Some(value) = point_value(&kept, *field)
                && let Some(rows) = point.get_mut(&value)
            {
                rows.remove(&row);
                if rows.is_empty() {
                    point.remove(&value);
                }
            }
        }
        Some(kept)
    }

    fn place(&mut self, model: ModelId, row: u64, kept: Kept) {
        let table = &mut self.tables[model];
        for unique in &mut table.uniques {
            if let Some(value) = unique_value(&kept, &unique.fields) {
                unique.taken.insert(value, row);
            }
        }
        for (linked, slot) in table.linked.iter_mut().zip(&kept) {
            linked.extend(links(slot).iter().map(|to| (*to, row)));
        }
        for (field, point) in &mut table.points {
            if let Some(value) = point_value(&kept, *field) {
                point.entry(value).or_default().insert(row);
            }
        }
        table.records.insert(row, kept);
    }

    /// Model and field of every forward link to `model`.
    pub fn links_to(&self, model: ModelId) -> Vec<(ModelId, FieldId)> {
        let mut links = Vec::new();
        for (from, declared) in self.schema.models.iter().enumerate() {
            for (field, f) in declared.fields.iter().enumerate() {
                let back = matches!(
                    f.kind,
                    FieldKind::ToOne {
                        inverse_of: Some(_),
                        ..
                    }
                );
                if f.kind.target() == Some(model) && !back {
                    links.push((from, field));
                }
            }
        }
        links
    }
}

fn links(slot: &Slot) -> &[u64] {
    match slot {
        Slot::One(link) => link.as_slice(),
        Slot::Many(links) => links,
        Slot::Value(_) | Slot::Back => &[],
    }
}

fn unique_value(kept: &Kept, fields: &[FieldId]) -> Option<Vec<Ordered>> {
    fields
        .iter()
        .map(|field| match kept.get(*field)? {
            Slot::Value(Value::Null) => None,
            Slot::Value(value) => Some(Ordered(value.clone())),
            Slot::One(link) => link.map(|row| Ordered(Value::Int(row as i64))),
            Slot::Many(_) | Slot::Back => None,
        })
        .collect()
}

fn point_value(kept: &Kept, field: FieldId) -> Option<Ordered> {
    match kept.get(field)? {
        Slot::Value(Value::Null) => None,
        Slot::Value(value) => Some(Ordered(value.clone())),
        _ => None,
    }
}
