//! Functions that SQL lacks, registered on the connection.
//!
//! - `fold(text)`: every character lower-cased, as `ignoring case` compares.
//! - `starts_with`, `ends_with`, `is_like`: for patterns known only at execution.
//! - `whole(number)`: its argument, but an integer that overflowed into a real
//!   is an error.
//! - one per hook that a request calls.

use std::cell::RefCell;
use std::ffi::c_int;
use std::rc::Rc;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Value as SqlValue, ValueRef as SqlRef};
use rusqlite::{Connection, Error, ffi};

use super::sql::hook::{HookFunction, Passed};
use super::sql::list;
use super::sql::typed::Type;
use crate::base::{Value, ValueRef};
use crate::engines::EngineError;
use crate::plan::TextOp;
use crate::workload::eval::text::{fold, matches};
use crate::workload::{HookError, HookRunner};

/// Where a hook's error waits while SQLite unwinds: its own errors are only text.
pub type Fault = Rc<RefCell<Option<HookError>>>;

fn flags() -> FunctionFlags {
    FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS
}

/// Registers what any request may call.
pub fn register(connection: &Connection) -> Result<(), EngineError> {
    connection.create_scalar_function("fold", 1, flags(), |call: &mut Context<'_>| {
        Ok(match call.get_raw(0) {
            SqlRef::Text(bytes) => SqlValue::Text(fold(text(bytes)?)),
            _ => SqlValue::Null,
        })
    })?;
    for (name, op) in [
        ("starts_with", TextOp::StartsWith),
        ("ends_with", TextOp::EndsWith),
        ("is_like", TextOp::Like),
    ] {
        connection.create_scalar_function(
            name,
            2,
            flags(),
            move |call: &mut Context<'_>| match (call.get_raw(0), call.get_raw(1)) {
                (SqlRef::Text(value), SqlRef::Text(pattern)) => {
                    Ok(Some(matches(op, text(value)?, text(pattern)?, false)))
                }
                _ => Ok(None),
            },
        )?;
    }
    // SAFETY: the connection is open, the name ends in a zero byte, and the
    // function keeps to the calling convention.
    let code = unsafe {
        ffi::sqlite3_create_function_v2(
            connection.handle(),
            c"whole".as_ptr(),
            1,
            ffi::SQLITE_UTF8 | ffi::SQLITE_DETERMINISTIC | ffi::SQLITE_INNOCUOUS,
            std::ptr::null_mut(),
            Some(whole),
            None,
            None,
            None,
        )
    };
    if code == ffi::SQLITE_OK {
        Ok(())
    } else {
        Err(super::error::last_error(connection))
    }
}

/// Called once for each row that a computed integer is compared in: kept free
/// of everything that rusqlite's closures bring along.
unsafe extern "C" fn whole(
    context: *mut ffi::sqlite3_context,
    _count: c_int,
    arguments: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: SQLite calls it with its context and one argument, as registered.
    unsafe {
        let argument = *arguments;
        if ffi::sqlite3_value_type(argument) == ffi::SQLITE_FLOAT {
            ffi::sqlite3_result_error(context, c"integer overflow".as_ptr(), -1);
            ffi::sqlite3_result_error_code(context, ffi::SQLITE_MISMATCH);
        } else {
            ffi::sqlite3_result_value(context, argument);
        }
    }
}

/// Something that stays on the thread of its session.
///
/// rusqlite asks for `Send` because a connection may move between threads. A
/// session never does: it holds its connection in an `Rc`.
struct OneThread<T>(T);

// SAFETY: see above; the connection that owns the closure is held in an `Rc`.
unsafe impl<T> Send for OneThread<T> {}

impl<T> OneThread<T> {
    fn get(&self) -> &T {
        &self.0
    }
}

