//! Updates: matches are read, changed and written one by one, over a snapshot.

use std::collections::{BTreeSet, HashMap};

use super::insert::append_values;
use super::shape::null_link;
use super::watch::Watch;
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::realm::api::Object;
use crate::engines::realm::api::value::encode;
use crate::engines::realm::error::unsupported;
use crate::engines::realm::ffi::types::{PropertyKey, RealmValue};
use crate::engines::realm::layout::Holds;
use crate::engines::realm::read::found::{Asking, Hits};
use crate::engines::realm::read::{Found, Seen};
use crate::engines::realm::store::Store;
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{Expr, Path};
use crate::workload::compare::Ordered;
use crate::workload::eval::{Scope, evaluate};
use crate::workload::source::coerce::coerce;

/// What an update sets.
pub struct Setting {
    /// Of this model.
    pub model: ModelId,
    /// Fields and their new values.
    pub set: Vec<(FieldId, Expr)>,
    /// Properties of the scalars and links among them.
    keys: Vec<PropertyKey>,
    /// Which of them are lists.
    lists: Vec<bool>,
    /// Whether each object can be changed as soon as its new values are known:
    /// they depend on nothing but the object itself.
    own: bool,
    /// Whether computing or writing them can fail.
    fallible: bool,
    watched: bool,
}

impl Setting {
    /// Of a request.
    pub fn new(
        store: &Store,
        model: ModelId,
        set: &[(FieldId, Expr)],
    ) -> Result<Setting, EngineError> {
        let class = &store.layout.classes[model];
        let (mut keys, mut lists) = (Vec::new(), Vec::new());
        for (field, _) in set {
            let holds = class.properties.get(*field).map(|p| &p.holds);
            lists.push(matches!(holds, Some(Holds::List(_))));
            match holds {
                Some(Holds::Scalar(_) | Holds::One(_)) => keys.push(store.property(model, *field)?),
                Some(Holds::List(_)) => {}
                _ => {
                    return Err(unsupported(
                        "only scalars can be set, and links only to null",
                    ));
                }
            }
        }
        let watched = class
            .watched
            .iter()
            .flatten()
            .any(|field| set.iter().any(|(f, _)| f == field));
        Ok(Setting {
            model,
            keys,
            own: set.iter().all(|(_, expr)| own(expr)),
            fallible: set.iter().any(|(field, expr)| {
                let optional = class.properties.get(*field).is_some_and(|p| p.optional);
                fallible(expr, optional)
            }),
            lists,
            set: set.to_vec(),
            watched,
        })
    }

    /// The new values of an object.
    fn values(&self, seen: &Seen<'_>, asking: Asking<'_>) -> Result<Vec<Value>, EngineError> {
        let set = self.set.iter();
        set.map(|(field, expr)| self.value(seen, *field, expr, asking))
            .collect()
    }

    /// Those that are the same for all objects.
    fn constants(
        &self,
        seen: &Seen<'_>,
        asking: Asking<'_>,
    ) -> Result<Vec<Option<Value>>, EngineError> {
        let constant = |(field, expr): &(FieldId, Expr)| match expr {
            Expr::Literal(_) | Expr::Arg(_) => self.value(seen, *field, expr, asking).map(Some),
            _ => Ok(None),
        };
        self.set.iter().map(constant).collect()
    }

    fn value(
        &self,
        seen: &Seen<'_>,
        field: FieldId,
        expr: &Expr,
        asking: Asking<'_>,
    ) -> Result<Value, EngineError> {
        let scope = Scope::new(seen, asking.arguments, asking.hooks);
        let value = evaluate(&scope, expr)?.into_owned();
        self.coerced(seen.store, field, value)
    }

    fn coerced(&self, store: &Store, field: FieldId, value: Value) -> Result<Value, EngineError> {
        let property = &store.layout.classes[self.model].properties[field];
        let value = match &property.holds {
            Holds::Scalar(scalar) => coerce(value, scalar)?,
            Holds::One(_) if value.is_null() => value,
            Holds::List(_) if matches!(value, Value::Null | Value::List(_)) => value,
            _ => {
                return Err(unsupported(
                    "only scalars can be set, and links only to null",
                ));
            }
        };
        if value.is_null() && !property.optional {
            return Err(null_link(store, self.model, field));
        }
        Ok(value)
    }
}

/// Changes what was found; how many that were. `keep` says that the
/// transaction goes on where the statement fails.
pub fn update(
    store: &mut Store,
    setting: &Setting,
    found: Found<'_>,
    asking: Asking<'_>,
    watch: &Watch,
    keep: bool,
) -> Result<u64, EngineError> {
    let simple = setting.own && found.above.is_none() && !setting.watched;
    if simple && !(keep && setting.fallible) {
        return in_place(store, setting, found, asking);
    }
    let mut changes: Vec<(i64, Vec<Value>)> = Vec::new();
    found.each(store, asking, 0, |seen| {
        changes.push((seen.object.key(), setting.values(&seen, asking)?));
        Ok(true)
    })?;
    if setting.watched {
        check(store, setting, watch, &changes)?;
    }
    let mut encoded = Vec::new();
    for (key, values) in &changes {
        if let Some(object) = store.object(setting.model, *key)? {
            write(store, setting, &object, |at| &values[at], &mut encoded)?;
        }
    }
    Ok(changes.len() as u64)
}

