//! `[label:] verb …`.

use pest::iterators::Pair;

use super::Rule;
use super::block::Member;
use super::pairs::{Parts, misread};
use super::parser::{Built, Parser};
use super::starts::Members;
use crate::syntax::ast::{
    Assignment, Block, Compute, Count, Delete, Expr, ExprKind, Filter, OrderKey, Path, Read,
    RepeatBlock, Step, StepKind, Touching, TouchingKind, Transaction, TransactionKind, Trivia,
    Update, UpdateStyle,
};

impl<'t> Parser<'t> {
    /// The steps of a `setup` or a `repeat` block.
    pub fn steps(&mut self) -> Block<Step> {
        self.block(|parser, trivia, end| {
            let name = parser.step_name(parser.at);
            parser.member(
                Members::Steps,
                trivia,
                end,
                name,
                |parser, limit| parser.step(limit),
                |mut step, trivia, span| {
                    step.trivia = trivia;
                    step.span = span;
                    step
                },
            ) as Member<Step>
        })
    }

    pub fn step(&mut self, limit: usize) -> Built<Step> {
        let from = self.at;
        self.check_verb(from)?;
        let mut parts = Parts::of(self.piece(Rule::piece_step, limit)?);
        let label = match parts.take(Rule::label) {
            Some(label) => Some(self.label(label)?),
            None => None,
        };
        if let Some(label) = &label {
            self.check_case(label, "a step")?;
        }
        let action = parts.next(self)?;
        let verb = self.token_ident(if label.is_some() { from + 2 } else { from });
        let verb = verb.ok_or_else(|| misread(self, &action))?;
        let kind = self.action(action)?;
        Ok(Step {
            label,
            verb,
            kind,
            trivia: Trivia::default(),
            span: self.tokens_span(from, self.at),
        })
    }

    fn action(&mut self, pair: Pair<'t, Rule>) -> Built<StepKind> {
        let rule = pair.as_rule();
        let mut parts = Parts::of(pair);
        // The verb.
        parts.any();
        Ok(match rule {
            Rule::instantiate => {
                let count = self.amount(&mut parts)?;
                let model = self.path(parts.next(self)?);
                StepKind::Instantiate { count, model }
            }
            Rule::create => {
                let count = self.amount(&mut parts)?;
                let model = self.path(parts.next(self)?);
                let transaction = self.transaction(&mut parts)?;
                StepKind::Create {
                    count,
                    model,
                    transaction,
                }
            }
            Rule::upsert => {
                let count = self.amount(&mut parts)?;
                let model = self.path(parts.next(self)?);
                let transaction = self.transaction(&mut parts)?;
                StepKind::Upsert {
                    count,
                    model,
                    transaction,
                }
            }
            Rule::read => StepKind::Read(Box::new(self.read(&mut parts)?)),
            Rule::count => StepKind::Count(Box::new(self.count(&mut parts)?)),
            Rule::update => StepKind::Update(Box::new(self.update(&mut parts)?)),
            Rule::delete => StepKind::Delete(Box::new(self.delete(&mut parts)?)),
            Rule::repeat_block => StepKind::Repeat(Box::new(self.repeat_block(&mut parts)?)),
            Rule::storage => StepKind::Storage,
            Rule::compact => StepKind::Compact,
            Rule::checkpoint => StepKind::Checkpoint,
            Rule::close => StepKind::Close,
            Rule::open => StepKind::Open {
                cold: parts.skip(Rule::kw_cold),
            },
            Rule::reopen => StepKind::Reopen {
                cold: parts.skip(Rule::kw_cold),
            },
            _ => {
                let comparison = parts.next(self)?;
                StepKind::Expect(self.expr(comparison)?)
            }
        })
    }

    fn amount(&mut self, parts: &mut Parts<'t>) -> Built<Expr> {
        let amount = parts.next(self)?;
        let operation = Parts::of(amount).next(self)?;
        self.expr(operation)
    }

