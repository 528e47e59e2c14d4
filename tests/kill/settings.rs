//! Which engines are killed, and under which options.

use persist_lab::base::Value;
use persist_lab::engines::{Engine, OptionKind, Options, registry};
use persist_lab::plan::Tier;

/// An engine under one set of options.
pub struct Setting {
    /// Its name: `sqlite journal_mode=wal synchronous=normal`.
    pub name: String,
    /// The engine.
    pub kind: &'static str,
    /// Its options.
    pub options: Options,
}

/// Options with their values.
type Combination = &'static [(&'static str, &'static str)];

/// Combinations that decide on durability together; every engine is killed at
/// its defaults as well, and those that are not here with each value of an
/// option that is called so.
const TOGETHER: &[(&str, &[Combination])] = &[
    (
        "sqlite",
        &[
            &[("journal_mode", "wal"), ("synchronous", "full")],
            &[("journal_mode", "wal"), ("synchronous", "normal")],
            &[("journal_mode", "wal"), ("synchronous", "off")],
            &[("journal_mode", "truncate")],
            &[("journal_mode", "persist"), ("synchronous", "normal")],
            &[("synchronous", "off")],
        ],
    ),
    (
        "coredata",
        &[&[("synchronous", "full")], &[("journal_mode", "delete")]],
    ),
    ("swiftdata", &[&[("synchronous", "full")]]),
    (
        "room",
        &[&[("synchronous", "full")], &[("journal_mode", "truncate")]],
    ),
    (
        "mmkv",
        &[
            &[("on_error", "recover")],
            &[("sync", "full")],
            &[("encoding", "binary")],
        ],
    ),
    (
        "realm",
        &[&[("durability", "off")], &[("children", "embedded")]],
    ),
];

/// Options that decide on durability, in engines that are not in [`TOGETHER`].
const DECIDING: &[&str] = &["journal_mode", "synchronous", "durability"];

/// All settings of engines that keep files, promise something, and are here.
pub fn all() -> Vec<Setting> {
    let mut settings = Vec::new();
    for engine in registry::here().filter(|engine| engine.capabilities().persistent) {
        let mut sets = vec![Options::new()];
        match TOGETHER.iter().find(|(kind, _)| *kind == engine.kind()) {
            Some((_, more)) => sets.extend(more.iter().map(|pairs| {
                let own = |(name, word): &(&str, &str)| {
                    ((*name).to_owned(), Value::Text((*word).to_owned()))
                };
                pairs.iter().map(own).collect()
            })),
            None => sets.extend(each_value(engine)),
        }
        for options in sets {
            if engine.tier(&options) == Tier::T0 {
                continue;
            }
            settings.push(Setting {
                name: name(engine.kind(), &options),
                kind: engine.kind(),
                options,
            });
        }
    }
    settings
}

fn each_value(engine: &dyn Engine) -> Vec<Options> {
    let mut sets = Vec::new();
    for option in engine.options() {
        if let (true, OptionKind::Symbol(words)) = (DECIDING.contains(&option.name), option.kind) {
            sets.extend(words.iter().map(|word| {
                let value = Value::Text((*word).to_owned());
                Options::from([(option.name.to_owned(), value)])
            }));
        }
    }
    sets
}

fn name(kind: &str, options: &Options) -> String {
    let mut name = kind.to_owned();
    for (option, value) in options {
        if let Value::Text(word) = value {
            name.push_str(&format!(" {option}={word}"));
        }
    }
    name
}
