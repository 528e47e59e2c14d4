//! What makes a plan another one, in an author's words.

use std::collections::BTreeMap;

use super::differ;
use crate::plan::{Job, Plan};

/// Names of rows told at most.
const MOST: usize = 3;

/// How `here` differs from the plan that an archive holds.
pub fn words(there: &Plan, here: &Plan) -> Vec<String> {
    let mut told = Vec::new();
    let (old, new) = (&there.study, &here.study);
    if old.title != new.title {
        told.push(format!("that is `{}`, this is `{}`", old.title, new.title));
    }
    match (old.quick, new.quick) {
        (true, false) => told.push("that was a `--quick` run".into()),
        (false, true) => told.push("this is a `--quick` run".into()),
        _ => {}
    }
    if old.seed != new.seed {
        told.push(format!("seed {} there, {} here", old.seed, new.seed));
    }
    engines(there, here, &mut told);
    let (old, new) = (by_id(there), by_id(here));
    let only = |these: &BTreeMap<&str, &Job>, others: &BTreeMap<&str, &Job>| {
        let ids = these.keys().filter(|id| !others.contains_key(*id));
        some(ids.copied().collect())
    };
    if let Some(rows) = only(&old, &new) {
        told.push(format!("only there: {rows}"));
    }
    if let Some(rows) = only(&new, &old) {
        told.push(format!("only here: {rows}"));
    }
    let both = || {
        old.iter()
            .filter_map(|(id, job)| Some((*id, *job, *new.get(id)?)))
    };
    if let Some((id, job, now)) = both().find(|(_, job, now)| job.runs != now.runs) {
        told.push(format!(
            "runs of {id}: {} there, {} here",
            job.runs, now.runs
        ));
    }
    let changed = both().filter(|(_, job, now)| !alike(job, now));
    if let Some(rows) = some(changed.map(|(id, ..)| id).collect()) {
        told.push(format!("other steps, options or data in {rows}"));
    }
    if told.is_empty() {
        told = differ::differences(there, here, MOST);
    }
    told
}

fn engines(there: &Plan, here: &Plan, told: &mut Vec<String>) {
    for row in &there.engines {
        let Some(now) = here.engines.iter().find(|now| now.label == row.label) else {
            continue;
        };
        let label = &row.label;
        match (&row.missing, &now.missing) {
            (Some(_), None) => told.push(format!("`{label}` was not here then and is now")),
            (None, Some(_)) => told.push(format!("`{label}` was here then and is not now")),
            _ => {}
        }
        if let (Some(then), Some(now)) = (&row.version, &now.version)
            && then != now
        {
            told.push(format!("`{label}` was version {then} and is {now}"));
        }
    }
}

fn by_id(plan: &Plan) -> BTreeMap<&str, &Job> {
    plan.jobs.iter().map(|job| (job.id.as_str(), job)).collect()
}

/// Whether two jobs do the same, however often.
fn alike(job: &Job, now: &Job) -> bool {
    let then = Job {
        runs: now.runs,
        engine: now.engine,
        ..job.clone()
    };
    then == *now
}

/// The first of these names, if there are any.
fn some(names: Vec<&str>) -> Option<String> {
    let first = names.iter().take(MOST).map(|name| format!("`{name}`"));
    let first = first.collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(MOST) {
        _ if names.is_empty() => None,
        Some(more @ 1..) => Some(format!("{first} and {more} more")),
        _ => Some(first),
    }
}
