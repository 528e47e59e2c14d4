//! `hook name(args) { rhai }`.

use super::Rule;
use super::brackets::Closing;
use super::pairs::Parts;
use super::parser::{Built, Parser};
use super::scan::Kind;
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{Hook, HookBody};

impl Parser<'_> {
    pub fn hook_item(&mut self, limit: usize) -> Built<Hook> {
        let from = self.at;
        let pair = self.piece(Rule::piece_hook, limit)?;
        let mut parts = Parts::of(pair);
        parts.skip(Rule::kw_hook);
        let name = self.declared(parts.next(self)?, "a hook")?;
        let mut params = Vec::new();
        while let Some(param) = parts.take(Rule::name) {
            let param = self.name(param)?;
            self.check_case(&param, "a hook's parameter")?;
            params.push(param);
        }
        let open = self.at;
        let body = self.token_span(open + 1);
        let closed = matches!(self.brackets.closing(open), Some(Closing::At(at)) if at == open + 2);
        if self.kind(open + 1) != Some(Kind::HookBody) || !closed {
            return Err(Box::new(
                Diagnostic::error(
                    Code::UnclosedBrace,
                    self.token_span(open),
                    "the script of this hook never ends",
                )
                .label("opened here")
                .help("a `}` is missing; braces in strings and comments do not count"),
            ));
        }
        self.at = open + 3;
        Ok(Hook {
            name,
            params,
            body: HookBody {
                text: self.token_text(open + 1).to_owned(),
                span: body,
            },
            span: self.tokens_span(from, self.at),
        })
    }
}
