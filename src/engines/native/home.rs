//! Where the user's data of this program lie.

use std::path::PathBuf;

/// The variable that overrides the place.
pub const VARIABLE: &str = "PERSIST_LAB_HOME";

/// `$PERSIST_LAB_HOME`, or `persist-lab` in the user's data directory
/// (`$XDG_DATA_HOME`, or `~/.local/share`); `None` where there is no home.
///
/// Source: XDG Base Directory Specification 0.8: a relative path is ignored there.
pub fn home() -> Option<PathBuf> {
    let variable = |name| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| !path.as_os_str().is_empty())
    };
    if let Some(own) = variable(VARIABLE) {
        return Some(own);
    }
    let data = variable("XDG_DATA_HOME")
        .filter(|path| path.is_absolute())
        .or_else(|| variable("HOME").map(|home| home.join(".local/share")))?;
    Some(data.join("persist-lab"))
}
