//! `sum avg min max` over values.

use super::compare::compare_values;
use super::eval::EvalError;
use crate::base::Value;
use crate::plan::Aggregate;

/// Aggregates values one by one; nulls are skipped.
#[derive(Clone, Debug)]
pub struct Aggregator {
    function: Aggregate,
    count: u64,
    ints: i128,
    floats: CompensatedSum,
    any_float: bool,
    extreme: Option<Value>,
}

impl Aggregator {
    /// With nothing in it yet.
    pub fn new(function: Aggregate) -> Self {
        Aggregator {
            function,
            count: 0,
            ints: 0,
            floats: CompensatedSum::default(),
            any_float: false,
            extreme: None,
        }
    }

    /// Takes one value in.
    pub fn add(&mut self, value: &Value) -> Result<(), EvalError> {
        if value.is_null() {
            return Ok(());
        }
        self.count += 1;
        match self.function {
            Aggregate::Sum | Aggregate::Average => match value {
                Value::Int(int) | Value::Timestamp(int) => self.ints += i128::from(*int),
                Value::Float(float) => {
                    self.any_float = true;
                    self.floats.add(*float);
                }
                other => return Err(EvalError::wrong(format!("{other:?} is not a number"))),
            },
            Aggregate::Min => self.keep(value, std::cmp::Ordering::Less),
            Aggregate::Max => self.keep(value, std::cmp::Ordering::Greater),
        }
        Ok(())
    }

    /// The result: a sum of ints is an int (an overflow of it an error, however
    /// the partial sums ran), a sum of floats a float, of nothing the int 0; an
    /// average is a float; all but sums of nothing are null.
    pub fn finish(self) -> Result<Value, EvalError> {
        let float = || self.floats.value() + self.ints as f64;
        match self.function {
            Aggregate::Sum if self.any_float => Ok(Value::Float(float())),
            Aggregate::Sum => i64::try_from(self.ints)
                .map(Value::Int)
                .map_err(|_| EvalError::Overflow),
            Aggregate::Average if self.count == 0 => Ok(Value::Null),
            Aggregate::Average => Ok(Value::Float(float() / self.count as f64)),
            Aggregate::Min | Aggregate::Max => Ok(self.extreme.unwrap_or(Value::Null)),
        }
    }

    fn keep(&mut self, value: &Value, wanted: std::cmp::Ordering) {
        let better = match &self.extreme {
            Some(kept) => compare_values(value, kept) == wanted,
            None => true,
        };
        if better {
            self.extreme = Some(value.clone());
        }
    }
}

/// A sum of floats whose rounding errors are carried along (A. Neumaier,
/// "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen",
/// ZAMM 54, 1974): nearly independent of the order.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompensatedSum {
    sum: f64,
    lost: f64,
}

impl CompensatedSum {
    /// Adds one.
    pub fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        self.lost += if self.sum.abs() >= value.abs() {
            (self.sum - sum) + value
        } else {
            (value - sum) + self.sum
        };
        self.sum = sum;
    }

    /// The sum so far.
    pub fn value(&self) -> f64 {
        // Once infinite, what was lost is no number.
        if self.sum.is_finite() {
            self.sum + self.lost
        } else {
            self.sum
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aggregate(function: Aggregate, values: &[Value]) -> Result<Value, EvalError> {
        let mut aggregator = Aggregator::new(function);
        for value in values {
            aggregator.add(value)?;
        }
        aggregator.finish()
    }

    #[test]
    fn sums_lose_nothing() {
        let mut sum = CompensatedSum::default();
        for value in [1.0, 1e100, 1.0, -1e100] {
            sum.add(value);
        }
        assert_eq!(sum.value(), 2.0);
    }

    #[test]
    fn nothing_nulls_and_overflow() {
        use Aggregate::{Average, Max, Min, Sum};
        let none = [Value::Null];
        assert_eq!(aggregate(Sum, &none), Ok(Value::Int(0)));
        for function in [Average, Min, Max] {
            assert_eq!(aggregate(function, &none), Ok(Value::Null));
        }
        let ints = [Value::Int(i64::MAX), Value::Int(1)];
        assert_eq!(aggregate(Sum, &ints), Err(EvalError::Overflow));
        assert_eq!(
            aggregate(Sum, &[ints[0].clone(), ints[1].clone(), Value::Int(-1)]),
            Ok(Value::Int(i64::MAX))
        );
        assert_eq!(
            aggregate(Average, &[Value::Int(1), Value::Null, Value::Int(2)]),
            Ok(Value::Float(1.5))
        );
        let texts = ["b", "a", "c"].map(|t| Value::Text(t.into()));
        assert_eq!(aggregate(Min, &texts), Ok(Value::Text("a".into())));
        assert_eq!(aggregate(Max, &texts), Ok(Value::Text("c".into())));
    }
}
