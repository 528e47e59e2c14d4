//! One step at one point.

use std::collections::BTreeSet;

use xxhash_rust::xxh3::xxh3_64;

use crate::base::Value;
use crate::check::model::{AccessDef, AtDef, ComputeDef, OpDef, StepDef, Touch, TransactionDef};
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::schema::{FieldKind, ModelId, Ownership, Schema};
use crate::plan::step::Operand;
use crate::plan::{Access, At, Compute, Expr, Op, Query, Request, Select, Step, Transaction};

use super::fold::{Names, close, quantity};
use super::schema::JobSchema;
use super::state::State;
use super::{columns, verify};

/// What steps are lowered with.
pub struct Context<'a> {
    /// The job's models.
    pub models: &'a JobSchema,
    /// Params and axes at this point.
    pub names: &'a Names,
    /// Label of the trial.
    pub trial: &'a str,
}

/// Lowers steps in order, carrying the state along.
pub fn lower_all(
    context: &Context<'_>,
    state: &mut State,
    steps: &[StepDef],
) -> Result<Vec<Step>, Diagnostic> {
    let lowered = steps.iter().map(|step| {
        context.step(state, step, 1).map_err(|mut diagnostic| {
            diagnostic.span.get_or_insert(step.span);
            diagnostic
        })
    });
    lowered.collect()
}

