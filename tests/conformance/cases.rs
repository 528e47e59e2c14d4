//! Every form of request, predicate, change and transaction, written out.

use persist_lab::base::Value;
use persist_lab::plan::{
    Aggregate, ArithOp, CompareOp, Expr, Quantifier, Request, Select, TextOp, UpdateBy,
};

use super::bench::Bench;
use super::rich::*;
use super::schema::ask::*;
use super::schema::*;

fn moment(ms: i64) -> Expr {
    Expr::Literal(Value::Timestamp(ms))
}

fn literal(value: Value) -> Expr {
    Expr::Literal(value)
}

fn boolean(value: bool) -> Expr {
    literal(Value::Bool(value))
}

fn among(needle: Expr, among: Vec<Expr>, ignoring_case: bool) -> Expr {
    Expr::In {
        needle: Box::new(needle),
        among,
        ignoring_case,
    }
}

const OPS: [CompareOp; 6] = [
    CompareOp::Equal,
    CompareOp::NotEqual,
    CompareOp::Less,
    CompareOp::LessOrEqual,
    CompareOp::Greater,
    CompareOp::GreaterOrEqual,
];

/// Predicates with a name, about one model each.
pub fn predicates() -> Vec<(String, usize, Expr)> {
    let mut all: Vec<(String, usize, Expr)> = Vec::new();
    let mut add = |name: &str, model: usize, expr: Expr| {
        all.push((format!("not {name}"), model, not(expr.clone())));
        all.push((name.into(), model, expr));
    };
    use student as s;
    for op in OPS {
        let mut both = |name: &str, model, field: usize, value: Expr| {
            add(
                &format!("{name} {op:?}"),
                model,
                compare(op, at(&[field]), value),
            );
        };
        both("int", STUDENT, s::AGE, int(13));
        both("int against a float", STUDENT, s::AGE, float(12.5));
        both("float", STUDENT, s::SCORE, float(0.25));
        both("float against an int", STUDENT, s::SCORE, int(1));
        both("text", STUDENT, s::FIRST, text("jane"));
        both("text that needs quoting", STUDENT, s::FIRST, text("it's"));
        both("optional text", STUDENT, s::NOTE, text("Ünï"));
        both("bool", STUDENT, s::ACTIVE, boolean(true));
        both("enum", STUDENT, s::KIND, text("day"));
        both("timestamp", STUDENT, s::JOINED, moment(1_700_000_000_100));
        both("blob", STUDENT, s::PHOTO, literal(Value::Blob(vec![128])));
        both("large int", ITEM, item::BIG, int(9_007_199_254_740_993));
        both(
            "large int against a float",
            ITEM,
            item::BIG,
            float(9_007_199_254_740_992.0),
        );
        both(
            "large float against an int",
            ITEM,
            item::F,
            int(9_007_199_254_740_993),
        );
        both("smallest int", ITEM, item::BIG, int(i64::MIN));
        both("optional timestamp", ITEM, item::MOMENT, moment(0));
        both("optional bool", ITEM, item::FLAG, boolean(false));
        both("a null literal", ITEM, item::FLAG, null());
        add(
            &format!("two fields {op:?}"),
            ITEM,
            compare(op, at(&[item::A]), at(&[item::F])),
        );
        add(
            &format!("a path {op:?}"),
            STUDENT,
            compare(op, at(&[s::SCHOOL, 0]), text("jane")),
        );
        add(
            &format!("a long path {op:?}"),
            STUDENT,
            compare(op, at(&[s::MENTOR, s::SCHOOL, 2, 1]), int(2)),
        );
        add(
            &format!("a back-link {op:?}"),
            GRADE,
            compare(op, at(&[3, s::AGE]), int(13)),
        );
        add(
            &format!("json int {op:?}"),
            STUDENT,
            compare(op, json_at(s::META, &["n"]), int(0)),
        );
        add(
            &format!("json float {op:?}"),
            STUDENT,
            compare(op, json_at(s::META, &["t"]), float(0.5)),
        );
        add(
            &format!("json text {op:?}"),
            STUDENT,
            compare(op, json_at(s::META, &["s"]), text("jane")),
        );
        add(
            &format!("folded {op:?}"),
            STUDENT,
            compare_case(op, at(&[s::FIRST]), text("ÜNÏ"), true),
        );
    }
    add("a bare bool", STUDENT, at(&[s::ACTIVE]));
    add("a bare optional bool", ITEM, at(&[item::FLAG]));
    add("true", ITEM, boolean(true));
    add("nothing to hold", ITEM, Expr::And(Vec::new()));
    add("nothing that holds", ITEM, Expr::Or(Vec::new()));
    add("is null", STUDENT, is_null(at(&[s::AGE])));
    add("a link is null", STUDENT, is_null(at(&[s::SCHOOL])));
    add("an owned link is null", STUDENT, is_null(at(&[s::LOCKER])));
    add(
        "behind a null link",
        STUDENT,
        is_null(at(&[s::SCHOOL, 2, 0])),
    );
    add("a back-link is null", GRADE, is_null(at(&[3])));
    add("json is null", STUDENT, is_null(json_at(s::META, &["z"])));
    add(
        "a missing json key is null",
        STUDENT,
        is_null(json_at(s::META, &["z", "y"])),
    );
    add(
        "in ints",
        STUDENT,
        among(at(&[s::AGE]), vec![int(11), int(13), null()], false),
    );
    add(
        "in texts",
        STUDENT,
        among(at(&[s::FIRST]), vec![text("jane"), text("50%")], false),
    );
    add(
        "in folded texts",
        STUDENT,
        among(at(&[s::NOTE]), vec![text("jAnE"), text("ÉcOlE")], true),
    );
    add(
        "in nothing",
        STUDENT,
        among(at(&[s::AGE]), Vec::new(), false),
    );
    add("between", STUDENT, within(at(&[s::AGE]), int(11), int(13)));
    add(
        "between floats",
        STUDENT,
        within(at(&[s::SCORE]), float(-0.5), int(1)),
    );
    add(
        "between moments",
        ITEM,
        within(at(&[item::MOMENT]), moment(-2), moment(2)),
    );
    for ignoring in [false, true] {
        for (op, pattern) in [
            (TextOp::Contains, "a"),
            (TextOp::Contains, "%"),
            (TextOp::Contains, "É"),
            (TextOp::Contains, ""),
            (TextOp::StartsWith, "Ja"),
            (TextOp::StartsWith, "\\"),
            (TextOp::EndsWith, "NE"),
            (TextOp::EndsWith, "ß"),
            (TextOp::EndsWith, "ï"),
            (TextOp::Like, "J%e"),
            (TextOp::Like, "a_b"),
            (TextOp::Like, "a\\_b"),
            (TextOp::Like, "50\\%"),
            (TextOp::Like, "%\\\\%"),
            (TextOp::Like, "___"),
            (TextOp::Like, "%"),
            (TextOp::Like, ""),
            (TextOp::Like, "STR%"),
        ] {
            for field in [s::FIRST, s::NOTE] {
                let name = format!("{op:?} `{pattern}` ignoring {ignoring} of {field}");
                add(
                    &name,
                    STUDENT,
                    matching(op, at(&[field]), text(pattern), ignoring),
                );
            }
        }
    }
    add(
        "a pattern from an argument",
        STUDENT,
        matching(TextOp::StartsWith, at(&[s::FIRST]), Expr::Arg(0), false),
    );
    add("an argument", STUDENT, equal(at(&[s::FIRST]), Expr::Arg(0)));
    for path in [
        &[s::TAGS][..],
        &[s::MARKS],
        &[s::GRADES],
        &[s::COURSES],
        &[s::FIRST],
        &[s::NOTE],
        &[s::PHOTO],
    ] {
        add(
            &format!("empty {path:?}"),
            STUDENT,
            Expr::IsEmpty(here(path)),
        );
    }
    let best = || {
        Expr::And(vec![
            equal(at(&[0]), text("physics")),
            compare(CompareOp::Greater, at(&[1]), int(3)),
        ])
    };
    for q in [Quantifier::Any, Quantifier::All, Quantifier::None] {
        add(
            &format!("{q:?} child"),
            STUDENT,
            quantified(q, &[s::GRADES], best()),
        );
        add(
            &format!("{q:?} child with a null"),
            STUDENT,
            quantified(
                q,
                &[s::GRADES],
                compare(CompareOp::Greater, at(&[2]), float(0.5)),
            ),
        );
        add(
            &format!("{q:?} linked"),
            STUDENT,
            quantified(
                q,
                &[s::COURSES],
                compare(CompareOp::GreaterOrEqual, at(&[0]), int(20)),
            ),
        );
        add(
            &format!("{q:?} tag"),
            STUDENT,
            quantified(q, &[s::TAGS], equal(Expr::It, text("jane"))),
        );
        add(
            &format!("{q:?} mark"),
            STUDENT,
            quantified(
                q,
                &[s::MARKS],
                compare(CompareOp::Greater, Expr::It, int(0)),
            ),
        );
        add(
            &format!("{q:?} tag folded"),
            STUDENT,
            quantified(
                q,
                &[s::TAGS],
                matching(TextOp::Contains, Expr::It, text("JAN"), true),
            ),
        );
        add(
            &format!("{q:?} child looking back"),
            STUDENT,
            quantified(q, &[s::GRADES], equal(at(&[3, s::ACTIVE]), boolean(true))),
        );
        add(
            &format!("{q:?} of a linked one's"),
            STUDENT,
            quantified(q, &[s::MENTOR, s::GRADES], best()),
        );
        add(
            &format!("{q:?} tag of a linked one"),
            STUDENT,
            quantified(q, &[s::MENTOR, s::TAGS], equal(Expr::It, text("jane"))),
        );
        add(
            &format!("{q:?} over what has no back-link"),
            TEAM,
            quantified(q, &[1], equal(at(&[1]), int(2))),
        );
        add(
            &format!("{q:?} inside {q:?}"),
            STUDENT,
            quantified(
                q,
                &[s::GRADES],
                quantified(
                    q,
                    &[3, s::COURSES],
                    compare(CompareOp::Less, at(&[0]), int(20)),
                ),
            ),
        );
    }
    add(
        "two questions",
        STUDENT,
        Expr::And(vec![
            quantified(
                Quantifier::Any,
                &[s::GRADES],
                equal(at(&[0]), text("physics")),
            ),
            quantified(
                Quantifier::Any,
                &[s::GRADES],
                compare(CompareOp::Greater, at(&[1]), int(3)),
            ),
        ]),
    );
    add(
        "count",
        STUDENT,
        compare(CompareOp::Greater, count_of(&[s::GRADES], None), int(2)),
    );
    add(
        "count some",
        STUDENT,
        equal(count_of(&[s::GRADES], Some(best())), int(1)),
    );
    add(
        "count tags",
        STUDENT,
        compare(CompareOp::LessOrEqual, count_of(&[s::TAGS], None), int(1)),
    );
    add(
        "count marks that",
        STUDENT,
        equal(
            count_of(
                &[s::MARKS],
                Some(compare(CompareOp::Less, Expr::It, int(0))),
            ),
            int(1),
        ),
    );
    add(
        "count links",
        STUDENT,
        equal(count_of(&[s::COURSES], None), int(2)),
    );
    add(
        "count behind a link",
        STUDENT,
        compare(
            CompareOp::Less,
            count_of(&[s::MENTOR, s::GRADES], None),
            int(2),
        ),
    );
    add(
        "mod",
        ITEM,
        equal(arith(ArithOp::Remainder, at(&[item::A]), int(3)), int(-1)),
    );
    add(
        "mod zero",
        ITEM,
        equal(arith(ArithOp::Remainder, at(&[item::A]), int(0)), int(0)),
    );
    add(
        "division truncates",
        ITEM,
        equal(arith(ArithOp::Divide, at(&[item::A]), int(2)), int(-1)),
    );
    add(
        "division by zero is null",
        ITEM,
        is_null(arith(ArithOp::Divide, int(1), at(&[item::A]))),
    );
    add(
        "float division by zero",
        ITEM,
        is_null(arith(ArithOp::Divide, float(1.0), at(&[item::F]))),
    );
    add(
        "arithmetic",
        ITEM,
        compare(
            CompareOp::Greater,
            arith(
                ArithOp::Add,
                arith(ArithOp::Multiply, at(&[item::A]), int(2)),
                int(1),
            ),
            arith(ArithOp::Subtract, at(&[item::F]), int(1)),
        ),
    );
    add(
        "minus",
        ITEM,
        compare(CompareOp::Less, Expr::Neg(Box::new(at(&[item::A]))), int(0)),
    );
    add(
        "moved moments",
        ITEM,
        compare(
            CompareOp::Greater,
            arith(ArithOp::Add, at(&[item::MOMENT]), int(3)),
            moment(2),
        ),
    );
    add(
        "moments apart",
        ITEM,
        equal(
            arith(ArithOp::Subtract, at(&[item::MOMENT]), moment(1)),
            int(2),
        ),
    );
    add(
        "overflow",
        ITEM,
        compare(
            CompareOp::Greater,
            arith(ArithOp::Add, at(&[item::BIG]), int(1)),
            int(0),
        ),
    );
    add(
        "overflow of a product",
        ITEM,
        compare(
            CompareOp::Greater,
            arith(ArithOp::Multiply, at(&[item::BIG]), int(3)),
            int(0),
        ),
    );
    add(
        "overflow of a minus",
        ITEM,
        compare(
            CompareOp::Greater,
            Expr::Neg(Box::new(at(&[item::BIG]))),
            int(0),
        ),
    );
    add(
        "a condition",
        STUDENT,
        either(
            at(&[s::ACTIVE]),
            compare(CompareOp::Greater, at(&[s::AGE]), int(12)),
            is_null(at(&[s::NOTE])),
        ),
    );
    let hook = |hook, args, with_record| Expr::Hook {
        hook,
        args,
        with_record,
    };
    add(
        "a hook about the record",
        STUDENT,
        hook(0, vec![int(12)], true),
    );
    add(
        "a hook and more",
        STUDENT,
        Expr::And(vec![
            equal(at(&[s::ACTIVE]), boolean(true)),
            hook(0, vec![int(11)], true),
        ]),
    );
    add(
        "a hook about a value",
        STUDENT,
        equal(hook(1, vec![at(&[s::FIRST])], false), text("jane!")),
    );
    add(
        "a hook inside a quantifier",
        STUDENT,
        quantified(
            Quantifier::Any,
            &[s::GRADES],
            equal(hook(1, vec![at(&[0])], false), text("art!")),
        ),
    );
    add("a hook that fails", STUDENT, hook(2, Vec::new(), true));
    all
}

