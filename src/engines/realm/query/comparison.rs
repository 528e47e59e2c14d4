//! Comparisons of a path with a value, with nulls as they mean here: only `!=`
//! holds where one side is null.

use super::builder::Builder;
use super::slot::{Operand, Wanted, fits};
use super::subject::Subject;
use super::text_match::folds_alike;
use crate::base::Value;
use crate::plan::{CompareOp, Scalar};
use crate::workload::compare::compare_values;

/// Holds for every object.
pub const TRUE: &str = "TRUEPREDICATE";
/// Holds for none.
pub const FALSE: &str = "FALSEPREDICATE";

/// The operation with its sides exchanged.
pub fn flipped(op: CompareOp) -> CompareOp {
    use CompareOp::*;
    match op {
        Less => Greater,
        LessOrEqual => GreaterOrEqual,
        Greater => Less,
        GreaterOrEqual => LessOrEqual,
        same => same,
    }
}

/// The operation that holds where this one does not, between values.
pub fn opposite(op: CompareOp) -> CompareOp {
    use CompareOp::*;
    match op {
        Equal => NotEqual,
        NotEqual => Equal,
        Less => GreaterOrEqual,
        LessOrEqual => Greater,
        Greater => LessOrEqual,
        GreaterOrEqual => Less,
    }
}

/// The operation as it is written.
pub fn sign(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Equal => "==",
        CompareOp::NotEqual => "!=",
        CompareOp::Less => "<",
        CompareOp::LessOrEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterOrEqual => ">=",
    }
}

/// What a comparison with a constant comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// This comparison.
    Compare(CompareOp, Value),
    /// Holds for every value.
    Values,
    /// Holds for every value and for null.
    Always,
    /// Never holds.
    Never,
}

impl Builder<'_> {
    /// Text of a comparison.
    pub fn compare(
        &mut self,
        subject: &Subject,
        op: CompareOp,
        operand: Operand,
    ) -> Option<String> {
        let value = match operand {
            Operand::Literal(value) => value,
            Operand::Argument(_) if natively(&subject.scalar, op) => {
                let wanted = Wanted::Exactly(subject.scalar.clone());
                let slot = self.slot(operand, wanted);
                return Some(write(subject, op, "", &slot));
            }
            Operand::Argument(_) => return None,
        };
        Some(match verdict(&subject.scalar, op, value)? {
            Verdict::Compare(op, value) => {
                let wanted = Wanted::Exactly(subject.scalar.clone());
                let slot = self.slot(Operand::Literal(value), wanted);
                write(subject, op, "", &slot)
            }
            Verdict::Values => self.null_test(subject, false),
            Verdict::Always => TRUE.into(),
            Verdict::Never => FALSE.into(),
        })
    }

    /// As [`Builder::compare`], perhaps after lower-casing.
    pub fn compare_case(
        &mut self,
        subject: &Subject,
        op: CompareOp,
        operand: Operand,
        ignoring_case: bool,
    ) -> Option<String> {
        if !ignoring_case || !matches!(subject.scalar, Scalar::Text | Scalar::Enum(_)) {
            return self.compare(subject, op, operand);
        }
        match &operand {
            Operand::Literal(Value::Text(text))
                if folds_alike(text, true) && natively(&subject.scalar, op) =>
            {
                let wanted = Wanted::Exactly(Scalar::Text);
                let slot = self.slot(operand, wanted);
                Some(write(subject, op, "[c]", &slot))
            }
            Operand::Literal(Value::Null) => self.compare(subject, op, operand),
            _ => None,
        }
    }

    /// Text of a comparison of two paths.
    pub fn compare_two(&self, a: &Subject, op: CompareOp, b: &Subject) -> Option<String> {
        let numbers = |s: &Subject| matches!(s.scalar, Scalar::Int | Scalar::Float);
        let comparable =
            a.scalar == b.scalar && natively(&a.scalar, op) || numbers(a) && numbers(b);
        if a.many || b.many || !comparable {
            return None;
        }
        let mut text = format!("{} {} {}", a.text, sign(op), b.text);
        if op != CompareOp::NotEqual {
            for side in [a, b] {
                if side.nullable {
                    text = format!("{text} AND {} != NULL", side.text);
                }
            }
        }
        Some(format!("({text})"))
    }

    /// Whether a path is null, or is not.
    pub fn null_test(&self, subject: &Subject, null: bool) -> String {
        let text = &subject.text;
        match (subject.nullable, subject.many, null) {
            (false, _, null) => (if null { FALSE } else { TRUE }).into(),
            (true, false, true) => format!("{text} == NULL"),
            (true, false, false) => format!("{text} != NULL"),
            (true, true, true) => format!("NOT (ANY {text} != NULL)"),
            (true, true, false) => format!("ANY {text} != NULL"),
        }
    }
}

