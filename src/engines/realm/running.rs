//! Prepared requests.

use std::rc::Rc;

use super::error::misuse;
use super::query::tail::Tail;
use super::read::columns::Node;
use super::read::found::{Asking, Hits};
use super::read::row::{Room, Rows};
use super::read::{Finder, aggregate, groups, order};
use super::store::Store;
use super::write::delete::{Care, delete};
use super::write::update::{Setting, update};
use super::write::watch::Watch;
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::schema::ModelId;
use crate::plan::{Aggregate, Expr, Path, Query, Request};
use crate::workload::{HookRunner, Sink};

/// A prepared request.
pub struct Running {
    finder: Finder,
    program: Program,
}

enum Program {
    Read {
        query: Query,
        node: Node,
        room: Room,
    },
    Count,
    CountPer(Path),
    Aggregate {
        query: Query,
        function: Aggregate,
        of: Expr,
    },
    Update {
        setting: Setting,
        watch: Rc<Watch>,
    },
    Delete {
        care: bool,
    },
}

/// What an execution is given.
pub struct Execution<'a> {
    /// Values bound.
    pub arguments: &'a [Value],
    /// Runs hooks.
    pub hooks: &'a dyn HookRunner,
    /// Takes what is delivered.
    pub sink: &'a mut dyn Sink,
    /// Whether the transaction goes on where a change fails.
    pub keep: bool,
}

impl Running {
    /// Compiles a request; `watch` gives what is watched of a model.
    pub fn new(
        store: &Store,
        request: &Request,
        watch: impl FnOnce(ModelId) -> Result<Rc<Watch>, EngineError>,
    ) -> Result<Running, EngineError> {
        let plain = |model: &ModelId, select| Finder::new(store, *model, select, Tail::default());
        let ordered = |query: &Query| {
            let tail = Tail::of(&store.layout, query);
            Finder::new(store, query.model, &query.select, tail)
        };
        let (finder, program) = match request {
            Request::Read(query) => {
                let node = Node::of(store, query.model, &query.columns)?;
                let query = query.clone();
                let room = Room::default();
                (ordered(&query)?, Program::Read { query, node, room })
            }
            Request::Count { model, select } => (plain(model, select)?, Program::Count),
            Request::CountPer { model, select, per } => {
                (plain(model, select)?, Program::CountPer(per.clone()))
            }
            Request::Aggregate {
                query,
                function,
                of,
            } => (
                ordered(query)?,
                Program::Aggregate {
                    query: query.clone(),
                    function: *function,
                    of: of.clone(),
                },
            ),
            Request::Update {
                model, select, set, ..
            } => (
                plain(model, select)?,
                Program::Update {
                    setting: Setting::new(store, *model, set)?,
                    watch: watch(*model)?,
                },
            ),
            Request::Delete { model, select } => {
                let care = Care::of(&store.layout, &store.schema, *model);
                let care = care.needed;
                (plain(model, select)?, Program::Delete { care })
            }
        };
        Ok(Running { finder, program })
    }

    /// Whether it changes records.
    pub fn changes(&self) -> bool {
        matches!(
            self.program,
            Program::Update { .. } | Program::Delete { .. }
        )
    }

    /// Whether it deletes records.
    pub fn deletes(&self) -> bool {
        matches!(self.program, Program::Delete { .. })
    }

    /// Forgets what does not outlive a compaction.
    pub fn forget(&mut self) {
        self.finder.forget();
    }

    /// Executes a question.
    pub fn ask(&mut self, store: &Store, execution: Execution<'_>) -> Result<u64, EngineError> {
        let Execution {
            arguments,
            hooks,
            sink,
            ..
        } = execution;
        let asking = Asking { arguments, hooks };
        match &mut self.program {
            Program::Read { query, node, room } => {
                let mut rows = Rows::new(store, node, query.columns.len(), room);
                let count = read(store, &mut self.finder, query, &mut rows, asking, sink);
                rows.finish(room);
                count
            }
            Program::Count => {
                if let Some(count) = self.finder.count(store)? {
                    return Ok(count);
                }
                let found = self.finder.find(store, arguments)?;
                if found.above.is_none() {
                    return Ok(found.given(store)? as u64);
                }
                let mut count = 0;
                found.each(store, asking, 0, |_| {
                    count += 1;
                    Ok(true)
                })?;
                Ok(count)
            }
            Program::CountPer(per) => {
                let found = self.finder.find(store, arguments)?;
                groups::count_per(store, found, asking, per, sink)
            }
            Program::Aggregate {
                query,
                function,
                of,
            } => {
                let (value, count) =
                    aggregated(store, &mut self.finder, query, (*function, of), asking)?;
                sink.row(&[value.scalar_ref()]);
                Ok(count)
            }
            Program::Update { .. } | Program::Delete { .. } => {
                Err(misuse("a change is no question"))
            }
        }
    }

