//! The supervisor: one worker process per cell, and every result on disk
//! before the next cell begins.
//!
//! Whatever a worker does (out of memory, signal, panic, garbage, silence) is
//! a result with its cause; the supervisor itself goes on. A kill of the
//! supervisor leaves an archive that [`execute()`] can resume.

pub mod cell;
pub mod deaths;
pub mod ending;
pub mod environment;
pub mod estimate;
pub mod events;
pub mod execute;
pub mod harness;
pub mod interrupt;
pub mod judge;
pub mod options;
pub mod oracle;
pub mod portable;
pub mod process;
pub mod progress;
pub mod reference;
pub mod scrub;
pub mod setout;
pub mod summary;
pub mod supervisor;
pub mod transcript;
pub mod watch;
pub mod workplace;

pub use events::{Events, Progress, Silent};
pub use execute::execute;
pub use options::{RunOptions, WorkerCommand};
pub use progress::StderrProgress;
pub use summary::Summary;
