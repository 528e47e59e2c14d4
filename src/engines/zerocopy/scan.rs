//! Testing a column of a cluster, block by block.

use super::block::{Column, Ints, Texts, Type};
use super::error::Result;
use super::picks::Picks;
use super::test::Test;

/// Below one in so many rows, values are tested one by one.
const SPARSE: usize = 16;

/// Those of the picked rows whose value meets the test.
pub fn scan(column: &Column<'_>, test: &Test, within: &Picks) -> Result<Picks> {
    if within.is_empty() {
        return Ok(Picks::NONE);
    }
    if *test == Test::Null {
        return Ok(nulls(column, within));
    }
    let sparse = within.count() * SPARSE < column.len();
    match column {
        Column::Ints(ints, kind) => match test.range(*kind) {
            Some(range) if !sparse => Ok(ints_within(ints, range, test.on_null(), within)),
            _ => each(column, test, within),
        },
        Column::Texts(texts, kind) if texts.dictionary().is_some() => {
            coded(texts, *kind, test, within, sparse)
        }
        Column::Texts(texts, _) => match test.only() {
            Some(only) => spelled(texts, only, within),
            None => each(column, test, within),
        },
        _ => each(column, test, within),
    }
}

fn nulls(column: &Column<'_>, within: &Picks) -> Picks {
    let mut picks = Picks::NONE;
    if column.has_nulls() {
        for row in within.iter().filter(|row| column.is_null(*row)) {
            picks.add(row);
        }
    }
    picks
}

fn each(column: &Column<'_>, test: &Test, within: &Picks) -> Result<Picks> {
    let mut picks = Picks::NONE;
    for row in within.iter() {
        if test.holds(column.get(row)?) {
            picks.add(row);
        }
    }
    Ok(picks)
}

fn ints_within(
    ints: &Ints<'_>,
    (low, high, turned): (i64, i64, bool),
    on_null: bool,
    within: &Picks,
) -> Picks {
    let mut picks = Picks::NONE;
    ints.within(low, high, picks.words_mut());
    if turned {
        picks = Picks::first(ints.len).without(&picks);
    }
    if ints.nulls.any() {
        for row in within.iter().filter(|row| ints.nulls.has(*row)) {
            match on_null {
                true => picks.add(row),
                false => picks.drop(row),
            }
        }
    }
    picks.and(within)
}

/// Each entry of the dictionary is tested once; those that meet the test are
/// most often one run, since entries are in order.
fn coded(
    texts: &Texts<'_>,
    kind: Type,
    test: &Test,
    within: &Picks,
    sparse: bool,
) -> Result<Picks> {
    let entries = texts.dictionary().unwrap_or(0);
    let mut good = vec![false; entries];
    if let Some(only) = test.only() {
        if let Some(entry) = find(texts, entries, only)? {
            good[entry] = true;
        }
    } else {
        for (entry, good) in good.iter_mut().enumerate() {
            *good = test.holds(super::block::text(kind, Some(texts.entry(entry)?))?);
        }
    }
    let on_null = test.on_null();
    let mut picks = Picks::NONE;
    let first = good.iter().position(|good| *good);
    let last = good.iter().rposition(|good| *good);
    let run = first
        .zip(last)
        .filter(|(first, last)| good[*first..=*last].iter().all(|g| *g));
    match run {
        None if first.is_none() && !(on_null && texts.nulls.any()) => return Ok(Picks::NONE),
        Some((first, last)) if !sparse => {
            texts.coded(first, last, picks.words_mut());
            if texts.nulls.any() {
                for row in within.iter().filter(|row| texts.nulls.has(*row)) {
                    match on_null {
                        true => picks.add(row),
                        false => picks.drop(row),
                    }
                }
            }
        }
        _ => {
            for row in within.iter() {
                let holds = match texts.nulls.has(row) {
                    true => on_null,
                    false => good.get(texts.code(row)).copied().unwrap_or(false),
                };
                if holds {
                    picks.add(row);
                }
            }
        }
    }
    Ok(picks.and(within))
}

/// The entry that is this text.
fn find(texts: &Texts<'_>, entries: usize, only: &[u8]) -> Result<Option<usize>> {
    let (mut low, mut high) = (0, entries);
    while low < high {
        let middle = (low + high) / 2;
        match texts.entry(middle)?.cmp(only) {
            std::cmp::Ordering::Equal => return Ok(Some(middle)),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    Ok(None)
}

fn spelled(texts: &Texts<'_>, only: &[u8], within: &Picks) -> Result<Picks> {
    let mut picks = Picks::NONE;
    for row in within.iter() {
        if texts.get(row)? == Some(only) {
            picks.add(row);
        }
    }
    Ok(picks)
}

/// Adds up what a column of numbers holds where nothing is left out: sum and
/// number of values. `None` where it must be done row by row.
pub fn sum(column: &Column<'_>) -> Option<(i128, u64)> {
    match column {
        Column::Ints(ints, Type::Int | Type::Timestamp) => {
            ints.sum().map(|sum| (sum, ints.len as u64))
        }
        _ => None,
    }
}
