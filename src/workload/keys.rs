//! Which records a step touches: drawn alike for every engine.

use super::random::range::below;
use super::random::{Stream, Zipf, mix, name_key};
use super::source::{GenerateError, Source};
use crate::base::Value;
use crate::plan::schema::{FieldId, FieldKind, ModelId};
use crate::plan::{Access, At, Scalar};
use crate::workload::eval::EvalError;

/// Draws rows: the i-th is a pure function of (seed, salt, i).
#[derive(Clone, Debug)]
pub struct Rows {
    at: At,
    population: u64,
    key: u64,
    zipf: Option<Zipf>,
}

impl Rows {
    /// Draws from rows `0..population`. `salt` keeps the draws of one step
    /// apart from those of other steps.
    pub fn new(seed: u64, salt: u64, at: At, population: u64) -> Self {
        let exponent = match at {
            At::Zipf(exponent) => Some(exponent),
            At::Latest => Some(1.0),
            _ => None,
        };
        Rows {
            at,
            population,
            key: mix(name_key(seed, "draws of steps") ^ mix(salt)),
            zipf: exponent.map(|exponent| Zipf::new(population, exponent)),
        }
    }

    /// The row of the i-th repetition; `None` where there is none: from an
    /// empty population, or for [`At::Missing`].
    pub fn row(&self, i: u64) -> Option<u64> {
        let last = self.population.checked_sub(1)?;
        let mut stream = self.stream(i);
        let rank = |stream: &mut Stream| {
            let drawn = self.zipf.as_ref().map_or(1, |zipf| zipf.draw(stream));
            drawn.clamp(1, self.population) - 1
        };
        Some(match self.at {
            At::First => 0,
            At::Middle => self.population / 2,
            At::Last => last,
            At::Random => below(&mut stream, self.population),
            At::Zipf(_) => rank(&mut stream),
            At::Latest => last - rank(&mut stream),
            At::Missing => return None,
        })
    }

    fn stream(&self, i: u64) -> Stream {
        Stream::new(mix(self.key ^ mix(i.wrapping_add(1))))
    }
}

/// Keys of a point access.
pub struct Keys<'s> {
    source: &'s Source,
    model: ModelId,
    field: FieldId,
    rows: Rows,
}

impl<'s> Keys<'s> {
    /// The keys that an access uses.
    pub fn new(source: &'s Source, model: ModelId, access: &Access) -> Self {
        Keys {
            source,
            model,
            field: access.field,
            rows: Rows::new(source.seed(), access.salt, access.at, access.population),
        }
    }

    /// The key of the i-th repetition: what the generator put into the field
    /// of the drawn row, or a value that no record has.
    pub fn key(&self, i: u64) -> Result<Value, GenerateError> {
        if let Some(row) = self.rows.row(i) {
            return self.source.value(self.model, self.field, row);
        }
        let model = self.source.schema().models.get(self.model);
        let field = model.and_then(|model| model.fields.get(self.field));
        let missing = match field.map(|field| &field.kind) {
            Some(FieldKind::Scalar(scalar)) => missing(scalar, &mut self.rows.stream(i)),
            _ => None,
        };
        missing.ok_or_else(|| GenerateError {
            field: field.map_or_else(String::new, |field| field.name.clone()),
            row: i,
            cause: EvalError::Draw("no value of this type is sure to be missing".into()),
        })
    }
}

/// The values of a drawn record that a block's body names.
pub fn bound(
    source: &Source,
    model: ModelId,
    row: u64,
    binds: &[FieldId],
) -> Result<Vec<Value>, GenerateError> {
    binds
        .iter()
        .map(|field| source.value(model, *field, row))
        .collect()
}

/// A value that no generated record has: numbers within 2^32 of the largest
/// (or far beyond any float drawn), texts that begin with a control character
/// which cannot be written in an experiment, uuids of version 8, blobs of 24
/// random bytes. `None` for bools, which have no other values.
fn missing(scalar: &Scalar, stream: &mut Stream) -> Option<Value> {
    let bits = stream.bits();
    let large = i64::MAX - (bits >> 32) as i64;
    Some(match scalar {
        Scalar::Bool => return None,
        Scalar::Int => Value::Int(large),
        Scalar::Timestamp => Value::Timestamp(large),
        Scalar::Float => Value::Float(1e300 + (bits >> 32) as f64 * 1e290),
        Scalar::Text | Scalar::Enum(_) => Value::Text(format!("\u{1}missing {bits:016x}")),
        Scalar::Json => Value::Json(format!("\"\\u0001missing {bits:016x}\"")),
        Scalar::Uuid => {
            let mut uuid = [0; 16];
            uuid[..8].copy_from_slice(&bits.to_be_bytes());
            uuid[8..].copy_from_slice(&stream.bits().to_be_bytes());
            uuid[6] = uuid[6] & 0x0f | 0x80;
            uuid[8] = uuid[8] & 0x3f | 0x80;
            Value::Uuid(uuid)
        }
        Scalar::Blob => {
            let words = [bits, stream.bits(), stream.bits()];
            Value::Blob(words.iter().flat_map(|word| word.to_le_bytes()).collect())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(at: At, population: u64, draws: u64) -> Vec<u64> {
        let rows = Rows::new(1, 2, at, population);
        let mut counts = vec![0; population as usize];
        for i in 0..draws {
            counts[rows.row(i).expect("a row") as usize] += 1;
        }
        counts
    }

    #[test]
    fn rows_lie_where_asked() {
        assert_eq!(counts(At::First, 5, 3), [3, 0, 0, 0, 0]);
        assert_eq!(counts(At::Middle, 5, 3), [0, 0, 3, 0, 0]);
        assert_eq!(counts(At::Last, 5, 3), [0, 0, 0, 0, 3]);
        let even = counts(At::Random, 10, 10_000);
        assert!(even.iter().all(|&n| (850..1150).contains(&n)), "{even:?}");
        let skewed = counts(At::Zipf(1.1), 10, 10_000);
        assert!(skewed.is_sorted_by(|a, b| a > b), "{skewed:?}");
        let newest = counts(At::Latest, 10, 10_000);
        assert!(newest.is_sorted(), "{newest:?}");
    }

    #[test]
    fn draws_depend_on_seed_salt_and_repetition_alone() {
        let row = |seed, salt, i| Rows::new(seed, salt, At::Random, 1 << 60).row(i);
        assert_eq!(row(1, 2, 3), row(1, 2, 3));
        let drawn = [row(1, 2, 3), row(2, 2, 3), row(1, 3, 3), row(1, 2, 4)];
        for (at, one) in drawn.iter().enumerate() {
            assert!(!drawn[..at].contains(one));
        }
        assert_eq!(Rows::new(1, 1, At::Random, 0).row(0), None);
        assert_eq!(Rows::new(1, 1, At::Zipf(1.0), 0).row(0), None);
        assert_eq!(Rows::new(1, 1, At::Missing, 9).row(0), None);
    }
}
