//! Snapshots of the SQL.

use super::fixture::*;
use crate::engines::sqlite::ddl;
use crate::engines::sqlite::explain::explain;
use crate::engines::sqlite::layout::Layout;
use crate::engines::{Options, Setting};
use crate::plan::*;

fn words(request: &Request) -> String {
    let (schema, hooks) = (schema(), hooks());
    let setting = Setting {
        schema: &schema,
        hooks: &hooks,
        options: &Options::new(),
    };
    match explain(&setting, request) {
        Ok(native) => {
            let mut words = native.text;
            for (label, part) in [("access", native.access), ("above", native.above)] {
                if let Some(part) = part {
                    words.push_str(&format!("\n-- {label}: {}", part.replace('\n', " / ")));
                }
            }
            words
        }
        Err(error) => format!("error: {error}"),
    }
}

fn all(requests: &[(&str, Request)]) -> String {
    let parts: Vec<String> = requests
        .iter()
        .map(|(label, request)| format!("# {label}\n{}", words(request)))
        .collect();
    parts.join("\n\n")
}

#[test]
fn tables_and_indexes() {
    let schema = schema();
    insta::assert_snapshot!(ddl::statements(&schema, &Layout::of(&schema)).join(";\n"));
}

#[test]
fn predicates() {
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
    let model = |label: &str| {
        if label.starts_with("back-link") {
            PROFILE
        } else {
            PERSON
        }
    };
    let requests: Vec<(&str, Request)> = cases
        .into_iter()
        .map(|(label, predicate)| (label, filtered(model(label), predicate)))
        .collect();
    insta::assert_snapshot!(all(&requests));
}

#[test]
fn reads_and_aggregates() {
    let p = |text: &str| path(PERSON, text);
    let adults = Select::Where(compare(CompareOp::GreaterOrEqual, p("age"), int(18)));
    let mut page = query(PERSON, adults.clone(), &["name", "age"]);
    page.order = vec![
        OrderKey {
            path: at(PERSON, "age"),
            descending: true,
        },
        OrderKey {
            path: at(PERSON, "name"),
            descending: false,
        },
    ];
    page.limit = Some(20);
    page.offset = 40;
    let mut identity = query(PERSON, Select::Identity, &["name"]);
    identity.columns.insert(0, Column::Identity);
    let aggregate = |function, of: Expr, query: &Query| Request::Aggregate {
        query: query.clone(),
        function,
        of,
    };
    let everyone = query(PERSON, Select::All, &[]);
    let doubled = arith(ArithOp::Multiply, p("age"), int(2));
    insta::assert_snapshot!(all(&[
        ("nothing of each", Request::Read(everyone.clone())),
        ("page", Request::Read(page.clone())),
        (
            "point",
            Request::Read(query(PERSON, Select::Point(0), &["id", "name"]))
        ),
        ("identity", Request::Read(identity)),
        (
            "links and json",
            Request::Read(query(
                PERSON,
                Select::All,
                &["club", "club.number", "club.city.name", "meta", "meta.a"],
            ))
        ),
        (
            "lists",
            Request::Read(query(
                PERSON,
                Select::All,
                &[
                    "name",
                    "tags",
                    "marks",
                    "pets.name",
                    "pets.weight",
                    "courses.title",
                    "boss.tags"
                ],
            ))
        ),
        (
            "lists behind links",
            Request::Read(query(
                PROFILE,
                Select::All,
                &["bio", "person", "person.pets.name"],
            ))
        ),
        (
            "count",
            Request::Count {
                model: PERSON,
                select: adults.clone()
            }
        ),
        (
            "count per",
            Request::CountPer {
                model: PERSON,
                select: adults,
                per: at(PERSON, "club.name"),
            }
        ),
        ("sum", aggregate(Aggregate::Sum, p("age"), &everyone)),
        (
            "sum of floats",
            aggregate(Aggregate::Sum, p("score"), &everyone)
        ),
        (
            "average",
            aggregate(Aggregate::Average, doubled.clone(), &everyone)
        ),
        ("max of a page", aggregate(Aggregate::Max, doubled, &page)),
        ("min", aggregate(Aggregate::Min, p("joined"), &everyone)),
    ]));
}

#[test]
fn changes() {
    let p = |text: &str| path(PERSON, text);
    let younger = arith(ArithOp::Subtract, p("age"), int(1));
    let update = |select, set, by| Request::Update {
        model: PERSON,
        select,
        set,
        by,
    };
    let in_ulm = Select::Where(equal(p("club.city.name"), text("Ulm")));
    let null = Expr::Literal(crate::base::Value::Null);
    insta::assert_snapshot!(all(&[
        (
            "point",
            update(
                Select::Point(0),
                vec![(2, younger.clone())],
                UpdateBy::Idiom
            )
        ),
        (
            "set over a path",
            update(
                in_ulm.clone(),
                vec![(2, younger.clone()), (3, p("boss.email"))],
                UpdateBy::Statement,
            )
        ),
        (
            "set with inner overflow",
            update(
                Select::All,
                vec![(
                    2,
                    arith(
                        ArithOp::Subtract,
                        arith(ArithOp::Multiply, p("age"), p("age")),
                        p("age")
                    )
                )],
                UpdateBy::Idiom,
            )
        ),
        (
            "unlink",
            update(Select::All, vec![(12, null)], UpdateBy::Idiom)
        ),
        (
            "by object",
            update(in_ulm.clone(), vec![(2, younger)], UpdateBy::Object)
        ),
        (
            "delete with an owned to-one",
            Request::Delete {
                model: PERSON,
                select: in_ulm
            }
        ),
        (
            "delete all",
            Request::Delete {
                model: PERSON,
                select: Select::All
            }
        ),
        (
            "delete children",
            Request::Delete {
                model: PET,
                select: Select::Where(equal(path(PET, "owner.club.number"), int(3))),
            }
        ),
        (
            "delete by identity",
            Request::Delete {
                model: TOY,
                select: Select::Identity
            }
        ),
    ]));
}