/// Every predicate, as a read and as a count.
pub fn ask_predicates(bench: &mut Bench<'_>) {
    let argument = [Value::Text("jane".into())];
    for (name, model, predicate) in predicates() {
        let arguments = match name.ends_with("argument") {
            true => &argument[..],
            false => &[],
        };
        bench.ask_select(&name, model, Select::Where(predicate), arguments);
    }
}

/// Orders, limits, columns, points, groups and aggregates.
pub fn ask_questions(bench: &mut Bench<'_>) {
    use student as s;
    let all = |model, columns| query(model, Select::All, columns);
    let keys: [&[usize]; 12] = [
        &[s::AGE],
        &[s::SCORE],
        &[s::FIRST],
        &[s::NOTE],
        &[s::ACTIVE],
        &[s::JOINED],
        &[s::KIND],
        &[s::PHOTO],
        &[s::ID],
        &[s::SCHOOL, 0],
        &[s::MENTOR, s::AGE],
        &[s::SCHOOL, 2, 0],
    ];
    for key in keys {
        for descending in [false, true] {
            let mut read = all(STUDENT, columns(&[key, &[s::ID]]));
            read.order = vec![order(key, descending)];
            bench.ask("order", &Request::Read(read.clone()), &[]);
            read.order.push(order(&[s::ID], !descending));
            for (offset, limit) in [
                (0, Some(7)),
                (5, Some(7)),
                (38, Some(7)),
                (3, None),
                (99, Some(1)),
                (0, Some(0)),
            ] {
                (read.offset, read.limit) = (offset, limit);
                bench.ask("limit", &Request::Read(read.clone()), &[]);
            }
            (read.offset, read.limit) = (2, Some(5));
            read.select = Select::Where(compare(CompareOp::NotEqual, at(&[s::AGE]), int(12)));
            bench.ask("order, limit and predicate", &Request::Read(read), &[]);
        }
    }
    let mut json = all(STUDENT, columns(&[&[s::ID]]));
    let Expr::Path(inside) = json_at(s::META, &["t"]) else {
        return;
    };
    json.order = vec![persist_lab::plan::OrderKey {
        path: inside.clone(),
        descending: false,
    }];
    json.columns.push(persist_lab::plan::Column::Path(inside));
    bench.ask("order by json", &Request::Read(json), &[]);
    for paths in [
        &[][..],
        &[&[s::TAGS][..], &[s::MARKS]],
        &[&[s::GRADES, 0], &[s::GRADES, 1], &[s::ID]],
        &[&[s::COURSES, 0], &[s::COURSES, 1]],
        &[&[s::SCHOOL, 2, 1], &[s::MENTOR, s::MENTOR, s::FIRST]],
        &[&[s::MENTOR, s::GRADES, 1], &[s::MENTOR, s::TAGS]],
        &[&[s::LOCKER, 0], &[s::LOCKER, 1], &[s::META]],
    ] {
        bench.ask("columns", &Request::Read(all(STUDENT, columns(paths))), &[]);
    }
    bench.ask(
        "columns back",
        &Request::Read(all(
            GRADE,
            columns(&[&[3, s::ID], &[3, s::SCHOOL, 0], &[3, s::COURSES, 0]]),
        )),
        &[],
    );

    let points: [(usize, usize, Vec<Value>); 9] = [
        (
            STUDENT,
            s::ID,
            (0..4)
                .filter_map(|row| bench.source.value(STUDENT, s::ID, row).ok())
                .collect(),
        ),
        (
            STUDENT,
            s::FIRST,
            WORDS.iter().map(|w| Value::Text(w.to_string())).collect(),
        ),
        (
            STUDENT,
            s::AGE,
            vec![Value::Int(13), Value::Int(-1), Value::Null],
        ),
        (
            STUDENT,
            s::SCORE,
            vec![Value::Float(0.25), Value::Float(0.0)],
        ),
        (
            STUDENT,
            s::JOINED,
            vec![bench.source.value(STUDENT, s::JOINED, 3).expect("a value")],
        ),
        (STUDENT, s::PHOTO, vec![Value::Blob(Vec::new())]),
        (
            ITEM,
            item::ID,
            vec![Value::Int(-3), Value::Int(0), Value::Int(99)],
        ),
        (
            ITEM,
            item::B,
            vec![Value::Text("item 4".into()), Value::Text("item".into())],
        ),
        (
            CITY,
            0,
            vec![
                Value::Text("city 1".into()),
                Value::Text("\u{1}missing".into()),
            ],
        ),
    ];
    for (model, field, values) in points {
        for value in values {
            bench.ask_select("point", model, Select::Point(field), &[value]);
        }
    }
    let predicate = Select::Where(compare(CompareOp::Less, at(&[s::AGE]), int(14)));
    for select in [Select::All, predicate, Select::Where(boolean(false))] {
        for per in [
            &[s::AGE][..],
            &[s::FIRST],
            &[s::ACTIVE],
            &[s::KIND],
            &[s::SCORE],
            &[s::SCHOOL, 0],
            &[s::MENTOR, s::AGE],
        ] {
            let request = Request::CountPer {
                model: STUDENT,
                select: select.clone(),
                per: here(per),
            };
            bench.ask("count per", &request, &[]);
        }
        for function in [
            Aggregate::Sum,
            Aggregate::Average,
            Aggregate::Min,
            Aggregate::Max,
        ] {
            let mut of = vec![
                at(&[s::AGE]),
                at(&[s::SCORE]),
                at(&[s::MENTOR, s::AGE]),
                count_of(&[s::GRADES], None),
                arith(
                    ArithOp::Add,
                    arith(ArithOp::Multiply, at(&[s::AGE]), int(2)),
                    int(1),
                ),
            ];
            if matches!(function, Aggregate::Min | Aggregate::Max) {
                of.extend([
                    at(&[s::FIRST]),
                    at(&[s::JOINED]),
                    at(&[s::KIND]),
                    at(&[s::NOTE]),
                ]);
            }
            for of in of {
                let mut over = query(STUDENT, select.clone(), Vec::new());
                bench.ask(
                    "aggregate",
                    &aggregate(over.clone(), function, of.clone()),
                    &[],
                );
                over.order = vec![order(&[s::ID], false)];
                (over.offset, over.limit) = (3, Some(9));
                bench.ask("aggregate of a page", &aggregate(over, function, of), &[]);
            }
        }
    }
    for by in [int(3), int(1)] {
        let huge = arith(ArithOp::Divide, at(&[item::BIG]), by);
        let positive = Select::Where(compare(CompareOp::Greater, at(&[item::BIG]), int(0)));
        bench.ask(
            "sum overflow",
            &aggregate(query(ITEM, positive, Vec::new()), Aggregate::Sum, huge),
            &[],
        );
    }
    bench.ask(
        "sum of floats",
        &aggregate(
            query(ITEM, Select::All, Vec::new()),
            Aggregate::Sum,
            at(&[item::F]),
        ),
        &[],
    );
}

