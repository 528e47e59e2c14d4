//! Which cell comes when: a pure function of the plan.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::study::Plan;

/// One run of one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cell {
    /// Position in [`Plan::jobs`].
    pub job: usize,
    /// Counted runs from 0; warm-up rounds count down from `warmup` in their own numbering.
    pub run: u32,
    /// Whether the run is discarded.
    pub warmup: bool,
}

/// All cells of a plan in the order in which they are run.
///
/// Small sizes first. Within a size, rounds (warm-up first): in each round
/// every job runs once, in a seeded random order; `order sequential` instead
/// finishes all rounds of one engine before the next. Jobs that are skipped or
/// whose engine is missing have no cells.
pub fn cells(plan: &Plan) -> Vec<Cell> {
    let mut sizes: Vec<u64> = plan.jobs.iter().map(|job| job.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(plan.study.seed ^ 0x6f72_6465_725f_7631);
    let mut cells = Vec::new();
    for size in sizes {
        let jobs: Vec<usize> = (0..plan.jobs.len())
            .filter(|&at| {
                let job = &plan.jobs[at];
                job.size == size
                    && job.skipped.is_none()
                    && plan.engines[job.engine].missing.is_none()
            })
            .collect();
        if plan.study.interleaved {
            rounds(plan, &jobs, &mut random, &mut cells);
        } else {
            for engine in 0..plan.engines.len() {
                let own: Vec<usize> = jobs
                    .iter()
                    .copied()
                    .filter(|&at| plan.jobs[at].engine == engine)
                    .collect();
                rounds(plan, &own, &mut random, &mut cells);
            }
        }
    }
    cells
}

fn rounds(plan: &Plan, jobs: &[usize], random: &mut Xoshiro256PlusPlus, cells: &mut Vec<Cell>) {
    let most = jobs.iter().map(|&at| plan.jobs[at].runs).max().unwrap_or(0);
    let warmups = (0..plan.study.warmup).map(|run| (run, true));
    for (run, warmup) in warmups.chain((0..most).map(|run| (run, false))) {
        let mut round: Vec<usize> = jobs
            .iter()
            .copied()
            .filter(|&at| warmup || run < plan.jobs[at].runs)
            .collect();
        // Fisher and Yates, by our own range mapping: rand promises no stable one.
        for at in (1..round.len()).rev() {
            let other = ((u128::from(random.random::<u64>()) * (at as u128 + 1)) >> 64) as usize;
            round.swap(at, other);
        }
        cells.extend(round.into_iter().map(|job| Cell { job, run, warmup }));
    }
}
