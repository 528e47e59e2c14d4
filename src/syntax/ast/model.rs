//! `model Name { … }`.

use serde::Serialize;

use super::{Block, Expr, Ident, OrderKey, Path, Trivia, Type};
use crate::base::span::Span;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Model {
    pub name: Ident,
    pub members: Block<ModelMember>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelMember {
    pub kind: ModelMemberKind,
    pub trivia: Trivia,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelMemberKind {
    Field(Field),
    Index(CompositeIndex),
    Unique(CompositeUnique),
}

/// `name: type [attributes] [= generator] [attributes]`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    pub name: Ident,
    pub ty: Type,
    /// `key` first, the rest as written.
    pub attributes: Vec<Attribute>,
    pub generator: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attribute {
    pub kind: AttributeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AttributeKind {
    Key,
    Index {
        when: Option<Expr>,
    },
    Unique,
    Cascade,
    /// The name of the link that the child gets back to its owner.
    Inverse(Ident),
}

/// `index (a, b desc) [when condition]`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CompositeIndex {
    pub keys: Vec<OrderKey>,
    pub when: Option<Expr>,
    pub span: Span,
}

/// `unique (a, b)`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CompositeUnique {
    pub fields: Vec<Path>,
    pub span: Span,
}

impl Model {
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.members.members.iter().filter_map(|m| match &m.kind {
            ModelMemberKind::Field(field) => Some(field),
            _ => None,
        })
    }
}
