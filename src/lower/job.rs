//! One job: an engine and a trial at a point.

use std::collections::BTreeSet;

use crate::base::Value;
use crate::check::model::{EngineDef, Experiment, TrialDef};
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::schema::ModelId;
use crate::plan::{Job, Point};

use super::answer_key::answer_key;
use super::engines;
use super::fold::{Names, holds, words};
use super::overrides::Overrides;
use super::schema::JobSchema;
use super::state::State;
use super::steps::{Context, lower_all};

/// Runs where nobody said how many: 10, fewer at sizes that take minutes.
const RUNS: u32 = 10;
/// Runs of a quick look.
const QUICK_RUNS: u32 = 3;

/// What all jobs of a trial share.
pub struct Recipe<'a> {
    /// The checked experiment.
    pub experiment: &'a Experiment,
    /// Changes from the command line.
    pub overrides: &'a Overrides,
    /// The trial.
    pub trial: &'a TrialDef,
    /// Models that it reaches.
    pub reached: &'a BTreeSet<ModelId>,
}

impl Recipe<'_> {
    /// The job of one engine at one point.
    pub fn job(
        &self,
        position: usize,
        engine: &EngineDef,
        point: Point,
        names: &Names,
    ) -> Result<Job, Diagnostic> {
        self.assemble(position, engine, &point, names)
            .map_err(|mut diagnostic| {
                if !point.is_empty() {
                    diagnostic.message = format!("{} (at {})", diagnostic.message, at(&point));
                }
                diagnostic
            })
    }

    fn assemble(
        &self,
        position: usize,
        engine: &EngineDef,
        point: &Point,
        names: &Names,
    ) -> Result<Job, Diagnostic> {
        let mut names = names.clone();
        names.insert("engine".into(), Value::Text(engine.label.clone()));
        let options = engines::options_at(engine, &names)?;
        let mut id = format!("{}/{}", engine.label, self.trial.label);
        if !point.is_empty() {
            id = format!("{id}/{}", at(point));
        }
        let mut skipped = None;
        for (when, text) in &self.trial.skips {
            if holds(when, &names)? {
                skipped = Some(text.clone());
                break;
            }
        }
        let mut models = JobSchema::at(self.experiment, self.reached, &names)?;
        let mut state = State::new(&models.schema);
        let (mut setup, mut steps) = (Vec::new(), Vec::new());
        // A point that is left out need not make sense.
        if skipped.is_none() {
            let context = Context {
                models: &models,
                names: &names,
                trial: &self.trial.label,
            };
            setup = lower_all(&context, &mut state, &self.trial.setup)?;
            steps = lower_all(&context, &mut state, &self.trial.steps)?;
        }
        models.fill_domains(&state.next_row)?;
        let mut job = Job {
            id,
            engine: position,
            tier: engines::tier(engine, &options),
            options,
            trial: self.trial.label.clone(),
            point: point.clone(),
            size: state.top_level,
            runs: self.runs(&names, state.top_level)?,
            skipped,
            schema: models.schema,
            generators: models.generators,
            extents: state.extents,
            setup,
            steps,
            answer_key: String::new(),
        };
        job.answer_key = answer_key(
            self.experiment.facts.seed,
            &job,
            &self.experiment.pools,
            &self.experiment.hooks,
        );
        Ok(job)
    }

    fn runs(&self, names: &Names, size: u64) -> Result<u32, Diagnostic> {
        if let Some(runs) = self.overrides.runs {
            return positive(runs);
        }
        let mut runs = self.experiment.facts.runs.unwrap_or(match size {
            10_000_000.. => 1,
            1_000_000.. => 3,
            _ => RUNS,
        });
        for (written, when) in &self.trial.runs {
            if when.as_ref().map_or(Ok(true), |when| holds(when, names))? {
                runs = *written;
                break;
            }
        }
        if self.overrides.quick {
            runs = runs.min(QUICK_RUNS);
        }
        positive(runs)
    }
}

fn positive(runs: u32) -> Result<u32, Diagnostic> {
    if runs == 0 {
        return Err(
            Diagnostic::general(Code::BadQuantity, "`runs` is 0 here").help("1 or more is meant")
        );
    }
    Ok(runs)
}

/// `n=1000,batch=10`
fn at(point: &Point) -> String {
    let parts: Vec<String> = point
        .iter()
        .map(|(axis, value)| format!("{axis}={}", words(value)))
        .collect();
    parts.join(",")
}
