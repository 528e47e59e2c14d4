//! An object as expressions see it: what they ask for is read when they ask.

use std::borrow::Cow;

use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::realm::api::Object;
use crate::engines::realm::layout::Holds;
use crate::engines::realm::store::Store;
use crate::plan::Path;
use crate::plan::schema::ModelId;
use crate::workload::eval::{Element, Elements, EvalError, View};

/// An object in its store.
pub struct Seen<'r> {
    /// The store.
    pub store: &'r Store,
    /// Its model.
    pub model: ModelId,
    /// The object.
    pub object: Object,
}

fn seen(error: EngineError) -> EvalError {
    EvalError::wrong(error.message)
}

impl View for Seen<'_> {
    fn value(&self, path: &Path) -> Result<Cow<'_, Value>, EvalError> {
        let got = self
            .store
            .follow(self.model, &self.object, &path.hops, &path.json);
        Ok(Cow::Owned(got.map_err(seen)?.into_value()))
    }

    fn elements(
        &self,
        over: &Path,
        visit: &mut dyn FnMut(Element<'_>) -> Result<bool, EvalError>,
    ) -> Result<Elements, EvalError> {
        let Some((last, before)) = over.hops.split_last() else {
            return Ok(Elements::Scalar);
        };
        let mut far: Option<Object> = None;
        let mut model = self.model;
        for hop in before {
            let from = far.as_ref().unwrap_or(&self.object);
            match self.store.behind(model, from, *hop).map_err(seen)? {
                Some((target, object)) => (model, far) = (target, Some(object)),
                None => return Ok(Elements::Null),
            }
        }
        let object = far.as_ref().unwrap_or(&self.object);
        let Some(property) = self.store.layout.property(model, *last) else {
            return Err(EvalError::wrong("a field that the model does not have"));
        };
        let realm = &self.store.realm;
        let list = || {
            let list = realm.list(object, self.store.property(model, *last)?)?;
            Ok((realm.length(&list)?, list))
        };
        match &property.holds {
            Holds::List(scalar) => {
                let null = self.store.list_is_null(model, object, *last);
                if null.map_err(seen)? {
                    return Ok(Elements::Null);
                }
                let (length, list) = list().map_err(seen)?;
                for at in 0..length {
                    let item = realm.element(&list, at).and_then(|c| c.to_value(scalar));
                    if !visit(Element::Scalar(&item.map_err(seen)?))? {
                        break;
                    }
                }
                Ok(Elements::Listed)
            }
            Holds::Many(target) => {
                let (length, list) = list().map_err(seen)?;
                for at in 0..length {
                    let other = Seen {
                        store: self.store,
                        model: *target,
                        object: realm.element_object(&list, at).map_err(seen)?,
                    };
                    if !visit(Element::Record(&other))? {
                        break;
                    }
                }
                Ok(Elements::Listed)
            }
            Holds::Scalar(_) | Holds::One(_) | Holds::Back { .. } => Ok(Elements::Scalar),
        }
    }

    fn fields(&self) -> Result<Vec<(&str, Cow<'_, Value>)>, EvalError> {
        let declared = &self.store.schema.models[self.model].fields;
        let properties = &self.store.layout.classes[self.model].properties;
        let mut all = Vec::new();
        for (field, (declared, property)) in declared.iter().zip(properties).enumerate() {
            if matches!(property.holds, Holds::Scalar(_) | Holds::List(_)) {
                let got = self.store.follow(self.model, &self.object, &[field], &[]);
                let value = got.map_err(seen)?.into_value();
                all.push((declared.name.as_str(), Cow::Owned(value)));
            }
        }
        Ok(all)
    }
}
