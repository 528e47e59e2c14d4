//! Probes of the machine that supervisor and worker share: memory of a
//! process, files of a store and how much of them is resident, the disk.
//!
//! Everything is read from Linux's `/proc` or asked of the kernel; where the
//! kernel refuses, the caller gets the error and decides.

pub mod call;
pub mod clock;
pub mod files;
pub mod process;
pub mod residency;
pub mod settle;
pub mod sync;

pub use call::empty_call_ns;
pub use clock::monotonic_ns;
pub use files::{allocated_bytes, walk};
pub use process::{ProcessMemory, memory_of};
pub use residency::{Residency, drop_pages, residency};
pub use settle::settle;
pub use sync::fdatasync_median_ns;
