//! An engine beside the oracle: everything is done to both and compared.

use std::rc::Rc;

use persist_lab::base::{Value, ValueRef};
use persist_lab::engines::memory::MemoryEngine;
use persist_lab::engines::{Engine, EngineError, ErrorKind, Options, Session, Setting};
use persist_lab::plan::expr::HookId;
use persist_lab::plan::{Hook, Job, Query, Request, Select};
use persist_lab::workload::{DigestSink, HookError, HookRunner, NoSink, Record, Sink, Source};

use super::rich;
use super::schema::ask::{ask, query};

/// Hooks of [`rich::hooks`], in Rust.
pub struct TestHooks;

impl HookRunner for TestHooks {
    fn call(
        &self,
        hook: HookId,
        record: Option<&[(&str, ValueRef<'_>)]>,
        args: &[Value],
    ) -> Result<Value, HookError> {
        let field = |name: &str| {
            let fields = record.unwrap_or_default();
            fields
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, value)| *value)
        };
        match (hook, args) {
            (0, [Value::Int(years)]) => Ok(Value::Bool(
                matches!(field("age"), Some(ValueRef::Int(age)) if age > *years),
            )),
            (1, [Value::Text(text)]) => Ok(Value::Text(format!("{text}!"))),
            (1, [Value::Null]) => Ok(Value::Null),
            _ => Err(HookError {
                hook: "fails".into(),
                message: format!("hook {hook} of {args:?}"),
                file: "test.exp".into(),
                line: 7,
                column: 3,
            }),
        }
    }

    fn call_over(
        &self,
        _: HookId,
        _: &[&str],
        _: &[Vec<Value>],
        _: &[Value],
    ) -> Result<Value, HookError> {
        Ok(Value::Null)
    }

    fn spent_ns(&self) -> u64 {
        0
    }

    fn reset(&self) {}
}

/// The engine under test and the oracle over the same schema.
pub struct Bench<'e> {
    engine: &'e dyn Engine,
    pub job: Job,
    hooks: Vec<Hook>,
    options: Options,
    directory: tempfile::TempDir,
    pub source: Source,
    session: Option<Box<dyn Session>>,
    oracle: Box<dyn Session>,
    /// Everything that differed, in words.
    pub differences: Vec<String>,
    /// Whether one side may overflow where the other does not: which operand of
    /// `and` and `or` is left out, no engine promises.
    pub overflow_may_differ: bool,
}

impl<'e> Bench<'e> {
    pub fn new(engine: &'e dyn Engine) -> Self {
        Bench::with(engine, Options::new())
    }

    /// Under these options.
    pub fn with(engine: &'e dyn Engine, options: Options) -> Self {
        let job = rich::job();
        let runner: Rc<dyn HookRunner> = Rc::new(TestHooks);
        let source = Source::new(&job, &rich::pools(), 42, Rc::clone(&runner));
        let hooks = rich::hooks();
        let directory = tempfile::tempdir().expect("a directory");
        let setting = Setting {
            schema: &job.schema,
            hooks: &hooks,
            options: &options,
        };
        let session = engine
            .open(directory.path(), &setting, Rc::clone(&runner))
            .expect("the engine opens");
        let oracle = MemoryEngine
            .open(directory.path(), &setting, runner)
            .expect("the oracle opens");
        Bench {
            engine,
            source,
            session: Some(session),
            oracle,
            job,
            hooks,
            options,
            directory,
            differences: Vec::new(),
            overflow_may_differ: false,
        }
    }

    /// With a little of everything stored.
    pub fn filled(engine: &'e dyn Engine) -> Self {
        let mut bench = Bench::new(engine);
        bench.fill();
        bench
    }

    pub fn fill(&mut self) {
        self.insert(rich::CITY, 0, rich::CITIES, 0);
        self.insert(rich::SCHOOL, 0, rich::SCHOOLS, 1);
        self.insert(rich::COURSE, 0, rich::COURSES, 0);
        self.insert(rich::STUDENT, 0, 40, 16);
        self.insert(rich::ITEM, 0, 30, 7);
        self.insert(rich::TEAM, 0, 5, 0);
    }

    fn session(&mut self) -> &mut dyn Session {
        self.session.as_mut().expect("open").as_mut()
    }

    pub fn records(&self, model: usize, first: u64, count: u64, generation: u32) -> Vec<Record> {
        let mut records = Vec::new();
        self.source
            .batch(model, first, count, generation, &mut records)
            .expect("records");
        records
    }

    /// Does the same to both; both succeed, or both fail for the same reason.
    pub fn both<T: PartialEq + std::fmt::Debug>(
        &mut self,
        what: &str,
        act: impl Fn(&mut dyn Session) -> Result<T, EngineError>,
    ) -> bool {
        let expected = act(self.oracle.as_mut());
        let found = act(self.session());
        match (&found, &expected) {
            (Ok(a), Ok(b)) if a == b => true,
            (Err(a), Err(b)) if same_kind(&a.kind, &b.kind) => false,
            _ => {
                self.differences
                    .push(format!("{what}: {found:?}, expected {expected:?}"));
                expected.is_ok() && found.is_ok()
            }
        }
    }

    /// Inserts rows: `each` a transaction, all in one for 0. Where one fails,
    /// its transaction is undone.
    pub fn insert(&mut self, model: usize, first: u64, count: u64, each: u64) {
        let records = self.records(model, first, count, 0);
        let each = if each == 0 {
            records.len()
        } else {
            each as usize
        };
        for batch in records.chunks(each.max(1)) {
            self.whole("insert", |session| session.insert(model, batch));
        }
    }

