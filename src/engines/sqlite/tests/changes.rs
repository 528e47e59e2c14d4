//! SQLite against the oracle: every kind of change, and the state after it.

use super::data::*;
use super::fixture::*;
use super::oracle::{pair, same_state};
use crate::base::Value;
use crate::engines::{ErrorKind, Options};
use crate::plan::schema::ModelId;
use crate::plan::*;

fn select_cases() -> Vec<(ModelId, Select, Vec<Value>)> {
    let p = |text: &str| path(PERSON, text);
    let named = Select::Where(equal(p("name"), text("Jane")));
    let in_ulm = Select::Where(equal(p("club.city.name"), text("Ulm")));
    let has_rex = Select::Where(quantified(
        Quantifier::Any,
        at(PERSON, "pets"),
        equal(path(PET, "name"), text("Rex")),
    ));
    vec![
        (PERSON, Select::Point(0), vec![uuid(5)]),
        (PERSON, Select::Point(0), vec![uuid(999)]),
        (PERSON, named, vec![]),
        (PERSON, in_ulm, vec![]),
        (PERSON, has_rex, vec![]),
        (
            PET,
            Select::Where(equal(path(PET, "owner.club.number"), int(7))),
            vec![],
        ),
        (PET, Select::All, vec![]),
        (
            CLUB,
            Select::Where(equal(path(CLUB, "number"), int(7))),
            vec![],
        ),
        (
            COURSE,
            Select::Where(equal(path(COURSE, "title"), text("Maths"))),
            vec![],
        ),
        (PERSON, Select::All, vec![]),
    ]
}

#[test]
fn deletes_cascade_and_unlink() {
    for (model, select, arguments) in select_cases() {
        for in_transaction in [false, true] {
            let mut pair = pair();
            if in_transaction {
                pair.sqlite.begin().unwrap();
                pair.memory.begin().unwrap();
            }
            let label = format!("{select:?}");
            let request = Request::Delete {
                model,
                select: select.clone(),
            };
            pair.agree(&label, &request, &arguments, false);
            if in_transaction {
                pair.sqlite.commit().unwrap();
                pair.memory.commit().unwrap();
            }
            same_state(&mut pair, &label);
        }
    }
}

#[test]
fn updates() {
    let p = |text: &str| path(PERSON, text);
    let sets: Vec<Vec<(usize, Expr)>> = vec![
        vec![
            (2, arith(ArithOp::Add, p("age"), int(1))),
            (1, text("Wendy")),
        ],
        vec![
            (3, Expr::Literal(Value::Null)),
            (12, Expr::Literal(Value::Null)),
        ],
        vec![
            (6, arith(ArithOp::Divide, p("age"), float(4.0))),
            (5, not(p("active"))),
        ],
        vec![
            (1, p("profile.bio")),
            (
                2,
                Expr::CountOf {
                    over: at(PERSON, "pets"),
                    predicate: None,
                },
            ),
        ],
        // What another record held before, whatever became of it meanwhile.
        vec![(3, p("boss.email")), (6, p("boss.score"))],
        vec![
            (5, compare(CompareOp::Greater, p("score"), float(2.0))),
            (
                10,
                Expr::If {
                    condition: compare(CompareOp::Greater, p("score"), float(2.0)).into(),
                    then: text("staff").into(),
                    otherwise: text("guest").into(),
                },
            ),
        ],
    ];
    for (model, select, arguments) in select_cases() {
        if model != PERSON {
            continue;
        }
        for set in &sets {
            for by in [UpdateBy::Idiom, UpdateBy::Statement, UpdateBy::Object] {
                let mut pair = pair();
                let label = format!("{by:?} {set:?}");
                let request = Request::Update {
                    model,
                    select: select.clone(),
                    set: set.clone(),
                    by,
                };
                pair.agree(&label, &request, &arguments, false);
                same_state(&mut pair, &label);
            }
        }
    }
}

