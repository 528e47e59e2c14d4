//! `owned(2..7)`, `shared(100)`, `one of School`, `Employee at (row - 1) / 8`.

use super::checker::Checker;
use super::constant::{Names, evaluate};
use super::expr::null_if;
use super::place::Cx;
use super::types::{Type, Typed};
use crate::base::Value;
use crate::base::span::Span;
use crate::diagnostics::Code;
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{Expr, Generator};
use crate::syntax::ast::{self, ExprKind, LinkDraw};

/// Rows that a tree's parents are looked at for.
const ROWS_TRIED: i64 = 2_000;

impl<'a> Checker<'a> {
    /// The generator of a link; `None` where something is wrong and reported.
    pub fn link_generator(
        &mut self,
        model: ModelId,
        id: FieldId,
        expr: &'a ast::Expr,
        cx: Cx<'_>,
    ) -> Option<Typed> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.link_generator(model, id, inner, cx),
            ExprKind::NullWhen {
                condition,
                otherwise,
            } => {
                let condition = self.condition(condition, cx);
                let inner = self.link_generator(model, id, otherwise, cx)?;
                let typed = null_if(condition, inner);
                self.check_tree(model, id, &typed.expr, expr.span);
                self.one_only(model, id, typed, expr.span)
            }
            ExprKind::NullShare { share, otherwise } => {
                let condition = self.share(share);
                let inner = self.link_generator(model, id, otherwise, cx)?;
                self.one_only(model, id, null_if(condition, inner), expr.span)
            }
            _ => self.link_draw(model, id, expr, cx),
        }
    }

    /// Links to many are never null.
    fn one_only(&mut self, model: ModelId, id: FieldId, typed: Typed, span: Span) -> Option<Typed> {
        if self.is_many(model, id) {
            self.error_help(
                Code::NullNotAllowed,
                span,
                "links to many are never null",
                "there can be none: `owned(0..3)`, `0..3 of …`",
            );
            return None;
        }
        Some(typed)
    }

    fn is_many(&self, model: ModelId, id: FieldId) -> bool {
        matches!(self.field_type(model, id), Type::ToMany(_))
    }

    fn link_draw(
        &mut self,
        model: ModelId,
        id: FieldId,
        expr: &'a ast::Expr,
        cx: Cx<'_>,
    ) -> Option<Typed> {
        let kind = self.exp.schema.models[model].fields[id].kind.clone();
        let target = kind.target()?;
        let many = self.is_many(model, id);
        let ty = Type::of_field(&kind);
        let generator = match &expr.kind {
            ExprKind::Call { function, args } => {
                let name = function.single().map(|n| n.name.as_str());
                match name {
                    Some("owned" | "shared") => {
                        return self.made(name == Some("owned"), args, many, ty, expr.span, cx);
                    }
                    _ => return self.no_link(target, many, expr.span),
                }
            }
            ExprKind::Link { draw, model: named } => {
                self.same_target(named, target, cx)?;
                let one = || Expr::Literal(Value::Int(1));
                let (min, max, exponent) = match draw {
                    LinkDraw::One => (one(), one(), None),
                    LinkDraw::Count(count) => {
                        let (min, max) = self.length(count, cx);
                        self.children(&max, count);
                        if !many {
                            self.error_help(
                                Code::BadGenerator,
                                count.span,
                                "the field links to one",
                                format!("write `one of {named}`, or make the type `{named}[]`"),
                            );
                        }
                        (min, max, None)
                    }
                    LinkDraw::Zipf(skew) => {
                        let skew = match skew {
                            Some(skew) => {
                                let typed = self.expr(skew, cx);
                                if !typed.ty.is_number() {
                                    self.error(Code::WrongType, skew.span, "a skew is a number");
                                }
                                typed.expr
                            }
                            None => Expr::Literal(Value::Float(1.0)),
                        };
                        (one(), one(), Some(skew))
                    }
                };
                if many && !matches!(draw, LinkDraw::Count(_)) {
                    self.error_help(
                        Code::BadGenerator,
                        expr.span,
                        "the field links to many: say to how many",
                        format!("write `1..3 of {named}`"),
                    );
                    return None;
                }
                Generator::Among {
                    model: target,
                    min,
                    max,
                    exponent,
                }
            }
            ExprKind::At { model: named, row } => {
                self.same_target(named, target, cx)?;
                if many {
                    self.error_help(
                        Code::BadGenerator,
                        expr.span,
                        "`at` names one record; the field links to many",
                        format!("write `1..3 of {named}`"),
                    );
                    return None;
                }
                let row_expr = self.int(row, cx);
                if target == model && !self.is_guarded(model, id) {
                    self.error_help(
                        Code::BadRelationship,
                        expr.span,
                        "row 0 has no row before it to link to",
                        "make the type optional and write `null when row == 0 else …`",
                    );
                }
                Generator::At {
                    model: target,
                    row: row_expr,
                }
            }
            _ => return self.no_link(target, many, expr.span),
        };
        Some(Typed::generated(generator, ty))
    }

    /// Whether the field's generator is null at times.
    pub fn is_guarded(&self, model: ModelId, id: FieldId) -> bool {
        self.models[model].fields[id]
            .ast
            .and_then(|f| f.generator.as_ref())
            .is_some_and(|g| matches!(g.inner().kind, ExprKind::NullWhen { .. }))
    }

    fn no_link(&mut self, target: ModelId, many: bool, span: Span) -> Option<Typed> {
        let name = &self.exp.schema.models[target].name;
        let help = if many {
            format!("write `owned(2..7)` for new ones, `1..3 of {name}` for ones that are there")
        } else {
            format!("write `owned(1)`, `shared(100)`, `one of {name}` or `{name} at …`")
        };
        self.error_help(
            Code::BadGenerator,
            span,
            format!("the field links to `{name}`, and this makes no link"),
            help,
        );
        None
    }

    fn same_target(&mut self, named: &'a ast::Path, target: ModelId, cx: Cx<'_>) -> Option<()> {
        let found = self.model_or_report(named, cx.unit)?;
        if found == target {
            return Some(());
        }
        let name = self.exp.schema.models[target].name.clone();
        self.error_help(
            Code::BadGenerator,
            named.span,
            format!("the field links to `{name}`, not to `{named}`"),
            format!("write `… of {name}`"),
        );
        None
    }

    fn made(
        &mut self,
        owned: bool,
        args: &'a [ast::Arg],
        many: bool,
        ty: Type,
        span: Span,
        cx: Cx<'_>,
    ) -> Option<Typed> {
        let [arg] = args else {
            let example = if owned { "owned(2..7)" } else { "shared(100)" };
            self.error_help(
                Code::BadArguments,
                span,
                "say how many",
                format!("write `{example}`"),
            );
            return None;
        };
        self.unnamed(arg);
        let (min, max) = self.length(&arg.value, cx);
        self.children(&max, &arg.value);
        let values = |checker: &Self, expr: &Expr| checker.possible(expr).unwrap_or_default();
        if !owned {
            if many {
                self.error_help(
                    Code::BadGenerator,
                    span,
                    "`shared` gives one object of the pool; the field links to many",
                    "create the objects in a step and write `1..3 of …`",
                );
                return None;
            }
            if min != max {
                self.error_help(
                    Code::BadArguments,
                    arg.value.span,
                    "a pool has one size",
                    "write `shared(100)`",
                );
                return None;
            }
            self.at_least(&max, 1, arg.value.span, "a pool");
            return Some(Typed::generated(Generator::Shared { pool: max }, ty));
        }
        let mut null = false;
        if !many {
            let above = values(self, &max).iter().any(|v| *v != Value::Int(1));
            if above {
                self.error_help(
                    Code::BadGenerator,
                    arg.value.span,
                    "the field links to one",
                    "write `owned(1)`, `owned(0..1)` for an optional one, or make it a list",
                );
                return None;
            }
            null = values(self, &min).contains(&Value::Int(0));
        } else {
            self.at_least(&max, 1, arg.value.span, "the largest number of children");
        }
        let generator = Generator::Owned { min, max };
        Some(Typed::generated(generator, ty).nullable(null))
    }

    /// Every parent that a tree's generator names must have a smaller row.
    fn check_tree(&mut self, model: ModelId, id: FieldId, expr: &Expr, span: Span) {
        let own = self.exp.schema.models[model].fields[id].kind.target() == Some(model);
        let Expr::If {
            condition,
            otherwise,
            ..
        } = expr
        else {
            return;
        };
        let Expr::Generate(generator) = &**otherwise else {
            return;
        };
        let Generator::At { row: parent, .. } = &**generator else {
            return;
        };
        if !own {
            return;
        }
        for row in 0..ROWS_TRIED {
            let at = AtRow(row);
            if evaluate(condition, &at) != Some(Value::Bool(false)) {
                continue;
            }
            let Some(Value::Int(parent)) = evaluate(parent, &at) else {
                return;
            };
            if !(0..row).contains(&parent) {
                self.error_help(
                    Code::BadRelationship,
                    span,
                    format!("row {row} would link to row {parent}, which is not before it"),
                    "a parent has a smaller row: `null when row == 0 else Employee at (row - 1) / 8`",
                );
                return;
            }
        }
    }
}

struct AtRow(i64);

impl Names for AtRow {
    fn value(&self, _: &str) -> Option<Value> {
        None
    }

    fn row(&self) -> Option<i64> {
        Some(self.0)
    }
}
