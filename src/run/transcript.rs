//! What a worker has told so far.

use crate::plan::Job;
use crate::sample::{FileSize, Message, StepSample};

/// What a worker has told so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// Its first message.
    pub ready: Option<Ready>,
    /// Indexes really there.
    pub indexes: Vec<String>,
    /// Counts of the setup steps that ended, in order.
    pub setup: Vec<u64>,
    /// Measured steps that ended, in order.
    pub steps: Vec<StepSample>,
    /// The step that began and has not ended.
    pub current: Option<String>,
    /// Files after close; `None` before the end.
    pub files: Option<Vec<FileSize>>,
    /// An error that the worker understood.
    pub failure: Option<Failure>,
}

/// [`Message::Ready`].
#[derive(Clone, Debug, PartialEq)]
pub struct Ready {
    /// Resident bytes before the engine was loaded.
    pub baseline_bytes: u64,
    /// Monotonic clock at the first engine call, ns.
    pub at_ns: u64,
    /// Name of the allocator.
    pub allocator: String,
}

/// [`Message::Failed`].
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Label of the step.
    pub step: String,
    /// Kind, as the contract names it.
    pub kind: String,
    /// In words.
    pub message: String,
    /// Place in the experiment.
    pub place: Option<(String, u32, u32)>,
}

impl Transcript {
    /// Takes a message over.
    ///
    /// # Errors
    /// In words, where it does not fit the job: a worker that says more than it
    /// was asked for is not to be trusted with the rest either.
    pub fn take(&mut self, message: Message, job: &Job) -> Result<(), String> {
        if self.files.is_some() {
            return Err("a message after the last".into());
        }
        match message {
            Message::Ready {
                baseline_bytes,
                at_ns,
                allocator,
                ..
            } => {
                self.ready = Some(Ready {
                    baseline_bytes,
                    at_ns,
                    allocator,
                });
            }
            Message::Indexes(indexes) => self.indexes = indexes,
            Message::Started { label, .. } => self.current = Some(label),
            Message::Prepared { label, count } => {
                expect_label(&job.setup, self.setup.len(), &label)?;
                self.setup.push(count);
                self.current = None;
            }
            Message::Finished(sample) => {
                expect_label(&job.steps, self.steps.len(), &sample.label)?;
                self.steps.push(*sample);
                self.current = None;
            }
            Message::Done { files } => {
                let missing = job.steps.get(self.steps.len());
                if let Some(step) = missing {
                    return Err(format!("the end before step `{}`", step.label));
                }
                self.files = Some(files);
                self.current = None;
            }
            Message::Failed {
                step,
                kind,
                message,
                place,
            } => {
                self.failure = Some(Failure {
                    step,
                    kind,
                    message,
                    place,
                });
            }
        }
        Ok(())
    }
}

fn expect_label(steps: &[crate::plan::Step], at: usize, label: &str) -> Result<(), String> {
    match steps.get(at) {
        Some(step) if step.label == label => Ok(()),
        Some(step) => Err(format!("step `{label}` in place of `{}`", step.label)),
        None => Err(format!("step `{label}` past the last")),
    }
}
