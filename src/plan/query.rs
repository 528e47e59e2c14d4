//! What an engine is asked, with nothing left open but arguments.

use serde::{Deserialize, Serialize};

use super::expr::Expr;
use super::path::Path;
use super::schema::{FieldId, ModelId};

/// A question or a change, prepared once and executed with arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Delivers the records.
    Read(Query),
    /// Counts the records; delivers nothing, the count is what `execute` returns.
    Count {
        /// Of this model.
        model: ModelId,
        /// Which.
        select: Select,
    },
    /// Delivers one row `(value, count)` per distinct value (null included); returns their number.
    CountPer {
        /// Of this model.
        model: ModelId,
        /// Which.
        select: Select,
        /// Grouped by this scalar (or to-one link).
        per: Path,
    },
    /// Delivers one row with one value; returns the number of records aggregated over.
    Aggregate {
        /// Which records; `order`, `limit`, `offset` apply first, `columns` is unused.
        query: Query,
        /// How.
        function: Aggregate,
        /// Of what; null values are skipped.
        of: Expr,
    },
    /// Changes the records; returns how many matched. The set expressions read the values from before.
    Update {
        /// Of this model.
        model: ModelId,
        /// Which.
        select: Select,
        /// Scalar fields, or to-one links set to null, and their new values.
        set: Vec<(FieldId, Expr)>,
        /// How.
        by: UpdateBy,
    },
    /// Deletes the records, cascading as declared; returns how many matched (cascades not counted).
    Delete {
        /// Of this model.
        model: ModelId,
        /// Which.
        select: Select,
    },
}

/// Records of one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// Of this model.
    pub model: ModelId,
    /// Which.
    pub select: Select,
    /// In this order; any order when empty.
    pub order: Vec<OrderKey>,
    /// At most so many.
    pub limit: Option<u64>,
    /// After leaving out so many.
    pub offset: u64,
    /// What of each record is delivered; empty delivers rows without values.
    pub columns: Vec<Column>,
}

/// Which records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Select {
    /// All.
    All,
    /// Those for which it is true.
    Where(Expr),
    /// Those whose field equals argument 0.
    Point(FieldId),
    /// The one whose identity is argument 0, as [`Column::Identity`] delivered it.
    Identity,
}

/// A sort key: a scalar path; null first when ascending, last when descending.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrderKey {
    /// What.
    pub path: Path,
    /// Whether descending.
    pub descending: bool,
}

/// One delivered value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// The engine's own name for the record: any value, the same as long as the record lives.
    Identity,
    /// The value of a path. Ending at a to-one link: the stored reference
    /// (the target's identity), or null. Through a to-many link: a list.
    Path(Path),
}

/// `sum avg min max`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// An int of ints (overflow is an error), a float of floats; 0 of nothing.
    Sum,
    /// A float; null of nothing.
    Average,
    /// Null of nothing.
    Min,
    /// Null of nothing.
    Max,
}

/// How an update is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UpdateBy {
    /// As users of the engine would.
    Idiom,
    /// One object at a time: read, change, write.
    Object,
    /// One statement over the set, where the engine has such.
    Statement,
}
