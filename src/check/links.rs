//! Relationships: who makes the objects, back-links, circles.

use super::checker::Checker;
use super::constant::number;
use super::imports::UnitId;
use super::json::Shape;
use super::models::FieldInfo;
use super::place::{Cx, Place};
use crate::base::Value;
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::Ownership;
use crate::plan::schema::{Field, FieldId, FieldKind, ModelId};
use crate::syntax::ast::{self, AttributeKind, ExprKind};

/// More children of one owner than this cannot be numbered usefully.
const MOST_CHILDREN: f64 = 1e9;

impl<'a> Checker<'a> {
    /// Kind of a field whose type is a model.
    pub fn link_kind(
        &mut self,
        model: ModelId,
        field: &'a ast::Field,
        target: ModelId,
    ) -> Option<FieldKind> {
        let unit = self.models[model].unit;
        let cascade = field
            .attributes
            .iter()
            .any(|a| matches!(a.kind, AttributeKind::Cascade));
        let ownership = self.ownership(field.generator.as_ref(), unit);
        if field.ty.list && field.ty.optional {
            self.error_help(
                Code::BadAttribute,
                field.ty.span,
                "links to many are never null",
                "there can be none: `owned(0..3)`, `0..3 of …`",
            );
        }
        Some(if field.ty.list {
            FieldKind::ToMany {
                target,
                ownership,
                cascade,
                inverse: None,
            }
        } else {
            FieldKind::ToOne {
                target,
                ownership,
                cascade,
                inverse_of: None,
            }
        })
    }

    /// Who makes the objects, by the head of the generator. What is wrong with
    /// the generator is reported when it is checked.
    fn ownership(&mut self, generator: Option<&'a ast::Expr>, unit: UnitId) -> Ownership {
        let Some(ExprKind::Call { function, args }) = generator.map(head).map(|e| &e.kind) else {
            return Ownership::Linked;
        };
        let most = args.first().map(|arg| match &arg.value.inner().kind {
            ExprKind::Range { to, .. } => &**to,
            _ => &arg.value,
        });
        let most = most.map_or(1, |expr| self.largest(expr, unit));
        match function.single().map(|name| name.name.as_str()) {
            Some("owned") => Ownership::Owned { max: most },
            Some("shared") => Ownership::Shared { pool: most },
            _ => Ownership::Linked,
        }
    }

    /// The largest value over all points, silently; 1 where it has none.
    fn largest(&mut self, expr: &'a ast::Expr, unit: UnitId) -> u64 {
        let before = self.out.len();
        let typed = self.expr(expr, Cx::new(unit, Place::Point));
        self.out.truncate(before);
        let values = self.possible(&typed.expr).unwrap_or_default();
        values
            .iter()
            .filter_map(|v| match v {
                Value::Int(i) => u64::try_from(*i).ok(),
                _ => None,
            })
            .max()
            .unwrap_or(1)
            .max(1)
    }

    /// The back-links that a model's `inverse` attributes give to its children.
    pub fn declare_inverses(&mut self, model: ModelId) {
        for id in 0..self.models[model].fields.len() {
            let Some(field) = self.models[model].fields[id].ast else {
                continue;
            };
            let inverse = field.attributes.iter().find_map(|a| match &a.kind {
                AttributeKind::Inverse(name) => Some(name),
                _ => None,
            });
            let kind = &self.exp.schema.models[model].fields[id].kind;
            let (Some(name), Some(target)) = (inverse, kind.target()) else {
                continue;
            };
            if self.models[model].is_broken(id) {
                continue;
            }
            self.declare_inverse(model, id, name, target);
        }
    }

    fn declare_inverse(&mut self, model: ModelId, id: FieldId, name: &ast::Ident, target: ModelId) {
        let owned = matches!(
            &self.exp.schema.models[model].fields[id].kind,
            FieldKind::ToOne {
                ownership: Ownership::Owned { .. },
                ..
            } | FieldKind::ToMany {
                ownership: Ownership::Owned { .. },
                ..
            }
        );
        let child = self.exp.schema.models[target].name.clone();
        if !owned {
            self.error_help(
                Code::BadRelationship,
                name.span,
                format!("several records can point to one `{child}`, so it has no one owner to link back to"),
                "`inverse` goes with `owned(…)`",
            );
            return;
        }
        if let Some(taken) = self.field(target, &name.name) {
            let mut diagnostic = Diagnostic::error(
                Code::DuplicateName,
                name.span,
                format!("`{child}` has a field `{name}` already"),
            )
            .help("give the back-link another name");
            if let Some(field) = self.models[target].fields[taken].ast {
                diagnostic = diagnostic.related(field.name.span, "this one");
            }
            self.out.push(diagnostic);
            return;
        }
        let back = self.exp.schema.models[target].fields.len();
        self.exp.schema.models[target].fields.push(Field {
            name: name.name.clone(),
            kind: FieldKind::ToOne {
                target: model,
                ownership: Ownership::Linked,
                cascade: false,
                inverse_of: Some(id),
            },
            optional: false,
        });
        self.models[target].fields.push(FieldInfo {
            ast: None,
            broken: false,
            json: Shape::Open,
            weights: Vec::new(),
        });
        if let FieldKind::ToMany { inverse, .. } =
            &mut self.exp.schema.models[model].fields[id].kind
        {
            *inverse = Some(back);
        }
    }