/// Updates of every kind of field, by every selection and way.
pub fn change_fields(bench: &mut Bench<'_>) {
    use student as s;
    let older = Select::Where(compare(CompareOp::Greater, at(&[s::AGE]), int(12)));
    type Change = (&'static str, usize, Select, Vec<(usize, Expr)>);
    let sets: Vec<Change> = vec![
        (
            "swap reads old values",
            ITEM,
            Select::All,
            vec![
                (item::A, at(&[item::ID])),
                (item::F, arith(ArithOp::Add, at(&[item::A]), float(0.5))),
            ],
        ),
        (
            "int into float",
            ITEM,
            Select::Where(compare(CompareOp::Less, at(&[item::ID]), int(5))),
            vec![(item::F, at(&[item::A]))],
        ),
        (
            "null",
            ITEM,
            Select::All,
            vec![(item::MOMENT, null()), (item::FLAG, null())],
        ),
        (
            "moments",
            ITEM,
            Select::All,
            vec![(item::MOMENT, moment(77))],
        ),
        (
            "move moments",
            ITEM,
            Select::All,
            vec![(
                item::MOMENT,
                arith(ArithOp::Add, at(&[item::MOMENT]), int(5)),
            )],
        ),
        (
            "link to null",
            ITEM,
            Select::Where(equal(at(&[item::CITY, 1]), int(2))),
            vec![(item::CITY, null())],
        ),
        ("required null", ITEM, Select::All, vec![(item::A, null())]),
        (
            "required link to null",
            SCHOOL,
            Select::All,
            vec![(2, null())],
        ),
        (
            "overflow",
            ITEM,
            Select::All,
            vec![(item::BIG, arith(ArithOp::Add, at(&[item::BIG]), int(1)))],
        ),
        ("unique", ITEM, Select::All, vec![(item::B, text("same"))]),
        (
            "unique, of one",
            ITEM,
            Select::Point(item::ID),
            vec![(item::B, text("its own"))],
        ),
        (
            "texts",
            STUDENT,
            older.clone(),
            vec![
                (s::FIRST, text("it's \"new\" %")),
                (s::NOTE, at(&[s::FIRST])),
            ],
        ),
        (
            "bool and enum",
            STUDENT,
            older.clone(),
            vec![(s::ACTIVE, not(at(&[s::ACTIVE]))), (s::KIND, text("A*"))],
        ),
        (
            "a path",
            STUDENT,
            older.clone(),
            vec![(s::AGE, at(&[s::MENTOR, s::AGE]))],
        ),
        (
            "a count",
            STUDENT,
            Select::All,
            vec![(s::SCORE, count_of(&[s::GRADES], None))],
        ),
        (
            "a hook",
            STUDENT,
            older,
            vec![(
                s::NOTE,
                Expr::Hook {
                    hook: 1,
                    args: vec![at(&[s::FIRST])],
                    with_record: false,
                },
            )],
        ),
        (
            "a failing hook",
            STUDENT,
            Select::All,
            vec![(
                s::NOTE,
                Expr::Hook {
                    hook: 2,
                    args: Vec::new(),
                    with_record: true,
                },
            )],
        ),
        (
            "children by their owner",
            GRADE,
            Select::Where(Expr::And(vec![
                equal(at(&[0]), text("maths")),
                equal(at(&[3, s::SCHOOL, 0]), text("jane")),
            ])),
            vec![(1, int(9))],
        ),
        (
            "nothing",
            STUDENT,
            Select::Where(boolean(false)),
            vec![(s::AGE, int(1))],
        ),
        (
            "a condition",
            STUDENT,
            Select::All,
            vec![(s::AGE, either(at(&[s::ACTIVE]), int(1), null()))],
        ),
    ];
    for (name, model, select, set) in sets {
        for by in [UpdateBy::Idiom, UpdateBy::Object, UpdateBy::Statement] {
            let request = Request::Update {
                model,
                select: select.clone(),
                set: set.clone(),
                by,
            };
            bench.change(name, &request, &[Value::Int(2)]);
        }
    }
    let read = query(STUDENT, Select::Where(at(&[s::ACTIVE])), Vec::new());
    let each = update(STUDENT, Select::Identity, vec![(s::AGE, int(50))]);
    bench.change_each("one by one", &read, &each, true);
    let each = update(
        STUDENT,
        Select::Identity,
        vec![(s::AGE, arith(ArithOp::Add, at(&[s::AGE]), int(1)))],
    );
    bench.change_each("one by one, autocommit", &read, &each, false);
}

/// Deletes with all that hangs on the records.
pub fn delete_records(bench: &mut Bench<'_>) {
    use student as s;
    bench.change("a required link is kept", &delete(CITY, Select::All), &[]);
    bench.change(
        "linked objects",
        &delete(COURSE, Select::Point(0)),
        &[Value::Int(10)],
    );
    bench.change(
        "children alone",
        &delete(GRADE, Select::Where(equal(at(&[1]), int(6)))),
        &[],
    );
    bench.change(
        "an owned object alone",
        &delete(
            LOCKER,
            Select::Where(compare(CompareOp::Less, at(&[0]), int(6))),
        ),
        &[],
    );
    bench.change(
        "with children and as a mentor",
        &delete(STUDENT, Select::Where(equal(at(&[s::AGE]), int(13)))),
        &[],
    );
    bench.change(
        "by a quantifier",
        &delete(
            STUDENT,
            Select::Where(quantified(
                Quantifier::Any,
                &[s::TAGS],
                equal(Expr::It, text("jane")),
            )),
        ),
        &[],
    );
    bench.change(
        "shared objects",
        &delete(SCHOOL, Select::Where(equal(at(&[0]), text("jane")))),
        &[],
    );
    bench.change(
        "owners of children that stay",
        &delete(TEAM, Select::Where(equal(at(&[0]), text("team 1")))),
        &[],
    );
    bench.change(
        "children without a back-link",
        &delete(PLAYER, Select::Where(equal(at(&[1]), int(1)))),
        &[],
    );
    bench.change(
        "nothing",
        &delete(STUDENT, Select::Where(boolean(false))),
        &[],
    );
    bench.reopen();
    bench.compare("reopening");
    let read = query(STUDENT, Select::Where(at(&[s::ACTIVE])), Vec::new());
    bench.change_each(
        "one by one",
        &read,
        &delete(STUDENT, Select::Identity),
        true,
    );
    bench.change("all", &delete(STUDENT, Select::All), &[]);
    bench.change("all of nothing", &delete(STUDENT, Select::All), &[]);
    bench.change("now the cities go", &delete(SCHOOL, Select::All), &[]);
    bench.change("now the cities go", &delete(CITY, Select::All), &[]);
}

/// Inserts, upserts and transactions.
pub fn transact(bench: &mut Bench<'_>) {
    use student as s;
    bench.both("begin", |session| session.begin());
    let more = bench.records(STUDENT, 40, 10, 0);
    bench.both("insert", |session| session.insert(STUDENT, &more));
    bench.compare("an insert not yet committed");
    let grow = update(STUDENT, Select::All, vec![(s::AGE, int(99))]);
    bench.change("an update not yet committed", &grow, &[]);
    bench.change(
        "a delete not yet committed",
        &delete(STUDENT, Select::Where(at(&[s::ACTIVE]))),
        &[],
    );
    bench.both("rollback", |session| session.rollback());
    bench.compare("rollback");
    bench.insert(STUDENT, 40, 10, 0);
    bench.compare("insert after rollback");
    for row in 50..54 {
        let one = bench.records(STUDENT, row, 1, 0);
        bench.both("autocommit", |session| session.insert(STUDENT, &one));
    }
    bench.reopen();
    bench.compare("autocommit and reopening");
    bench.insert(ITEM, 5, 1, 0);
    bench.compare("a key twice");
    let mut taken = bench.records(ITEM, 30, 1, 0);
    taken[0].fields[item::B] = bench.records(ITEM, 3, 1, 0)[0].fields[item::B].clone();
    bench.whole("a unique value twice", |session| {
        session.insert(ITEM, &taken)
    });
    bench.compare("a unique value twice");
    bench.upsert(ITEM, 35, 1);
    bench.compare("upsert of old and new");
    bench.upsert(ITEM, 10, 2);
    bench.compare("another upsert");
    bench.upsert(CITY, 6, 1);
    bench.compare("upsert of linked objects");
    bench.upsert(COURSE, 7, 1);
    bench.compare("upsert of linked objects");
    bench.both("begin", |session| session.begin());
    bench.both("commit of nothing", |session| session.commit());
    bench.reopen();
    bench.compare("the end");
}
