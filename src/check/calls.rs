//! Calls: generators, hooks, `count(…)`.

use super::checker::Checker;
use super::declare::FUNCTIONS;
use super::imports::UnitId;
use super::place::{Cx, Place};
use super::types::{Type, Typed};
use crate::base::span::Span;
use crate::diagnostics::{Code, did_you_mean};
use crate::plan::Expr;
use crate::plan::expr::HookId;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    pub fn call(
        &mut self,
        function: &'a ast::Path,
        args: &'a [ast::Arg],
        span: Span,
        cx: Cx<'_>,
    ) -> Typed {
        if let Some(name) = function.single()
            && FUNCTIONS.contains(&name.name.as_str())
        {
            return self.builtin(name, args, span, cx);
        }
        let Some(hook) = self.find_hook(function, cx) else {
            // The arguments are looked at all the same.
            for arg in args {
                self.expr(&arg.value, cx);
            }
            return Typed::unknown();
        };
        let with_record = match cx.place {
            Place::Record { .. } => true,
            Place::Generator { .. } => false,
            Place::Element { .. } | Place::Point | Place::Index => {
                return self.not_here(
                    span,
                    "a hook needs a record",
                    "hooks stand in generators, predicates of steps, `set` and `compute`",
                );
            }
        };
        let mut checked = Vec::with_capacity(args.len());
        for arg in args {
            self.unnamed(arg);
            checked.push(self.expr(&arg.value, cx).expr);
        }
        self.arity(hook, function, args.len(), usize::from(with_record), span);
        let expr = Expr::Hook {
            hook,
            args: checked,
            with_record,
        };
        Typed::new(expr, Type::Dynamic)
    }

    /// Reports a name before an argument that has none.
    pub fn unnamed(&mut self, arg: &ast::Arg) {
        if let Some(name) = &arg.name {
            self.error(
                Code::BadArguments,
                name.span,
                format!("there is no argument called `{name}`"),
            );
        }
    }

    /// Reports a hook that gets too few or too many arguments.
    pub fn arity(
        &mut self,
        hook: HookId,
        function: &ast::Path,
        written: usize,
        given_first: usize,
        span: Span,
    ) {
        let takes = self.exp.hooks[hook].parameters.len();
        if takes == written + given_first {
            return;
        }
        let list = self.exp.hooks[hook].parameters.join(", ");
        let first = if given_first == 1 {
            "the record comes first by itself; "
        } else {
            ""
        };
        let message = if takes < given_first {
            format!("hook `{function}` takes nothing, but gets the record")
        } else {
            format!(
                "hook `{function}` needs {} here, not {written}",
                arguments(takes - given_first)
            )
        };
        self.error_help(
            Code::BadArguments,
            span,
            message,
            format!("{first}it is declared as `{function}({list})`"),
        );
    }

    /// The hook of that name; reports where there is none.
    pub fn find_hook(&mut self, function: &'a ast::Path, cx: Cx<'_>) -> Option<HookId> {
        let (unit, name) = self.owner(function, cx.unit)?;
        if let Some(hook) = self.scopes[unit].hooks.get(name.name.as_str()) {
            return Some(*hook);
        }
        if self.may_declare(unit, &name.name) {
            return None;
        }
        let own = self.scopes[unit].hooks.keys().copied();
        let functions: &[&str] = match cx.place {
            Place::Generator { .. } => &FUNCTIONS[..FUNCTIONS.len() - 5],
            Place::Record { .. } => &["count"],
            _ => &[],
        };
        let help = did_you_mean(&name.name, own.chain(functions.iter().copied()));
        let what = if cx.is_generator() {
            "no generator and no hook"
        } else {
            "no hook"
        };
        self.error_maybe(
            Code::UnknownName,
            name.span,
            format!("there is {what} called `{function}`"),
            help,
        );
        None
    }

    /// The file that a name of one or two parts belongs to, and the name in it.
    /// Reports an unknown module.
    pub fn owner(&mut self, path: &'a ast::Path, unit: UnitId) -> Option<(UnitId, &'a ast::Ident)> {
        match path.segments.as_slice() {
            [name] => Some((unit, name)),
            [module, name] => match self.alias(unit, &module.name) {
                Some(found) => found.map(|unit| (unit, name)),
                None => {
                    self.unknown_module(module, unit);
                    None
                }
            },
            _ => {
                self.error(
                    Code::UnknownModule,
                    path.span,
                    format!("`{path}` has too many parts for a module's name"),
                );
                None
            }
        }
    }

    /// Reports a qualifier that no `use` gives.
    pub fn unknown_module(&mut self, module: &ast::Ident, unit: UnitId) {
        if self.may_declare(unit, &module.name) {
            return;
        }
        // One that could not be had is no better.
        let aliases = self.units[unit]
            .aliases
            .iter()
            .filter(|(_, found)| found.is_some())
            .map(|(alias, _)| alias.as_str());
        let help = did_you_mean(&module.name, aliases).unwrap_or_else(|| {
            if super::loader::stdlib_modules().contains(&module.name.as_str()) {
                format!("add `use std.{module}` above")
            } else {
                "a module's names stand after its own: `use std.people`, then `people.first_name`"
                    .to_owned()
            }
        });
        self.error_help(
            Code::UnknownModule,
            module.span,
            format!("there is no module `{module}` here"),
            help,
        );
    }
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no argument".to_owned(),
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    }
}
