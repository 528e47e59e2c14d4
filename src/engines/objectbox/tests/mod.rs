//! Tests that need no library: encoding, compilation, words.

mod compiling;
mod explaining;
mod records;
mod shop;
