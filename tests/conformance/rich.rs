//! One schema with every type, relationship and rule.

use persist_lab::base::Value;
use persist_lab::plan::{
    ArithOp, Extent, FieldKind, Generator, Hook, Job, Ownership, Pool, Scalar, TemplatePart,
};

use super::schema::ask::*;
use super::schema::*;

pub const CITY: usize = 0;
pub const SCHOOL: usize = 1;
pub const COURSE: usize = 2;
pub const STUDENT: usize = 3;
pub const GRADE: usize = 4;
pub const LOCKER: usize = 5;
pub const ITEM: usize = 6;
pub const TEAM: usize = 7;
pub const PLAYER: usize = 8;

/// Fields of `Student`.
pub mod student {
    pub const ID: usize = 0;
    pub const FIRST: usize = 1;
    pub const AGE: usize = 2;
    pub const SCORE: usize = 3;
    pub const ACTIVE: usize = 4;
    pub const JOINED: usize = 5;
    pub const KIND: usize = 6;
    pub const TAGS: usize = 7;
    pub const MARKS: usize = 8;
    pub const NOTE: usize = 9;
    pub const PHOTO: usize = 10;
    pub const META: usize = 11;
    pub const SCHOOL: usize = 12;
    pub const COURSES: usize = 13;
    pub const GRADES: usize = 14;
    pub const LOCKER: usize = 15;
    pub const MENTOR: usize = 16;
}

/// Fields of `Item`.
pub mod item {
    pub const ID: usize = 0;
    pub const A: usize = 1;
    pub const B: usize = 2;
    pub const F: usize = 3;
    pub const BIG: usize = 4;
    pub const MOMENT: usize = 5;
    pub const CITY: usize = 6;
    pub const FLAG: usize = 7;
}

pub const CITIES: u64 = 6;
pub const SCHOOLS: u64 = 4;
pub const COURSES: u64 = 5;

/// Texts that are hard to compare, match, fold or quote.
pub const WORDS: &[&str] = &[
    "Jane",
    "jane",
    "JANE",
    "Ünï",
    "ünÏ",
    "50%",
    "505",
    "a_b",
    "axb",
    "",
    "\\back",
    "Straße",
    "STRASSE",
    "it's",
    "say \"x\"",
    "日本語",
    "ÉCOLE",
    "école",
    " ",
    "z",
];

pub fn pools() -> Vec<Pool> {
    vec![Pool {
        name: "words".into(),
        values: WORDS.iter().map(|w| Value::Text(w.to_string())).collect(),
    }]
}

/// `older(record, years)`, `shout(text)`, `fails()`
pub fn hooks() -> Vec<Hook> {
    let hook = |name: &str, parameters: &[&str], body: &str| Hook {
        name: name.into(),
        parameters: parameters.iter().map(|p| p.to_string()).collect(),
        body: body.into(),
        file: "test.exp".into(),
        line: 1,
        column: 1,
    };
    vec![
        hook(
            "older",
            &["record", "years"],
            "record.age != () && record.age > years",
        ),
        hook("shout", &["text"], "text + \"!\""),
        hook("fails", &["record"], "throw \"no\""),
    ]
}

fn uniform(low: i64, high: i64) -> persist_lab::plan::Expr {
    draw(Generator::Uniform {
        low: int(low),
        high: int(high),
    })
}

fn real(low: f64, high: f64) -> persist_lab::plan::Expr {
    draw(Generator::Uniform {
        low: float(low),
        high: float(high),
    })
}

fn word() -> persist_lab::plan::Expr {
    draw(Generator::Pool(0))
}

fn one_of(model: usize) -> persist_lab::plan::Expr {
    draw(Generator::Among {
        model,
        min: int(1),
        max: int(1),
        exponent: None,
    })
}

fn numbered(text: &str) -> persist_lab::plan::Expr {
    template(&[
        TemplatePart::Text(text.into()),
        TemplatePart::Value(persist_lab::plan::Expr::Row),
    ])
}

