//! The grammar's rules in words that a person understands.

use super::Rule;

/// What was expected somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Expected {
    /// Something that must come: a value, a name, a word.
    Must(&'static str),
    /// A keyword that may come.
    Word(&'static str),
    /// An operator could go on here: worth saying only if nothing else is.
    Operator,
    /// The next member or item.
    Next(&'static str),
}

/// In words; `None` for what says nothing to the author.
pub(super) fn expected(rule: Rule) -> Option<Expected> {
    use Expected::{Must, Next, Operator, Word};
    Some(match rule {
        Rule::expr | Rule::operation | Rule::operand | Rule::amount => Must("a value"),
        Rule::conditional
        | Rule::null_when
        | Rule::null_share
        | Rule::paren
        | Rule::list
        | Rule::object
        | Rule::call
        | Rule::date
        | Rule::kw_true
        | Rule::kw_false
        | Rule::quantified
        | Rule::quantifier
        | Rule::op_neg
        | Rule::row_of
        | Rule::kw_not
        | Rule::kw_null
        | Rule::in_list
        | Rule::prefix
        | Rule::infix
        | Rule::postfix => {
            return None;
        }
        Rule::number => Must("a number"),
        Rule::text => Must("a text in quotes"),
        Rule::path | Rule::word | Rule::name | Rule::lower_word => Must("a name"),
        Rule::model_path | Rule::capital_word => Must("a model, such as `User`"),
        Rule::field_type | Rule::type_name | Rule::inline_enum => {
            Must("a type, such as `int` or `text`")
        }
        Rule::label | Rule::entry => Must("a name with a colon"),
        Rule::values => Must("a list of values"),
        Rule::cases => Must("cases in parentheses, such as `(a, b)`"),
        Rule::case | Rule::case_name => Must("a case"),
        Rule::order_key => Must("a field"),
        Rule::assignment => Must("an assignment, such as `stock = 0`"),
        Rule::assign => Must("`=`"),
        Rule::open_brace => Must("`{`"),
        Rule::args | Rule::computed => Must("arguments in parentheses"),
        Rule::arg => Must("an argument"),
        Rule::place => {
            Must("`first`, `middle`, `last`, `random`, `zipf(1.1)`, `latest` or `missing`")
        }
        Rule::step_sign => Must("`*` or `+`"),
        Rule::transaction => Word("in one transaction"),
        Rule::one_transaction => Word("in one transaction"),
        Rule::transactions_of => Word("in transactions of"),
        Rule::filter => Word("where"),
        Rule::where_ => Word("where"),
        Rule::by_field => Word("by"),
        Rule::order_by => Word("order by"),
        Rule::limit => Word("limit"),
        Rule::offset => Word("offset"),
        Rule::touching => Word("touching"),
        Rule::compute => Word("compute"),
        Rule::per => Word("per"),
        Rule::repeat => Word("repeat"),
        Rule::set => Word("set"),
        Rule::by_style => Word("by object"),
        Rule::alias => Word("as"),
        Rule::only_for | Rule::condition => Word("for"),
        Rule::when => Word("when"),
        Rule::by_step => Word("by"),
        Rule::attribute => Word("key"),
        Rule::op_range
        | Rule::op_compare
        | Rule::op_text
        | Rule::op_add
        | Rule::op_mul
        | Rule::op_in
        | Rule::kw_mod
        | Rule::kw_and
        | Rule::kw_or
        | Rule::is_null
        | Rule::is_empty
        | Rule::is_shape
        | Rule::ignoring_case
        | Rule::of_model
        | Rule::picks
        | Rule::over => Operator,
        Rule::step_start => Next("the next step"),
        Rule::item_start => Next("the next item"),
        Rule::setting_start | Rule::limit_start => Next("the next setting"),
        Rule::quick_start => Next("the next value"),
        Rule::comparison_start => Next("the next comparison"),
        Rule::EOI => return None,
        other => return keyword(other).map(Word),
    })
}

/// The word of a `kw_…` rule.
fn keyword(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::kw_as => "as",
        Rule::kw_at => "at",
        Rule::kw_autocommit => "autocommit",
        Rule::kw_by => "by",
        Rule::kw_cascade => "cascade",
        Rule::kw_case => "case",
        Rule::kw_cold => "cold",
        Rule::kw_compute => "compute",
        Rule::kw_desc => "desc",
        Rule::kw_else => "else",
        Rule::kw_empty => "empty",
        Rule::kw_for => "for",
        Rule::kw_from => "from",
        Rule::kw_ignoring => "ignoring",
        Rule::kw_in => "in",
        Rule::kw_index | Rule::attr_index => "index",
        Rule::kw_inverse | Rule::attr_inverse => "inverse",
        Rule::kw_is => "is",
        Rule::kw_key => "key",
        Rule::kw_keys => "keys",
        Rule::kw_limit => "limit",
        Rule::kw_nothing => "nothing",
        Rule::kw_object => "object",
        Rule::kw_of => "of",
        Rule::kw_offset => "offset",
        Rule::kw_one => "one",
        Rule::kw_order => "order",
        Rule::kw_over => "over",
        Rule::kw_per => "per",
        Rule::kw_repeat => "repeat",
        Rule::kw_set => "set",
        Rule::kw_statement => "statement",
        Rule::kw_touching => "touching",
        Rule::kw_transaction => "transaction",
        Rule::kw_transactions => "transactions",
        Rule::kw_unique | Rule::attr_unique => "unique",
        Rule::kw_when => "when",
        Rule::kw_where => "where",
        Rule::kw_with => "with",
        _ => return None,
    })
}

/// Words that go on with an expression, like operators.
const JOINING: &[&str] = &["at", "ignoring", "in", "is", "of", "over"];

/// Everything that a place allows, in words, most telling first.
pub(super) fn in_words(rules: &[Rule]) -> Vec<String> {
    let goes_on = rules.contains(&Rule::op_add);
    let operand = rules.contains(&Rule::number) && rules.contains(&Rule::text);
    let mut all: Vec<Expected> = Vec::new();
    if operand {
        all.push(Expected::Must("a value"));
    }
    for found in rules.iter().filter_map(|rule| expected(*rule)) {
        let found = match found {
            Expected::Word(word) if goes_on && JOINING.contains(&word) => Expected::Operator,
            // These are what begins a value.
            Expected::Word("at") | Expected::Must("a model, such as `User`") if operand => continue,
            found => found,
        };
        if !all.contains(&found) {
            all.push(found);
        }
    }
    let a_value = all.contains(&Expected::Must("a value"));
    let mut words: Vec<String> = Vec::new();
    for expected in &all {
        match expected {
            // A number, a name or a text is a value.
            Expected::Must("a number" | "a name" | "a text in quotes") if a_value => {}
            Expected::Must(what) => words.push((*what).to_owned()),
            _ => {}
        }
    }
    let keywords = all.iter().filter_map(|expected| match expected {
        Expected::Word(word) => Some(format!("`{word}`")),
        _ => None,
    });
    words.extend(keywords);
    if words.is_empty() && all.contains(&Expected::Operator) {
        words.push("an operator".to_owned());
    }
    words.extend(all.iter().filter_map(|expected| match expected {
        Expected::Next(what) => Some((*what).to_owned()),
        _ => None,
    }));
    words
}

/// `a, b or c`.
pub(super) fn join(words: &[String]) -> String {
    match words {
        [] => "something else".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
