//! SQLite against the oracle: every predicate, read, aggregate and change.

use proptest::prelude::*;

use super::data::*;
use super::fixture::*;
use super::predicates;
use crate::base::Value;
use crate::engines::{ErrorKind, Options};
use crate::plan::schema::ModelId;
use crate::plan::*;

const PERSONS: u64 = 60;

fn pair() -> Pair {
    Pair::new(&schema(), &Options::new(), PERSONS)
}

/// Everything that each model holds, without identities.
fn whole_state() -> Vec<Request> {
    let all = |model, columns: &[&str]| Request::Read(query(model, Select::All, columns));
    vec![
        all(
            PERSON,
            &[
                "id",
                "name",
                "age",
                "email",
                "joined",
                "active",
                "score",
                "tags",
                "marks",
                "meta",
                "kind",
                "photo",
                "club.number",
                "club.name",
                "profile.bio",
                "pets.name",
                "pets.weight",
                "courses.title",
                "boss.id",
            ],
        ),
        all(CLUB, &["number", "name", "city.name"]),
        all(PROFILE, &["bio", "person.name"]),
        all(PET, &["name", "weight", "owner.id", "toys.name"]),
        all(COURSE, &["title"]),
        all(CITY, &["name"]),
        all(TOY, &["name"]),
    ]
}

fn same_state(pair: &mut Pair, label: &str) {
    for request in whole_state() {
        pair.agree(label, &request, &[], false);
    }
}

#[test]
fn every_predicate_selects_what_the_oracle_selects() {
    let mut pair = pair();
    for (label, predicate) in predicates::cases() {
        let model = predicates::model(label);
        let arguments = [Value::Text("J%n%".into())];
        let negated = [("", predicate.clone()), ("not ", not(predicate))];
        for (prefix, predicate) in negated {
            let label = format!("{prefix}{label}");
            pair.agree(
                &label,
                &filtered(model, predicate.clone()),
                &arguments,
                false,
            );
            let column = if model == PERSON { "id" } else { "bio" };
            let read = query(model, Select::Where(predicate), &[column]);
            pair.agree(&label, &Request::Read(read), &arguments, false);
        }
    }
}

#[test]
fn everything_stored_comes_back() {
    let mut pair = pair();
    same_state(&mut pair, "stored");
    for columns in [
        vec![],
        vec!["meta.a", "meta.sensor.heat", "meta.none"],
        vec!["boss.tags", "boss.marks", "boss.pets.name"],
    ] {
        let read = query(PERSON, Select::All, &columns);
        pair.agree("columns", &Request::Read(read), &[], false);
    }
    let read = query(
        PROFILE,
        Select::All,
        &["bio", "person.pets.name", "person.club.city.name"],
    );
    pair.agree("over a back-link", &Request::Read(read), &[], false);
}

#[test]
fn order_limit_and_offset() {
    let mut pair = pair();
    for path in [
        "name",
        "email",
        "score",
        "active",
        "joined",
        "club.name",
        "club.city.name",
        "id",
        "photo",
    ] {
        for descending in [false, true] {
            for (limit, offset) in [
                (None, 0),
                (Some(7), 0),
                (Some(7), 5),
                (None, 50),
                (Some(0), 0),
                (Some(9), 100),
            ] {
                let mut read = query(PERSON, Select::All, &["id", "name"]);
                read.order = vec![
                    OrderKey {
                        path: at(PERSON, path),
                        descending,
                    },
                    OrderKey {
                        path: at(PERSON, "id"),
                        descending: false,
                    },
                ];
                (read.limit, read.offset) = (limit, offset);
                pair.agree(path, &Request::Read(read), &[], true);
            }
        }
    }
}

