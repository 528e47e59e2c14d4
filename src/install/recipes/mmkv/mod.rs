//! MMKV: its core from the React Native binding, without encryption, with its
//! own CRC-32, behind a C interface of ours.

use crate::install::recipe::{Build, Library, Own, Recipe};

pub const RECIPE: Recipe = Recipe {
    package_bytes: 162_425,
    disk_bytes: 20_000_000,
    // The package carries no licence text; the sources name BSD-3-Clause.
    licences: &[],
    library: Library::Built(Build {
        root: "package/MMKV/Core",
        sources: include_str!("sources.txt"),
        includes: &["."],
        own: &[Own {
            path: "shim.cpp",
            text: include_str!("shim.cpp"),
        }],
        // `crc32.cpp` uses `read` and friends without including their header.
        flags: &[
            "-O2",
            "-DNDEBUG",
            "-fPIC",
            "-fvisibility=hidden",
            "-DMMKV_DISABLE_CRYPT",
            "-DMMKV_EMBED_ZLIB=1",
            "-include",
            "unistd.h",
        ],
        cxx_flags: &["-std=c++20", "-fvisibility-inlines-hidden"],
        link_flags: &[
            "-shared",
            "-pthread",
            "-Wl,--no-undefined",
            "-Wl,--strip-all",
        ],
        job_bytes: 300_000_000,
    }),
};
