//! Random numbers of our own mapping: the same on every platform and release.
//!
//! The raw bits are xoshiro256++, seeded by [`stream`]; everything that turns
//! bits into values stands here, since no library promises that it never
//! changes. Transcendental functions come from `libm`, never from the platform.

pub mod permutation;
pub mod range;
pub mod stream;
pub mod zipf;

pub use permutation::permute;
pub use stream::{Stream, field_key, mix, name_key, row_key};
pub use zipf::Zipf;
