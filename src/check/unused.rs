//! Params, sweeps and models that nothing names.

use super::checker::Checker;
use crate::diagnostics::{Code, Diagnostic};

impl Checker<'_> {
    pub fn check_unused(&mut self) {
        // With broken parts around, what names them may be among these.
        let broken = self.units.iter().any(|unit| {
            !unit.file.broken.is_empty()
                || unit.file.items.iter().any(|item| match &item.kind {
                    crate::syntax::ast::ItemKind::Trial(trial) => {
                        !trial.members.broken.is_empty()
                            || trial.setup().is_some_and(|s| !s.steps.broken.is_empty())
                    }
                    crate::syntax::ast::ItemKind::Model(model) => !model.members.broken.is_empty(),
                    _ => false,
                })
        });
        if broken || !self.runnable {
            return;
        }
        for quantity in &self.quantities {
            let in_title = self.all_names.contains(&quantity.name);
            if !in_title {
                let what = if quantity.is_axis { "sweep" } else { "param" };
                self.out.push(
                    Diagnostic::warning(
                        Code::Unused,
                        quantity.span,
                        format!("nothing names the {what} `{}`", quantity.name),
                    )
                    .help("leave it out, or let a step, model, engine or index name it"),
                );
            }
        }
        for (id, model) in self.models.iter().enumerate() {
            if model.unit == 0 && !self.used_models.contains(&id) {
                self.out.push(
                    Diagnostic::warning(
                        Code::Unused,
                        model.ast.name.span,
                        format!("nothing stores or names the model `{}`", model.ast.name),
                    )
                    .help("leave it out, or `create` some"),
                );
            }
        }
    }
}
