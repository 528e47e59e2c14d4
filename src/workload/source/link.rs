//! Links and owned objects.

use std::collections::HashSet;

use super::field::Draw;
use crate::plan::schema::{ModelId, Ownership};
use crate::plan::{Expr, Generator};
use crate::workload::eval::{EvalError, evaluate, holds};
use crate::workload::{Content, Target};

impl Draw<'_> {
    /// The content of a to-one field.
    pub(super) fn to_one(
        &self,
        expr: &Expr,
        target: ModelId,
        ownership: Ownership,
    ) -> Result<Content, EvalError> {
        match self.chosen(expr)? {
            None => Ok(match ownership {
                Ownership::Owned { .. } => Content::Children(Vec::new()),
                _ => Content::Link(None),
            }),
            Some(Generator::Owned { .. }) => self.children(target, 1, 1),
            Some(other) => {
                let row = self.rows(other, target)?.first().copied();
                let link = row.map(|row| self.target(target, row)).transpose()?;
                Ok(Content::Link(link))
            }
        }
    }

    /// The content of a to-many field.
    pub(super) fn to_many(
        &self,
        expr: &Expr,
        target: ModelId,
        ownership: Ownership,
    ) -> Result<Content, EvalError> {
        match (self.chosen(expr)?, ownership) {
            (None, Ownership::Owned { .. }) => Ok(Content::Children(Vec::new())),
            (None, _) => Ok(Content::Links(Vec::new())),
            (Some(Generator::Owned { min, max }), Ownership::Owned { max: most }) => {
                let count = self.length(min, max)?;
                if count > most {
                    return Err(EvalError::wrong("more children than the model declares"));
                }
                self.children(target, count, most)
            }
            (Some(other), _) => self
                .rows(other, target)?
                .into_iter()
                .map(|row| self.target(target, row))
                .collect::<Result<_, _>>()
                .map(Content::Links),
        }
    }

    /// The generator that the conditions around it lead to; `None` for null.
    fn chosen<'e>(&self, expr: &'e Expr) -> Result<Option<&'e Generator>, EvalError> {
        match expr {
            Expr::Generate(generator) => Ok(Some(generator)),
            Expr::If {
                condition,
                then,
                otherwise,
            } => self.chosen(if holds(self, condition)? {
                then
            } else {
                otherwise
            }),
            other if evaluate(self, other)?.is_null() => Ok(None),
            _ => Err(EvalError::wrong("a value where a link is asked for")),
        }
    }

    fn children(&self, target: ModelId, count: u64, most: u64) -> Result<Content, EvalError> {
        let first = self.row.checked_mul(most).ok_or(EvalError::Overflow)?;
        (0..count)
            .map(|position| {
                self.source
                    .record(target, first + position, self.generation)
                    .map_err(|error| error.cause)
            })
            .collect::<Result<_, _>>()
            .map(Content::Children)
    }

    fn target(&self, model: ModelId, row: u64) -> Result<Target, EvalError> {
        let key = self.source.schema.models[model].key;
        Ok(Target {
            row,
            key: key
                .map(|field| self.source.first_value(model, field, row))
                .transpose()?,
        })
    }

    /// Rows that a link generator chooses; distinct.
    fn rows(&self, generator: &Generator, target: ModelId) -> Result<Vec<u64>, EvalError> {
        match generator {
            Generator::Shared { pool } => {
                let pool = u64::try_from(self.int(pool)?).unwrap_or(0);
                if pool == 0 {
                    return Err(EvalError::Draw("a shared pool of none".into()));
                }
                Ok(vec![self.below(pool)])
            }
            Generator::At { row, .. } => {
                let row = self.int(row)?;
                u64::try_from(row)
                    .map(|row| vec![row])
                    .map_err(|_| EvalError::Draw(format!("no object has row {row}")))
            }
            Generator::Among {
                min, max, exponent, ..
            } => {
                let population = self.existing(target)?;
                let (min, max) = (self.int(min)?, self.int(max)?);
                if min < 0 || min > max || min as u64 > population {
                    return Err(EvalError::Draw(format!(
                        "{min}..{max} of {population} objects"
                    )));
                }
                let max = population.min(max as u64);
                let count = min as u64 + self.below_or_none(max - min as u64);
                match exponent {
                    None => Ok(self.distinct(population, count)),
                    Some(exponent) => {
                        let exponent = self.float(exponent)?;
                        Ok(self.distinct_skewed(population, count, exponent))
                    }
                }
            }
            _ => Err(EvalError::wrong("a value where a link is asked for")),
        }
    }

    fn existing(&self, target: ModelId) -> Result<u64, EvalError> {
        self.source
            .population(self.model, self.row, target)
            .ok_or_else(|| EvalError::wrong("a row that no step makes"))
    }

    /// One of `0..=span`; a span of 0 draws nothing.
    fn below_or_none(&self, span: u64) -> u64 {
        if span == 0 { 0 } else { self.below(span + 1) }
    }

    /// `count` distinct rows of `0..population`, every set as likely as any
    /// other (R. Floyd, in J. Bentley, "Programming pearls: a sample of
    /// brilliance", CACM 30, 1987).
    fn distinct(&self, population: u64, count: u64) -> Vec<u64> {
        let mut chosen = Chosen::new(count);
        for top in population - count..population {
            let row = self.below(top + 1);
            if !chosen.add(row) {
                chosen.add(top);
            }
        }
        chosen.rows
    }

    /// `count` distinct rows, low ones more often. After many draws of rows
    /// that are taken already, the next free row is taken instead.
    fn distinct_skewed(&self, population: u64, count: u64, exponent: f64) -> Vec<u64> {
        let mut chosen = Chosen::new(count);
        for _ in 0..count {
            let mut row = self.rank(population, exponent) - 1;
            let mut tries = 0;
            while !chosen.add(row) {
                tries += 1;
                row = if tries < 32 {
                    self.rank(population, exponent) - 1
                } else {
                    (row + 1) % population
                };
            }
        }
        chosen.rows
    }
}

/// Rows in the order drawn, with a set beside them where there are many.
struct Chosen {
    rows: Vec<u64>,
    seen: Option<HashSet<u64>>,
}

impl Chosen {
    fn new(count: u64) -> Self {
        Chosen {
            rows: Vec::with_capacity(count as usize),
            seen: (count > 32).then(HashSet::new),
        }
    }

    /// Adds a row; false if it is there already.
    fn add(&mut self, row: u64) -> bool {
        let new = match &mut self.seen {
            Some(seen) => seen.insert(row),
            None => !self.rows.contains(&row),
        };
        if new {
            self.rows.push(row);
        }
        new
    }
}
