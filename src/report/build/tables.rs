//! Which jobs stand in one table.

use super::effects::effects;
use super::row::row;
use super::step_line;
use crate::plan::{Job, Plan};
use crate::report::evidence::Evidence;
use crate::report::model::{Figures, Measure, Row, Table};
use crate::stats::{JobRuns, group, paired, ratio_to_best};

/// One table per trial and size: rows of one table store equally much and are
/// compared. A trial with one row per size reads better as one table.
pub(super) fn tables(evidence: &Evidence<'_>) -> Vec<Table> {
    let plan = evidence.plan;
    let runs = group(plan, evidence.records);
    let mut tables = Vec::new();
    for trial in &plan.trials {
        let own: Vec<&JobRuns<'_>> = runs
            .iter()
            .filter(|runs| plan.jobs[runs.job].trial == trial.label)
            .collect();
        for members in by_size(plan, own) {
            tables.push(table(evidence, &trial.label, &trial.title, &members));
        }
    }
    tables
}

fn by_size<'j, 'a>(plan: &Plan, jobs: Vec<&'j JobRuns<'a>>) -> Vec<Vec<&'j JobRuns<'a>>> {
    let mut sizes: Vec<u64> = jobs.iter().map(|runs| plan.jobs[runs.job].size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() == jobs.len() && jobs.len() > 1 {
        let mut one = jobs;
        one.sort_by_key(|runs| plan.jobs[runs.job].size);
        return vec![one];
    }
    sizes
        .into_iter()
        .map(|size| {
            let mut members: Vec<&JobRuns<'a>> = jobs
                .iter()
                .copied()
                .filter(|runs| plan.jobs[runs.job].size == size)
                .collect();
            // Engines in the order of the file; their points keep the plan's order.
            members.sort_by_key(|runs| plan.jobs[runs.job].engine);
            members
        })
        .collect()
}

fn table(evidence: &Evidence<'_>, label: &str, title: &str, members: &[&JobRuns<'_>]) -> Table {
    let jobs: Vec<&Job> = members
        .iter()
        .map(|runs| &evidence.plan.jobs[runs.job])
        .collect();
    let (point, axes) = axes(&jobs);
    let steps = step_line::steps(&jobs);
    let mut rows: Vec<Row> = members
        .iter()
        .map(|runs| row(evidence, runs, &steps))
        .collect();
    // Rows of different sizes do not race each other.
    let comparable = jobs.iter().all(|job| job.size == jobs[0].size);
    for (at, step) in steps.iter().enumerate().filter(|_| comparable) {
        let medians: Vec<Option<f64>> = rows
            .iter()
            .map(|row| median(step.measure, &row.steps[at]))
            .collect();
        let best = position_of_least(&medians);
        for (position, ratio) in ratio_to_best(&medians).into_iter().enumerate() {
            let figures = &mut rows[position].steps[at];
            figures.ratio = ratio;
            if let Some(best) = best.filter(|best| *best != position && ratio.is_some())
                && step.measure == Measure::Time
            {
                figures.paired = paired(
                    &members[position].rounds(&step.label),
                    &members[best].rounds(&step.label),
                );
            }
        }
    }
    let effects = if comparable {
        effects(&axes, &steps, &rows)
    } else {
        Vec::new()
    };
    Table {
        effects,
        trial: label.to_owned(),
        title: title.to_owned(),
        point,
        size: jobs.iter().map(|job| job.size).max().unwrap_or(0),
        axes,
        steps,
        rows,
    }
}

fn position_of_least(medians: &[Option<f64>]) -> Option<usize> {
    let measured = medians.iter().enumerate();
    measured
        .filter_map(|(at, median)| Some((at, (*median)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(at, _)| at)
}

fn median(measure: Measure, figures: &Figures) -> Option<f64> {
    let summary = match measure {
        Measure::Time => figures.wall_ns,
        Measure::Size => figures.allocated_bytes,
        Measure::Expectation => None,
    };
    summary.map(|s| s.median)
}

type Point = Vec<(String, crate::base::Value)>;

/// Axes with one value in all jobs, and names of those that vary (or that
/// some jobs lack).
fn axes(jobs: &[&Job]) -> (Point, Vec<String>) {
    let mut names: Vec<&String> = Vec::new();
    for job in jobs {
        for (name, _) in &job.point {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let mut constant = Point::new();
    let mut varying = Vec::new();
    for name in names {
        let value_in = |job: &Job| {
            job.point
                .iter()
                .find(|(axis, _)| axis == name)
                .map(|(_, value)| value.clone())
        };
        let first = jobs.first().and_then(|job| value_in(job));
        match first {
            Some(value)
                if jobs
                    .iter()
                    .all(|job| value_in(job).as_ref() == Some(&value)) =>
            {
                constant.push((name.clone(), value));
            }
            _ => varying.push(name.clone()),
        }
    }
    (constant, varying)
}
