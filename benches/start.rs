//! From the start of `persist-lab run` to the first call of an engine, the
//! whole way: reading, checking, lowering, opening the archive, starting the
//! worker. Target: under 100 ms.
//!
//! `cargo bench --bench start`. The experiment answers nothing, so that the
//! oracle's own run adds next to nothing; its process and the probes of the
//! disk stand before the first cell and are counted.

use std::process::Command;
use std::time::Instant;

const ROUNDS: usize = 15;

const EXPERIMENT: &str = r#"
experiment "Start" { runs 1 }
model Item { id: int key = row }
engine sqlite
trial "Start" as start { write: create 1 Item }
"#;

fn main() {
    let directory = std::env::temp_dir().join(format!("persist-lab-start-{}", std::process::id()));
    let file = directory.join("start.exp");
    if let Err(error) =
        std::fs::create_dir_all(&directory).and_then(|()| std::fs::write(&file, EXPERIMENT))
    {
        eprintln!("{}: {error}", directory.display());
        return;
    }
    let mut whole_ms = Vec::new();
    let mut worker_ms = Vec::new();
    for round in 0..ROUNDS {
        let out = directory.join(format!("out-{round}"));
        let began = Instant::now();
        let status = Command::new(env!("CARGO_BIN_EXE_persist-lab"))
            .arg("run")
            .arg(&file)
            .arg("--out")
            .arg(&out)
            .output();
        let whole = began.elapsed().as_secs_f64() * 1e3;
        assert!(
            status.is_ok_and(|output| output.status.success()),
            "it runs"
        );
        let cells = std::fs::read_to_string(out.join("cells.jsonl")).unwrap_or_default();
        let record: serde_json::Value = serde_json::from_str(cells.trim()).unwrap_or_default();
        let ms = |name: &str| record[name].as_u64().unwrap_or_default() as f64 / 1e6;
        worker_ms.push(ms("start_ns"));
        // An upper bound: all of the run but the cell itself, which it includes
        // the bookkeeping after it.
        whole_ms.push(whole - (ms("wall_ns") - ms("start_ns")));
    }
    print("worker's start to its first engine call", &mut worker_ms);
    print(
        "run's start to the first engine call, at most",
        &mut whole_ms,
    );
    // Left behind only where the directory cannot be written any more.
    let _ = std::fs::remove_dir_all(&directory);
}

fn print(what: &str, all_ms: &mut [f64]) {
    all_ms.sort_by(f64::total_cmp);
    println!(
        "{what}: {:.1} ms ({:.1}–{:.1})",
        all_ms[all_ms.len() / 2],
        all_ms[0],
        all_ms[all_ms.len() - 1]
    );
}
