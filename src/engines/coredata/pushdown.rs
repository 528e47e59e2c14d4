//! What of a request SQLite is asked, and what is left to the objects.
//!
//! An `NSPredicate` over attributes and relationships becomes SQL. It cannot
//! look into a transformable attribute (a scalar list) or into JSON text, nor
//! call a block; of a conjunction, the parts that can go down do.

use crate::plan::schema::{FieldKind, ModelId, Schema};
use crate::plan::{Expr, OrderKey, Path, Select};

/// A selection in two parts: for SQL, and for the objects that it finds.
pub fn split(schema: &Schema, model: ModelId, select: &Select) -> (Select, Option<Expr>) {
    let Select::Where(expr) = select else {
        return (select.clone(), None);
    };
    if goes_down(schema, model, expr) {
        return (select.clone(), None);
    }
    let Expr::And(parts) = expr else {
        return (Select::All, Some(expr.clone()));
    };
    let (down, above): (Vec<_>, Vec<_>) = parts
        .iter()
        .cloned()
        .partition(|part| goes_down(schema, model, part));
    let down = match down.is_empty() {
        true => Select::All,
        false => Select::Where(Expr::And(down)),
    };
    (down, Some(Expr::And(above)))
}

/// Whether an order can be SQL's.
pub fn order_goes_down(order: &[OrderKey]) -> bool {
    order.iter().all(|key| key.path.json.is_empty())
}

/// Whether a path has a value in SQL.
pub fn path_goes_down(schema: &Schema, model: ModelId, path: &Path) -> bool {
    path.json.is_empty()
        && !matches!(
            path.kind(schema, model),
            Some(FieldKind::List(_) | FieldKind::ToMany { .. })
        )
}

/// Whether a whole selection is SQL.
pub fn select_goes_down(schema: &Schema, model: ModelId, select: &Select) -> bool {
    match select {
        Select::Where(expr) => goes_down(schema, model, expr),
        _ => true,
    }
}

/// Whether an expression can be SQL.
pub fn goes_down(schema: &Schema, model: ModelId, expr: &Expr) -> bool {
    let down = |expr: &Expr| goes_down(schema, model, expr);
    match expr {
        Expr::Literal(_) | Expr::Arg(_) => true,
        Expr::Path(path) => path_goes_down(schema, model, path),
        Expr::Neg(inner) | Expr::Not(inner) | Expr::IsNull(inner) => down(inner),
        Expr::Arith { left, right, .. } | Expr::Compare { left, right, .. } => {
            down(left) && down(right)
        }
        Expr::And(parts) | Expr::Or(parts) => parts.iter().all(down),
        Expr::In { needle, among, .. } => down(needle) && among.iter().all(down),
        Expr::Between { value, low, high } => down(value) && down(low) && down(high),
        Expr::TextMatch { value, pattern, .. } => down(value) && down(pattern),
        Expr::IsEmpty(path) => match path.kind(schema, model) {
            Some(FieldKind::List(_)) | None => false,
            Some(_) => path.json.is_empty(),
        },
        Expr::Quantified {
            over, predicate, ..
        } => about_many(schema, model, over, Some(predicate)),
        Expr::CountOf { over, predicate } => about_many(schema, model, over, predicate.as_deref()),
        // A ternary, a block, and what no fetch request has.
        Expr::If { .. }
        | Expr::Hook { .. }
        | Expr::It
        | Expr::Row
        | Expr::Name(_)
        | Expr::Generate(_) => false,
    }
}

/// A `SUBQUERY` over a to-many relationship.
fn about_many(schema: &Schema, model: ModelId, over: &Path, predicate: Option<&Expr>) -> bool {
    match over.kind(schema, model) {
        Some(FieldKind::ToMany { target, .. }) => {
            predicate.is_none_or(|predicate| goes_down(schema, *target, predicate))
        }
        _ => false,
    }
}
