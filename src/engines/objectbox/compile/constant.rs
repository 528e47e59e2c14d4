//! Expressions that do not depend on the record, or on one value of it.

use std::borrow::Cow;

use crate::base::Value;
use crate::plan::expr::HookId;
use crate::plan::{Expr, Generator, Path};
use crate::workload::eval::{Context, Element, Elements, EvalError, evaluate, holds};

/// The expression with its arguments put in.
pub fn bind(expr: &Expr, arguments: &[Value]) -> Expr {
    let bound = expr.try_map(&|expr| {
        Ok::<Expr, std::convert::Infallible>(match expr {
            Expr::Arg(at) => match arguments.get(at) {
                Some(value) => Expr::Literal(value.clone()),
                None => Expr::Arg(at),
            },
            other => other,
        })
    });
    match bound {
        Ok(bound) => bound,
        Err(never) => match never {},
    }
}

/// The value of an expression without path, argument or hook.
pub fn constant(expr: &Expr) -> Option<Value> {
    let mut pure = true;
    expr.walk(&mut |part| {
        pure &= !matches!(
            part,
            Expr::Path(_)
                | Expr::It
                | Expr::Arg(_)
                | Expr::Name(_)
                | Expr::Row
                | Expr::Generate(_)
                | Expr::Hook { .. }
                | Expr::Quantified { .. }
                | Expr::CountOf { .. }
                | Expr::IsEmpty(_)
        );
    });
    if !pure {
        return None;
    }
    let value = evaluate(&Only(&Value::Null), expr).ok()?;
    Some(value.into_owned())
}

/// Whether a condition holds where all its paths have this value; `None`
/// where that cannot be told.
pub fn holds_of(condition: &Expr, value: &Value) -> Option<bool> {
    let mut free = true;
    condition.walk(&mut |part| {
        free &= !matches!(
            part,
            Expr::It | Expr::Arg(_) | Expr::Name(_) | Expr::Row | Expr::Generate(_)
        ) && !matches!(part, Expr::Hook { .. });
    });
    // What stands inside a quantifier over nothing is never asked.
    let quantified = matches!(condition, Expr::Quantified { .. }) && value.is_null();
    if !free && !quantified {
        return None;
    }
    holds(&Only(value), condition).ok()
}

/// A record all of whose paths have one value.
struct Only<'v>(&'v Value);

impl Context for Only<'_> {
    fn path(&self, path: &Path) -> Result<Cow<'_, Value>, EvalError> {
        if path.json.is_empty() {
            Ok(Cow::Borrowed(self.0))
        } else {
            Err(EvalError::wrong("inside JSON"))
        }
    }

    fn elements(
        &self,
        _: &Path,
        _: &mut dyn FnMut(Element<'_>) -> Result<bool, EvalError>,
    ) -> Result<Elements, EvalError> {
        match self.0 {
            Value::Null => Ok(Elements::Null),
            _ => Err(EvalError::wrong("elements of a constant")),
        }
    }

    fn about(&self, _: Element<'_>, _: &Expr) -> Result<bool, EvalError> {
        Err(EvalError::wrong("an element of a constant"))
    }

    fn it(&self) -> Option<&Value> {
        None
    }

    fn argument(&self, _: usize) -> Option<&Value> {
        None
    }

    fn row(&self) -> Option<u64> {
        None
    }

    fn draw(&self, _: &Generator) -> Result<Value, EvalError> {
        Err(EvalError::wrong("a draw in a condition"))
    }

    fn hook(&self, _: HookId, _: bool, _: &[Value]) -> Result<Value, EvalError> {
        Err(EvalError::wrong("a hook in a constant"))
    }

    fn held(&self, _: HookId, _: &Value) -> Result<bool, EvalError> {
        Err(EvalError::wrong("a hook in a constant"))
    }
}
