//! Updates whose new values come from other records that they change too.

use super::super::checker::Checker;
use super::super::model::TransactionDef;
use crate::base::span::Span;
use crate::diagnostics::Code;
use crate::plan::schema::{FieldId, ModelId, Schema};
use crate::plan::{Expr, Path};

impl Checker<'_> {
    /// Refuses them where records are changed one by one: the outcome would
    /// hang on the order, which every engine has of its own. (In one
    /// transaction all new values are computed before the first is stored.)
    pub fn no_changing_neighbours(
        &mut self,
        model: ModelId,
        set: &[(FieldId, Expr, Span)],
        transaction: &TransactionDef,
    ) {
        if !matches!(
            transaction,
            TransactionDef::Of(_) | TransactionDef::Autocommit
        ) {
            return;
        }
        let changed: Vec<FieldId> = set.iter().map(|(field, ..)| *field).collect();
        for (_, value, span) in set {
            let reads = Reads {
                schema: &self.exp.schema,
                model,
                changed: &changed,
            };
            if reads.others(value, model, false) {
                self.error_help(
                    Code::BadSet,
                    *span,
                    "this reads other records that the update changes too, one after the other",
                    "write `in one transaction`: all new values are computed before the first is stored",
                );
            }
        }
    }
}

struct Reads<'a> {
    schema: &'a Schema,
    /// That is updated.
    model: ModelId,
    /// Its fields that change.
    changed: &'a [FieldId],
}

impl Reads<'_> {
    /// Whether the expression, about a record of `at`, reads a changed field of
    /// another record. `inside` a quantifier the record itself is another one.
    fn others(&self, expr: &Expr, at: ModelId, inside: bool) -> bool {
        let within = |over: &Path, predicate: Option<&Expr>| {
            let target = over
                .kind(self.schema, at)
                .and_then(|kind| kind.target())
                .unwrap_or(at);
            predicate.is_some_and(|predicate| self.others(predicate, target, true))
        };
        match expr {
            Expr::Path(path) | Expr::IsEmpty(path) => self.path(path, at, inside),
            Expr::Quantified {
                over, predicate, ..
            } => within(over, Some(predicate)),
            Expr::CountOf { over, predicate } => within(over, predicate.as_deref()),
            Expr::Hook {
                with_record: true, ..
            } if inside && at == self.model => true,
            _ => {
                let mut found = false;
                expr.for_each_child(&mut |child| found |= self.others(child, at, inside));
                found
            }
        }
    }

    fn path(&self, path: &Path, at: ModelId, inside: bool) -> bool {
        let another = inside || path.hops.len() > 1;
        another
            && path.owner(self.schema, at) == Some(self.model)
            && path
                .hops
                .last()
                .is_some_and(|last| self.changed.contains(last))
    }
}
