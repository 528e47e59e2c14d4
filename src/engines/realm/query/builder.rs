//! From an expression to text; `None` is what the language cannot say.

use super::comparison::{FALSE, TRUE, flipped};
use super::slot::{Operand, Slot, Wanted};
use crate::base::Value;
use crate::engines::realm::layout::{Holds, Layout};
use crate::plan::schema::ModelId;
use crate::plan::{CompareOp, Expr, Path};

/// Writes predicates and gathers their arguments.
pub struct Builder<'a> {
    /// Where fields are.
    pub layout: &'a Layout,
    /// Values of arguments, where they are known already.
    pub arguments: Option<&'a [Value]>,
    /// Arguments so far: `$n` is the n-th.
    pub slots: Vec<Slot>,
    /// Subqueries around the current place.
    pub depth: usize,
}

/// The record that a predicate is about.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Its model.
    pub model: ModelId,
    /// The variable that stands for it inside a subquery.
    pub variable: Option<usize>,
}

impl<'a> Builder<'a> {
    /// With nothing written.
    pub fn new(layout: &'a Layout, arguments: Option<&'a [Value]>) -> Self {
        Builder {
            layout,
            arguments,
            slots: Vec::new(),
            depth: 0,
        }
    }

    /// Text of a predicate; where there is none, no argument is left behind.
    pub fn whole(&mut self, model: ModelId, expr: &Expr) -> Option<String> {
        let mark = self.slots.len();
        let at = At {
            model,
            variable: None,
        };
        let text = self.predicate(at, expr);
        if text.is_none() {
            self.slots.truncate(mark);
        }
        text
    }

    /// A place for an argument.
    pub fn slot(&mut self, operand: Operand, wanted: Wanted) -> String {
        self.slots.push(Slot { operand, wanted });
        format!("${}", self.slots.len() - 1)
    }

    /// Text of a predicate.
    pub fn predicate(&mut self, at: At, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Literal(Value::Bool(true)) => Some(TRUE.into()),
            Expr::Literal(Value::Bool(false) | Value::Null) => Some(FALSE.into()),
            Expr::Path(path) => {
                let subject = self.subject(at, path)?;
                let held = Operand::Literal(Value::Bool(true));
                self.compare(&subject, CompareOp::Equal, held)
            }
            Expr::Compare {
                op,
                left,
                right,
                ignoring_case,
            } => self.comparison(at, *op, left, right, *ignoring_case),
            Expr::And(all) => self.junction(at, all, " AND ", TRUE),
            Expr::Or(some) => self.junction(at, some, " OR ", FALSE),
            Expr::Not(inner) => Some(format!("NOT ({})", self.predicate(at, inner)?)),
            Expr::In {
                needle,
                among,
                ignoring_case,
            } => self.among(at, needle, among, *ignoring_case),
            Expr::Between { value, low, high } => {
                let Expr::Path(path) = &**value else {
                    return None;
                };
                let subject = self.subject(at, path)?;
                let (low, high) = (self.operand(low)?, self.operand(high)?);
                let low = self.compare(&subject, CompareOp::GreaterOrEqual, low)?;
                let high = self.compare(&subject, CompareOp::LessOrEqual, high)?;
                Some(format!("({low} AND {high})"))
            }
            Expr::TextMatch {
                op,
                value,
                pattern,
                ignoring_case,
            } => {
                let Expr::Path(path) = &**value else {
                    return None;
                };
                let subject = self.subject(at, path)?;
                let pattern = self.operand(pattern)?;
                self.text_match(&subject, *op, pattern, *ignoring_case)
            }
            Expr::IsNull(inner) => match &**inner {
                Expr::Path(path) => self.is_null(at, path),
                _ => None,
            },
            Expr::IsEmpty(path) => self.is_empty(at, path),
            Expr::Quantified {
                quantifier,
                over,
                predicate,
            } => self.quantified(at, *quantifier, over, predicate),
            Expr::If {
                condition,
                then,
                otherwise,
            } => {
                let (first, then) = (self.predicate(at, condition)?, self.predicate(at, then)?);
                let second = self.predicate(at, condition)?;
                let otherwise = self.predicate(at, otherwise)?;
                Some(format!(
                    "(({first} AND {then}) OR (NOT ({second}) AND {otherwise}))"
                ))
            }
            _ => None,
        }
    }

    /// A value that is known before the records are looked at.
    pub fn operand(&self, expr: &Expr) -> Option<Operand> {
        match (expr, self.arguments) {
            (Expr::Literal(value), _) => Some(Operand::Literal(value.clone())),
            (Expr::Arg(at), None) => Some(Operand::Argument(*at)),
            (Expr::Arg(at), Some(known)) => Some(Operand::Literal(known.get(*at)?.clone())),
            _ => None,
        }
    }

    fn junction(&mut self, at: At, parts: &[Expr], between: &str, empty: &str) -> Option<String> {
        let parts: Vec<String> = parts
            .iter()
            .map(|part| self.predicate(at, part))
            .collect::<Option<_>>()?;
        Some(match parts.as_slice() {
            [] => empty.into(),
            [one] => one.clone(),
            many => format!("({})", many.join(between)),
        })
    }

    fn comparison(
        &mut self,
        at: At,
        op: CompareOp,
        left: &Expr,
        right: &Expr,
        ignoring_case: bool,
    ) -> Option<String> {
        match (left, right) {
            (Expr::CountOf { over, predicate }, other) => {
                let other = self.operand(other)?;
                self.counted(at, over, predicate.as_deref(), op, other)
            }
            (other, Expr::CountOf { over, predicate }) => {
                let other = self.operand(other)?;
                self.counted(at, over, predicate.as_deref(), flipped(op), other)
            }
            (Expr::Path(a), Expr::Path(b)) if !ignoring_case => {
                let (a, b) = (self.subject(at, a)?, self.subject(at, b)?);
                self.compare_two(&a, op, &b)
            }
            (Expr::Path(path), other) => {
                let subject = self.subject(at, path)?;
                let other = self.operand(other)?;
                self.compare_case(&subject, op, other, ignoring_case)
            }
            (other, Expr::Path(path)) => {
                let subject = self.subject(at, path)?;
                let other = self.operand(other)?;
                self.compare_case(&subject, flipped(op), other, ignoring_case)
            }
            _ => None,
        }
    }

    fn among(
        &mut self,
        at: At,
        needle: &Expr,
        among: &[Expr],
        ignoring_case: bool,
    ) -> Option<String> {
        let Expr::Path(path) = needle else {
            return None;
        };
        let subject = self.subject(at, path)?;
        let mut parts = Vec::with_capacity(among.len());
        for each in among {
            let each = self.operand(each)?;
            if each == Operand::Literal(Value::Null) {
                continue;
            }
            parts.push(self.compare_case(&subject, CompareOp::Equal, each, ignoring_case)?);
        }
        Some(match parts.as_slice() {
            [] => FALSE.into(),
            [one] => one.clone(),
            many => format!("({})", many.join(" OR ")),
        })
    }

    fn is_null(&mut self, at: At, path: &Path) -> Option<String> {
        if let Some(subject) = self.subject(at, path) {
            return Some(self.null_test(&subject, true));
        }
        if !path.json.is_empty() {
            return None;
        }
        let end = self.collection(at, path)?;
        match (end.holds, end.hops, end.marker) {
            (Holds::One(_), 1, _) => Some(format!("{} == NULL", end.text)),
            (Holds::One(_) | Holds::Back { .. }, _, _) => Some(format!("{}.@count == 0", end.text)),
            _ => None,
        }
    }
}
