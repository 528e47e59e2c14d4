//! Engines that are wrong on purpose: the suite must notice each.

use std::path::Path;
use std::rc::Rc;

use persist_lab::base::Value;
use persist_lab::engines::memory::MemoryEngine;
use persist_lab::engines::{
    Capabilities, Engine, EngineError, Maintenance, OptionSpec, Options, Prepared, Session, Setting,
};
use persist_lab::plan::{
    CompareOp, Expr, Fidelity, FieldKind, Quantifier, Request, Schema, Select, TextOp, Tier,
};
use persist_lab::sample::Native;
use persist_lab::workload::{CollectSink, Content, HookRunner, Record, Sink};

use super::schema::ask::{is_null, not};

/// One thing that an engine gets wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The last record of a read is missing, though counted.
    DropsRecord,
    /// A count is one too high.
    CountsOneMore,
    /// Any quantified predicate counts as true.
    IgnoresQuantifier,
    /// Null sorts after everything.
    NullLast,
    /// Deleted owners leave their children.
    ForgetsCascade,
    /// A rollback keeps the changes.
    ForgetsRollback,
    /// Equal texts are those that differ in case alone.
    IgnoresCase,
    /// `ignoring case` does nothing.
    HeedsCase,
    /// `!=` with one null is false, as in SQL.
    NullDiffersFromNothing,
    /// Set expressions see what the ones before them set.
    SetsInTurn,
    /// An offset is not skipped.
    IgnoresOffset,
    /// A limit lets one more through.
    LimitOneMore,
    /// A float without fraction comes as an int.
    FloatsBecomeInts,
    /// The children of an inserted record are left out.
    DropsChildren,
    /// A stored list is delivered backwards.
    ReversesLists,
    /// `_` matches like `%`.
    WildUnderscore,
    /// An upsert leaves present records as they are.
    UpsertKeepsOld,
    /// A sum of ints is one too high.
    AddsOneToSums,
    /// A unique index is not kept.
    ForgetsUnique,
    /// `all` over no elements is false.
    AllNeedsOne,
}

/// Every fault.
pub const FAULTS: &[Fault] = &[
    Fault::DropsRecord,
    Fault::CountsOneMore,
    Fault::IgnoresQuantifier,
    Fault::NullLast,
    Fault::ForgetsCascade,
    Fault::ForgetsRollback,
    Fault::IgnoresCase,
    Fault::HeedsCase,
    Fault::NullDiffersFromNothing,
    Fault::SetsInTurn,
    Fault::IgnoresOffset,
    Fault::LimitOneMore,
    Fault::FloatsBecomeInts,
    Fault::DropsChildren,
    Fault::ReversesLists,
    Fault::WildUnderscore,
    Fault::UpsertKeepsOld,
    Fault::AddsOneToSums,
    Fault::ForgetsUnique,
    Fault::AllNeedsOne,
];

/// The memory engine with one fault.
pub struct Faulty(pub Fault);

impl Engine for Faulty {
    fn kind(&self) -> &'static str {
        "faulty"
    }

    fn about(&self) -> &'static str {
        "wrong on purpose"
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Own
    }

    fn version(&self) -> String {
        "1".into()
    }

    fn capabilities(&self) -> Capabilities {
        MemoryEngine.capabilities()
    }

    fn options(&self) -> &'static [OptionSpec] {
        &[]
    }

    fn tier(&self, options: &Options) -> Tier {
        MemoryEngine.tier(options)
    }

    fn explain(&self, setting: &Setting<'_>, request: &Request) -> Result<Native, EngineError> {
        MemoryEngine.explain(setting, request)
    }

    fn open(
        &self,
        directory: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Box<dyn Session>, EngineError> {
        let mut schema = setting.schema.clone();
        match self.0 {
            Fault::ForgetsCascade => forget_cascade(&mut schema),
            Fault::ForgetsUnique => {
                for model in &mut schema.models {
                    model.indexes.retain(|index| !index.unique);
                }
            }
            _ => {}
        }
        let changed = Setting {
            schema: &schema,
            ..*setting
        };
        let inner = MemoryEngine.open(directory, &changed, hooks)?;
        Ok(Box::new(FaultySession {
            fault: self.0,
            schema: schema.clone(),
            inner,
            prepared: Vec::new(),
        }))
    }
}

