//! Texts with filled-in parts.

use super::checker::Checker;
use super::place::Cx;
use super::types::{Type, Typed};
use crate::base::Value;
use crate::diagnostics::Code;
use crate::plan::{Expr, Generator, TemplatePart};
use crate::syntax::ast::{self, TextPart};

impl<'a> Checker<'a> {
    pub fn text(&mut self, text: &'a ast::Text, cx: Cx<'_>) -> Typed {
        if let Some(plain) = text.plain() {
            return Typed::new(Expr::Literal(Value::Text(plain.to_owned())), Type::Text);
        }
        if !cx.is_generator() {
            self.misplaced_fill(text);
            return Typed::new(Expr::Literal(Value::Text(String::new())), Type::Text);
        }
        let mut null = false;
        let mut parts = Vec::with_capacity(text.parts.len());
        for part in &text.parts {
            parts.push(match part {
                TextPart::Plain(plain) => TemplatePart::Text(plain.clone()),
                TextPart::Fill(expr) => {
                    let typed = self.expr(expr, cx);
                    null |= typed.null;
                    if matches!(
                        typed.ty,
                        Type::Json | Type::List(_) | Type::Blob | Type::Null | Type::Duration
                    ) {
                        let words = typed.ty.words(&self.exp.schema);
                        self.error(
                            Code::WrongType,
                            expr.span,
                            format!("{words} has no form as text"),
                        );
                    }
                    TemplatePart::Value(typed.expr)
                }
            });
        }
        Typed::generated(Generator::Template(parts), Type::Text).nullable(null)
    }

    /// Reports `{…}` where nothing is filled in.
    pub fn misplaced_fill(&mut self, text: &ast::Text) {
        self.error_help(
            Code::MisplacedFill,
            text.span,
            "nothing is filled in here",
            "write `{{` for a brace; `{…}` is filled in in generators, titles and claims",
        );
    }

    /// A text in a heading: what is filled in are params, as they stand in the file.
    pub fn heading(&mut self, text: &'a ast::Text) -> String {
        let mut whole = String::new();
        for part in &text.parts {
            match part {
                TextPart::Plain(plain) => whole.push_str(plain),
                TextPart::Fill(expr) => {
                    let cx = Cx::new(0, super::place::Place::Point);
                    let typed = self.expr(expr, cx);
                    match self.possible(&typed.expr).as_deref() {
                        Some([value]) => whole.push_str(&super::constant::words(value)),
                        _ if typed.ty == Type::Unknown => {}
                        _ => self.error_help(
                            Code::NotHere,
                            expr.span,
                            "a heading can have params filled in, no sweeps",
                            "it is the same at every point",
                        ),
                    }
                }
            }
        }
        whole
    }
}
