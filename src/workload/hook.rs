//! How predicates and generators call hooks without knowing the host.

use crate::base::{Value, ValueRef};
use crate::plan::expr::HookId;

/// Runs the hooks of an experiment. One per worker, used from one thread.
pub trait HookRunner {
    /// Calls a hook. `record`, when given, becomes the first argument: a map
    /// from field name to value.
    fn call(
        &self,
        hook: HookId,
        record: Option<&[(&str, ValueRef<'_>)]>,
        args: &[Value],
    ) -> Result<Value, HookError>;

    /// Calls a hook over a list of records (`compute hook`), as its first argument.
    fn call_over(
        &self,
        hook: HookId,
        columns: &[&str],
        records: &[Vec<Value>],
        args: &[Value],
    ) -> Result<Value, HookError>;

    /// An error of that hook, at its place where the runner knows it.
    fn complaint(&self, hook: HookId, message: String) -> HookError {
        HookError {
            hook: format!("#{hook}"),
            message,
            file: String::new(),
            line: 0,
            column: 0,
        }
    }

    /// What a hook's value says as a condition: null does not hold, and
    /// anything but a bool is an error.
    fn held(&self, hook: HookId, value: &Value) -> Result<bool, HookError> {
        match value {
            Value::Bool(held) => Ok(*held),
            Value::Null => Ok(false),
            other => Err(self.complaint(
                hook,
                format!("gives {}, but a condition is true or false", other.kind()),
            )),
        }
    }

    /// Wall time spent inside hooks since the last [`HookRunner::reset`], ns.
    fn spent_ns(&self) -> u64;

    /// Sets the time spent back to nothing.
    fn reset(&self);
}

/// A hook went wrong, with its place in the experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookError {
    /// Name of the hook.
    pub hook: String,
    /// What went wrong.
    pub message: String,
    /// File, as shown to the user.
    pub file: String,
    /// Line in that file, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl std::fmt::Display for HookError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}:{}:{}: hook `{}`: {}",
            self.file, self.line, self.column, self.hook, self.message
        )
    }
}

impl std::error::Error for HookError {}

/// A runner where no hook exists: every call is an error.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHooks;

impl HookRunner for NoHooks {
    fn call(
        &self,
        hook: HookId,
        _: Option<&[(&str, ValueRef<'_>)]>,
        _: &[Value],
    ) -> Result<Value, HookError> {
        Err(self.complaint(hook, "there are no hooks here".into()))
    }

    fn call_over(
        &self,
        hook: HookId,
        _: &[&str],
        _: &[Vec<Value>],
        _: &[Value],
    ) -> Result<Value, HookError> {
        Err(self.complaint(hook, "there are no hooks here".into()))
    }

    fn spent_ns(&self) -> u64 {
        0
    }

    fn reset(&self) {}
}
