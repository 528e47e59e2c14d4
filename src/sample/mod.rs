//! What a worker reports and an archive keeps: plain, versioned data.

pub mod answer;
pub mod cell;
pub mod figures;
pub mod frame;
pub mod message;
pub mod provenance;

pub use answer::Answer;
pub use cell::{CellRecord, Outcome};
pub use figures::{FileSize, Latency, Memory, Native, StepSample, StepState};
pub use frame::{read_frame, write_frame};
pub use message::Message;
pub use provenance::{PROVENANCE_VERSION, Provenance};

/// Version of every type in this room, as written into archives.
pub const SAMPLE_VERSION: u32 = 1;
