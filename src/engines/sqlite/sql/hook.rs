//! Hooks as SQL functions: a call, and what its function needs to know.

use super::error::unsupported;
use super::expression;
use super::frame::{Context, Frame, column};
use super::layout::Storage;
use super::list;
use super::names::quoted;
use super::typed::{Type, Typed};
use crate::engines::EngineError;
use crate::plan::Expr;
use crate::plan::expr::HookId;

/// A function to be registered: one per hook, model and types of its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct HookFunction {
    /// Its name in SQL, unquoted.
    pub name: String,
    /// The hook.
    pub hook: HookId,
    /// The record's fields, which come first; `None` where none is passed.
    pub record: Option<Vec<(String, Passed)>>,
    /// Types of the further arguments.
    pub args: Vec<Type>,
    /// Whether its value decides: anything but a bool or null is then an error.
    pub decides: bool,
}

/// How a field is passed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Passed {
    /// As it is.
    Scalar(Type),
    /// As a JSON array of texts, in order; blobs in hex.
    List(Type),
}

/// A call. A record is passed as all its scalars and lists.
pub fn call(
    c: &Context<'_>,
    f: &mut Frame,
    hook: HookId,
    args: &[Expr],
    with_record: bool,
    decides: bool,
) -> Result<Typed, EngineError> {
    let known = c
        .hooks
        .get(hook)
        .ok_or_else(|| unsupported("a hook is not known"))?;
    let mut name = known.name.clone();
    let mut sql = Vec::new();
    let record = with_record.then(|| {
        let model = &c.schema.models[f.model];
        name.push_str(&format!(" of {}", model.name));
        let mut fields = Vec::with_capacity(model.fields.len());
        for (field, storage) in model.fields.iter().zip(&c.layout.tables[f.model].fields) {
            let passed = match storage {
                Storage::Column {
                    column: name,
                    scalar,
                } => {
                    sql.push(column(&f.alias, name));
                    Passed::Scalar(Type::of(scalar))
                }
                Storage::List {
                    table,
                    marker,
                    scalar,
                } => {
                    let ty = Type::of(scalar);
                    sql.push(list::value(
                        c,
                        &f.alias,
                        f.model,
                        table,
                        marker.as_deref(),
                        ty,
                    ));
                    Passed::List(Type::of(scalar))
                }
                _ => continue,
            };
            fields.push((field.name.clone(), passed));
        }
        fields
    });
    let mut types = Vec::with_capacity(args.len());
    for arg in args {
        let arg = expression::value(c, f, arg)?;
        name.push_str(&format!(" {:?}", arg.ty).to_lowercase());
        types.push(arg.ty);
        sql.push(arg.sql);
    }
    if decides {
        name.push('?');
    }
    let call = format!("{}({})", quoted(&name), sql.join(", "));
    let function = HookFunction {
        name,
        hook,
        record,
        args: types,
        decides,
    };
    let mut calls = c.calls.borrow_mut();
    if !calls.contains(&function) {
        calls.push(function);
    }
    Ok(Typed::atom(call, Type::Any, true))
}
