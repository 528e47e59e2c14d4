//! Questions about the children, links and elements of a record, as
//! correlated subqueries: none changes how often a record comes.

use super::error::unsupported;
use super::expression;
use super::frame::{Context, Frame, Place, column};
use super::layout::Storage;
use super::typed::{Level, Type, Typed};
use crate::engines::EngineError;
use crate::plan::{Expr, FieldKind, Path, Quantifier};

/// The rows behind a list or to-many link.
enum Many {
    /// Elements under an alias of the list table.
    Elements { alias: String, ty: Type },
    /// Records.
    Records(Frame),
}

struct Subquery {
    many: Many,
    /// `FROM` without joins of the predicate.
    from: String,
    /// What ties it to the outer record.
    tie: String,
    /// The outer record.
    owner: Place,
    /// SQL that is null where an optional list is null.
    marker: Option<String>,
}

fn subquery(
    c: &Context<'_>,
    f: &mut Frame,
    over: &Path,
    needs_records: bool,
) -> Result<Subquery, EngineError> {
    let Some((&last, before)) = over.hops.split_last() else {
        return Err(unsupported("a record is not a list"));
    };
    let owner = f.walk(c, before)?;
    let table = &c.layout.tables[owner.model];
    let owner_id = column(&owner.alias, &table.id);
    let alias = c.alias();
    Ok(match &table.fields[last] {
        Storage::List {
            table,
            marker,
            scalar,
        } => Subquery {
            from: format!("{table} AS {alias}"),
            tie: format!("{alias}.\"owner\" = {owner_id}"),
            marker: marker.as_ref().map(|m| column(&owner.alias, m)),
            many: Many::Elements {
                alias,
                ty: Type::of(scalar),
            },
            owner,
        },
        Storage::Children { target, column } => Subquery {
            from: format!("{} AS {alias}", c.layout.tables[*target].name),
            tie: format!("{alias}.{column} = {owner_id}"),
            marker: None,
            many: Many::Records(Frame::new(*target, alias)),
            owner,
        },
        Storage::Links { table, target } => {
            let mut from = format!("{table} AS {alias}");
            let frame = Frame::new(*target, c.alias());
            if needs_records {
                let record = &c.layout.tables[*target];
                from.push_str(&format!(
                    " JOIN {} AS {} ON {}.{} = {alias}.{}",
                    record.name, frame.alias, frame.alias, record.id, table.target
                ));
            }
            Subquery {
                from,
                tie: format!("{alias}.{} = {owner_id}", table.owner),
                marker: None,
                many: Many::Records(frame),
                owner,
            }
        }
        _ => return Err(unsupported(format!("`{}` is not a list", over.text))),
    })
}

impl Subquery {
    /// SQL that is null where there is no list at all, if that can be.
    fn there(&self, c: &Context<'_>) -> Option<String> {
        match (&self.marker, self.owner.nullable) {
            (Some(marker), _) => Some(marker.clone()),
            (None, true) => {
                let table = &c.layout.tables[self.owner.model];
                Some(column(&self.owner.alias, &table.id))
            }
            (None, false) => None,
        }
    }

    /// `FROM … WHERE …` with a condition on the child or element, or its opposite.
    fn body(
        mut self,
        c: &Context<'_>,
        f: &mut Frame,
        predicate: Option<&Expr>,
        opposite: bool,
    ) -> Result<String, EngineError> {
        let mut joins = String::new();
        let mut sql = self.tie.clone();
        if let Some(predicate) = predicate {
            let mut condition = match &mut self.many {
                Many::Elements { alias, ty } => {
                    f.elements.push((format!("{alias}.\"value\""), *ty));
                    let condition = expression::condition(c, f, predicate);
                    f.elements.pop();
                    condition?
                }
                Many::Records(frame) => {
                    let condition = expression::condition(c, frame, predicate)?;
                    joins = frame.joins();
                    condition
                }
            };
            if opposite {
                condition = expression::not(condition);
            }
            sql.push_str(" AND ");
            sql.push_str(&condition.at(Level::And));
        }
        Ok(format!("FROM {}{joins} WHERE {sql}", self.from))
    }
}

/// `any`, `all`, `none`.
pub fn quantified(
    c: &Context<'_>,
    f: &mut Frame,
    which: Quantifier,
    over: &Path,
    predicate: &Expr,
) -> Result<Typed, EngineError> {
    let all = which == Quantifier::All;
    let body = subquery(c, f, over, true)?.body(c, f, Some(predicate), all)?;
    let (word, level) = match which {
        Quantifier::Any => ("EXISTS", Level::Atom),
        Quantifier::All | Quantifier::None => ("NOT EXISTS", Level::Not),
    };
    Ok(Typed::condition(
        format!("{word} (SELECT 1 {body})"),
        level,
        false,
    ))
}

/// `count(grades)`
pub fn count(
    c: &Context<'_>,
    f: &mut Frame,
    over: &Path,
    predicate: Option<&Expr>,
) -> Result<Typed, EngineError> {
    let body = subquery(c, f, over, predicate.is_some())?.body(c, f, predicate, false)?;
    Ok(Typed::atom(
        format!("(SELECT count(*) {body})"),
        Type::Int,
        false,
    ))
}

/// `is empty`: of a list, a to-many link, a text or a blob; null is not empty.
pub fn is_empty(c: &Context<'_>, f: &mut Frame, path: &Path) -> Result<Typed, EngineError> {
    let kind = path.kind(c.schema, f.model);
    if let Some(FieldKind::Scalar(_)) = kind {
        let of = f.value(c, path)?;
        let sql = match of.ty {
            Type::Blob => format!("{} = x''", of.operand()),
            _ => format!("{} = ''", of.operand()),
        };
        return Ok(Typed::condition(sql, Level::Comparison, of.nullable));
    }
    let many = subquery(c, f, path, false)?;
    let there = many.there(c);
    let empty = format!("NOT EXISTS (SELECT 1 {})", many.body(c, f, None, false)?);
    Ok(match there {
        Some(there) => Typed::condition(
            format!("{there} IS NOT NULL AND {empty}"),
            Level::And,
            false,
        ),
        None => Typed::condition(empty, Level::Not, false),
    })
}

/// `is null` of a list or to-many link; `None` for anything else.
pub fn is_null(c: &Context<'_>, f: &mut Frame, path: &Path) -> Result<Option<Typed>, EngineError> {
    if !matches!(
        path.kind(c.schema, f.model),
        Some(FieldKind::List(_) | FieldKind::ToMany { .. })
    ) {
        return Ok(None);
    }
    Ok(Some(match subquery(c, f, path, false)?.there(c) {
        Some(there) => Typed::condition(format!("{there} IS NULL"), Level::Comparison, false),
        None => Typed::condition("0", Level::Atom, false),
    }))
}
