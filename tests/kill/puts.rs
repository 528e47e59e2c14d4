//! Rounds for engines whose transactions are no unit: each single value is.

use std::time::Duration;

use persist_lab::base::Value;
use persist_lab::engines::Options;

use super::rounds::{Killed, Oracle, Tally};
use super::story::{mix, state};

type Row = Vec<Value>;

/// Kills an engine so often, each time with a new store, since what a cut
/// transaction leaves is nothing to go on from.
///
/// Afterwards every record must be one that the oracle held before the cut
/// transaction, after it, or between two of its calls; and every one that it
/// held all that time must be there.
pub fn run(kind: &str, options: &Options, rounds: u64, seed: u64) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let mut transaction = Duration::from_millis(2);
    for round in 0..rounds {
        let bits = mix(seed ^ 0x0dd5, round);
        let seed = mix(seed, round);
        let told = |what: String| format!("round {round}, transaction {what}");
        let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
        let mut child = Killed::start(kind, options, directory.path(), seed)?;
        let found = child.found().map_err(|e| told(format!("0: {e}")))?;
        if found.iter().any(|rows| !rows.is_empty()) {
            return Err(told("0: a new store is not empty".into()));
        }
        child.tell("0")?;
        let number = child
            .kill_in_a_transaction(0, bits, &mut transaction)
            .map_err(told)?;
        tally.rounds += 1;
        tally.acknowledged += number;
        let mut oracle = Oracle::new(seed)?;
        while oracle.next() < number {
            oracle.advance()?;
        }
        let before = state(oracle.writer.session.as_mut(), false)?;
        let mut between = Vec::new();
        let watched = oracle
            .writer
            .transact_watched(|session| between.push(state(session, false)));
        watched.map_err(|e| e.to_string())?;
        let mut seen = vec![before];
        for state in between {
            seen.push(state?);
        }
        let mut child = Killed::start(kind, options, directory.path(), seed)?;
        let found = child.found().map_err(|e| told(format!("{number}: {e}")))?;
        for (model, rows) in found.iter().enumerate() {
            let held = |row: &&Row| seen.iter().any(|state| state[model].contains(row));
            if let Some(odd) = rows.iter().find(|row| !held(row)) {
                return Err(told(format!("{number}: {odd:?} was never written")));
            }
            let kept = |row: &&Row| seen.iter().all(|state| state[model].contains(row));
            let mut kept = seen[0][model].iter().filter(kept);
            if let Some(lost) = kept.find(|row| !rows.contains(row)) {
                return Err(told(format!("{number}: {lost:?} is lost")));
            }
        }
        match seen.iter().position(|state| *state == found) {
            Some(0) => tally.absent += 1,
            Some(last) if last == seen.len() - 1 => tally.whole += 1,
            _ => tally.half += 1,
        }
        child.tell("close")?;
        child.finish()?;
    }
    Ok(tally)
}
