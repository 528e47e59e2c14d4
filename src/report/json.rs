//! A report as JSON: the model itself, as `docs/json.md` describes it.

use super::model::Report;

/// The whole report, with a line break at the end.
pub fn render(report: &Report) -> String {
    // The model holds nothing that has no JSON form: map keys are text, and a
    // float that is no number becomes null.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}
