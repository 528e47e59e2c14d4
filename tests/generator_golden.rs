//! What the generators make, pinned: no release may change a record.

mod schema;

use std::rc::Rc;

use persist_lab::base::Value;
use persist_lab::plan::{
    ArithOp, CompareOp, Expr, Extent, Generator, Job, Ownership, Pool, Scalar, TemplatePart,
};
use persist_lab::workload::source::spell;
use persist_lab::workload::{Content, NoHooks, Record, Source};
use proptest::prelude::*;
use schema::*;
use xxhash_rust::xxh3::xxh3_64;

const ROWS: u64 = 1_000;

fn everything() -> Job {
    let mut models = Models::default();
    let target = models.add(
        "Target",
        Some(0),
        vec![scalar("id", Scalar::Uuid, draw(Generator::Uuid))],
    );
    let child = 2;
    let fields = vec![
        scalar(
            "key",
            Scalar::Text,
            template(&[
                TemplatePart::Text("SKU-".into()),
                TemplatePart::Value(Expr::Row),
            ]),
        ),
        scalar(
            "uniform",
            Scalar::Int,
            draw(Generator::Uniform {
                low: int(0),
                high: int(98),
            }),
        ),
        scalar(
            "widened",
            Scalar::Float,
            draw(Generator::Uniform {
                low: int(1),
                high: int(3),
            }),
        ),
        scalar(
            "real",
            Scalar::Float,
            draw(Generator::Uniform {
                low: float(-20.0),
                high: float(60.0),
            }),
        ),
        scalar(
            "normal",
            Scalar::Float,
            draw(Generator::Normal {
                mean: float(9.81),
                deviation: float(1.0),
            }),
        ),
        scalar(
            "zipf",
            Scalar::Int,
            draw(Generator::Zipf {
                n: int(100),
                exponent: float(1.1),
            }),
        ),
        scalar(
            "pick",
            Scalar::Text,
            draw(Generator::Pick(vec![text("x"), text("y"), text("z")])),
        ),
        scalar(
            "weighted",
            Scalar::Enum(vec!["a".into(), "b".into()]),
            draw(Generator::Weighted(vec![
                ("a".into(), 0.25),
                ("b".into(), 0.75),
            ])),
        ),
        scalar("chance", Scalar::Bool, draw(Generator::Chance(float(0.6)))),
        scalar(
            "sequence",
            Scalar::Int,
            draw(Generator::Sequence {
                start: int(1_700_000_000),
                low: int(1),
                high: int(60),
            }),
        ),
        scalar(
            "moment",
            Scalar::Timestamp,
            draw(Generator::Sequence {
                start: Expr::Literal(Value::Timestamp(1_767_225_600_000)),
                low: int(1_000),
                high: int(90_000),
            }),
        ),
        scalar("cycle", Scalar::Text, draw(Generator::Cycle(0))),
        scalar("pool", Scalar::Text, draw(Generator::Pool(0))),
        scalar(
            "shuffled",
            Scalar::Int,
            draw(Generator::Shuffled {
                of: Expr::Row,
                domain: ROWS,
            }),
        ),
        scalar(
            "letters",
            Scalar::Text,
            draw(Generator::Text {
                min: int(8),
                max: int(40),
            }),
        ),
        scalar(
            "paragraph",
            Scalar::Text,
            draw(Generator::Paragraph {
                min: int(120),
                max: int(480),
            }),
        ),
        scalar(
            "bytes",
            Scalar::Blob,
            draw(Generator::Bytes {
                min: int(16),
                max: int(16),
            }),
        ),
        list(
            "list",
            Scalar::Int,
            draw(Generator::List {
                min: int(0),
                max: int(5),
                item: draw(Generator::Uniform {
                    low: int(0),
                    high: int(9),
                }),
            }),
        ),
        scalar(
            "timestamp",
            Scalar::Timestamp,
            draw(Generator::Timestamp {
                from: Expr::Literal(Value::Timestamp(0)),
                to: Expr::Literal(Value::Timestamp(86_400_000)),
            }),
        ),
        scalar("uuid", Scalar::Uuid, draw(Generator::Uuid)),
        scalar(
            "uuid_text",
            Scalar::Text,
            template(&[TemplatePart::Value(draw(Generator::Uuid))]),
        ),
        scalar(
            "json",
            Scalar::Json,
            draw(Generator::Json(vec![
                (
                    "t".into(),
                    draw(Generator::Uniform {
                        low: float(-1.0),
                        high: float(1.0),
                    }),
                ),
                (
                    "n".into(),
                    draw(Generator::Uniform {
                        low: int(0),
                        high: int(9),
                    }),
                ),
                ("s".into(), text("a\"b")),
            ])),
        ),
        optional(
            "optional",
            Scalar::Int,
            sometimes_null(
                0.1,
                draw(Generator::Uniform {
                    low: int(0),
                    high: int(9),
                }),
            ),
        ),
        scalar(
            "derived",
            Scalar::Int,
            arith(
                ArithOp::Add,
                arith(
                    ArithOp::Multiply,
                    Expr::Path(path(&[1], "uniform")),
                    int(1_000),
                ),
                Expr::Row,
            ),
        ),
        declared(
            "one",
            to_one(target, Ownership::Linked, false),
            false,
            Some(draw(Generator::Among {
                model: target,
                min: int(1),
                max: int(1),
                exponent: None,
            })),
        ),
        declared(
            "some",
            to_many(target, Ownership::Linked, false, None),
            false,
            Some(draw(Generator::Among {
                model: target,
                min: int(3),
                max: int(6),
                exponent: None,
            })),
        ),
        declared(
            "skewed",
            to_many(target, Ownership::Linked, false, None),
            false,
            Some(draw(Generator::Among {
                model: target,
                min: int(2),
                max: int(2),
                exponent: Some(float(1.0)),
            })),
        ),
        declared(
            "shared",
            to_one(target, Ownership::Shared { pool: 10 }, false),
            false,
            Some(draw(Generator::Shared { pool: int(10) })),
        ),
        declared(
            "parent",
            to_one(1, Ownership::Linked, false),
            true,
            Some(either(
                Expr::Compare {
                    op: CompareOp::Equal,
                    left: Box::new(Expr::Row),
                    right: Box::new(int(0)),
                    ignoring_case: false,
                },
                null(),
                draw(Generator::At {
                    model: 1,
                    row: arith(
                        ArithOp::Divide,
                        arith(ArithOp::Subtract, Expr::Row, int(1)),
                        int(8),
                    ),
                }),
            )),
        ),
        declared(
            "owned",
            to_many(child, Ownership::Owned { max: 7 }, true, Some(1)),
            false,
            Some(draw(Generator::Owned {
                min: int(2),
                max: int(7),
            })),
        ),
    ];
    let all = models.add("Everything", Some(0), fields);
    models.add(
        "Child",
        None,
        vec![
            scalar(
                "mark",
                Scalar::Int,
                draw(Generator::Uniform {
                    low: int(1),
                    high: int(6),
                }),
            ),
            back_link("owner", all, 29, false),
            declared(
                "of",
                to_one(target, Ownership::Linked, false),
                false,
                Some(draw(Generator::Among {
                    model: target,
                    min: int(1),
                    max: int(1),
                    exponent: None,
                })),
            ),
            scalar(
                "doubled",
                Scalar::Int,
                arith(
                    ArithOp::Multiply,
                    Expr::Path(path(&[1, 1], "owner.uniform")),
                    int(2),
                ),
            ),
        ],
    );
    models.job(vec![
        Extent {
            model: target,
            first_row: 0,
            count: 50,
            populations: vec![0, 0, 0],
        },
        Extent {
            model: all,
            first_row: 0,
            count: ROWS,
            populations: vec![50, 0, 0],
        },
    ])
}