    fn read(&mut self, parts: &mut Parts<'t>) -> Built<Read> {
        Ok(Read {
            model: self.path(parts.next(self)?),
            filter: self.filter(parts)?,
            order: self.order_by(parts)?,
            limit: self.clause(parts, Rule::limit)?,
            offset: self.clause(parts, Rule::offset)?,
            touching: self.touching(parts)?,
            compute: self.compute(parts)?,
            transaction: self.transaction(parts)?,
            repeat: self.clause(parts, Rule::repeat)?,
        })
    }

    fn count(&mut self, parts: &mut Parts<'t>) -> Built<Count> {
        Ok(Count {
            model: self.path(parts.next(self)?),
            filter: self.filter(parts)?,
            per: match parts.take(Rule::per) {
                Some(per) => {
                    let mut parts = Parts::of(per);
                    parts.skip(Rule::kw_per);
                    Some(self.lower_path(parts.next(self)?)?)
                }
                None => None,
            },
            transaction: self.transaction(parts)?,
            repeat: self.clause(parts, Rule::repeat)?,
        })
    }

    fn update(&mut self, parts: &mut Parts<'t>) -> Built<Update> {
        Ok(Update {
            model: self.path(parts.next(self)?),
            filter: self.filter(parts)?,
            set: self.set(parts)?,
            transaction: self.transaction(parts)?,
            style: parts.take(Rule::by_style).map(|style| {
                let mut parts = Parts::of(style);
                parts.skip(Rule::kw_by);
                if parts.skip(Rule::kw_object) {
                    UpdateStyle::Object
                } else {
                    UpdateStyle::Statement
                }
            }),
            repeat: self.clause(parts, Rule::repeat)?,
        })
    }

    fn delete(&mut self, parts: &mut Parts<'t>) -> Built<Delete> {
        Ok(Delete {
            model: self.path(parts.next(self)?),
            filter: self.filter(parts)?,
            transaction: self.transaction(parts)?,
            repeat: self.clause(parts, Rule::repeat)?,
        })
    }

    fn repeat_block(&mut self, parts: &mut Parts<'t>) -> Built<RepeatBlock> {
        let times = parts.next(self)?;
        let times = self.expr(times)?;
        parts.skip(Rule::kw_with);
        let name = self.declared(parts.next(self)?, "a drawn record")?;
        parts.skip(Rule::kw_at);
        let at = parts.next(self)?;
        let at = self.place(at)?;
        let model = self.path(parts.next(self)?);
        let transaction = self.transaction(parts)?;
        Ok(RepeatBlock {
            times,
            name,
            at,
            model,
            transaction,
            steps: self.steps(),
        })
    }

    fn filter(&mut self, parts: &mut Parts<'t>) -> Built<Option<Filter>> {
        let Some(pair) = parts.take(Rule::filter) else {
            return Ok(None);
        };
        let span = self.span(&pair);
        let inner = Parts::of(pair).next(self)?;
        let rule = inner.as_rule();
        let mut parts = Parts::of(inner);
        parts.any();
        let first = parts.next(self)?;
        if rule == Rule::where_ {
            return Ok(Some(Filter::Where(self.expr(first)?)));
        }
        let field = self.lower_path(first)?;
        parts.skip(Rule::kw_at);
        let at = parts.next(self)?;
        Ok(Some(Filter::By {
            field,
            at: self.place(at)?,
            span,
        }))
    }

    /// `random`, `zipf(1.1)`, a sweep.
    fn place(&mut self, pair: Pair<'t, Rule>) -> Built<Expr> {
        let span = self.span(&pair);
        let inner = Parts::of(pair).next(self)?;
        let kind = match inner.as_rule() {
            Rule::call => self.call(inner)?,
            _ => ExprKind::Path(self.lower_path(inner)?),
        };
        Ok(Expr::new(kind, span))
    }

