//! Predicates, changes, orders and sequences of them, made up by chance.

use persist_lab::base::Value;
use persist_lab::engines::Engine;
use persist_lab::plan::{
    Aggregate, ArithOp, CompareOp, Expr, Quantifier, Request, Select, TextOp, UpdateBy,
};
use proptest::prelude::*;

use super::bench::Bench;
use super::rich::*;
use super::schema::ask::*;
use super::schema::*;

/// A way to a value that can be compared, by its type.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Int,
    Float,
    Text,
    Bool,
    Moment,
}

type Scalars = &'static [(&'static [usize], Kind)];

const STUDENT_SCALARS: Scalars = &[
    (&[student::FIRST], Kind::Text),
    (&[student::AGE], Kind::Int),
    (&[student::SCORE], Kind::Float),
    (&[student::ACTIVE], Kind::Bool),
    (&[student::JOINED], Kind::Moment),
    (&[student::NOTE], Kind::Text),
    (&[student::SCHOOL, 0], Kind::Text),
    (&[student::SCHOOL, 2, 1], Kind::Int),
    (&[student::MENTOR, student::AGE], Kind::Int),
    (&[student::MENTOR, student::NOTE], Kind::Text),
    (&[student::LOCKER, 0], Kind::Int),
];
const GRADE_SCALARS: Scalars = &[
    (&[0], Kind::Text),
    (&[1], Kind::Int),
    (&[2], Kind::Float),
    (&[3, student::AGE], Kind::Int),
    (&[3, student::SCHOOL, 0], Kind::Text),
];
const COURSE_SCALARS: Scalars = &[(&[0], Kind::Int), (&[1], Kind::Text)];
const ITEM_SCALARS: Scalars = &[
    (&[item::ID], Kind::Int),
    (&[item::A], Kind::Int),
    (&[item::B], Kind::Text),
    (&[item::F], Kind::Float),
    (&[item::BIG], Kind::Int),
    (&[item::MOMENT], Kind::Moment),
    (&[item::CITY, 1], Kind::Int),
    (&[item::FLAG], Kind::Bool),
];

fn scalars(model: usize) -> Scalars {
    match model {
        STUDENT => STUDENT_SCALARS,
        GRADE => GRADE_SCALARS,
        COURSE => COURSE_SCALARS,
        _ => ITEM_SCALARS,
    }
}

fn ops() -> impl Strategy<Value = CompareOp> + Clone {
    prop::sample::select(vec![
        CompareOp::Equal,
        CompareOp::NotEqual,
        CompareOp::Less,
        CompareOp::LessOrEqual,
        CompareOp::Greater,
        CompareOp::GreaterOrEqual,
    ])
}

fn words() -> BoxedStrategy<Expr> {
    let mut all: Vec<String> = WORDS.iter().map(|w| w.to_string()).collect();
    all.extend(["maths", "physics", "item 7", "ü", "%a%"].map(String::from));
    prop::sample::select(all).prop_map(|t| text(&t)).boxed()
}

fn literals(kind: Kind) -> BoxedStrategy<Expr> {
    match kind {
        Kind::Int => prop_oneof![
            8 => (-6i64..20).prop_map(int),
            1 => Just(int(i64::MAX)),
            1 => Just(int(9_007_199_254_740_993)),
            2 => (-12i32..12).prop_map(|x| float(f64::from(x) / 4.0)),
        ]
        .boxed(),
        Kind::Float => prop_oneof![
            4 => (-12i32..12).prop_map(|x| float(f64::from(x) / 4.0)),
            1 => (-3i64..3).prop_map(int),
        ]
        .boxed(),
        Kind::Text => words(),
        Kind::Bool => any::<bool>()
            .prop_map(|b| Expr::Literal(Value::Bool(b)))
            .boxed(),
        Kind::Moment => prop_oneof![-5i64..5, 1_700_000_000_000i64..1_700_000_000_200]
            .prop_map(|ms| Expr::Literal(Value::Timestamp(ms)))
            .boxed(),
    }
}

