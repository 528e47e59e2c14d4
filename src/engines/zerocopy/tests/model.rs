//! Any sequence of changes over many clusters, beside the oracle.

use proptest::prelude::*;

use super::fixture::*;
use crate::base::Value;
use crate::engines::memory::MemoryEngine;
use crate::engines::zerocopy::{FILE, Zerocopy, verify};
use crate::engines::{EngineError, ErrorKind, Maintenance, Session};
use crate::plan::{ArithOp, CompareOp, Expr, OrderKey, Quantifier, Request, Select};

#[derive(Clone, Debug)]
enum Action {
    Insert(u64),
    /// Into the gaps that deletions left.
    Refill(u64),
    Rename(i64),
    Age(i64),
    Befriend,
    Forget(i64),
    Delete(i64, u64),
    Cities(u64),
    Undone(Box<Action>),
    Reopen,
    Compact,
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let one = prop_oneof![
        3 => (1u64..2500).prop_map(Action::Insert),
        1 => (1u64..60).prop_map(Action::Refill),
        1 => (0i64..90).prop_map(Action::Rename),
        2 => (0i64..90).prop_map(Action::Age),
        1 => Just(Action::Befriend),
        1 => (0i64..90).prop_map(Action::Forget),
        3 => (0i64..90, 1u64..4).prop_map(|(age, what)| Action::Delete(age, what)),
        1 => (0u64..4).prop_map(Action::Cities),
        1 => Just(Action::Reopen),
        1 => Just(Action::Compact),
    ];
    let undone = one
        .clone()
        .prop_map(|action| Action::Undone(Box::new(action)));
    prop::collection::vec(prop_oneof![6 => one, 1 => undone], 1..9)
}

fn older(age: i64) -> Select {
    Select::Where(compare(
        CompareOp::Greater,
        at(&[person::AGE]),
        Value::Int(age),
    ))
}

fn act(session: &mut dyn Session, action: &Action, next: &mut u64) -> Result<(), ErrorKind> {
    done(session, action, next).map_err(|error| error.kind)
}

fn done(session: &mut dyn Session, action: &Action, next: &mut u64) -> Result<(), EngineError> {
    let text = |text: &str| Expr::Literal(Value::Text(text.into()));
    match action {
        Action::Insert(count) => {
            for first in (*next..*next + count).step_by(700) {
                let last = (*next + count).min(first + 700);
                session.insert(PERSON, &people(first..last))?;
            }
            *next += count;
        }
        Action::Refill(count) => {
            let there = ask(session, &Request::Read(all(PERSON, &[&[]])))?;
            let there: std::collections::HashSet<i64> = there
                .iter()
                .map(|row| match row[0] {
                    Value::Int(row) => row,
                    _ => -1,
                })
                .collect();
            let gaps = (0..*next).filter(|row| !there.contains(&(*row as i64)));
            // Pets of deleted people are gone, so their rows are free, too.
            let records: Vec<_> = gaps.step_by(7).take(*count as usize).map(person).collect();
            // What stands against it stands against it on both sides.
            session.insert(PERSON, &records)?;
        }
        Action::Rename(age) => {
            let set = vec![(person::NAME, text("renamed"))];
            change(session, &update(PERSON, older(*age), set))?;
        }
        Action::Age(age) => {
            let older = Expr::Arith {
                op: ArithOp::Add,
                left: Box::new(at(&[person::AGE])),
                right: Box::new(Expr::Literal(Value::Int(100_000))),
            };
            let set = vec![
                (person::AGE, older),
                (person::SCORE, Expr::Literal(Value::Null)),
            ];
            let younger = compare(CompareOp::Less, at(&[person::AGE]), Value::Int(*age));
            change(session, &update(PERSON, Select::Where(younger), set))?;
        }
        Action::Befriend => {
            let mut friends = people(*next..*next + 40);
            for friend in &mut friends {
                friend.fields[person::PETS] = crate::workload::Content::Children(Vec::new());
                if friend.row > *next {
                    friend.fields[person::BEST] =
                        crate::workload::Content::Link(Some(crate::workload::Target {
                            row: *next + (friend.row - *next) / 2,
                            key: None,
                        }));
                }
            }
            session.insert(PERSON, &friends)?;
            *next += 40;
        }
        Action::Forget(age) => {
            let set = vec![
                (person::CITY, Expr::Literal(Value::Null)),
                (person::BEST, Expr::Literal(Value::Null)),
            ];
            change(session, &update(PERSON, older(*age), set))?;
        }
        Action::Delete(age, what) => {
            let (model, select) = match what {
                1 => (PERSON, older(*age)),
                2 => (
                    PET,
                    Select::Where(compare(
                        CompareOp::Equal,
                        at(&[0]),
                        Value::Text("cat".into()),
                    )),
                ),
                _ => (
                    PERSON,
                    Select::Where(compare(
                        CompareOp::Equal,
                        at(&[person::AGE]),
                        Value::Int(*age),
                    )),
                ),
            };
            change(session, &Request::Delete { model, select })?;
        }
        Action::Cities(city) => {
            let name = Value::Text(format!("city {city}"));
            let select = Select::Where(compare(CompareOp::Equal, at(&[0]), name));
            change(
                session,
                &Request::Delete {
                    model: CITY,
                    select,
                },
            )?;
        }
        Action::Undone(_) | Action::Reopen | Action::Compact => {}
    }
    Ok(())
}

