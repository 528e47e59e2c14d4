//! ObjectBox: the library lies in the wheel.

use crate::install::recipe::{Library, Recipe};

pub const RECIPE: Recipe = Recipe {
    package_bytes: 867_844,
    disk_bytes: 8_000_000,
    licences: &["objectbox_clib-5.3.2.dist-info/licenses/objectbox_clib/LICENSE"],
    library: Library::Inside("objectbox_clib/lib/x86_64/libobjectbox.so"),
};
