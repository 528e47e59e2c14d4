//! Words that every room shares: places in text, units, values.
