//! `trial "title" [as label] [for engine, …] { … }`.

use super::Rule;
use super::block::Member;
use super::pairs::Parts;
use super::parser::{Built, Parser};
use super::starts::Members;
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{Ident, Setup, Trial, TrialMember, TrialMemberKind, Trivia};

/// How far a trial has come: `skip`, then `runs`, then `setup`, then steps.
#[derive(Default)]
struct Progress {
    stage: u8,
    /// The member that reached the stage, and how to call it.
    last: Option<(Span, &'static str)>,
}

impl<'t> Parser<'t> {
    pub fn trial_item(&mut self, limit: usize) -> Built<Trial> {
        let from = self.at;
        let mut parts = Parts::of(self.piece(Rule::piece_trial, limit)?);
        parts.skip(Rule::kw_trial);
        let title = parts.next(self)?;
        let title = self.text(title)?;
        let label = self.alias(&mut parts, "a trial")?;
        let engines = match parts.take(Rule::only_for) {
            Some(pair) => {
                let mut parts = Parts::of(pair);
                parts.skip(Rule::kw_for);
                let mut engines = Vec::new();
                while let Some(name) = parts.take(Rule::name) {
                    engines.push(self.declared(name, "an engine")?);
                }
                engines
            }
            None => Vec::new(),
        };
        let mut progress = Progress::default();
        let members = self.block(|parser, trivia, end| {
            let member = parser.trial_member(trivia, end);
            if let Member::Read(member) = &member {
                parser.check_order(&mut progress, member);
            }
            member
        });
        Ok(Trial {
            title,
            label,
            engines,
            members,
            span: self.tokens_span(from, self.at),
        })
    }

    fn trial_member(&mut self, trivia: Trivia, end: usize) -> Member<TrialMember> {
        let from = self.at;
        let name = self.step_name(from);
        let member = self.member(
            Members::Steps,
            trivia,
            end,
            name,
            |parser, limit| match parser.token_text(from) {
                _ if parser.is_label(from) => parser.step(limit).map(TrialMemberKind::Step),
                "skip" => parser.skip(limit),
                "runs" => parser.runs(limit),
                "setup" => parser.setup(limit),
                _ => parser.step(limit).map(TrialMemberKind::Step),
            },
            |kind, trivia, span| TrialMember { kind, trivia, span },
        );
        match (member, self.token_text(from)) {
            // These declare no name.
            (Member::Broken(_), "skip" | "runs" | "setup") if !self.is_label(from) => {
                Member::Nothing
            }
            (member, _) => member,
        }
    }

    /// The name that a step goes by: its label, or else its verb.
    pub fn step_name(&self, from: usize) -> Option<Ident> {
        self.token_ident(from)
    }

    fn skip(&mut self, limit: usize) -> Built<TrialMemberKind> {
        let mut parts = Parts::of(self.piece(Rule::piece_skip, limit)?);
        parts.skip(Rule::kw_skip);
        parts.skip(Rule::kw_when);
        let when = parts.next(self)?;
        Ok(TrialMemberKind::Skip {
            when: self.expr(when)?,
        })
    }

    fn runs(&mut self, limit: usize) -> Built<TrialMemberKind> {
        let mut parts = Parts::of(self.piece(Rule::piece_runs, limit)?);
        parts.skip(Rule::kw_runs);
        let runs = parts.next(self)?;
        let runs = self.expr(runs)?;
        let when = if parts.skip(Rule::kw_when) {
            let when = parts.next(self)?;
            Some(self.expr(when)?)
        } else {
            None
        };
        Ok(TrialMemberKind::Runs { runs, when })
    }

    fn setup(&mut self, limit: usize) -> Built<TrialMemberKind> {
        let from = self.at;
        self.piece(Rule::piece_setup, limit)?;
        let steps = self.steps();
        let span = self.tokens_span(from, self.at);
        Ok(TrialMemberKind::Setup(Setup { steps, span }))
    }

    fn check_order(&mut self, progress: &mut Progress, member: &TrialMember) {
        let (stage, what) = match &member.kind {
            TrialMemberKind::Skip { .. } => (0, "skip"),
            TrialMemberKind::Runs { .. } => (1, "runs"),
            TrialMemberKind::Setup(_) => (2, "setup"),
            TrialMemberKind::Step(_) => (3, "step"),
        };
        let span = Span::new(
            self.file,
            member.span.start,
            member.span.start + what.len() as u32,
        );
        let twice = stage == 2 && progress.stage == 2;
        if stage >= progress.stage && !twice {
            if stage > progress.stage || progress.last.is_none() {
                let name = if stage == 3 { "the first step" } else { what };
                progress.last = Some((member.span, name));
            }
            progress.stage = stage;
            return;
        }
        let message = if twice {
            "a trial has one `setup`".to_owned()
        } else {
            format!("`{what}` stands too late in this trial")
        };
        let mut diagnostic = Diagnostic::error(Code::TrialOrder, span, message)
            .help("a trial begins with `skip`, then `runs`, then one `setup`; its steps follow");
        if let Some((place, name)) = progress.last {
            let words = if twice {
                "the first one".to_owned()
            } else if name == "the first step" {
                "the first step stands here".to_owned()
            } else {
                format!("`{name}` stands here")
            };
            diagnostic = diagnostic.related(place, words);
        }
        self.error(diagnostic);
    }
}
