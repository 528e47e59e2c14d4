//! The users that the adapters store, and what they are asked.

use persist_lab::base::Value;
use persist_lab::plan::{
    ArithOp, Column, CompareOp, Expr, Field, FieldKind, Index, IndexColumn, Model,
    Path as FieldPath, Query, Request, Scalar, Schema, Select, UpdateBy,
};
use persist_lab::workload::{Content, Record};

use crate::race::mix;

/// What an application would keep of a user.
pub struct User {
    pub id: [u8; 16],
    pub first_name: String,
    pub last_name: String,
    pub age: i64,
    pub score: Option<f64>,
    pub joined: i64,
}

pub fn schema() -> Schema {
    let field = |name: &str, scalar, optional| Field {
        name: name.into(),
        kind: FieldKind::Scalar(scalar),
        optional,
    };
    Schema {
        models: vec![Model {
            name: "User".into(),
            fields: vec![
                field("id", Scalar::Uuid, false),
                field("first_name", Scalar::Text, false),
                field("last_name", Scalar::Text, false),
                field("age", Scalar::Int, false),
                field("score", Scalar::Float, true),
                field("joined", Scalar::Timestamp, false),
            ],
            key: Some(0),
            indexes: vec![Index {
                name: "User_last_name".into(),
                columns: vec![IndexColumn {
                    field: 2,
                    descending: false,
                }],
                unique: false,
            }],
        }],
    }
}

pub fn path(field: usize) -> FieldPath {
    FieldPath::field(&schema(), 0, field)
}

pub fn below(age: i64) -> Expr {
    Expr::Compare {
        op: CompareOp::Less,
        left: Box::new(Expr::Path(path(3))),
        right: Box::new(Expr::Literal(Value::Int(age))),
        ignoring_case: false,
    }
}

pub fn young() -> Expr {
    below(20)
}

pub fn read(select: Select) -> Request {
    Request::Read(Query {
        model: 0,
        select,
        order: Vec::new(),
        limit: None,
        offset: 0,
        columns: (0..6).map(|field| Column::Path(path(field))).collect(),
    })
}

pub fn update() -> Request {
    let older = Expr::Arith {
        op: ArithOp::Add,
        left: Box::new(Expr::Path(path(3))),
        right: Box::new(Expr::Literal(Value::Int(1))),
    };
    Request::Update {
        model: 0,
        select: Select::Where(below(50)),
        set: vec![(3, older), (1, Expr::Literal(Value::Text("Wendy".into())))],
        by: UpdateBy::Idiom,
    }
}

pub fn delete() -> Request {
    Request::Delete {
        model: 0,
        select: Select::Where(below(40)),
    }
}

pub fn user(row: u64) -> User {
    const FIRST: [&str; 8] = [
        "Jane",
        "Maximilian",
        "Ada",
        "Chidi",
        "Søren",
        "Li",
        "Beatrix",
        "Omar",
    ];
    const LAST: [&str; 7] = [
        "Smith",
        "Okonkwo",
        "Bartholomew",
        "Ng",
        "Müller",
        "Garcia",
        "Fitzgerald",
    ];
    let draw = mix(row);
    let mut id = [0; 16];
    id[..8].copy_from_slice(&draw.to_be_bytes());
    id[8..].copy_from_slice(&mix(draw).to_be_bytes());
    User {
        id,
        first_name: FIRST[(draw % 8) as usize].into(),
        last_name: format!("{}-{}", LAST[(draw / 8 % 7) as usize], draw % 1000),
        age: (draw / 64 % 99) as i64,
        score: (!draw.is_multiple_of(10)).then_some((draw % 10_007) as f64 / 7.0),
        joined: 1_700_000_000_000 + row as i64 * 997,
    }
}

pub fn record(user: &User, row: u64) -> Record {
    let fields = [
        Value::Uuid(user.id),
        Value::Text(user.first_name.clone()),
        Value::Text(user.last_name.clone()),
        Value::Int(user.age),
        user.score.map_or(Value::Null, Value::Float),
        Value::Timestamp(user.joined),
    ];
    Record {
        row,
        fields: fields.into_iter().map(Content::Value).collect(),
    }
}
