//! Snapshots of the SQL.

use super::fixture::*;
use super::predicates;
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
fn predicate_texts() {
    let requests: Vec<(&str, Request)> = predicates::cases()
        .into_iter()
        .map(|(label, predicate)| (label, filtered(predicates::model(label), predicate)))
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