#[test]
fn aggregates() {
    let mut pair = pair();
    let p = |text: &str| path(PERSON, text);
    let nobody = Select::Where(compare(CompareOp::Greater, p("age"), int(1000)));
    let adults = Select::Where(compare(CompareOp::Greater, p("age"), int(17)));
    let mut page = query(PERSON, adults.clone(), &[]);
    page.order = vec![OrderKey {
        path: at(PERSON, "id"),
        descending: true,
    }];
    page.limit = Some(7);
    let queries = [
        query(PERSON, Select::All, &[]),
        query(PERSON, adults.clone(), &[]),
        query(PERSON, nobody, &[]),
        page,
    ];
    let mut of = vec![
        p("age"),
        p("joined"),
        arith(ArithOp::Multiply, p("age"), int(2)),
    ];
    of.push(Expr::CountOf {
        over: at(PERSON, "pets"),
        predicate: None,
    });
    for query in &queries {
        for of in &of {
            for function in [
                Aggregate::Sum,
                Aggregate::Average,
                Aggregate::Min,
                Aggregate::Max,
            ] {
                let request = Request::Aggregate {
                    query: query.clone(),
                    function,
                    of: of.clone(),
                };
                if !(function == Aggregate::Sum && *of == p("joined")) {
                    pair.agree("aggregate", &request, &[], false);
                }
            }
        }
        for (function, of) in [
            (Aggregate::Min, "name"),
            (Aggregate::Max, "email"),
            (Aggregate::Max, "score"),
            (Aggregate::Min, "club.name"),
        ] {
            let request = Request::Aggregate {
                query: query.clone(),
                function,
                of: p(of),
            };
            pair.agree(of, &request, &[], false);
        }
        // Floats add up within the tolerance of answers only.
        for function in [Aggregate::Sum, Aggregate::Average] {
            let request = Request::Aggregate {
                query: query.clone(),
                function,
                of: p("score"),
            };
            let [expected, got] = pair
                .ask(&request, &[], false)
                .map(|a| a.expect("an answer"));
            match (&expected.1[0][0], &got.1[0][0]) {
                (Value::Float(a), Value::Float(b)) => assert!((a - b).abs() <= 1e-9 * a.abs()),
                (a, b) => assert_eq!(a, b),
            }
            assert_eq!(expected.0, got.0);
        }
    }
    for per in ["kind", "active", "club.name", "email", "age"] {
        let request = Request::CountPer {
            model: PERSON,
            select: adults.clone(),
            per: at(PERSON, per),
        };
        pair.agree(per, &request, &[], false);
    }
}

#[test]
fn overflow_and_division_by_zero() {
    let mut pair = pair();
    let p = |text: &str| path(PERSON, text);
    let max = || int(i64::MAX);
    use ArithOp::*;
    let cases = [
        arith(Add, p("age"), max()),
        arith(Subtract, arith(Add, p("age"), max()), max()),
        arith(Multiply, p("age"), arith(Multiply, p("age"), max())),
        arith(
            Divide,
            arith(Add, p("age"), int(1)),
            arith(Remainder, p("age"), int(3)),
        ),
        arith(Remainder, p("age"), int(0)),
        arith(Divide, arith(Add, p("age"), max()), int(2)),
        Expr::Neg(arith(Subtract, int(i64::MIN), p("age")).into()),
        arith(Divide, Expr::Neg(p("age").into()), int(7)),
        arith(Remainder, Expr::Neg(p("age").into()), int(7)),
        arith(Divide, p("age"), float(2.0)),
        arith(Divide, p("score"), float(0.0)),
    ];
    for of in &cases {
        for function in [Aggregate::Max, Aggregate::Min] {
            let query = query(PERSON, Select::All, &[]);
            let request = Request::Aggregate {
                query,
                function,
                of: of.clone(),
            };
            pair.agree("overflow", &request, &[], false);
        }
        pair.agree(
            "overflow",
            &filtered(PERSON, compare(CompareOp::Less, of.clone(), int(3))),
            &[],
            false,
        );
        pair.agree(
            "overflow",
            &filtered(PERSON, Expr::IsNull(of.clone().into())),
            &[],
            false,
        );
    }
    let sum = Request::Aggregate {
        query: query(PERSON, Select::All, &[]),
        function: Aggregate::Sum,
        of: arith(Divide, max(), arith(Add, p("age"), int(1))),
    };
    pair.agree("sum", &sum, &[], false);
    for of in &cases[..3] {
        let set = |by| Request::Update {
            model: PERSON,
            select: Select::All,
            set: vec![(2, of.clone())],
            by,
        };
        for by in [UpdateBy::Statement, UpdateBy::Object] {
            let error = ask(&mut *pair.sqlite, &set(by), &[], false).expect_err("overflow");
            assert_eq!(error.kind, ErrorKind::Overflow, "{error} {of:?}");
        }
    }
    same_state(&mut pair, "a change that overflows changes nothing");
}