/// A comparison as it is written. Behind a back-link there is one value or
/// none, and none differs from every value.
fn write(subject: &Subject, op: CompareOp, case: &str, slot: &str) -> String {
    let text = &subject.text;
    match (subject.many, op) {
        (false, op) => format!("{text} {}{case} {slot}", sign(op)),
        (true, CompareOp::NotEqual) => format!("NOT (ANY {text} =={case} {slot})"),
        (true, op) => format!("ANY {text} {}{case} {slot}", sign(op)),
    }
}

/// Whether Realm compares values of that type as they are compared here:
/// it orders texts and blobs by signed characters.
pub fn natively(scalar: &Scalar, op: CompareOp) -> bool {
    matches!(op, CompareOp::Equal | CompareOp::NotEqual)
        || matches!(
            scalar,
            Scalar::Int | Scalar::Float | Scalar::Timestamp | Scalar::Uuid
        )
}

/// A comparison with a constant, said with a constant of the property's own
/// type; `None` where that cannot be.
pub fn verdict(scalar: &Scalar, op: CompareOp, value: Value) -> Option<Verdict> {
    if value.is_null() {
        return Some(match op {
            CompareOp::NotEqual => Verdict::Values,
            _ => Verdict::Never,
        });
    }
    match (scalar, value) {
        (Scalar::Int | Scalar::Timestamp, Value::Float(float)) => whole(scalar, op, float),
        (Scalar::Int, Value::Timestamp(int)) => Some(Verdict::Compare(op, Value::Int(int))),
        (Scalar::Timestamp, Value::Int(ms)) => Some(Verdict::Compare(op, Value::Timestamp(ms))),
        (Scalar::Float, Value::Int(int)) => {
            let float = Value::Float(int as f64);
            let exact = compare_values(&float, &Value::Int(int)).is_eq();
            exact.then_some(Verdict::Compare(op, float))
        }
        (Scalar::Bool, Value::Bool(value)) => Some(truth(op, value)),
        (Scalar::Int, Value::Int(end @ (i64::MIN | i64::MAX))) => Some(extreme(op, end)),
        (scalar, value) => {
            (natively(scalar, op) && fits(&value, scalar)).then_some(Verdict::Compare(op, value))
        }
    }
}

/// An int property against an end of its range, where Realm's `NOT (x >= MIN)`
/// holds for every object.
fn extreme(op: CompareOp, end: i64) -> Verdict {
    use CompareOp::*;
    match (op, end == i64::MIN) {
        (Less, true) | (Greater, false) => Verdict::Never,
        (GreaterOrEqual, true) | (LessOrEqual, false) => Verdict::Values,
        (LessOrEqual, true) | (GreaterOrEqual, false) => Verdict::Compare(Equal, Value::Int(end)),
        (Greater, true) | (Less, false) | (Equal | NotEqual, _) => {
            Verdict::Compare(op, Value::Int(end))
        }
    }
}

/// An int property against a float: no int lies between `floor` and `ceil`.
fn whole(scalar: &Scalar, op: CompareOp, float: f64) -> Option<Verdict> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if float.is_nan() {
        return None;
    }
    let rounded = match op {
        CompareOp::Less | CompareOp::GreaterOrEqual => float.ceil(),
        _ => float.floor(),
    };
    let is_int = (-LIMIT..LIMIT).contains(&rounded);
    let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
    if !is_int || equality && rounded != float {
        let above = rounded >= LIMIT;
        return Some(match op {
            CompareOp::Equal => Verdict::Never,
            CompareOp::NotEqual => Verdict::Always,
            CompareOp::Less | CompareOp::LessOrEqual if above => Verdict::Values,
            CompareOp::Greater | CompareOp::GreaterOrEqual if !above => Verdict::Values,
            _ => Verdict::Never,
        });
    }
    let int = rounded as i64;
    match scalar {
        Scalar::Timestamp => Some(Verdict::Compare(op, Value::Timestamp(int))),
        _ => verdict(scalar, op, Value::Int(int)),
    }
}

/// `false < true`, without an order that the language lacks for bools.
fn truth(op: CompareOp, value: bool) -> Verdict {
    let equal = |value| Verdict::Compare(CompareOp::Equal, Value::Bool(value));
    match (op, value) {
        (CompareOp::Equal | CompareOp::NotEqual, value) => Verdict::Compare(op, Value::Bool(value)),
        (CompareOp::Less, true) | (CompareOp::LessOrEqual, false) => equal(false),
        (CompareOp::Greater, false) | (CompareOp::GreaterOrEqual, true) => equal(true),
        (CompareOp::LessOrEqual, true) | (CompareOp::GreaterOrEqual, false) => Verdict::Values,
        (CompareOp::Less, false) | (CompareOp::Greater, true) => Verdict::Never,
    }
}
