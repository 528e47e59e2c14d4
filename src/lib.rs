//! A laboratory for embedded persistence.

pub mod archive;
pub mod base;
pub mod check;
pub mod cli;
pub mod diagnostics;
pub mod engines;
pub mod hooks;
pub mod lower;
pub mod plan;
pub mod probe;
pub mod report;
pub mod run;
pub mod sample;
pub mod stats;
pub mod syntax;
pub mod worker;
pub mod workload;
