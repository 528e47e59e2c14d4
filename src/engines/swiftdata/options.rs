//! Options: Core Data's, but for requests that SwiftData does not offer.

use std::sync::LazyLock;

use crate::base::Value;
use crate::engines::coredata::context::Settings;
use crate::engines::coredata::options::{self as coredata, settings as coredata_settings};
use crate::engines::{EngineError, OptionKind, OptionSpec, Options};

/// Core Data options without a counterpart in SwiftData.
const NOT_HERE: &[&str] = &["batch_insert"];

static ALL: LazyLock<Vec<OptionSpec>> = LazyLock::new(|| {
    let theirs = coredata::OPTIONS.iter().copied();
    let own = OptionSpec {
        name: "history",
        kind: OptionKind::Bool,
        default: "true",
        about: "persistent history at each save; SwiftData itself always writes it",
    };
    theirs
        .filter(|option| !NOT_HERE.contains(&option.name))
        .chain([own])
        .collect()
});

/// What `swiftdata` takes.
pub fn all() -> &'static [OptionSpec] {
    &ALL
}

/// How a context with these options fetches and writes.
pub fn settings(options: &Options) -> Result<Settings, EngineError> {
    Ok(Settings {
        // A `ModelContext` has no batch update.
        batch_update: false,
        ..coredata_settings(options, all())?
    })
}

/// Whether history is written.
pub fn history(options: &Options) -> bool {
    !matches!(options.get("history"), Some(Value::Bool(false)))
}