/// Registers the function of a hook.
pub fn register_hook(
    connection: &Connection,
    function: &HookFunction,
    runner: &Rc<dyn HookRunner>,
    fault: &Fault,
) -> Result<(), EngineError> {
    let held = OneThread((Rc::clone(runner), Rc::clone(fault), function.clone()));
    let count = function.record.as_ref().map_or(0, Vec::len) + function.args.len();
    connection.create_scalar_function(
        function.name.as_str(),
        c_int::try_from(count).unwrap_or(c_int::MAX),
        flags(),
        move |call: &mut Context<'_>| {
            let (runner, fault, function) = held.get();
            run(call, function, &**runner).map_err(|error| {
                let message = Error::UserFunctionError(error.to_string().into());
                *fault.borrow_mut() = Some(error);
                message
            })?
        },
    )?;
    Ok(())
}

/// The inner result is of what comes back from the hook and has no SQL form.
fn run(
    call: &Context<'_>,
    function: &HookFunction,
    runner: &dyn HookRunner,
) -> Result<Result<SqlValue, Error>, HookError> {
    let fields = function.record.as_deref().unwrap_or(&[]);
    let lists: Vec<Vec<Value>> = fields
        .iter()
        .enumerate()
        .map(|(at, (_, passed))| match passed {
            Passed::List(ty) => match call.get_raw(at) {
                SqlRef::Text(json) => {
                    list::elements(std::str::from_utf8(json).unwrap_or_default(), *ty)
                }
                _ => Vec::new(),
            },
            Passed::Scalar(_) => Vec::new(),
        })
        .collect();
    let refs: Vec<Vec<ValueRef<'_>>> = lists
        .iter()
        .map(|list| list.iter().map(Value::scalar_ref).collect())
        .collect();
    let record: Vec<(&str, ValueRef<'_>)> = fields
        .iter()
        .enumerate()
        .map(|(at, (name, passed))| {
            let value = match (passed, call.get_raw(at)) {
                (Passed::Scalar(ty), raw) => borrowed(raw, *ty),
                (Passed::List(_), SqlRef::Null) => ValueRef::Null,
                (Passed::List(_), _) => ValueRef::List(&refs[at]),
            };
            (name.as_str(), value)
        })
        .collect();
    let args: Vec<Value> = function
        .args
        .iter()
        .enumerate()
        .map(|(at, ty)| borrowed(call.get_raw(fields.len() + at), *ty).to_value())
        .collect();
    let record = function.record.as_ref().map(|_| record.as_slice());
    let value = runner.call(function.hook, record, &args)?;
    if function.decides {
        runner.held(function.hook, &value)?;
    }
    Ok(match value {
        Value::Null => Ok(SqlValue::Null),
        Value::Bool(b) => Ok(SqlValue::Integer(i64::from(b))),
        Value::Int(i) | Value::Timestamp(i) => Ok(SqlValue::Integer(i)),
        Value::Float(f) => Ok(SqlValue::Real(f)),
        Value::Text(t) | Value::Json(t) => Ok(SqlValue::Text(t)),
        Value::Uuid(u) => Ok(SqlValue::Blob(u.to_vec())),
        Value::Blob(b) => Ok(SqlValue::Blob(b)),
        Value::List(_) => Err(Error::UserFunctionError(
            "a hook's list has no SQL form".into(),
        )),
    })
}

fn text(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|e| Error::UserFunctionError(Box::new(e)))
}

/// A function's argument as a value of that type.
fn borrowed(raw: SqlRef<'_>, ty: Type) -> ValueRef<'_> {
    match (raw, ty) {
        (SqlRef::Null, _) => ValueRef::Null,
        (SqlRef::Integer(i), Type::Bool) => ValueRef::Bool(i != 0),
        (SqlRef::Integer(i), Type::Timestamp) => ValueRef::Timestamp(i),
        (SqlRef::Integer(i), _) => ValueRef::Int(i),
        (SqlRef::Real(f), _) => ValueRef::Float(f),
        (SqlRef::Text(t), ty) => match (std::str::from_utf8(t), ty) {
            (Ok(t), Type::Json) => ValueRef::Json(t),
            (Ok(t), _) => ValueRef::Text(t),
            (Err(_), _) => ValueRef::Blob(t),
        },
        (SqlRef::Blob(b), ty) => match (<[u8; 16]>::try_from(b), ty) {
            (Ok(uuid), Type::Uuid) => ValueRef::Uuid(uuid),
            _ => ValueRef::Blob(b),
        },
    }
}
