//! Comparisons of one property with constants.

use super::condition::{Check, Condition, Operand};
use super::constant::constant;
use super::predicate::Exactly;
use super::{Compiler, float, int, text};
use crate::base::Value;
use crate::engines::objectbox::keys;
use crate::engines::objectbox::layout::{Entity, Property, Storage};
use crate::plan::{CompareOp, Expr, TextOp};

/// What stands beside the property: a constant, or an argument.
enum Beside {
    Value(Value),
    Argument(usize),
}

impl Beside {
    fn of(expr: &Expr) -> Option<Beside> {
        match expr {
            Expr::Arg(at) => Some(Beside::Argument(*at)),
            other => constant(other).map(Beside::Value),
        }
    }
}

impl Compiler<'_> {
    pub(super) fn leaf(
        &self,
        entity: &Entity,
        at: usize,
        expr: &Expr,
        negated: bool,
    ) -> Option<Exactly> {
        let property = &entity.properties[at];
        let leaf = Leaf {
            at,
            property,
            key: at == 0,
            insensitive: self.case_insensitive && !negated,
        };
        match expr {
            Expr::Compare {
                op,
                left,
                right,
                ignoring_case,
            } => {
                let (op, beside) = match (&**left, &**right) {
                    (Expr::Path(_), other) => (*op, Beside::of(other)?),
                    (other, Expr::Path(_)) => (mirrored(*op), Beside::of(other)?),
                    _ => return None,
                };
                leaf.compared(op, beside, *ignoring_case, negated)
            }
            Expr::In {
                needle,
                among,
                ignoring_case,
            } if matches!(**needle, Expr::Path(_)) => {
                let among = among.iter().map(constant).collect::<Option<Vec<_>>>()?;
                leaf.among(&among, *ignoring_case, negated)
            }
            Expr::Between { value, low, high } if matches!(**value, Expr::Path(_)) => {
                let ends = [
                    (CompareOp::GreaterOrEqual, constant(low)?),
                    (CompareOp::LessOrEqual, constant(high)?),
                ];
                let ends =
                    ends.map(|(op, end)| leaf.compared(op, Beside::Value(end), false, negated));
                let [Some((low, a)), Some((high, b))] = ends else {
                    return None;
                };
                let both = vec![low, high];
                let condition = if negated {
                    Condition::Any(both)
                } else {
                    Condition::All(both)
                };
                Some((condition, a && b))
            }
            Expr::TextMatch {
                op,
                value,
                pattern,
                ignoring_case,
            } if matches!(**value, Expr::Path(_)) && !negated => {
                leaf.matched(*op, Beside::of(pattern)?, *ignoring_case)
            }
            Expr::IsNull(inner) if matches!(**inner, Expr::Path(_)) => {
                let condition = if negated {
                    leaf.not_null()
                } else {
                    leaf.null()
                };
                Some((condition, true))
            }
            Expr::IsEmpty(_) => {
                let empty = match property.storage {
                    Storage::Text => Value::Text(String::new()),
                    Storage::Bytes => Value::Blob(Vec::new()),
                    _ => return None,
                };
                let exactly = Leaf {
                    insensitive: false,
                    ..leaf
                };
                exactly.compared(CompareOp::Equal, Beside::Value(empty), false, negated)
            }
            _ => None,
        }
    }

    /// An element of a list of texts.
    pub(super) fn element_text(&self, property: usize, wanted: &Value) -> Option<Exactly> {
        let wanted = text::plain(wanted)?;
        let check = Check::Text(
            super::TextCheck::Element,
            Operand::Value(wanted),
            !self.case_insensitive,
        );
        Some((Condition::test(property, check), !self.case_insensitive))
    }
}

/// One property that conditions are made about.
#[derive(Clone, Copy)]
pub(super) struct Leaf<'a> {
    pub at: usize,
    pub property: &'a Property,
    /// It is the id, which stands for an int key.
    pub key: bool,
    /// Texts are to be put case-insensitively.
    pub insensitive: bool,
}

