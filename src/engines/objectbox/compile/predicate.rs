//! Predicates about an object's own properties.

use super::Compiler;
use super::condition::{Check, Condition};
use super::constant::{constant, holds_of};
use crate::base::Value;
use crate::engines::objectbox::layout::{Element, Entity, Place, Storage};
use crate::plan::schema::ModelId;
use crate::plan::{CompareOp, Expr, Path, Quantifier};

/// A condition, and whether it is all of what was asked; otherwise it lets
/// more through.
pub type Exactly = (Condition, bool);

impl Compiler<'_> {
    /// A predicate about own properties as a condition, or its opposite.
    pub(super) fn condition(&self, model: ModelId, expr: &Expr, negated: bool) -> Option<Exactly> {
        match expr {
            Expr::Not(inner) => return self.condition(model, inner, !negated),
            Expr::And(parts) | Expr::Or(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.condition(model, part, negated))
                    .collect::<Option<Vec<Exactly>>>()?;
                let exact = parts.iter().all(|(_, exact)| *exact);
                let parts = parts.into_iter().map(|(condition, _)| condition).collect();
                let all = matches!(expr, Expr::And(_)) != negated;
                let condition = if all {
                    Condition::All(parts)
                } else {
                    Condition::Any(parts)
                };
                return Some((condition, exact));
            }
            _ => {}
        }
        if let Some(value) = constant(expr) {
            let held = match value {
                Value::Bool(held) => held,
                Value::Null => false,
                _ => return None,
            };
            let condition = if held != negated {
                Condition::Always
            } else {
                Condition::Never
            };
            return Some((condition, true));
        }
        if let Expr::Quantified {
            quantifier,
            over,
            predicate,
        } = expr
        {
            return self.any_element(model, *quantifier, over, predicate, negated);
        }
        let entity = self.layout.entities.get(model)?;
        let property = own(entity, only_path(expr)?)?;
        if let Some(domain) = domain(&entity.properties[property].storage) {
            let optional = entity.properties[property].optional;
            let condition = in_domain(property, optional, &domain, expr, negated)?;
            return Some((condition, true));
        }
        self.leaf(entity, property, expr, negated)
    }

    /// `any tags (it == "x")`
    fn any_element(
        &self,
        model: ModelId,
        quantifier: Quantifier,
        over: &Path,
        predicate: &Expr,
        negated: bool,
    ) -> Option<Exactly> {
        let property = own(self.layout.entities.get(model)?, over)?;
        let texts = Storage::Vector(Element::Text);
        if quantifier != Quantifier::Any
            || negated
            || self.layout.entities[model].properties[property].storage != texts
        {
            return None;
        }
        let Expr::Compare {
            op: CompareOp::Equal,
            left,
            right,
            ignoring_case: false,
        } = predicate
        else {
            return None;
        };
        let wanted = match (&**left, &**right) {
            (Expr::It, other) | (other, Expr::It) => constant(other)?,
            _ => return None,
        };
        self.element_text(property, &wanted)
    }
}

/// The one path that an expression is about; quantifiers apart.
pub(super) fn only_path(expr: &Expr) -> Option<&Path> {
    let mut paths = Vec::new();
    paths_of(expr, &mut paths);
    let (first, others) = paths.split_first()?;
    others
        .iter()
        .all(|path| path.hops == first.hops && path.json == first.json)
        .then_some(*first)
}

/// Paths of the innermost record in an expression; what a quantifier is over
/// counts, what stands inside it does not.
pub(super) fn paths_of<'e>(expr: &'e Expr, paths: &mut Vec<&'e Path>) {
    match expr {
        Expr::Path(path) | Expr::IsEmpty(path) => paths.push(path),
        Expr::Quantified { over, .. } | Expr::CountOf { over, .. } => paths.push(over),
        Expr::Not(inner) | Expr::Neg(inner) | Expr::IsNull(inner) => paths_of(inner, paths),
        Expr::And(parts) | Expr::Or(parts) => {
            parts.iter().for_each(|part| paths_of(part, paths));
        }
        Expr::Compare { left, right, .. } | Expr::Arith { left, right, .. } => {
            paths_of(left, paths);
            paths_of(right, paths);
        }
        Expr::In { needle, among, .. } => {
            paths_of(needle, paths);
            among.iter().for_each(|one| paths_of(one, paths));
        }
        Expr::Between { value, low, high } => {
            paths_of(value, paths);
            paths_of(low, paths);
            paths_of(high, paths);
        }
        Expr::TextMatch { value, pattern, .. } => {
            paths_of(value, paths);
            paths_of(pattern, paths);
        }
        Expr::If {
            condition,
            then,
            otherwise,
        } => {
            paths_of(condition, paths);
            paths_of(then, paths);
            paths_of(otherwise, paths);
        }
        Expr::Hook { args, .. } => args.iter().for_each(|arg| paths_of(arg, paths)),
        Expr::Literal(_)
        | Expr::Name(_)
        | Expr::It
        | Expr::Arg(_)
        | Expr::Row
        | Expr::Generate(_) => {}
    }
}

/// Place of the property that a path of one hop leads to.
pub fn own(entity: &Entity, path: &Path) -> Option<usize> {
    let ([field], []) = (path.hops.as_slice(), path.json.as_slice()) else {
        return None;
    };
    match entity.places.get(*field)? {
        Place::Id => Some(0),
        Place::Property(at) => Some(*at),
        _ => None,
    }
}

/// All values of a type that has few, with the numbers that stand for them.
fn domain(storage: &Storage) -> Option<Vec<(i64, Value)>> {
    match storage {
        Storage::Bool => Some(vec![(0, Value::Bool(false)), (1, Value::Bool(true))]),
        Storage::Enum(cases) => {
            let cases = cases.iter().enumerate();
            Some(
                cases
                    .map(|(number, case)| (number as i64, Value::Text(case.clone())))
                    .collect(),
            )
        }
        _ => None,
    }
}

/// The values for which the predicate holds, found by trying each.
fn in_domain(
    property: usize,
    optional: bool,
    domain: &[(i64, Value)],
    expr: &Expr,
    negated: bool,
) -> Option<Condition> {
    let mut numbers = Vec::new();
    for (number, value) in domain {
        if holds_of(expr, value)? != negated {
            numbers.push(*number);
        }
    }
    let null = optional && holds_of(expr, &Value::Null)? != negated;
    let values = match numbers.as_slice() {
        [] => Condition::Never,
        all if all.len() == domain.len() && !optional => Condition::Always,
        all if all.len() == domain.len() => Condition::test(property, Check::NotNull),
        [one] => {
            let operand = super::Operand::Value(*one);
            Condition::test(property, Check::Int(CompareOp::Equal, operand))
        }
        some => Condition::test(property, Check::Ints(some.to_vec())),
    };
    Some(if null {
        Condition::Any(vec![values, Condition::test(property, Check::Null)])
    } else {
        values
    })
}
