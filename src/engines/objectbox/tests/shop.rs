//! A small schema: shops, their orders, and tags.

use crate::base::Value;
use crate::engines::Options;
use crate::engines::Setting;
use crate::engines::objectbox::setup::Setup;
use crate::plan::{
    CompareOp, Expr, Field, FieldKind, Index, IndexColumn, Model, Ownership, Path, Scalar, Schema,
};

pub const SHOP: usize = 0;
pub const ORDER: usize = 1;
pub const TAG: usize = 2;

/// Fields of `Order`.
pub mod order {
    pub const ID: usize = 0;
    pub const NAME: usize = 1;
    pub const NOTE: usize = 2;
    pub const TOTAL: usize = 3;
    pub const PAID: usize = 4;
    pub const STATUS: usize = 5;
    pub const SHOP: usize = 6;
    pub const TAGS: usize = 7;
    pub const COUNT: usize = 8;
}

fn field(name: &str, kind: FieldKind, optional: bool) -> Field {
    Field {
        name: name.into(),
        kind,
        optional,
    }
}

fn scalar(name: &str, scalar: Scalar) -> Field {
    field(name, FieldKind::Scalar(scalar), false)
}

pub fn schema() -> Schema {
    let to_many = |target, ownership, inverse| FieldKind::ToMany {
        target,
        ownership,
        cascade: true,
        inverse,
    };
    let status = vec!["open".into(), "done".into(), "A*".into()];
    Schema {
        models: vec![
            Model {
                name: "Shop".into(),
                fields: vec![
                    scalar("name", Scalar::Text),
                    field(
                        "orders",
                        to_many(ORDER, Ownership::Owned { max: 3 }, Some(order::SHOP)),
                        false,
                    ),
                ],
                key: Some(0),
                indexes: Vec::new(),
            },
            Model {
                name: "Order".into(),
                fields: vec![
                    scalar("id", Scalar::Int),
                    scalar("name", Scalar::Text),
                    field("note", FieldKind::Scalar(Scalar::Text), true),
                    field("total", FieldKind::Scalar(Scalar::Float), true),
                    scalar("paid", Scalar::Bool),
                    scalar("status", Scalar::Enum(status)),
                    field(
                        "shop",
                        FieldKind::ToOne {
                            target: SHOP,
                            ownership: Ownership::Owned { max: 3 },
                            cascade: false,
                            inverse_of: Some(1),
                        },
                        false,
                    ),
                    field("tags", to_many(TAG, Ownership::Linked, None), false),
                    field("count", FieldKind::Scalar(Scalar::Int), true),
                    field("words", FieldKind::List(Scalar::Text), false),
                ],
                key: Some(order::ID),
                indexes: vec![Index {
                    name: "Order_name".into(),
                    columns: vec![IndexColumn {
                        field: order::NAME,
                        descending: false,
                    }],
                    unique: false,
                }],
            },
            Model {
                name: "Tag".into(),
                fields: vec![scalar("label", Scalar::Text), scalar("rank", Scalar::Int)],
                key: None,
                indexes: Vec::new(),
            },
        ],
    }
}

pub fn setup(options: &Options) -> Setup {
    Setup::of(&Setting {
        schema: &schema(),
        hooks: &[],
        options,
    })
    .expect("known options")
}

pub fn at(hops: &[usize]) -> Expr {
    Expr::Path(path(hops))
}

pub fn path(hops: &[usize]) -> Path {
    Path {
        hops: hops.to_vec(),
        json: Vec::new(),
        text: format!("{hops:?}"),
    }
}

pub fn compare(op: CompareOp, left: Expr, right: Expr) -> Expr {
    Expr::Compare {
        op,
        left: Box::new(left),
        right: Box::new(right),
        ignoring_case: false,
    }
}

pub fn int(value: i64) -> Expr {
    Expr::Literal(Value::Int(value))
}

pub fn float(value: f64) -> Expr {
    Expr::Literal(Value::Float(value))
}

pub fn text(value: &str) -> Expr {
    Expr::Literal(Value::Text(value.into()))
}