impl Leaf<'_> {
    pub fn test(&self, check: Check) -> Condition {
        Condition::test(self.at, check)
    }

    pub fn null(&self) -> Condition {
        match self.property.storage {
            Storage::ToOne(_) => self.test(Check::Int(CompareOp::Equal, Operand::Value(0))),
            _ if !self.property.optional => Condition::Never,
            _ => self.test(Check::Null),
        }
    }

    pub fn not_null(&self) -> Condition {
        match self.property.storage {
            Storage::ToOne(_) => self.test(Check::Int(CompareOp::NotEqual, Operand::Value(0))),
            _ if !self.property.optional => Condition::Always,
            _ => self.test(Check::NotNull),
        }
    }

    /// A comparison or its opposite. With a null on one side only `!=` holds,
    /// and only if there is none on the other.
    fn compared(
        &self,
        op: CompareOp,
        beside: Beside,
        ignoring_case: bool,
        negated: bool,
    ) -> Option<Exactly> {
        if let Beside::Value(Value::Null) = beside {
            let holds = op == CompareOp::NotEqual;
            let condition = match (holds, negated) {
                (true, false) => self.not_null(),
                (true, true) => self.null(),
                (false, false) => Condition::Never,
                (false, true) => Condition::Always,
            };
            return Some((condition, true));
        }
        let asked = if negated { opposite(op) } else { op };
        // What is true of a null: `!=`, and the opposite of all but `!=`.
        let with_null = (op == CompareOp::NotEqual) != negated;
        let (condition, exact) = self.valued(asked, beside, ignoring_case)?;
        Some(if with_null {
            (Condition::Any(vec![condition, self.null()]), exact)
        } else {
            (condition, exact)
        })
    }

    /// A comparison of what is not null.
    fn valued(&self, op: CompareOp, beside: Beside, ignoring_case: bool) -> Option<Exactly> {
        let value = match beside {
            Beside::Argument(at) => return self.parameter(op, at, ignoring_case),
            Beside::Value(value) => value,
        };
        let exact = |condition| Some((condition, true));
        match (&self.property.storage, &value) {
            (Storage::Id, _) if self.key => exact(int::keys(self, op, &value)?),
            (Storage::Long | Storage::Date, _) => exact(int::compared(self, op, &value)?),
            (Storage::Double, _) => exact(float::compared(self, op, &value)?),
            (Storage::Text | Storage::UuidText, _) => {
                text::compared(self, op, &value, ignoring_case)
            }
            (Storage::Bytes, Value::Blob(bytes)) => exact(self.bytes(op, bytes)),
            (Storage::UuidBytes, Value::Uuid(uuid)) => exact(self.bytes(op, uuid)),
            _ => None,
        }
    }

    fn bytes(&self, op: CompareOp, bytes: &[u8]) -> Condition {
        let test = |op| self.test(Check::Bytes(op, Operand::Value(bytes.to_vec())));
        match op {
            CompareOp::NotEqual => {
                Condition::Any(vec![test(CompareOp::Less), test(CompareOp::Greater)])
            }
            op => test(op),
        }
    }

    /// A comparison with an argument, whose type is seen at each execution.
    fn parameter(&self, op: CompareOp, at: usize, ignoring_case: bool) -> Option<Exactly> {
        if ignoring_case {
            return None;
        }
        let check = match self.property.storage {
            Storage::Id if self.key && op == CompareOp::Equal => {
                Check::Int(op, Operand::Argument(at))
            }
            Storage::Long | Storage::Date => Check::Int(op, Operand::Argument(at)),
            Storage::Text if text::by_value(self.property) && text::wider(op).is_some() => {
                return None;
            }
            Storage::Text => {
                let equal = op == CompareOp::Equal;
                let sensitive = !(equal && self.insensitive);
                let check = super::TextCheck::Compare(op);
                let check = Check::Text(check, Operand::Argument(at), sensitive);
                return Some((self.test(check), sensitive));
            }
            Storage::UuidText => {
                let check = super::TextCheck::Compare(op);
                Check::Text(check, Operand::Argument(at), true)
            }
            Storage::Double if !matches!(op, CompareOp::Equal | CompareOp::NotEqual) => {
                Check::Double(op, Operand::Argument(at))
            }
            Storage::Bytes | Storage::UuidBytes if op != CompareOp::NotEqual => {
                Check::Bytes(op, Operand::Argument(at))
            }
            _ => return None,
        };
        Some((self.test(check), true))
    }

    fn among(&self, among: &[Value], ignoring_case: bool, negated: bool) -> Option<Exactly> {
        let op = CompareOp::Equal;
        let each = among
            .iter()
            .filter(|value| !value.is_null())
            .map(|value| self.compared(op, Beside::Value(value.clone()), ignoring_case, negated))
            .collect::<Option<Vec<Exactly>>>()?;
        let exact = each.iter().all(|(_, exact)| *exact);
        let each: Vec<Condition> = each.into_iter().map(|(condition, _)| condition).collect();
        if negated {
            return Some((Condition::All(each), exact));
        }
        if text::by_value(self.property) && self.property.storage == Storage::Text {
            return Some((Condition::Any(each), exact));
        }
        Some((gathered(self.at, each), exact))
    }

    fn matched(&self, op: TextOp, beside: Beside, ignoring_case: bool) -> Option<Exactly> {
        if self.property.storage != Storage::Text {
            return None;
        }
        match beside {
            Beside::Value(pattern) => text::matched(self, op, &pattern, ignoring_case),
            Beside::Argument(at) => {
                if ignoring_case {
                    return None;
                }
                let check = text::check(op)?;
                let sensitive = !self.insensitive;
                let check = Check::Text(check, Operand::Argument(at), sensitive);
                Some((self.test(check), sensitive))
            }
        }
    }
}

/// Equalities with ints, or with texts, as one test.
fn gathered(at: usize, each: Vec<Condition>) -> Condition {
    let (mut ints, mut texts) = (Vec::new(), Vec::new());
    let mut sensitive = true;
    for condition in &each {
        match condition {
            Condition::Test(test) => match &test.check {
                Check::Int(CompareOp::Equal, Operand::Value(int)) => ints.push(*int),
                Check::Text(
                    super::TextCheck::Compare(CompareOp::Equal),
                    Operand::Value(text),
                    case,
                ) => {
                    texts.push(text.clone());
                    sensitive &= case;
                }
                _ => return Condition::Any(each),
            },
            Condition::Never => {}
            _ => return Condition::Any(each),
        }
    }
    match (ints.len(), texts.len()) {
        (0, 0) => Condition::Never,
        (2.., 0) => Condition::test(at, Check::Ints(ints)),
        (0, 2..) => Condition::test(at, Check::Texts(texts, sensitive)),
        _ => Condition::Any(each),
    }
}

pub(super) fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessOrEqual => CompareOp::GreaterOrEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterOrEqual => CompareOp::LessOrEqual,
        same => same,
    }
}

fn opposite(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Equal => CompareOp::NotEqual,
        CompareOp::NotEqual => CompareOp::Equal,
        CompareOp::Less => CompareOp::GreaterOrEqual,
        CompareOp::LessOrEqual => CompareOp::Greater,
        CompareOp::Greater => CompareOp::LessOrEqual,
        CompareOp::GreaterOrEqual => CompareOp::Less,
    }
}

/// The id that stands for a key, as the C API takes it.
pub(super) fn id_of(key: i64) -> Option<i64> {
    keys::of_key(key).map(|id| id as i64)
}