fn forget_cascade(schema: &mut Schema) {
    for field in schema.models.iter_mut().flat_map(|model| &mut model.fields) {
        match &mut field.kind {
            FieldKind::ToOne {
                cascade,
                inverse_of,
                ..
            } => {
                *cascade = false;
                field.optional |= inverse_of.is_some();
            }
            FieldKind::ToMany { cascade, .. } => *cascade = false,
            _ => {}
        }
    }
}

struct FaultySession {
    fault: Fault,
    schema: Schema,
    inner: Box<dyn Session>,
    /// What each prepared request is made of: executed one after another.
    prepared: Vec<(Request, Vec<Prepared>)>,
}

impl FaultySession {
    fn wrong(&self, request: &Request) -> Vec<Request> {
        let mut request = request.clone();
        if let Some(Select::Where(predicate)) = selection(&mut request) {
            let wrong = predicate.try_map(&|expr| Ok::<_, ()>(wrong_expr(self.fault, expr)));
            *predicate = wrong.expect("no error is made");
        }
        match (self.fault, &mut request) {
            (Fault::IgnoresOffset, Request::Read(query)) => query.offset = 0,
            (Fault::LimitOneMore, Request::Read(query)) => query.limit = query.limit.map(|l| l + 1),
            (
                Fault::SetsInTurn,
                Request::Update {
                    model,
                    select,
                    set,
                    by,
                },
            ) => {
                return set
                    .iter()
                    .map(|one| Request::Update {
                        model: *model,
                        select: select.clone(),
                        set: vec![one.clone()],
                        by: *by,
                    })
                    .collect();
            }
            (Fault::NullLast, Request::Read(query))
                if query.limit.is_none() && query.offset == 0 =>
            {
                if let Some(first) = query.order.first().filter(|key| !key.descending) {
                    let null = is_null(Expr::Path(first.path.clone()));
                    let asked = match &query.select {
                        Select::Where(predicate) => vec![predicate.clone()],
                        _ => Vec::new(),
                    };
                    return [not(null.clone()), null]
                        .into_iter()
                        .map(|part| {
                            let mut query = query.clone();
                            let both = asked.iter().cloned().chain([part]).collect();
                            query.select = Select::Where(Expr::And(both));
                            Request::Read(query)
                        })
                        .collect();
                }
            }
            _ => {}
        }
        vec![request]
    }
}

fn selection(request: &mut Request) -> Option<&mut Select> {
    Some(match request {
        Request::Read(query) | Request::Aggregate { query, .. } => &mut query.select,
        Request::Count { select, .. }
        | Request::CountPer { select, .. }
        | Request::Update { select, .. }
        | Request::Delete { select, .. } => select,
    })
}

fn wrong_expr(fault: Fault, expr: Expr) -> Expr {
    match (fault, expr) {
        (Fault::IgnoresQuantifier, Expr::Quantified { .. }) => Expr::And(Vec::new()),
        (
            Fault::AllNeedsOne,
            Expr::Quantified {
                quantifier: Quantifier::All,
                over,
                predicate,
            },
        ) => Expr::And(vec![
            Expr::Quantified {
                quantifier: Quantifier::Any,
                over: over.clone(),
                predicate: predicate.clone(),
            },
            Expr::Quantified {
                quantifier: Quantifier::All,
                over,
                predicate,
            },
        ]),
        (
            Fault::IgnoresCase,
            Expr::Compare {
                op: op @ (CompareOp::Equal | CompareOp::NotEqual),
                left,
                right,
                ..
            },
        ) => Expr::Compare {
            op,
            left,
            right,
            ignoring_case: true,
        },
        (
            Fault::HeedsCase,
            Expr::Compare {
                op, left, right, ..
            },
        ) => Expr::Compare {
            op,
            left,
            right,
            ignoring_case: false,
        },
        (
            Fault::NullDiffersFromNothing,
            Expr::Compare {
                op: CompareOp::NotEqual,
                left,
                right,
                ignoring_case,
            },
        ) => Expr::And(vec![
            not(is_null((*left).clone())),
            not(is_null((*right).clone())),
            Expr::Compare {
                op: CompareOp::NotEqual,
                left,
                right,
                ignoring_case,
            },
        ]),
        (
            Fault::WildUnderscore,
            Expr::TextMatch {
                op: TextOp::Like,
                value,
                pattern,
                ignoring_case,
            },
        ) => {
            let pattern = match *pattern {
                Expr::Literal(Value::Text(text)) => {
                    Expr::Literal(Value::Text(text.replace('_', "%")))
                }
                other => other,
            };
            Expr::TextMatch {
                op: TextOp::Like,
                value,
                pattern: Box::new(pattern),
                ignoring_case,
            }
        }
        (_, expr) => expr,
    }
}

