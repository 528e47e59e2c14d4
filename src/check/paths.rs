//! What a dotted name stands for.

use super::checker::Checker;
use super::place::{Cx, Place};
use super::quantities::Kind;
use super::types::{Type, Typed};
use crate::diagnostics::{Code, closest, did_you_mean};
use crate::plan::schema::{FieldId, FieldKind, ModelId, Scalar};
use crate::plan::{Expr, Generator, Path};
use crate::syntax::ast;

impl Kind {
    /// Type of a param or axis in an expression.
    pub fn ty(self) -> Type {
        match self {
            Kind::Int | Kind::Size => Type::Int,
            Kind::Float => Type::Float,
            Kind::Bool => Type::Bool,
            Kind::Text => Type::Text,
            Kind::Duration => Type::Duration,
            Kind::Timestamp => Type::Timestamp,
            Kind::Unknown => Type::Unknown,
        }
    }
}

impl<'a> Checker<'a> {
    /// A path in an expression.
    pub fn path(&mut self, path: &'a ast::Path, cx: Cx<'_>) -> Typed {
        let Some(first) = path.first() else {
            return Typed::unknown();
        };
        if let Some((binder, model)) = cx.binder
            && first.name == binder
        {
            return self.bound(path, model);
        }
        match cx.place {
            Place::Element { item } if first.name == "it" && path.segments.len() == 1 => {
                return Typed::new(Expr::It, item.clone());
            }
            Place::Record { model } => {
                if self.field(model, &first.name).is_some() {
                    return self.record_path(path, model);
                }
            }
            Place::Generator { model, field } => {
                // A field is not there before its own generator: `city: text = city`
                // draws from the pool.
                let later = |found: FieldId| found >= field && self.is_value(path, cx.unit);
                if let Some(found) = self.field(model, &first.name)
                    && !later(found)
                {
                    return self.earlier(path, model, field, found);
                }
                match (first.name.as_str(), path.segments.len()) {
                    ("row", 1) => return Typed::new(Expr::Row, Type::Int),
                    ("uuid", 1) => return Typed::generated(Generator::Uuid, Type::Uuid),
                    _ => {}
                }
            }
            Place::Element { .. } | Place::Point | Place::Index => {}
        }
        if let Some(name) = path.single()
            && let Some(quantity) = self.quantity(&name.name)
        {
            let ty = quantity.kind.ty();
            self.note_name(&name.name);
            return Typed::new(Expr::Name(name.name.clone()), ty);
        }
        if cx.is_generator()
            && let Some(pool) = self.find_pool(path, cx.unit)
        {
            return match pool {
                Some((id, ty)) => Typed::generated(Generator::Pool(id), ty),
                None => Typed::unknown(),
            };
        }
        self.unknown_path(path, cx);
        Typed::unknown()
    }

    /// Position of a field in its model.
    pub fn field(&self, model: ModelId, name: &str) -> Option<FieldId> {
        self.exp.schema.models.get(model)?.field_named(name)
    }

    /// Whether a param, sweep or pool has this very name.
    fn is_value(&self, path: &ast::Path, unit: super::imports::UnitId) -> bool {
        path.single().is_some_and(|name| {
            self.quantity(&name.name).is_some()
                || self.scopes[unit].pools.contains_key(name.name.as_str())
        })
    }

    /// A field of the drawn record of a block.
    fn bound(&mut self, path: &'a ast::Path, model: ModelId) -> Typed {
        let name = match path.segments.as_slice() {
            [_, name] => name,
            _ => {
                let help = format!("name a field of it: `{path}.name`");
                self.error_help(
                    Code::BadPath,
                    path.span,
                    "of the drawn record, one of its own fields can be named",
                    help,
                );
                return Typed::unknown();
            }
        };
        let Some(field) = self.field_or_report(model, name) else {
            return Typed::unknown();
        };
        let kind = &self.exp.schema.models[model].fields[field];
        let (ty, null) = (Type::of_field(&kind.kind), kind.optional);
        if !matches!(kind.kind, FieldKind::Scalar(_)) {
            self.error(
                Code::BadPath,
                name.span,
                format!("`{name}` holds no single value"),
            );
            return Typed::unknown();
        }
        let at = self
            .binds
            .iter()
            .position(|bound| *bound == field)
            .unwrap_or_else(|| {
                self.binds.push(field);
                self.binds.len() - 1
            });
        Typed::new(Expr::Arg(at), ty).nullable(null)
    }

