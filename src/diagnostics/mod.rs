//! The one diagnostic type, for parse, check, hook and run errors alike.