impl Session for FaultySession {
    fn begin(&mut self) -> Result<(), EngineError> {
        self.inner.begin()
    }

    fn commit(&mut self) -> Result<(), EngineError> {
        self.inner.commit()
    }

    fn rollback(&mut self) -> Result<(), EngineError> {
        match self.fault {
            Fault::ForgetsRollback => self.inner.commit(),
            _ => self.inner.rollback(),
        }
    }

    fn insert(&mut self, model: usize, records: &[Record]) -> Result<(), EngineError> {
        if self.fault != Fault::DropsChildren {
            return self.inner.insert(model, records);
        }
        let mut records = records.to_vec();
        for content in records.iter_mut().flat_map(|record| &mut record.fields) {
            if let Content::Children(children) = content {
                children.truncate(2);
            }
        }
        self.inner.insert(model, &records)
    }

    fn upsert(&mut self, model: usize, records: &[Record]) -> Result<(), EngineError> {
        if self.fault != Fault::UpsertKeepsOld {
            return self.inner.upsert(model, records);
        }
        let key = self.schema.models[model].key.expect("a key");
        for record in records {
            let Content::Value(value) = &record.fields[key] else {
                continue;
            };
            let present = Request::Count {
                model,
                select: Select::Point(key),
            };
            let (count, _) = super::schema::ask::ask(
                self.inner.as_mut(),
                &present,
                std::slice::from_ref(value),
            )?;
            if count == 0 {
                self.inner.insert(model, std::slice::from_ref(record))?;
            }
        }
        Ok(())
    }

    fn instantiate(&mut self, model: usize, records: &[Record]) -> Result<(), EngineError> {
        self.inner.instantiate(model, records)
    }

    fn insert_instantiated(&mut self, model: usize, count: u64) -> Result<(), EngineError> {
        self.inner.insert_instantiated(model, count)
    }

    fn prepare(&mut self, request: &Request) -> Result<Prepared, EngineError> {
        let parts = self.wrong(request);
        let parts = parts
            .iter()
            .map(|part| self.inner.prepare(part))
            .collect::<Result<_, _>>()?;
        self.prepared.push((request.clone(), parts));
        Ok(Prepared(self.prepared.len() - 1))
    }

    fn execute(
        &mut self,
        prepared: Prepared,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        let (request, parts) = self.prepared[prepared.0].clone();
        let mut collected = CollectSink::default();
        let mut counts = Vec::new();
        for part in parts {
            counts.push(self.inner.execute(part, arguments, &mut collected)?);
        }
        let mut count = match request {
            Request::Read(_) => counts.iter().sum(),
            _ => counts.first().copied().unwrap_or(0),
        };
        let mut rows = collected.rows;
        match (self.fault, &request) {
            (Fault::DropsRecord, Request::Read(_)) => {
                rows.pop();
            }
            (Fault::CountsOneMore, Request::Count { .. }) => count += 1,
            (Fault::AddsOneToSums, Request::Aggregate { .. }) => {
                if let Some(Value::Int(sum)) = rows.first_mut().and_then(|row| row.first_mut()) {
                    *sum += 1;
                }
            }
            (Fault::FloatsBecomeInts, Request::Read(_)) => {
                for value in rows.iter_mut().flatten() {
                    if let Value::Float(float) = *value
                        && float.fract() == 0.0
                    {
                        *value = Value::Int(float as i64);
                    }
                }
            }
            (Fault::ReversesLists, Request::Read(_)) => {
                for value in rows.iter_mut().flatten() {
                    if let Value::List(items) = value {
                        items.reverse();
                    }
                }
            }
            _ => {}
        }
        for row in &rows {
            let row: Vec<_> = row.iter().map(std::borrow::Cow::Borrowed).collect();
            persist_lab::workload::sinks::deliver(sink, &row);
        }
        Ok(count)
    }

    fn release(&mut self, prepared: Prepared) {
        for part in self.prepared[prepared.0].1.clone() {
            self.inner.release(part);
        }
    }

    fn maintain(&mut self, what: Maintenance) -> Result<(), EngineError> {
        self.inner.maintain(what)
    }

    fn indexes(&mut self) -> Result<Vec<String>, EngineError> {
        self.inner.indexes()
    }

    fn close(self: Box<Self>) -> Result<(), EngineError> {
        self.inner.close()
    }
}
