//! SQLite against the oracle: predicates at random.

use proptest::prelude::*;

use super::fixture::*;
use super::oracle::pair;
use crate::base::Value;
use crate::plan::*;

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
