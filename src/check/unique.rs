//! Whether a generator can give the same value twice.

use super::checker::Checker;
use super::constant::number;
use crate::plan::{ArithOp, Expr, Generator, TemplatePart};

/// What can be told of a generator's values over all rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unique {
    /// No two rows agree.
    Yes,
    /// Two rows can agree; says why.
    No(String),
    /// It cannot be told.
    Unknown,
}

impl Checker<'_> {
    pub fn uniqueness(&self, expr: &Expr) -> Unique {
        match expr {
            Expr::Row => Unique::Yes,
            Expr::Literal(_) | Expr::Name(_) => Unique::No("it is the same for every row".into()),
            Expr::Neg(inner) => self.uniqueness(inner),
            Expr::Arith { op, left, right } => self.arithmetic_uniqueness(*op, left, right),
            Expr::Compare { .. } | Expr::And(_) | Expr::Or(_) | Expr::Not(_) => {
                Unique::No("it is true or false".into())
            }
            Expr::Generate(generator) => self.generator_uniqueness(generator),
            _ => Unique::Unknown,
        }
    }

    fn arithmetic_uniqueness(&self, op: ArithOp, left: &Expr, right: &Expr) -> Unique {
        let fixed = |expr: &Expr| self.possible(expr).is_some_and(|v| !v.is_empty());
        let varying = match (fixed(left), fixed(right)) {
            (true, true) => return Unique::No("it is the same for every row".into()),
            (true, false) => right,
            (false, true) => left,
            (false, false) => return Unique::Unknown,
        };
        match op {
            ArithOp::Add | ArithOp::Subtract => self.uniqueness(varying),
            ArithOp::Multiply => {
                let factor = if fixed(left) { left } else { right };
                let values = self.possible(factor).unwrap_or_default();
                if values.iter().filter_map(number).any(|n| n == 0.0) {
                    Unique::No("it is multiplied by 0".into())
                } else {
                    self.uniqueness(varying)
                }
            }
            ArithOp::Divide if fixed(right) => {
                let one = self.possible(right).unwrap_or_default();
                if one.iter().filter_map(number).all(|n| n.abs() <= 1.0) {
                    Unique::Unknown
                } else {
                    Unique::No("division rounds several rows to one".into())
                }
            }
            ArithOp::Remainder if fixed(right) => {
                Unique::No("`mod` starts again after a while".into())
            }
            ArithOp::Divide | ArithOp::Remainder => Unique::Unknown,
        }
    }

    fn generator_uniqueness(&self, generator: &Generator) -> Unique {
        let no = |why: &str| Unique::No(why.to_owned());
        match generator {
            Generator::Uuid => Unique::Yes,
            Generator::Shuffled { of, .. } => self.uniqueness(of),
            Generator::Sequence { low, .. } => {
                let lows = self.possible(low).unwrap_or_default();
                if lows.iter().filter_map(number).any(|n| n <= 0.0) {
                    no("the step can be 0")
                } else {
                    Unique::Yes
                }
            }
            Generator::Template(parts) => {
                let mut result = no("nothing in the text changes from row to row");
                for part in parts {
                    if let TemplatePart::Value(inner) = part {
                        match self.uniqueness(inner) {
                            Unique::Yes => return Unique::Yes,
                            Unique::Unknown => result = Unique::Unknown,
                            Unique::No(why) => {
                                if result != Unique::Unknown {
                                    result = Unique::No(why);
                                }
                            }
                        }
                    }
                }
                // Several parts can be unique together.
                match result {
                    Unique::No(_) if parts.iter().filter(|p| is_value(p)).count() > 1 => {
                        Unique::Unknown
                    }
                    other => other,
                }
            }
            Generator::Uniform { .. } | Generator::Normal { .. } | Generator::Zipf { .. } => {
                no("random numbers meet by chance")
            }
            Generator::Pick(_) | Generator::Weighted(_) | Generator::Chance(_) => {
                no("there are few choices")
            }
            Generator::Cycle(_) => no("the pool starts again after its end"),
            Generator::Pool(_) => no("entries of a pool come many times"),
            Generator::Timestamp { .. } => no("random moments meet by chance"),
            _ => Unique::Unknown,
        }
    }
}

fn is_value(part: &TemplatePart) -> bool {
    matches!(part, TemplatePart::Value(_))
}
