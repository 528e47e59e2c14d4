//! A predicate, split into what Realm answers and what is left.

use super::builder::Builder;
use super::comparison::TRUE;
use super::slot::Slot;
use crate::base::Value;
use crate::engines::realm::layout::Layout;
use crate::plan::Expr;
use crate::plan::schema::ModelId;

/// A query text and its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// In the query language.
    pub text: String,
    /// `$0` and on.
    pub slots: Vec<Slot>,
}

impl Filter {
    /// The arguments' values; `None` where one does not fit.
    pub fn bind(&self, arguments: &[Value]) -> Option<Vec<Value>> {
        self.slots.iter().map(|slot| slot.bind(arguments)).collect()
    }

    /// Whether the text is the same question at each execution.
    pub fn is_fixed(&self) -> bool {
        use super::slot::Operand;
        self.slots
            .iter()
            .all(|slot| matches!(slot.operand, Operand::Literal(_)))
    }
}

/// Splits a predicate at its outermost `and`: the filter is at least as wide,
/// and what is left decides the rest.
pub fn split(
    layout: &Layout,
    model: ModelId,
    predicate: &Expr,
    arguments: Option<&[Value]>,
) -> (Filter, Option<Expr>) {
    let mut builder = Builder::new(layout, arguments);
    let (mut texts, mut left) = (Vec::new(), Vec::new());
    let mut ahead = vec![predicate];
    while let Some(part) = ahead.pop() {
        match part {
            Expr::And(all) => ahead.extend(all.iter().rev()),
            part => match builder.whole(model, part) {
                Some(text) => texts.push(text),
                None => left.push(part.clone()),
            },
        }
    }
    let text = if texts.is_empty() {
        TRUE.to_owned()
    } else {
        texts.join(" AND ")
    };
    let left = match left.len() {
        0 => None,
        1 => left.pop(),
        _ => Some(Expr::And(left)),
    };
    let slots = builder.slots;
    (Filter { text, slots }, left)
}
