//! Running a selection.

use std::rc::Rc;

use super::api::{Query, Rows, Scan, Store, Txn, misuse};
use super::keys;
use super::query::{self, Parameter};
use super::selection::{Access, Selection};
use super::setup::Setup;
use super::view::{Reader, Seen};
use crate::base::Value;
use crate::engines::EngineError;
use crate::workload::HookRunner;
use crate::workload::eval::{Scope, holds};

/// What every statement needs.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The open store.
    pub store: &'a Rc<Store>,
    /// Schema, layout, options.
    pub setup: &'a Setup,
    /// Runs hooks.
    pub hooks: &'a dyn HookRunner,
}

impl<'a> Ground<'a> {
    /// For reading in a transaction.
    pub fn reader(&self, txn: &'a Txn) -> Reader<'a> {
        Reader {
            txn,
            layout: &self.setup.layout,
            schema: &self.setup.schema,
        }
    }
}

/// A selection with its query.
pub struct Finder {
    selection: Selection,
    query: Option<(Query, Vec<Parameter>)>,
}

/// The finder that fits an execution.
pub enum Fitting<'f> {
    /// The one that was prepared.
    Own(&'f Finder),
    /// One made for these arguments.
    Made(Box<Finder>),
}

impl std::ops::Deref for Fitting<'_> {
    type Target = Finder;

    fn deref(&self) -> &Finder {
        match self {
            Fitting::Own(finder) => finder,
            Fitting::Made(finder) => finder,
        }
    }
}

