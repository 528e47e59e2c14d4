//! `trial "title" [as label] [for engine, …] { … }`.

use serde::Serialize;

use super::{Block, Expr, Ident, Step, Text, Trivia};
use crate::base::span::Span;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trial {
    pub title: Text,
    pub label: Option<Ident>,
    /// Engines it is limited to; empty means all.
    pub engines: Vec<Ident>,
    pub members: Block<TrialMember>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialMember {
    pub kind: TrialMemberKind,
    pub trivia: Trivia,
    pub span: Span,
}

// There are few of them in a file.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialMemberKind {
    /// `skip when condition`
    Skip {
        when: Expr,
    },
    /// `runs k when condition`
    Runs {
        runs: Expr,
        when: Option<Expr>,
    },
    Setup(Setup),
    Step(Step),
}

/// `setup { … }`: steps that are not measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setup {
    pub steps: Block<Step>,
    pub span: Span,
}

impl Trial {
    /// The measured steps.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.members.members.iter().filter_map(|m| match &m.kind {
            TrialMemberKind::Step(step) => Some(step),
            _ => None,
        })
    }

    pub fn setup(&self) -> Option<&Setup> {
        self.members.members.iter().find_map(|m| match &m.kind {
            TrialMemberKind::Setup(setup) => Some(setup),
            _ => None,
        })
    }
}