    /// Executes a change, inside a transaction.
    pub fn change(
        &mut self,
        store: &mut Store,
        execution: Execution<'_>,
    ) -> Result<u64, EngineError> {
        let asking = Asking {
            arguments: execution.arguments,
            hooks: execution.hooks,
        };
        let found = self.finder.find(store, execution.arguments)?;
        match &self.program {
            Program::Update { setting, watch } => {
                update(store, setting, found, asking, watch, execution.keep)
            }
            Program::Delete { care } => {
                let model = found.model;
                if let (false, None, Hits::Many(results)) = (care, &found.above, &found.hits) {
                    let count = store.realm.size(results)?;
                    store.realm.delete_all(results)?;
                    return Ok(count as u64);
                }
                let mut keys = Vec::new();
                found.each(store, asking, 0, |seen| {
                    keys.push(seen.object.key());
                    Ok(true)
                })?;
                delete(store, model, &keys)?;
                Ok(keys.len() as u64)
            }
            _ => Err(misuse("a question is no change")),
        }
    }
}

fn read(
    store: &Store,
    finder: &mut Finder,
    query: &Query,
    rows: &mut Rows<'_, '_>,
    asking: Asking<'_>,
    sink: &mut dyn Sink,
) -> Result<u64, EngineError> {
    if query.limit == Some(0) {
        return Ok(0);
    }
    let sorted_above = finder.selection.tail.sorted_above;
    let found = finder.find(store, asking.arguments)?;
    if sorted_above {
        let keys = order::sorted(
            store,
            found,
            asking,
            &query.order,
            query.offset,
            query.limit,
        )?;
        for key in &keys {
            if let Some(object) = store.object(query.model, *key)? {
                rows.deliver(&object, sink)?;
            }
        }
        return Ok(keys.len() as u64);
    }
    let limit = query.limit.unwrap_or(u64::MAX);
    let mut count = 0;
    found.each(store, asking, query.offset, |seen| {
        rows.deliver(&seen.object, sink)?;
        count += 1;
        Ok(count < limit)
    })?;
    Ok(count)
}

fn aggregated(
    store: &Store,
    finder: &mut Finder,
    query: &Query,
    (function, of): (Aggregate, &Expr),
    asking: Asking<'_>,
) -> Result<(Value, u64), EngineError> {
    let page = query.limit.is_some() || query.offset > 0;
    if finder.selection.tail.sorted_above && page {
        return of_page(store, finder, query, (function, of), asking);
    }
    let native = aggregate::natively(&store.layout, query.model, function, of);
    if let (Some(field), false) = (native, page) {
        let found = finder.find(store, asking.arguments)?;
        if let Some(results) = aggregate::plain(&found) {
            let value = aggregate::by_realm(store, results, function, query.model, field)?;
            if let Some(value) = value {
                return Ok((value, store.realm.size(results)? as u64));
            }
        }
    }
    let found = finder.find(store, asking.arguments)?;
    let part = (query.offset, query.limit);
    aggregate::above(store, found, asking, (function, of), part)
}

/// Over a page in an order that is made above Realm.
fn of_page(
    store: &Store,
    finder: &mut Finder,
    query: &Query,
    (function, of): (Aggregate, &Expr),
    asking: Asking<'_>,
) -> Result<(Value, u64), EngineError> {
    use super::read::Seen;
    use crate::workload::Aggregator;
    use crate::workload::eval::{Scope, evaluate};
    let found = finder.find(store, asking.arguments)?;
    let keys = order::sorted(
        store,
        found,
        asking,
        &query.order,
        query.offset,
        query.limit,
    )?;
    let mut aggregator = Aggregator::new(function);
    for key in &keys {
        let Some(object) = store.object(query.model, *key)? else {
            continue;
        };
        let seen = Seen {
            store,
            model: query.model,
            object,
        };
        let scope = Scope::new(&seen, asking.arguments, asking.hooks);
        aggregator.add(&*evaluate(&scope, of)?)?;
    }
    Ok((aggregator.finish()?, keys.len() as u64))
}
