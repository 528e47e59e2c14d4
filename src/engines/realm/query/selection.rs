//! How the records of a request are found.

use super::filter::{Filter, split};
use super::slot::{Operand, Slot, Wanted};
use super::tail::Tail;
use crate::base::Value;
use crate::engines::realm::layout::{Holds, Key, Layout};
use crate::plan::schema::ModelId;
use crate::plan::{Expr, Select};

/// How Realm is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Access {
    /// All objects of the class.
    All,
    /// The object of that object key.
    Identity,
    /// The object of that primary key.
    Key,
    /// A query.
    Query(Filter),
    /// Nothing can match.
    Nothing,
}

/// Which records, and how they are found.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// Of this model.
    pub model: ModelId,
    /// How Realm is asked.
    pub access: Access,
    /// What decides among those that it gives.
    pub above: Option<Expr>,
    /// What of the order and the limit is Realm's.
    pub tail: Tail,
}

impl Selection {
    /// Compiles a selection; with `arguments`, for these alone.
    pub fn of(
        layout: &Layout,
        model: ModelId,
        select: &Select,
        tail: Tail,
        arguments: Option<&[Value]>,
    ) -> Selection {
        let (mut access, above) = match select {
            Select::All => (Access::All, None),
            Select::Identity => (Access::Identity, None),
            Select::Point(field) if layout.classes[model].key == Key::Field(*field) => {
                (Access::Key, None)
            }
            Select::Point(field) => match layout.property(model, *field) {
                Some(property) => match &property.holds {
                    Holds::Scalar(scalar) => {
                        let operand = match arguments.and_then(|known| known.first()) {
                            None => Operand::Argument(0),
                            Some(value) => Operand::Literal(value.clone()),
                        };
                        point(&property.name, scalar, operand)
                    }
                    _ => (Access::Nothing, None),
                },
                None => (Access::Nothing, None),
            },
            Select::Where(predicate) => {
                let (filter, above) = split(layout, model, predicate, arguments);
                if filter.text == super::comparison::TRUE {
                    (Access::All, above)
                } else {
                    (Access::Query(filter), above)
                }
            }
        };
        let mut tail = tail;
        if above.is_some() {
            tail.limit = None;
        }
        if let Some(suffix) = tail.suffix() {
            access = match access {
                Access::All => Access::Query(Filter {
                    text: format!("{}{suffix}", super::comparison::TRUE),
                    slots: Vec::new(),
                }),
                Access::Query(mut filter) => {
                    filter.text.push_str(&suffix);
                    Access::Query(filter)
                }
                one => one,
            };
        }
        Selection {
            model,
            access,
            above,
            tail,
        }
    }
}

/// A query for one value.
fn point(name: &str, scalar: &crate::plan::Scalar, operand: Operand) -> (Access, Option<Expr>) {
    if let Operand::Literal(value) = &operand {
        use super::comparison::{Verdict, verdict};
        let value = match verdict(scalar, crate::plan::CompareOp::Equal, value.clone()) {
            Some(Verdict::Compare(_, value)) => value,
            _ => return (Access::Nothing, None),
        };
        return point_slot(name, scalar, Operand::Literal(value));
    }
    point_slot(name, scalar, operand)
}

fn point_slot(
    name: &str,
    scalar: &crate::plan::Scalar,
    operand: Operand,
) -> (Access, Option<Expr>) {
    let slot = Slot {
        operand,
        wanted: Wanted::Exactly(scalar.clone()),
    };
    let filter = Filter {
        text: format!("{name} == $0"),
        slots: vec![slot],
    };
    (Access::Query(filter), None)
}
