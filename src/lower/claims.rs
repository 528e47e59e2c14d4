//! Claims with params filled in: what remains open are axes.

use std::cmp::Ordering;

use crate::base::Value;
use crate::plan::claim::{Condition, Metric, Relation, Term};
use crate::plan::{Claim, CompareOp};

use super::fold::Names;

/// The claims of a run whose params have these values.
pub fn close(claims: &[Claim], params: &Names) -> Vec<Claim> {
    let mut claims = claims.to_vec();
    for comparison in claims.iter_mut().flat_map(|claim| &mut claim.comparisons) {
        if let Some(when) = &mut comparison.condition {
            *when = condition(when, params);
        }
        match &mut comparison.relation {
            Relation::Compare { left, right, .. } => {
                term(left, params);
                term(right, params);
            }
            Relation::Between { value, low, high } => {
                term(value, params);
                term(low, params);
                term(high, params);
            }
            Relation::Growth { of, .. } => metric(of, params),
        }
    }
    claims
}

fn term(of: &mut Term, params: &Names) {
    match of {
        Term::Number(_) => {}
        Term::Metric(of) | Term::Reached { of, .. } => metric(of, params),
        Term::Arith { left, right, .. } => {
            term(left, params);
            term(right, params);
        }
    }
}

fn metric(of: &mut Metric, params: &Names) {
    for each in &mut of.selection {
        *each = condition(each, params);
    }
}

/// A condition that only params decide becomes an empty `And` (true) or `Or` (false).
fn condition(of: &Condition, params: &Names) -> Condition {
    match of {
        Condition::Compare { axis, op, value } => match params.get(axis) {
            Some(mine) => decided(compare(*op, mine, value)),
            None => of.clone(),
        },
        Condition::CompareAxes { left, op, right } => match (params.get(left), params.get(right)) {
            (Some(a), Some(b)) => decided(compare(*op, a, b)),
            (None, Some(value)) => Condition::Compare {
                axis: left.clone(),
                op: *op,
                value: value.clone(),
            },
            (Some(value), None) => Condition::Compare {
                axis: right.clone(),
                op: mirrored(*op),
                value: value.clone(),
            },
            (None, None) => of.clone(),
        },
        Condition::Between { axis, low, high } => match params.get(axis) {
            Some(mine) => decided(
                compare(CompareOp::GreaterOrEqual, mine, low)
                    && compare(CompareOp::LessOrEqual, mine, high),
            ),
            None => of.clone(),
        },
        Condition::And(all) => Condition::And(all.iter().map(|c| condition(c, params)).collect()),
        Condition::Or(all) => Condition::Or(all.iter().map(|c| condition(c, params)).collect()),
        Condition::Not(inner) => Condition::Not(Box::new(condition(inner, params))),
    }
}

fn decided(held: bool) -> Condition {
    if held {
        Condition::And(Vec::new())
    } else {
        Condition::Or(Vec::new())
    }
}

fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessOrEqual => CompareOp::GreaterOrEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterOrEqual => CompareOp::LessOrEqual,
        same @ (CompareOp::Equal | CompareOp::NotEqual) => same,
    }
}

fn compare(op: CompareOp, a: &Value, b: &Value) -> bool {
    let order = match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Int(a), Value::Float(b)) => (*a as f64).partial_cmp(b),
        (Value::Float(a), Value::Int(b)) => a.partial_cmp(&(*b as f64)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        _ => None,
    };
    match order {
        None => op == CompareOp::NotEqual,
        Some(order) => match op {
            CompareOp::Equal => order == Ordering::Equal,
            CompareOp::NotEqual => order != Ordering::Equal,
            CompareOp::Less => order == Ordering::Less,
            CompareOp::LessOrEqual => order != Ordering::Greater,
            CompareOp::Greater => order == Ordering::Greater,
            CompareOp::GreaterOrEqual => order != Ordering::Less,
        },
    }
}
