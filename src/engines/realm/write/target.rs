//! Objects that links lead to.

use std::collections::HashMap;

use super::shape::row;
use crate::engines::EngineError;
use crate::engines::realm::api::value::encode;
use crate::engines::realm::error::{misuse, refused};
use crate::engines::realm::ffi::types::Link;
use crate::engines::realm::layout::Key;
use crate::engines::realm::store::Store;
use crate::plan::schema::{FieldKind, ModelId, Ownership};
use crate::workload::Target;

/// Looks targets up by their primary key. Objects of a shared pool are
/// remembered, as an app holds the few objects that all others point to.
pub struct Targets {
    pools: Vec<Option<HashMap<u64, Link>>>,
}

impl Targets {
    /// With nothing remembered.
    pub fn new(store: &Store) -> Targets {
        let mut pools: Vec<_> = store.schema.models.iter().map(|_| None).collect();
        for field in store.schema.models.iter().flat_map(|model| &model.fields) {
            let (FieldKind::ToOne {
                target, ownership, ..
            }
            | FieldKind::ToMany {
                target, ownership, ..
            }) = &field.kind
            else {
                continue;
            };
            if matches!(ownership, Ownership::Shared { .. }) {
                pools[*target] = Some(HashMap::new());
            }
        }
        Targets { pools }
    }

    /// Forgets everything: objects may have gone.
    pub fn forget(&mut self) {
        for pool in self.pools.iter_mut().flatten() {
            pool.clear();
        }
    }

    /// The link to a stored object, which must be there.
    pub fn link(
        &mut self,
        store: &Store,
        model: ModelId,
        target: &Target,
    ) -> Result<Link, EngineError> {
        let remembered = self.pools[model].as_ref();
        if let Some(link) = remembered.and_then(|pool| pool.get(&target.row)) {
            return Ok(*link);
        }
        let class = store.class(model);
        let key = match (&store.layout.classes[model].key, &target.key) {
            (Key::Field(_), Some(key)) => encode(key)?,
            (Key::Row(_), _) => row(target.row)?,
            _ => return Err(misuse("a link to an object without key")),
        };
        let object = store.realm.by_key(class, key)?.ok_or_else(|| {
            let name = &store.schema.models[model].name;
            refused(format!("{name}: there is no row {} to link to", target.row))
        })?;
        let link = Link {
            class,
            object: object.key(),
        };
        if let Some(pool) = &mut self.pools[model] {
            pool.insert(target.row, link);
        }
        Ok(link)
    }
}
