//! Sets of row numbers.

/// Bits of a set may take this many bytes, or eight times as many as its rows.
const SMALL_BYTES: u64 = 1 << 20;

/// Row numbers, gathered once and then asked for.
#[derive(Clone, Debug)]
pub enum RowSet {
    /// One bit per row from the first on.
    Bits { first: u64, words: Vec<u64> },
    /// Ascending.
    List(Vec<u64>),
}

impl RowSet {
    /// Of these rows, in any order.
    pub fn new(mut rows: Vec<u64>) -> RowSet {
        let low = rows.iter().copied().min().unwrap_or(0);
        let high = rows.iter().copied().max().unwrap_or(0);
        let bytes = (high - low) / 8;
        if bytes <= SMALL_BYTES.max(8 * rows.len() as u64) {
            let mut words = vec![0; ((high - low) / 64) as usize + 1];
            if !rows.is_empty() {
                for row in &rows {
                    let at = row - low;
                    words[(at / 64) as usize] |= 1u64 << (at % 64);
                }
            }
            return RowSet::Bits { first: low, words };
        }
        rows.sort_unstable();
        rows.dedup();
        RowSet::List(rows)
    }

    /// Whether a row is in it.
    #[inline]
    pub fn has(&self, row: u64) -> bool {
        match self {
            RowSet::Bits { first, words } => row.checked_sub(*first).is_some_and(|at| {
                words
                    .get((at / 64) as usize)
                    .is_some_and(|word| word >> (at % 64) & 1 == 1)
            }),
            RowSet::List(rows) => rows.binary_search(&row).is_ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_set_has_what_was_put_in(rows in prop::collection::vec(0u64..300, 0..40), far: bool) {
            let scale = if far { 1 << 40 } else { 1 };
            let rows: Vec<u64> = rows.iter().map(|row| row * scale + 5).collect();
            let set = RowSet::new(rows.clone());
            for row in 0..301 {
                prop_assert_eq!(set.has(row * scale + 5), rows.contains(&(row * scale + 5)));
                prop_assert!(!set.has(row * scale + 6) || scale == 1);
            }
        }
    }
}
