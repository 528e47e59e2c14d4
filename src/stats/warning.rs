//! What a reader must know before believing a figure, as data.

use serde::{Deserialize, Serialize};

use crate::plan::Tier;

/// Something that limits what a figure means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Warning {
    /// The tool was built without optimisation.
    DebugBuild,
    /// Too few runs for an interval: a range, and every claim undecided.
    FewRuns {
        /// The fewest counted runs.
        runs: u32,
    },
    /// A step found no record.
    MatchedNothing,
    /// The timed window is hardly longer than the clock can tell.
    NearClockResolution {
        /// Length of one window, ns.
        window_ns: f64,
    },
    /// Rows of one comparison promise different things about a commit.
    MixedTiers {
        /// The tiers, ascending.
        tiers: Vec<Tier>,
    },
    /// Rows of one comparison were asked to keep, or do keep, different indexes.
    UnequalIndexes {
        /// Indexes that only some rows have.
        indexes: Vec<String>,
    },
    /// A cold read found pages still in memory.
    NotCold {
        /// Largest share resident, 0 to 1.
        resident: f64,
    },
    /// Probes of the disk before and after differ too much.
    NoisyDisk {
        /// The larger over the smaller.
        factor: f64,
    },
    /// Earlier writes were still under way when a cell began.
    Residue {
        /// Dirty bytes.
        bytes: u64,
    },
    /// The oracle could not answer.
    Unchecked {
        /// Why.
        reason: String,
    },
    /// An answer differed from the oracle's: no times.
    Void {
        /// How.
        difference: String,
    },
    /// Some runs of a row ended early, others did not.
    Died {
        /// The cause of the last.
        cause: String,
        /// Runs that ended early.
        runs: u32,
    },
    /// An `expect` did not hold.
    ExpectFailed {
        /// Both sides in words.
        text: String,
    },
    /// The harness's own time is a notable part.
    HarnessShare {
        /// Largest share, 0 to 1.
        share: f64,
    },
    /// Too few samples to split memory into its parts.
    FewMemorySamples {
        /// The fewest samples.
        samples: u32,
    },
    /// A row is a model of an engine, not the engine.
    Modelled,
    /// Times rise or fall over the rounds.
    Drift {
        /// Kendall's rank correlation with the round, -1 to 1.
        tau: f64,
    },
    /// Some runs are far from the others; they count all the same.
    Outliers {
        /// Most of them in one row.
        runs: u32,
    },
}

/// A warning with what it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What.
    pub warning: Warning,
    /// Label of the trial; the whole run where absent.
    pub trial: Option<String>,
    /// Label of the step, where it is about one.
    pub step: Option<String>,
    /// Positions of the jobs in the plan; empty for the whole run.
    pub jobs: Vec<usize>,
}

impl Warning {
    /// Whether this and another are of one kind, and could be said in one sentence.
    fn alike(&self, other: &Warning) -> bool {
        match (self, other) {
            (Warning::Void { difference: a }, Warning::Void { difference: b }) => a == b,
            (Warning::Unchecked { reason: a }, Warning::Unchecked { reason: b }) => a == b,
            (Warning::Died { cause: a, .. }, Warning::Died { cause: b, .. }) => a == b,
            (Warning::ExpectFailed { text: a }, Warning::ExpectFailed { text: b }) => a == b,
            (Warning::MixedTiers { tiers: a }, Warning::MixedTiers { tiers: b }) => a == b,
            (Warning::UnequalIndexes { indexes: a }, Warning::UnequalIndexes { indexes: b }) => {
                a == b
            }
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// Takes the worse figures of the two.
    fn absorb(&mut self, other: &Warning) {
        match (self, other) {
            (Warning::FewRuns { runs: a }, Warning::FewRuns { runs: b }) => *a = (*a).min(*b),
            (
                Warning::NearClockResolution { window_ns: a },
                Warning::NearClockResolution { window_ns: b },
            ) => *a = a.min(*b),
            (Warning::NotCold { resident: a }, Warning::NotCold { resident: b }) => *a = a.max(*b),
            (Warning::NoisyDisk { factor: a }, Warning::NoisyDisk { factor: b }) => *a = a.max(*b),
            (Warning::Residue { bytes: a }, Warning::Residue { bytes: b }) => *a = (*a).max(*b),
            (Warning::Died { runs: a, .. }, Warning::Died { runs: b, .. }) => *a += b,
            (Warning::HarnessShare { share: a }, Warning::HarnessShare { share: b }) => {
                *a = a.max(*b);
            }
            (
                Warning::FewMemorySamples { samples: a },
                Warning::FewMemorySamples { samples: b },
            ) => *a = (*a).min(*b),
            (Warning::Drift { tau: a }, Warning::Drift { tau: b }) if b.abs() > a.abs() => *a = *b,
            (Warning::Outliers { runs: a }, Warning::Outliers { runs: b }) => *a = (*a).max(*b),
            _ => {}
        }
    }
}

/// Findings of one kind about one trial and step become one, over all their jobs.
pub fn merge(findings: Vec<Finding>) -> Vec<Finding> {
    let mut merged: Vec<Finding> = Vec::new();
    for finding in findings {
        let same = merged.iter_mut().find(|m| {
            m.trial == finding.trial && m.step == finding.step && m.warning.alike(&finding.warning)
        });
        match same {
            Some(same) => {
                same.warning.absorb(&finding.warning);
                for job in finding.jobs {
                    if !same.jobs.contains(&job) {
                        same.jobs.push(job);
                    }
                }
            }
            None => merged.push(finding),
        }
    }
    merged
}
