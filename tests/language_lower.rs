//! From checked model to plan, recorded: jobs, steps, verifying questions,
//! claims, and the order of cells.

use std::path::Path;

use persist_lab::check::{Disk, check};
use persist_lab::lower::{Overrides, lower};
use persist_lab::plan::{Plan, order};

fn plan(file: &str, overrides: &Overrides) -> Plan {
    // Tests run in the crate's own folder: relative, so that the place does not matter.
    let checked = check(Path::new(file), &Disk);
    let experiment = checked.experiment.expect("checks");
    let mut plan = lower(&experiment, overrides).expect("lowers");
    // Versions come and go, and pools are the standard library's own matter.
    for engine in &mut plan.engines {
        engine.version = engine.version.take().map(|_| "[version]".into());
    }
    for pool in &mut plan.pools {
        pool.values.truncate(1);
    }
    plan
}

fn quick(trial: &str) -> Overrides {
    Overrides {
        quick: true,
        trials: Some(vec![trial.into()]),
        ..Overrides::default()
    }
}

#[test]
fn a_plan_has_everything_closed() {
    let mut plan = plan("experiments/shop.exp", &quick("day"));
    plan.jobs.truncate(1);
    plan.jobs[0].answer_key = "[key]".into();
    insta::assert_json_snapshot!(plan);
}

#[test]
fn points_are_those_that_a_trial_names() {
    let ids = |file: &str, trial: &str| -> Vec<String> {
        let plan = plan(file, &quick(trial));
        let job = |job: &persist_lab::plan::Job| format!("{} ({} runs)", job.id, job.runs);
        plan.jobs.iter().map(job).collect()
    };
    insta::assert_json_snapshot!([
        ids("experiments/mobile_storage_showdown.exp", "bulk"),
        ids("experiments/mobile_storage_showdown.exp", "settings"),
        ids("experiments/realm_objectbox_sqlite.exp", "lookup"),
        ids("experiments/tuning.exp", "notes"),
    ]);
}

#[test]
fn jobs_that_differ_only_in_how_they_store_share_their_answers() {
    let plan = plan("experiments/tuning.exp", &quick("notes"));
    let mut keys: Vec<&str> = plan
        .jobs
        .iter()
        .map(|job| job.answer_key.as_str())
        .collect();
    assert_eq!(keys.len(), 48);
    keys.dedup();
    assert_eq!(keys.len(), 1);
}

#[test]
fn cells_come_small_ones_first_and_in_seeded_rounds() {
    let plan = plan(
        "experiments/realm_vs_swiftdata.exp",
        &Overrides {
            engines: Some(vec!["sqlite".into()]),
            ..quick("simple")
        },
    );
    let sizes: Vec<u64> = order::cells(&plan)
        .iter()
        .map(|cell| plan.jobs[cell.job].size)
        .collect();
    assert_eq!(sizes.len(), 9);
    assert!(sizes.is_sorted());
    let all = order::cells(&self::plan("experiments/tuning.exp", &quick("notes")));
    let again = order::cells(&self::plan("experiments/tuning.exp", &quick("notes")));
    assert_eq!(all, again, "the order is a function of the plan");
    let first: Vec<usize> = all.iter().take(48).map(|cell| cell.job).collect();
    let mut sorted = first.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..48).collect::<Vec<_>>(), "each job once a round");
    assert_ne!(first, sorted, "engines take turns in a random order");
}
