//! The plan: plain, versioned data; the only thing that a worker sees.
//!
//! Every seed, option, size and step stands here explicitly. `check` fills
//! these types with names of params and axes still open ([`Expr::Name`]);
//! `lower` closes them, so that a [`Job`] holds none.

pub mod assignment;
pub mod claim;
pub mod engine;
pub mod expr;
pub mod generator;
pub mod hook;
pub mod job;
pub mod limits;
pub mod order;
pub mod path;
pub mod query;
pub mod schema;
pub mod step;
pub mod study;
pub mod walk;

pub use assignment::Assignment;
pub use claim::{Claim, ClaimComparison};
pub use engine::{EngineRow, Fidelity, Tier};
pub use expr::{ArithOp, CompareOp, Expr, Quantifier, TextOp};
pub use generator::{Generator, TemplatePart};
pub use hook::Hook;
pub use job::{Extent, Job, Point, Pool};
pub use path::Path;
pub use query::{Aggregate, Column, OrderKey, Query, Request, Select, UpdateBy};
pub use schema::{Field, FieldKind, Index, IndexColumn, Model, Ownership, Scalar, Schema};
pub use step::{Access, At, Compute, Op, Step, Transaction};
pub use study::{Limits, Plan, Study};

/// Version of every type in this room, as written into archives.
pub const PLAN_VERSION: u32 = 1;
