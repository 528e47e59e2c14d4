//! A rhai engine that can compute and nothing else.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicBlobPackage, BasicFnPackage, BasicIteratorPackage,
    BasicMapPackage, BasicMathPackage, BasicStringPackage, BitFieldPackage, LanguageCorePackage,
    LogicPackage, MoreStringPackage, Package,
};
use rhai::{Dynamic, Engine, EvalAltResult};

use super::{limits, math};

/// Token of a call that was ended for its number of operations.
pub(super) const OVER_OPERATIONS: i64 = 1;
/// Token of a call that was ended for its time.
pub(super) const OVER_TIME: i64 = 2;

/// Symbols that no hook has: other code, and `**`, whose float form differs
/// between machines (`pow` is there instead).
const DISABLED: &[&str] = &["import", "export", "eval", "**", "**="];

/// Counts one call's operations.
///
/// Not rhai's own count: that starts anew in a closure called by a built-in
/// function, such as the comparison of a `sort`.
#[derive(Default)]
pub(super) struct Meter {
    operations: Cell<u64>,
    deadline: Cell<Option<Instant>>,
}

impl Meter {
    /// Sets the meter for a call that starts now.
    pub(super) fn start(&self, now: Instant) {
        self.operations.set(0);
        self.deadline.set(now.checked_add(limits::DEADLINE));
    }

    /// One more operation; a token if it was one too many.
    fn tick(&self) -> Option<Dynamic> {
        let operations = self.operations.get() + 1;
        self.operations.set(operations);
        if operations > limits::MAX_OPERATIONS {
            return Some(Dynamic::from_int(OVER_OPERATIONS));
        }
        if operations.is_multiple_of(limits::DEADLINE_INTERVAL)
            && self.deadline.get().is_some_and(|at| Instant::now() > at)
        {
            return Some(Dynamic::from_int(OVER_TIME));
        }
        None
    }
}

/// The engine, and the meter that its scripts run by.
pub(super) fn engine() -> (Engine, Rc<Meter>) {
    // Names of closures are hashes: seeded at random by default, they would
    // make a text that shows one differ from run to run. Once set it stays.
    let _ = rhai::config::hashing::set_hashing_seed(Some([1, 2, 3, 4]));
    let mut engine = Engine::new_raw();
    register(&mut engine);
    for symbol in DISABLED {
        engine.disable_symbol(*symbol);
    }
    engine.set_max_modules(0);
    engine.set_max_call_levels(limits::MAX_CALL_DEPTH);
    engine.set_max_expr_depths(limits::MAX_EXPRESSION_DEPTH, limits::MAX_EXPRESSION_DEPTH);
    engine.set_max_string_size(limits::MAX_STRING_BYTES);
    engine.set_max_array_size(limits::MAX_ARRAY_LENGTH);
    engine.set_max_map_size(limits::MAX_MAP_ENTRIES);
    engine.set_max_variables(limits::MAX_VARIABLES);
    engine.set_max_functions(limits::MAX_FUNCTIONS);
    engine.set_strict_variables(true);
    engine.set_fail_on_invalid_map_property(true);
    let meter = Rc::new(Meter::default());
    let ticking = Rc::clone(&meter);
    engine.on_progress(move |_| ticking.tick());
    (engine, meter)
}

/// All standard packages but the one that tells the time.
fn register(engine: &mut Engine) {
    LanguageCorePackage::new().register_into_engine(engine);
    ArithmeticPackage::new().register_into_engine(engine);
    BasicStringPackage::new().register_into_engine(engine);
    BasicIteratorPackage::new().register_into_engine(engine);
    BasicFnPackage::new().register_into_engine(engine);
    BitFieldPackage::new().register_into_engine(engine);
    LogicPackage::new().register_into_engine(engine);
    BasicMathPackage::new().register_into_engine(engine);
    BasicArrayPackage::new().register_into_engine(engine);
    BasicBlobPackage::new().register_into_engine(engine);
    BasicMapPackage::new().register_into_engine(engine);
    MoreStringPackage::new().register_into_engine(engine);
    math::register(engine);
    // `sleep` is among the core functions.
    engine.register_fn("sleep", |_: i64| no_sleep());
    engine.register_fn("sleep", |_: f64| no_sleep());
}

fn no_sleep() -> Result<(), Box<EvalAltResult>> {
    Err("a hook cannot sleep".into())
}
