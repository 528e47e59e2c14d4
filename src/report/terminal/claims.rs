//! The author's claims, at the end.

use super::Style;
use super::wrap::wrap;
use crate::report::model::Report;

pub(super) fn claims(report: &Report, style: Style, out: &mut String) {
    if report.claims.is_empty() {
        return;
    }
    out.push_str("\nClaims\n");
    for claim in &report.claims {
        wrap(
            &format!("  {}: {}", claim.verdict, claim.text),
            6,
            style.width,
            out,
        );
    }
}
