//! The real worker with the real engines, from plan to archive.

use std::path::Path;

use super::Case;
use super::plans::{Bench, death, of};
use super::worker_support::{assignment, count, create, in_folder, query, step};
use persist_lab::archive::Expected;
use persist_lab::base::Value;
use persist_lab::plan::{Op, Select, Step, Transaction};
use persist_lab::sample::{Outcome, StepState};

pub const CASES: &[Case] = &[
    ("real_engines_agree_with_the_oracle", || {
        let bench = real(&["sqlite", "memory"], &[500, 2_000], 2);
        let (summary, archive) = bench.run();
        for record in &archive.cells {
            assert_eq!(record.outcome, Outcome::Complete, "{}", record.job);
        }
        assert!(summary.good());
        assert_eq!((summary.cells, summary.complete), (8, 8));

        let sqlite = of(&archive, "sqlite")[3];
        let labels: Vec<&str> = sqlite.steps.iter().map(|s| s.label.as_str()).collect();
        assert_eq!(labels, ["write", "page", "count", "size"]);
        let [write, page, counted, size] = &sqlite.steps[..] else {
            panic!("{labels:?}");
        };
        assert_eq!((write.answer.count, write.objects), (2_000, 2_000));
        assert_eq!((page.answer.count, counted.answer.count), (200, 1_400));
        assert!(page.answer.digest.is_some());
        assert!(write.wall_ns > page.wall_ns && page.wall_ns > 0);
        assert!(write.memory.is_some());
        assert!(!size.files.is_empty() && !sqlite.files.is_empty());
        // It holds what was stored; small ints take less there than their eight bytes.
        let stored: u64 = sqlite.files.iter().map(|file| file.allocated_bytes).sum();
        assert!(
            stored > write.logical_bytes / 2,
            "{stored} {}",
            write.logical_bytes
        );
        // The memory engine keeps no files.
        let memory = of(&archive, "memory")[3];
        assert!(matches!(memory.steps[3].state, StepState::NotApplicable(_)));
    }),
    ("the_real_oracle_and_harness_fit_together", || {
        let bench = real(&["sqlite"], &[2_000], 3);
        let (_, archive) = bench.run();
        let expected = archive.expected("real-2000").unwrap();
        assert!(
            matches!(expected, Expected::Answered { .. }),
            "{expected:?}"
        );
        assert_eq!(expected.deliver(), Some(vec![2_000, 200, 1_400, 0]));
        assert!(
            archive.manifest.notes.is_empty(),
            "{:?}",
            archive.manifest.notes
        );
        assert_eq!(archive.harness.len(), 3);
        for record in &archive.harness {
            assert_eq!(record.failed, None);
            let delivered: Vec<u64> = record.steps.iter().map(|s| s.answer.count).collect();
            assert_eq!(delivered[..3], [2_000, 200, 1_400]);
            // Far below what SQLite needs for the same.
            let sqlite = &of(&archive, "sqlite")[0].steps[0];
            assert!(record.steps[0].wall_ns * 2 < sqlite.wall_ns);
        }
        assert!(archive.environment().unwrap().allocator.is_some());
        assert!(
            archive
                .environment()
                .unwrap()
                .engines
                .contains_key("sqlite")
        );
    }),
    ("a_real_engine_past_its_memory_limit_dies", || {
        let mut bench = real(&["memory"], &[10_000], 1);
        bench.plan.study.limits.memory_bytes = 3 << 20;
        let (_, archive) = bench.run();
        let (step, cause, message) = death(&archive.cells[0]);
        assert_eq!((step, cause), (Some("write"), "memory limit"), "{message}");
    }),
];

/// `create n Note`, a filtered read, a count, the files.
fn real(engines: &[&str], sizes: &[u64], runs: u32) -> Bench {
    let mut bench = Bench::new("real", engines, sizes, runs);
    bench.worker = "real-worker";
    bench.plan.pools.clear();
    for job in &mut bench.plan.jobs {
        let made = assignment("", Path::new(""), Vec::new(), steps(job.size)).job;
        job.schema = made.schema;
        job.generators = made.generators;
        job.extents = made.extents;
        job.extents[0].count = job.size;
        job.setup = Vec::new();
        job.steps = made.steps;
        job.options.clear();
        if bench.plan.engines[job.engine].kind == "sqlite" {
            let wal = Value::Text("wal".into());
            job.options.insert("journal_mode".into(), wal);
        }
        job.answer_key = format!("real-{}", job.size);
    }
    bench
}

fn steps(size: u64) -> Vec<Step> {
    let read = Op::Read {
        query: query(in_folder(3)),
        access: None,
        compute: None,
        repeat: 1,
    };
    let counting: Select = in_folder(3);
    vec![
        step("write", create(0, size, Transaction::One)),
        step("page", read),
        step("count", count(counting, 7)),
        step("size", Op::Storage),
    ]
}
