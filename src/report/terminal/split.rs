//! Which groups stand side by side.

/// Groups of columns packed from the left into tables of at most `width`:
/// ranges of groups. Every table repeats the keys. A group that does not fit
/// even alone, stripped to its figure, gets a table of its own, too wide.
pub(super) fn split(keys: usize, groups: &[usize], width: usize) -> Vec<std::ops::Range<usize>> {
    let mut tables = Vec::new();
    let mut start = 0;
    let mut used = keys;
    for (at, group) in groups.iter().enumerate() {
        if at > start && used + group > width {
            tables.push(start..at);
            start = at;
            used = keys;
        }
        used += group;
    }
    if start < groups.len() {
        tables.push(start..groups.len());
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn groups_fill_tables_from_the_left() {
        assert_eq!(split(10, &[20, 20, 20], 100), vec![0..3; 1]);
        assert_eq!(split(10, &[20, 20, 20], 50), [0..2, 2..3]);
        assert_eq!(split(10, &[20, 20], 15), [0..1, 1..2]);
        assert!(split(10, &[], 15).is_empty());
    }
}
