//! `repeat k with p at … { … }`: a block per drawn record.

use super::change::Change;
use super::create::store_pools;
use crate::base::Value;
use crate::engines::{Prepared, Session};
use crate::plan::schema::{FieldId, ModelId, Schema};
use crate::plan::{Access, At, CompareOp, Expr, Op, Path, Request, Select, Step, Transaction};
use crate::worker::arguments::{CHUNK, FIRST_CHUNK};
use crate::worker::batch::MAX_HEAP_BYTES;
use crate::worker::bench::Bench;
use crate::worker::done::Done;
use crate::worker::failure::Failure;
use crate::worker::grouping::Grouping;
use crate::worker::question::Question;
use crate::worker::weight::Weight;
use crate::workload::keys::bound;
use crate::workload::{HookRunner, Keys, NoSink, Record, Rows, Source};

/// The clauses of a block.
pub struct Block<'a> {
    /// Passes.
    pub repeat: u64,
    /// Model of the drawn record.
    pub model: ModelId,
    /// How it is drawn.
    pub at: At,
    /// Rows that can be drawn.
    pub population: u64,
    /// Keeps draws apart.
    pub salt: u64,
    /// Fields of the drawn record that are arguments.
    pub binds: &'a [FieldId],
    /// Passes per commit.
    pub transaction: Transaction,
    /// Steps of one pass.
    pub body: &'a [Step],
}

/// Runs the passes. What they store is generated, and what they draw is drawn,
/// outside the clock, for a chunk of passes at a time.
pub fn run(bench: &mut Bench<'_>, block: &Block<'_>) -> Result<Done, Failure> {
    let source = bench.source;
    let rows = Rows::new(source.seed(), block.salt, block.at, block.population);
    let mut parts = block
        .body
        .iter()
        .map(|step| Part::of(source, step, block.binds.len()))
        .collect::<Result<Vec<_>, _>>()?;
    let mut grouping = Grouping::new(block.transaction);
    let pools: Vec<_> = block.body.iter().flat_map(pools).copied().collect();
    let mut done = store_pools(bench, &pools, &mut grouping)?;
    done.operations = block.repeat;

    let mut drawn = Vec::new();
    let mut pass = 0;
    let session = bench.store.session()?;
    while pass < block.repeat {
        drawn.clear();
        parts.iter_mut().for_each(Part::clear);
        let most = if pass == 0 { FIRST_CHUNK } else { CHUNK };
        let mut weight = Weight::default();
        while (drawn.len() as u64) < most.min(block.repeat - pass)
            && weight.heap_bytes < MAX_HEAP_BYTES
        {
            let at = pass + drawn.len() as u64;
            drawn.push(block.draw(source, &rows, at)?);
            for part in &mut parts {
                weight += part.generate(source, at)?;
            }
        }
        done.harness_bytes = done.harness_bytes.max(weight.heap_bytes);
        done.stored += weight;
        let (count, hooks) = (&mut done.count, &*bench.hooks);
        bench.clock.window(|laps| {
            for (at, arguments) in drawn.iter_mut().enumerate() {
                grouping.enter(session)?;
                for part in &mut parts {
                    *count += part.run(session, hooks, at, arguments)?;
                }
                grouping.leave(session, 1)?;
                laps.lap();
            }
            Ok::<_, Failure>(())
        })?;
        pass += drawn.len() as u64;
    }
    bench.clock.window(|_| grouping.finish(session))?;
    parts.into_iter().for_each(|part| part.release(session));
    done.commits = grouping.commits();
    Ok(done)
}

fn pools(step: &Step) -> &[(ModelId, u64)] {
    match &step.op {
        Op::Create { pools, .. } => pools,
        _ => &[],
    }
}

impl Block<'_> {
    /// The arguments of a pass: the drawn record's fields that the body names.
    fn draw(&self, source: &Source, rows: &Rows, pass: u64) -> Result<Vec<Value>, Failure> {
        let row = rows
            .row(pass)
            .ok_or_else(|| Failure::Plan("a block needs records to draw from".into()))?;
        Ok(bound(source, self.model, row, self.binds)?)
    }
}

/// One step of the body, with what its passes of the running chunk need.
enum Part<'a> {
    Create {
        model: ModelId,
        first_row: u64,
        count: u64,
        records: Vec<Record>,
    },
    Ask {
        question: Question<'a>,
        keys: Turns<'a>,
    },
    Change {
        request: Request,
        prepared: Option<Prepared>,
        keys: Turns<'a>,
    },
}

/// Executions of one body step in one pass, with their keys.
struct Turns<'a> {
    keys: Option<Keys<'a>>,
    repeat: u64,
    drawn: Vec<Value>,
}

