//! A predicate of every kind.

use super::fixture::*;
use crate::plan::schema::ModelId;
use crate::plan::*;

/// The model that a case is about.
pub fn model(label: &str) -> ModelId {
    if label.starts_with("back-link") {
        PROFILE
    } else {
        PERSON
    }
}

pub fn cases() -> Vec<(&'static str, Expr)> {
    use ArithOp::*;
    use CompareOp::*;
    use Quantifier::*;
    use TextOp::*;
    let p = |text: &str| path(PERSON, text);
    let cases: Vec<(&str, Expr)> = vec![
        ("equal", equal(p("name"), text("Jane"))),
        (
            "unequal, never null",
            compare(NotEqual, p("name"), text("Jane")),
        ),
        (
            "unequal, may be null",
            compare(NotEqual, p("email"), text("x")),
        ),
        ("not over never null", not(equal(p("age"), int(3)))),
        (
            "not over may be null",
            not(compare(Greater, p("score"), float(0.5))),
        ),
        (
            "and or",
            Expr::And(vec![
                equal(p("kind"), text("staff")),
                Expr::Or(vec![p("active"), compare(Less, p("age"), int(18))]),
            ]),
        ),
        (
            "a junction of one part is never null",
            compare(
                NotEqual,
                compare(Less, p("age"), int(0)),
                Expr::And(vec![Expr::If {
                    condition: p("active").into(),
                    then: p("boss.active").into(),
                    otherwise: equal(int(0), int(0)).into(),
                }]),
            ),
        ),
        ("bool", p("active")),
        ("not bool", not(p("active"))),
        (
            "in",
            Expr::In {
                needle: p("age").into(),
                among: vec![int(1), int(2)],
                ignoring_case: false,
            },
        ),
        (
            "in ignoring case",
            Expr::In {
                needle: p("name").into(),
                among: vec![text("ÄNNE"), text("Bob")],
                ignoring_case: true,
            },
        ),
        (
            "between",
            Expr::Between {
                value: p("age").into(),
                low: int(18).into(),
                high: int(65).into(),
            },
        ),
        ("contains", matching(Contains, p("name"), "an", false)),
        ("starts with", matching(StartsWith, p("name"), "Ja", false)),
        (
            "starts with, ignoring case",
            matching(StartsWith, p("name"), "Ja", true),
        ),
        ("ends with", matching(EndsWith, p("name"), "né", false)),
        ("like", matching(Like, p("name"), r"J_n%\%*", false)),
        ("like ignoring case", matching(Like, p("name"), "JA%", true)),
        (
            "like an argument",
            Expr::TextMatch {
                op: Like,
                value: p("name").into(),
                pattern: Expr::Arg(0).into(),
                ignoring_case: false,
            },
        ),
        ("is null", Expr::IsNull(p("email").into())),
        ("link is null", Expr::IsNull(p("club").into())),
        (
            "back-link is null",
            Expr::IsNull(path(PROFILE, "person").into()),
        ),
        ("list is null", Expr::IsNull(p("marks").into())),
        ("empty list", Expr::IsEmpty(at(PERSON, "tags"))),
        ("empty optional list", Expr::IsEmpty(at(PERSON, "marks"))),
        ("empty children", Expr::IsEmpty(at(PERSON, "pets"))),
        (
            "empty behind a link",
            Expr::IsEmpty(at(PERSON, "boss.tags")),
        ),
        ("empty text", Expr::IsEmpty(at(PERSON, "email"))),
        ("path", equal(p("club.city.name"), text("Ulm"))),
        ("key behind a link", equal(p("club.number"), int(7))),
        (
            "path over a required back-link",
            equal(p("profile.bio"), text("x")),
        ),
        ("json", compare(Greater, p("meta.sensor.heat"), float(30.0))),
        (
            "any children",
            quantified(
                Any,
                at(PERSON, "pets"),
                Expr::And(vec![
                    equal(path(PET, "name"), text("Rex")),
                    compare(Less, path(PET, "weight"), float(9.5)),
                ]),
            ),
        ),
        (
            "all children",
            quantified(
                All,
                at(PERSON, "pets"),
                compare(Less, path(PET, "weight"), float(9.5)),
            ),
        ),
        (
            "none linked",
            quantified(
                None,
                at(PERSON, "courses"),
                equal(path(COURSE, "title"), text("Maths")),
            ),
        ),
        (
            "any element",
            quantified(Any, at(PERSON, "tags"), equal(Expr::It, text("red"))),
        ),
        (
            "any of any",
            quantified(
                Any,
                at(PERSON, "pets"),
                quantified(Any, at(PET, "toys"), equal(path(TOY, "name"), text("ball"))),
            ),
        ),
        (
            "count",
            compare(
                Greater,
                Expr::CountOf {
                    over: at(PERSON, "courses"),
                    predicate: Option::None,
                },
                int(3),
            ),
        ),
        (
            "arithmetic",
            compare(
                Greater,
                arith(Add, arith(Multiply, p("age"), int(2)), int(1)),
                int(60),
            ),
        ),
        ("mod", equal(arith(Remainder, p("age"), int(7)), int(0))),
        ("hook", hook(0, vec![])),
        ("hook with an argument", hook(1, vec![int(65)])),
        (
            "two-valued as a value",
            equal(
                Expr::IsNull(p("email").into()),
                compare(Greater, p("score"), float(1.0)),
            ),
        ),
    ];
    cases
}
