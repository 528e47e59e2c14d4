//! Which fields a request touches: no others are decoded.

use super::fields::Fields;
use crate::plan::schema::{FieldKind, ModelId, Schema};
use crate::plan::{Column, Expr, Path};

/// The fields that an expression or a column touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Of the record itself.
    pub own: Fields,
    /// Of the records behind its links, per model.
    pub linked: Vec<Fields>,
}

impl Wanted {
    /// Nothing.
    pub fn nothing(schema: &Schema, model: ModelId) -> Wanted {
        let linked: Vec<Fields> = schema
            .models
            .iter()
            .map(|model| Fields::none(model.fields.len()))
            .collect();
        Wanted {
            own: linked.get(model).cloned().unwrap_or_default(),
            linked,
        }
    }

    /// Adds what an expression about a record of `model` touches.
    pub fn expression(&mut self, schema: &Schema, model: ModelId, expr: &Expr) {
        self.walk(schema, model, expr, true);
    }

    /// Adds what a path from a record of `model` touches.
    pub fn path(&mut self, schema: &Schema, model: ModelId, path: &Path) {
        self.follow(schema, model, path, true);
    }

    /// Adds what a column touches.
    pub fn column(&mut self, schema: &Schema, model: ModelId, column: &Column) {
        if let Column::Path(path) = column {
            self.path(schema, model, path);
        }
    }

    fn walk(&mut self, schema: &Schema, model: ModelId, expr: &Expr, own: bool) {
        match expr {
            Expr::Path(path) | Expr::IsEmpty(path) => {
                self.follow(schema, model, path, own);
            }
            Expr::Quantified {
                over, predicate, ..
            } => self.element(schema, model, over, Some(predicate), own),
            Expr::CountOf { over, predicate } => {
                self.element(schema, model, over, predicate.as_deref(), own);
            }
            Expr::Hook {
                args, with_record, ..
            } => {
                if *with_record {
                    self.hooked(schema, model, own);
                }
                for arg in args {
                    self.walk(schema, model, arg, own);
                }
            }
            other => other.for_each_child(&mut |child| self.walk(schema, model, child, own)),
        }
    }

    /// A quantifier: its predicate is about the objects behind `over`, or about
    /// scalars, where only hooks and no path of its own can touch the record.
    fn element(
        &mut self,
        schema: &Schema,
        model: ModelId,
        over: &Path,
        predicate: Option<&Expr>,
        own: bool,
    ) {
        let target = self.follow(schema, model, over, own);
        if let Some(predicate) = predicate {
            match target {
                Some(target) => self.walk(schema, target, predicate, false),
                None => self.walk(schema, model, predicate, own),
            }
        }
    }

    /// What a hook is given: every field that is no link.
    fn hooked(&mut self, schema: &Schema, model: ModelId, own: bool) {
        let fields = schema.models.get(model).map(|model| &model.fields);
        for (field, declared) in fields.into_iter().flatten().enumerate() {
            if matches!(declared.kind, FieldKind::Scalar(_) | FieldKind::List(_)) {
                self.add(model, field, own);
            }
        }
    }

    /// The model at the path's end; `None` where it ends at a scalar or list.
    fn follow(
        &mut self,
        schema: &Schema,
        model: ModelId,
        path: &Path,
        mut own: bool,
    ) -> Option<ModelId> {
        let mut at = Some(model);
        for hop in &path.hops {
            let model = at?;
            self.add(model, *hop, own);
            own = false;
            at = schema.models.get(model)?.fields.get(*hop)?.kind.target();
        }
        at
    }

    fn add(&mut self, model: ModelId, field: usize, own: bool) {
        if own {
            self.own.add(field);
        } else if let Some(fields) = self.linked.get_mut(model) {
            fields.add(field);
        }
    }
}
