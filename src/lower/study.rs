//! The whole plan.

use crate::check::model::{EngineDef, Experiment, TrialDef};
use crate::diagnostics::{Code, Diagnostic, did_you_mean_or_all};
use crate::plan::study::TrialTitle;
use crate::plan::{Job, PLAN_VERSION, Plan, Point, Study};

use super::fold::Names;
use super::job::Recipe;
use super::names::{NameSet, of_engine, of_model, of_trial};
use super::overrides::Overrides;
use super::quick::{self, Variables};
use super::{claims, engines, matrix, reach};

/// Cells beyond this are a mistake, not an experiment.
const MOST_CELLS: u64 = 1_000_000;

/// The plan of an experiment under these changes, or all that is wrong with it.
///
/// Errors are those that only a point or the command line shows: an unknown
/// name after `--set`, a negative limit at one size, nothing left to run.
pub fn lower(experiment: &Experiment, overrides: &Overrides) -> Result<Plan, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let variables = quick::variables(experiment, overrides)
        .map_err(|unknown| errors.extend(unknown))
        .ok();
    let chosen_engines = choose(
        &experiment.engines,
        |engine| &engine.label,
        overrides.engines.as_deref(),
        "--engine",
        "engine",
        &mut errors,
    );
    let chosen_trials = choose(
        &experiment.trials,
        |trial| &trial.label,
        overrides.trials.as_deref(),
        "--trial",
        "trial",
        &mut errors,
    );
    let Some(variables) = variables.filter(|_| errors.is_empty()) else {
        return Err(errors);
    };
    let params = matrix::params(&variables).map_err(|e| vec![e])?;
    let mut rows = Vec::new();
    for engine in &chosen_engines {
        match engines::row(engine, &params) {
            Ok(row) => rows.push(row),
            Err(error) => errors.push(error),
        }
    }
    let mut jobs = Vec::new();
    for trial in &chosen_trials {
        let made = trial_jobs(
            experiment,
            overrides,
            &variables,
            &params,
            &chosen_engines,
            trial,
        );
        match made {
            Ok(made) => jobs.extend(made),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    if jobs.is_empty() {
        return Err(vec![
            Diagnostic::general(Code::NothingToRun, "nothing is left to run")
                .help("an experiment needs at least one engine and one trial for it"),
        ]);
    }
    let cells: u64 = jobs.iter().map(|job| u64::from(job.runs)).sum();
    if cells > MOST_CELLS {
        return Err(vec![
            Diagnostic::general(
                Code::TooManyCells,
                format!("{cells} cells are more than {MOST_CELLS}"),
            )
            .help("shorten a sweep, ask for fewer runs, or narrow it with `--set`"),
        ]);
    }
    let facts = &experiment.facts;
    Ok(Plan {
        version: PLAN_VERSION,
        study: Study {
            title: facts.title.clone(),
            sources: facts.sources.clone(),
            about: facts.about.clone(),
            authors: facts.authors.clone(),
            seed: facts.seed,
            warmup: if overrides.quick { 0 } else { facts.warmup },
            interleaved: !facts.sequential,
            cold: facts.cold,
            tiers_mixed: facts.tiers_mixed,
            budget_ns: overrides.budget_ns.or(facts.budget_ns),
            limits: facts.limits,
            quick: overrides.quick,
            overrides: overrides.typed.clone(),
        },
        engines: rows,
        trials: chosen_trials
            .iter()
            .map(|trial| TrialTitle {
                label: trial.label.clone(),
                title: trial.title.clone(),
            })
            .collect(),
        pools: experiment.pools.clone(),
        hooks: experiment.hooks.clone(),
        jobs,
        claims: claims::close(&experiment.claims, &params),
    })
}

/// Jobs of one trial: points in the order of the axes, engines in turn within.
fn trial_jobs(
    experiment: &Experiment,
    overrides: &Overrides,
    variables: &Variables,
    params: &Names,
    chosen: &[&EngineDef],
    trial: &TrialDef,
) -> Result<Vec<Job>, Diagnostic> {
    let reached = reach::models(experiment, trial);
    let recipe = Recipe {
        experiment,
        overrides,
        trial,
        reached: &reached,
    };
    let mut shared = NameSet::new();
    of_trial(trial, &mut shared);
    for model in &reached {
        of_model(experiment, *model, &mut shared);
    }
    let mut by_point: Vec<(Point, Vec<Job>)> = Vec::new();
    for (position, engine) in chosen.iter().enumerate() {
        let wanted = trial.engines.as_ref();
        if wanted.is_some_and(|labels| !labels.contains(&engine.label)) {
            continue;
        }
        let mut named = shared.clone();
        of_engine(engine, &mut named);
        for (point, names) in matrix::points(variables, params, &named)? {
            let job = recipe.job(position, engine, point.clone(), &names)?;
            match by_point.iter_mut().find(|(other, _)| *other == point) {
                Some((_, jobs)) => jobs.push(job),
                None => by_point.push((point, vec![job])),
            }
        }
    }
    Ok(by_point.into_iter().flat_map(|(_, jobs)| jobs).collect())
}

/// What is wrong with the labels that a command line names.
pub fn unknown_labels(
    experiment: &Experiment,
    engines: &[String],
    trials: &[String],
) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let (all_engines, all_trials) = (&experiment.engines, &experiment.trials);
    choose(
        all_engines,
        |e| &e.label,
        Some(engines),
        "--engine",
        "engine",
        &mut errors,
    );
    choose(
        all_trials,
        |t| &t.label,
        Some(trials),
        "--trial",
        "trial",
        &mut errors,
    );
    errors
}

fn choose<'e, T>(
    all: &'e [T],
    label: impl Fn(&T) -> &String,
    wanted: Option<&[String]>,
    option: &str,
    what: &str,
    errors: &mut Vec<Diagnostic>,
) -> Vec<&'e T> {
    let Some(wanted) = wanted else {
        return all.iter().collect();
    };
    for name in wanted {
        if !all.iter().any(|each| label(each) == name) {
            errors.push(
                Diagnostic::general(
                    Code::UnknownOverride,
                    format!("`{option} {name}`: the file has no {what} labelled `{name}`"),
                )
                .maybe_help(did_you_mean_or_all(
                    name,
                    all.iter().map(|e| label(e).as_str()),
                )),
            );
        }
    }
    all.iter()
        .filter(|each| wanted.contains(label(each)))
        .collect()
}
