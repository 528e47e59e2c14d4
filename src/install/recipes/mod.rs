//! One folder per package: our file list, our glue, our flags.

mod mmkv;
mod objectbox;
mod realm;

use super::recipe::Recipe;
use crate::engines::native::Pin;

/// The recipe of a pin; `None` for a kind that no folder here is named for.
pub fn of(pin: &Pin) -> Option<&'static Recipe> {
    match pin.kind {
        "realm" => Some(&realm::RECIPE),
        "objectbox" => Some(&objectbox::RECIPE),
        "mmkv" => Some(&mmkv::RECIPE),
        _ => None,
    }
}
