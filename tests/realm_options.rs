//! Realm under each of its options, held against the oracle by the suite of
//! all engines. Without the library it is skipped, and said to be.

#[allow(dead_code)]
mod conformance;
mod schema;

use std::path::Path;
use std::rc::Rc;

use conformance::{PARTS, run};
use persist_lab::base::Value;
use persist_lab::engines::realm::RealmEngine;
use persist_lab::engines::{
    Capabilities, Engine, EngineError, OptionSpec, Options, Presence, Session, Setting,
};
use persist_lab::plan::{Fidelity, Request, Tier};
use persist_lab::sample::Native;
use persist_lab::workload::HookRunner;

/// Realm with options filled in.
struct With(Options);

impl Engine for With {
    fn kind(&self) -> &'static str {
        "realm"
    }

    fn about(&self) -> &'static str {
        RealmEngine.about()
    }

    fn fidelity(&self) -> Fidelity {
        RealmEngine.fidelity()
    }

    fn version(&self) -> String {
        RealmEngine.version()
    }

    /// In memory nothing can be opened again.
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            persistent: self.tier(&self.0) != Tier::T0,
            ..RealmEngine.capabilities()
        }
    }

    fn options(&self) -> &'static [OptionSpec] {
        RealmEngine.options()
    }

    fn tier(&self, options: &Options) -> Tier {
        RealmEngine.tier(options)
    }

    fn explain(&self, setting: &Setting<'_>, request: &Request) -> Result<Native, EngineError> {
        RealmEngine.explain(setting, request)
    }

    fn open(
        &self,
        directory: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Box<dyn Session>, EngineError> {
        let setting = Setting {
            options: &self.0,
            ..*setting
        };
        RealmEngine.open(directory, &setting, hooks)
    }
}

fn conforms(name: &str, value: Value) {
    if RealmEngine.presence() != Presence::Here {
        assert!(std::env::var_os("CI").is_none(), "realm is not installed");
        eprintln!("SKIPPED realm with {name}: not installed");
        return;
    }
    let engine = With([(name.to_owned(), value)].into());
    for part in PARTS {
        let differences = run(&engine, part);
        assert!(
            differences.is_empty(),
            "{name}: {} differences in {}, the first ones:\n{}",
            differences.len(),
            part.0,
            differences[..differences.len().min(5)].join("\n"),
        );
    }
}

#[test]
fn embedded_children_answer_the_same() {
    conforms("children", Value::Text("embedded".into()));
}

#[test]
fn in_memory_it_answers_the_same() {
    conforms("in_memory", Value::Bool(true));
}

#[test]
fn unsynced_it_answers_the_same() {
    conforms("durability", Value::Text("off".into()));
}
