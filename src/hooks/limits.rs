//! How far a hook may go. A limit that is hit is an error with its place.
//!
//! They stop a script that runs away, and stay out of the way of any that an
//! experiment can want. None of them bounds a hook in time alone, so that a
//! result never depends on the machine's speed, except [`DEADLINE`], which no
//! hook within the other limits should come near.

use std::time::Duration;

/// Operations (expressions, statements, passes of a loop) of one call, with all that it calls.
pub const MAX_OPERATIONS: u64 = 20_000_000;

/// Wall time of one call.
pub const DEADLINE: Duration = Duration::from_secs(20);

/// How many passing operations go by between two looks at the clock.
pub const DEADLINE_INTERVAL: u64 = 4_096;

/// Calls inside calls.
pub const MAX_CALL_DEPTH: usize = 24;

/// Nesting of expressions and blocks in a body; an `else if` nests too.
pub const MAX_EXPRESSION_DEPTH: usize = 48;

/// Bytes of all texts in one value.
pub const MAX_STRING_BYTES: usize = 64 << 20;

/// Elements of all arrays in one value, and bytes of its blobs.
pub const MAX_ARRAY_LENGTH: usize = 1_000_000;

/// Entries of all maps in one value.
pub const MAX_MAP_ENTRIES: usize = 4_000_000;

/// Variables that live at one time.
pub const MAX_VARIABLES: usize = 256;

/// Functions in one file's script, closures included.
pub const MAX_FUNCTIONS: usize = 4_096;
