//! Selections, executed.

use std::borrow::Cow;
use std::ffi::CString;

use super::found::{Found, Hits};
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::realm::api::{Query, value};
use crate::engines::realm::classes::c_text;
use crate::engines::realm::error::misuse;
use crate::engines::realm::query::tail::Tail;
use crate::engines::realm::query::{Access, Filter, Selection};
use crate::engines::realm::store::Store;
use crate::plan::schema::ModelId;
use crate::plan::{Path, Select};

/// A prepared selection.
pub struct Finder {
    select: Select,
    /// As compiled without knowing arguments.
    pub selection: Selection,
    text: CString,
    /// Parsed once, where the question is always the same.
    parsed: Option<Query>,
}

impl Finder {
    /// Compiles a selection.
    pub fn new(
        store: &Store,
        model: ModelId,
        select: &Select,
        tail: Tail,
    ) -> Result<Finder, EngineError> {
        let selection = Selection::of(&store.layout, model, select, tail, None);
        let text = match &selection.access {
            Access::Query(filter) => c_text(&filter.text)?,
            _ => CString::default(),
        };
        Ok(Finder {
            select: select.clone(),
            selection,
            text,
            parsed: None,
        })
    }

    /// Forgets what was parsed: it does not outlive a compaction.
    pub fn forget(&mut self) {
        self.parsed = None;
    }

    /// Whether nothing above Realm decides, for every argument.
    pub fn is_whole(&self) -> bool {
        self.selection.above.is_none()
            && match &self.selection.access {
                Access::Query(filter) => filter.is_fixed(),
                _ => true,
            }
    }

    /// The number of matches, where Realm counts them by itself.
    pub fn count(&mut self, store: &Store) -> Result<Option<u64>, EngineError> {
        if !self.is_whole() {
            return Ok(None);
        }
        let count = match &self.selection.access {
            Access::All => store.realm.population(store.class(self.selection.model))?,
            Access::Query(_) => {
                self.parse(store)?;
                match &self.parsed {
                    Some(query) => store.realm.count(query)?,
                    None => return Ok(None),
                }
            }
            Access::Nothing => 0,
            Access::Identity | Access::Key => return Ok(None),
        };
        Ok(Some(count as u64))
    }

    /// Asks Realm.
    pub fn find(&mut self, store: &Store, arguments: &[Value]) -> Result<Found<'_>, EngineError> {
        let model = self.selection.model;
        let argument = || {
            let first = arguments.first();
            first.ok_or_else(|| misuse("argument 0 is not bound"))
        };
        let hits = match &self.selection.access {
            Access::All => Hits::Many(store.realm.all(store.class(model))?),
            Access::Nothing => Hits::Nothing,
            Access::Identity => match argument()? {
                Value::Int(key) => one(store.object(model, *key)?),
                _ => Hits::Nothing,
            },
            Access::Key => {
                let key = argument()?;
                if key.is_null() || matches!(key, Value::List(_)) {
                    Hits::Nothing
                } else {
                    let key = value::encode(key)?;
                    one(store.realm.by_key(store.class(model), key)?)
                }
            }
            Access::Query(filter) if filter.is_fixed() => {
                self.parse(store)?;
                match &self.parsed {
                    Some(query) => Hits::Many(store.realm.find(query)?),
                    None => return Err(misuse("a query is not parsed")),
                }
            }
            Access::Query(filter) => match filter.bind(arguments) {
                Some(values) => {
                    let query = parse(store, model, &self.text, &values)?;
                    Hits::Many(store.realm.find(&query)?)
                }
                None => return self.anew(store, arguments),
            },
        };
        Ok(Found {
            model,
            hits,
            above: self.selection.above.as_ref().map(Cow::Borrowed),
        })
    }

    /// Compiles with the arguments in place, for values that the text does not fit.
    fn anew(&self, store: &Store, arguments: &[Value]) -> Result<Found<'_>, EngineError> {
        let model = self.selection.model;
        // The order stays where it was; a limit is Realm's only where it was.
        let tail = Tail {
            limit: None,
            ..self.selection.tail.clone()
        };
        let selection = Selection::of(&store.layout, model, &self.select, tail, Some(arguments));
        let hits = match &selection.access {
            Access::Query(filter) => Hits::Many(store.realm.find(&parsed(store, model, filter)?)?),
            Access::All => Hits::Many(store.realm.all(store.class(model))?),
            _ => Hits::Nothing,
        };
        Ok(Found {
            model,
            hits,
            above: selection.above.map(Cow::Owned),
        })
    }

    fn parse(&mut self, store: &Store) -> Result<(), EngineError> {
        if let (None, Access::Query(filter)) = (&self.parsed, &self.selection.access) {
            self.parsed = Some(parsed(store, self.selection.model, filter)?);
        }
        Ok(())
    }

    /// The property that a path leads to, where it is one of the model's own.
    pub fn own(&self, path: &Path) -> Option<usize> {
        match path.hops.as_slice() {
            [field] if path.json.is_empty() => Some(*field),
            _ => None,
        }
    }
}

fn one(object: Option<crate::engines::realm::api::Object>) -> Hits {
    object.map_or(Hits::Nothing, Hits::One)
}

/// Parses a filter without open arguments.
pub fn parsed(store: &Store, model: ModelId, filter: &Filter) -> Result<Query, EngineError> {
    let values = filter.bind(&[]);
    let values = values.ok_or_else(|| misuse("a query has open arguments"))?;
    parse(store, model, &c_text(&filter.text)?, &values)
}

/// Parses a text with its arguments.
pub fn parse(
    store: &Store,
    model: ModelId,
    text: &std::ffi::CStr,
    values: &[Value],
) -> Result<Query, EngineError> {
    let mut encoded = values
        .iter()
        .map(value::encode)
        .collect::<Result<Vec<_>, _>>()?;
    store.realm.parse(store.class(model), text, &mut encoded)
}
