//! Hooks: their scripts must compile.

use super::checker::Checker;
use crate::hooks::{self, HookSource};
use crate::syntax::ast::{Hook, ItemKind};

impl Checker<'_> {
    /// Compiles the hooks of each file together.
    pub fn check_hooks(&mut self) {
        for unit in self.units {
            let hooks: Vec<&Hook> = unit
                .file
                .items
                .iter()
                .filter_map(|item| match &item.kind {
                    ItemKind::Hook(hook) => Some(hook),
                    _ => None,
                })
                .collect();
            if hooks.is_empty() {
                continue;
            }
            for hook in &hooks {
                for (at, param) in hook.params.iter().enumerate() {
                    if hook.params[..at].iter().any(|p| p.name == param.name) {
                        self.error(
                            crate::diagnostics::Code::DuplicateName,
                            param.span,
                            format!("`{param}` stands twice among the arguments"),
                        );
                    }
                }
            }
            let parameters: Vec<Vec<String>> = hooks
                .iter()
                .map(|h| h.params.iter().map(|p| p.name.clone()).collect())
                .collect();
            let sources: Vec<HookSource<'_>> = hooks
                .iter()
                .zip(&parameters)
                .map(|(hook, parameters)| HookSource {
                    name: &hook.name.name,
                    name_span: hook.name.span,
                    parameters,
                    body: &hook.body.text,
                    body_span: hook.body.span,
                })
                .collect();
            self.out.extend(hooks::check(&sources));
        }
    }
}
