//! How long it takes to check a file of 2,000 lines: the time a person waits
//! before anything runs. Target: under 50 ms.
//!
//! `cargo bench --bench check_speed`. Prints milliseconds: median, smallest and
//! largest of 21 rounds, of the parser alone and of the whole check.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use persist_lab::base::FileId;
use persist_lab::check::{Disk, check};
use persist_lab::syntax::parse;

const ROUNDS: usize = 21;
const LINES: usize = 2_000;

/// A valid file of at least [`LINES`] lines: models, trials and claims in turn.
fn text() -> String {
    let mut text = String::from(
        "experiment \"Long\" { seed 1 }\n\nsweep n     = 1k, 10k, 100k\nsweep batch = 1, 10, n\n\nengine sqlite\n",
    );
    for at in 0.. {
        if text.lines().count() >= LINES {
            break;
        }
        // Writing into a String cannot fail.
        let _ = write!(
            text,
            r#"
// Model number {at}.
model M{at} {{
    id:     int key = row
    name:   text = "n{{row}}"
    age:    int = uniform(0, 98)
    kind:   enum(a: 20%, b)
    placed: timestamp = sequence(@2026-01-01T00:00Z, step: 1s..9s)
    index (age, id)
}}

trial "T{at}" as t{at} {{
    setup {{ create n M{at} in transactions of batch }}
    a: read M{at} where age > 18 and kind == "a" order by age, id limit 5
    b: count M{at} where name starts_with "n1" or placed < @2026-02-01T00:00Z
    c: update M{at} where age > 50 set age = age + 1
    d: read M{at} by id at random repeat 100
    e: delete M{at} where age == 7
}}

claim "C{at}" {{
    time(sqlite, t{at}.a) [batch == n] < 5ms for n == 1k
    growth(time, sqlite, t{at}.b) over n is linear
}}
"#
        );
    }
    text
}

fn rounds(what: &str, mut act: impl FnMut()) {
    let mut spent_ms: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            act();
            began.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    spent_ms.sort_by(f64::total_cmp);
    println!(
        "{what}: {:.1} ms ({:.1}–{:.1})",
        spent_ms[ROUNDS / 2],
        spent_ms[0],
        spent_ms[ROUNDS - 1]
    );
}

fn main() {
    let text = text();
    let path = std::env::temp_dir().join(format!("persist-lab-bench-{}.exp", std::process::id()));
    if let Err(error) = std::fs::write(&path, &text) {
        eprintln!("{}: {error}", path.display());
        return;
    }
    println!("{} lines", text.lines().count());
    rounds("parse", || {
        black_box(parse(FileId(0), black_box(&text)));
    });
    rounds("check, with reading and parsing", || {
        let checked = check(Path::new(&path), &Disk);
        assert!(checked.experiment.is_some(), "the file is valid");
    });
    // Left behind only where the directory cannot be written any more.
    let _ = std::fs::remove_file(&path);
}
