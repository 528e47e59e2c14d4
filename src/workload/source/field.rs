//! One value being generated.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use super::records::Source;
use crate::base::Value;
use crate::plan::expr::HookId;
use crate::plan::schema::{FieldId, FieldKind, ModelId, Ownership};
use crate::plan::{Expr, Generator, Path};
use crate::workload::Content;
use crate::workload::eval::json::json_value;
use crate::workload::eval::{Context, Element, Elements, EvalError, Scope, holds};
use crate::workload::random::{Stream, Zipf, field_key, row_key};

/// What is fixed for all rows of a field.
pub(super) struct FieldPlan {
    pub(super) expr: Option<Expr>,
    pub(super) key: u64,
    /// The sampler used last: setting one up costs more than a draw.
    pub(super) zipf: Cell<Option<Zipf>>,
}

impl FieldPlan {
    pub(super) fn new(seed: u64, model: &str, field: &str, expr: Option<Expr>) -> Self {
        FieldPlan {
            expr,
            key: field_key(seed, model, field),
            zipf: Cell::new(None),
        }
    }
}

/// One value being generated: the context of its expression.
pub(super) struct Draw<'s> {
    pub(super) source: &'s Source,
    pub(super) plan: &'s FieldPlan,
    pub(super) model: ModelId,
    pub(super) field: FieldId,
    pub(super) row: u64,
    pub(super) generation: u32,
    built: &'s [Content],
    pub(super) stream: RefCell<Stream>,
}

impl<'s> Draw<'s> {
    pub(super) fn new(
        source: &'s Source,
        plan: &'s FieldPlan,
        model: ModelId,
        field: FieldId,
        row: u64,
        generation: u32,
        built: &'s [Content],
    ) -> Self {
        Draw {
            source,
            plan,
            model,
            field,
            row,
            generation,
            built,
            stream: RefCell::new(Stream::new(row_key(plan.key, row, generation))),
        }
    }

    /// A rank in `1..=n`.
    pub(super) fn rank(&self, n: u64, exponent: f64) -> u64 {
        let zipf = match self.plan.zipf.get() {
            Some(zipf) if zipf.is(n, exponent) => zipf,
            _ => Zipf::new(n, exponent),
        };
        self.plan.zipf.set(Some(zipf));
        zipf.draw(&mut self.stream.borrow_mut())
    }

    /// An earlier field of this record.
    fn earlier(&self, field: FieldId) -> Result<Cow<'_, Content>, EvalError> {
        if field >= self.field {
            return Err(EvalError::wrong(
                "a generator sees only fields before its own",
            ));
        }
        match self.built.get(field) {
            Some(content) => Ok(Cow::Borrowed(content)),
            None => self
                .source
                .content(self.model, field, self.row, self.generation, &[])
                .map(Cow::Owned),
        }
    }

    /// Model and row of the object behind a to-one link of this record.
    fn linked(&self, field: FieldId) -> Result<Option<(ModelId, u64)>, EvalError> {
        let declared = &self.source.schema.models[self.model].fields[field].kind;
        let FieldKind::ToOne {
            target, inverse_of, ..
        } = declared
        else {
            return Err(EvalError::wrong(
                "a path through something else than a to-one link",
            ));
        };
        if let Some(owning) = inverse_of {
            let most = match &self.source.schema.models[*target].fields[*owning].kind {
                FieldKind::ToOne { .. } => 1,
                FieldKind::ToMany {
                    ownership: Ownership::Owned { max },
                    ..
                } => *max,
                _ => {
                    return Err(EvalError::wrong(
                        "the owner of a linked object is not known",
                    ));
                }
            };
            return Ok(Some((*target, self.row / most.max(1))));
        }
        match &*self.earlier(field)? {
            Content::Link(link) => Ok(link.as_ref().map(|link| (*target, link.row))),
            Content::Children(children) => Ok(children.first().map(|child| (*target, child.row))),
            _ => Err(EvalError::wrong(
                "a path through something else than a to-one link",
            )),
        }
    }
}

