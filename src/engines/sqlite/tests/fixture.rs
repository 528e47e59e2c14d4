//! A schema with every kind of field and relationship, and short ways to write
//! requests about it.

use crate::base::Value;
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::*;

pub const PERSON: ModelId = 0;
pub const CLUB: ModelId = 1;
pub const PROFILE: ModelId = 2;
pub const PET: ModelId = 3;
pub const COURSE: ModelId = 4;
pub const CITY: ModelId = 5;
pub const TOY: ModelId = 6;

fn field(name: &str, kind: FieldKind) -> Field {
    Field {
        name: name.into(),
        kind,
        optional: false,
    }
}

fn scalar(name: &str, scalar: Scalar) -> Field {
    field(name, FieldKind::Scalar(scalar))
}

fn optional(field: Field) -> Field {
    Field {
        optional: true,
        ..field
    }
}

fn one(target: ModelId, ownership: Ownership, cascade: bool) -> FieldKind {
    FieldKind::ToOne {
        target,
        ownership,
        cascade,
        inverse_of: None,
    }
}

fn back(target: ModelId, of: FieldId) -> FieldKind {
    FieldKind::ToOne {
        target,
        ownership: Ownership::Linked,
        cascade: false,
        inverse_of: Some(of),
    }
}

fn many(
    target: ModelId,
    ownership: Ownership,
    cascade: bool,
    inverse: Option<FieldId>,
) -> FieldKind {
    FieldKind::ToMany {
        target,
        ownership,
        cascade,
        inverse,
    }
}

fn model(name: &str, key: Option<FieldId>, fields: Vec<Field>) -> Model {
    Model {
        name: name.into(),
        fields,
        key,
        indexes: Vec::new(),
    }
}

fn index(model: &mut Model, columns: &[(&str, bool)], unique: bool) {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let columns = columns
        .iter()
        .map(|(name, descending)| IndexColumn {
            field: model.field_named(name).expect("a field"),
            descending: *descending,
        })
        .collect();
    let name = format!("{}_{}", model.name, names.join("_"));
    model.indexes.push(Index {
        name,
        columns,
        unique,
    });
}

pub fn schema() -> Schema {
    let owned = |max| Ownership::Owned { max };
    let cases = vec!["staff".into(), "guest".into()];
    let mut person = model(
        "Person",
        Some(0),
        vec![
            scalar("id", Scalar::Uuid),
            scalar("name", Scalar::Text),
            scalar("age", Scalar::Int),
            optional(scalar("email", Scalar::Text)),
            scalar("joined", Scalar::Timestamp),
            scalar("active", Scalar::Bool),
            optional(scalar("score", Scalar::Float)),
            field("tags", FieldKind::List(Scalar::Text)),
            optional(field("marks", FieldKind::List(Scalar::Int))),
            scalar("meta", Scalar::Json),
            scalar("kind", Scalar::Enum(cases)),
            optional(scalar("photo", Scalar::Blob)),
            optional(field("club", one(CLUB, Ownership::Linked, false))),
            field("profile", one(PROFILE, owned(1), true)),
            field("pets", many(PET, owned(4), true, Some(2))),
            field("courses", many(COURSE, Ownership::Linked, false, None)),
            optional(field("boss", one(PERSON, Ownership::Linked, false))),
        ],
    );
    index(&mut person, &[("age", true), ("name", false)], false);
    index(&mut person, &[("club", false), ("joined", true)], false);
    index(&mut person, &[("email", false)], false);
    index(&mut person, &[("joined", false)], true);
    Schema {
        models: vec![
            person,
            model(
                "Club",
                Some(0),
                vec![
                    scalar("number", Scalar::Int),
                    scalar("name", Scalar::Text),
                    field("city", one(CITY, Ownership::Shared { pool: 2 }, false)),
                ],
            ),
            model(
                "Profile",
                None,
                vec![
                    scalar("bio", Scalar::Text),
                    field("person", back(PERSON, 13)),
                ],
            ),
            model(
                "Pet",
                None,
                vec![
                    scalar("name", Scalar::Text),
                    optional(scalar("weight", Scalar::Float)),
                    field("owner", back(PERSON, 14)),
                    field("toys", many(TOY, owned(2), true, None)),
                ],
            ),
            model("Course", None, vec![scalar("title", Scalar::Text)]),
            model("City", None, vec![scalar("name", Scalar::Text)]),
            model("Toy", None, vec![scalar("name", Scalar::Text)]),
        ],
    }
}

pub fn hooks() -> Vec<Hook> {
    ["is_adult", "older_than"]
        .map(|name| Hook {
            name: name.into(),
            parameters: vec!["person".into()],
            body: String::new(),
            file: "test.exp".into(),
            line: 1,
            column: 1,
        })
        .to_vec()
}

/// `club.city.name`, from a model; JSON keys after a JSON field.
pub fn at(mut model: ModelId, text: &str) -> Path {
    let schema = schema();
    let mut hops: Vec<FieldId> = Vec::new();
    let mut json = Vec::new();
    for word in text.split('.') {
        let is_json = hops.last().is_some_and(|hop| {
            let kind: &FieldKind = &schema.models[model].fields[*hop].kind;
            matches!(kind, FieldKind::Scalar(Scalar::Json))
        });
        if is_json {
            json.push(word.into());
            continue;
        }
        if let Some(target) = hops
            .last()
            .and_then(|hop| schema.models[model].fields[*hop].kind.target())
        {
            model = target;
        }
        let hop = schema.models[model].field_named(word);
        hops.push(hop.unwrap_or_else(|| panic!("no field {word}")));
    }
    Path {
        hops,
        json,
        text: text.into(),
    }
}

pub fn path(model: ModelId, text: &str) -> Expr {
    Expr::Path(at(model, text))
}

pub fn text(value: &str) -> Expr {
    Expr::Literal(Value::Text(value.into()))
}

pub fn int(value: i64) -> Expr {
    Expr::Literal(Value::Int(value))
}

pub fn float(value: f64) -> Expr {
    Expr::Literal(Value::Float(value))
}

pub fn compare(op: CompareOp, left: Expr, right: Expr) -> Expr {
    Expr::Compare {
        op,
        left: left.into(),
        right: right.into(),
        ignoring_case: false,
    }
}

pub fn equal(left: Expr, right: Expr) -> Expr {
    compare(CompareOp::Equal, left, right)
}

pub fn arith(op: ArithOp, left: Expr, right: Expr) -> Expr {
    Expr::Arith {
        op,
        left: left.into(),
        right: right.into(),
    }
}

pub fn matching(op: TextOp, value: Expr, pattern: &str, ignoring_case: bool) -> Expr {
    Expr::TextMatch {
        op,
        value: value.into(),
        pattern: text(pattern).into(),
        ignoring_case,
    }
}

pub fn quantified(quantifier: Quantifier, over: Path, predicate: Expr) -> Expr {
    Expr::Quantified {
        quantifier,
        over,
        predicate: predicate.into(),
    }
}

pub fn not(of: Expr) -> Expr {
    Expr::Not(of.into())
}

pub fn hook(hook: usize, args: Vec<Expr>) -> Expr {
    Expr::Hook {
        hook,
        args,
        with_record: true,
    }
}

pub fn query(model: ModelId, select: Select, columns: &[&str]) -> Query {
    Query {
        model,
        select,
        order: Vec::new(),
        limit: None,
        offset: 0,
        columns: columns.iter().map(|c| Column::Path(at(model, c))).collect(),
    }
}

pub fn filtered(model: ModelId, predicate: Expr) -> Request {
    Request::Count {
        model,
        select: Select::Where(predicate),
    }
}
