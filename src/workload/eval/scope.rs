//! Predicates about a stored record.

use std::borrow::Cow;

use super::context::{Context, Element, Elements};
use super::error::EvalError;
use super::evaluate::holds;
use crate::base::Value;
use crate::plan::expr::HookId;
use crate::plan::{Expr, Generator, Path};
use crate::workload::HookRunner;

/// A stored record, as an engine or its adapter sees it.
pub trait View {
    /// As [`Context::path`].
    fn value(&self, path: &Path) -> Result<Cow<'_, Value>, EvalError>;

    /// As [`Context::elements`].
    fn elements(
        &self,
        over: &Path,
        visit: &mut dyn FnMut(Element<'_>) -> Result<bool, EvalError>,
    ) -> Result<Elements, EvalError>;

    /// What a hook is given of the record: the name and value of every scalar
    /// and list field, in the order of the model; links are left out.
    fn fields(&self) -> Result<Vec<(&str, Cow<'_, Value>)>, EvalError>;
}

/// The innermost record with what stands around it.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The innermost record.
    pub view: &'a dyn View,
    /// The element, inside a quantifier over a scalar list.
    pub it: Option<&'a Value>,
    /// Values bound at this execution.
    pub arguments: &'a [Value],
    /// Runs hooks.
    pub hooks: &'a dyn HookRunner,
}

impl<'a> Scope<'a> {
    /// About a record.
    pub fn new(view: &'a dyn View, arguments: &'a [Value], hooks: &'a dyn HookRunner) -> Self {
        Scope {
            view,
            it: None,
            arguments,
            hooks,
        }
    }
}

impl Context for Scope<'_> {
    fn path(&self, path: &Path) -> Result<Cow<'_, Value>, EvalError> {
        self.view.value(path)
    }

    fn elements(
        &self,
        over: &Path,
        visit: &mut dyn FnMut(Element<'_>) -> Result<bool, EvalError>,
    ) -> Result<Elements, EvalError> {
        self.view.elements(over, visit)
    }

    fn about(&self, element: Element<'_>, predicate: &Expr) -> Result<bool, EvalError> {
        match element {
            Element::Scalar(it) => holds(
                &Scope {
                    it: Some(it),
                    ..*self
                },
                predicate,
            ),
            Element::Record(view) => holds(
                &Scope {
                    view,
                    it: None,
                    ..*self
                },
                predicate,
            ),
        }
    }

    fn it(&self) -> Option<&Value> {
        self.it
    }

    fn argument(&self, at: usize) -> Option<&Value> {
        self.arguments.get(at)
    }

    fn row(&self) -> Option<u64> {
        None
    }

    fn draw(&self, _: &Generator) -> Result<Value, EvalError> {
        Err(EvalError::wrong("a draw outside a generator"))
    }

    fn held(&self, hook: HookId, value: &Value) -> Result<bool, EvalError> {
        Ok(self.hooks.held(hook, value)?)
    }

    fn hook(&self, hook: HookId, with_record: bool, args: &[Value]) -> Result<Value, EvalError> {
        if !with_record {
            return Ok(self.hooks.call(hook, None, args)?);
        }
        let fields = self.view.fields()?;
        with_refs(&fields, |record| {
            Ok(self.hooks.call(hook, Some(record), args)?)
        })
    }
}

/// Runs `f` with the borrowed form of a record's fields, lists included.
fn with_refs<R>(
    fields: &[(&str, Cow<'_, Value>)],
    f: impl FnOnce(&[(&str, crate::base::ValueRef<'_>)]) -> R,
) -> R {
    use crate::base::ValueRef;
    let lists: Vec<Vec<ValueRef<'_>>> = fields
        .iter()
        .map(|(_, value)| match value.as_ref() {
            Value::List(items) => items.iter().map(Value::scalar_ref).collect(),
            _ => Vec::new(),
        })
        .collect();
    let record: Vec<(&str, ValueRef<'_>)> = fields
        .iter()
        .zip(&lists)
        .map(|((name, value), list)| match value.as_ref() {
            Value::List(_) => (*name, ValueRef::List(list)),
            scalar => (*name, scalar.scalar_ref()),
        })
        .collect();
    f(&record)
}
