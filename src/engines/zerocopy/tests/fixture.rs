//! A schema with a little of everything, and records of it without a generator.

use std::path::Path;
use std::rc::Rc;

use crate::base::Value;
use crate::engines::zerocopy::catalog::Catalog;
use crate::engines::zerocopy::error::Result;
use crate::engines::zerocopy::store::{Beginning, Settings, Store};
use crate::engines::{Session, Setting};
use crate::plan::schema::{
    Field, FieldId, FieldKind, Index, IndexColumn, Model, Ownership, Scalar, Schema,
};
use crate::plan::{Column, CompareOp, Expr, Path as Way, Query, Request, Select, UpdateBy};
use crate::workload::{CollectSink, Content, NoHooks, NoSink, Record, Target};

pub const CITY: usize = 0;
pub const PERSON: usize = 1;
pub const PET: usize = 2;
pub const CITIES: u64 = 7;

pub mod person {
    pub const ID: usize = 0;
    pub const NAME: usize = 1;
    pub const AGE: usize = 2;
    pub const SCORE: usize = 3;
    pub const TAGS: usize = 4;
    pub const CITY: usize = 5;
    pub const PETS: usize = 6;
    pub const BEST: usize = 7;
    pub const LIKES: usize = 8;
}

fn field(name: &str, kind: FieldKind, optional: bool) -> Field {
    Field {
        name: name.into(),
        kind,
        optional,
    }
}

fn scalar(name: &str, scalar: Scalar, optional: bool) -> Field {
    field(name, FieldKind::Scalar(scalar), optional)
}

fn link(target: usize, ownership: Ownership) -> FieldKind {
    FieldKind::ToOne {
        target,
        ownership,
        cascade: false,
        inverse_of: None,
    }
}

pub fn schema() -> Schema {
    let index = |name: &str, fields: &[(FieldId, bool)]| Index {
        name: name.into(),
        columns: fields
            .iter()
            .map(|(field, descending)| IndexColumn {
                field: *field,
                descending: *descending,
            })
            .collect(),
        unique: false,
    };
    let city = Model {
        name: "City".into(),
        fields: vec![scalar("name", Scalar::Text, false)],
        key: None,
        indexes: Vec::new(),
    };
    let person = Model {
        name: "Person".into(),
        fields: vec![
            scalar("id", Scalar::Uuid, false),
            scalar("name", Scalar::Text, false),
            scalar("age", Scalar::Int, false),
            scalar("score", Scalar::Float, true),
            field("tags", FieldKind::List(Scalar::Text), false),
            field("city", link(CITY, Ownership::Shared { pool: CITIES }), true),
            field(
                "pets",
                FieldKind::ToMany {
                    target: PET,
                    ownership: Ownership::Owned { max: 3 },
                    cascade: true,
                    inverse: Some(1),
                },
                false,
            ),
            field("best", link(PERSON, Ownership::Linked), true),
            field(
                "likes",
                FieldKind::ToMany {
                    target: CITY,
                    ownership: Ownership::Linked,
                    cascade: false,
                    inverse: None,
                },
                false,
            ),
        ],
        key: Some(person::ID),
        indexes: vec![
            index(
                "Person_age_score",
                &[(person::AGE, false), (person::SCORE, true)],
            ),
            index("Person_name", &[(person::NAME, false)]),
        ],
    };
    let pet = Model {
        name: "Pet".into(),
        fields: vec![
            scalar("kind", Scalar::Text, false),
            field(
                "owner",
                FieldKind::ToOne {
                    target: PERSON,
                    ownership: Ownership::Owned { max: 3 },
                    cascade: false,
                    inverse_of: Some(person::PETS),
                },
                true,
            ),
        ],
        key: None,
        indexes: Vec::new(),
    };
    Schema {
        models: vec![city, person, pet],
    }
}

