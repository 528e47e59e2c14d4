//! Answers against those of the oracle, or of the other engines where the
//! oracle could not answer.

use std::collections::BTreeMap;

use crate::archive::{Expected, Note};
use crate::plan::Job;
use crate::sample::{Answer, Outcome, StepSample, StepState};

/// The first step that differs from what is expected: its position, and how.
pub fn differs(steps: &[StepSample], expected: &Expected) -> Option<(usize, String)> {
    steps.iter().enumerate().find_map(|(at, step)| {
        if !answers(step) {
            return None;
        }
        let difference = step.answer.difference(expected.step(&step.label)?)?;
        Some((at, difference))
    })
}

/// Whether a step answers anything.
pub fn answers(step: &StepSample) -> bool {
    match step.state {
        StepState::Measured | StepState::Untimed => true,
        StepState::NotApplicable(_) | StepState::Expected { .. } => false,
    }
}

/// Outcome of a cell that ran to its end.
pub fn outcome(steps: &[StepSample], expected: &Expected) -> Outcome {
    if let Expected::Unchecked(reason) = expected {
        return Outcome::Unchecked(reason.clone());
    }
    match differs(steps, expected) {
        None => Outcome::Complete,
        Some((at, difference)) => Outcome::Void {
            step: steps[at].label.clone(),
            difference,
        },
    }
}

/// Of a cell that died: only the steps before the first that answered wrongly
/// count. Tells which that was.
pub fn trim(steps: &mut Vec<StepSample>, expected: &Expected) -> Option<String> {
    let (at, difference) = differs(steps, expected)?;
    let words = format!(
        "its step `{}` had answered wrongly before: {difference}",
        steps[at].label
    );
    steps.truncate(at);
    Some(words)
}

/// The first answers of each key that the oracle could not give.
#[derive(Debug, Default)]
pub struct Peers {
    first: BTreeMap<String, (String, Vec<(String, Answer)>)>,
}

impl Peers {
    /// Holds a cell against the first one of its answer key, and remembers it
    /// where it is the first itself.
    pub fn compare(&mut self, job: &Job, steps: &[StepSample]) -> Option<Note> {
        let Some((first, answered)) = self.first.get(&job.answer_key) else {
            let answered = steps
                .iter()
                .filter(|step| answers(step))
                .map(|step| (step.label.clone(), step.answer.clone()))
                .collect();
            self.first
                .insert(job.answer_key.clone(), (job.id.clone(), answered));
            return None;
        };
        let (step, difference) = steps.iter().filter(|step| answers(step)).find_map(|step| {
            let (_, theirs) = answered.iter().find(|(label, _)| *label == step.label)?;
            Some((&step.label, step.answer.difference(theirs)?))
        })?;
        Some(Note::Disagreement {
            first: first.clone(),
            other: job.id.clone(),
            step: step.clone(),
            difference,
        })
    }
}
