//! Predicates, taken apart into what can be tested column by column.

use std::cell::OnceCell;

use super::error::Result;
use super::found::{Found, Which};
use super::layout::FieldLayout;
use super::links;
use super::picks::Picks;
use super::rowset::RowSet;
use super::scan::scan;
use super::select::Asking;
use super::test::{Test, folded};
use crate::base::Value;
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{CompareOp, Expr, Path, Quantifier};
use crate::workload::eval::{Scope, holds};

use super::block::{ColumnType, Type};

/// A predicate about the records of one model.
pub enum Condition<'q> {
    /// All of them.
    And(Vec<Condition<'q>>),
    /// One of them.
    Or(Vec<Condition<'q>>),
    /// The opposite.
    Not(Box<Condition<'q>>),
    /// A test of a column.
    Column { column: usize, test: Test },
    /// The record behind a to-one link meets a condition.
    Linked {
        column: usize,
        target: ModelId,
        about: Box<Condition<'q>>,
        /// What holds where there is no link.
        on_null: bool,
        /// The records that meet it, once they are known.
        set: OnceCell<RowSet>,
    },
    /// Any record behind a to-many link meets a condition.
    Any {
        column: usize,
        target: ModelId,
        about: Box<Condition<'q>>,
        /// How to get from there back to here.
        back: Back,
        /// The predicate as it stands, for the evaluation of a few records.
        whole: &'q Expr,
        /// `all` and `none` are not any.
        turned: bool,
    },
    /// What is evaluated record by record.
    Row(&'q Expr),
}

/// The way from what a to-many link leads to back to where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Back {
    /// A column that names the owner.
    Owner(usize),
    /// An index of back-links.
    Tree(usize),
}

/// Takes a predicate apart.
pub struct Compiler<'c> {
    pub asking: &'c Asking<'c>,
}

impl<'c> Compiler<'c> {
    /// The condition of a predicate about a model.
    pub fn condition<'q>(&self, model: ModelId, predicate: &'q Expr) -> Condition<'q> {
        self.pure(model, predicate)
            .unwrap_or_else(|| match predicate {
                Expr::And(all) => {
                    Condition::And(all.iter().map(|each| self.condition(model, each)).collect())
                }
                Expr::Or(some) => Condition::Or(
                    some.iter()
                        .map(|each| self.condition(model, each))
                        .collect(),
                ),
                Expr::Not(inner) => Condition::Not(Box::new(self.condition(model, inner))),
                other => Condition::Row(other),
            })
    }

    /// The condition of a predicate that cannot fail and looks at columns
    /// alone; `None` for every other.
    pub fn pure<'q>(&self, model: ModelId, predicate: &'q Expr) -> Option<Condition<'q>> {
        match predicate {
            Expr::And(all) => {
                let mut parts: Vec<Condition<'q>> = all
                    .iter()
                    .map(|each| self.pure(model, each))
                    .collect::<Option<_>>()?;
                // Nothing here can fail, so the order is free: cheap ones first.
                parts.sort_by_key(Condition::cost);
                Some(Condition::And(parts))
            }
            Expr::Or(some) => some
                .iter()
                .map(|each| self.pure(model, each))
                .collect::<Option<_>>()
                .map(Condition::Or),
            Expr::Not(inner) => Some(Condition::Not(Box::new(self.pure(model, inner)?))),
            Expr::Path(path) => {
                (self.kind(model, path)? == Type::Bool).then_some(())?;
                self.way(model, &path.hops, Test::True)
            }
            Expr::Compare {
                op,
                left,
                right,
                ignoring_case,
            } => {
                let (path, op, to) = match (&**left, &**right) {
                    (Expr::Path(path), to) => (path, *op, self.constant(to)?),
                    (to, Expr::Path(path)) => (path, turned(*op), self.constant(to)?),
                    _ => return None,
                };
                self.kind(model, path)?;
                let to = if *ignoring_case { folded(to) } else { to };
                let fold = *ignoring_case;
                self.way(model, &path.hops, Test::Compare { op, to, fold })
            }
            Expr::In {
                needle,
                among,
                ignoring_case,
            } => {
                let Expr::Path(path) = &**needle else {
                    return None;
                };
                self.kind(model, path)?;
                let fold = *ignoring_case;
                let among = among
                    .iter()
                    .map(|each| {
                        let value = self.constant(each)?;
                        Some(if fold { folded(value) } else { value })
                    })
                    .collect::<Option<_>>()?;
                self.way(model, &path.hops, Test::In { among, fold })
            }
            Expr::Between { value, low, high } => {
                let Expr::Path(path) = &**value else {
                    return None;
                };
                self.kind(model, path)?;
                let (low, high) = (self.constant(low)?, self.constant(high)?);
                self.way(model, &path.hops, Test::Between { low, high })
            }
            Expr::TextMatch {
                op,
                value,
                pattern,
                ignoring_case,
            } => {
                let Expr::Path(path) = &**value else {
                    return None;
                };
                matches!(self.kind(model, path)?, Type::Text | Type::Json).then_some(())?;
                let (Value::Text(pattern) | Value::Json(pattern)) = self.constant(pattern)? else {
                    return None;
                };
                let test = Test::Match {
                    op: *op,
                    pattern,
                    fold: *ignoring_case,
                };
                self.way(model, &path.hops, test)
            }
            Expr::IsNull(inner) => {
                let Expr::Path(path) = &**inner else {
                    return None;
                };
                if path.json.is_empty() && self.link(model, *path.hops.last()?).is_some() {
                    if let [field] = path.hops[..] {
                        let (column, _) = self.link(model, field)?;
                        return Some(Condition::Column {
                            column,
                            test: Test::Null,
                        });
                    }
                    return None;
                }
                self.kind(model, path)?;
                self.way(model, &path.hops, Test::Null)
            }
            Expr::Quantified {
                quantifier,
                over,
                predicate: about,
            } => self.quantified(model, predicate, *quantifier, over, about),
            _ => None,
        }
    }

    fn quantified<'q>(
        &self,
        model: ModelId,
        whole: &'q Expr,
        quantifier: Quantifier,
        over: &Path,
        about: &'q Expr,
    ) -> Option<Condition<'q>> {
        let [field] = over.hops[..] else {
            return None;
        };
        let catalog = self.asking.reader.catalog;
        let FieldLayout::Many {
            column,
            target,
            back,
        } = catalog.kept(model).fields.get(field)?
        else {
            return None;
        };
        let back = match back {
            Some(tree) => Back::Tree(*tree),
            None => Back::Owner(catalog.kept(*target).owner(model, field)?),
        };
        let inner = self.pure(*target, about)?;
        let (about, turned) = match quantifier {
            Quantifier::Any => (inner, false),
            Quantifier::None => (inner, true),
            Quantifier::All => (Condition::Not(Box::new(inner)), true),
        };
        Some(Condition::Any {
            column: *column,
            target: *target,
            about: Box::new(about),
            back,
            whole,
            turned,
        })
    }

    /// A value that is the same for all records.
    pub fn constant(&self, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Literal(value) => Some(value.clone()),
            Expr::Arg(at) => self.asking.arguments.get(*at).cloned(),
            _ => None,
        }
    }

    /// What stands at the end of a path of to-one links, if it is one value.
    fn kind(&self, model: ModelId, path: &Path) -> Option<Type> {
        if !path.json.is_empty() {
            return None;
        }
        let (last, before) = path.hops.split_last()?;
        let mut at = model;
        for hop in before {
            at = self.link(at, *hop)?.1;
        }
        self.asking
            .reader
            .catalog
            .kept(at)
            .scalar(*last)
            .map(|(_, kind)| kind)
    }

    /// The column of a to-one link or an owner, and the model it leads to.
    fn link(&self, model: ModelId, field: FieldId) -> Option<(usize, ModelId)> {
        let kept = self.asking.reader.catalog.kept(model);
        match kept.fields.get(field)? {
            FieldLayout::One { column, target, .. } => Some((*column, *target)),
            FieldLayout::Back { target, of } => Some((kept.owner(*target, *of)?, *target)),
            _ => None,
        }
    }

    fn way<'q>(&self, model: ModelId, hops: &[FieldId], test: Test) -> Option<Condition<'q>> {
        let (first, rest) = hops.split_first()?;
        if rest.is_empty() {
            let (column, _) = self.asking.reader.catalog.kept(model).scalar(*first)?;
            return Some(Condition::Column { column, test });
        }
        let (column, target) = self.link(model, *first)?;
        let on_null = test.on_null();
        Some(Condition::Linked {
            column,
            target,
            about: Box::new(self.way(target, rest, test)?),
            on_null,
            set: OnceCell::new(),
        })
    }
}