    /// One maker per child model, one pool per shared model, no circles.
    pub fn check_ownership(&mut self) {
        for model in 0..self.models.len() {
            for id in 0..self.models[model].fields.len() {
                if !self.models[model].is_broken(id) {
                    self.maker(model, id);
                }
            }
        }
        let mut said: Vec<ModelId> = Vec::new();
        for model in 0..self.models.len() {
            if said.contains(&model) {
                continue;
            }
            if let Some((owner, id)) = self.circle(model) {
                said.extend([model, owner]);
                let Some(field) = self.models[owner].fields[id].ast else {
                    continue;
                };
                // Each circle is reported once, at the model that comes first.
                let name = self.exp.schema.models[model].name.clone();
                self.error_help(
                    Code::OwnershipCycle,
                    field.ty.span,
                    format!("a new `{name}` would make new ones without end"),
                    "one of the links in the circle must point to what is there: `one of …`, `… at (row - 1) / 8`",
                );
            }
        }
    }

    fn maker(&mut self, model: ModelId, id: FieldId) {
        let (target, ownership) = match &self.exp.schema.models[model].fields[id].kind {
            FieldKind::ToOne {
                inverse_of: Some(_),
                ..
            } => return,
            FieldKind::ToOne {
                target, ownership, ..
            }
            | FieldKind::ToMany {
                target, ownership, ..
            } => (*target, *ownership),
            FieldKind::Scalar(_) | FieldKind::List(_) => return,
        };
        if ownership == Ownership::Linked {
            return;
        }
        let Some((other, other_id)) = self.models[target].maker else {
            self.models[target].maker = Some((model, id));
            return;
        };
        let first = match &self.exp.schema.models[other].fields[other_id].kind {
            FieldKind::ToOne { ownership, .. } | FieldKind::ToMany { ownership, .. } => *ownership,
            _ => Ownership::Linked,
        };
        let same_pool = matches!(ownership, Ownership::Shared { .. }) && first == ownership;
        if same_pool {
            return;
        }
        let child = &self.exp.schema.models[target].name;
        let owner = &self.exp.schema.models[other].name;
        let message = match (first, ownership) {
            (Ownership::Shared { pool: a }, Ownership::Shared { pool: b }) => {
                format!("`{child}` has one pool: of {a} objects there, of {b} here")
            }
            _ => format!("`{child}` comes with `{owner}` already"),
        };
        let mut diagnostic = match self.models[model].fields[id].ast {
            Some(field) => Diagnostic::error(Code::BadRelationship, field.name.span, message),
            None => return,
        };
        diagnostic = diagnostic
            .help("a model's objects are made in one place: link to them by `one of …`, or declare a second model");
        if let Some(field) = self.models[other].fields[other_id].ast {
            diagnostic = diagnostic.related(field.name.span, "made here");
        }
        self.out.push(diagnostic);
    }

    /// A field on the way down that leads back to the model, if one does.
    fn circle(&self, model: ModelId) -> Option<(ModelId, FieldId)> {
        let mut seen = vec![false; self.models.len()];
        let mut open = vec![model];
        while let Some(at) = open.pop() {
            for (id, field) in self.exp.schema.models[at].fields.iter().enumerate() {
                let (FieldKind::ToOne {
                    target, ownership, ..
                }
                | FieldKind::ToMany {
                    target, ownership, ..
                }) = &field.kind
                else {
                    continue;
                };
                if *ownership == Ownership::Linked {
                    continue;
                }
                if *target == model {
                    return Some((at, id));
                }
                if !std::mem::replace(&mut seen[*target], true) {
                    open.push(*target);
                }
            }
        }
        None
    }

    /// A count of children, objects or links: not negative, not absurd.
    pub fn children(&mut self, expr: &crate::plan::Expr, at: &ast::Expr) {
        let values = self.possible(expr).unwrap_or_default();
        let wrong = values
            .iter()
            .filter_map(number)
            .any(|n| !(0.0..=MOST_CHILDREN).contains(&n));
        if wrong {
            self.error(
                Code::BadRange,
                at.span,
                "a number of objects lies between 0 and a billion",
            );
        }
    }
}

/// The generator below what makes it null.
pub(super) fn head(expr: &ast::Expr) -> &ast::Expr {
    match &expr.kind {
        ExprKind::Paren(inner) => head(inner),
        ExprKind::NullWhen { otherwise, .. } | ExprKind::NullShare { otherwise, .. } => {
            head(otherwise)
        }
        _ => expr,
    }
}
