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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::engines::native::PINS;
    use crate::install::recipe::Library;
    use crate::install::{hash, inside};

    /// What reaches each library, under the number that its pin gives it.
    const NUMBERED: &[(&str, u32, &str)] = &[
        ("realm", 1, "c5233d42572a1849"),
        ("objectbox", 1, "d69ae3e69610d595"),
        ("mmkv", 2, "faec94a60a2cbd0d"),
    ];

    /// A hash of all that reaches the library.
    fn contents(library: &Library) -> String {
        let text = match library {
            Library::Inside(path) => (*path).to_owned(),
            Library::Built(build) => {
                let flags = (build.flags, build.cxx_flags, build.link_flags);
                format!(
                    "{:?}",
                    (build.root, build.sources, build.includes, build.own, flags)
                )
            }
        };
        hash::sha256_hex(text.as_bytes()).unwrap()[..16].to_owned()
    }

    /// Otherwise what an older recipe has built would be taken for the new.
    #[test]
    fn a_change_counts_the_recipe_up() {
        for pin in PINS {
            let recipe = of(pin).unwrap();
            let numbered = NUMBERED.iter().find(|(kind, ..)| *kind == pin.kind);
            assert_eq!(
                numbered,
                Some(&(pin.kind, pin.recipe, contents(&recipe.library).as_str())),
                "the recipe of {} has changed: count its `recipe` up in \
                 `engines/native/pin.rs`, and note number and hash here",
                pin.kind
            );
        }
    }

    #[test]
    fn names_stay_inside_and_come_once() {
        for pin in PINS {
            let Library::Built(build) = of(pin).unwrap().library else {
                continue;
            };
            let mut seen = BTreeSet::new();
            let names = build.sources().chain(build.own.iter().map(|own| own.path));
            for name in names {
                assert!(inside::below(Path::new("x"), name).is_some(), "{name}");
                assert!(seen.insert(name), "{name} comes twice");
            }
            assert!(seen.len() > 10);
        }
    }
}
