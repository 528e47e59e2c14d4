//! Did you mean …?

/// The candidate closest to `word`, if it is close enough to be a slip of the
/// fingers: about a third of the letters, or the same word in another case.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    let allowed = match length {
        0 => return None,
        1 => 0,
        2..=5 => 1 + usize::from(length >= 4),
        _ => length.div_ceil(3).min(4),
    };
    let lower = word.to_lowercase();
    candidates
        .into_iter()
        .filter(|candidate| *candidate != word)
        .filter_map(|candidate| {
            let distance = strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
            let shared = candidate.chars().count().max(length);
            // A distance of the whole word is no likeness.
            (distance <= allowed && distance * 2 < shared.max(2) + 1)
                .then_some((distance, candidate))
        })
        .min_by_key(|(distance, candidate)| (*distance, candidate.len()))
        .map(|(_, candidate)| candidate)
}

/// A help line for an unknown word: ``did you mean `name`?``
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    closest(word, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_words_are_proposed_and_far_ones_are_not() {
        let verbs = ["create", "read", "count", "update", "delete"];
        assert_eq!(closest("craete", verbs), Some("create"));
        assert_eq!(closest("cuont", verbs), Some("count"));
        assert_eq!(closest("rea", verbs), Some("read"));
        assert_eq!(closest("Read", verbs), Some("read"));
        assert_eq!(closest("banana", verbs), None);
        assert_eq!(closest("x", ["n", "m"]), None);
        assert_eq!(closest("", verbs), None);
        assert_eq!(
            did_you_mean("updte", verbs).as_deref(),
            Some("did you mean `update`?")
        );
    }
}
