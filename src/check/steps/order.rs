//! `order by`, `limit`, `offset`.

use super::super::checker::Checker;
use super::super::model::AccessDef;
use super::super::types::Type;
use crate::diagnostics::Code;
use crate::plan::OrderKey;
use crate::plan::schema::ModelId;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    /// Sort keys: single values that every engine orders alike.
    pub fn order_keys(&mut self, keys: &'a [ast::OrderKey], model: ModelId) -> Vec<OrderKey> {
        let mut checked = Vec::with_capacity(keys.len());
        for key in keys {
            let Some(walk) = self.walk(&key.field, model, false) else {
                continue;
            };
            if walk.ty == Type::Unknown {
                continue;
            }
            if !walk.ty.is_ordered() || walk.ty == Type::Dynamic {
                let words = walk.ty.words(&self.exp.schema);
                let help = match walk.ty {
                    Type::ToOne(_) => "order by a field of it, such as `school.name`",
                    Type::Dynamic => "what the json holds here is known only when it runs",
                    _ => "order by single values",
                };
                self.error_help(
                    Code::BadClause,
                    key.span,
                    format!("`{}` has no order: it is {words}", key.field),
                    help,
                );
                continue;
            }
            checked.push(OrderKey {
                path: walk.path,
                descending: key.descending,
            });
        }
        checked
    }

    /// Reports a limit that leaves open which records are the first.
    pub fn total_order(
        &mut self,
        read: &'a ast::Read,
        model: ModelId,
        order: &[OrderKey],
        access: Option<&AccessDef>,
    ) {
        let Some(clause) = read.limit.as_ref().or(read.offset.as_ref()) else {
            return;
        };
        if self.is_total(model, order) || order.len() < read.order.len() {
            return;
        }
        let by_unique =
            access.is_some_and(|a| self.models[model].uniques.iter().any(|u| *u == [a.field]));
        if by_unique {
            return;
        }
        let schema = &self.exp.schema.models[model];
        let written: Vec<String> = read
            .order
            .iter()
            .map(|key| self.one_line(key.span))
            .collect();
        let help = match schema.key {
            Some(key) => {
                let mut keys = written.clone();
                keys.push(schema.fields[key].name.clone());
                format!("add the key: `order by {}`", keys.join(", "))
            }
            None if self.models[model].may_declare("") => return,
            None => format!("give `{}` a key and end the order in it", schema.name),
        };
        let message = if read.order.is_empty() {
            "which records come first is left open: there is no order"
        } else {
            "which records come first is left open: several can agree in all sort keys"
        };
        self.error_help(Code::NotTotal, clause.span, message, help);
    }

    /// Whether no two records agree in all keys.
    fn is_total(&self, model: ModelId, order: &[OrderKey]) -> bool {
        let fields = &self.exp.schema.models[model].fields;
        let sorted = |field: &usize| {
            order
                .iter()
                .any(|key| key.path.json.is_empty() && key.path.hops == [*field])
        };
        self.models[model].uniques.iter().any(|unique| {
            unique
                .iter()
                .all(|field| sorted(field) && !fields[*field].optional)
        })
    }
}