/// Conditions on linked records, on nulls and on lists, whatever is left of them.
fn conditions(session: &mut dyn Session) -> Vec<Vec<Vec<Value>>> {
    let text = |text: &str| Value::Text(text.into());
    let any = |quantifier, over: usize, predicate| Expr::Quantified {
        quantifier,
        over: way(&[over]),
        predicate: Box::new(predicate),
    };
    let dog = || compare(CompareOp::Equal, at(&[0]), text("dog"));
    let far = || compare(CompareOp::Greater, at(&[0]), text("city 2"));
    let mut asked = Vec::new();
    for quantifier in [Quantifier::Any, Quantifier::All, Quantifier::None] {
        asked.push((PERSON, any(quantifier, person::PETS, dog())));
        asked.push((PERSON, any(quantifier, person::LIKES, far())));
        asked.push((
            PERSON,
            Expr::And(vec![
                compare(CompareOp::Equal, at(&[person::NAME]), text("name 3")),
                any(quantifier, person::PETS, dog()),
                any(quantifier, person::LIKES, far()),
            ]),
        ));
    }
    for op in [CompareOp::Equal, CompareOp::NotEqual, CompareOp::Less] {
        asked.push((PERSON, compare(op, at(&[person::CITY, 0]), text("city 2"))));
        asked.push((
            PERSON,
            compare(op, at(&[person::BEST, person::AGE]), Value::Int(40)),
        ));
        asked.push((
            PERSON,
            compare(op, at(&[person::SCORE]), Value::Float(3.25)),
        ));
        asked.push((PERSON, compare(op, at(&[person::AGE]), Value::Int(12))));
        asked.push((PET, compare(op, at(&[1, person::CITY, 0]), text("city 2"))));
        asked.push((PET, compare(op, at(&[1, person::AGE]), Value::Float(40.5))));
        asked.push((PET, compare(op, at(&[0]), text("cat"))));
    }
    for field in [person::SCORE, person::CITY, person::BEST] {
        asked.push((PERSON, Expr::IsNull(Box::new(at(&[field])))));
        asked.push((
            PERSON,
            Expr::Not(Box::new(Expr::IsNull(Box::new(at(&[field]))))),
        ));
    }
    asked.push((PET, Expr::IsNull(Box::new(at(&[1])))));
    asked
        .into_iter()
        .map(|(model, predicate)| {
            let mut query = all(model, &[&[]]);
            query.select = Select::Where(predicate);
            ask(session, &Request::Read(query)).expect("reads")
        })
        .collect()
}

fn pages(session: &mut dyn Session) -> Vec<Vec<Vec<Value>>> {
    let order = |field: usize, descending: bool| OrderKey {
        path: way(&[field]),
        descending,
    };
    let orders = [
        vec![
            order(person::AGE, false),
            order(person::SCORE, true),
            order(person::ID, false),
        ],
        vec![order(person::NAME, true), order(person::ID, true)],
        vec![order(person::SCORE, false), order(person::ID, false)],
    ];
    let equal = |field: usize, value| Select::Where(compare(CompareOp::Equal, at(&[field]), value));
    let selects = [
        Select::All,
        equal(person::AGE, Value::Int(40)),
        equal(person::NAME, Value::Text("name 7".into())),
        Select::Where(compare(
            CompareOp::Equal,
            at(&[person::CITY, 0]),
            Value::Text("city 1".into()),
        )),
    ];
    let mut pages = conditions(session);
    for order in &orders {
        for select in &selects {
            let mut query = all(
                PERSON,
                &[&[], &[person::AGE], &[person::NAME], &[person::SCORE]],
            );
            (query.order, query.select) = (order.clone(), select.clone());
            (query.offset, query.limit) = (3, Some(50));
            pages.push(ask(session, &Request::Read(query)).expect("reads"));
        }
    }
    pages
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_has_the_same_outcome(actions in actions()) {
        let directory = tempfile::tempdir().expect("a directory");
        let mut oracle = open(&MemoryEngine, directory.path()).expect("opens");
        let mut session = open(&Zerocopy, directory.path()).expect("opens");
        for session in [&mut oracle, &mut session] {
            session.insert(CITY, &cities()).expect("inserts");
        }
        let mut next = 0;
        for action in &actions {
            let before = next;
            match action {
                Action::Reopen => {
                    session.close().expect("closes");
                    session = open(&Zerocopy, directory.path()).expect("opens again");
                }
                Action::Compact => session.maintain(Maintenance::Compact).expect("compacts"),
                Action::Undone(action) => {
                    let results = [&mut oracle, &mut session].map(|session| {
                        next = before;
                        session.begin().expect("begins");
                        let result = act(&mut **session, action, &mut next);
                        session.rollback().expect("undoes");
                        result
                    });
                    prop_assert_eq!(&results[0], &results[1]);
                    next = before;
                }
                action => {
                    let results = [&mut oracle, &mut session].map(|session| {
                        next = before;
                        session.begin().expect("begins");
                        let result = act(&mut **session, action, &mut next);
                        match result {
                            Ok(()) => session.commit().expect("commits"),
                            Err(_) => session.rollback().expect("undoes"),
                        }
                        result
                    });
                    prop_assert_eq!(&results[0], &results[1]);
                }
            }
            prop_assert!(state(&mut *session) == state(&mut *oracle), "after {action:?}");
        }
        prop_assert_eq!(pages(&mut *session), pages(&mut *oracle));
        session.close().expect("closes");
        let report = verify(&directory.path().join(FILE)).expect("is checked");
        prop_assert_eq!(report.faults, Vec::<String>::new());
    }
}
