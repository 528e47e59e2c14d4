//! The plan: plain, versioned data; the only thing that a worker sees.
