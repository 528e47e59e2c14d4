//! Models: what their fields are, before any generator is looked into.

use std::collections::BTreeSet;

use super::checker::Checker;
use super::imports::UnitId;
use super::json::Shape;
use super::model::ModelExtra;
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::schema::{Field, FieldId, FieldKind, ModelId, Scalar};
use crate::syntax::ast::{self, AttributeKind, TypeKind};

/// What is known of a model beside its schema.
#[derive(Debug)]
pub(super) struct ModelInfo<'a> {
    pub unit: UnitId,
    pub ast: &'a ast::Model,
    pub fields: Vec<FieldInfo<'a>>,
    /// Columns of each unique index, the key's own among them.
    pub uniques: Vec<Vec<FieldId>>,
    /// Params and axes that its generators and indexes name.
    pub names: BTreeSet<String>,
    /// Whether another model owns or shares its objects: the field that does.
    pub maker: Option<(ModelId, FieldId)>,
}

/// What is known of a field beside its schema.
#[derive(Debug)]
pub(super) struct FieldInfo<'a> {
    /// `None` for back-links.
    pub ast: Option<&'a ast::Field>,
    /// Whether its declaration is wrong (and reported).
    pub broken: bool,
    /// What a json field holds.
    pub json: Shape,
    /// Cases and weights of an enum.
    pub weights: Vec<(String, f64)>,
}

impl<'a> ModelInfo<'a> {
    pub fn new(unit: UnitId, ast: &'a ast::Model) -> Self {
        ModelInfo {
            unit,
            ast,
            fields: Vec::new(),
            uniques: Vec::new(),
            names: BTreeSet::new(),
            maker: None,
        }
    }

    pub fn is_broken(&self, field: FieldId) -> bool {
        self.fields.get(field).is_none_or(|f| f.broken)
    }

    pub fn may_declare(&self, name: &str) -> bool {
        self.ast.members.may_declare(name)
    }
}

impl<'a> Checker<'a> {
    /// Fields of all models, with their kinds; then the back-links.
    pub fn declare_fields(&mut self) {
        for model in 0..self.models.len() {
            let ast = self.models[model].ast;
            for field in ast.fields() {
                self.declare_field(model, field);
            }
        }
        for model in 0..self.models.len() {
            self.declare_inverses(model);
        }
        self.exp.models = self
            .models
            .iter()
            .map(|info| ModelExtra {
                generators: vec![None; info.fields.len()],
                indexes: Vec::new(),
            })
            .collect();
    }

    fn declare_field(&mut self, model: ModelId, field: &'a ast::Field) {
        if let Some(first) = self.field(model, &field.name.name) {
            let first = self.models[model].fields[first].ast.map(|f| f.name.span);
            let name = &self.exp.schema.models[model].name;
            let mut diagnostic = Diagnostic::error(
                Code::DuplicateName,
                field.name.span,
                format!("`{name}` has two fields called `{}`", field.name),
            );
            if let Some(first) = first {
                diagnostic = diagnostic.related(first, "first here");
            }
            self.out.push(diagnostic);
            return;
        }
        let unit = self.models[model].unit;
        let (kind, weights) = self.field_kind(model, field, unit);
        let broken = kind.is_none();
        let kind = kind.unwrap_or(FieldKind::Scalar(Scalar::Int));
        let id = self.exp.schema.models[model].fields.len();
        self.exp.schema.models[model].fields.push(Field {
            name: field.name.name.clone(),
            kind,
            optional: field.ty.optional,
        });
        self.models[model].fields.push(FieldInfo {
            ast: Some(field),
            broken,
            json: Shape::Open,
            weights,
        });
        self.attributes(model, id, field);
    }

