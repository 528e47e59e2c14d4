//! Hooks in a worker.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

use rhai::{AST, Dynamic, Engine, Scope};

use super::convert::{from_dynamic, owned_to_dynamic, record_to_dynamic, to_dynamic};
use super::fault::{self, Fault};
use super::limits;
use super::sandbox::{self, Meter};
use super::script::{Piece, Script};
use crate::base::{Value, ValueRef};
use crate::plan::Hook;
use crate::plan::expr::HookId;
use crate::workload::{HookError, HookRunner};

/// All hooks of a plan, compiled.
pub struct Host {
    engine: Engine,
    meter: Rc<Meter>,
    hooks: Vec<Hook>,
    /// Per hook: its file, and its position there.
    homes: Vec<(usize, usize)>,
    files: Vec<File>,
    spent_ns: Cell<u64>,
}

/// The hooks of one file, which may call each other.
struct File {
    script: Script,
    hooks: Vec<HookId>,
    /// Per hook: its body, with all hooks of the file as functions.
    bodies: Vec<AST>,
}

impl Host {
    /// Compiles the hooks, in the order of the plan.
    ///
    /// # Errors
    /// A body that does not compile; `check` refuses such.
    pub fn new(hooks: &[Hook]) -> Result<Host, HookError> {
        let (engine, meter) = sandbox::engine();
        let mut by_file: BTreeMap<&str, Vec<HookId>> = BTreeMap::new();
        for (id, hook) in hooks.iter().enumerate() {
            by_file.entry(&hook.file).or_default().push(id);
        }
        let mut homes = vec![(0, 0); hooks.len()];
        let mut files = Vec::with_capacity(by_file.len());
        for ids in by_file.into_values() {
            for (position, id) in ids.iter().enumerate() {
                homes[*id] = (files.len(), position);
            }
            files.push(File::compile(&engine, hooks, ids)?);
        }
        Ok(Host {
            engine,
            meter,
            hooks: hooks.to_vec(),
            homes,
            files,
            spent_ns: Cell::new(0),
        })
    }

    fn timed(
        &self,
        hook: HookId,
        arguments: impl FnOnce() -> Result<Vec<Dynamic>, String>,
    ) -> Result<Value, HookError> {
        let start = Instant::now();
        let result = self.run(hook, start, arguments);
        let ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.spent_ns.set(self.spent_ns.get().saturating_add(ns));
        result
    }

    fn run(
        &self,
        hook: HookId,
        start: Instant,
        arguments: impl FnOnce() -> Result<Vec<Dynamic>, String>,
    ) -> Result<Value, HookError> {
        let (Some(definition), Some(&(file, position))) =
            (self.hooks.get(hook), self.homes.get(hook))
        else {
            return Err(unknown(hook));
        };
        let file = &self.files[file];
        let arguments = arguments().map_err(|words| at_start(definition, words))?;
        if arguments.len() != definition.parameters.len() {
            return Err(at_start(
                definition,
                format!(
                    "takes {}, {} given",
                    counted(definition.parameters.len()),
                    arguments.len()
                ),
            ));
        }
        let mut scope = Scope::new();
        for (name, value) in definition.parameters.iter().zip(arguments) {
            scope.push_dynamic(name.as_str(), value);
        }
        self.meter.start(start);
        let result = self
            .engine
            .eval_ast_with_scope::<Dynamic>(&mut scope, &file.bodies[position]);
        match result {
            Ok(value) => from_dynamic(value).map_err(|words| at_start(definition, words)),
            Err(error) => Err(file.locate(&self.hooks, position, fault::of_run(&error))),
        }
    }
}

impl File {
    fn compile(engine: &Engine, hooks: &[Hook], ids: Vec<HookId>) -> Result<File, HookError> {
        let script = Script::of(ids.iter().map(|id| {
            let hook = &hooks[*id];
            Piece {
                name: own_name(hook),
                parameters: &hook.parameters,
                body: &hook.body,
            }
        }));
        let mut file = File {
            script,
            hooks: ids,
            bodies: Vec::new(),
        };
        let functions = file.parse(engine, hooks, 0, &file.script.text, &Scope::new())?;
        for (position, id) in file.hooks.iter().enumerate() {
            let hook = &hooks[*id];
            let mut scope = Scope::new();
            for name in &hook.parameters {
                scope.push_dynamic(name.as_str(), Dynamic::UNIT);
            }
            let text = file.script.alone(&hook.body);
            let mut body = file.parse(engine, hooks, position, &text, &scope)?;
            body.combine(functions.clone());
            file.bodies.push(body);
        }
        Ok(file)
    }

