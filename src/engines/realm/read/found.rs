//! What a request found.

use std::borrow::Cow;

use super::view::Seen;
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::realm::api::{Object, Results};
use crate::engines::realm::store::Store;
use crate::plan::Expr;
use crate::plan::schema::ModelId;
use crate::workload::HookRunner;
use crate::workload::eval::{Scope, holds};

/// Objects that Realm gave.
pub enum Hits {
    /// None.
    Nothing,
    /// One, looked up.
    One(Object),
    /// Those of a query or a class.
    Many(Results),
}

/// Objects that Realm gave, and what still decides among them.
pub struct Found<'f> {
    /// Of this model.
    pub model: ModelId,
    /// The objects.
    pub hits: Hits,
    /// What decides.
    pub above: Option<Cow<'f, Expr>>,
}

/// What a predicate above Realm is evaluated with.
#[derive(Clone, Copy)]
pub struct Asking<'a> {
    /// Values bound at this execution.
    pub arguments: &'a [Value],
    /// Runs hooks.
    pub hooks: &'a dyn HookRunner,
}

impl Found<'_> {
    /// How many Realm gave, before anything above decides.
    pub fn given(&self, store: &Store) -> Result<usize, EngineError> {
        match &self.hits {
            Hits::Nothing => Ok(0),
            Hits::One(_) => Ok(1),
            Hits::Many(results) => store.realm.size(results),
        }
    }

    /// Shows each object that counts, from the `skipped`-th on, until `visit`
    /// returns false.
    pub fn each<'r>(
        self,
        store: &'r Store,
        asking: Asking<'_>,
        skipped: u64,
        mut visit: impl FnMut(Seen<'r>) -> Result<bool, EngineError>,
    ) -> Result<(), EngineError> {
        let Found { model, hits, above } = self;
        // Where nothing above decides, what is left out is not looked at.
        let passed = above.is_none() && matches!(hits, Hits::Many(_));
        let mut ahead = if passed { 0 } else { skipped };
        let mut test = |object: Object| {
            let seen = Seen {
                store,
                model,
                object,
            };
            if let Some(above) = &above
                && !holds(&Scope::new(&seen, asking.arguments, asking.hooks), above)?
            {
                return Ok(true);
            }
            if ahead > 0 {
                ahead -= 1;
                return Ok(true);
            }
            visit(seen)
        };
        match hits {
            Hits::Nothing => {}
            Hits::One(object) => {
                test(object)?;
            }
            Hits::Many(results) => {
                let count = store.realm.size(&results)?;
                let first = if passed {
                    usize::try_from(skipped).unwrap_or(usize::MAX).min(count)
                } else {
                    0
                };
                for at in first..count {
                    if !test(store.realm.object_at(&results, at)?)? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}
