//! Which records a request is about, and how the engine finds them.

use super::compile::{Check, Condition, Node, Operand, bind};
use super::ffi::types::order as flag;
use super::layout::{Entity, Storage};
use super::query::Order;
use super::setup::Setup;
use crate::base::Value;
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{CompareOp, Expr, OrderKey, Path, Select};

/// A compiled selection: plain data, built into a query by the session.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// Of this model.
    pub model: ModelId,
    /// How the engine finds candidates.
    pub access: Access,
    /// What is asked of each above the engine.
    pub rest: Option<Expr>,
    /// The predicate as asked, for arguments of other types than expected.
    pub whole: Option<Expr>,
    /// Order that the engine sees to; `None` where it is sorted above.
    pub order: Option<Order>,
}

/// How the engine finds candidates.
#[derive(Clone, Debug, PartialEq)]
pub enum Access {
    /// Not at all: nothing can match.
    Nothing,
    /// All objects, by id.
    Scan,
    /// By the id that argument 0 names.
    Identity,
    /// By the id of the int key that is argument 0.
    Key,
    /// By these ids: the keys that the predicate asks for. (A query would look
    /// at every object, even for one id.)
    Ids(Vec<u64>),
    /// By a query.
    Query(Node),
}

impl Selection {
    /// Compiles a selection in an order.
    pub fn of(setup: &Setup, model: ModelId, select: &Select, order: &[OrderKey]) -> Selection {
        let entity = &setup.layout.entities[model];
        let flags = order_flags(entity, order);
        let mut selection = match select {
            Select::All => Selection::plain(model, Access::Scan),
            Select::Identity => Selection::plain(model, Access::Identity),
            Select::Point(field) => {
                let whole = point(setup, model, *field);
                if entity.key_is_id() && entity.key == Some(*field) {
                    Selection {
                        whole: Some(whole),
                        ..Selection::plain(model, Access::Key)
                    }
                } else {
                    Selection::by(setup, model, whole)
                }
            }
            Select::Where(predicate) => Selection::by(setup, model, predicate.clone()),
        };
        selection.order = flags.filter(|flags| {
            let one = matches!(
                selection.access,
                Access::Identity | Access::Key | Access::Ids(_)
            );
            flags.is_empty() || !one
        });
        if let (Access::Scan, Some(order)) = (&selection.access, &selection.order)
            && !order.is_empty()
        {
            selection.access = Access::Query(Node::default());
        }
        selection
    }

    fn plain(model: ModelId, access: Access) -> Selection {
        Selection {
            model,
            access,
            rest: None,
            whole: None,
            order: Some(Vec::new()),
        }
    }

    fn by(setup: &Setup, model: ModelId, predicate: Expr) -> Selection {
        let compiled = setup.compiler().compile(model, &predicate);
        if let Some(ids) = ids(&compiled.node) {
            return Selection {
                rest: Some(predicate.clone()),
                whole: Some(predicate),
                ..Selection::plain(model, Access::Ids(ids))
            };
        }
        let access = if compiled.node.is_never() {
            Access::Nothing
        } else if compiled.node.is_always() {
            Access::Scan
        } else {
            Access::Query(compiled.node)
        };
        Selection {
            rest: compiled.rest,
            whole: Some(predicate),
            ..Selection::plain(model, access)
        }
    }

    /// Whether more can go to the engine once the arguments are known.
    pub fn waits(&self) -> bool {
        let mut waits = false;
        match (&self.access, &self.rest) {
            (Access::Ids(_), _) => {}
            (Access::Query(node), _) if asks_for_id(node) => waits = true,
            (_, Some(rest)) => rest.walk(&mut |part| waits |= matches!(part, Expr::Arg(_))),
            _ => {}
        }
        waits
    }

    /// The same with the arguments put in.
    pub fn bound(&self, setup: &Setup, arguments: &[Value]) -> Selection {
        let Some(whole) = &self.whole else {
            return self.clone();
        };
        let mut selection = Selection::by(setup, self.model, bind(whole, arguments));
        selection.order.clone_from(&self.order);
        if matches!(selection.access, Access::Ids(_))
            && self.order.as_ref().is_some_and(|order| !order.is_empty())
        {
            // The engine was to sort: let it, whatever the argument is.
            selection.access = Access::Query(
                setup
                    .compiler()
                    .compile(self.model, &bind(whole, arguments))
                    .node,
            );
        }
        if let (Access::Scan, Some(order)) = (&selection.access, &selection.order)
            && !order.is_empty()
        {
            selection.access = Access::Query(Node::default());
        }
        selection
    }
}

/// The ids that a node asks for, in ascending order.
fn ids(node: &Node) -> Option<Vec<u64>> {
    node.conditions.iter().find_map(|condition| {
        let Condition::Test(test) = condition else {
            return None;
        };
        if test.property != 0 {
            return None;
        }
        let mut ids = match &test.check {
            Check::Int(CompareOp::Equal, Operand::Value(id)) => vec![*id as u64],
            Check::Ints(ids) => ids.iter().map(|id| *id as u64).collect(),
            _ => return None,
        };
        ids.sort_unstable();
        ids.dedup();
        Some(ids)
    })
}

/// Whether a node asks for the id that an argument names.
pub fn asks_for_id(node: &Node) -> bool {
    node.conditions.iter().any(|condition| {
        matches!(condition, Condition::Test(test) if test.property == 0
            && matches!(test.check, Check::Int(CompareOp::Equal, Operand::Argument(_))))
    })
}

fn point(setup: &Setup, model: ModelId, field: FieldId) -> Expr {
    Expr::Compare {
        op: CompareOp::Equal,
        left: Box::new(Expr::Path(Path::field(&setup.schema, model, field))),
        right: Box::new(Expr::Arg(0)),
        ignoring_case: false,
    }
}

/// The order as the engine takes it; `None` where it cannot, or not so that
/// null is first when ascending and last when descending.
fn order_flags(entity: &Entity, order: &[OrderKey]) -> Option<Order> {
    order
        .iter()
        .map(|key| {
            let at = super::compile::own(entity, &key.path)?;
            let property = &entity.properties[at];
            let descending = if key.descending { flag::DESCENDING } else { 0 };
            let flags = match property.storage {
                Storage::Long | Storage::Date | Storage::Bool | Storage::Enum(_) => descending,
                Storage::Text | Storage::UuidText if key.descending => {
                    flag::CASE_SENSITIVE | descending | flag::NULLS_LAST
                }
                Storage::Text | Storage::UuidText => flag::CASE_SENSITIVE,
                // Its nulls are sorted as zeros.
                Storage::Double if !property.optional => descending,
                _ => return None,
            };
            Some((at, flags))
        })
        .collect()
}
