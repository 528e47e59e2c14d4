//! Words for paragraphs, by length.

/// Letters of the longest word; there are words of every length up to it.
pub const LONGEST: u64 = 12;

/// The words, shortest first.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "a", "I", "an", "as", "at", "be", "by", "do", "go", "he", "if", "in", "is", "it", "me", "my",
    "no", "of", "on", "or", "so", "to", "up", "us", "we", "air", "all", "and", "any", "are", "arm",
    "ask", "bad", "bag", "bed", "big", "box", "bus", "but", "buy", "can", "car", "cup", "day",
    "did", "dog", "dry", "ear", "eat", "egg", "end", "far", "few", "for", "fun", "get", "had",
    "has", "her", "him", "his", "hot", "how", "ice", "its", "key", "law", "leg", "let", "lot",
    "map", "may", "new", "not", "now", "off", "oil", "old", "one", "our", "out", "own", "pay",
    "put", "red", "run", "sea", "see", "set", "she", "six", "sky", "sun", "tea", "ten", "the",
    "too", "top", "try", "two", "use", "war", "was", "way", "who", "why", "yes", "yet", "you",
    "able", "also", "away", "back", "bank", "best", "bird", "blue", "boat", "body", "book", "both",
    "call", "card", "city", "cold", "come", "dark", "door", "down", "each", "east", "even", "ever",
    "face", "fact", "farm", "fast", "fire", "fish", "five", "food", "foot", "form", "four", "from",
    "full", "game", "girl", "give", "gold", "good", "grow", "half", "hand", "have", "head", "hear",
    "help", "here", "high", "hill", "home", "hour", "idea", "into", "just", "keep", "kind", "king",
    "know", "lake", "land", "last", "late", "lead", "left", "less", "life", "like", "line", "list",
    "live", "long", "look", "made", "main", "make", "many", "mind", "moon", "more", "most", "move",
    "much", "must", "name", "near", "need", "next", "note", "once", "only", "open", "over", "page",
    "part", "past", "plan", "play", "rain", "read", "rest", "road", "rock", "room", "same", "seem",
    "ship", "show", "side", "size", "slow", "some", "song", "soon", "star", "stay", "step", "such",
    "take", "talk", "tell", "than", "that", "them", "then", "they", "this", "time", "town", "tree",
    "turn", "very", "wait", "walk", "wall", "want", "warm", "week", "well", "went", "west", "what",
    "when", "wide", "wind", "wish", "with", "wood", "word", "work", "year", "your", "about",
    "above", "after", "again", "along", "among", "began", "below", "black", "board", "bread",
    "bring", "build", "carry", "cause", "chair", "child", "clean", "clear", "close", "cloud",
    "coast", "could", "cover", "cross", "doubt", "dress", "drink", "drive", "early", "earth",
    "eight", "enjoy", "every", "field", "first", "floor", "found", "fresh", "front", "fruit",
    "glass", "grass", "great", "green", "group", "happy", "heart", "heavy", "horse", "hotel",
    "house", "human", "large", "laugh", "learn", "leave", "light", "money", "month", "music",
    "never", "night", "north", "often", "order", "other", "paint", "paper", "party", "piece",
    "place", "plant", "point", "power", "quick", "quiet", "reach", "ready", "right", "river",
    "round", "seven", "shape", "share", "sharp", "short", "since", "sleep", "small", "sound",
    "south", "space", "speak", "spend", "stand", "start", "state", "still", "stone", "store",
    "story", "study", "sugar", "table", "teach", "thank", "their", "there", "these", "thing",
    "think", "three", "today", "touch", "train", "under", "until", "visit", "voice", "watch",
    "water", "wheel", "where", "which", "while", "white", "whole", "woman", "world", "would",
    "write", "young", "across", "almost", "always", "animal", "answer", "autumn", "become",
    "before", "behind", "better", "bottom", "bridge", "bright", "broken", "castle", "centre",
    "change", "circle", "colour", "common", "corner", "course", "decide", "during", "eleven",
    "enough", "family", "famous", "farmer", "father", "finger", "finish", "flower", "follow",
    "forest", "friend", "garden", "gentle", "island", "letter", "listen", "little", "market",
    "matter", "middle", "minute", "moment", "mother", "motion", "nature", "number", "office",
    "people", "person", "please", "pretty", "reason", "record", "remain", "result", "return",
    "school", "season", "second", "seldom", "silver", "simple", "single", "sister", "spring",
    "square", "street", "strong", "summer", "system", "ticket", "toward", "travel", "twelve",
    "valley", "window", "winter", "within", "wonder", "against", "another", "balance", "because",
    "believe", "between", "brother", "careful", "century", "certain", "chapter", "company",
    "contain", "country", "develop", "discuss", "evening", "example", "explain", "forward",
    "general", "harbour", "history", "hundred", "imagine", "journey", "kitchen", "leather",
    "machine", "meeting", "message", "million", "morning", "nothing", "observe", "outside",
    "pattern", "perhaps", "picture", "present", "problem", "produce", "promise", "quarter",
    "receive", "science", "several", "silence", "sixteen", "station", "strange", "student",
    "subject", "success", "teacher", "thought", "through", "village", "weather", "welcome",
    "whether", "without", "written", "actually", "although", "anything", "building", "business",
    "children", "complete", "consider", "continue", "daughter", "describe", "distance", "electric",
    "everyone", "exercise", "favorite", "finished", "happened", "hospital", "increase", "interest",
    "language", "material", "medicine", "mountain", "movement", "multiply", "opposite", "ordinary",
    "original", "painting", "personal", "physical", "practice", "pressure", "probably", "question",
    "remember", "sentence", "separate", "shoulder", "southern", "standing", "straight", "strength",
    "suddenly", "surprise", "thousand", "together", "tomorrow", "traveled", "umbrella", "vacation",
    "whatever", "yourself", "adventure", "afternoon", "attention", "beautiful", "beginning",
    "breakfast", "carefully", "certainly", "character", "chocolate", "community", "condition",
    "dangerous", "different", "difficult", "direction", "discovery", "education", "elsewhere",
    "equipment", "everybody", "excellent", "furniture", "gentleman", "important", "knowledge",
    "landscape", "machinery", "neighbour", "nighttime", "operation", "ourselves", "paragraph",
    "potential", "president", "professor", "scientist", "seventeen", "situation", "something",
    "sometimes", "structure", "telephone", "territory", "therefore", "tradition", "treatment",
    "wandering", "waterfall", "wonderful", "yesterday", "absolutely", "activities", "appearance",
    "basketball", "collection", "completely", "connection", "conversion", "definition",
    "department", "difference", "discovered", "electronic", "everywhere", "experience",
    "expression", "friendship", "generation", "government", "impossible", "industrial",
    "instrument", "leadership", "literature", "management", "particular", "population",
    "protection", "remarkable", "scientific", "settlement", "technology", "themselves",
    "throughout", "understand", "vegetables", "volunteers", "acknowledge", "agriculture",
    "approximate", "circulation", "combination", "comfortable", "composition", "concentrate",
    "declaration", "development", "electricity", "environment", "established", "exploration",
    "furthermore", "imagination", "independent", "information", "interesting", "manufacture",
    "observation", "opportunity", "performance", "photography", "possibility", "publication",
    "responsible", "significant", "suggestions", "temperature", "traditional", "transparent",
    "acceleration", "agricultural", "architecture", "championship", "construction", "conversation",
    "demonstrated", "disappointed", "experimental", "geographical", "headquarters", "illustration",
    "intelligence", "introduction", "manufacturer", "mathematical", "neighborhood", "nevertheless",
    "occasionally", "organization", "particularly", "professional", "relationship", "satisfactory",
    "similarities", "successfully", "surroundings", "thanksgiving", "thoroughfare", "thunderstorm",
];

