//! One suite over any engine, against the oracle.

pub mod bench;
pub mod cases;
pub mod faulty;
pub mod random;
pub mod rich;
pub mod sorted;

pub(crate) use crate::schema;

use bench::Bench;
use persist_lab::engines::{Engine, Options};

/// One part of the suite: a name and what it does to a filled store.
pub type Part = (&'static str, fn(&mut Bench<'_>));

/// All parts.
pub const PARTS: &[Part] = &[
    ("predicates", cases::ask_predicates),
    ("questions", cases::ask_questions),
    ("changes", cases::change_fields),
    ("deletes", cases::delete_records),
    ("transactions", cases::transact),
];

/// Runs one part; what differed.
pub fn run(engine: &dyn Engine, part: &Part) -> Vec<String> {
    run_with(engine, Options::new(), part)
}

/// The same under these options.
pub fn run_with(engine: &dyn Engine, options: Options, part: &Part) -> Vec<String> {
    let mut bench = Bench::with(engine, options);
    bench.fill();
    bench.compare("filling");
    part.1(&mut bench);
    bench.differences
}
