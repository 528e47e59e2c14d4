//! Facts in words: names of rows and points, states, warnings.

mod legend;
mod row;
mod warning;

pub use legend::legend;
pub use row::{
    engine_name, point_words, state_short, state_words, tier_long, tier_short, tier_words,
    value_words,
};
pub use warning::sentence;
