//! Random and structural generators: leaves of a generator expression.
//!
//! A field's generator is an [`Expr`]; arithmetic, conditions and hooks around
//! draws are expressions, the draws themselves stand here. One stream of random
//! numbers per (seed, model, field, row) serves all draws of the expression in
//! the order of evaluation.

use serde::{Deserialize, Serialize};

use super::expr::Expr;
use super::schema::ModelId;

/// Position of a pool in [`super::Plan::pools`].
pub type PoolId = usize;

/// A draw. Arguments are expressions so that params can stand in them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Generator {
    /// Even over `low..=high`: ints if both ends are ints, else floats in `[low, high)`.
    Uniform {
        /// Lower end.
        low: Expr,
        /// Upper end.
        high: Expr,
    },
    /// Gaussian, a float.
    Normal {
        /// Mean.
        mean: Expr,
        /// Standard deviation.
        deviation: Expr,
    },
    /// An int in `1..=n`, with probability proportional to `rank^-exponent`.
    Zipf {
        /// Number of ranks.
        n: Expr,
        /// Skew; 0 is even.
        exponent: Expr,
    },
    /// One of the alternatives, evenly.
    Pick(Vec<Expr>),
    /// One of the cases by weight; weights sum to 1.
    Weighted(Vec<(String, f64)>),
    /// True with this probability.
    Chance(Expr),
    /// `start + row · mean(step) + jitter`: int or timestamp; neighbours differ by `low..=high`.
    Sequence {
        /// Value at row 0, before jitter.
        start: Expr,
        /// Smallest step.
        low: Expr,
        /// Largest step.
        high: Expr,
    },
    /// The pool's entries in turn, by row.
    Cycle(PoolId),
    /// An entry of the pool, evenly.
    Pool(PoolId),
    /// A permutation of `0..domain`, applied to an int.
    Shuffled {
        /// The int, usually the row.
        of: Expr,
        /// Rows of this model in the whole trial; filled in by `lower`.
        domain: u64,
    },
    /// Random letters, digits and spaces; a length in characters.
    Text {
        /// Shortest.
        min: Expr,
        /// Longest.
        max: Expr,
    },
    /// English-looking words and full stops; a length in characters.
    Paragraph {
        /// Shortest.
        min: Expr,
        /// Longest.
        max: Expr,
    },
    /// Random bytes.
    Bytes {
        /// Shortest.
        min: Expr,
        /// Longest.
        max: Expr,
    },
    /// A scalar list.
    List {
        /// Shortest.
        min: Expr,
        /// Longest.
        max: Expr,
        /// Each element.
        item: Expr,
    },
    /// A timestamp, evenly over `from..=to` (milliseconds).
    Timestamp {
        /// Earliest.
        from: Expr,
        /// Latest.
        to: Expr,
    },
    /// Text with expressions filled in.
    Template(Vec<TemplatePart>),
    /// A version-4-shaped uuid; text when it fills a text field (`"{uuid}"` in a template).
    Uuid,
    /// A JSON object, keys in order.
    Json(Vec<(String, Expr)>),
    /// New children of this record.
    Owned {
        /// Fewest.
        min: Expr,
        /// Most.
        max: Expr,
    },
    /// One of the pool of shared objects, evenly.
    Shared {
        /// Size of the pool.
        pool: Expr,
    },
    /// Distinct objects of earlier steps: one for a to-one link, `min..=max` for a to-many.
    Among {
        /// Their model.
        model: ModelId,
        /// Fewest.
        min: Expr,
        /// Most.
        max: Expr,
        /// `zipf of`: skew towards low rows; even when absent.
        exponent: Option<Expr>,
    },
    /// The object of that row.
    At {
        /// Its model.
        model: ModelId,
        /// Its row.
        row: Expr,
    },
}

/// A piece of a text template.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TemplatePart {
    /// As it stands.
    Text(String),
    /// An expression's value, as text.
    Value(Expr),
}
