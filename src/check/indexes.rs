//! `index`, `unique`, single and composite.

use super::checker::Checker;
use super::place::{Cx, Place};
use crate::base::span::Span;
use crate::diagnostics::Code;
use crate::plan::schema::{FieldId, FieldKind, ModelId, Scalar};
use crate::plan::{Expr, Index, IndexColumn};
use crate::syntax::ast::{self, AttributeKind, ModelMemberKind};

impl<'a> Checker<'a> {
    /// Indexes of all models.
    pub fn check_indexes(&mut self) {
        for model in 0..self.models.len() {
            self.names.clear();
            let ast = self.models[model].ast;
            for member in &ast.members.members {
                match &member.kind {
                    ModelMemberKind::Field(field) => self.single(model, field),
                    ModelMemberKind::Index(index) => {
                        let mut columns = Vec::new();
                        for key in &index.keys {
                            if let Some(field) = self.column(model, &key.field) {
                                columns.push((field, key.descending, key.span));
                            }
                        }
                        let whole = columns.len() == index.keys.len();
                        let when = index.when.as_ref().map(|w| self.index_when(model, w));
                        if whole {
                            self.add_index(model, &columns, false, when);
                        }
                    }
                    ModelMemberKind::Unique(unique) => {
                        let mut columns = Vec::new();
                        for path in &unique.fields {
                            if let Some(field) = self.column(model, path) {
                                columns.push((field, false, path.span));
                            }
                        }
                        if columns.len() == unique.fields.len() {
                            let fields = columns.iter().map(|(f, ..)| *f).collect();
                            self.models[model].uniques.push(fields);
                            self.add_index(model, &columns, true, None);
                        }
                    }
                }
            }
            let names = self.take_names();
            self.models[model].names.extend(names);
        }
    }

    fn single(&mut self, model: ModelId, field: &'a ast::Field) {
        let Some(id) = self.field(model, &field.name.name) else {
            return;
        };
        // A second field of the same name is reported and has no place.
        if !self.models[model].fields[id]
            .ast
            .is_some_and(|own| std::ptr::eq(own, field))
        {
            return;
        }
        let is_key = self.exp.schema.models[model].key == Some(id);
        for attribute in &field.attributes {
            let (unique, when) = match &attribute.kind {
                AttributeKind::Index { when } => (
                    false,
                    when.as_ref().map(|when| self.index_when(model, when)),
                ),
                AttributeKind::Unique => (true, None),
                _ => continue,
            };
            let word = if unique { "unique" } else { "index" };
            if is_key {
                self.error_help(
                    Code::BadIndex,
                    attribute.span,
                    format!("a key is found and unique by itself: `{word}` adds nothing"),
                    format!("leave `{word}` out"),
                );
                continue;
            }
            if self.indexable(model, id) {
                self.add_index(model, &[(id, false, attribute.span)], unique, when);
            }
        }
    }

    fn indexable(&self, model: ModelId, id: FieldId) -> bool {
        match &self.exp.schema.models[model].fields[id].kind {
            FieldKind::Scalar(scalar) => *scalar != Scalar::Json,
            FieldKind::ToOne { .. } => true,
            FieldKind::List(_) | FieldKind::ToMany { .. } => false,
        }
    }

    fn column(&mut self, model: ModelId, path: &'a ast::Path) -> Option<FieldId> {
        let Some(name) = path.single() else {
            self.error_help(
                Code::BadIndex,
                path.span,
                "an index covers fields of its own model",
                "values of linked records are indexed in their model",
            );
            return None;
        };
        let id = self.field_or_report(model, name)?;
        if self.models[model].is_broken(id) {
            return None;
        }
        if !self.indexable(model, id) {
            let words = self.field_type(model, id).words(&self.exp.schema);
            self.error_help(
                Code::BadIndex,
                path.span,
                format!("`{name}` cannot be indexed: it is {words}"),
                "an index covers single values and links to one",
            );
            return None;
        }
        Some(id)
    }

    fn index_when(&mut self, model: ModelId, when: &'a ast::Expr) -> Expr {
        let unit = self.models[model].unit;
        self.condition(when, Cx::new(unit, Place::Index))
    }

    fn add_index(
        &mut self,
        model: ModelId,
        columns: &[(FieldId, bool, Span)],
        unique: bool,
        when: Option<Expr>,
    ) {
        let schema = &self.exp.schema.models[model];
        for (at, (field, _, span)) in columns.iter().enumerate() {
            if columns[..at].iter().any(|(other, ..)| other == field) {
                let name = schema.fields[*field].name.clone();
                self.error(
                    Code::BadIndex,
                    *span,
                    format!("`{name}` stands twice in the index"),
                );
                return;
            }
        }
        let mut name = schema.name.clone();
        for (field, ..) in columns {
            name.push('_');
            name.push_str(&schema.fields[*field].name);
        }
        let columns: Vec<IndexColumn> = columns
            .iter()
            .map(|(field, descending, _)| IndexColumn {
                field: *field,
                descending: *descending,
            })
            .collect();
        let others = &self.exp.models[model].indexes;
        let mut number = 2;
        let stem = name.clone();
        while others.iter().any(|(index, _)| index.name == name) {
            name = format!("{stem}_{number}");
            number += 1;
        }
        let index = Index {
            name,
            columns,
            unique,
        };
        self.exp.models[model].indexes.push((index, when));
    }
}
