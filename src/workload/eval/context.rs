//! What an expression is evaluated against.

use std::borrow::Cow;

use super::error::EvalError;
use super::scope::View;
use crate::base::Value;
use crate::plan::expr::HookId;
use crate::plan::{Generator, Path};

/// Where an expression's leaves come from.
pub trait Context {
    /// The value of a path from the innermost record: a scalar, a list, null
    /// behind a null link, and for a path that ends at a to-one link whatever
    /// stands for its target, null if it has none.
    fn path(&self, path: &Path) -> Result<Cow<'_, Value>, EvalError>;

    /// Shows the elements of a list or to-many link one by one until `visit`
    /// returns false, and says what stands at the path.
    fn elements(
        &self,
        over: &Path,
        visit: &mut dyn FnMut(Element<'_>) -> Result<bool, EvalError>,
    ) -> Result<Elements, EvalError>;

    /// Evaluates `predicate` about one element that [`Context::elements`] showed.
    fn about(&self, element: Element<'_>, predicate: &crate::plan::Expr)
    -> Result<bool, EvalError>;

    /// The element of a scalar list, inside a quantifier over it.
    fn it(&self) -> Option<&Value>;

    /// A value bound at this execution.
    fn argument(&self, at: usize) -> Option<&Value>;

    /// The number of the record, where it has one.
    fn row(&self) -> Option<u64>;

    /// A draw, where draws are possible.
    fn draw(&self, generator: &Generator) -> Result<Value, EvalError>;

    /// Calls a hook, with the innermost record first if `with_record`.
    fn hook(&self, hook: HookId, with_record: bool, args: &[Value]) -> Result<Value, EvalError>;

    /// What a hook's value says as a condition; an error where it says nothing.
    fn held(&self, hook: HookId, value: &Value) -> Result<bool, EvalError>;
}

/// One element of a list, or one object behind a to-many link.
#[derive(Clone, Copy)]
pub enum Element<'a> {
    /// An element of a scalar list.
    Scalar(&'a Value),
    /// An object.
    Record(&'a dyn View),
}

/// What [`Context::elements`] found at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// A list or to-many link; its elements were shown.
    Listed,
    /// Nothing: a null list, or a null link on the way.
    Null,
    /// A scalar, which has no elements.
    Scalar,
}