fn source(seed: u64) -> Source {
    let pool = Pool {
        name: "pool".into(),
        values: ["red", "green", "blue"]
            .map(|t| Value::Text(t.into()))
            .to_vec(),
    };
    Source::new(&everything(), &[pool], seed, Rc::new(NoHooks))
}

fn words(content: &Content, out: &mut String) {
    match content {
        Content::Value(value) => spell(value, out),
        Content::Link(None) => out.push_str("none"),
        Content::Link(Some(target)) => out.push_str(&target.row.to_string()),
        Content::Links(targets) => {
            for target in targets {
                out.push_str(&format!("{} ", target.row));
            }
        }
        Content::Children(children) => {
            for child in children {
                out.push_str(&format!("{}:", child.row));
                for field in &child.fields {
                    words(field, out);
                    out.push(',');
                }
            }
        }
        Content::Owner => out.push_str("owner"),
    }
}

fn spelled(record: &Record, field: usize) -> String {
    let mut out = String::new();
    words(&record.fields[field], &mut out);
    out
}

/// Field, digest of its first 1,000 rows, rows 0 to 2.
const GOLDEN: &[(&str, u64, [&str; 3])] = &[
    ("key", 0x006f70b7c29bbacc, ["SKU-0", "SKU-1", "SKU-2"]),
    ("uniform", 0x1f2b77576b666e34, ["40", "39", "25"]),
    ("widened", 0xabe4ac18e58de8fc, ["2.0", "3.0", "2.0"]),
    (
        "real",
        0xa37750c11b59ef54,
        [
            "47.47740743526063",
            "25.186223673492776",
            "0.0034964889619271133",
        ],
    ),
    (
        "normal",
        0x34918508592715b9,
        [
            "8.566466354301685",
            "8.660819465357156",
            "10.84711409104994",
        ],
    ),
    ("zipf", 0x8a54e435e164b51c, ["30", "2", "4"]),
    ("pick", 0x0b05c70bf8d427eb, ["z", "y", "z"]),
    ("weighted", 0x4f4477f371859d1b, ["b", "a", "b"]),
    ("chance", 0x050fb4b30c2fbc5e, ["true", "false", "false"]),
    (
        "sequence",
        0x276877e4435202f1,
        ["1700000000", "1700000038", "1700000072"],
    ),
    (
        "moment",
        0x9d1e3b879c904bd8,
        [
            "2026-01-01T00:00:36.007Z",
            "2026-01-01T00:00:55.377Z",
            "2026-01-01T00:02:03.572Z",
        ],
    ),
    ("cycle", 0x6fe34cd1f672f7e1, ["red", "green", "blue"]),
    ("pool", 0xb5b246cee43e9946, ["blue", "blue", "blue"]),
    ("shuffled", 0x8955cf1482023f17, ["298", "154", "785"]),
    (
        "letters",
        0x75669bf7f0d63a3e,
        [
            "rjECOVwclo",
            "cWgrGSNyK8vxjAjSUn2Sp",
            "gWMPCU4SpaPPk8IVrfua7WAA0xofmsuXdV9Zy1f",
        ],
    ),
    (
        "paragraph",
        0x9455f7ba08cee56e,
        [
            "Seem his championship water there touch heavy fruit. Blue autumn community seem line seventeen movement. Message ship war behind water increase best because always try bed five car eat. Top success head power try a successfully night machinery kitchen therefore found introduction between thoroughfare organization increase century. Children follow particular travel summer window acceleration. Please yet dry corner come plan note pressure. Four continue need.",
            "Ice law whatever movement woman tradition pattern new idea past surroundings any key through condition book publication way mother step autumn furniture some line let community.",
            "Strong did something any neighbour keep market fun development cloud out result anything transparent message more stand shape back most land wall who day better we result independent their colour shoulder careful has hear movement. Standing night business coast learn shoulder world. Too same only key then since has your mathematical.",
        ],
    ),
    (
        "bytes",
        0xa25c9a4bc9f6f979,
        [
            "cad48ac54ce2b4cc182cbf0c76999ebe",
            "35090f7269444e50932045789526460d",
            "97bd84c68e230d36ac0d5e1ebcd39f73",
        ],
    ),
    ("list", 0xe9a3a44407a618b2, ["[6,6,0]", "[]", "[4,1,0,0,3]"]),
    (
        "timestamp",
        0xb91af866370d92c9,
        [
            "1970-01-01T14:47:27.682Z",
            "1970-01-01T16:13:49.527Z",
            "1970-01-01T04:09:21.877Z",
        ],
    ),
    (
        "uuid",
        0x46e0725fa26a0c87,
        [
            "01462722-19f7-44bb-bdf3-6d4fedd3f244",
            "2afe24cf-a650-4bbe-b25c-7bbc903954ef",
            "fb6a2f90-5d0d-4945-a5d5-392ba92f2310",
        ],
    ),
    (
        "uuid_text",
        0x221e4f55eb4d9077,
        [
            "89ecc992-de15-4a49-8c0d-d1762d0f2817",
            "fc9b3750-4db4-479f-a2f9-8d4c6634a575",
            "983f2f72-bffd-4e69-921f-77937f6a8484",
        ],
    ),
    (
        "json",
        0x5525dc55ae52215c,
        [
            "{\"t\":0.524166507795137,\"n\":4,\"s\":\"a\\\"b\"}",
            "{\"t\":-0.17447555480222876,\"n\":6,\"s\":\"a\\\"b\"}",
            "{\"t\":0.11195153562595461,\"n\":6,\"s\":\"a\\\"b\"}",
        ],
    ),
    ("optional", 0x1a9e7e3779b950b3, ["9", "5", "4"]),
    ("derived", 0xe7ccb477b40b0ee4, ["40000", "39001", "25002"]),
    ("one", 0xefc9f838b1a2de0a, ["24", "48", "45"]),
    (
        "some",
        0xe0259e044b835ae1,
        ["29 43 40 7 46 27 ", "1 31 43 9 12 ", "34 33 48 1 "],
    ),
    ("skewed", 0xfd973a28ebcc2fab, ["12 9 ", "17 0 ", "1 0 "]),
    ("shared", 0x24b42961fceeb216, ["2", "4", "7"]),
    ("parent", 0xccd0f66521c1151e, ["none", "0", "0"]),
    (
        "owned",
        0x398797c1374fcc1b,
        [
            "0:6,owner,49,80,1:3,owner,31,80,2:1,owner,6,80,3:5,owner,9,80,4:1,owner,37,80,",
            "7:3,owner,2,78,8:3,owner,15,78,9:5,owner,19,78,10:2,owner,44,78,11:6,owner,8,78,",
            "14:1,owner,23,50,15:2,owner,38,50,16:6,owner,37,50,17:1,owner,13,50,18:3,owner,20,50,",
        ],
    ),
];

