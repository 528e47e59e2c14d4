//! One suite over every engine that is here, held against the oracle.
//!
//! An engine that is added to the registry is tested with nothing added here.

mod conformance;
mod schema;

use conformance::faulty::{FAULTS, Faulty};
use conformance::sorted::Sorted;
use conformance::{PARTS, Part, random, run, run_with};
use persist_lab::base::Value;
use persist_lab::engines::records::Encoding;
use persist_lab::engines::{Engine, Options, registry};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Layers that engines are built on, by themselves.
const LAYERS: [&dyn Engine; 2] = [&Sorted(Encoding::Json), &Sorted(Encoding::Binary)];

/// All engines that store anything and are here; only one of them where
/// `PERSIST_LAB_ONLY` names it.
fn engines() -> impl Iterator<Item = &'static dyn Engine> {
    let only = std::env::var("PERSIST_LAB_ONLY").ok();
    registry::here()
        .chain(LAYERS)
        .filter(|engine| engine.kind() != "null")
        .filter(move |engine| only.as_deref().is_none_or(|only| only == engine.kind()))
}

/// Under CI every adapter's engine must be here; elsewhere what is skipped is said.
#[test]
fn no_engine_is_skipped_in_silence() {
    let missing: Vec<String> = registry::adapters()
        .iter()
        .filter_map(|engine| {
            let why = engine.presence().missing()?;
            Some(format!("{}: {why}", engine.kind()))
        })
        .collect();
    if std::env::var_os("CI").is_some() {
        assert!(missing.is_empty(), "{}", missing.join("\n"));
    }
    for engine in missing {
        // Past the capture of the test harness: a skipped engine must be seen.
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), "SKIPPED {engine}");
    }
}

fn conforms(part: &Part) {
    for engine in engines() {
        let differences = run(engine, part);
        assert!(
            differences.is_empty(),
            "{}: {} differences in {}, the first ones:\n{}",
            engine.kind(),
            differences.len(),
            part.0,
            differences[..differences.len().min(12)].join("\n"),
        );
    }
}

#[test]
fn predicates_select_the_same_records() {
    conforms(&PARTS[0]);
}

#[test]
fn questions_have_the_same_answers() {
    conforms(&PARTS[1]);
}

#[test]
fn changes_have_the_same_outcome() {
    conforms(&PARTS[2]);
}

#[test]
fn deletes_take_the_same_along() {
    conforms(&PARTS[3]);
}

#[test]
fn transactions_keep_or_undo_the_same() {
    conforms(&PARTS[4]);
}

/// Options that change how an engine reads or writes, in sets that between
/// them change each: kind, then names and values.
const OTHER_OPTIONS: &[(&str, &[(&str, OptionValue)])] = &[
    ("room", &[("cursor_window", OptionValue::Bytes(16 << 10))]),
    (
        "room",
        &[
            ("rows", OptionValue::Word("columns")),
            ("journal_mode", OptionValue::Word("truncate")),
            ("observed", OptionValue::Word("none")),
            ("cursor_window", OptionValue::Bytes(16 << 10)),
        ],
    ),
    ("coredata", &[("fetch_batch_size", OptionValue::Number(3))]),
    (
        "coredata",
        &[
            ("returns_objects_as_faults", OptionValue::Switch(false)),
            ("relationship_prefetching", OptionValue::Switch(true)),
            ("delete_prefetching", OptionValue::Switch(false)),
        ],
    ),
    (
        "coredata",
        &[
            ("batch_insert", OptionValue::Switch(true)),
            ("batch_delete", OptionValue::Switch(true)),
        ],
    ),
    (
        "swiftdata",
        &[
            ("history", OptionValue::Switch(false)),
            ("batch_delete", OptionValue::Switch(true)),
            ("fetch_batch_size", OptionValue::Number(5)),
        ],
    ),
    ("objectbox", &[("text_index", OptionValue::Word("value"))]),
    (
        "objectbox",
        &[
            ("text_index", OptionValue::Word("hash64")),
            ("text_matching", OptionValue::Word("case_insensitive")),
            ("max_db_size", OptionValue::Bytes(64 << 20)),
        ],
    ),
];

enum OptionValue {
    Word(&'static str),
    Bytes(i64),
    Number(i64),
    Switch(bool),
}

#[test]
fn options_change_no_answer() {
    for (kind, options) in OTHER_OPTIONS {
        let Some(engine) = engines().find(|engine| engine.kind() == *kind) else {
            continue;
        };
        let options: Options = options
            .iter()
            .map(|(name, value)| {
                let value = match value {
                    OptionValue::Word(word) => Value::Text((*word).into()),
                    OptionValue::Bytes(number) | OptionValue::Number(number) => Value::Int(*number),
                    OptionValue::Switch(on) => Value::Bool(*on),
                };
                ((*name).to_owned(), value)
            })
            .collect();
        for part in PARTS {
            let differences = run_with(engine, options.clone(), part);
            assert!(
                differences.is_empty(),
                "{kind} with {options:?}: {} differences in {}, the first ones:\n{}",
                differences.len(),
                part.0,
                differences[..differences.len().min(12)].join("\n"),
            );
        }
    }
}

/// So many cases, the same ones each time: what fails here fails everywhere.
fn made_up(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn made_up_predicates_select_the_same_records() {
    for engine in engines() {
        let mut bench = conformance::bench::Bench::filled(engine);
        bench.overflow_may_differ = true;
        for model in [
            conformance::rich::STUDENT,
            conformance::rich::GRADE,
            conformance::rich::ITEM,
        ] {
            let mut runner = made_up(200);
            let bench = std::cell::RefCell::new(&mut bench);
            runner
                .run(&random::predicates(model, 3), |predicate| {
                    let mut bench = bench.borrow_mut();
                    let select = persist_lab::plan::Select::Where(predicate);
                    bench.ask_select("made up", model, select, &[]);
                    match bench.differences.pop() {
                        None => Ok(()),
                        Some(difference) => {
                            Err(proptest::test_runner::TestCaseError::fail(difference))
                        }
                    }
                })
                .unwrap_or_else(|failure| panic!("{}: {failure}", engine.kind()));
        }
    }
}

#[test]
fn made_up_sequences_have_the_same_outcome() {
    for engine in engines() {
        let mut runner = made_up(40);
        runner
            .run(&random::actions(), |actions| {
                let differences = random::run(engine, &actions);
                match differences.first() {
                    None => Ok(()),
                    Some(difference) => Err(proptest::test_runner::TestCaseError::fail(
                        difference.clone(),
                    )),
                }
            })
            .unwrap_or_else(|failure| panic!("{}: {failure}", engine.kind()));
    }
}

#[test]
fn every_fault_is_noticed() {
    for fault in FAULTS {
        let noticed = PARTS
            .iter()
            .any(|part| !run(&Faulty(*fault), part).is_empty());
        assert!(noticed, "{fault:?} went unnoticed");
    }
}
