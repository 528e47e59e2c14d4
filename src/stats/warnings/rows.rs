//! What differs between the rows of one comparison: one trial, one point on
//! the axes that do not belong to the engines' own options.

use std::collections::BTreeSet;

use crate::plan::{Job, Plan, Tier};
use crate::stats::group::JobRuns;
use crate::stats::warning::{Finding, Warning};

pub(super) fn find(plan: &Plan, jobs: &[JobRuns<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for comparison in comparisons(plan, jobs) {
        if !plan.study.tiers_mixed {
            findings.extend(mixed_tiers(plan, &comparison));
        }
        findings.extend(unequal_indexes(plan, &comparison));
    }
    findings
}

/// Jobs that were run and are compared with each other: same trial, same size.
fn comparisons<'j, 'a>(plan: &Plan, jobs: &'j [JobRuns<'a>]) -> Vec<Vec<&'j JobRuns<'a>>> {
    let mut found: Vec<Vec<&JobRuns<'a>>> = Vec::new();
    for runs in jobs.iter().filter(|runs| !runs.records.is_empty()) {
        let job = &plan.jobs[runs.job];
        let same = found.iter_mut().find(|group| {
            let first = &plan.jobs[group[0].job];
            first.trial == job.trial && first.size == job.size
        });
        match same {
            Some(group) => group.push(runs),
            None => found.push(vec![runs]),
        }
    }
    found
}

fn mixed_tiers(plan: &Plan, rows: &[&JobRuns<'_>]) -> Option<Finding> {
    let tiers: BTreeSet<Tier> = rows
        .iter()
        .filter_map(|runs| plan.jobs[runs.job].tier)
        .collect();
    (tiers.len() > 1).then(|| Finding {
        warning: Warning::MixedTiers {
            tiers: tiers.into_iter().collect(),
        },
        trial: Some(plan.jobs[rows[0].job].trial.clone()),
        step: None,
        jobs: rows.iter().map(|runs| runs.job).collect(),
    })
}

/// Rows of different engines at one point must keep the same indexes; rows
/// that differ by an axis differ because the author said so.
fn unequal_indexes(plan: &Plan, rows: &[&JobRuns<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (at, runs) in rows.iter().enumerate() {
        let job = &plan.jobs[runs.job];
        let peers: Vec<&&JobRuns<'_>> = rows
            .iter()
            .filter(|other| plan.jobs[other.job].point == job.point)
            .collect();
        // Each set of peers once, from its first.
        if peers.len() < 2 || peers[0].job != rows[at].job {
            continue;
        }
        let kept: Vec<BTreeSet<String>> = peers
            .iter()
            .map(|peer| kept(&plan.jobs[peer.job], peer))
            .collect();
        let all: BTreeSet<&String> = kept.iter().flatten().collect();
        let partial: Vec<String> = all
            .into_iter()
            .filter(|index| kept.iter().any(|set| !set.contains(*index)))
            .cloned()
            .collect();
        if !partial.is_empty() {
            findings.push(Finding {
                warning: Warning::UnequalIndexes { indexes: partial },
                trial: Some(job.trial.clone()),
                step: None,
                jobs: peers.iter().map(|peer| peer.job).collect(),
            });
        }
    }
    findings
}

/// Names of the indexes asked for that the engine really reports. Its
/// automatic ones are shown, not compared: every engine has its own.
fn kept(job: &Job, runs: &JobRuns<'_>) -> BTreeSet<String> {
    let reported: Vec<&String> = runs.records.iter().flat_map(|r| &r.indexes).collect();
    job.schema
        .models
        .iter()
        .flat_map(|model| &model.indexes)
        .filter(|index| reported.iter().any(|words| words.contains(&index.name)))
        .map(|index| index.name.clone())
        .collect()
}