/// `STARTS[n]` is the position of the first word of `n` letters or more.
const STARTS: [usize; LONGEST as usize + 2] = starts();

const fn starts() -> [usize; LONGEST as usize + 2] {
    let mut starts = [0; LONGEST as usize + 2];
    let mut length = 1;
    let mut at = 0;
    while length < starts.len() {
        while at < WORDS.len() && WORDS[at].len() < length {
            at += 1;
        }
        starts[length] = at;
        length += 1;
    }
    starts
}

/// Words of exactly `length` letters, 1 to [`LONGEST`].
pub fn words_of(length: u64) -> &'static [&'static str] {
    &WORDS[STARTS[length as usize]..STARTS[length as usize + 1]]
}

/// Words of up to `length` letters, 1 to [`LONGEST`].
pub fn words_up_to(length: u64) -> &'static [&'static str] {
    &WORDS[..STARTS[length as usize + 1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_by_length_and_has_every_length() {
        assert!(WORDS.is_sorted_by_key(|word| word.len()));
        for length in 1..=LONGEST {
            let words = words_of(length);
            assert!(words.len() > 1, "{length}");
            assert!(words.iter().all(|word| word.len() as u64 == length));
        }
        let mut sorted = WORDS.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), WORDS.len(), "no word stands twice");
        assert!(WORDS.iter().all(|word| word.is_ascii()));
    }
}