impl<'a> Part<'a> {
    fn of(source: &'a Source, step: &'a Step, binds: usize) -> Result<Part<'a>, Failure> {
        let schema = source.schema();
        let turns = |model, access: Option<&Access>, repeat| Turns {
            keys: access.map(|access| Keys::new(source, model, access)),
            repeat,
            drawn: Vec::new(),
        };
        match &step.op {
            Op::Create {
                model,
                first_row,
                count,
                ..
            } => Ok(Part::Create {
                model: *model,
                first_row: *first_row,
                count: *count,
                records: Vec::new(),
            }),
            Op::Update { .. } | Op::Delete { .. } => {
                let change = Change::of(&step.op)
                    .ok_or_else(|| Failure::Plan("this is no change".into()))?;
                let select = match change.access {
                    Some(access) => key_is(schema, change.model, access.field, binds),
                    None => change.select.clone(),
                };
                Ok(Part::Change {
                    request: change.request(select),
                    prepared: None,
                    keys: turns(change.model, change.access, change.repeat),
                })
            }
            Op::Read {
                query,
                access,
                repeat,
                ..
            } => {
                let mut question = ask(schema, &step.op)?;
                if let Some(access) = access {
                    question.select(key_is(schema, query.model, access.field, binds));
                }
                Ok(Part::Ask {
                    question,
                    keys: turns(query.model, access.as_ref(), *repeat),
                })
            }
            Op::Count { model, repeat, .. } => Ok(Part::Ask {
                question: ask(schema, &step.op)?,
                keys: turns(*model, None, *repeat),
            }),
            _ => Err(Failure::Plan(format!(
                "`{}` cannot stand inside a block",
                step.label
            ))),
        }
    }

    fn clear(&mut self) {
        match self {
            Part::Create { records, .. } => records.clear(),
            Part::Ask { keys, .. } | Part::Change { keys, .. } => keys.drawn.clear(),
        }
    }

    /// Generates what pass `pass` stores and draws.
    fn generate(&mut self, source: &Source, pass: u64) -> Result<Weight, Failure> {
        let mut weight = Weight::default();
        match self {
            Part::Create {
                model,
                first_row,
                count,
                records,
            } => {
                let first = *first_row + pass * *count;
                for row in first..first + *count {
                    let record = source.record(*model, row, 0)?;
                    weight += Weight::of(&record);
                    records.push(record);
                }
            }
            Part::Ask { keys, .. } | Part::Change { keys, .. } => {
                if let Some(draws) = &keys.keys {
                    for index in pass * keys.repeat..(pass + 1) * keys.repeat {
                        keys.drawn.push(draws.key(index)?);
                    }
                }
            }
        }
        Ok(weight)
    }

    /// Runs the part for the pass at `at` of the chunk, inside the clock;
    /// returns the records stored, delivered or matched.
    fn run(
        &mut self,
        session: &mut dyn Session,
        hooks: &dyn HookRunner,
        at: usize,
        arguments: &mut Vec<Value>,
    ) -> Result<u64, Failure> {
        match self {
            Part::Create {
                model,
                count,
                records,
                ..
            } => {
                let each = *count as usize;
                session.insert(*model, &records[at * each..(at + 1) * each])?;
                Ok(*count)
            }
            Part::Ask { question, keys } => keys.each(at, arguments, |arguments| {
                Ok(question.ask(session, hooks, arguments)?.0)
            }),
            Part::Change {
                request,
                prepared,
                keys,
            } => keys.each(at, arguments, |arguments| {
                let prepared = match *prepared {
                    Some(prepared) => prepared,
                    None => *prepared.insert(session.prepare(request)?),
                };
                Ok(session.execute(prepared, arguments, &mut NoSink)?)
            }),
        }
    }

    fn release(self, session: &mut dyn Session) {
        match self {
            Part::Ask { question, .. } => question.release(session),
            Part::Change {
                prepared: Some(prepared),
                ..
            } => session.release(prepared),
            Part::Create { .. } | Part::Change { prepared: None, .. } => {}
        }
    }
}

impl Turns<'_> {
    /// Executes `repeat` times; a key stands after the drawn record's fields.
    fn each(
        &mut self,
        at: usize,
        arguments: &mut Vec<Value>,
        mut execute: impl FnMut(&[Value]) -> Result<u64, Failure>,
    ) -> Result<u64, Failure> {
        let mut count = 0;
        for turn in 0..self.repeat as usize {
            if self.keys.is_some() {
                let key = &mut self.drawn[at * self.repeat as usize + turn];
                arguments.push(std::mem::replace(key, Value::Null));
                let executed = execute(arguments);
                arguments.pop();
                count += executed?;
            } else {
                count += execute(arguments)?;
            }
        }
        Ok(count)
    }
}

fn ask<'a>(schema: &Schema, op: &'a Op) -> Result<Question<'a>, Failure> {
    Question::of(schema, op)?.ok_or_else(|| Failure::Plan("this is no question".into()))
}

/// `field == argument`, the argument after those of the drawn record: argument
/// 0, which a point selection takes, belongs to that record here.
fn key_is(schema: &Schema, model: ModelId, field: FieldId, argument: usize) -> Select {
    Select::Where(Expr::Compare {
        op: CompareOp::Equal,
        left: Box::new(Expr::Path(Path::field(schema, model, field))),
        right: Box::new(Expr::Arg(argument)),
        ignoring_case: false,
    })
}
