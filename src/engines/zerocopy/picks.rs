//! A choice among the rows of one cluster.

/// Most rows of a cluster.
pub const ROWS: usize = 1024;
const WORDS: usize = ROWS / 64;

/// One bit per row of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picks {
    words: [u64; WORDS],
}

impl Picks {
    /// None.
    pub const NONE: Picks = Picks { words: [0; WORDS] };

    /// The first `count` rows.
    pub fn first(count: usize) -> Picks {
        let mut picks = Picks::NONE;
        for (at, word) in picks.words.iter_mut().enumerate() {
            let bits = count.saturating_sub(at * 64).min(64);
            *word = if bits == 64 {
                u64::MAX
            } else {
                (1 << bits) - 1
            };
        }
        picks
    }

    /// Adds a row; one that no cluster has is left out.
    pub fn add(&mut self, row: usize) {
        if let Some(word) = self.words.get_mut(row / 64) {
            *word |= 1 << (row % 64);
        }
    }

    /// Takes a row out.
    pub fn drop(&mut self, row: usize) {
        if let Some(word) = self.words.get_mut(row / 64) {
            *word &= !(1 << (row % 64));
        }
    }

    /// Whether a row is picked.
    #[cfg(test)]
    pub fn has(&self, row: usize) -> bool {
        self.words
            .get(row / 64)
            .is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// How many are picked.
    pub fn count(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether none is picked.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Those picked in both.
    pub fn and(&self, other: &Picks) -> Picks {
        self.with(other, |a, b| a & b)
    }

    /// Those picked in either.
    pub fn or(&self, other: &Picks) -> Picks {
        self.with(other, |a, b| a | b)
    }

    /// Those picked here and not there.
    pub fn without(&self, other: &Picks) -> Picks {
        self.with(other, |a, b| a & !b)
    }

    fn with(&self, other: &Picks, op: impl Fn(u64, u64) -> u64) -> Picks {
        let mut picks = *self;
        for (word, other) in picks.words.iter_mut().zip(&other.words) {
            *word = op(*word, *other);
        }
        picks
    }

    /// Whole words, to be filled by a scan.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// The picked rows, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                if left == 0 {
                    return None;
                }
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_are_sets() {
        let first = Picks::first(70);
        assert_eq!(first.count(), 70);
        assert_eq!(Picks::first(ROWS).count(), ROWS);
        let mut some = Picks::NONE;
        some.add(3);
        some.add(69);
        some.add(70);
        some.add(ROWS);
        assert_eq!(some.iter().collect::<Vec<_>>(), [3, 69, 70]);
        assert_eq!(first.and(&some).iter().collect::<Vec<_>>(), [3, 69]);
        assert_eq!(some.without(&first).iter().collect::<Vec<_>>(), [70]);
        assert!(some.has(69) && !some.has(68) && !some.has(5000));
    }
}
