//! The packages that are fetched, pinned by version and hash.

/// A package whose library an engine needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The engine's name in experiments.
    pub kind: &'static str,
    /// Name of the package.
    pub package: &'static str,
    /// Version of the package.
    pub package_version: &'static str,
    /// Hash of the package as its registry states it: `sha512-` and Base64
    /// (npm) or `sha256-` and Base64 of the digest.
    pub package_hash: &'static str,
    /// The client that brings it.
    pub client: Client,
    /// Version of the engine inside.
    pub engine_version: &'static str,
    /// Counts up whenever what is built from the package changes; what another
    /// recipe built is not used.
    pub recipe: u32,
    /// Licence of the engine, in words.
    pub licence: &'static str,
    /// Builds for Linux on these architectures.
    pub architectures: &'static [&'static str],
}

/// A package client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// `npm pack`
    Npm,
    /// `pip download`
    Pip,
}

/// All of them.
pub const PINS: &[Pin] = &[REALM, OBJECTBOX, MMKV];

/// Realm Core, vendored whole in the last npm package that builds for Linux.
pub const REALM: Pin = Pin {
    kind: "realm",
    package: "realm",
    package_version: "10.24.0",
    package_hash: "sha512-r+WCHMyRiNszHkWwmTG7+x2rdZNgdXXcEWoivei0Fh1DtXcwIBToo/qlAktjxt/9K9aLxCU9eIOeZcbeU+Utaw==",
    client: Client::Npm,
    engine_version: "12.12.0",
    recipe: 1,
    licence: "Apache-2.0",
    architectures: &["x86_64", "aarch64"],
};

/// ObjectBox, a closed library inside a wheel.
pub const OBJECTBOX: Pin = Pin {
    kind: "objectbox",
    package: "objectbox-clib",
    package_version: "5.3.2",
    package_hash: "sha256-4eeuNv6mqUHf/uioSr000XhdFk78PrvswCT3/zSrnXY=",
    client: Client::Pip,
    engine_version: "5.3.2",
    recipe: 1,
    licence: "ObjectBox binary licence, free to use, not to be bundled",
    architectures: &["x86_64"],
};

/// MMKV's core, vendored in the React Native binding.
pub const MMKV: Pin = Pin {
    kind: "mmkv",
    package: "react-native-mmkv",
    package_version: "3.3.3",
    package_hash: "sha512-GMsfOmNzx0p5+CtrCFRVtpOOMYNJXuksBVARSQrCFaZwjUyHJdQzcN900GGaFFNTxw2fs8s5Xje//RDKj9+PZA==",
    client: Client::Npm,
    engine_version: "2.0.0",
    recipe: 2,
    licence: "BSD-3-Clause",
    architectures: &["x86_64", "aarch64"],
};

/// The pin of a kind; `None` where the engine needs no package.
pub fn of(kind: &str) -> Option<&'static Pin> {
    PINS.iter().find(|pin| pin.kind == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_one_pin() {
        for pin in PINS {
            assert_eq!(PINS.iter().filter(|p| p.kind == pin.kind).count(), 1);
            assert_eq!(of(pin.kind), Some(pin));
        }
        assert_eq!(of("sqlite"), None);
    }
}
