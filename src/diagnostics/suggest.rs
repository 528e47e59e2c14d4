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

/// The same, or all that there is: ``there are `a`, `b` ``. Nothing where
/// there is nothing.
pub fn did_you_mean_or_all<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let all: Vec<&str> = candidates.into_iter().collect();
    did_you_mean(word, all.iter().copied()).or_else(|| match all.as_slice() {
        [] => None,
        [one] => Some(format!("there is only `{one}`")),
        many => Some(format!("there are `{}`", many.join("`, `"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nothing_is_close_all_are_named() {
        let help = |word, all: &[&'static str]| did_you_mean_or_all(word, all.iter().copied());
        assert_eq!(
            help("sqlite", &["journal", "wal"]).as_deref(),
            Some("there are `journal`, `wal`")
        );
        assert_eq!(
            help("sqlite", &["wal"]).as_deref(),
            Some("there is only `wal`")
        );
        assert_eq!(
            help("wla", &["journal", "wal"]).as_deref(),
            Some("did you mean `wal`?")
        );
        assert_eq!(help("n", &[]), None);
    }

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
