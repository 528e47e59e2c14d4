//! The generators of values.

use super::coerce::coerce;
use super::field::Draw;
use super::json::write_json;
use super::letters::{letters, random_bytes};
use super::paragraph::paragraph;
use super::spell::{spell, spell_uuid};
use crate::base::Value;
use crate::plan::{Expr, Generator, Scalar, TemplatePart};
use crate::workload::eval::{EvalError, evaluate};
use crate::workload::random::permute;
use crate::workload::random::range::{below, between, float_between, gaussian, unit};

impl Draw<'_> {
    /// The value of a scalar field.
    pub(super) fn scalar(&self, expr: &Expr, scalar: &Scalar) -> Result<Value, EvalError> {
        coerce(evaluate(self, expr)?.into_owned(), scalar)
    }

    /// The value of a list field.
    pub(super) fn list(&self, expr: &Expr, scalar: &Scalar) -> Result<Value, EvalError> {
        match evaluate(self, expr)?.into_owned() {
            Value::List(items) => items
                .into_iter()
                .map(|item| coerce(item, scalar))
                .collect::<Result<_, _>>()
                .map(Value::List),
            Value::Null => Ok(Value::Null),
            other => Err(EvalError::wrong(format!("{other:?} is not a list"))),
        }
    }

    pub(super) fn generate(&self, generator: &Generator) -> Result<Value, EvalError> {
        match generator {
            Generator::Uniform { low, high } => self.uniform(low, high),
            Generator::Normal { mean, deviation } => {
                let (mean, deviation) = (self.float(mean)?, self.float(deviation)?);
                let normal = gaussian(&mut self.stream.borrow_mut());
                Ok(Value::Float(mean + deviation * normal))
            }
            Generator::Zipf { n, exponent } => {
                let n = self.int(n)?;
                let exponent = self.float(exponent)?;
                if n < 1 || !exponent.is_finite() || exponent < 0.0 {
                    return Err(EvalError::Draw(format!(
                        "no ranks in zipf({n}, {exponent})"
                    )));
                }
                Ok(Value::Int(self.rank(n as u64, exponent) as i64))
            }
            Generator::Pick(alternatives) => {
                let at = self.below(alternatives.len() as u64) as usize;
                match alternatives.get(at) {
                    Some(chosen) => Ok(evaluate(self, chosen)?.into_owned()),
                    None => Err(EvalError::Draw("nothing to pick from".into())),
                }
            }
            Generator::Weighted(cases) => {
                let mut left = unit(&mut self.stream.borrow_mut());
                for (case, weight) in cases {
                    if left < *weight {
                        return Ok(Value::Text(case.clone()));
                    }
                    left -= weight;
                }
                // Rounding can leave a rest beyond the last case.
                match cases.iter().rfind(|(_, weight)| *weight > 0.0) {
                    Some((case, _)) => Ok(Value::Text(case.clone())),
                    None => Err(EvalError::Draw("no case has a weight".into())),
                }
            }
            Generator::Chance(probability) => {
                let probability = self.float(probability)?;
                Ok(Value::Bool(
                    unit(&mut self.stream.borrow_mut()) < probability,
                ))
            }
            Generator::Sequence { start, low, high } => self.sequence(start, low, high),
            Generator::Cycle(pool) => self.pool_entry(*pool, |n| self.row % n),
            Generator::Pool(pool) => self.pool_entry(*pool, |n| self.below(n)),
            Generator::Shuffled { of, domain } => {
                let of = self.int(of)?;
                let inside = u64::try_from(of).ok();
                match inside.and_then(|x| permute(self.plan.key, *domain, x)) {
                    Some(to) => Ok(Value::Int(to as i64)),
                    None => Err(EvalError::Draw(format!(
                        "shuffled({of}): outside the {domain} rows of the model"
                    ))),
                }
            }
            Generator::Text { min, max } => {
                let length = self.length(min, max)?;
                Ok(Value::Text(letters(&mut self.stream.borrow_mut(), length)))
            }
            Generator::Paragraph { min, max } => {
                let length = self.length(min, max)?;
                Ok(Value::Text(paragraph(
                    &mut self.stream.borrow_mut(),
                    length,
                )))
            }
            Generator::Bytes { min, max } => {
                let length = self.length(min, max)?;
                let bytes = random_bytes(&mut self.stream.borrow_mut(), length);
                Ok(Value::Blob(bytes))
            }
            Generator::List { min, max, item } => (0..self.length(min, max)?)
                .map(|_| Ok(evaluate(self, item)?.into_owned()))
                .collect::<Result<_, EvalError>>()
                .map(Value::List),
            Generator::Timestamp { from, to } => {
                let (from, to) = (self.int(from)?, self.int(to)?);
                ordered(from, to)?;
                Ok(Value::Timestamp(between(
                    &mut self.stream.borrow_mut(),
                    from,
                    to,
                )))
            }
            Generator::Template(parts) => self.template(parts),
            Generator::Uuid => Ok(Value::Uuid(self.uuid())),
            Generator::Json(entries) => {
                let mut text = String::from("{");
                for (at, (key, expr)) in entries.iter().enumerate() {
                    if at > 0 {
                        text.push(',');
                    }
                    write_json(&Value::Text(key.clone()), &mut text);
                    text.push(':');
                    write_json(&*evaluate(self, expr)?, &mut text);
                }
                text.push('}');
                Ok(Value::Json(text))
            }
            Generator::Owned { .. }
            | Generator::Shared { .. }
            | Generator::Among { .. }
            | Generator::At { .. } => Err(EvalError::wrong("a link where a value is asked for")),
        }
    }

    pub(super) fn below(&self, n: u64) -> u64 {
        below(&mut self.stream.borrow_mut(), n)
    }

    pub(super) fn int(&self, expr: &Expr) -> Result<i64, EvalError> {
        match &*evaluate(self, expr)? {
            Value::Int(int) | Value::Timestamp(int) => Ok(*int),
            other => Err(EvalError::wrong(format!("{other:?} is not an int"))),
        }
    }

    pub(super) fn float(&self, expr: &Expr) -> Result<f64, EvalError> {
        match &*evaluate(self, expr)? {
            Value::Int(int) => Ok(*int as f64),
            Value::Float(float) => Ok(*float),
            other => Err(EvalError::wrong(format!("{other:?} is not a number"))),
        }
    }

    /// A length in `min..=max`; a fixed one draws nothing.
    pub(super) fn length(&self, min: &Expr, max: &Expr) -> Result<u64, EvalError> {
        let (min, max) = (self.int(min)?, self.int(max)?);
        ordered(min, max)?;
        let length = between_or_fixed(self, min, max);
        u64::try_from(length).map_err(|_| EvalError::Draw(format!("a length of {length}")))
    }

    fn uniform(&self, low: &Expr, high: &Expr) -> Result<Value, EvalError> {
        let (low, high) = (
            evaluate(self, low)?.into_owned(),
            evaluate(self, high)?.into_owned(),
        );
        let mut stream = self.stream.borrow_mut();
        match (low, high) {
            (Value::Int(low), Value::Int(high)) => {
                ordered(low, high)?;
                Ok(Value::Int(between(&mut stream, low, high)))
            }
            (Value::Timestamp(low), Value::Timestamp(high)) => {
                ordered(low, high)?;
                Ok(Value::Timestamp(between(&mut stream, low, high)))
            }
            (low, high) => {
                let (low, high) = (as_float(&low)?, as_float(&high)?);
                if low > high {
                    return Err(EvalError::Draw(format!("an empty range {low}..{high}")));
                }
                Ok(Value::Float(float_between(&mut stream, low, high)))
            }
        }
    }

    /// `start + row · (low + high) / 2 + jitter`, rounded down.
    ///
    /// Neighbours' rounded means differ by ⌊s/2⌋ or ⌈s/2⌉, s = low + high, and
    /// their jitters, each in `0..=j`, by at most j either way. With
    /// j = ⌊(high − low) / 2⌋ the difference stays within
    /// ⌊s/2⌋ − j ≥ low and ⌈s/2⌉ + j ≤ high.
    fn sequence(&self, start: &Expr, low: &Expr, high: &Expr) -> Result<Value, EvalError> {
        let start = evaluate(self, start)?.into_owned();
        let (low, high) = (self.int(low)?, self.int(high)?);
        ordered(low, high)?;
        let origin = match start {
            Value::Int(origin) | Value::Timestamp(origin) => origin,
            other => return Err(EvalError::wrong(format!("a sequence from {other:?}"))),
        };
        let (low, high) = (i128::from(low), i128::from(high));
        let mean = (i128::from(self.row))
            .checked_mul(low + high)
            .ok_or(EvalError::Overflow)?
            .div_euclid(2);
        // At most 2^63: the width of all ints, halved.
        let most = ((high - low) / 2) as u64;
        let jitter = if most == 0 { 0 } else { self.below(most + 1) };
        let value = i64::try_from(i128::from(origin) + mean + i128::from(jitter))
            .map_err(|_| EvalError::Overflow)?;
        Ok(match start {
            Value::Timestamp(_) => Value::Timestamp(value),
            _ => Value::Int(value),
        })
    }

    fn pool_entry(&self, pool: usize, at: impl Fn(u64) -> u64) -> Result<Value, EvalError> {
        let entries = self.source.pools.get(pool).map_or(&[][..], |p| &p.values);
        if entries.is_empty() {
            return Err(EvalError::Draw("the pool is empty".into()));
        }
        Ok(entries[at(entries.len() as u64) as usize].clone())
    }

    fn template(&self, parts: &[TemplatePart]) -> Result<Value, EvalError> {
        let mut text = String::new();
        for part in parts {
            match part {
                TemplatePart::Text(literal) => text.push_str(literal),
                // The commonest, without an owned value in between.
                TemplatePart::Value(Expr::Generate(inner)) if **inner == Generator::Uuid => {
                    spell_uuid(&self.uuid(), &mut text);
                }
                TemplatePart::Value(expr) => spell(&*evaluate(self, expr)?, &mut text),
            }
        }
        Ok(Value::Text(text))
    }

    /// 122 random bits in the shape of version 4, variant 1 (RFC 9562, 5.4).
    fn uuid(&self) -> [u8; 16] {
        let mut stream = self.stream.borrow_mut();
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&stream.bits().to_be_bytes());
        bytes[8..].copy_from_slice(&stream.bits().to_be_bytes());
        bytes[6] = bytes[6] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        bytes
    }
}

fn between_or_fixed(draw: &Draw<'_>, min: i64, max: i64) -> i64 {
    if min == max {
        min
    } else {
        between(&mut draw.stream.borrow_mut(), min, max)
    }
}

fn ordered(low: i64, high: i64) -> Result<(), EvalError> {
    if low > high {
        return Err(EvalError::Draw(format!("an empty range {low}..{high}")));
    }
    Ok(())
}

fn as_float(value: &Value) -> Result<f64, EvalError> {
    match value {
        Value::Int(int) => Ok(*int as f64),
        Value::Float(float) => Ok(*float),
        other => Err(EvalError::wrong(format!("{other:?} is not a number"))),
    }
}