fn select_cases() -> Vec<(ModelId, Select, Vec<Value>)> {
    let p = |text: &str| path(PERSON, text);
    let named = Select::Where(equal(p("name"), text("Jane")));
    let in_ulm = Select::Where(equal(p("club.city.name"), text("Ulm")));
    let has_rex = Select::Where(quantified(
        Quantifier::Any,
        at(PERSON, "pets"),
        equal(path(PET, "name"), text("Rex")),
    ));
    vec![
        (PERSON, Select::Point(0), vec![uuid(5)]),
        (PERSON, Select::Point(0), vec![uuid(999)]),
        (PERSON, named, vec![]),
        (PERSON, in_ulm, vec![]),
        (PERSON, has_rex, vec![]),
        (
            PET,
            Select::Where(equal(path(PET, "owner.club.number"), int(7))),
            vec![],
        ),
        (PET, Select::All, vec![]),
        (
            CLUB,
            Select::Where(equal(path(CLUB, "number"), int(7))),
            vec![],
        ),
        (
            COURSE,
            Select::Where(equal(path(COURSE, "title"), text("Maths"))),
            vec![],
        ),
        (PERSON, Select::All, vec![]),
    ]
}

#[test]
fn deletes_cascade_and_unlink() {
    for (model, select, arguments) in select_cases() {
        for in_transaction in [false, true] {
            let mut pair = pair();
            if in_transaction {
                pair.sqlite.begin().unwrap();
                pair.memory.begin().unwrap();
            }
            let label = format!("{select:?}");
            let request = Request::Delete {
                model,
                select: select.clone(),
            };
            pair.agree(&label, &request, &arguments, false);
            if in_transaction {
                pair.sqlite.commit().unwrap();
                pair.memory.commit().unwrap();
            }
            same_state(&mut pair, &label);
        }
    }
}

#[test]
fn updates() {
    let p = |text: &str| path(PERSON, text);
    let sets: Vec<Vec<(usize, Expr)>> = vec![
        vec![
            (2, arith(ArithOp::Add, p("age"), int(1))),
            (1, text("Wendy")),
        ],
        vec![
            (3, Expr::Literal(Value::Null)),
            (12, Expr::Literal(Value::Null)),
        ],
        vec![
            (6, arith(ArithOp::Divide, p("age"), float(4.0))),
            (5, not(p("active"))),
        ],
        vec![
            (1, p("profile.bio")),
            (
                2,
                Expr::CountOf {
                    over: at(PERSON, "pets"),
                    predicate: None,
                },
            ),
        ],
        vec![
            (5, compare(CompareOp::Greater, p("score"), float(2.0))),
            (
                10,
                Expr::If {
                    condition: compare(CompareOp::Greater, p("score"), float(2.0)).into(),
                    then: text("staff").into(),
                    otherwise: text("guest").into(),
                },
            ),
        ],
    ];
    for (model, select, arguments) in select_cases() {
        if model != PERSON {
            continue;
        }
        for set in &sets {
            for by in [UpdateBy::Idiom, UpdateBy::Statement, UpdateBy::Object] {
                let mut pair = pair();
                let label = format!("{by:?} {set:?}");
                let request = Request::Update {
                    model,
                    select: select.clone(),
                    set: set.clone(),
                    by,
                };
                pair.agree(&label, &request, &arguments, false);
                same_state(&mut pair, &label);
            }
        }
    }
}

