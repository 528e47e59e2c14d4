//! Types of expressions.

use std::rc::Rc;

use crate::plan::schema::{FieldKind, ModelId, Scalar, Schema};
use crate::plan::{Expr, Generator};

/// What an expression gives.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    /// Something is wrong and reported already: fits everywhere.
    Unknown,
    /// Known only at run time: a hook's result, a value in free-form json.
    Dynamic,
    /// `null`
    Null,
    Bool,
    Int,
    Float,
    Text,
    Uuid,
    Timestamp,
    /// A length of time: ns in params and options, ms beside timestamps.
    Duration,
    Blob,
    Json,
    Enum(Rc<[String]>),
    List(Box<Type>),
    ToOne(ModelId),
    ToMany(ModelId),
}

/// A checked expression.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub expr: Expr,
    pub ty: Type,
    /// Whether it can be null.
    pub null: bool,
}

impl Typed {
    pub fn new(expr: Expr, ty: Type) -> Self {
        Typed {
            expr,
            ty,
            null: false,
        }
    }

    /// What stands for something that is wrong and reported.
    pub fn unknown() -> Self {
        // No value at any point, so that nothing is concluded from it.
        Typed::new(Expr::It, Type::Unknown)
    }

    pub fn generated(generator: Generator, ty: Type) -> Self {
        Typed::new(Expr::Generate(Box::new(generator)), ty)
    }

    #[must_use]
    pub fn nullable(mut self, null: bool) -> Self {
        self.null = null;
        self
    }
}

impl Type {
    pub fn of_scalar(scalar: &Scalar) -> Type {
        match scalar {
            Scalar::Bool => Type::Bool,
            Scalar::Int => Type::Int,
            Scalar::Float => Type::Float,
            Scalar::Text => Type::Text,
            Scalar::Uuid => Type::Uuid,
            Scalar::Timestamp => Type::Timestamp,
            Scalar::Blob => Type::Blob,
            Scalar::Json => Type::Json,
            Scalar::Enum(cases) => Type::Enum(cases.as_slice().into()),
        }
    }

    pub fn of_field(kind: &FieldKind) -> Type {
        match kind {
            FieldKind::Scalar(scalar) => Type::of_scalar(scalar),
            FieldKind::List(scalar) => Type::List(Box::new(Type::of_scalar(scalar))),
            FieldKind::ToOne { target, .. } => Type::ToOne(*target),
            FieldKind::ToMany { target, .. } => Type::ToMany(*target),
        }
    }

    /// Whether anything may be done with it without a word.
    pub fn is_open(&self) -> bool {
        matches!(self, Type::Unknown | Type::Dynamic)
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Type::Int | Type::Float) || self.is_open()
    }

    /// Text, or an enum, whose values are texts.
    pub fn is_text(&self) -> bool {
        matches!(self, Type::Text | Type::Enum(_)) || self.is_open()
    }

    pub fn is_bool(&self) -> bool {
        matches!(self, Type::Bool) || self.is_open()
    }

    /// Whether values have one order on every engine.
    pub fn is_ordered(&self) -> bool {
        !matches!(
            self,
            Type::Json | Type::List(_) | Type::ToOne(_) | Type::ToMany(_) | Type::Null
        )
    }

    /// In words, with its article: `an int`.
    pub fn words(&self, schema: &Schema) -> String {
        let model = |id: &ModelId| {
            schema
                .models
                .get(*id)
                .map_or("a record", |m| m.name.as_str())
        };
        match self {
            Type::Unknown | Type::Dynamic => "a value".to_owned(),
            Type::Null => "null".to_owned(),
            Type::Bool => "a bool".to_owned(),
            Type::Int => "an int".to_owned(),
            Type::Float => "a float".to_owned(),
            Type::Text => "a text".to_owned(),
            Type::Uuid => "a uuid".to_owned(),
            Type::Timestamp => "a timestamp".to_owned(),
            Type::Duration => "a length of time".to_owned(),
            Type::Blob => "a blob".to_owned(),
            Type::Json => "json".to_owned(),
            Type::Enum(_) => "an enum".to_owned(),
            Type::List(item) => format!("a list of {}", item.plural()),
            Type::ToOne(id) => format!("a link to {}", model(id)),
            Type::ToMany(id) => format!("links to {}", model(id)),
        }
    }

    fn plural(&self) -> &'static str {
        match self {
            Type::Bool => "bools",
            Type::Int => "ints",
            Type::Float => "floats",
            Type::Text => "texts",
            Type::Uuid => "uuids",
            Type::Timestamp => "timestamps",
            Type::Blob => "blobs",
            Type::Json => "json",
            Type::Enum(_) => "enum cases",
            _ => "values",
        }
    }
}