/// One pass: each object is changed as it comes. Constants are made ready once.
fn in_place(
    store: &mut Store,
    setting: &Setting,
    found: Found<'_>,
    asking: Asking<'_>,
) -> Result<u64, EngineError> {
    let model = setting.model;
    let mut constants: Option<Vec<Option<Value>>> = None;
    let (mut computed, mut encoded) = (Vec::new(), Vec::new());
    let mut change = |store: &mut Store, object: Object| {
        let seen = Seen {
            store,
            model,
            object,
        };
        let constants = match &mut constants {
            Some(constants) => constants,
            none => none.insert(setting.constants(&seen, asking)?),
        };
        computed.clear();
        for ((field, expr), constant) in setting.set.iter().zip(&*constants) {
            // A place for each, so that positions stay.
            computed.push(match constant {
                Some(_) => Value::Null,
                None => setting.value(&seen, *field, expr, asking)?,
            });
        }
        let object = seen.object;
        let value = |at: usize| constants[at].as_ref().unwrap_or(&computed[at]);
        write(store, setting, &object, value, &mut encoded)
    };
    match found.hits {
        Hits::Nothing => Ok(0),
        Hits::One(object) => {
            change(store, object)?;
            Ok(1)
        }
        Hits::Many(results) => {
            let results = store.realm.snapshot(&results)?;
            let count = store.realm.size(&results)?;
            for at in 0..count {
                let object = store.realm.object_at(&results, at)?;
                change(store, object)?;
            }
            Ok(count as u64)
        }
    }
}

/// Sets an object's properties to new values, given by position.
fn write<'v>(
    store: &mut Store,
    setting: &Setting,
    object: &Object,
    value: impl Fn(usize) -> &'v Value,
    encoded: &mut Vec<RealmValue>,
) -> Result<(), EngineError> {
    let model = setting.model;
    encoded.clear();
    for (at, list) in setting.lists.iter().enumerate() {
        if !list {
            encoded.push(encode(value(at))?);
        }
    }
    if !encoded.is_empty() {
        store.realm.set(object, &setting.keys, encoded)?;
    }
    for (at, (field, _)) in setting.set.iter().enumerate() {
        if !setting.lists[at] {
            continue;
        }
        let value = value(at);
        let list = store.realm.list(object, store.property(model, *field)?)?;
        store.realm.clear(&list)?;
        if let Value::List(items) = value {
            append_values(store, &list, items)?;
        }
        if let Some(Some(marker)) = store.keys[model].markers.get(*field).copied() {
            let there = encode(&Value::Bool(!value.is_null()))?;
            store.realm.set(object, &[marker], &[there])?;
        }
    }
    Ok(())
}

/// Refuses an outcome in which two objects agree where none may.
fn check(
    store: &Store,
    setting: &Setting,
    watch: &Watch,
    changes: &[(i64, Vec<Value>)],
) -> Result<(), EngineError> {
    let keys: BTreeSet<i64> = changes.iter().map(|(key, _)| *key).collect();
    for set in &watch.sets {
        if !set
            .fields
            .iter()
            .any(|f| setting.set.iter().any(|(s, _)| s == f))
        {
            continue;
        }
        let mut new: HashMap<i64, Vec<Value>> = HashMap::new();
        let mut taken: BTreeSet<Vec<Ordered>> = BTreeSet::new();
        for (key, values) in changes {
            let fields = setting.set.iter().map(|(field, _)| *field);
            let changed: Vec<(FieldId, Value)> = fields.zip(values.iter().cloned()).collect();
            let outcome = set.values(store, setting.model, *key, &changed)?;
            if outcome.iter().any(Value::is_null) {
                continue;
            }
            if !taken.insert(outcome.iter().cloned().map(Ordered).collect()) {
                return Err(watch.refused(store, set));
            }
            new.insert(*key, outcome);
        }
        for outcome in new.values() {
            let mut encoded = set.encode(store, setting.model, outcome)?;
            if let Some(other) = set.taken(store, setting.model, &mut encoded)?
                && !keys.contains(&other)
            {
                return Err(watch.refused(store, set));
            }
        }
    }
    Ok(())
}

/// Whether an expression reads nothing but the object itself.
fn own(expr: &Expr) -> bool {
    let near = |path: &Path| path.hops.len() <= 1;
    match expr {
        Expr::Literal(_) | Expr::Arg(_) => true,
        Expr::Path(path) | Expr::IsEmpty(path) => near(path),
        Expr::Neg(inner) | Expr::Not(inner) | Expr::IsNull(inner) => own(inner),
        Expr::Arith { left, right, .. } | Expr::Compare { left, right, .. } => {
            own(left) && own(right)
        }
        Expr::And(all) | Expr::Or(all) => all.iter().all(own),
        Expr::If {
            condition,
            then,
            otherwise,
        } => own(condition) && own(then) && own(otherwise),
        Expr::CountOf {
            over,
            predicate: None,
        } => near(over),
        Expr::Hook { args, .. } => args.iter().all(own),
        _ => false,
    }
}

/// Whether computing or writing a value can fail.
fn fallible(expr: &Expr, optional: bool) -> bool {
    match expr {
        Expr::Literal(value) => value.is_null() && !optional,
        Expr::Arg(_) => true,
        Expr::Path(_) => !optional,
        _ => true,
    }
}