#[test]
fn no_release_changes_a_record() {
    let source = source(2024);
    let records: Vec<Record> = (0..ROWS)
        .map(|row| source.record(1, row, 0).expect("a record"))
        .collect();
    let fields = &source.schema().models[1].fields;
    let mut found = String::new();
    let mut expected = String::new();
    for (at, field) in fields.iter().enumerate() {
        let mut all = String::new();
        for record in &records {
            words(&record.fields[at], &mut all);
            all.push('\n');
        }
        let first: Vec<String> = (0..3).map(|row| spelled(&records[row], at)).collect();
        let digest = xxh3_64(all.as_bytes());
        found.push_str(&format!(
            "    (\n        {:?},\n        0x{digest:016x},\n        {first:?},\n    ),\n",
            field.name
        ));
        if let Some((name, digest, first)) = GOLDEN.get(at) {
            expected.push_str(&format!(
                "    (\n        {name:?},\n        0x{digest:016x},\n        {first:?},\n    ),\n"
            ));
        }
    }
    assert!(found == expected, "now:\n{found}");
}

fn value(record: &Record, field: usize) -> &Value {
    match &record.fields[field] {
        Content::Value(value) => value,
        other => panic!("{other:?}"),
    }
}

fn number(record: &Record, field: usize) -> i64 {
    match value(record, field) {
        Value::Int(i) | Value::Timestamp(i) => *i,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn a_record_is_a_function_of_its_row(seed: u64, mut rows in prop::collection::vec(0..ROWS, 1..8)) {
        let one = source(seed);
        let forward: Vec<Record> = rows.iter().map(|&r| one.record(1, r, 0).expect("a record")).collect();
        let another = source(seed);
        rows.reverse();
        for (row, expected) in rows.iter().zip(forward.iter().rev()) {
            prop_assert_eq!(&another.record(1, *row, 0).expect("a record"), expected);
            // Single fields, last first, without the record around them.
            for field in (0..expected.fields.len()).rev() {
                if let Content::Value(whole) = &expected.fields[field] {
                    prop_assert_eq!(&another.value(1, field, *row).expect("a value"), whole);
                }
            }
            let mut batch = Vec::new();
            another.batch(1, *row, 1, 0, &mut batch).expect("a batch");
            prop_assert_eq!(&batch[0], expected);
        }
    }

    #[test]
    fn values_stay_where_they_were_declared(seed: u64, row in 0..ROWS - 1) {
        let source = source(seed);
        let record = source.record(1, row, 0).expect("a record");
        let next = source.record(1, row + 1, 0).expect("a record");
        prop_assert!((0..=98).contains(&number(&record, 1)));
        let Value::Float(real) = value(&record, 3) else { panic!() };
        prop_assert!((-20.0..60.0).contains(real));
        prop_assert!((1..=100).contains(&number(&record, 5)));
        prop_assert!((1..=60).contains(&(number(&next, 9) - number(&record, 9))));
        prop_assert!((1_000..=90_000).contains(&(number(&next, 10) - number(&record, 10))));
        prop_assert_eq!(number(&record, 23), number(&record, 1) * 1_000 + row as i64);
        let Value::Text(letters) = value(&record, 14) else { panic!() };
        prop_assert!((8..=40).contains(&letters.chars().count()));
        let Value::Text(paragraph) = value(&record, 15) else { panic!() };
        prop_assert!((120..=480).contains(&paragraph.chars().count()));
        let Value::Uuid(uuid) = value(&record, 19) else { panic!() };
        prop_assert_eq!(uuid::Uuid::from_bytes(*uuid).get_version_num(), 4);
        let Content::Links(some) = &record.fields[25] else { panic!() };
        prop_assert!((3..=6).contains(&some.len()));
        for field in [25, 26] {
            let Content::Links(links) = &record.fields[field] else { panic!() };
            for (at, link) in links.iter().enumerate() {
                prop_assert!(link.row < 50);
                prop_assert!(links[..at].iter().all(|other| other.row != link.row));
                prop_assert_eq!(link.key.clone(), source.value(0, 0, link.row).ok());
            }
        }
        let Content::Children(children) = &record.fields[29] else { panic!() };
        prop_assert!((2..=7).contains(&children.len()));
        for (position, child) in children.iter().enumerate() {
            prop_assert_eq!(child.row, row * 7 + position as u64);
            prop_assert_eq!(child, &source.record(2, child.row, 0).expect("the same alone"));
            prop_assert_eq!(number(child, 3), 2 * number(&record, 1));
        }
    }

    #[test]
    fn sequences_keep_their_step(low in -50i64..50, width in 0i64..20, seed: u64) {
        let mut models = Models::default();
        models.add("M", None, vec![scalar("s", Scalar::Int, draw(Generator::Sequence {
            start: int(0),
            low: int(low),
            high: int(low + width),
        }))]);
        let source = Source::new(&models.job(Vec::new()), &[], seed, Rc::new(NoHooks));
        let values: Vec<i64> = (0..200)
            .map(|row| number(&source.record(0, row, 0).expect("a record"), 0))
            .collect();
        for pair in values.windows(2) {
            prop_assert!((low..=low + width).contains(&(pair[1] - pair[0])), "{:?}", pair);
        }
    }
}

#[test]
fn another_generation_changes_all_but_the_key() {
    let source = source(5);
    let (first, second) = (
        source.record(1, 3, 0).expect("a record"),
        source.record(1, 3, 1).expect("a record"),
    );
    assert_eq!(first.fields[0], second.fields[0]);
    assert_ne!(first.fields[14], second.fields[14]);
    assert_ne!(first.fields[20], second.fields[20]);
}

#[test]
fn a_field_more_changes_no_other() {
    let mut job = everything();
    let mut models = Models {
        schema: job.schema.clone(),
        generators: job.generators.clone(),
    };
    models.schema.models[0]
        .fields
        .insert(0, scalar("new", Scalar::Int, int(1)).field);
    models.generators[0].insert(
        0,
        Some(draw(Generator::Uniform {
            low: int(0),
            high: int(1),
        })),
    );
    models.schema.models[0].key = Some(1);
    job.schema = models.schema;
    job.generators = models.generators;
    let wider = Source::new(&job, &[], 9, Rc::new(NoHooks));
    let narrow = source(9);
    for row in 0..50 {
        assert_eq!(wider.value(0, 1, row), narrow.value(0, 0, row));
    }
}

#[test]
fn what_cannot_be_drawn_is_an_error() {
    let mut models = Models::default();
    models.add(
        "M",
        None,
        vec![
            scalar(
                "empty",
                Scalar::Int,
                draw(Generator::Uniform {
                    low: int(2),
                    high: int(1),
                }),
            ),
            scalar(
                "huge",
                Scalar::Int,
                arith(ArithOp::Add, int(i64::MAX), int(1)),
            ),
            scalar(
                "outside",
                Scalar::Int,
                draw(Generator::Shuffled {
                    of: Expr::Row,
                    domain: 3,
                }),
            ),
            scalar("pool", Scalar::Text, draw(Generator::Pool(7))),
            declared(
                "link",
                to_one(0, Ownership::Linked, false),
                false,
                Some(draw(Generator::Among {
                    model: 0,
                    min: int(1),
                    max: int(1),
                    exponent: None,
                })),
            ),
        ],
    );
    let job = models.job(vec![Extent {
        model: 0,
        first_row: 0,
        count: 9,
        populations: vec![0],
    }]);
    let source = Source::new(&job, &[], 1, Rc::new(NoHooks));
    for field in 0..5 {
        let error = source.value(0, field, 5).expect_err("nothing to draw");
        assert_eq!(error.row, 5, "{error}");
    }
    assert!(source.record(0, 5, 0).is_err());
    assert!(source.record(7, 0, 0).is_err());
}
