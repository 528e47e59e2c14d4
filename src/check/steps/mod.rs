//! Steps: what each may say, and what the trial is like when it comes.

mod block;
mod compute;
mod delete;
mod expect;
pub(super) mod labels;
mod make;
mod neighbours;
mod order;
mod point;
mod read;
mod state;
mod step;
mod touching;
mod transaction;
mod update;

pub(super) use state::{StepFacts, TrialState};
