//! Points on the axes, as far as a check looks at them.

use std::collections::{BTreeMap, BTreeSet};

use super::checker::Checker;
use super::constant::evaluate;
use crate::base::Value;
use crate::plan::Expr;

/// Values of params and axes.
pub(super) type Names = BTreeMap<String, Value>;

/// More points than this are not looked at one by one.
const MOST_POINTS: usize = 20_000;

impl Checker<'_> {
    /// All points over the given axes and those that their values name;
    /// params stand in each. `None` where there are too many to look at.
    pub fn points(&self, names: &BTreeSet<String>) -> Option<Vec<Names>> {
        let mut wanted = names.clone();
        for name in names {
            if let Some(quantity) = self.quantity(name) {
                wanted.extend(quantity.names.iter().cloned());
            }
        }
        let mut base = Names::new();
        for param in &self.exp.params {
            if let Some(value) = evaluate(&param.value, &base) {
                base.insert(param.name.clone(), value);
            }
        }
        let mut points = vec![base];
        for axis in &self.exp.axes {
            if !wanted.contains(&axis.name) {
                continue;
            }
            let mut next = Vec::new();
            for point in &points {
                let values = axis.values.iter().filter_map(|v| evaluate(v, point));
                for value in distinct(values) {
                    let mut further = point.clone();
                    further.insert(axis.name.clone(), value);
                    next.push(further);
                }
                if next.len() > MOST_POINTS {
                    return None;
                }
            }
            points = next;
        }
        Some(points)
    }

    /// The distinct values of an expression over all points of the names in it.
    /// `None` where it has none at some point, or needs a record.
    pub fn possible_over(&self, expr: &Expr, names: &BTreeSet<String>) -> Option<Vec<Value>> {
        if let Expr::Literal(value) = expr {
            return Some(vec![value.clone()]);
        }
        let points = self.points(names)?;
        let values: Option<Vec<Value>> = points.iter().map(|point| evaluate(expr, point)).collect();
        values.map(distinct)
    }

    /// The same, over the names in the expression itself.
    pub fn possible(&self, expr: &Expr) -> Option<Vec<Value>> {
        match expr {
            Expr::Literal(value) => return Some(vec![value.clone()]),
            Expr::Name(name) => return self.quantity(name).map(|q| q.values.clone()),
            _ => {}
        }
        let mut names = BTreeSet::new();
        names_in(expr, &mut names);
        self.possible_over(expr, &names)
    }
}

/// Without repetitions, in order.
pub(super) fn distinct(values: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::new();
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

/// Params and axes in an expression without draws and records.
fn names_in(expr: &Expr, names: &mut BTreeSet<String>) {
    match expr {
        Expr::Name(name) => {
            names.insert(name.clone());
        }
        Expr::Neg(inner) | Expr::Not(inner) | Expr::IsNull(inner) => names_in(inner, names),
        Expr::Arith { left, right, .. } | Expr::Compare { left, right, .. } => {
            names_in(left, names);
            names_in(right, names);
        }
        Expr::And(all) | Expr::Or(all) => all.iter().for_each(|one| names_in(one, names)),
        Expr::In { needle, among, .. } => {
            names_in(needle, names);
            among.iter().for_each(|one| names_in(one, names));
        }
        Expr::Between { value, low, high } => {
            names_in(value, names);
            names_in(low, names);
            names_in(high, names);
        }
        Expr::If {
            condition,
            then,
            otherwise,
        } => {
            names_in(condition, names);
            names_in(then, names);
            names_in(otherwise, names);
        }
        _ => {}
    }
}