impl Context<'_> {
    fn schema(&self) -> &Schema {
        &self.models.schema
    }

    /// `passes` is 1, or the passes of the block around the step.
    fn step(&self, state: &mut State, step: &StepDef, passes: u64) -> Result<Step, Diagnostic> {
        state.steps += 1;
        let salt = xxh3_64(format!("{}.{}#{}", self.trial, step.label, state.steps).as_bytes());
        let mut depth = None;
        let (op, verify) = match &step.op {
            OpDef::Instantiate { model, count } => {
                let model = self.models.model(*model);
                let count = self.quantity(count, "the number of objects")?;
                let first_row = state.next_row[model];
                state.instantiated = Some((model, first_row, count));
                let op = Op::Instantiate {
                    model,
                    first_row,
                    count,
                };
                (op, Vec::new())
            }
            OpDef::Create {
                model,
                count,
                transaction,
            } => self.create(state, *model, count, transaction, passes)?,
            OpDef::Upsert {
                model,
                count,
                transaction,
            } => self.upsert(state, *model, count, transaction)?,
            OpDef::Read { touch, .. } => {
                depth = Some(depth_words(touch));
                self.read(state, &step.op, salt)?
            }
            OpDef::Count {
                model,
                filter,
                per,
                repeat,
            } => {
                let model = self.models.model(*model);
                let select = self.filter(filter.as_ref())?;
                let per = per.clone();
                let schema = &self.models.schema;
                let groups = |per| verify::groups(schema, model, &select, per);
                let verify = per.iter().map(groups).collect();
                let repeat = self.repeat(repeat.as_ref())?;
                let op = Op::Count {
                    model,
                    select,
                    per,
                    repeat,
                };
                (op, verify)
            }
            OpDef::Update {
                model,
                filter,
                access,
                set,
                by,
                transaction,
                repeat,
            } => {
                let model = self.models.model(*model);
                let (select, access) =
                    self.selection(state, model, filter.as_ref(), access.as_ref(), salt)?;
                let set = set
                    .iter()
                    .map(|(field, value)| Ok::<_, Diagnostic>((*field, close(value, self.names)?)));
                let op = Op::Update {
                    model,
                    select,
                    access,
                    set: set.collect::<Result<_, _>>()?,
                    by: *by,
                    transaction: self.transaction(transaction, repeat.is_some())?,
                    repeat: self.repeat(repeat.as_ref())?,
                };
                (op, verify::states(self.schema(), &BTreeSet::from([model])))
            }
            OpDef::Delete {
                model,
                filter,
                access,
                transaction,
                repeat,
            } => {
                let model = self.models.model(*model);
                let (select, access) =
                    self.selection(state, model, filter.as_ref(), access.as_ref(), salt)?;
                let op = Op::Delete {
                    model,
                    select,
                    access,
                    transaction: self.transaction(transaction, repeat.is_some())?,
                    repeat: self.repeat(repeat.as_ref())?,
                };
                let touched = verify::deleted_with(self.schema(), model);
                (op, verify::states(self.schema(), &touched))
            }
            OpDef::Block {
                repeat,
                model,
                at,
                binds,
                transaction,
                body,
            } => {
                let model = self.models.model(*model);
                let population = self.population(state, model, at)?;
                let passes = self.at_least_one(repeat, "`repeat`")?;
                let at = self.at(at)?;
                let body = body
                    .iter()
                    .map(|step| self.step(state, step, passes))
                    .collect::<Result<Vec<_>, _>>()?;
                let touched: Vec<Request> = merge(body.iter().filter(|s| changes(&s.op)));
                let op = Op::Block {
                    repeat: passes,
                    model,
                    at,
                    population,
                    salt,
                    binds: binds.clone(),
                    transaction: self.transaction(transaction, true)?,
                    body,
                };
                (op, touched)
            }
            OpDef::Storage => (Op::Storage, Vec::new()),
            OpDef::Compact => (Op::Compact, Vec::new()),
            OpDef::Checkpoint => (Op::Checkpoint, Vec::new()),
            OpDef::Open { cold } => (Op::Open { cold: *cold }, Vec::new()),
            OpDef::Close => (Op::Close, Vec::new()),
            OpDef::Reopen { cold } => (Op::Reopen { cold: *cold }, Vec::new()),
            OpDef::Expect { left, op, right } => {
                let op = Op::Expect {
                    left: self.operand(left)?,
                    op: *op,
                    right: self.operand(right)?,
                };
                (op, Vec::new())
            }
        };
        Ok(Step {
            label: step.label.clone(),
            op,
            verify,
            depth,
            text: step.text.clone(),
            file: step.file.clone(),
            line: step.line,
        })
    }

    fn create(
        &self,
        state: &mut State,
        model: ModelId,
        count: &Expr,
        transaction: &TransactionDef,
        passes: u64,
    ) -> Result<(Op, Vec<Request>), Diagnostic> {
        let model = self.models.model(model);
        let count = self.quantity(count, "the number of objects")?;
        let pools = state.missing_pools(self.schema(), model);
        let first_row = state.next_row[model];
        let instantiated = state.instantiated.take() == Some((model, first_row, count));
        let all = count.checked_mul(passes);
        let first_row = all
            .and_then(|all| state.create(self.schema(), model, all, &pools))
            .ok_or_else(|| {
                Diagnostic::general(Code::BadQuantity, "more objects than can be numbered")
            })?;
        let mut touched = verify::made_by(self.schema(), model);
        touched.extend(pools.iter().map(|(pool, _)| *pool));
        let op = Op::Create {
            model,
            first_row,
            count,
            pools,
            transaction: self.transaction(transaction, false)?,
            instantiated,
        };
        Ok((op, verify::states(self.schema(), &touched)))
    }

    fn upsert(
        &self,
        state: &mut State,
        model: ModelId,
        count: &Expr,
        transaction: &TransactionDef,
    ) -> Result<(Op, Vec<Request>), Diagnostic> {
        let model = self.models.model(model);
        let count = self.quantity(count, "the number of objects")?;
        state.generation[model] += 1;
        let new = count.saturating_sub(state.next_row[model]);
        let created = state.create(self.schema(), model, new, &[]);
        created.ok_or_else(|| {
            Diagnostic::general(Code::BadQuantity, "more objects than can be numbered")
        })?;
        let op = Op::Upsert {
            model,
            count,
            generation: state.generation[model],
            transaction: self.transaction(transaction, false)?,
        };
        Ok((op, verify::states(self.schema(), &BTreeSet::from([model]))))
    }

    fn read(&self, state: &State, op: &OpDef, salt: u64) -> Result<(Op, Vec<Request>), Diagnostic> {
        let OpDef::Read {
            model,
            filter,
            access,
            order,
            limit,
            offset,
            touch,
            compute,
            repeat,
        } = op
        else {
            return Err(Diagnostic::general(Code::BadPoint, "this is not a read"));
        };
        let model = self.models.model(*model);
        let (select, access) =
            self.selection(state, model, filter.as_ref(), access.as_ref(), salt)?;
        let bound = |bound: &Option<Expr>, what: &str| {
            let bound = bound.as_ref().map(|b| self.quantity(b, what));
            bound.transpose()
        };
        let compute = match compute {
            None => None,
            Some(ComputeDef::Aggregate { function, of }) => Some(Compute::Aggregate {
                function: *function,
                of: close(of, self.names)?,
            }),
            Some(ComputeDef::Hook { hook, args }) => Some(Compute::Hook {
                hook: *hook,
                args: args
                    .iter()
                    .map(|arg| close(arg, self.names))
                    .collect::<Result<_, _>>()?,
            }),
        };
        let query = Query {
            model,
            select,
            order: order.clone(),
            limit: bound(limit, "`limit`")?,
            offset: bound(offset, "`offset`")?.unwrap_or(0),
            columns: match &compute {
                None => columns::timed(self.schema(), model, touch),
                Some(Compute::Hook { .. }) => columns::for_hook(self.schema(), model, touch),
                Some(Compute::Aggregate { .. }) => Vec::new(),
            },
        };
        let spelled_out = columns::verifying(self.schema(), model, touch);
        let verify = vec![verify::read(&query, spelled_out)];
        let op = Op::Read {
            query,
            access,
            compute,
            repeat: self.repeat(repeat.as_ref())?,
        };
        Ok((op, verify))
    }

    fn selection(
        &self,
        state: &State,
        model: ModelId,
        filter: Option<&Expr>,
        access: Option<&AccessDef>,
        salt: u64,
    ) -> Result<(Select, Option<Access>), Diagnostic> {
        let Some(access) = access else {
            return Ok((self.filter(filter)?, None));
        };
        let population = self.population(state, model, &access.at)?;
        let access = Access {
            field: access.field,
            at: self.at(&access.at)?,
            population,
            salt,
        };
        Ok((Select::Point(access.field), Some(access)))
    }

    fn filter(&self, filter: Option<&Expr>) -> Result<Select, Diagnostic> {
        match filter {
            None => Ok(Select::All),
            Some(filter) => close(filter, self.names).map(Select::Where),
        }
    }

    /// Rows of `model` that a draw can pick: dense from 0.
    fn population(&self, state: &State, model: ModelId, at: &AtDef) -> Result<u64, Diagnostic> {
        let population = state.linkable[model];
        let missing = matches!(at, AtDef::Fixed(At::Missing));
        if population > 0 || missing {
            return Ok(population);
        }
        let name = &self.schema().models[model].name;
        let owned = self.schema().models.iter().any(|owner| {
            owner.fields.iter().any(|field| {
                matches!(
                    field.kind,
                    FieldKind::ToOne { target, ownership: Ownership::Owned { .. }, .. }
                    | FieldKind::ToMany { target, ownership: Ownership::Owned { .. }, .. }
                        if target == model
                )
            })
        });
        Err(Diagnostic::general(
            Code::BadPoint,
            format!("there is no {name} to draw from here"),
        )
        .help(if owned {
            "objects that others own are not drawn by row: draw an owner, or use `where`"
        } else {
            "create some in a step before this one"
        }))
    }

    fn at(&self, at: &AtDef) -> Result<At, Diagnostic> {
        match at {
            AtDef::Fixed(at) => Ok(*at),
            AtDef::Zipf(exponent) => match super::fold::fold(exponent, self.names)? {
                Value::Float(s) if s >= 0.0 && s.is_finite() => Ok(At::Zipf(s)),
                Value::Int(s) if s >= 0 => Ok(At::Zipf(s as f64)),
                other => Err(Diagnostic::general(
                    Code::BadQuantity,
                    format!(
                        "`zipf` takes a skew of 0 or more, not {}",
                        super::fold::words(&other)
                    ),
                )),
            },
            AtDef::Name(name) => match self.names.get(name) {
                Some(Value::Text(symbol)) => position(symbol).ok_or_else(|| {
                    Diagnostic::general(Code::BadPoint, format!("`{symbol}` is no position"))
                        .help("positions are first, middle, last, random, latest and missing")
                }),
                _ => Err(Diagnostic::general(
                    Code::BadPoint,
                    format!("`{name}` holds no position here"),
                )),
            },
        }
    }

    fn transaction(
        &self,
        transaction: &TransactionDef,
        repeated: bool,
    ) -> Result<Transaction, Diagnostic> {
        Ok(match transaction {
            TransactionDef::Unsaid if repeated => Transaction::Autocommit,
            TransactionDef::Unsaid | TransactionDef::One => Transaction::One,
            TransactionDef::Of(count) => {
                Transaction::Of(self.at_least_one(count, "`in transactions of`")?)
            }
            TransactionDef::Autocommit => Transaction::Autocommit,
        })
    }

    fn operand(&self, operand: &Operand) -> Result<Operand, Diagnostic> {
        Ok(match operand {
            Operand::Name(name) => {
                Operand::Literal(super::fold::fold(&Expr::Name(name.clone()), self.names)?)
            }
            Operand::Arith { op, left, right } => Operand::Arith {
                op: *op,
                left: Box::new(self.operand(left)?),
                right: Box::new(self.operand(right)?),
            },
            Operand::Literal(_) | Operand::Count(_) | Operand::Result(_) => operand.clone(),
        })
    }

    fn repeat(&self, repeat: Option<&Expr>) -> Result<u64, Diagnostic> {
        repeat.map_or(Ok(1), |repeat| self.at_least_one(repeat, "`repeat`"))
    }

    fn at_least_one(&self, expr: &Expr, what: &str) -> Result<u64, Diagnostic> {
        match self.quantity(expr, what)? {
            0 => Err(
                Diagnostic::general(Code::BadQuantity, format!("{what} is 0 here"))
                    .help("1 or more is meant"),
            ),
            some => Ok(some),
        }
    }

    fn quantity(&self, expr: &Expr, what: &str) -> Result<u64, Diagnostic> {
        quantity(expr, self.names, what)
    }
}

/// A position's symbol, where it takes no argument.
fn position(symbol: &str) -> Option<At> {
    Some(match symbol {
        "first" => At::First,
        "middle" => At::Middle,
        "last" => At::Last,
        "random" => At::Random,
        "latest" => At::Latest,
        "missing" => At::Missing,
        "zipf" => At::Zipf(1.0),
        _ => return None,
    })
}

fn changes(op: &Op) -> bool {
    matches!(
        op,
        Op::Create { .. } | Op::Upsert { .. } | Op::Update { .. } | Op::Delete { .. }
    )
}

fn merge<'s>(steps: impl Iterator<Item = &'s Step>) -> Vec<Request> {
    let mut all: Vec<Request> = Vec::new();
    for request in steps.flat_map(|step| &step.verify) {
        if !all.contains(request) {
            all.push(request.clone());
        }
    }
    all
}

fn depth_words(touch: &Touch) -> String {
    match touch {
        Touch::All => "all fields".into(),
        Touch::Keys => "keys".into(),
        Touch::Nothing => "nothing".into(),
        Touch::Paths(paths) => {
            let names: Vec<&str> = paths.iter().map(|path| path.text.as_str()).collect();
            names.join(", ")
        }
    }
}