impl Context for Draw<'_> {
    fn path(&self, path: &Path) -> Result<Cow<'_, Value>, EvalError> {
        let value = match path.hops.as_slice() {
            [] => return Err(EvalError::wrong("a generator has no record to pass")),
            [field] => match self.earlier(*field)? {
                Cow::Borrowed(Content::Value(value)) => Cow::Borrowed(value),
                Cow::Owned(Content::Value(value)) => Cow::Owned(value),
                _ => return Err(EvalError::wrong("a link where a value is asked for")),
            },
            [first, rest @ ..] => {
                let mut at = self.linked(*first)?;
                let (last, between) = rest.split_last().unwrap_or((first, &[]));
                for hop in between {
                    let Some((model, row)) = at else { break };
                    let kind = self.source.schema.models[model]
                        .fields
                        .get(*hop)
                        .map(|f| &f.kind);
                    at = match (kind, self.source.content(model, *hop, row, 0, &[])?) {
                        (Some(FieldKind::ToOne { target, .. }), Content::Link(link)) => {
                            link.map(|link| (*target, link.row))
                        }
                        _ => return Err(EvalError::wrong("too long a path for a generator")),
                    };
                }
                Cow::Owned(match at {
                    Some((model, row)) => self.source.first_value(model, *last, row)?,
                    None => Value::Null,
                })
            }
        };
        Ok(match &*value {
            Value::Json(text) if !path.json.is_empty() => Cow::Owned(json_value(text, &path.json)),
            _ => value,
        })
    }

    fn elements(
        &self,
        over: &Path,
        visit: &mut dyn FnMut(Element<'_>) -> Result<bool, EvalError>,
    ) -> Result<Elements, EvalError> {
        match &*self.path(over)? {
            Value::List(items) => {
                for item in items {
                    if !visit(Element::Scalar(item))? {
                        break;
                    }
                }
                Ok(Elements::Listed)
            }
            Value::Null => Ok(Elements::Null),
            _ => Ok(Elements::Scalar),
        }
    }

    fn about(&self, element: Element<'_>, predicate: &Expr) -> Result<bool, EvalError> {
        match element {
            Element::Scalar(it) => holds(&Inside { draw: self, it }, predicate),
            Element::Record(view) => holds(&Scope::new(view, &[], &*self.source.hooks), predicate),
        }
    }

    fn it(&self) -> Option<&Value> {
        None
    }

    fn argument(&self, _: usize) -> Option<&Value> {
        None
    }

    fn row(&self) -> Option<u64> {
        Some(self.row)
    }

    fn draw(&self, generator: &Generator) -> Result<Value, EvalError> {
        self.generate(generator)
    }

    fn held(&self, hook: HookId, value: &Value) -> Result<bool, EvalError> {
        Ok(self.source.hooks.held(hook, value)?)
    }

    fn hook(&self, hook: HookId, with_record: bool, args: &[Value]) -> Result<Value, EvalError> {
        if with_record {
            return Err(EvalError::wrong("a generator has no record to pass"));
        }
        Ok(self.source.hooks.call(hook, None, args)?)
    }
}

/// One element of an earlier list.
struct Inside<'a> {
    draw: &'a Draw<'a>,
    it: &'a Value,
}

impl Context for Inside<'_> {
    fn path(&self, path: &Path) -> Result<Cow<'_, Value>, EvalError> {
        self.draw.path(path)
    }

    fn elements(
        &self,
        over: &Path,
        visit: &mut dyn FnMut(Element<'_>) -> Result<bool, EvalError>,
    ) -> Result<Elements, EvalError> {
        self.draw.elements(over, visit)
    }

    fn about(&self, element: Element<'_>, predicate: &Expr) -> Result<bool, EvalError> {
        self.draw.about(element, predicate)
    }

    fn it(&self) -> Option<&Value> {
        Some(self.it)
    }

    fn argument(&self, _: usize) -> Option<&Value> {
        None
    }

    fn row(&self) -> Option<u64> {
        self.draw.row()
    }

    fn draw(&self, generator: &Generator) -> Result<Value, EvalError> {
        self.draw.draw(generator)
    }

    fn held(&self, hook: HookId, value: &Value) -> Result<bool, EvalError> {
        self.draw.held(hook, value)
    }

    fn hook(&self, hook: HookId, with_record: bool, args: &[Value]) -> Result<Value, EvalError> {
        self.draw.hook(hook, with_record, args)
    }
}