/// A value of a model with numbers in it, from its fields; small enough not to
/// overflow, since which operand of `and` and `or` is left out (and so whether
/// an overflow is seen) no engine promises. Overflow has cases of its own.
fn numbers(model: usize) -> BoxedStrategy<Expr> {
    let fields: Vec<Expr> = scalars(model)
        .iter()
        .filter(|(hops, kind)| {
            let big = model == ITEM && *hops == [item::BIG];
            matches!(kind, Kind::Int | Kind::Float) && !big
        })
        .map(|(hops, _)| at(hops))
        .collect();
    let leaf = prop_oneof![prop::sample::select(fields), (-6i64..20).prop_map(int)];
    leaf.prop_recursive(2, 6, 2, move |inner| {
        let op = prop::sample::select(vec![
            ArithOp::Add,
            ArithOp::Subtract,
            ArithOp::Multiply,
            ArithOp::Divide,
        ]);
        (op, inner.clone(), inner).prop_map(|(op, a, b)| arith(op, a, b))
    })
    .boxed()
}

fn leaves(model: usize) -> BoxedStrategy<Expr> {
    let one = prop::sample::select(scalars(model).to_vec());
    let compared = (one.clone(), ops()).prop_flat_map(|((hops, kind), op)| {
        (literals(kind), any::<bool>()).prop_map(move |(value, ignoring)| {
            let ignoring = ignoring && matches!(kind, Kind::Text);
            compare_case(op, at(hops), value, ignoring)
        })
    });
    let null = one.clone().prop_map(|(hops, _)| is_null(at(hops)));
    let among = one.clone().prop_flat_map(|(hops, kind)| {
        prop::collection::vec(literals(kind), 0..4).prop_map(move |among| Expr::In {
            needle: Box::new(at(hops)),
            among,
            ignoring_case: false,
        })
    });
    let between = one.prop_flat_map(|(hops, kind)| {
        (literals(kind), literals(kind)).prop_map(move |(low, high)| within(at(hops), low, high))
    });
    let texts: Vec<&'static [usize]> = scalars(model)
        .iter()
        .filter(|(_, kind)| matches!(kind, Kind::Text))
        .map(|(hops, _)| *hops)
        .collect();
    let op = prop::sample::select(vec![
        TextOp::Contains,
        TextOp::StartsWith,
        TextOp::EndsWith,
        TextOp::Like,
    ]);
    let matched = (
        prop::sample::select(texts),
        op,
        "[aAeEjJ%_üÜ\\\\ ]{0,3}",
        any::<bool>(),
    )
        .prop_map(|(hops, op, pattern, ignoring)| matching(op, at(hops), text(&pattern), ignoring));
    let computed = (numbers(model), ops(), numbers(model)).prop_map(|(a, op, b)| compare(op, a, b));
    prop_oneof![4 => compared, 1 => null, 1 => among, 1 => between, 2 => matched, 1 => computed]
        .boxed()
}

fn elements() -> BoxedStrategy<(usize, Expr)> {
    let tags = (ops(), words(), any::<bool>()).prop_map(|(op, word, ignoring)| {
        (student::TAGS, compare_case(op, Expr::It, word, ignoring))
    });
    let marks =
        (ops(), -3i64..3).prop_map(|(op, mark)| (student::MARKS, compare(op, Expr::It, int(mark))));
    let grades = predicates(GRADE, 1).prop_map(|p| (student::GRADES, p));
    let courses = predicates(COURSE, 1).prop_map(|p| (student::COURSES, p));
    prop_oneof![tags, marks, grades, courses].boxed()
}

/// Predicates about a model, so many levels deep.
pub fn predicates(model: usize, depth: u32) -> BoxedStrategy<Expr> {
    let leaf = match model {
        STUDENT => {
            let quantifier =
                prop::sample::select(vec![Quantifier::Any, Quantifier::All, Quantifier::None]);
            let quantified =
                (quantifier, elements(), any::<bool>()).prop_map(|(q, (over, predicate), far)| {
                    let hops = [student::MENTOR, over];
                    let path = if far && q == Quantifier::Any {
                        &hops[..]
                    } else {
                        &hops[1..]
                    };
                    quantified(q, path, predicate)
                });
            let counted = (elements(), ops(), 0i64..4, any::<bool>()).prop_map(
                |((over, predicate), op, n, all)| {
                    compare(op, count_of(&[over], (!all).then_some(predicate)), int(n))
                },
            );
            prop_oneof![3 => leaves(model), 1 => quantified, 1 => counted].boxed()
        }
        _ => leaves(model),
    };
    leaf.prop_recursive(depth, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Expr::And),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Expr::Or),
            inner.prop_map(not),
        ]
    })
    .boxed()
}