    fn order_by(&mut self, parts: &mut Parts<'t>) -> Built<Vec<OrderKey>> {
        let mut keys = Vec::new();
        if let Some(pair) = parts.take(Rule::order_by) {
            for part in pair.into_inner() {
                if part.as_rule() == Rule::order_key {
                    keys.push(self.order_key(part)?);
                }
            }
        }
        Ok(keys)
    }

    pub fn order_key(&mut self, pair: Pair<'t, Rule>) -> Built<OrderKey> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        Ok(OrderKey {
            field: self.lower_path(parts.next(self)?)?,
            descending: parts.skip(Rule::kw_desc),
            span,
        })
    }

    /// A clause of a word and an expression.
    fn clause(&mut self, parts: &mut Parts<'t>, rule: Rule) -> Built<Option<Expr>> {
        let Some(pair) = parts.take(rule) else {
            return Ok(None);
        };
        let mut parts = Parts::of(pair);
        parts.any();
        let expr = parts.next(self)?;
        self.expr(expr).map(Some)
    }

    fn touching(&mut self, parts: &mut Parts<'t>) -> Built<Option<Touching>> {
        let Some(pair) = parts.take(Rule::touching) else {
            return Ok(None);
        };
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        parts.any();
        let kind = match parts.peek() {
            Some(Rule::kw_keys) => TouchingKind::Keys,
            Some(Rule::kw_nothing) => TouchingKind::Nothing,
            _ => TouchingKind::Fields(self.paths(&mut parts)?),
        };
        Ok(Some(Touching { kind, span }))
    }

    pub fn paths(&mut self, parts: &mut Parts<'t>) -> Built<Vec<Path>> {
        let mut paths = Vec::new();
        while let Some(path) = parts.take(Rule::path) {
            paths.push(self.lower_path(path)?);
        }
        Ok(paths)
    }

    fn compute(&mut self, parts: &mut Parts<'t>) -> Built<Option<Compute>> {
        let Some(pair) = parts.take(Rule::compute) else {
            return Ok(None);
        };
        let mut parts = Parts::of(pair);
        parts.any();
        let function = parts.next(self)?;
        let mut span = self.span(&function);
        let function = self.lower_path(function)?;
        let args = match parts.take(Rule::computed) {
            Some(args) => {
                span = span.to(self.span(&args));
                self.exprs(&mut Parts::of(args))?
            }
            None => Vec::new(),
        };
        Ok(Some(Compute {
            function,
            args,
            span,
        }))
    }

    fn set(&mut self, parts: &mut Parts<'t>) -> Built<Vec<Assignment>> {
        let mut set = Vec::new();
        if let Some(pair) = parts.take(Rule::set) {
            for part in pair.into_inner() {
                if part.as_rule() == Rule::assignment {
                    set.push(self.assignment(part)?);
                }
            }
        }
        Ok(set)
    }

    fn assignment(&mut self, pair: Pair<'t, Rule>) -> Built<Assignment> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let field = self.lower_path(parts.next(self)?)?;
        parts.skip(Rule::assign);
        let value = parts.next(self)?;
        Ok(Assignment {
            field,
            value: self.expr(value)?,
            span,
        })
    }

    fn transaction(&mut self, parts: &mut Parts<'t>) -> Built<Option<Transaction>> {
        let Some(pair) = parts.take(Rule::transaction) else {
            return Ok(None);
        };
        let span = self.span(&pair);
        let inner = Parts::of(pair).next(self)?;
        let kind = match inner.as_rule() {
            Rule::one_transaction => TransactionKind::One,
            Rule::kw_autocommit => TransactionKind::Autocommit,
            _ => {
                let last = inner.clone().into_inner().last();
                let size = last.ok_or_else(|| misread(self, &inner))?;
                TransactionKind::Of(self.expr(size)?)
            }
        };
        Ok(Some(Transaction { kind, span }))
    }
}
