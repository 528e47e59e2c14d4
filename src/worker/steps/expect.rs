//! `expect`: compares counts or results of earlier steps.

use std::collections::BTreeMap;

use crate::base::Value;
use crate::plan::step::Operand;
use crate::plan::{ArithOp, CompareOp};
use crate::sample::{Answer, StepState};
use crate::worker::done::Done;
use crate::worker::failure::Failure;
use crate::workload::compare::compare_values;
use crate::workload::eval;

/// Answers of the steps so far, by label; none of a step that was not applicable.
pub type Answers = BTreeMap<String, Answer>;

/// Judges the comparison. Over a step that the engine does not have it is not
/// applicable either.
pub fn run(
    answers: &Answers,
    left: &Operand,
    op: CompareOp,
    right: &Operand,
) -> Result<Done, Failure> {
    let sides = (side(answers, left)?, side(answers, right)?);
    let (Some(left), Some(right)) = sides else {
        return Ok(Done::not_applicable(
            "speaks of a step that did not run here",
        ));
    };
    Ok(Done {
        state: Some(StepState::Expected {
            held: holds(&left, op, &right),
            text: format!("{} {} {}", words(&left), symbol(op), words(&right)),
        }),
        ..Done::default()
    })
}

fn side(answers: &Answers, operand: &Operand) -> Result<Option<Value>, Failure> {
    Ok(match operand {
        Operand::Literal(value) => Some(value.clone()),
        Operand::Name(name) => {
            return Err(Failure::Plan(format!(
                "`{name}` is still open in an expect"
            )));
        }
        Operand::Count(label) => answers
            .get(label)
            .map(|answer| Value::Int(i64::try_from(answer.count).unwrap_or(i64::MAX))),
        Operand::Result(label) => answers.get(label).and_then(|answer| answer.value.clone()),
        Operand::Arith { op, left, right } => match (side(answers, left)?, side(answers, right)?) {
            (Some(left), Some(right)) => Some(arithmetic(*op, &left, &right)?),
            _ => None,
        },
    })
}

/// As in predicates.
fn arithmetic(op: ArithOp, left: &Value, right: &Value) -> Result<Value, Failure> {
    eval::arithmetic::arithmetic(op, left, right)
        .map_err(|error| Failure::Plan(format!("in an expect: {error}")))
}

/// As in predicates: with null nothing holds but that exactly one is null.
fn holds(left: &Value, op: CompareOp, right: &Value) -> bool {
    if left.is_null() || right.is_null() {
        return op == CompareOp::NotEqual && left.is_null() != right.is_null();
    }
    let order = compare_values(left, right);
    match op {
        CompareOp::Equal => order.is_eq(),
        CompareOp::NotEqual => order.is_ne(),
        CompareOp::Less => order.is_lt(),
        CompareOp::LessOrEqual => order.is_le(),
        CompareOp::Greater => order.is_gt(),
        CompareOp::GreaterOrEqual => order.is_ge(),
    }
}

fn symbol(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Equal => "==",
        CompareOp::NotEqual => "!=",
        CompareOp::Less => "<",
        CompareOp::LessOrEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterOrEqual => ">=",
    }
}

fn words(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) | Value::Timestamp(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(value) | Value::Json(value) => format!("{value:?}"),
        Value::Uuid(_) | Value::Blob(_) | Value::List(_) => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers() -> Answers {
        let answer = |count, value| Answer {
            count,
            value,
            ..Answer::default()
        };
        Answers::from([
            ("native".into(), answer(7, None)),
            ("sum".into(), answer(3, Some(Value::Float(10.5)))),
        ])
    }

    fn judge(left: Operand, op: CompareOp, right: Operand) -> StepState {
        run(&answers(), &left, op, &right).unwrap().state.unwrap()
    }

    #[test]
    fn counts_results_and_arithmetic_are_compared() {
        let count = || Operand::Count("native".into());
        let twice = Operand::Arith {
            op: ArithOp::Multiply,
            left: Box::new(count()),
            right: Box::new(Operand::Literal(Value::Int(2))),
        };
        let expected = |held, text: &str| StepState::Expected {
            held,
            text: text.into(),
        };
        assert_eq!(
            judge(count(), CompareOp::Equal, Operand::Literal(Value::Int(7))),
            expected(true, "7 == 7")
        );
        assert_eq!(
            judge(Operand::Result("sum".into()), CompareOp::Greater, twice),
            expected(false, "10.5 > 14")
        );
        assert_eq!(
            judge(count(), CompareOp::NotEqual, Operand::Literal(Value::Null)),
            expected(true, "7 != null")
        );
    }

    #[test]
    fn a_step_that_did_not_run_leaves_nothing_to_expect() {
        let state = judge(
            Operand::Count("make".into()),
            CompareOp::Equal,
            Operand::Literal(Value::Int(0)),
        );
        assert!(matches!(state, StepState::NotApplicable(_)));
    }

    #[test]
    fn overflow_is_an_error() {
        let most = || Box::new(Operand::Literal(Value::Int(i64::MAX)));
        let sum = Operand::Arith {
            op: ArithOp::Add,
            left: most(),
            right: most(),
        };
        let zero = Operand::Literal(Value::Int(0));
        assert!(run(&answers(), &sum, CompareOp::Equal, &zero).is_err());
    }
}
