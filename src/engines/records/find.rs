//! Finding the records that a request is about.

use super::block::{Block, FEWEST, Found, MOST};
use super::program::{Program, selection};
use super::reader::Reader;
use super::view::Seen;
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{CompareOp, Expr, Select};
use crate::workload::HookRunner;
use crate::workload::compare::compare_values;
use crate::workload::eval::{EvalError, Scope, holds};

/// One execution of a request.
pub struct Asking<'a> {
    pub reader: &'a Reader<'a>,
    pub program: &'a Program,
    pub arguments: &'a [Value],
    pub hooks: &'a dyn HookRunner,
}

/// Takes a record that was selected; false ends the search.
pub type Take<'t> = dyn FnMut(Found<'_>) -> Result<bool, EngineError> + 't;

/// What a candidate must fulfil.
enum Test<'a> {
    Nothing,
    Equal(FieldId, &'a Value),
    Holds(&'a Expr),
}

impl<'a> Asking<'a> {
    /// The model asked about.
    pub fn model(&self) -> ModelId {
        selection(&self.program.request).0
    }

    /// Hands over every record selected, with the fields of
    /// [`Program::both`] decoded.
    pub fn find(&self, block: &mut Block, take: &mut Take<'_>) -> Result<(), EngineError> {
        let (model, select) = selection(&self.program.request);
        let test = self.test(model, select)?;
        block.clear();
        let mut key = Vec::new();
        match self.sought(model, select, &mut key)? {
            Sought::None => return Ok(()),
            Sought::Key => {
                block.push_with(&key, |into| self.reader.get(model, &key, into))?;
                self.settle(model, &test, block, take)?;
            }
            Sought::Any => {
                let (mut on, mut most) = (true, FEWEST);
                self.reader.scan(model, &mut |key, value| {
                    block.push(key, value);
                    if block.len() == most {
                        on = self.settle(model, &test, block, take)?;
                        block.clear();
                        most = (most * 4).min(MOST);
                    }
                    Ok(on)
                })?;
                if on {
                    self.settle(model, &test, block, take)?;
                }
            }
        }
        Ok(())
    }

    /// Tests the candidates of a block and hands over those that pass.
    fn settle(
        &self,
        model: ModelId,
        test: &Test<'_>,
        block: &mut Block,
        take: &mut Take<'_>,
    ) -> Result<bool, EngineError> {
        let program = self.program;
        block.decode_all(self.reader, model, &program.first)?;
        for at in 0..block.len() {
            let found = block.get(at);
            let passes = match test {
                Test::Nothing => true,
                Test::Equal(field, value) => found.row.get(*field).is_some_and(|own| {
                    !own.is_null() && !value.is_null() && compare_values(own, value).is_eq()
                }),
                Test::Holds(predicate) => {
                    let seen = self.seen(found, &program.first);
                    holds(&Scope::new(&seen, self.arguments, self.hooks), predicate)
                        .map_err(|error| self.told(error))?
                }
            };
            if passes {
                block.selected.push(at);
            }
        }
        block.decode_selected(self.reader, model, &program.then)?;
        for at in &block.selected {
            if !take(block.get(*at))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A record as expressions see it.
    pub fn seen<'s>(&'s self, found: Found<'s>, decoded: &'s super::fields::Fields) -> Seen<'s> {
        Seen {
            reader: self.reader,
            model: self.model(),
            key: found.key,
            row: found.row,
            decoded,
        }
    }

    /// The error behind the end of an evaluation.
    pub fn told(&self, error: EvalError) -> EngineError {
        self.reader.told(error)
    }

    fn test(&self, model: ModelId, select: &'a Select) -> Result<Test<'a>, EngineError> {
        Ok(match select {
            Select::Where(predicate) => Test::Holds(predicate),
            Select::Point(field) if self.key(model) != Some(*field) => {
                Test::Equal(*field, self.argument()?)
            }
            Select::All | Select::Point(_) | Select::Identity => Test::Nothing,
        })
    }

    /// The only key that can be the one, where the selection asks for one.
    fn sought(
        &self,
        model: ModelId,
        select: &Select,
        key: &mut Vec<u8>,
    ) -> Result<Sought, EngineError> {
        let value = match select {
            Select::Identity => Some(self.argument()?),
            Select::Point(field) if self.key(model) == Some(*field) => Some(self.argument()?),
            Select::Where(predicate) => self
                .key(model)
                .and_then(|field| asked_for(predicate, field))
                .and_then(|asked| match asked {
                    Expr::Literal(value) => Some(value),
                    Expr::Arg(at) => self.arguments.get(*at),
                    _ => None,
                }),
            Select::All | Select::Point(_) => None,
        };
        Ok(match value {
            None => Sought::Any,
            Some(value) if self.reader.layouts[model].key.write(value, key) => Sought::Key,
            Some(_) => Sought::None,
        })
    }

    fn key(&self, model: ModelId) -> Option<FieldId> {
        self.reader.schema.models.get(model)?.key
    }

    fn argument(&self) -> Result<&'a Value, EngineError> {
        self.arguments
            .first()
            .ok_or_else(|| EngineError::new(ErrorKind::Other, "argument 0 is not bound"))
    }
}

enum Sought {
    /// Any record may be selected.
    Any,
    /// The one under the key that was written.
    Key,
    /// None can be.
    None,
}

/// What the key must equal for the predicate to hold.
pub(super) fn asked_for(predicate: &Expr, key: FieldId) -> Option<&Expr> {
    let is_key =
        |expr: &Expr| matches!(expr, Expr::Path(p) if p.hops == [key] && p.json.is_empty());
    match predicate {
        Expr::And(all) => all.iter().find_map(|each| asked_for(each, key)),
        Expr::Compare {
            op: CompareOp::Equal,
            left,
            right,
            ignoring_case: false,
        } => {
            if is_key(left) {
                Some(right)
            } else if is_key(right) {
                Some(left)
            } else {
                None
            }
        }
        _ => None,
    }
}