#[test]
fn identities_live_as_long_as_their_records() {
    let mut pair = pair();
    let mut read = query(PERSON, Select::All, &["id"]);
    read.columns.insert(0, Column::Identity);
    let (_, rows) = ask(&mut *pair.sqlite, &Request::Read(read), &[], false).unwrap();
    let point = Request::Read(query(PERSON, Select::Identity, &["id"]));
    let delete = Request::Delete {
        model: PERSON,
        select: Select::Identity,
    };
    for row in &rows {
        let (count, found) = ask(&mut *pair.sqlite, &point, &row[..1], false).unwrap();
        assert_eq!((count, &found[0][0]), (1, &row[1]));
    }
    for row in &rows {
        assert_eq!(
            ask(&mut *pair.sqlite, &delete, &row[..1], false).unwrap().0,
            1
        );
    }
    for model in [PERSON, PROFILE, PET, TOY] {
        let count = Request::Count {
            model,
            select: Select::All,
        };
        assert_eq!(
            ask(&mut *pair.sqlite, &count, &[], false).unwrap().0,
            0,
            "{model}"
        );
    }
}

#[test]
fn upserts_replace_by_key() {
    // Without what a person owns: an upsert's model owns nothing.
    let mut schema = schema();
    for field in [14, 13] {
        schema.models[PERSON].fields.remove(field);
    }
    schema.models[PROFILE].fields.pop();
    schema.models[PET].fields.remove(2);
    let bare = |row, generation| {
        let mut record = person(row, generation);
        record.fields.remove(14);
        record.fields.remove(13);
        record
    };
    let directory = tempfile::tempdir().unwrap();
    let hooks = hooks();
    let options = Options::new();
    let setting = crate::engines::Setting {
        schema: &schema,
        hooks: &hooks,
        options: &options,
    };
    let runner = || std::rc::Rc::new(Hooks);
    use crate::engines::Engine;
    let mut sessions = [
        crate::engines::memory::MemoryEngine
            .open(directory.path(), &setting, runner())
            .unwrap(),
        crate::engines::sqlite::Sqlite
            .open(directory.path(), &setting, runner())
            .unwrap(),
    ];
    let columns: Vec<Column> = [
        "id",
        "name",
        "age",
        "email",
        "tags",
        "marks",
        "club.number",
        "courses.title",
        "boss.id",
    ]
    .iter()
    .map(|c| {
        let mut path = at(PERSON, c);
        path.hops[0] -= 2 * usize::from(path.hops[0] > 14);
        if c.starts_with("courses") || c.starts_with("boss") {
            path.hops[0] = schema.models[PERSON]
                .field_named(c.split('.').next().unwrap())
                .unwrap();
        }
        Column::Path(path)
    })
    .collect();
    let all = Request::Read(Query {
        columns,
        ..query(PERSON, Select::All, &[])
    });
    let mut answers = Vec::new();
    for session in &mut sessions {
        for (model, records) in others() {
            session.insert(model, &records).unwrap();
        }
        let first: Vec<_> = (0..20).map(|row| bare(row, 0)).collect();
        session.upsert(PERSON, &first).unwrap();
        let second: Vec<_> = (0..30).map(|row| bare(row, 3)).collect();
        session.begin().unwrap();
        session.upsert(PERSON, &second).unwrap();
        session.commit().unwrap();
        answers.push(ask(&mut **session, &all, &[], false).unwrap());
    }
    assert_eq!(answers[0].0, 30);
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn a_hook_error_keeps_its_place() {
    let mut pair = pair();
    let failing = filtered(PERSON, hook(1, vec![text("x")]));
    pair.agree("hook", &failing, &[], false);
    let error = ask(&mut *pair.sqlite, &failing, &[], false).expect_err("it fails");
    assert!(
        matches!(error.kind, ErrorKind::Hook(ref e) if e.line == 3),
        "{error:?}"
    );
}

#[test]
fn what_is_rolled_back_is_gone() {
    let mut pair = pair();
    let delete = Request::Delete {
        model: PERSON,
        select: Select::All,
    };
    pair.sqlite.begin().unwrap();
    ask(&mut *pair.sqlite, &delete, &[], false).unwrap();
    pair.sqlite.rollback().unwrap();
    same_state(&mut pair, "rolled back");
    let twice = pair
        .sqlite
        .insert(PERSON, &[person(3, 0)])
        .expect_err("a key twice");
    assert_eq!(twice.kind, ErrorKind::Constraint);
    same_state(&mut pair, "a failed insert leaves nothing of itself");
}

/// Predicates over a person, at random.
fn predicate() -> impl Strategy<Value = Expr> {
    use CompareOp::*;
    let op = prop_oneof![
        Just(Equal),
        Just(NotEqual),
        Just(Less),
        Just(LessOrEqual),
        Just(Greater),
        Just(GreaterOrEqual)
    ];
    let number = || {
        prop_oneof![
            (-2i64..95).prop_map(int),
            Just(path(PERSON, "age")),
            Just(path(PERSON, "score")),
            Just(path(PERSON, "boss.age")),
            Just(path(PERSON, "boss.score")),
            (0i64..9).prop_map(|x| float(x as f64 / 2.0)),
            Just(Expr::CountOf {
                over: at(PERSON, "pets"),
                predicate: None
            }),
            Just(Expr::Literal(Value::Null)),
            (1i64..9).prop_map(|x| arith(ArithOp::Remainder, path(PERSON, "age"), int(x))),
            (-3i64..3).prop_map(|x| arith(ArithOp::Divide, path(PERSON, "boss.age"), int(x))),
            (-9i64..9).prop_map(|x| arith(ArithOp::Add, path(PERSON, "age"), int(x))),
        ]
    };
    let word = || {
        prop_oneof![
            Just(path(PERSON, "name")),
            Just(path(PERSON, "email")),
            Just(path(PERSON, "club.name")),
            Just(path(PERSON, "boss.email")),
            "[JjAaNn%_*é]{0,3}".prop_map(|t| text(&t)),
        ]
    };
    let matching_op = prop_oneof![
        Just(TextOp::Contains),
        Just(TextOp::StartsWith),
        Just(TextOp::EndsWith),
        Just(TextOp::Like)
    ];
    let leaf = prop_oneof![
        (op.clone(), number(), number()).prop_map(|(op, a, b)| compare(op, a, b)),
        (op, word(), word(), any::<bool>()).prop_map(|(op, a, b, c)| Expr::Compare {
            op,
            left: a.into(),
            right: b.into(),
            ignoring_case: c,
        }),
        (matching_op, word(), "[JjAaNn%_*é\\\\]{0,4}", any::<bool>())
            .prop_map(|(op, a, t, c)| matching(op, a, &t, c)),
        Just(path(PERSON, "active")),
        Just(path(PERSON, "boss.active")),
        number().prop_map(|a| Expr::IsNull(a.into())),
        (number(), number(), number()).prop_map(|(v, low, high)| Expr::Between {
            value: v.into(),
            low: low.into(),
            high: high.into(),
        }),
        (number(), prop::collection::vec(number(), 0..4)).prop_map(|(v, among)| Expr::In {
            needle: v.into(),
            among,
            ignoring_case: false,
        }),
        prop_oneof![
            Just("tags"),
            Just("marks"),
            Just("boss.tags"),
            Just("boss.marks"),
            Just("email"),
            Just("courses"),
            Just("boss.pets")
        ]
        .prop_map(|p| Expr::IsEmpty(at(PERSON, p))),
        (
            prop_oneof![
                Just(Quantifier::Any),
                Just(Quantifier::All),
                Just(Quantifier::None)
            ],
            0i64..9,
            prop_oneof![Just("pets"), Just("boss.pets")]
        )
            .prop_map(|(q, w, over)| quantified(
                q,
                at(PERSON, over),
                compare(Greater, path(PET, "weight"), float(w as f64))
            )),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Expr::And),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Expr::Or),
            inner.clone().prop_map(not),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, a, b)| Expr::If {
                condition: c.into(),
                then: a.into(),
                otherwise: b.into(),
            }),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| equal(a, b)),
            (inner.clone(), inner).prop_map(|(a, b)| compare(NotEqual, a, b)),
        ]
    })
}

#[test]
fn random_predicates_select_what_the_oracle_selects() {
    let mut pair = pair();
    let pair = std::cell::RefCell::new(&mut pair);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 1_500,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    runner
        .run(&predicate(), |predicate| {
            let read = Request::Read(query(PERSON, Select::Where(predicate), &["id"]));
            let [expected, got] = pair.borrow_mut().ask(&read, &[], false);
            let kind = |e: crate::engines::EngineError| e.kind;
            prop_assert_eq!(got.map_err(kind), expected.map_err(kind));
            Ok(())
        })
        .unwrap();
}
