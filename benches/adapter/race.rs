//! Two sides that do the same steps, in interleaved rounds of one process.

use std::path::Path;
use std::time::Duration;

/// The steps, in order.
pub const STEPS: [&str; 6] = [
    "insert",
    "read all",
    "read where",
    "point reads",
    "update",
    "delete",
];

/// Times of the steps, and what makes sure that both sides did the same.
pub type Ran = (Vec<Duration>, Vec<u64>);

/// How much is done.
pub struct Scale {
    pub rows: u64,
    pub points: u64,
    pub rounds: usize,
}

impl Scale {
    /// From the command line (`--rows`, `--points`, `--rounds`), or these.
    pub fn from_arguments(rows: u64, points: u64) -> Scale {
        let words: Vec<String> = std::env::args().collect();
        let number = |name: &str, default: u64| {
            words
                .iter()
                .position(|w| w == name)
                .and_then(|at| words.get(at + 1)?.parse().ok())
                .unwrap_or(default)
        };
        Scale {
            rows: number("--rows", rows),
            points: number("--points", points),
            rounds: number("--rounds", 11) as usize,
        }
    }
}

/// Races the adapter against the loop by hand, each time in a directory of its
/// own, and prints per step both medians, the median of the rounds' ratios
/// (adapter to loop) and their quartiles.
pub fn race(
    scale: &Scale,
    engine: &str,
    adapter: impl Fn(&Path) -> Ran,
    by_hand: impl Fn(&Path) -> Ran,
) {
    let mut ratios = vec![Vec::new(); STEPS.len()];
    let mut times = [vec![Vec::new(); STEPS.len()], vec![Vec::new(); STEPS.len()]];
    for round in 0..=scale.rounds {
        let mut sides = [None, None];
        // Who goes first changes from round to round.
        for turn in 0..2 {
            let side = (round + turn) % 2;
            let directory = tempfile::tempdir().expect("a directory");
            sides[side] = Some(if side == 0 {
                adapter(directory.path())
            } else {
                by_hand(directory.path())
            });
        }
        let [Some(adapter), Some(by_hand)] = sides else {
            unreachable!("both sides ran");
        };
        assert_eq!(adapter.1, by_hand.1, "both sides must do the same work");
        if round == 0 {
            continue; // warms the allocator and the page cache
        }
        for step in 0..STEPS.len() {
            times[0][step].push(adapter.0[step].as_secs_f64());
            times[1][step].push(by_hand.0[step].as_secs_f64());
            ratios[step].push(adapter.0[step].as_secs_f64() / by_hand.0[step].as_secs_f64());
        }
    }
    println!(
        "{} rows, {} point reads, {} rounds; {engine}",
        scale.rows, scale.points, scale.rounds
    );
    println!(
        "{:<12} {:>12} {:>12} {:>8}  quartiles",
        "step", "adapter", "by hand", "ratio"
    );
    for (step, name) in STEPS.iter().enumerate() {
        let ratio = sorted(&ratios[step]);
        println!(
            "{name:<12} {:>9.3} ms {:>9.3} ms {:>8.3}  {:.3}..{:.3}",
            at(&sorted(&times[0][step]), 0.5) * 1e3,
            at(&sorted(&times[1][step]), 0.5) * 1e3,
            at(&ratio, 0.5),
            at(&ratio, 0.25),
            at(&ratio, 0.75),
        );
    }
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values
}

/// The value at a share of the way through, between neighbours.
fn at(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (low, high) = (
        sorted[place.floor() as usize],
        sorted[place.ceil() as usize],
    );
    low + (high - low) * place.fract()
}

/// A bijective scramble of 64 bits (splitmix64's finaliser).
pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
