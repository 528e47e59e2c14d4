//! From predicates to what the query builder can say, and what is left over.
//!
//! A conjunct goes to the engine where it means the same there, for every
//! value and null; where it does not, it is asked of each row above the engine.

pub mod condition;
mod constant;
mod float;
mod int;
mod leaf;
mod link;
mod predicate;
mod text;

pub use condition::{Check, Condition, LinkKind, Node, Operand, Test, TextCheck};
pub use constant::bind;
pub use predicate::own;

use super::layout::Layout;
use crate::plan::Expr;
use crate::plan::schema::ModelId;

/// What predicates are compiled against.
#[derive(Clone, Copy)]
pub struct Compiler<'a> {
    /// Where everything is.
    pub layout: &'a Layout,
    /// Conditions on texts are put case-insensitively and asked again above.
    pub case_insensitive: bool,
}

/// A compiled predicate.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled {
    /// What the engine does.
    pub node: Node,
    /// What is asked of each row that it finds.
    pub rest: Option<Expr>,
}

impl Compiler<'_> {
    /// Compiles a predicate about a model. Arguments that stand alone on one
    /// side of a comparison become parameters.
    pub fn compile(&self, model: ModelId, predicate: &Expr) -> Compiled {
        let mut node = Node::default();
        let mut rest = Vec::new();
        for conjunct in conjuncts(predicate) {
            let exact = self.conjunct(model, conjunct, &mut node);
            if exact != Some(true) {
                rest.push(conjunct.clone());
            }
        }
        node.simplify();
        let rest = match rest.len() {
            0 => None,
            1 => rest.pop(),
            _ => Some(Expr::And(rest)),
        };
        Compiled { node, rest }
    }
}

/// The parts of a conjunction, however nested.
fn conjuncts(predicate: &Expr) -> Vec<&Expr> {
    match predicate {
        Expr::And(all) => all.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}
