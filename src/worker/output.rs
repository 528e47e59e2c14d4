//! The way back to the supervisor.

use std::io::Write;

use super::failure::Failure;
use crate::plan::Step;
use crate::probe::monotonic_ns;
use crate::sample::{Message, write_frame};

/// Sends messages as frames, and knows which step is running.
pub struct Output<'a> {
    to: &'a mut dyn Write,
    step: String,
}

impl<'a> Output<'a> {
    /// Over this pipe; the store is being opened.
    pub fn new(to: &'a mut dyn Write) -> Output<'a> {
        Output {
            to,
            step: "open".to_owned(),
        }
    }

    /// Sends one message.
    pub fn send(&mut self, message: &Message) -> Result<(), Failure> {
        write_frame(self.to, message).map_err(Failure::Silenced)
    }

    /// A step begins.
    pub fn started(&mut self, step: &Step, setup: bool) -> Result<(), Failure> {
        self.step(&step.label);
        self.send(&Message::Started {
            label: step.label.clone(),
            setup,
            at_ns: monotonic_ns(),
        })
    }

    /// From here on errors belong to this step.
    pub fn step(&mut self, label: &str) {
        label.clone_into(&mut self.step);
    }

    /// The cell ended early, in the running step.
    pub fn failed(&mut self, failure: &Failure) -> Result<(), Failure> {
        let message = failure.message(&self.step);
        self.send(&message)
    }
}