fn mixed(row: u64, salt: u64) -> u64 {
    (row ^ salt << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20
}

fn linked(row: u64) -> Option<Target> {
    Some(Target { row, key: None })
}

pub fn cities() -> Vec<Record> {
    (0..CITIES)
        .map(|row| Record {
            row,
            fields: vec![Content::Value(Value::Text(format!("city {}", row % 4)))],
        })
        .collect()
}

pub fn person(row: u64) -> Record {
    let text = |text: String| Value::Text(text);
    let mut id = [0; 16];
    id[..8].copy_from_slice(&mixed(row, 1).to_be_bytes());
    id[8..].copy_from_slice(&row.to_be_bytes());
    let score = match row % 5 {
        0 => Value::Null,
        _ => Value::Float(mixed(row, 2) as f64 % 64.0 / 4.0),
    };
    let tags = (0..row % 4).map(|tag| text(format!("tag {}", mixed(row + tag, 3) % 9)));
    let pets = (0..row % 3).map(|at| Record {
        row: row * 3 + at,
        fields: vec![
            Content::Value(text(
                ["cat", "dog", "owl"][(mixed(row + at, 4) % 3) as usize].into(),
            )),
            Content::Owner,
        ],
    });
    let likes = (0..row % 4)
        .map(|at| (mixed(row, 8) + 2 * at) % CITIES)
        .filter_map(linked);
    Record {
        row,
        fields: vec![
            Content::Value(Value::Uuid(id)),
            Content::Value(text(format!("name {}", mixed(row, 5) % 50))),
            Content::Value(Value::Int((mixed(row, 6) % 90) as i64)),
            Content::Value(score),
            Content::Value(Value::List(tags.collect())),
            Content::Link(
                (!row.is_multiple_of(6))
                    .then_some(mixed(row, 7) % CITIES)
                    .and_then(linked),
            ),
            Content::Children(pets.collect()),
            Content::Link(None),
            Content::Links(likes.collect()),
        ],
    }
}

pub fn people(rows: std::ops::Range<u64>) -> Vec<Record> {
    rows.map(person).collect()
}

pub fn way(hops: &[FieldId]) -> Way {
    Way {
        hops: hops.to_vec(),
        json: Vec::new(),
        text: "way".into(),
    }
}

pub fn at(hops: &[FieldId]) -> Expr {
    Expr::Path(way(hops))
}

pub fn compare(op: CompareOp, left: Expr, right: Value) -> Expr {
    Expr::Compare {
        op,
        left: Box::new(left),
        right: Box::new(Expr::Literal(right)),
        ignoring_case: false,
    }
}

pub fn all(model: usize, paths: &[&[FieldId]]) -> Query {
    Query {
        model,
        select: Select::All,
        order: Vec::new(),
        limit: None,
        offset: 0,
        columns: paths.iter().map(|path| Column::Path(way(path))).collect(),
    }
}

pub fn update(model: usize, select: Select, set: Vec<(FieldId, Expr)>) -> Request {
    Request::Update {
        model,
        select,
        set,
        by: UpdateBy::Statement,
    }
}

/// Everything that is stored, in an order of its own.
pub fn state(session: &mut dyn Session) -> Vec<Vec<Vec<Value>>> {
    use person as p;
    let queries = [
        all(CITY, &[&[], &[0]]),
        all(
            PERSON,
            &[
                &[],
                &[p::ID],
                &[p::NAME],
                &[p::AGE],
                &[p::SCORE],
                &[p::TAGS],
                &[p::CITY],
                &[p::CITY, 0],
                &[p::BEST],
                &[p::BEST, p::AGE],
                &[p::PETS, 0],
                &[p::LIKES],
                &[p::LIKES, 0],
            ],
        ),
        all(PET, &[&[], &[0], &[1], &[1, p::NAME]]),
    ];
    queries
        .into_iter()
        .map(|query| {
            let mut rows = ask(session, &Request::Read(query)).expect("reads");
            rows.sort_by(|a, b| crate::workload::compare::compare_values(&a[0], &b[0]));
            rows
        })
        .collect()
}

pub fn ask(session: &mut dyn Session, request: &Request) -> Result<Vec<Vec<Value>>> {
    let prepared = session.prepare(request)?;
    let mut sink = CollectSink::default();
    session.execute(prepared, &[], &mut sink)?;
    session.release(prepared);
    Ok(sink.rows)
}

pub fn change(session: &mut dyn Session, request: &Request) -> Result<u64> {
    let prepared = session.prepare(request)?;
    let changed = session.execute(prepared, &[], &mut NoSink);
    session.release(prepared);
    changed
}

pub const SETTINGS: Settings = Settings {
    durable: false,
    initial_size: 0,
    growth: 0,
};

pub fn store(directory: &Path) -> Result<(Store, Catalog)> {
    let catalog = Catalog::new(schema());
    let beginning = Beginning {
        schema: &catalog.schema,
        trees: catalog.layout.trees,
    };
    Ok((Store::open(directory, SETTINGS, &beginning)?, catalog))
}

/// The engine without syncs, as the registry has it.
pub fn open(engine: &dyn crate::engines::Engine, directory: &Path) -> Result<Box<dyn Session>> {
    let schema = schema();
    let options = [("durability".to_owned(), Value::Text("none".into()))].into();
    let setting = Setting {
        schema: &schema,
        hooks: &[],
        options: &options,
    };
    engine.open(directory, &setting, Rc::new(NoHooks))
}

/// A store with cities and so many people.
pub fn filled(directory: &Path, count: u64) -> Result<()> {
    let mut session = open(&crate::engines::zerocopy::Zerocopy, directory)?;
    session.insert(CITY, &cities())?;
    session.insert(PERSON, &people(0..count))?;
    session.close()
}