    /// A field that a generator names: one declared before it.
    fn earlier(
        &mut self,
        path: &'a ast::Path,
        model: ModelId,
        own: FieldId,
        found: FieldId,
    ) -> Typed {
        let name = path.first().map_or("", |f| f.name.as_str());
        if found >= own {
            let message = if found == own {
                format!("`{name}` is made of itself")
            } else {
                format!("`{name}` is declared after this field")
            };
            self.error_help(
                Code::NotEarlier,
                path.span,
                message,
                "a generator may name fields that are declared before its own",
            );
            return Typed::unknown();
        }
        let kind = &self.exp.schema.models[model].fields[found].kind;
        if kind.target().is_some() {
            self.error_help(
                Code::BadPath,
                path.span,
                format!("`{name}` is a link: a generator sees only the values of its own record"),
                "make the value from `row` or from fields that hold values",
            );
            return Typed::unknown();
        }
        self.record_path(path, model)
    }

    /// A path from a record, in a predicate or the like.
    pub fn record_path(&mut self, path: &'a ast::Path, model: ModelId) -> Typed {
        let Some(walk) = self.walk(path, model, false) else {
            return Typed::unknown();
        };
        Typed::new(Expr::Path(walk.path), walk.ty).nullable(walk.null)
    }

    /// Follows a path through links and into json. With `many`, one hop before
    /// the last may be a link to many.
    pub fn walk(&mut self, path: &'a ast::Path, model: ModelId, many: bool) -> Option<Walk> {
        let mut at = model;
        let mut hops = Vec::new();
        let mut null = false;
        let mut through_many = false;
        let mut segments = path.segments.iter();
        let (mut name, mut id) = {
            let first = segments.next()?;
            (first, self.field_or_report(at, first)?)
        };
        loop {
            hops.push(id);
            let field = &self.exp.schema.models[at].fields[id];
            null |= field.optional;
            let kind = field.kind.clone();
            let rest = segments.as_slice();
            if rest.is_empty() {
                let json = Vec::new();
                let ty = self.field_type(at, id);
                return Some(Walk::new(path, hops, json, ty, null, through_many));
            }
            match kind {
                FieldKind::ToOne { target, .. } => at = target,
                FieldKind::ToMany { target, .. } if many && !through_many => {
                    through_many = true;
                    at = target;
                }
                FieldKind::ToMany { .. } => {
                    let inside = rest.iter().map(|s| s.name.as_str()).collect::<Vec<_>>();
                    let help = if many {
                        "one link to many may stand in a path".to_owned()
                    } else {
                        format!(
                            "ask about one of them: `any {name} ({} …)`",
                            inside.join(".")
                        )
                    };
                    self.error_help(
                        Code::BadPath,
                        path.span,
                        format!("`{name}` links to many records"),
                        help,
                    );
                    return None;
                }
                FieldKind::Scalar(Scalar::Json) => {
                    let ty = self.json_type(at, id, rest)?;
                    let json = rest.iter().map(|s| s.name.clone()).collect();
                    return Some(Walk::new(path, hops, json, ty, null, through_many));
                }
                FieldKind::Scalar(_) | FieldKind::List(_) => {
                    if self.field_type(at, id) == Type::Unknown {
                        return None;
                    }
                    let words = self.field_type(at, id).words(&self.exp.schema);
                    self.error(
                        Code::BadPath,
                        path.span,
                        format!("`{name}` is {words}: there is nothing inside it"),
                    );
                    return None;
                }
            }
            name = segments.next()?;
            id = self.field_or_report(at, name)?;
        }
    }

    /// Type of a field; unknown where its declaration is wrong.
    pub fn field_type(&self, model: ModelId, field: FieldId) -> Type {
        if self.models[model].is_broken(field) {
            return Type::Unknown;
        }
        Type::of_field(&self.exp.schema.models[model].fields[field].kind)
    }

    /// The field of that name; reports where there is none.
    pub fn field_or_report(&mut self, model: ModelId, name: &ast::Ident) -> Option<FieldId> {
        if let Some(found) = self.field(model, &name.name) {
            return Some(found);
        }
        if self.models[model].may_declare(&name.name) {
            return None;
        }
        let owner = &self.exp.schema.models[model];
        let help =
            did_you_mean(&name.name, owner.fields.iter().map(|f| f.name.as_str())).or_else(|| {
                let names: Vec<&str> = owner.fields.iter().map(|f| f.name.as_str()).collect();
                (!names.is_empty()).then(|| format!("its fields are {}", names.join(", ")))
            });
        let message = format!("`{}` has no field `{name}`", owner.name);
        self.error_maybe(Code::UnknownField, name.span, message, help);
        None
    }