#[test]
fn identities_live_as_long_as_their_records() {
    let mut pair = pair();
    let mut read = query(PERSON, Select::All, &["id"]);
    read.columns.insert(0, Column::Identity);
    let (_, rows) = ask(&mut *pair.sqlite, &Request::Read(read), &[], false).unwrap();
    let point = Request::Read(query(PERSON, Select::Identity, &["id"]));
    let delete = Request::Delete {
        model: PERSON,
        select: Select::Identity,
    };
    for row in &rows {
        let (count, found) = ask(&mut *pair.sqlite, &point, &row[..1], false).unwrap();
        assert_eq!((count, &found[0][0]), (1, &row[1]));
    }
    for row in &rows {
        assert_eq!(
            ask(&mut *pair.sqlite, &delete, &row[..1], false).unwrap().0,
            1
        );
    }
    for model in [PERSON, PROFILE, PET, TOY] {
        let count = Request::Count {
            model,
            select: Select::All,
        };
        assert_eq!(
            ask(&mut *pair.sqlite, &count, &[], false).unwrap().0,
            0,
            "{model}"
        );
    }
}

#[test]
fn upserts_replace_by_key() {
    // Without what a person owns: an upsert's model owns nothing.
    let mut schema = schema();
    for field in [14, 13] {
        schema.models[PERSON].fields.remove(field);
    }
    schema.models[PROFILE].fields.pop();
    schema.models[PET].fields.remove(2);
    let bare = |row, generation| {
        let mut record = person(row, generation);
        record.fields.remove(14);
        record.fields.remove(13);
        record
    };
    let directory = tempfile::tempdir().unwrap();
    let hooks = hooks();
    let options = Options::new();
    let setting = crate::engines::Setting {
        schema: &schema,
        hooks: &hooks,
        options: &options,
    };
    let runner = || std::rc::Rc::new(Hooks);
    use crate::engines::Engine;
    let mut sessions = [
        crate::engines::memory::MemoryEngine
            .open(directory.path(), &setting, runner())
            .unwrap(),
        crate::engines::sqlite::Sqlite
            .open(directory.path(), &setting, runner())
            .unwrap(),
    ];
    let columns: Vec<Column> = [
        "id",
        "name",
        "age",
        "email",
        "tags",
        "marks",
        "club.number",
        "courses.title",
        "boss.id",
    ]
    .iter()
    .map(|c| {
        let mut path = at(PERSON, c);
        path.hops[0] -= 2 * usize::from(path.hops[0] > 14);
        if c.starts_with("courses") || c.starts_with("boss") {
            path.hops[0] = schema.models[PERSON]
                .field_named(c.split('.').next().unwrap())
                .unwrap();
        }
        Column::Path(path)
    })
    .collect();
    let all = Request::Read(Query {
        columns,
        ..query(PERSON, Select::All, &[])
    });
    let mut answers = Vec::new();
    for session in &mut sessions {
        for (model, records) in others() {
            session.insert(model, &records).unwrap();
        }
        let first: Vec<_> = (0..20).map(|row| bare(row, 0)).collect();
        session.upsert(PERSON, &first).unwrap();
        let second: Vec<_> = (0..30).map(|row| bare(row, 3)).collect();
        session.begin().unwrap();
        session.upsert(PERSON, &second).unwrap();
        session.commit().unwrap();
        answers.push(ask(&mut **session, &all, &[], false).unwrap());
    }
    assert_eq!(answers[0].0, 30);
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn upserts_replace_by_an_int_key() {
    let mut pair = pair();
    let clubs = others().remove(1).1;
    let renamed = clubs.into_iter().skip(1).map(|mut club| {
        club.fields[1] = crate::workload::Content::Value(Value::Text("renamed".into()));
        club
    });
    let renamed: Vec<_> = renamed.collect();
    for session in [&mut pair.memory, &mut pair.sqlite] {
        for club in &renamed {
            session.upsert(CLUB, std::slice::from_ref(club)).unwrap();
        }
    }
    let count = filtered(CLUB, equal(path(CLUB, "name"), text("renamed")));
    assert_eq!(ask(&mut *pair.sqlite, &count, &[], false).unwrap().0, 2);
    same_state(&mut pair, "upserted");
}

#[test]
fn what_is_rolled_back_is_gone() {
    let mut pair = pair();
    let delete = Request::Delete {
        model: PERSON,
        select: Select::All,
    };
    pair.sqlite.begin().unwrap();
    ask(&mut *pair.sqlite, &delete, &[], false).unwrap();
    pair.sqlite.rollback().unwrap();
    same_state(&mut pair, "rolled back");
    let twice = pair
        .sqlite
        .insert(PERSON, &[person(3, 0)])
        .expect_err("a key twice");
    assert_eq!(twice.kind, ErrorKind::Constraint);
    same_state(&mut pair, "a failed insert leaves nothing of itself");
}