/// What a finder has found, not yet looked at.
pub enum Found<'t> {
    /// At most one.
    One(Option<&'t [u8]>),
    /// Those with these ids.
    Some(Vec<&'t [u8]>),
    /// All objects of an entity.
    Scan(Scan<'t>),
    /// What a query found.
    Rows(Rows<'t>),
}

impl Finder {
    /// Builds the query, where there is one.
    pub fn new(ground: &Ground<'_>, selection: Selection) -> Result<Finder, EngineError> {
        let query = match &selection.access {
            Access::Query(node) => {
                let order = selection.order.clone().unwrap_or_default();
                let layout = &ground.setup.layout;
                Some(query::build(
                    ground.store,
                    layout,
                    selection.model,
                    node,
                    &order,
                )?)
            }
            _ => None,
        };
        Ok(Finder { selection, query })
    }

    /// Its selection.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The finder to use with these arguments, its parameters set: this one,
    /// or one made for them, where more can go to the engine now, or where
    /// they are of another type.
    pub fn with(
        &self,
        ground: &Ground<'_>,
        arguments: &[Value],
    ) -> Result<Fitting<'_>, EngineError> {
        let fits = match (&self.selection.access, &self.query) {
            (Access::Key, _) => {
                let key = arguments.first();
                matches!(key, Some(Value::Int(_) | Value::Null))
            }
            (_, Some((query, parameters))) => query::set(query, parameters, arguments)?,
            _ => true,
        };
        if fits && !self.selection.waits() {
            return Ok(Fitting::Own(self));
        }
        let bound = self.selection.bound(ground.setup, arguments);
        let made = Finder::new(ground, bound)?;
        Ok(Fitting::Made(Box::new(made)))
    }

    /// The query, where the engine does all of the selection by one.
    pub fn exact_query(&self) -> Option<&Query> {
        let (query, _) = self.query.as_ref()?;
        self.selection.rest.is_none().then_some(query)
    }

    /// Whether it is about all objects.
    pub fn is_everything(&self) -> bool {
        self.selection.access == Access::Scan && self.selection.rest.is_none()
    }

    /// Candidates, in the engine's order.
    pub fn candidates<'t>(
        &self,
        txn: &'t Txn,
        arguments: &[Value],
    ) -> Result<Found<'t>, EngineError> {
        let model = self.selection.model;
        let argument = || {
            let first = arguments.first();
            first.ok_or_else(|| misuse("argument 0 is not bound"))
        };
        let by_id = |id: Option<u64>| match id {
            Some(id) if id != 0 && id != u64::MAX => txn.get(model, id),
            _ => Ok(None),
        };
        Ok(match &self.selection.access {
            Access::Nothing => Found::One(None),
            Access::Scan => Found::Scan(txn.scan(model)?),
            Access::Identity => Found::One(by_id(keys::named(argument()?))?),
            Access::Key => Found::One(by_id(match argument()? {
                Value::Int(key) => keys::of_key(*key),
                _ => None,
            })?),
            Access::Ids(ids) => {
                let mut found = Vec::with_capacity(ids.len());
                for id in ids {
                    found.extend(txn.get(model, *id)?);
                }
                Found::Some(found)
            }
            Access::Query(_) => match &self.query {
                Some((query, _)) => Found::Rows(txn.find(query)?),
                None => return Err(misuse("a query that was not built")),
            },
        })
    }

    /// Shows each record of the selection until `visit` returns false.
    pub fn each<'t>(
        &self,
        ground: &Ground<'t>,
        txn: &'t Txn,
        arguments: &[Value],
        mut visit: impl FnMut(Seen<'t>) -> Result<bool, EngineError>,
    ) -> Result<(), EngineError> {
        let reader = ground.reader(txn);
        let model = self.selection.model;
        let rest = self.selection.rest.as_ref();
        let mut show = |bytes: &'t [u8]| {
            let seen = reader.seen(model, bytes)?;
            if let Some(rest) = rest
                && !holds(&Scope::new(&seen, arguments, ground.hooks), rest)?
            {
                return Ok(true);
            }
            visit(seen)
        };
        match self.candidates(txn, arguments)? {
            Found::One(bytes) => {
                if let Some(bytes) = bytes {
                    show(bytes)?;
                }
            }
            Found::Some(all) => {
                for bytes in all {
                    if !show(bytes)? {
                        break;
                    }
                }
            }
            Found::Scan(scan) => {
                for bytes in scan {
                    if !show(bytes?)? {
                        break;
                    }
                }
            }
            Found::Rows(rows) => {
                for bytes in rows.iter() {
                    if !show(bytes)? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// As [`Finder::each`], for a `visit` that looks at nothing but the object
    /// that it is shown: what a query finds need not be gathered first.
    pub fn each_alone<'t>(
        &self,
        ground: &Ground<'t>,
        txn: &'t Txn,
        arguments: &[Value],
        mut visit: impl FnMut(Seen<'t>) -> Result<bool, EngineError>,
    ) -> Result<(), EngineError> {
        let Some(query) = self.exact_query() else {
            return self.each(ground, txn, arguments, visit);
        };
        let reader = ground.reader(txn);
        let model = self.selection.model;
        let mut failed = Ok(());
        txn.visit(
            query,
            &mut |bytes| match reader.seen(model, bytes).and_then(&mut visit) {
                Ok(go_on) => go_on,
                Err(error) => {
                    failed = Err(error);
                    false
                }
            },
        )?;
        failed
    }

    /// How many records there are.
    pub fn count(
        &self,
        ground: &Ground<'_>,
        txn: &Txn,
        arguments: &[Value],
    ) -> Result<u64, EngineError> {
        if let Some(query) = self.exact_query() {
            return query.count(txn);
        }
        if self.is_everything() {
            return txn.count(self.selection.model);
        }
        let mut count = 0;
        self.each(ground, txn, arguments, |_| {
            count += 1;
            Ok(true)
        })?;
        Ok(count)
    }

    /// Their ids.
    pub fn ids(
        &self,
        ground: &Ground<'_>,
        txn: &Txn,
        arguments: &[Value],
    ) -> Result<Vec<u64>, EngineError> {
        let mut ids = Vec::new();
        self.each(ground, txn, arguments, |seen| {
            ids.push(seen.id());
            Ok(true)
        })?;
        Ok(ids)
    }
}
