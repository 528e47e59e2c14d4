//! Answers, the oracle, the harness's share.

use super::Case;
use super::plans::{Bench, death, of};
use persist_lab::archive::{Expected, Note};
use persist_lab::sample::Outcome;

pub const CASES: &[Case] = &[
    ("a_wrong_answer_is_void", || {
        let bench = Bench::new("wrong", &["bad", "good"], &[10], 1);
        let (summary, archive) = bench.run();
        assert_eq!((summary.void, summary.complete), (1, 1));
        assert!(!summary.good());
        assert_eq!(
            of(&archive, "bad")[0].outcome,
            Outcome::Void {
                step: "second".into(),
                difference: "12 records, expected 11".into()
            }
        );
    }),
    ("a_wrong_answer_before_a_death_counts_for_nothing", || {
        let bench = Bench::new("wrong_first_then_panic", &["bad"], &[10], 1);
        let (_, archive) = bench.run();
        let (step, cause, message) = death(&archive.cells[0]);
        assert_eq!((step, cause), (Some("second"), "panic"));
        assert!(
            message.contains("`first` had answered wrongly"),
            "{message}"
        );
        assert!(archive.cells[0].steps.is_empty());
    }),
    ("the_oracle_is_asked_once_for_each_key", || {
        let bench = Bench::new("fine", &["good", "better"], &[10, 20], 4);
        let (summary, archive) = bench.run();
        assert_eq!(summary.complete, 16);
        assert_eq!(bench.starts("memory"), 2);
        assert_eq!(archive.answers.len(), 2);
        let Some(Expected::Answered { setup, steps }) = archive.expected("key-fine-20") else {
            panic!("{:?}", archive.answers);
        };
        assert_eq!(setup, &[20]);
        assert_eq!(steps[1].answer.count, 21);
        // The oracle knows nothing of another engine's options.
        assert!(bench.log()[0].ends_with(" None 0"), "{}", bench.log()[0]);
    }),
    ("the_harness_runs_three_times_over_the_rounds", || {
        let bench = Bench::new("fine", &["good", "better"], &[10], 4);
        let (_, archive) = bench.run();
        let runs: Vec<u32> = archive.harness.iter().map(|record| record.run).collect();
        assert_eq!(runs, [0, 1, 2]);
        let log = bench.log();
        let null: Vec<usize> = (0..log.len())
            .filter(|at| log[*at].starts_with("null "))
            .collect();
        assert!(
            log[null[0]].ends_with("Some([10, 10, 11]) 0"),
            "{}",
            log[null[0]]
        );
        // One at the beginning of each of the first three rounds of two cells.
        assert_eq!(null, [1, 4, 7], "{log:?}");
        assert_eq!(archive.harness[0].steps.len(), 2);
    }),
    ("a_harness_that_fails_is_noted_and_left", || {
        let bench = Bench::new("no_harness", &["good"], &[10], 2);
        let (summary, archive) = bench.run();
        assert_eq!((summary.complete, bench.starts("null")), (2, 1));
        assert!(matches!(
            archive.manifest.notes[..],
            [Note::NoHarness { .. }]
        ));
    }),
    ("without_an_oracle_answers_are_unchecked", || {
        let bench = Bench::new("no_oracle", &["good", "better"], &[10], 2);
        let (summary, archive) = bench.run();
        assert_eq!(summary.unchecked, 4);
        assert!(summary.good());
        assert_eq!(bench.starts("memory"), 1);
        assert_eq!(bench.starts("null"), 0);
        let Outcome::Unchecked(why) = &archive.cells[0].outcome else {
            panic!("{:?}", archive.cells[0]);
        };
        assert!(why.contains("memory limit"), "{why}");
        assert!(matches!(
            archive.manifest.notes[..],
            [Note::NoOracle { .. }]
        ));
    }),
    ("a_fallen_oracle_is_not_asked_about_larger_sizes", || {
        let bench = Bench::new("no_oracle", &["good"], &[1_000, 2_000], 1);
        let (summary, archive) = bench.run();
        assert_eq!((summary.unchecked, bench.starts("memory")), (2, 1));
        let Outcome::Unchecked(why) = &archive.cells[1].outcome else {
            panic!("{:?}", archive.cells[1]);
        };
        assert!(why.contains("not asked") && why.contains("n = 1k"), "{why}");
    }),
    (
        "without_an_oracle_engines_are_held_against_each_other",
        || {
            let bench = Bench::new("no_oracle_disagree", &["good", "bad"], &[10], 2);
            let (summary, archive) = bench.run();
            assert_eq!(summary.unchecked, 4);
            let flagged = archive
                .manifest
                .notes
                .iter()
                .filter(|note| matches!(note, Note::Disagreement { step, .. } if step == "second"))
                .count();
            assert_eq!(flagged, 1);
        },
    ),
    ("warm_up_rounds_are_run_and_marked", || {
        let mut bench = Bench::new("fine", &["good"], &[10], 2);
        bench.plan.study.warmup = 1;
        let (summary, archive) = bench.run();
        assert_eq!(summary.cells, 3);
        let warmup: Vec<bool> = archive
            .cells
            .iter()
            .map(|record| record.cell.warmup)
            .collect();
        assert_eq!(warmup, [true, false, false]);
        // The warm-up is no round of the harness.
        assert_eq!(archive.harness.len(), 2);
    }),
    ("cells_carry_what_surrounds_them", || {
        let bench = Bench::new("fine", &["good"], &[10], 1);
        let (_, archive) = bench.run();
        let record = &archive.cells[0];
        assert!(
            record
                .sync_probe_ns
                .is_some_and(|(before, after)| before > 0 && after > 0)
        );
        assert!(record.start_ns > 0 && record.start_ns < record.wall_ns);
        assert!(record.began_unix_s > 1_700_000_000);
        assert_eq!(record.indexes, ["by_key"]);
        assert_eq!(record.files.len(), 1);
        let environment = archive.environment().unwrap();
        assert_eq!(environment.allocator.as_deref(), Some("of the test"));
    }),
];
