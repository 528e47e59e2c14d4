//! Probes of the worker's own process.

pub mod allocator;
pub mod io;
pub mod memory;
pub mod text;
pub mod usage;