    fn parse(
        &self,
        engine: &Engine,
        hooks: &[Hook],
        called: usize,
        text: &str,
        scope: &Scope<'_>,
    ) -> Result<AST, HookError> {
        engine.compile_with_scope(scope, text).map_err(|error| {
            let fault = fault::of_parse(error.err_type(), error.position());
            self.locate(hooks, called, fault)
        })
    }

    /// The fault at its place in the `.exp` file, under the name of the hook that holds the place.
    fn locate(&self, hooks: &[Hook], called: usize, fault: Fault) -> HookError {
        let place = self.script.place(fault.position, called);
        let hook = &hooks[self.hooks[place.piece]];
        let message = if place.piece == called {
            fault.message
        } else {
            let caller = &hooks[self.hooks[called]].name;
            format!("{} (called by `{caller}`)", fault.message)
        };
        let line = u32::try_from(place.line).unwrap_or(u32::MAX);
        let column = u32::try_from(place.column).unwrap_or(u32::MAX);
        HookError {
            hook: hook.name.clone(),
            message,
            file: hook.file.clone(),
            line: hook.line.saturating_add(line),
            column: match line {
                0 => hook.column.saturating_add(column),
                _ => column.saturating_add(1),
            },
        }
    }
}

impl HookRunner for Host {
    fn call(
        &self,
        hook: HookId,
        record: Option<&[(&str, ValueRef<'_>)]>,
        args: &[Value],
    ) -> Result<Value, HookError> {
        self.timed(hook, || {
            let mut arguments = Vec::with_capacity(args.len() + 1);
            if let Some(fields) = record {
                let fields = fields
                    .iter()
                    .map(|(name, value)| (*name, to_dynamic(*value)));
                arguments.push(record_to_dynamic(fields));
            }
            arguments.extend(args.iter().map(owned_to_dynamic));
            Ok(arguments)
        })
    }

    fn call_over(
        &self,
        hook: HookId,
        columns: &[&str],
        records: &[Vec<Value>],
        args: &[Value],
    ) -> Result<Value, HookError> {
        self.timed(hook, || {
            fits(records.len(), columns.len())?;
            let list = records.iter().map(|record| {
                let values = record.iter().map(owned_to_dynamic);
                record_to_dynamic(columns.iter().copied().zip(values))
            });
            let mut arguments = Vec::with_capacity(args.len() + 1);
            arguments.push(Dynamic::from_array(list.collect()));
            arguments.extend(args.iter().map(owned_to_dynamic));
            Ok(arguments)
        })
    }

    fn complaint(&self, hook: HookId, message: String) -> HookError {
        match self.hooks.get(hook) {
            Some(definition) => at_start(definition, message),
            None => unknown(hook),
        }
    }

    fn spent_ns(&self) -> u64 {
        self.spent_ns.get()
    }

    fn reset(&self) {
        self.spent_ns.set(0);
    }
}

/// Whether a list of results keeps within the limits; said in words where not,
/// since rhai looks at a value only when a script changes it.
fn fits(records: usize, columns: usize) -> Result<(), String> {
    if records > limits::MAX_ARRAY_LENGTH
        || records.saturating_mul(columns) > limits::MAX_MAP_ENTRIES
    {
        return Err(format!(
            "gets {records} results of {columns} fields, over the limit of {} results and {} fields in all",
            limits::MAX_ARRAY_LENGTH,
            limits::MAX_MAP_ENTRIES
        ));
    }
    Ok(())
}

/// The name inside its own file: `older` of `people.older`.
fn own_name(hook: &Hook) -> &str {
    hook.name.rsplit('.').next().unwrap_or(&hook.name)
}

fn counted(arguments: usize) -> String {
    match arguments {
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    }
}

fn at_start(hook: &Hook, message: String) -> HookError {
    HookError {
        hook: hook.name.clone(),
        message,
        file: hook.file.clone(),
        line: hook.line,
        column: hook.column,
    }
}

fn unknown(hook: HookId) -> HookError {
    HookError {
        hook: format!("#{hook}"),
        message: "is not in the plan".to_owned(),
        file: String::new(),
        line: 0,
        column: 0,
    }
}
