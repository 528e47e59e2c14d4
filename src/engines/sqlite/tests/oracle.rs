//! SQLite against the oracle: every predicate, read and aggregate.

use super::data::*;
use super::fixture::*;
use super::predicates;
use crate::base::Value;
use crate::engines::{ErrorKind, Options};
use crate::plan::*;

const PERSONS: u64 = 60;

pub fn pair() -> Pair {
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

pub fn same_state(pair: &mut Pair, label: &str) {
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
    for columns in [
        ["pets.owner.tags", "pets.owner.marks"],
        ["pets.name", "pets.owner.boss.marks"],
    ] {
        let read = query(PERSON, Select::All, &columns);
        pair.agree("lists in lists", &Request::Read(read), &[], false);
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
