//! Counts and aggregates over objects, where no statement can say them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::context::Context;
use super::object::Object;
use super::seen::Seen;
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::{Aggregate, Expr, Path};
use crate::workload::compare::Ordered;
use crate::workload::eval::{EvalError, Scope, evaluate};
use crate::workload::sinks::deliver;
use crate::workload::{Aggregator, Sink};

impl Context {
    /// Delivers each value of a path with its number of objects.
    pub fn count_per(
        &self,
        objects: &[Rc<Object>],
        per: &Path,
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        let mut groups: BTreeMap<Ordered, i64> = BTreeMap::new();
        for object in objects {
            let outcome = Seen::of(self, Rc::clone(object))
                .and_then(|seen| seen.follow(&per.hops, &per.json));
            let value = self.evaluated(outcome)?;
            *groups.entry(Ordered(value)).or_default() += 1;
        }
        for (value, count) in &groups {
            let count = Cow::Owned(Value::Int(*count));
            deliver(sink, &[Cow::Borrowed(&value.0), count]);
        }
        Ok(groups.len() as u64)
    }

    /// Delivers one aggregated value.
    pub fn aggregate(
        &self,
        objects: &[Rc<Object>],
        function: Aggregate,
        of: &Expr,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        let mut aggregator = Aggregator::new(function);
        for object in objects {
            let outcome = self.add(&mut aggregator, object, of, arguments);
            self.evaluated(outcome)?;
        }
        let value = aggregator.finish()?;
        deliver(sink, &[Cow::Owned(value)]);
        Ok(objects.len() as u64)
    }

    fn add(
        &self,
        aggregator: &mut Aggregator,
        object: &Rc<Object>,
        of: &Expr,
        arguments: &[Value],
    ) -> Result<(), EvalError> {
        let seen = Seen::of(self, Rc::clone(object))?;
        let scope = Scope::new(&seen, arguments, &*self.hooks);
        aggregator.add(&*evaluate(&scope, of)?)
    }
}
