//! Visiting and rewriting expressions, once for every room.

use super::expr::Expr;
use super::generator::{Generator, TemplatePart};

impl Expr {
    /// Calls `visit` on this expression and on every one inside it, outermost first.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        self.for_each_child(&mut |child| child.walk(visit));
    }

    /// Calls `visit` on the expressions directly inside this one.
    pub fn for_each_child(&self, visit: &mut dyn FnMut(&Expr)) {
        match self {
            Expr::Literal(_)
            | Expr::Name(_)
            | Expr::Path(_)
            | Expr::It
            | Expr::Arg(_)
            | Expr::Row
            | Expr::IsEmpty(_) => {}
            Expr::Generate(generator) => generator.for_each_child(visit),
            Expr::Neg(inner) | Expr::Not(inner) | Expr::IsNull(inner) => visit(inner),
            Expr::Arith { left, right, .. } | Expr::Compare { left, right, .. } => {
                visit(left);
                visit(right);
            }
            Expr::And(all) | Expr::Or(all) => all.iter().for_each(visit),
            Expr::In { needle, among, .. } => {
                visit(needle);
                among.iter().for_each(visit);
            }
            Expr::Between { value, low, high } => {
                visit(value);
                visit(low);
                visit(high);
            }
            Expr::TextMatch { value, pattern, .. } => {
                visit(value);
                visit(pattern);
            }
            Expr::Quantified { predicate, .. } => visit(predicate),
            Expr::CountOf { predicate, .. } => {
                if let Some(predicate) = predicate {
                    visit(predicate);
                }
            }
            Expr::Hook { args, .. } => args.iter().for_each(visit),
            Expr::If {
                condition,
                then,
                otherwise,
            } => {
                visit(condition);
                visit(then);
                visit(otherwise);
            }
        }
    }

    /// The same expression with `change` applied to each one inside it and
    /// then to itself: innermost first. The first error ends it.
    pub fn try_map<E>(&self, change: &dyn Fn(Expr) -> Result<Expr, E>) -> Result<Expr, E> {
        let one = |inner: &Expr| inner.try_map(change).map(Box::new);
        let many = |all: &[Expr]| -> Result<Vec<Expr>, E> {
            all.iter().map(|inner| inner.try_map(change)).collect()
        };
        let mapped = match self {
            Expr::Literal(_)
            | Expr::Name(_)
            | Expr::Path(_)
            | Expr::It
            | Expr::Arg(_)
            | Expr::Row
            | Expr::IsEmpty(_) => self.clone(),
            Expr::Generate(generator) => Expr::Generate(Box::new(generator.try_map(change)?)),
            Expr::Neg(inner) => Expr::Neg(one(inner)?),
            Expr::Not(inner) => Expr::Not(one(inner)?),
            Expr::IsNull(inner) => Expr::IsNull(one(inner)?),
            Expr::Arith { op, left, right } => Expr::Arith {
                op: *op,
                left: one(left)?,
                right: one(right)?,
            },
            Expr::Compare {
                op,
                left,
                right,
                ignoring_case,
            } => Expr::Compare {
                op: *op,
                left: one(left)?,
                right: one(right)?,
                ignoring_case: *ignoring_case,
            },
            Expr::And(all) => Expr::And(many(all)?),
            Expr::Or(all) => Expr::Or(many(all)?),
            Expr::In {
                needle,
                among,
                ignoring_case,
            } => Expr::In {
                needle: one(needle)?,
                among: many(among)?,
                ignoring_case: *ignoring_case,
            },
            Expr::Between { value, low, high } => Expr::Between {
                value: one(value)?,
                low: one(low)?,
                high: one(high)?,
            },
            Expr::TextMatch {
                op,
                value,
                pattern,
                ignoring_case,
            } => Expr::TextMatch {
                op: *op,
                value: one(value)?,
                pattern: one(pattern)?,
                ignoring_case: *ignoring_case,
            },
            Expr::Quantified {
                quantifier,
                over,
                predicate,
            } => Expr::Quantified {
                quantifier: *quantifier,
                over: over.clone(),
                predicate: one(predicate)?,
            },
            Expr::CountOf { over, predicate } => Expr::CountOf {
                over: over.clone(),
                predicate: predicate.as_deref().map(one).transpose()?,
            },
            Expr::Hook {
                hook,
                args,
                with_record,
            } => Expr::Hook {
                hook: *hook,
                args: many(args)?,
                with_record: *with_record,
            },
            Expr::If {
                condition,
                then,
                otherwise,
            } => Expr::If {
                condition: one(condition)?,
                then: one(then)?,
                otherwise: one(otherwise)?,
            },
        };
        change(mapped)
    }
}