fn about() -> impl Strategy<Value = (usize, Expr)> {
    prop::sample::select(vec![STUDENT, STUDENT, GRADE, ITEM])
        .prop_flat_map(|model| predicates(model, 2).prop_map(move |p| (model, p)))
}

fn sets(model: usize) -> BoxedStrategy<Vec<(usize, Expr)>> {
    let one = match model {
        STUDENT => prop_oneof![
            numbers(STUDENT).prop_map(|n| (student::SCORE, arith(ArithOp::Add, n, float(0.0)))),
            (-5i64..5).prop_map(|n| (
                student::AGE,
                arith(ArithOp::Add, at(&[student::AGE]), int(n))
            )),
            words().prop_map(|w| (student::NOTE, w)),
            Just((student::NOTE, null())),
            Just((student::FIRST, at(&[student::NOTE]))),
            predicates(STUDENT, 1).prop_map(|p| (student::ACTIVE, p)),
            Just((student::SCHOOL, null())),
        ]
        .boxed(),
        GRADE => prop_oneof![
            (1i64..7).prop_map(|n| (1, int(n))),
            words().prop_map(|w| (0, w)),
            Just((2, null())),
            Just((2, at(&[1]))),
        ]
        .boxed(),
        _ => prop_oneof![
            numbers(ITEM).prop_map(|n| (item::F, arith(ArithOp::Multiply, n, float(1.0)))),
            (-5i64..5).prop_map(|n| (item::A, arith(ArithOp::Subtract, at(&[item::A]), int(n)))),
            Just((item::BIG, at(&[item::A]))),
            Just((item::MOMENT, null())),
            Just((item::CITY, null())),
            predicates(ITEM, 1).prop_map(|p| (item::FLAG, p)),
        ]
        .boxed(),
    };
    prop::collection::vec(one, 1..3)
        .prop_map(|mut sets| {
            sets.sort_by_key(|(field, _)| *field);
            sets.dedup_by_key(|(field, _)| *field);
            sets
        })
        .boxed()
}

/// One thing done to both.
#[derive(Clone, Debug)]
pub enum Action {
    Insert(usize, u64, u64),
    Upsert(u64, u32),
    Update(usize, Expr, Vec<(usize, Expr)>, UpdateBy),
    UpdateEach(usize, Expr, Vec<(usize, Expr)>, bool),
    Delete(usize, Expr),
    Undone(Vec<Action>),
    Page(usize, Expr, Vec<(usize, bool)>, u64, u64),
    Sum(usize, Expr, Aggregate),
    Reopen,
}

pub fn actions() -> impl Strategy<Value = Vec<Action>> {
    let change = prop_oneof![
        2 => (prop::sample::select(vec![STUDENT, ITEM, TEAM]), 1u64..6, 0u64..4)
            .prop_map(|(model, count, each)| Action::Insert(model, count, each)),
        1 => (1u64..30, 1u32..4).prop_map(|(count, generation)| Action::Upsert(count, generation)),
        3 => about().prop_flat_map(|(model, p)| {
            let by = prop::sample::select(vec![UpdateBy::Idiom, UpdateBy::Object, UpdateBy::Statement]);
            (sets(model), by).prop_map(move |(set, by)| Action::Update(model, p.clone(), set, by))
        }),
        1 => about().prop_flat_map(|(model, p)| {
            (sets(model), any::<bool>()).prop_map(move |(set, each)| Action::UpdateEach(model, p.clone(), set, each))
        }),
        2 => about().prop_map(|(model, p)| Action::Delete(model, Expr::And(vec![p.clone(), thinned(model)]))),
    ];
    let ask = prop_oneof![
        3 => about().prop_flat_map(|(model, p)| {
            let keys = prop::collection::vec((0..scalars(model).len(), any::<bool>()), 1..3);
            (keys, 0u64..6, 0u64..12).prop_map(move |(keys, offset, limit)| Action::Page(model, p.clone(), keys, offset, limit))
        }),
        1 => (about(), prop::sample::select(vec![Aggregate::Sum, Aggregate::Average, Aggregate::Min, Aggregate::Max]))
            .prop_map(|((model, p), function)| Action::Sum(model, p, function)),
    ];
    let one = prop_oneof![
        4 => change.clone(),
        2 => ask,
        1 => prop::collection::vec(change, 1..4).prop_map(Action::Undone),
        1 => Just(Action::Reopen),
    ];
    prop::collection::vec(one, 1..8)
}

