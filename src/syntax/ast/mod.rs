//! What the author wrote, with the place of every part.
//!
//! The tree keeps parentheses, units and the text of numbers as written, and
//! every comment, so that a file can be printed again from it. Names are not
//! resolved here. [`shape`] compares two trees without places and layout.

mod claim;
mod engine;
mod experiment;
mod expr;
mod file;
mod hook;
mod literal;
mod model;
mod name;
mod pool;
mod shape;
mod step;
mod sweep;
mod trial;
mod trivia;
mod types;
mod r#use;

pub use claim::{Claim, Comparison};
pub use engine::{Engine, EngineOption, Preset};
pub use experiment::{
    CacheState, Experiment, Limit, LimitKind, QuickValue, RoundOrder, Setting, SettingKind,
};
pub use expr::{Arg, BinaryOp, Expr, ExprKind, InSet, LinkDraw, ObjectEntry, Quantifier, UnaryOp};
pub use file::{File, Item, ItemKind};
pub use hook::{Hook, HookBody};
pub use literal::{DateLit, Number, NumberLit, Text, TextPart};
pub use model::{
    Attribute, AttributeKind, CompositeIndex, CompositeUnique, Field, Model, ModelMember,
    ModelMemberKind,
};
pub use name::{Ident, Path};
pub use pool::{EnumItem, Pool, PoolSource};
pub use shape::{Comments, comments, shape};
pub use step::{
    Assignment, Compute, Count, Delete, Filter, OrderKey, Read, RepeatBlock, Step, StepKind,
    Touching, TouchingKind, Transaction, TransactionKind, Update, UpdateStyle,
};
pub use sweep::{Param, Sweep, SweepStep, SweepValues};
pub use trial::{Setup, Trial, TrialMember, TrialMemberKind};
pub use trivia::{Block, Broken, Comment, Layout, Trivia};
pub use types::{EnumCase, ScalarType, Type, TypeKind};
pub use r#use::{Use, UseSource};