impl Generator {
    /// Calls `visit` on the expressions directly inside this draw.
    pub fn for_each_child(&self, visit: &mut dyn FnMut(&Expr)) {
        match self {
            Generator::Weighted(_) | Generator::Cycle(_) | Generator::Pool(_) | Generator::Uuid => {
            }
            Generator::Uniform { low, high } => both(visit, low, high),
            Generator::Normal { mean, deviation } => both(visit, mean, deviation),
            Generator::Zipf { n, exponent } => both(visit, n, exponent),
            Generator::Pick(all) => all.iter().for_each(visit),
            Generator::Chance(one) | Generator::Shared { pool: one } => visit(one),
            Generator::Shuffled { of, .. } => visit(of),
            Generator::At { row, .. } => visit(row),
            Generator::Sequence { start, low, high } => {
                visit(start);
                both(visit, low, high);
            }
            Generator::Text { min, max }
            | Generator::Paragraph { min, max }
            | Generator::Bytes { min, max }
            | Generator::Owned { min, max } => both(visit, min, max),
            Generator::List { min, max, item } => {
                both(visit, min, max);
                visit(item);
            }
            Generator::Timestamp { from, to } => both(visit, from, to),
            Generator::Template(parts) => {
                for part in parts {
                    if let TemplatePart::Value(value) = part {
                        visit(value);
                    }
                }
            }
            Generator::Json(members) => members.iter().for_each(|(_, value)| visit(value)),
            Generator::Among {
                min, max, exponent, ..
            } => {
                both(visit, min, max);
                if let Some(exponent) = exponent {
                    visit(exponent);
                }
            }
        }
    }

    /// See [`Expr::try_map`].
    pub fn try_map<E>(&self, change: &dyn Fn(Expr) -> Result<Expr, E>) -> Result<Generator, E> {
        let one = |inner: &Expr| inner.try_map(change);
        Ok(match self {
            Generator::Weighted(_) | Generator::Cycle(_) | Generator::Pool(_) | Generator::Uuid => {
                self.clone()
            }
            Generator::Uniform { low, high } => Generator::Uniform {
                low: one(low)?,
                high: one(high)?,
            },
            Generator::Normal { mean, deviation } => Generator::Normal {
                mean: one(mean)?,
                deviation: one(deviation)?,
            },
            Generator::Zipf { n, exponent } => Generator::Zipf {
                n: one(n)?,
                exponent: one(exponent)?,
            },
            Generator::Pick(all) => Generator::Pick(all.iter().map(one).collect::<Result<_, E>>()?),
            Generator::Chance(probability) => Generator::Chance(one(probability)?),
            Generator::Sequence { start, low, high } => Generator::Sequence {
                start: one(start)?,
                low: one(low)?,
                high: one(high)?,
            },
            Generator::Shuffled { of, domain } => Generator::Shuffled {
                of: one(of)?,
                domain: *domain,
            },
            Generator::Text { min, max } => Generator::Text {
                min: one(min)?,
                max: one(max)?,
            },
            Generator::Paragraph { min, max } => Generator::Paragraph {
                min: one(min)?,
                max: one(max)?,
            },
            Generator::Bytes { min, max } => Generator::Bytes {
                min: one(min)?,
                max: one(max)?,
            },
            Generator::List { min, max, item } => Generator::List {
                min: one(min)?,
                max: one(max)?,
                item: one(item)?,
            },
            Generator::Timestamp { from, to } => Generator::Timestamp {
                from: one(from)?,
                to: one(to)?,
            },
            Generator::Template(parts) => Generator::Template(
                parts
                    .iter()
                    .map(|part| {
                        Ok(match part {
                            TemplatePart::Text(text) => TemplatePart::Text(text.clone()),
                            TemplatePart::Value(value) => TemplatePart::Value(one(value)?),
                        })
                    })
                    .collect::<Result<_, E>>()?,
            ),
            Generator::Json(members) => Generator::Json(
                members
                    .iter()
                    .map(|(name, value)| Ok((name.clone(), one(value)?)))
                    .collect::<Result<_, E>>()?,
            ),
            Generator::Owned { min, max } => Generator::Owned {
                min: one(min)?,
                max: one(max)?,
            },
            Generator::Shared { pool } => Generator::Shared { pool: one(pool)? },
            Generator::Among {
                model,
                min,
                max,
                exponent,
            } => Generator::Among {
                model: *model,
                min: one(min)?,
                max: one(max)?,
                exponent: exponent.as_ref().map(one).transpose()?,
            },
            Generator::At { model, row } => Generator::At {
                model: *model,
                row: one(row)?,
            },
        })
    }
}

fn both(visit: &mut dyn FnMut(&Expr), first: &Expr, second: &Expr) {
    visit(first);
    visit(second);
}
