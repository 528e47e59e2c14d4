//! Constant expressions: what `lower` has left of params and axes.

use super::failure::Failure;
use crate::base::Value;
use crate::plan::Expr;
use crate::workload::eval::arithmetic::negate;

/// The value of a literal, possibly negated.
pub fn constant(expr: &Expr) -> Result<Value, Failure> {
    match expr {
        Expr::Literal(value) => Ok(value.clone()),
        Expr::Neg(inner) => negate(&constant(inner)?)
            .map_err(|error| Failure::Plan(format!("in a constant: {error}"))),
        _ => Err(Failure::Plan(format!("not a constant: {expr:?}"))),
    }
}
