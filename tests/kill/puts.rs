//! Rounds for engines whose transactions are no unit: each single value is.

use std::collections::HashSet;
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
/// held all that time must be there. Where the engine is known to lose some,
/// rounds with losses are counted, and what is there must have been written
/// at some time.
pub fn run(
    kind: &str,
    options: &Options,
    rounds: u64,
    seed: u64,
    loses: bool,
) -> Result<Tally, String> {
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
        let mut written = HashSet::new();
        while oracle.next() < number {
            oracle.advance()?;
            if loses {
                let rows = state(oracle.writer.session.as_mut(), false)?;
                written.extend(rows.iter().flatten().map(|row| format!("{row:?}")));
            }
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
        let found = match child.found() {
            Ok(found) => found,
            Err(_) if loses => {
                tally.unreadable += 1;
                continue;
            }
            Err(error) => return Err(told(format!("{number}: {error}"))),
        };
        let mut lost = None;
        for (model, rows) in found.iter().enumerate() {
            for row in rows {
                if seen.iter().any(|state| state[model].contains(row)) {
                    continue;
                }
                if !written.contains(&format!("{row:?}")) {
                    return Err(told(format!("{number}: {row:?} was never written")));
                }
                lost = Some(row);
            }
            let kept = |row: &&Row| seen.iter().all(|state| state[model].contains(row));
            let mut kept = seen[0][model].iter().filter(kept);
            lost = lost.or(kept.find(|row| !rows.contains(row)));
        }
        child.tell("close")?;
        child.finish()?;
        if let Some(row) = lost {
            if !loses {
                return Err(told(format!("{number}: {row:?} is lost")));
            }
            tally.lost += 1;
            continue;
        }
        match seen.iter().position(|state| *state == found) {
            Some(0) => tally.absent += 1,
            Some(last) if last == seen.len() - 1 => tally.whole += 1,
            _ => tally.half += 1,
        }
    }
    Ok(tally)
}