/// The schema with its data.
pub fn job() -> Job {
    use persist_lab::plan::Expr;
    let mut models = Models::default();
    models.add(
        "City",
        Some(0),
        vec![
            scalar("name", Scalar::Text, numbered("city ")),
            scalar("size", Scalar::Int, uniform(1, 3)),
        ],
    );
    models.add(
        "School",
        None,
        vec![
            scalar("name", Scalar::Text, draw(Generator::Cycle(0))),
            scalar(
                "founded",
                Scalar::Timestamp,
                draw(Generator::Timestamp {
                    from: Expr::Literal(Value::Timestamp(-1_000)),
                    to: Expr::Literal(Value::Timestamp(1_000)),
                }),
            ),
            declared(
                "city",
                to_one(CITY, Ownership::Linked, false),
                false,
                Some(one_of(CITY)),
            ),
        ],
    );
    models.add(
        "Course",
        Some(0),
        vec![
            scalar(
                "code",
                Scalar::Int,
                arith(ArithOp::Multiply, Expr::Row, int(10)),
            ),
            optional("title", Scalar::Text, sometimes_null(0.3, word())),
        ],
    );
    models.add(
        "Student",
        Some(student::ID),
        vec![
            scalar("id", Scalar::Uuid, draw(Generator::Uuid)),
            scalar("first", Scalar::Text, word()),
            optional("age", Scalar::Int, sometimes_null(0.2, uniform(10, 16))),
            optional(
                "score",
                Scalar::Float,
                sometimes_null(
                    0.2,
                    arith(
                        ArithOp::Divide,
                        draw(Generator::Uniform {
                            low: int(-8),
                            high: int(8),
                        }),
                        float(4.0),
                    ),
                ),
            ),
            scalar("active", Scalar::Bool, draw(Generator::Chance(float(0.5)))),
            scalar(
                "joined",
                Scalar::Timestamp,
                draw(Generator::Sequence {
                    start: Expr::Literal(Value::Timestamp(1_700_000_000_000)),
                    low: int(1),
                    high: int(9),
                }),
            ),
            scalar(
                "kind",
                Scalar::Enum(vec!["day".into(), "boarder".into(), "A*".into()]),
                draw(Generator::Weighted(vec![
                    ("day".into(), 0.5),
                    ("boarder".into(), 0.3),
                    ("A*".into(), 0.2),
                ])),
            ),
            list(
                "tags",
                Scalar::Text,
                draw(Generator::List {
                    min: int(0),
                    max: int(4),
                    item: word(),
                }),
            ),
            list(
                "marks",
                Scalar::Int,
                draw(Generator::List {
                    min: int(0),
                    max: int(3),
                    item: uniform(-2, 2),
                }),
            ),
            optional("note", Scalar::Text, sometimes_null(0.4, word())),
            scalar(
                "photo",
                Scalar::Blob,
                draw(Generator::Bytes {
                    min: int(0),
                    max: int(3),
                }),
            ),
            scalar(
                "meta",
                Scalar::Json,
                draw(Generator::Json(vec![
                    ("t".into(), real(-2.0, 2.0)),
                    ("n".into(), uniform(-2, 2)),
                    ("s".into(), word()),
                    ("b".into(), draw(Generator::Chance(float(0.5)))),
                    ("z".into(), sometimes_null(0.5, int(1))),
                ])),
            ),
            declared(
                "school",
                to_one(SCHOOL, Ownership::Shared { pool: SCHOOLS }, false),
                true,
                Some(sometimes_null(
                    0.2,
                    draw(Generator::Shared {
                        pool: int(SCHOOLS as i64),
                    }),
                )),
            ),
            declared(
                "courses",
                to_many(COURSE, Ownership::Linked, false, None),
                false,
                Some(draw(Generator::Among {
                    model: COURSE,
                    min: int(0),
                    max: int(3),
                    exponent: None,
                })),
            ),
            declared(
                "grades",
                to_many(GRADE, Ownership::Owned { max: 4 }, true, Some(3)),
                false,
                Some(draw(Generator::Owned {
                    min: int(0),
                    max: int(4),
                })),
            ),
            declared(
                "locker",
                to_one(LOCKER, Ownership::Owned { max: 1 }, true),
                true,
                Some(sometimes_null(
                    0.5,
                    draw(Generator::Owned {
                        min: int(1),
                        max: int(1),
                    }),
                )),
            ),
            declared(
                "mentor",
                to_one(STUDENT, Ownership::Linked, false),
                true,
                Some(either(
                    compare(persist_lab::plan::CompareOp::Less, Expr::Row, int(1)),
                    null(),
                    draw(Generator::At {
                        model: STUDENT,
                        row: arith(
                            ArithOp::Divide,
                            arith(ArithOp::Subtract, Expr::Row, int(1)),
                            int(2),
                        ),
                    }),
                )),
            ),
        ],
    );
    models.add(
        "Grade",
        None,
        vec![
            scalar(
                "subject",
                Scalar::Text,
                draw(Generator::Pick(vec![
                    text("maths"),
                    text("physics"),
                    text("art"),
                ])),
            ),
            scalar("mark", Scalar::Int, uniform(1, 6)),
            optional("extra", Scalar::Float, sometimes_null(0.5, real(0.0, 1.0))),
            back_link("student", STUDENT, student::GRADES, false),
        ],
    );
    models.add(
        "Locker",
        None,
        vec![
            scalar("number", Scalar::Int, Expr::Row),
            optional("label", Scalar::Text, sometimes_null(0.5, word())),
        ],
    );
    models.add(
        "Item",
        Some(item::ID),
        vec![
            scalar(
                "id",
                Scalar::Int,
                arith(ArithOp::Subtract, Expr::Row, int(3)),
            ),
            scalar("a", Scalar::Int, uniform(-5, 5)),
            scalar("b", Scalar::Text, numbered("item ")),
            optional(
                "f",
                Scalar::Float,
                sometimes_null(
                    0.3,
                    draw(Generator::Pick(vec![
                        float(0.0),
                        float(0.5),
                        float(-1.5),
                        float(1e300),
                        float(9_007_199_254_740_992.0),
                        float(2.0),
                    ])),
                ),
            ),
            scalar(
                "big",
                Scalar::Int,
                draw(Generator::Pick(vec![
                    int(i64::MAX),
                    int(i64::MIN),
                    int(0),
                    int(9_007_199_254_740_993),
                    int(2),
                ])),
            ),
            optional(
                "moment",
                Scalar::Timestamp,
                sometimes_null(
                    0.3,
                    draw(Generator::Timestamp {
                        from: Expr::Literal(Value::Timestamp(-5)),
                        to: Expr::Literal(Value::Timestamp(5)),
                    }),
                ),
            ),
            declared(
                "city",
                to_one(CITY, Ownership::Linked, false),
                true,
                Some(sometimes_null(0.3, one_of(CITY))),
            ),
            optional(
                "flag",
                Scalar::Bool,
                sometimes_null(0.3, draw(Generator::Chance(float(0.5)))),
            ),
        ],
    );
    models.index(ITEM, &[(item::A, false), (item::F, true)], false);
    models.index(ITEM, &[(item::B, false)], true);
    models.index(STUDENT, &[(student::FIRST, false)], false);
    models.add(
        "Team",
        None,
        vec![
            scalar("name", Scalar::Text, numbered("team ")),
            declared(
                "players",
                to_many(PLAYER, Ownership::Owned { max: 3 }, false, None),
                false,
                Some(draw(Generator::Owned {
                    min: int(0),
                    max: int(3),
                })),
            ),
        ],
    );
    models.add(
        "Player",
        None,
        vec![
            scalar("name", Scalar::Text, word()),
            scalar("rank", Scalar::Int, uniform(1, 3)),
        ],
    );
    let mut populations = vec![0; 9];
    populations[CITY] = CITIES;
    populations[COURSE] = COURSES;
    let all = 1 << 20;
    let extents = (0..9)
        .map(|model| Extent {
            model,
            first_row: 0,
            count: all,
            populations: populations.clone(),
        })
        .collect();
    models.job(extents)
}

/// Columns that spell out the whole state of a model, links by what names
/// their target.
pub fn state(job: &Job, model: usize) -> Vec<persist_lab::plan::Column> {
    let fields = &job.schema.models[model].fields;
    let mut paths: Vec<Vec<usize>> = Vec::new();
    for (field, declared) in fields.iter().enumerate() {
        match declared.kind.target() {
            None => paths.push(vec![field]),
            Some(target) => {
                let there = &job.schema.models[target];
                let names = (0..there.fields.len()).filter(|name| match there.key {
                    Some(key) => *name == key,
                    None => matches!(there.fields[*name].kind, FieldKind::Scalar(_)),
                });
                paths.extend(names.map(|name| vec![field, name]));
            }
        }
    }
    let paths: Vec<&[usize]> = paths.iter().map(Vec::as_slice).collect();
    columns(&paths)
}
