//! Hands facts about the build to the program: an archive names its compiler and profile.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(|| "unknown".into(), |text| text.trim().to_owned());
    println!("cargo::rustc-env=PERSIST_LAB_COMPILER={version}");
    for (name, cargo) in [
        ("PERSIST_LAB_PROFILE", "PROFILE"),
        ("PERSIST_LAB_OPT_LEVEL", "OPT_LEVEL"),
        ("PERSIST_LAB_TARGET", "TARGET"),
    ] {
        let value = std::env::var(cargo).unwrap_or_else(|_| "unknown".into());
        println!("cargo::rustc-env={name}={value}");
    }
}
