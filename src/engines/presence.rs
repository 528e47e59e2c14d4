//! Whether an engine can run on this machine.

/// Whether an engine can run on this machine, and how to make it so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It can.
    Here,
    /// `engines install` brings it; how, in words.
    NotInstalled(String),
    /// It cannot run here; why, in words.
    NotHere(String),
}

impl Presence {
    /// Why it cannot run; `None` where it can.
    pub fn missing(self) -> Option<String> {
        match self {
            Presence::Here => None,
            Presence::NotInstalled(how) | Presence::NotHere(how) => Some(how),
        }
    }
}
