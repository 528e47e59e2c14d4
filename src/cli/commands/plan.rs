//! `plan FILE`: what would run.

use super::prepare::Experiment;
use crate::base::units::{format_count, format_duration, format_size};
use crate::cli::args::PlanArgs;
use crate::cli::exit::Exit;
use crate::cli::output;
use crate::lower::{self, Explained};
use crate::plan::{Job, Plan};
use crate::report::terminal::wrap;
use crate::report::words::{tier_long, value_words};
use crate::sample::Native;

pub(super) fn plan(args: &PlanArgs) -> Exit {
    let prepared = Experiment::check(&args.file).and_then(|checked| checked.lower(&args.changes));
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(exit) => return exit,
    };
    output::data(&view(&prepared.plan, output::table_style().width));
    Exit::Good
}

fn view(plan: &Plan, width: usize) -> String {
    let mut out = String::new();
    wrap(&plan.study.title, 0, width, &mut out);
    totals(plan, width, &mut out);
    out.push_str("\nEngines\n");
    for engine in &plan.engines {
        let words = match (&engine.missing, &engine.version) {
            (Some(how), _) => how.clone(),
            (None, version) => format!(
                "{} {}{}",
                engine.kind,
                version.as_deref().unwrap_or(""),
                engine.tier.map_or_else(String::new, |t| format!(
                    ", {}",
                    tier_long(t, engine.tested)
                ))
            ),
        };
        let fidelity = format!("{:?}", engine.fidelity).to_lowercase();
        wrap(
            &format!("  {} ({fidelity}): {words}", engine.label),
            4,
            width,
            &mut out,
        );
    }
    for trial in &plan.trials {
        let jobs: Vec<&Job> = plan
            .jobs
            .iter()
            .filter(|j| j.trial == trial.label)
            .collect();
        out.push('\n');
        wrap(
            &format!("{} — {}", trial.label, trial.title),
            2,
            width,
            &mut out,
        );
        points(plan, &jobs, width, &mut out);
        steps(plan, &jobs, width, &mut out);
    }
    out
}

fn totals(plan: &Plan, width: usize, out: &mut String) {
    let total = lower::estimate(plan);
    let low = format_duration(total.low_ns as u64);
    let high = format_duration(total.high_ns as u64);
    let time = if low == high {
        low
    } else {
        format!("{low} on a quiet, fast disk, {high} on a slow or busy one")
    };
    let mut text = format!(
        "{} cells: about {time}; the largest store about {}",
        format_count(total.cells),
        format_size(total.disk_bytes)
    );
    if let Some(budget) = plan.study.budget_ns {
        text.push_str(&format!(
            "; the budget is {}, small sizes first",
            format_duration(budget)
        ));
    }
    wrap(&text, 2, width, out);
    if plan.study.warmup > 0 {
        wrap(
            &format!("{} rounds of warm-up are discarded", plan.study.warmup),
            2,
            width,
            out,
        );
    }
}

/// How often what runs.
fn points(plan: &Plan, jobs: &[&Job], width: usize, out: &mut String) {
    let mut axes: Vec<(&str, Vec<String>)> = Vec::new();
    for (axis, value) in jobs.iter().flat_map(|job| &job.point) {
        let value = value_words(value);
        match axes.iter_mut().find(|(name, _)| name == axis) {
            Some((_, values)) if values.contains(&value) => {}
            Some((_, values)) => values.push(value),
            None => axes.push((axis, vec![value])),
        }
    }
    for (axis, values) in axes {
        wrap(&format!("  {axis}: {}", values.join(", ")), 4, width, out);
    }
    let here = |job: &&&Job| {
        job.skipped.is_none()
            && plan
                .engines
                .get(job.engine)
                .is_some_and(|e| e.missing.is_none())
    };
    let running: Vec<&&Job> = jobs.iter().filter(here).collect();
    let cells: u64 = running.iter().map(|job| u64::from(job.runs)).sum();
    wrap(
        &format!(
            "  rows that run: {}; cells, warm-up apart: {}",
            format_count(running.len() as u64),
            format_count(cells)
        ),
        4,
        width,
        out,
    );
    for job in jobs {
        if let Some(why) = &job.skipped {
            wrap(&format!("  left out: {} ({why})", job.id), 4, width, out);
        }
    }
}

/// Each step as written, and below it what each engine makes of it.
fn steps(plan: &Plan, jobs: &[&Job], width: usize, out: &mut String) {
    let Some(first) = jobs.first() else { return };
    // Rows of one engine mostly do the same at every point: each form once.
    let explained: Vec<(&Job, Vec<Explained>)> = jobs
        .iter()
        .filter_map(|job| Some((*job, lower::explain(plan, job)?)))
        .collect();
    for step in &first.setup {
        wrap(&format!("  setup {}", step.text), 6, width, out);
    }
    for step in &first.steps {
        wrap(&format!("  {}", step.text), 6, width, out);
        let inner = format!("{} / ", step.label);
        let labels = explained
            .first()
            .map(|(_, all)| all.iter().map(|e| e.step.as_str()))
            .into_iter()
            .flatten()
            .filter(|label| *label == step.label || label.starts_with(&inner));
        for label in labels {
            forms(plan, &explained, label, width, out);
        }
    }
}

fn forms(
    plan: &Plan,
    explained: &[(&Job, Vec<Explained>)],
    label: &str,
    width: usize,
    out: &mut String,
) {
    // Form, and the engines and number of points that have it.
    let mut forms: Vec<(String, Vec<&str>, usize)> = Vec::new();
    for (job, all) in explained {
        let engine = plan.engines[job.engine].label.as_str();
        let Some(one) = all.iter().find(|e| e.step == label) else {
            continue;
        };
        if one.requests.is_empty() {
            continue;
        }
        let words: Vec<String> = one
            .requests
            .iter()
            .map(|request| match request {
                Ok(native) => native_words(native),
                Err(error) => format!("cannot be told: {error}"),
            })
            .collect();
        let words = words.join("\nthen for each: ");
        match forms.iter_mut().find(|(known, ..)| *known == words) {
            Some((_, engines, points)) => {
                *points += 1;
                if !engines.contains(&engine) {
                    engines.push(engine);
                }
            }
            None => forms.push((words, vec![engine], 1)),
        }
    }
    let rows = explained.len();
    for (words, engines, points) in forms {
        let at = if points == rows || engines.len() > 1 {
            String::new()
        } else {
            let of = explained
                .iter()
                .filter(|(job, _)| plan.engines[job.engine].label == engines[0])
                .count();
            if of == points {
                String::new()
            } else {
                format!(" at {points} of {of} points")
            }
        };
        let inner = label.split_once(" / ").map(|(_, inner)| inner);
        let mut name = engines.join(", ");
        if let Some(inner) = inner {
            name.push_str(&format!(", {inner}"));
        }
        for (line_at, line) in words.lines().enumerate() {
            let head = if line_at == 0 {
                format!("      {name}{at}: {line}")
            } else {
                format!("        {line}")
            };
            wrap(&head, 10, width, out);
        }
    }
}

fn native_words(native: &Native) -> String {
    let mut words = native.text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(access) = &native.access {
        words.push_str(&format!("\naccess: {access}"));
    }
    if let Some(above) = &native.above {
        words.push_str(&format!("\nabove the engine: {above}"));
    }
    words
}
