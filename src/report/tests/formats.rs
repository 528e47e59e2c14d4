//! Markdown, CSV and JSON.

use super::report;
use super::rows::every_kind;
use crate::report::{csv, json, markdown};

#[test]
fn markdown_holds_the_same_tables() {
    let (plan, records) = every_kind();
    insta::assert_snapshot!(markdown::render(&report(&plan, &records)));
}

#[test]
fn csv_has_a_line_per_row_and_step_and_as_many_cells_in_each() {
    let (plan, records) = every_kind();
    let text = csv::render(&report(&plan, &records));
    let cells = |line: &str| {
        let mut quoted = false;
        1 + line
            .chars()
            .filter(|c| {
                quoted ^= *c == '"';
                *c == ',' && !quoted
            })
            .count()
    };
    let expected = cells(text.lines().next().unwrap());
    assert_eq!(text.lines().count(), 1 + 12 * 3);
    for line in text.lines() {
        assert_eq!(cells(line), expected, "{line}");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn json_is_the_model() {
    let (plan, records) = every_kind();
    let report = report(&plan, &records);
    let value: serde_json::Value = serde_json::from_str(&json::render(&report)).unwrap();
    assert_eq!(value["format"], "persist-lab report");
    assert_eq!(value["version"], 1);
    assert_eq!(value["good"], false);
    assert_eq!(value["tables"].as_array().unwrap().len(), 2);
    let row = &value["tables"][0]["rows"][1];
    assert_eq!(row["engine"], "sqlite");
    assert_eq!(row["state"]["state"], "measured");
    assert_eq!(row["steps"][0]["wall_ns"]["median"], 13_200_000.0);
    assert_eq!(row["steps"][0]["ratio"], 24.0);
    assert_eq!(row["steps"][2]["files"][1]["name"], "store.db-wal");
    assert_eq!(value["tables"][0]["rows"][0]["state"]["state"], "missing");
    assert_eq!(value["claims"][0]["verdict"], "not judged");
    let warning = &value["warnings"][0];
    assert!(warning["warning"]["kind"].is_string(), "{warning}");
    assert!(warning["text"].is_string());
}
