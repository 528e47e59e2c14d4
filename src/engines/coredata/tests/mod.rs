//! The graph's own behaviour: what is kept, what fires, what is written.

mod faults;
mod fixture;
mod saves;
mod text;
