//! A whole file.

use serde::Serialize;

use super::{
    Broken, Claim, Comment, Engine, EnumItem, Experiment, Hook, Model, Param, Pool, Preset, Sweep,
    Trial, Trivia, Use,
};
use crate::base::span::{FileId, Span};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct File {
    pub id: FileId,
    pub items: Vec<Item>,
    /// Items that did not parse; each has its diagnostic already.
    pub broken: Vec<Broken>,
    /// Comments after the last item.
    pub closing: Vec<Comment>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Item {
    pub kind: ItemKind,
    pub trivia: Trivia,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    Use(Use),
    Experiment(Experiment),
    Model(Model),
    Enum(EnumItem),
    Pool(Pool),
    Hook(Hook),
    Engine(Engine),
    Preset(Preset),
    Param(Param),
    Sweep(Sweep),
    Trial(Trial),
    Claim(Claim),
}

impl ItemKind {
    /// The keywords that begin an item.
    pub const KEYWORDS: &[&str] = &[
        "use",
        "experiment",
        "model",
        "enum",
        "pool",
        "hook",
        "engine",
        "preset",
        "param",
        "sweep",
        "trial",
        "claim",
    ];
}

impl File {
    /// Whether `name` may have been declared by an item that did not parse:
    /// then it must not be reported as unknown.
    pub fn may_declare(&self, name: &str) -> bool {
        super::trivia::may_declare(&self.broken, name)
    }
}
