//! Functions of mathematics whose results are the same on every machine.
//!
//! rhai's own call the platform's library, whose last digit differs. These
//! take their place, under the same names.

use rhai::{Engine, EvalAltResult};

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("sin", libm::sin);
    engine.register_fn("cos", libm::cos);
    engine.register_fn("tan", libm::tan);
    engine.register_fn("sinh", libm::sinh);
    engine.register_fn("cosh", libm::cosh);
    engine.register_fn("tanh", libm::tanh);
    engine.register_fn("asin", libm::asin);
    engine.register_fn("acos", libm::acos);
    engine.register_fn("atan", libm::atan);
    engine.register_fn("atan", libm::atan2);
    engine.register_fn("asinh", libm::asinh);
    engine.register_fn("acosh", libm::acosh);
    engine.register_fn("atanh", libm::atanh);
    engine.register_fn("hypot", libm::hypot);
    engine.register_fn("exp", libm::exp);
    engine.register_fn("ln", libm::log);
    engine.register_fn("log", libm::log10);
    engine.register_fn("log", |x: f64, base: f64| libm::log(x) / libm::log(base));
    engine.register_fn("pow", libm::pow);
    engine.register_fn("pow", |x: f64, y: i64| libm::pow(x, y as f64));
    engine.register_fn("pow", |x: i64, y: f64| libm::pow(x as f64, y));
    engine.register_fn("pow", pow_int);
}

fn pow_int(x: i64, y: i64) -> Result<i64, Box<EvalAltResult>> {
    u32::try_from(y)
        .ok()
        .and_then(|y| x.checked_pow(y))
        .ok_or_else(|| format!("pow({x}, {y}) is not an int of 64 bits").into())
}