    fn field_kind(
        &mut self,
        model: ModelId,
        field: &'a ast::Field,
        unit: UnitId,
    ) -> (Option<FieldKind>, Vec<(String, f64)>) {
        let list = field.ty.list;
        let scalar = match &field.ty.kind {
            TypeKind::Scalar(scalar) => plain_scalar(*scalar),
            TypeKind::Enum(cases) => {
                let weights = self.enum_cases(cases, field.ty.span);
                return (Some(enum_kind(&weights, list)), weights);
            }
            TypeKind::Named(path) if path.is_model() => {
                let Some(target) = self.model_or_report(path, unit) else {
                    return (None, Vec::new());
                };
                self.used_models.insert(target);
                return (self.link_kind(model, field, target), Vec::new());
            }
            TypeKind::Named(path) => {
                let Some((unit, name)) = self.owner(path, unit) else {
                    return (None, Vec::new());
                };
                let Some(item) = self.scopes[unit].enums.get(name.name.as_str()).copied() else {
                    self.unknown_type(name, unit);
                    return (None, Vec::new());
                };
                let weights = self.weights(&item.cases);
                return (Some(enum_kind(&weights, list)), weights);
            }
        };
        if list && field.ty.optional {
            self.error_help(
                Code::BadAttribute,
                field.ty.span,
                "a list is never null",
                "it can be empty: `list(0..5, …)`",
            );
        }
        let kind = if list {
            if matches!(scalar, Scalar::Json | Scalar::Blob) {
                self.error_help(
                    Code::WrongType,
                    field.ty.span,
                    "lists hold single comparable values",
                    "a json value can hold a list itself",
                );
                return (None, Vec::new());
            }
            FieldKind::List(scalar)
        } else {
            FieldKind::Scalar(scalar)
        };
        (Some(kind), Vec::new())
    }

    fn unknown_type(&mut self, name: &ast::Ident, unit: UnitId) {
        if self.may_declare(unit, &name.name) {
            return;
        }
        let scalars = ast::ScalarType::ALL.iter().map(|s| s.word());
        let enums = self.scopes[unit].enums.keys().copied();
        let help = other_words(&name.name)
            .map(str::to_owned)
            .or_else(|| crate::diagnostics::did_you_mean(&name.name, scalars.chain(enums)));
        let help = help.unwrap_or_else(|| {
            "types are bool, int, float, text, uuid, timestamp, blob, json, an enum or a model"
                .to_owned()
        });
        self.error_help(
            Code::UnknownName,
            name.span,
            format!("there is no type `{name}`"),
            help,
        );
    }

    /// The model of that name; reports where there is none.
    pub fn model_or_report(&mut self, path: &'a ast::Path, unit: UnitId) -> Option<ModelId> {
        let (home, name) = self.owner(path, unit)?;
        if let Some(id) = self.scopes[home].models.get(name.name.as_str()) {
            return Some(*id);
        }
        if self.may_declare(home, &name.name) {
            return None;
        }
        let known = self.scopes[home].models.keys().copied();
        let help = crate::diagnostics::did_you_mean(&name.name, known).or_else(|| {
            let all: Vec<&str> = self.scopes[home].models.keys().copied().collect();
            (!all.is_empty() && all.len() <= 12).then(|| format!("there are {}", all.join(", ")))
        });
        self.error_maybe(
            Code::UnknownModel,
            name.span,
            format!("there is no model `{path}`"),
            help,
        );
        None
    }

