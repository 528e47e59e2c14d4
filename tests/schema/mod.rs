//! Building schemas and jobs for tests.
#![allow(dead_code)]

pub mod ask;

use persist_lab::base::Value;
use persist_lab::plan::schema::{FieldId, ModelId};
use persist_lab::plan::{
    ArithOp, Expr, Extent, Field, FieldKind, Generator, Index, IndexColumn, Job, Model, Ownership,
    Path, Scalar, Schema, TemplatePart,
};

pub fn int(value: i64) -> Expr {
    Expr::Literal(Value::Int(value))
}

pub fn float(value: f64) -> Expr {
    Expr::Literal(Value::Float(value))
}

pub fn text(value: &str) -> Expr {
    Expr::Literal(Value::Text(value.into()))
}

pub fn null() -> Expr {
    Expr::Literal(Value::Null)
}

pub fn draw(generator: Generator) -> Expr {
    Expr::Generate(Box::new(generator))
}

pub fn arith(op: ArithOp, left: Expr, right: Expr) -> Expr {
    Expr::Arith {
        op,
        left: Box::new(left),
        right: Box::new(right),
    }
}

pub fn either(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    Expr::If {
        condition: Box::new(condition),
        then: Box::new(then),
        otherwise: Box::new(otherwise),
    }
}

/// `percent null else expr`
pub fn sometimes_null(probability: f64, expr: Expr) -> Expr {
    either(draw(Generator::Chance(float(probability))), null(), expr)
}

pub fn template(parts: &[TemplatePart]) -> Expr {
    draw(Generator::Template(parts.to_vec()))
}

pub fn path(hops: &[FieldId], words: &str) -> Path {
    Path {
        hops: hops.to_vec(),
        json: Vec::new(),
        text: words.into(),
    }
}

/// One field with its generator.
pub struct Declared {
    pub field: Field,
    pub expr: Option<Expr>,
}

pub fn scalar(name: &str, scalar: Scalar, expr: Expr) -> Declared {
    declared(name, FieldKind::Scalar(scalar), false, Some(expr))
}

pub fn optional(name: &str, scalar: Scalar, expr: Expr) -> Declared {
    declared(name, FieldKind::Scalar(scalar), true, Some(expr))
}

pub fn list(name: &str, scalar: Scalar, expr: Expr) -> Declared {
    declared(name, FieldKind::List(scalar), false, Some(expr))
}

pub fn declared(name: &str, kind: FieldKind, optional: bool, expr: Option<Expr>) -> Declared {
    Declared {
        field: Field {
            name: name.into(),
            kind,
            optional,
        },
        expr,
    }
}

pub fn to_one(target: ModelId, ownership: Ownership, cascade: bool) -> FieldKind {
    FieldKind::ToOne {
        target,
        ownership,
        cascade,
        inverse_of: None,
    }
}

pub fn back_link(name: &str, target: ModelId, inverse_of: FieldId, optional: bool) -> Declared {
    let kind = FieldKind::ToOne {
        target,
        ownership: Ownership::Linked,
        cascade: false,
        inverse_of: Some(inverse_of),
    };
    declared(name, kind, optional, None)
}

pub fn to_many(
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

/// Collects models into a job.
#[derive(Default)]
pub struct Models {
    pub schema: Schema,
    pub generators: Vec<Vec<Option<Expr>>>,
}

impl Models {
    pub fn add(&mut self, name: &str, key: Option<FieldId>, fields: Vec<Declared>) -> ModelId {
        let (fields, exprs) = fields.into_iter().map(|d| (d.field, d.expr)).unzip();
        self.schema.models.push(Model {
            name: name.into(),
            fields,
            key,
            indexes: Vec::new(),
        });
        self.generators.push(exprs);
        self.schema.models.len() - 1
    }

    pub fn index(&mut self, model: ModelId, columns: &[(FieldId, bool)], unique: bool) {
        let model = &mut self.schema.models[model];
        let names: Vec<&str> = columns
            .iter()
            .map(|(field, _)| model.fields[*field].name.as_str())
            .collect();
        let name = format!("{}_{}", model.name, names.join("_"));
        model.indexes.push(Index {
            name,
            columns: columns
                .iter()
                .map(|&(field, descending)| IndexColumn { field, descending })
                .collect(),
            unique,
        });
    }

    pub fn job(self, extents: Vec<Extent>) -> Job {
        Job {
            id: "test".into(),
            engine: 0,
            options: Default::default(),
            tier: None,
            trial: "test".into(),
            point: Vec::new(),
            size: 0,
            runs: 1,
            skipped: None,
            schema: self.schema,
            generators: self.generators,
            extents,
            setup: Vec::new(),
            steps: Vec::new(),
            answer_key: String::new(),
        }
    }
}