    /// Reports a name that nothing has.
    fn unknown_path(&mut self, path: &ast::Path, cx: Cx<'_>) {
        let Some(first) = path.first() else {
            return;
        };
        let name = first.name.as_str();
        let record = Self::record_of(cx);
        let broken_field = record.is_some_and(|m| self.models[m].may_declare(name));
        // A part without a name may have declared it, unless it is a slip for
        // a field that is there.
        let slip = record.is_some_and(|model| {
            let fields = self.exp.schema.models[model].fields.iter();
            closest(name, fields.map(|f| f.name.as_str())).is_some()
        });
        let lost = self.is_lost(cx.unit, name) || self.is_lost(0, name);
        let may = self.may_declare(cx.unit, name) || self.may_declare(0, name);
        if lost || broken_field || (may && !slip) {
            return;
        }
        if path.segments.len() > 1 && super::loader::stdlib_modules().contains(&name) {
            self.unknown_module(first, cx.unit);
            return;
        }
        // A module on its own: params are those of the experiment that uses it.
        if !self.runnable && path.segments.len() == 1 && record.is_none() {
            return;
        }
        if name == "it" {
            let help = "it is the element in `any tags (it == \"x\")`";
            self.error_help(
                Code::NotHere,
                first.span,
                "`it` stands for an element of a list of values",
                help,
            );
            return;
        }
        if first.name == "row" && path.segments.len() == 1 {
            self.error_help(
                Code::NotHere,
                first.span,
                "`row` stands in generators",
                "store it in a field: `id: int key = row`",
            );
            return;
        }
        if self.scopes[cx.unit].hooks.contains_key(name) {
            let help = format!("call it: `{name}()`");
            self.error_help(
                Code::NotHere,
                first.span,
                format!("`{name}` is a hook"),
                help,
            );
            return;
        }
        if !cx.is_generator() && self.scopes[cx.unit].pools.contains_key(name) {
            self.error_help(
                Code::NotHere,
                first.span,
                format!("`{name}` is a pool: it stands in generators"),
                "a text stands in quotes",
            );
            return;
        }
        let mut candidates: Vec<&str> = self.quantities.iter().map(|q| q.name.as_str()).collect();
        if let Some(model) = record {
            let fields = &self.exp.schema.models[model].fields;
            candidates.extend(fields.iter().map(|f| f.name.as_str()));
        }
        if cx.is_generator() {
            candidates.extend(self.scopes[cx.unit].pools.keys().copied());
            candidates.push("row");
        }
        let help = did_you_mean(name, candidates).or_else(|| self.hint(name, record));
        let message = match record {
            Some(model) => {
                let model = &self.exp.schema.models[model].name;
                format!("`{name}` is neither a field of `{model}` nor a param or sweep")
            }
            None => format!("`{name}` is neither a param nor a sweep"),
        };
        self.error_maybe(Code::UnknownName, first.span, message, help);
    }

    fn hint(&self, name: &str, record: Option<ModelId>) -> Option<String> {
        let fields = &self.exp.schema.models.get(record?)?.fields;
        let is_case = fields.iter().any(|f| match &f.kind {
            FieldKind::Scalar(Scalar::Enum(cases)) => cases.iter().any(|c| c == name),
            _ => false,
        });
        Some(if is_case {
            format!("a case of an enum is a text here: `\"{name}\"`")
        } else {
            "a text stands in quotes".to_owned()
        })
    }
}

/// A path that was followed to its end.
#[derive(Debug)]
pub(super) struct Walk {
    pub path: Path,
    pub ty: Type,
    /// Whether the value can be null.
    pub null: bool,
    /// Whether a link to many stands before the end.
    pub through_many: bool,
}

impl Walk {
    fn new(
        path: &ast::Path,
        hops: Vec<FieldId>,
        json: Vec<String>,
        ty: Type,
        null: bool,
        through_many: bool,
    ) -> Self {
        Walk {
            path: Path {
                hops,
                json,
                text: path.to_string(),
            },
            ty,
            null,
            through_many,
        }
    }
}
