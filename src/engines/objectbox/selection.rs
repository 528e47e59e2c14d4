//! Which records a request is about, and how the engine finds them.

use super::compile::{Node, bind};
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
            let one = matches!(selection.access, Access::Identity | Access::Key);
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
        if let Some(rest) = &self.rest {
            rest.walk(&mut |part| waits |= matches!(part, Expr::Arg(_)));
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
        if let (Access::Scan, Some(order)) = (&selection.access, &selection.order)
            && !order.is_empty()
        {
            selection.access = Access::Query(Node::default());
        }
        selection
    }
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