/// The comparison with its sides changed.
pub fn turned(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessOrEqual => CompareOp::GreaterOrEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterOrEqual => CompareOp::LessOrEqual,
        same => same,
    }
}

impl Condition<'_> {
    /// How dear it is beside others, roughly.
    fn cost(&self) -> u32 {
        match self {
            Condition::Column { test, .. } => test.cost(),
            Condition::Linked { about, .. } => 20 + about.cost(),
            Condition::Any { about, .. } => 100 + about.cost(),
            Condition::Not(inner) => inner.cost(),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().map(Condition::cost).sum(),
            Condition::Row(_) => 1000,
        }
    }

    /// Those of the picked records that meet it, cluster by cluster.
    pub fn select(
        &self,
        found: &Found<'_>,
        asking: &Asking<'_>,
        within: Vec<Picks>,
    ) -> Result<Vec<Picks>> {
        if within.iter().all(Picks::is_empty) {
            return Ok(within);
        }
        let by_cluster = |test: &mut dyn FnMut(usize, &Picks) -> Result<Picks>| {
            let picks = within.iter().enumerate();
            picks
                .map(|(cluster, picks)| match picks.is_empty() {
                    true => Ok(Picks::NONE),
                    false => test(cluster, picks),
                })
                .collect::<Result<Vec<Picks>>>()
        };
        match self {
            Condition::And(parts) => parts
                .iter()
                .try_fold(within, |within, part| part.select(found, asking, within)),
            Condition::Or(parts) => {
                let mut good = vec![Picks::NONE; within.len()];
                let mut left = within;
                for part in parts {
                    let more = part.select(found, asking, left.clone())?;
                    for ((good, left), more) in good.iter_mut().zip(&mut left).zip(&more) {
                        *good = good.or(more);
                        *left = left.without(more);
                    }
                }
                Ok(good)
            }
            Condition::Not(inner) => {
                let not = inner.select(found, asking, within.clone())?;
                Ok(within.iter().zip(&not).map(|(a, b)| a.without(b)).collect())
            }
            Condition::Column { column, test } => {
                let kind = kind(found, *column)?;
                by_cluster(&mut |cluster, picks| {
                    let column = found.clusters[cluster].column(*column, kind)?;
                    scan(&column, test, picks)
                })
            }
            Condition::Linked {
                column,
                target,
                about,
                on_null,
                set,
            } => {
                let set = match set.get() {
                    Some(set) => set,
                    None => {
                        let rows = about.all(asking, *target)?.numbers();
                        set.get_or_init(|| RowSet::new(rows))
                    }
                };
                let kind = ColumnType::one(Type::Link);
                by_cluster(&mut |cluster, picks| {
                    let column = found.clusters[cluster].column(*column, kind)?;
                    let mut good = Picks::NONE;
                    for row in picks.iter() {
                        if column.link(row).map_or(*on_null, |linked| set.has(linked)) {
                            good.add(row);
                        }
                    }
                    Ok(good)
                })
            }
            Condition::Any {
                column,
                target,
                about,
                back,
                whole,
                turned,
            } => {
                let few = within.iter().map(Picks::count).sum::<usize>() as u64;
                // One by one, a record costs about as much as sixty in a scan.
                if few * 64 < asking.reader.count(found.model) {
                    return rows(whole, found, asking, within);
                }
                let there = about.all(asking, *target)?;
                let good = match back {
                    Back::Owner(owner) => links::owners(&there, *owner)?,
                    Back::Tree(tree) => {
                        return links::linking(found, *column, *tree, &there, *turned, within);
                    }
                };
                let good = RowSet::new(good);
                by_cluster(&mut |cluster, picks| {
                    let numbers = &found.clusters[cluster];
                    let mut kept = Picks::NONE;
                    for row in picks.iter() {
                        if good.has(numbers.row(row)) != *turned {
                            kept.add(row);
                        }
                    }
                    Ok(kept)
                })
            }
            Condition::Row(expr) => rows(expr, found, asking, within),
        }
    }

    /// All records of a model that meet it.
    pub fn all<'a>(&self, asking: &Asking<'a>, model: ModelId) -> Result<Found<'a>> {
        let mut found = Found::all(asking.reader, model)?;
        let Which::Picks(within) = std::mem::replace(&mut found.which, Which::Places(Vec::new()))
        else {
            return Ok(found);
        };
        found.which = Which::Picks(self.select(&found, asking, within)?);
        Ok(found)
    }
}

fn kind(found: &Found<'_>, column: usize) -> Result<ColumnType> {
    let kinds = &found.reader.catalog.kept(found.model).columns;
    kinds
        .get(column)
        .copied()
        .ok_or_else(|| super::error::misuse("no such column"))
}

/// Evaluates a predicate record by record.
fn rows(
    expr: &Expr,
    found: &Found<'_>,
    asking: &Asking<'_>,
    within: Vec<Picks>,
) -> Result<Vec<Picks>> {
    let mut good = vec![Picks::NONE; within.len()];
    for (cluster, picks) in within.iter().enumerate() {
        for position in picks.iter() {
            let row = found.row(super::found::Place {
                cluster: cluster as u32,
                position: position as u32,
            });
            let scope = Scope::new(&row, asking.arguments, asking.hooks);
            let held = holds(&scope, expr).map_err(|error| asking.reader.fault.told(error))?;
            if held {
                good[cluster].add(position);
            }
        }
    }
    Ok(good)
}