/// Keeps deletes from emptying the store at once.
fn thinned(model: usize) -> Expr {
    let number = match model {
        STUDENT => at(&[student::AGE]),
        GRADE => at(&[1]),
        _ => at(&[item::A]),
    };
    equal(arith(ArithOp::Remainder, number, int(3)), int(0))
}

/// Runs actions on a filled store; what differed.
pub fn run(engine: &dyn Engine, actions: &[Action]) -> Vec<String> {
    let mut bench = Bench::filled(engine);
    let mut next = [0u64; 9];
    (next[STUDENT], next[ITEM], next[TEAM]) = (40, 30, 5);
    for action in actions {
        act(&mut bench, action, &mut next, false);
        bench.compare("an action");
        if !bench.differences.is_empty() {
            break;
        }
    }
    bench.differences
}

fn act(bench: &mut Bench<'_>, action: &Action, next: &mut [u64; 9], inside: bool) {
    match action {
        Action::Insert(model, count, each) => {
            let first = next[*model];
            next[*model] += count;
            if inside {
                let records = bench.records(*model, first, *count, 0);
                bench.both("insert", |session| session.insert(*model, &records));
            } else {
                bench.insert(*model, first, *count, *each);
            }
        }
        Action::Upsert(count, generation) => {
            next[ITEM] = next[ITEM].max(*count);
            if inside {
                let records = bench.records(ITEM, 0, *count, *generation);
                bench.both("upsert", |session| session.upsert(ITEM, &records));
            } else {
                bench.upsert(ITEM, *count, *generation);
            }
        }
        Action::Update(model, predicate, set, by) => {
            let request = Request::Update {
                model: *model,
                select: Select::Where(predicate.clone()),
                set: set.clone(),
                by: *by,
            };
            bench.change("update", &request, &[]);
        }
        Action::UpdateEach(model, predicate, set, each) => {
            let read = query(*model, Select::Where(predicate.clone()), Vec::new());
            let one = update(*model, Select::Identity, set.clone());
            // One that fails would leave the others changed in the engine's order.
            let whole = Request::Read(read.clone());
            bench.ask("update each", &whole, &[]);
            if set
                .iter()
                .all(|(_, expr)| matches!(expr, Expr::Literal(value) if !value.is_null()))
                && !inside
            {
                bench.change_each("update each", &read, &one, *each);
            }
        }
        Action::Delete(model, predicate) => {
            bench.change(
                "delete",
                &delete(*model, Select::Where(predicate.clone())),
                &[],
            );
        }
        Action::Undone(actions) => {
            let before = *next;
            bench.both("begin", |session| session.begin());
            for action in actions {
                act(bench, action, next, true);
            }
            bench.both("rollback", |session| session.rollback());
            *next = before;
        }
        Action::Page(model, predicate, keys, offset, limit) => {
            let mut paths: Vec<&[usize]> =
                keys.iter().map(|(at, _)| scalars(*model)[*at].0).collect();
            let select = Select::Where(predicate.clone());
            let mut read = query(*model, select.clone(), Vec::new());
            read.order = keys
                .iter()
                .map(|(at, descending)| order(scalars(*model)[*at].0, *descending))
                .collect();
            if *model != GRADE {
                // The key makes the order total, so that a page is one thing.
                read.order.push(order(&[0], false));
                paths.push(&[0]);
                (read.offset, read.limit) = (*offset, Some(*limit));
            }
            read.columns = columns(&paths);
            bench.ask("page", &Request::Read(read), &[]);
            bench.ask(
                "count",
                &Request::Count {
                    model: *model,
                    select,
                },
                &[],
            );
        }
        Action::Sum(model, predicate, function) => {
            for (hops, kind) in scalars(*model) {
                if matches!(kind, Kind::Int | Kind::Float) {
                    let over = query(*model, Select::Where(predicate.clone()), Vec::new());
                    bench.ask("sum", &aggregate(over, *function, at(hops)), &[]);
                }
            }
        }
        Action::Reopen => bench.reopen(),
    }
}
