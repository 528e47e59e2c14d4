//! Realm Core with its C interface, without sync, encryption and OpenSSL.

use crate::install::recipe::{Build, Library, Own, Recipe};

pub const RECIPE: Recipe = Recipe {
    package_bytes: 113_084_379,
    disk_bytes: 300_000_000,
    licences: &[
        "package/vendor/realm-core/LICENSE",
        "package/vendor/realm-core/THIRD-PARTY-NOTICES",
    ],
    library: Library::Built(Build {
        root: "package/vendor/realm-core/src",
        sources: include_str!("sources.txt"),
        includes: &[".", "external/IntelRDFPMathLib20U2/LIBRARY/src"],
        own: &[
            Own {
                path: "realm/util/config.h",
                text: include_str!("config.h"),
            },
            Own {
                path: "realm/version_numbers.hpp",
                text: include_str!("version_numbers.hpp"),
            },
            Own {
                path: "shim.cpp",
                text: include_str!("shim.cpp"),
            },
        ],
        flags: &[
            "-O2",
            "-DNDEBUG",
            "-fPIC",
            "-fvisibility=hidden",
            "-ffunction-sections",
            "-fdata-sections",
            "-DREALM_HAVE_EPOLL=1",
            "-DRealm_EXPORTS",
            "-D_LARGEFILE_SOURCE",
            "-D_LARGEFILE64_SOURCE",
        ],
        cxx_flags: &["-std=c++17", "-fvisibility-inlines-hidden"],
        link_flags: &[
            "-shared",
            "-pthread",
            "-Wl,--gc-sections",
            "-Wl,--no-undefined",
            "-Wl,--strip-all",
        ],
        job_bytes: 750_000_000,
    }),
};
