//! The rhai host: limits, deadlines and what a hook may call.