    fn attributes(&mut self, model: ModelId, id: FieldId, field: &'a ast::Field) {
        let kind = self.exp.schema.models[model].fields[id].kind.clone();
        let broken = self.models[model].is_broken(id);
        let mut seen: Vec<&AttributeKind> = Vec::new();
        for attribute in &field.attributes {
            let again = seen
                .iter()
                .any(|s| std::mem::discriminant(*s) == std::mem::discriminant(&attribute.kind));
            seen.push(&attribute.kind);
            let word = attribute_word(&attribute.kind);
            if again {
                self.error(
                    Code::BadAttribute,
                    attribute.span,
                    format!("`{word}` stands twice"),
                );
                continue;
            }
            let fits = broken
                || match &attribute.kind {
                    AttributeKind::Cascade | AttributeKind::Inverse(_) => kind.target().is_some(),
                    AttributeKind::Key | AttributeKind::Unique => {
                        matches!(&kind, FieldKind::Scalar(s) if *s != Scalar::Json)
                    }
                    AttributeKind::Index { .. } => {
                        matches!(&kind, FieldKind::ToOne { .. } | FieldKind::Scalar(_))
                            && kind != FieldKind::Scalar(Scalar::Json)
                    }
                };
            if !fits {
                let help = match &attribute.kind {
                    AttributeKind::Cascade | AttributeKind::Inverse(_) => {
                        "it is for links to other models"
                    }
                    AttributeKind::Index { .. } => "it is for single values and links to one",
                    _ => "it is for single values",
                };
                self.error_help(
                    Code::BadAttribute,
                    attribute.span,
                    format!("`{}` cannot be `{word}`", field.name),
                    help,
                );
                continue;
            }
            match &attribute.kind {
                AttributeKind::Key => self.key(model, id, field, attribute),
                AttributeKind::Unique => self.models[model].uniques.push(vec![id]),
                _ => {}
            }
        }
    }

    fn key(
        &mut self,
        model: ModelId,
        id: FieldId,
        field: &'a ast::Field,
        attribute: &ast::Attribute,
    ) {
        if let Some(first) = self.exp.schema.models[model].key {
            let mut diagnostic =
                Diagnostic::error(Code::BadKey, attribute.span, "a model has one key")
                    .help("several fields together are unique by `unique (a, b)`");
            if let Some(first) = self.models[model].fields[first].ast {
                diagnostic = diagnostic.related(first.name.span, "the first");
            }
            self.out.push(diagnostic);
            return;
        }
        if field.ty.optional {
            self.error_help(
                Code::BadKey,
                field.ty.span,
                "a key is never null",
                "leave the `?` out",
            );
        }
        self.exp.schema.models[model].key = Some(id);
        self.models[model].uniques.push(vec![id]);
    }
}

fn plain_scalar(scalar: ast::ScalarType) -> Scalar {
    match scalar {
        ast::ScalarType::Bool => Scalar::Bool,
        ast::ScalarType::Int => Scalar::Int,
        ast::ScalarType::Float => Scalar::Float,
        ast::ScalarType::Text => Scalar::Text,
        ast::ScalarType::Uuid => Scalar::Uuid,
        ast::ScalarType::Timestamp => Scalar::Timestamp,
        ast::ScalarType::Blob => Scalar::Blob,
        ast::ScalarType::Json => Scalar::Json,
    }
}

fn enum_kind(weights: &[(String, f64)], list: bool) -> FieldKind {
    let scalar = Scalar::Enum(weights.iter().map(|(case, _)| case.clone()).collect());
    if list {
        FieldKind::List(scalar)
    } else {
        FieldKind::Scalar(scalar)
    }
}

/// What other languages call our types.
fn other_words(name: &str) -> Option<&'static str> {
    Some(match name {
        "string" | "str" | "varchar" | "char" => "did you mean `text`?",
        "integer" | "i64" | "i32" | "long" | "bigint" | "number" => "did you mean `int`?",
        "double" | "real" | "f64" | "decimal" => "did you mean `float`?",
        "boolean" => "did you mean `bool`?",
        "date" | "datetime" | "time" => "did you mean `timestamp`?",
        "bytes" | "binary" | "data" => "did you mean `blob`?",
        "guid" => "did you mean `uuid`?",
        "object" | "map" | "dict" => "did you mean `json`?",
        _ => return None,
    })
}

pub(super) fn attribute_word(kind: &AttributeKind) -> &'static str {
    match kind {
        AttributeKind::Key => "key",
        AttributeKind::Index { .. } => "index",
        AttributeKind::Unique => "unique",
        AttributeKind::Cascade => "cascade",
        AttributeKind::Inverse(_) => "inverse",
    }
}
