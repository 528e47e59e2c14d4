//! Pools: lists of values to draw from.

use super::checker::Checker;
use super::imports::UnitId;
use super::types::Type;
use crate::base::Value;
use crate::diagnostics::{Code, did_you_mean};
use crate::plan::Pool;
use crate::plan::generator::PoolId;
use crate::syntax::ast::{self, ExprKind, ItemKind, Number, PoolSource};

impl<'a> Checker<'a> {
    /// Checks that every pool has entries, all of one kind.
    pub fn check_pools(&mut self) {
        for (unit, item) in self.items() {
            if let ItemKind::Pool(pool) = &item.kind {
                self.entries(unit, pool, true);
            }
        }
    }

    /// Entries of a pool; findings only where they are asked for.
    fn entries(&mut self, unit: UnitId, pool: &'a ast::Pool, report: bool) -> Vec<Value> {
        let before = self.out.len();
        let values = match &pool.source {
            PoolSource::List(items) => {
                let mut values: Vec<Value> = Vec::with_capacity(items.len());
                for item in items {
                    let Some(value) = self.entry(item) else {
                        continue;
                    };
                    if let Some(first) = values.first()
                        && std::mem::discriminant(first) != std::mem::discriminant(&value)
                    {
                        self.error(
                            Code::WrongType,
                            item.span,
                            "the entries of a pool are all of one kind",
                        );
                        continue;
                    }
                    values.push(value);
                }
                values
            }
            PoolSource::File(path) => match self.units[unit].pools.get(&path.span) {
                Some(lines) => {
                    if lines.is_empty() {
                        self.error_help(
                            Code::BadRange,
                            path.span,
                            format!("`{}` has no entries", path.raw),
                            "one entry a line; empty lines are left out",
                        );
                    }
                    lines.iter().cloned().map(Value::Text).collect()
                }
                None => Vec::new(),
            },
        };
        if !report {
            self.out.truncate(before);
        }
        values
    }

    fn entry(&mut self, item: &'a ast::Expr) -> Option<Value> {
        let value = match &item.inner().kind {
            ExprKind::Text(text) => match text.plain() {
                Some(plain) => Some(Value::Text(plain.to_owned())),
                None => {
                    self.misplaced_fill(text);
                    return None;
                }
            },
            ExprKind::Bool(b) => Some(Value::Bool(*b)),
            ExprKind::Date(date) => Some(Value::Timestamp(date.unix_ms)),
            ExprKind::Number(number) => number_value(number.value),
            ExprKind::Unary { op, operand } if op.node == ast::UnaryOp::Neg => {
                match &operand.inner().kind {
                    ExprKind::Number(number) => match number_value(number.value) {
                        Some(Value::Int(i)) => Some(Value::Int(-i)),
                        Some(Value::Float(f)) => Some(Value::Float(-f)),
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        };
        if value.is_none() {
            self.error_help(
                Code::NotHere,
                item.span,
                "a pool holds values as written",
                "such as `pool colour = \"red\", \"green\"`",
            );
        }
        value
    }

    /// The pool of that name with the type of its entries, entered into the
    /// experiment. `None` where there is no such name at all, `Some(None)`
    /// where something is wrong with it and reported.
    pub fn find_pool(
        &mut self,
        path: &'a ast::Path,
        unit: UnitId,
    ) -> Option<Option<(PoolId, Type)>> {
        let (home, name) = match path.segments.as_slice() {
            [name] => (unit, name),
            [module, name] => match self.alias(unit, &module.name)? {
                Some(home) => (home, name),
                None => return Some(None),
            },
            _ => return None,
        };
        let Some(pool) = self.scopes[home].pools.get(name.name.as_str()).copied() else {
            if home == unit {
                return None;
            }
            self.missing_in_module(home, name, "pool");
            return Some(None);
        };
        Some(self.enter_pool(home, pool))
    }

    /// The same, with a report where there is no such name.
    pub fn pool_or_report(&mut self, path: &'a ast::Path, unit: UnitId) -> Option<(PoolId, Type)> {
        if let Some(found) = self.find_pool(path, unit) {
            return found;
        }
        let (home, name) = self.owner(path, unit)?;
        if !self.may_declare(home, &name.name) {
            let known = self.scopes[home].pools.keys().copied();
            let help = did_you_mean(&name.name, known);
            self.error_maybe(
                Code::UnknownName,
                name.span,
                format!("there is no pool `{path}`"),
                help,
            );
        }
        None
    }

    fn enter_pool(&mut self, unit: UnitId, pool: &'a ast::Pool) -> Option<(PoolId, Type)> {
        let id = match self.pool_ids.get(&pool.name.span) {
            Some(id) => *id,
            None => {
                let values = self.entries(unit, pool, false);
                let name = self.qualified(unit, &pool.name.name);
                self.exp.pools.push(Pool { name, values });
                let id = self.exp.pools.len() - 1;
                self.pool_ids.insert(pool.name.span, id);
                id
            }
        };
        let ty = match self.exp.pools[id].values.first()? {
            Value::Text(_) => Type::Text,
            Value::Int(_) => Type::Int,
            Value::Float(_) => Type::Float,
            Value::Bool(_) => Type::Bool,
            Value::Timestamp(_) => Type::Timestamp,
            _ => Type::Dynamic,
        };
        Some((id, ty))
    }

    /// Reports a name that a module does not have.
    pub fn missing_in_module(&mut self, home: UnitId, name: &ast::Ident, what: &str) {
        if self.may_declare(home, &name.name) {
            return;
        }
        let scope = &self.scopes[home];
        let names = scope
            .pools
            .keys()
            .chain(scope.hooks.keys())
            .chain(scope.enums.keys())
            .copied();
        let help = did_you_mean(&name.name, names).or_else(|| {
            let all: Vec<&str> = scope.pools.keys().copied().collect();
            (!all.is_empty()).then(|| format!("its pools are {}", all.join(", ")))
        });
        let module = self.units[home].prefix.clone();
        self.error_maybe(
            Code::UnknownName,
            name.span,
            format!("module `{module}` has no {what} `{name}`"),
            help,
        );
    }
}

fn number_value(number: Number) -> Option<Value> {
    match number {
        Number::Int(i) => Some(Value::Int(i)),
        Number::Float(f) | Number::Percent(f) => Some(Value::Float(f)),
        Number::Size(_) | Number::Duration(_) => None,
    }
}
