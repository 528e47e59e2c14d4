//! Conditions on children, linked objects and elements of lists.

use super::builder::{At, Builder};
use super::comparison::{FALSE, TRUE, opposite, sign};
use super::slot::{Operand, Wanted};
use super::subject::{Collection, Subject, variable};
use crate::base::Value;
use crate::engines::realm::layout::Holds;
use crate::plan::schema::ModelId;
use crate::plan::{CompareOp, Expr, Path, Quantifier, Scalar};

impl Builder<'_> {
    /// Text of `any`, `all`, `none`.
    pub fn quantified(
        &mut self,
        at: At,
        quantifier: Quantifier,
        over: &Path,
        predicate: &Expr,
    ) -> Option<String> {
        let end = self.collection(at, over)?;
        match end.holds {
            Holds::Many(target) => {
                let inverted = quantifier == Quantifier::All;
                let count = self.subquery(&end, *target, predicate, inverted)?;
                Some(match quantifier {
                    Quantifier::Any => format!("{count} > 0"),
                    Quantifier::All | Quantifier::None => format!("{count} == 0"),
                })
            }
            Holds::List(scalar) if end.hops == 1 => {
                let elements = Subject {
                    text: end.text.clone(),
                    scalar: scalar.clone(),
                    nullable: false,
                    many: true,
                };
                self.elements(&elements, quantifier, predicate)
            }
            _ => None,
        }
    }

    /// Text of a comparison with a number of children or elements.
    pub fn counted(
        &mut self,
        at: At,
        over: &Path,
        predicate: Option<&Expr>,
        op: CompareOp,
        operand: Operand,
    ) -> Option<String> {
        let end = self.collection(at, over)?;
        let count = match (end.holds, predicate) {
            (Holds::Many(target), Some(predicate)) => {
                self.subquery(&end, *target, predicate, false)?
            }
            (Holds::Many(_), None) => format!("{}.@count", end.text),
            (Holds::List(_), None) if end.hops == 1 => format!("{}.@count", end.text),
            _ => return None,
        };
        let number = Subject {
            text: count,
            scalar: Scalar::Int,
            nullable: false,
            many: false,
        };
        self.compare(&number, op, operand)
    }

    /// Text of `is empty`.
    pub fn is_empty(&mut self, at: At, path: &Path) -> Option<String> {
        if let Some(subject) = self.subject(at, path) {
            let empty = match subject.scalar {
                Scalar::Text => Value::Text(String::new()),
                Scalar::Blob => Value::Blob(Vec::new()),
                _ => return None,
            };
            return self.compare(&subject, CompareOp::Equal, Operand::Literal(empty));
        }
        let end = self.collection(at, path)?;
        if end.hops > 1 || !path.json.is_empty() {
            return None;
        }
        let empty = format!("{}.@count == 0", end.text);
        match (end.holds, end.marker) {
            (Holds::Many(_) | Holds::List(_), None) => Some(empty),
            (Holds::List(_), Some(marker)) => {
                let prefix = end.text.strip_suffix(end.text.rsplit('.').next()?)?;
                Some(format!("({empty} AND {prefix}{marker} == true)"))
            }
            _ => None,
        }
    }

    /// The number of objects that one predicate holds for, or does not.
    fn subquery(
        &mut self,
        end: &Collection<'_>,
        target: ModelId,
        predicate: &Expr,
        inverted: bool,
    ) -> Option<String> {
        let name = self.depth;
        self.depth += 1;
        let inner = At {
            model: target,
            variable: Some(name),
        };
        let text = self.predicate(inner, predicate);
        self.depth -= 1;
        let text = match (text?, inverted) {
            (text, false) => text,
            (text, true) => format!("NOT ({text})"),
        };
        let (collection, variable) = (&end.text, variable(name));
        Some(format!("SUBQUERY({collection}, {variable}, {text}).@count"))
    }

    /// A condition on elements of a scalar list: one comparison or match, since
    /// the language has no subquery over values. Elements are never null.
    fn elements(
        &mut self,
        elements: &Subject,
        quantifier: Quantifier,
        predicate: &Expr,
    ) -> Option<String> {
        match predicate {
            Expr::Compare {
                op,
                left,
                right,
                ignoring_case: false,
            } => {
                let (op, other) = match (&**left, &**right) {
                    (Expr::It, other) => (*op, other),
                    (other, Expr::It) => (super::comparison::flipped(*op), other),
                    _ => return None,
                };
                let op = match quantifier {
                    Quantifier::All => opposite(op),
                    _ => op,
                };
                let Operand::Literal(value) = self.operand(other)? else {
                    return None;
                };
                let any = self.any_element(elements, op, value)?;
                Some(match quantifier {
                    Quantifier::Any => any,
                    Quantifier::All | Quantifier::None => format!("NOT ({any})"),
                })
            }
            Expr::TextMatch {
                op,
                value,
                pattern,
                ignoring_case,
            } if **value == Expr::It && quantifier != Quantifier::All => {
                let pattern = self.operand(pattern)?;
                let any = self.text_match(elements, *op, pattern, *ignoring_case)?;
                if any == TRUE {
                    return None;
                }
                Some(match quantifier {
                    Quantifier::Any => any,
                    Quantifier::All | Quantifier::None => format!("NOT ({any})"),
                })
            }
            _ => None,
        }
    }

    fn any_element(&mut self, elements: &Subject, op: CompareOp, value: Value) -> Option<String> {
        use super::comparison::Verdict;
        let some = format!("{}.@count > 0", elements.text);
        Some(
            match super::comparison::verdict(&elements.scalar, op, value)? {
                Verdict::Compare(op, value) => {
                    let wanted = Wanted::Exactly(elements.scalar.clone());
                    let slot = self.slot(Operand::Literal(value), wanted);
                    format!("ANY {} {} {slot}", elements.text, sign(op))
                }
                Verdict::Values | Verdict::Always => some,
                Verdict::Never => FALSE.into(),
            },
        )
    }
}
