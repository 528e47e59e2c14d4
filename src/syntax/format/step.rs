//! Steps, clause by clause.

use super::expr::{expr, paths};
use crate::syntax::ast::{
    Compute, Filter, OrderKey, Step, StepKind, Touching, TouchingKind, Transaction,
    TransactionKind, UpdateStyle,
};

/// The verb with its object, then every clause. A `repeat` block without its
/// steps.
pub(super) fn clauses(step: &Step, indent: usize) -> Vec<String> {
    let verb = &step.verb;
    let mut out = Vec::new();
    match &step.kind {
        StepKind::Instantiate { count, model } => {
            out.push(format!("{verb} {} {model}", expr(count, indent)));
        }
        StepKind::Create {
            count,
            model,
            transaction: tx,
        }
        | StepKind::Upsert {
            count,
            model,
            transaction: tx,
        } => {
            out.push(format!("{verb} {} {model}", expr(count, indent)));
            transaction(&mut out, tx.as_ref(), indent);
        }
        StepKind::Read(read) => {
            out.push(format!("{verb} {}", read.model));
            filter(&mut out, read.filter.as_ref(), indent);
            if !read.order.is_empty() {
                out.push(format!("order by {}", order_keys(&read.order)));
            }
            clause(&mut out, "limit", read.limit.as_ref(), indent);
            clause(&mut out, "offset", read.offset.as_ref(), indent);
            out.extend(read.touching.as_ref().map(touching));
            out.extend(read.compute.as_ref().map(|c| compute(c, indent)));
            transaction(&mut out, read.transaction.as_ref(), indent);
            clause(&mut out, "repeat", read.repeat.as_ref(), indent);
        }
        StepKind::Count(count) => {
            out.push(format!("{verb} {}", count.model));
            filter(&mut out, count.filter.as_ref(), indent);
            out.extend(count.per.as_ref().map(|field| format!("per {field}")));
            transaction(&mut out, count.transaction.as_ref(), indent);
            clause(&mut out, "repeat", count.repeat.as_ref(), indent);
        }
        StepKind::Update(update) => {
            out.push(format!("{verb} {}", update.model));
            filter(&mut out, update.filter.as_ref(), indent);
            let set = update.set.iter();
            let set: Vec<_> = set
                .map(|set| format!("{} = {}", set.field, expr(&set.value, indent)))
                .collect();
            out.push(format!("set {}", set.join(", ")));
            transaction(&mut out, update.transaction.as_ref(), indent);
            out.extend(update.style.map(|style| match style {
                UpdateStyle::Object => "by object".to_owned(),
                UpdateStyle::Statement => "by statement".to_owned(),
            }));
            clause(&mut out, "repeat", update.repeat.as_ref(), indent);
        }
        StepKind::Delete(delete) => {
            out.push(format!("{verb} {}", delete.model));
            filter(&mut out, delete.filter.as_ref(), indent);
            transaction(&mut out, delete.transaction.as_ref(), indent);
            clause(&mut out, "repeat", delete.repeat.as_ref(), indent);
        }
        StepKind::Repeat(block) => {
            out.push(format!(
                "{verb} {} with {} at {} {}",
                expr(&block.times, indent),
                block.name,
                expr(&block.at, indent),
                block.model
            ));
            transaction(&mut out, block.transaction.as_ref(), indent);
        }
        StepKind::Open { cold } | StepKind::Reopen { cold } => {
            out.push(format!("{verb}{}", if *cold { " cold" } else { "" }));
        }
        StepKind::Storage | StepKind::Compact | StepKind::Checkpoint | StepKind::Close => {
            out.push(verb.to_string());
        }
        StepKind::Expect(comparison) => out.push(format!("{verb} {}", expr(comparison, indent))),
    }
    out
}

fn filter(out: &mut Vec<String>, filter: Option<&Filter>, indent: usize) {
    out.extend(filter.map(|filter| match filter {
        Filter::Where(condition) => format!("where {}", expr(condition, indent)),
        Filter::By { field, at, .. } => format!("by {field} at {}", expr(at, indent)),
    }));
}

fn clause(
    out: &mut Vec<String>,
    word: &str,
    value: Option<&crate::syntax::ast::Expr>,
    indent: usize,
) {
    out.extend(value.map(|value| format!("{word} {}", expr(value, indent))));
}

fn transaction(out: &mut Vec<String>, transaction: Option<&Transaction>, indent: usize) {
    out.extend(transaction.map(|transaction| match &transaction.kind {
        TransactionKind::One => "in one transaction".to_owned(),
        TransactionKind::Of(size) => format!("in transactions of {}", expr(size, indent)),
        TransactionKind::Autocommit => "autocommit".to_owned(),
    }));
}

fn touching(touching: &Touching) -> String {
    match &touching.kind {
        TouchingKind::Keys => "touching keys".to_owned(),
        TouchingKind::Nothing => "touching nothing".to_owned(),
        TouchingKind::Fields(fields) => format!("touching ({})", paths(fields)),
    }
}

fn compute(compute: &Compute, indent: usize) -> String {
    if compute.args.is_empty() {
        return format!("compute {}", compute.function);
    }
    let args = super::expr::exprs(&compute.args, indent);
    format!("compute {}({args})", compute.function)
}

pub(super) fn order_keys(keys: &[OrderKey]) -> String {
    let keys: Vec<_> = keys
        .iter()
        .map(|key| format!("{}{}", key.field, if key.descending { " desc" } else { "" }))
        .collect();
    keys.join(", ")
}