    /// Upserts rows, three a transaction.
    pub fn upsert(&mut self, model: usize, count: u64, generation: u32) {
        let records = self.records(model, 0, count, generation);
        for batch in records.chunks(3) {
            self.whole("upsert", |session| session.upsert(model, batch));
        }
    }

    /// A change in a transaction of its own: committed by both, or refused by
    /// both and undone. A broken rule may come to light at the commit only.
    pub fn whole(&mut self, what: &str, act: impl Fn(&mut dyn Session) -> Result<(), EngineError>) {
        self.both("begin", |s| s.begin());
        let expected = act(self.oracle.as_mut());
        let mut found = act(self.session());
        if expected.is_ok() && found.is_ok() {
            self.both("commit", |s| s.commit());
            return;
        }
        if found.is_ok() {
            found = self.session().commit();
        }
        let same = match (&found, &expected) {
            (Err(a), Err(b)) => same_kind(&a.kind, &b.kind),
            _ => false,
        };
        if !same {
            self.differences
                .push(format!("{what}: {found:?}, expected {expected:?}"));
        }
        self.both("rollback", |s| s.rollback());
    }

    /// Asks both the same question.
    pub fn ask(&mut self, what: &str, request: &Request, arguments: &[Value]) {
        let schema = self.job.schema.clone();
        let digest = |rows: &[Vec<Value>]| {
            let mut sink = match request {
                Request::Read(query) => DigestSink::new(&schema, query),
                _ => DigestSink::plain(),
            };
            for row in rows {
                let row: Vec<_> = row.iter().map(std::borrow::Cow::Borrowed).collect();
                persist_lab::workload::sinks::deliver(&mut sink as &mut dyn Sink, &row);
            }
            sink.finish()
        };
        let expected = ask(self.oracle.as_mut(), request, arguments);
        let found = ask(self.session(), request, arguments);
        let same = match (&found, &expected) {
            (Ok((count, rows)), Ok((expected, oracle))) => {
                count == expected
                    && match request {
                        Request::Aggregate { .. } => agree(rows, oracle),
                        _ => digest(rows) == digest(oracle),
                    }
            }
            (Err(a), Err(b)) => same_kind(&a.kind, &b.kind),
            (Err(one), Ok(_)) | (Ok(_), Err(one)) => {
                self.overflow_may_differ && one.kind == ErrorKind::Overflow
            }
        };
        if !same {
            self.differences.push(format!(
                "{what}: {request:?} with {arguments:?}\n  gave {found:?}\n  expected {expected:?}"
            ));
        }
    }

    /// Changes both the same way, then compares the whole state. Where it
    /// fails, nothing may have changed.
    pub fn change(&mut self, what: &str, request: &Request, arguments: &[Value]) {
        self.both(what, |session| {
            super::schema::ask::change(session, request, arguments)
        });
        self.compare(what);
    }

    /// Compares all records of all models.
    pub fn compare(&mut self, what: &str) {
        for model in 0..self.job.schema.models.len() {
            let all = query(model, Select::All, rich::state(&self.job, model));
            self.ask(&format!("state after {what}"), &Request::Read(all), &[]);
        }
    }

    /// Compares reads of a selection, its count, an order and an aggregate.
    pub fn ask_select(&mut self, what: &str, model: usize, select: Select, arguments: &[Value]) {
        let read: Query = query(model, select.clone(), rich::state(&self.job, model));
        self.ask(what, &Request::Read(read), arguments);
        self.ask(what, &Request::Count { model, select }, arguments);
    }

    /// Closes the engine and opens it again, where it keeps anything.
    pub fn reopen(&mut self) {
        if !self.engine.capabilities().persistent {
            return;
        }
        if let Some(session) = self.session.take() {
            session.close().expect("closes");
        }
        let setting = Setting {
            schema: &self.job.schema,
            hooks: &self.hooks,
            options: &self.options,
        };
        let session = self
            .engine
            .open(self.directory.path(), &setting, Rc::new(TestHooks));
        self.session = Some(session.expect("opens again"));
    }

    /// Changes both, one record at a time by its identity.
    pub fn change_each(&mut self, what: &str, read: &Query, change: &Request, commit_each: bool) {
        self.both(what, |session| {
            let mut identities = read.clone();
            identities.columns = vec![persist_lab::plan::Column::Identity];
            let (_, rows) = ask(session, &Request::Read(identities), &[])?;
            let prepared = session.prepare(change)?;
            let mut changed = 0;
            for row in &rows {
                if commit_each {
                    session.begin()?;
                }
                changed += session.execute(prepared, &row[..1], &mut NoSink)?;
                if commit_each {
                    session.commit()?;
                }
            }
            session.release(prepared);
            Ok(changed)
        });
        self.compare(what);
    }
}

fn same_kind(a: &ErrorKind, b: &ErrorKind) -> bool {
    match (a, b) {
        (ErrorKind::Hook(a), ErrorKind::Hook(b)) => a == b,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// Floats within the tolerance that answers have.
fn agree(a: &[Vec<Value>], b: &[Vec<Value>]) -> bool {
    a.len() == b.len()
        && a.iter()
            .flatten()
            .zip(b.iter().flatten())
            .all(|(a, b)| match (a, b) {
                (Value::Float(a), Value::Float(b)) => {
                    a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
                }
                _ => a == b,
            })
}
