//! Conjuncts: about the object, or about what it is linked with.

use super::condition::{Link, LinkKind, Node};
use super::constant::holds_of;
use super::predicate::paths_of;
use super::{Compiler, conjuncts};
use crate::base::Value;
use crate::engines::objectbox::layout::{Place, Storage};
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{Expr, Path, Quantifier};

impl Compiler<'_> {
    /// Adds what the engine can do of a conjunct to the node; whether that is
    /// all of it, `None` if it is nothing.
    pub(super) fn conjunct(&self, model: ModelId, expr: &Expr, node: &mut Node) -> Option<bool> {
        if let Some((condition, exact)) = self.condition(model, expr, false) {
            node.conditions.push(condition);
            return Some(exact);
        }
        let (link, exact) = self
            .any_object(model, expr)
            .or_else(|| self.behind(model, expr))?;
        node.links.push(link);
        Some(exact)
    }

    /// `any grades (…)`
    fn any_object(&self, model: ModelId, expr: &Expr) -> Option<(Link, bool)> {
        let Expr::Quantified {
            quantifier: Quantifier::Any,
            over,
            predicate,
        } = expr
        else {
            return None;
        };
        let [field] = over.hops.as_slice() else {
            return None;
        };
        let entity = self.layout.entities.get(model)?;
        let (kind, target) = match *entity.places.get(*field)? {
            Place::Children { entity, property } => {
                let property = self.layout.entities[entity].properties.get(property)?;
                (LinkKind::Back(property.id), entity)
            }
            Place::Relation(relation) => {
                let target = self.layout.relations.get(relation)?.target;
                (LinkKind::ToMany(relation as u32 + 1), target)
            }
            _ => return None,
        };
        self.link(kind, target, predicate)
    }

    /// A condition that is about what stands behind one to-one link, and does
    /// not hold where that points nowhere.
    fn behind(&self, model: ModelId, expr: &Expr) -> Option<(Link, bool)> {
        let mut paths = Vec::new();
        paths_of(expr, &mut paths);
        let first = *paths.first()?.hops.first()?;
        let same = |path: &&Path| path.hops.len() > 1 && path.hops[0] == first;
        if !paths.iter().all(same) || !rejects_null(expr) {
            return None;
        }
        let entity = self.layout.entities.get(model)?;
        let Place::Property(at) = *entity.places.get(first)? else {
            return None;
        };
        let property = entity.properties.get(at)?;
        let Storage::ToOne(target) = property.storage else {
            return None;
        };
        let inner = without_first(expr)?;
        self.link(LinkKind::ToOne(property.id), target, &inner)
    }

    fn link(&self, kind: LinkKind, target: ModelId, predicate: &Expr) -> Option<(Link, bool)> {
        let mut node = Node::default();
        let mut exact = true;
        for conjunct in conjuncts(predicate) {
            exact &= self.conjunct(target, conjunct, &mut node)?;
        }
        Some((Link { kind, target, node }, exact))
    }
}

/// Whether it is false where its paths are null.
fn rejects_null(expr: &Expr) -> bool {
    match expr {
        // Comparisons with an argument: whatever it is, only `!=` holds.
        Expr::Compare {
            op, left, right, ..
        } if matches!(**left, Expr::Arg(_)) || matches!(**right, Expr::Arg(_)) => {
            *op != crate::plan::CompareOp::NotEqual
        }
        other => holds_of(other, &Value::Null) == Some(false),
    }
}

/// The expression about the object behind the first hop of its paths.
fn without_first(expr: &Expr) -> Option<Expr> {
    let strip = |path: &Path| -> Option<Path> {
        let (_, rest): (&FieldId, &[FieldId]) = path.hops.split_first()?;
        Some(Path {
            hops: rest.to_vec(),
            ..path.clone()
        })
    };
    let inner = |expr: &Expr| without_first(expr).map(Box::new);
    let many = |all: &[Expr]| all.iter().map(without_first).collect::<Option<Vec<_>>>();
    Some(match expr {
        Expr::Path(path) => Expr::Path(strip(path)?),
        Expr::IsEmpty(path) => Expr::IsEmpty(strip(path)?),
        Expr::Quantified {
            quantifier,
            over,
            predicate,
        } => Expr::Quantified {
            quantifier: *quantifier,
            over: strip(over)?,
            predicate: predicate.clone(),
        },
        Expr::Not(one) => Expr::Not(inner(one)?),
        Expr::IsNull(one) => Expr::IsNull(inner(one)?),
        Expr::And(all) => Expr::And(many(all)?),
        Expr::Or(all) => Expr::Or(many(all)?),
        Expr::Compare {
            op,
            left,
            right,
            ignoring_case,
        } => Expr::Compare {
            op: *op,
            left: inner(left)?,
            right: inner(right)?,
            ignoring_case: *ignoring_case,
        },
        Expr::In {
            needle,
            among,
            ignoring_case,
        } => Expr::In {
            needle: inner(needle)?,
            among: many(among)?,
            ignoring_case: *ignoring_case,
        },
        Expr::Between { value, low, high } => Expr::Between {
            value: inner(value)?,
            low: inner(low)?,
            high: inner(high)?,
        },
        Expr::TextMatch {
            op,
            value,
            pattern,
            ignoring_case,
        } => Expr::TextMatch {
            op: *op,
            value: inner(value)?,
            pattern: inner(pattern)?,
            ignoring_case: *ignoring_case,
        },
        Expr::Literal(_) | Expr::Arg(_) => expr.clone(),
        _ => return None,
    })
}
