//! What stays on disk, and what may go on from it.

use std::io::Write;

use super::Case;
use super::plans::{Bench, sources};
use persist_lab::archive::{self, Note, State, verify};
use persist_lab::diagnostics::Code;

pub const CASES: &[Case] = &[
    ("an_archive_tells_all_and_is_sealed", || {
        let bench = Bench::new("fine", &["good"], &[10], 2);
        let (summary, archive) = bench.run();
        assert_eq!(summary.directory, bench.out());
        assert_eq!(archive.manifest.state, State::Complete);
        assert_eq!(archive.plan, bench.plan);
        let texts: Vec<&str> = archive.sources.iter().map(|s| s.text.as_str()).collect();
        let given = sources();
        assert_eq!(texts, [given[0].text.as_str(), given[1].text.as_str()]);
        let found = verify(&bench.out()).unwrap();
        assert!(found.intact() && found.added.is_empty() && found.root.is_some());
        // Nothing in it tells where it was made.
        let here = bench.directory.path().to_str().unwrap();
        for name in [
            "cells.jsonl",
            "answers.jsonl",
            "manifest.json",
            "environment.json",
        ] {
            let text = std::fs::read_to_string(bench.out().join(name)).unwrap();
            assert!(!text.contains(here), "{name}: {text}");
        }
    }),
    ("a_directory_is_not_used_twice", || {
        let bench = Bench::new("fine", &["good"], &[10], 1);
        bench.run();
        let error = bench.try_run().unwrap_err();
        assert_eq!(error.code, Code::ArchiveUnwritable);
        assert!(error.help.unwrap().contains("--resume"));
    }),
    ("the_default_directory_has_the_experiment_s_name", || {
        let bench = Bench::new("fine", &["good"], &[10], 1);
        let mut options = bench.options();
        options.out = None;
        let run = || {
            let events = &mut persist_lab::run::Silent;
            persist_lab::run::execute(&bench.plan, &sources(), &options, events).unwrap()
        };
        let (first, second) = (run(), run());
        let name = first
            .directory
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        assert!(name.starts_with("misbehaviour-2"), "{name}");
        assert_ne!(first.directory, second.directory);
    }),
    ("stores_may_lie_elsewhere", || {
        let bench = Bench::new("fine", &["good"], &[10], 1);
        let work = bench.directory.path().join("elsewhere");
        let mut options = bench.options();
        options.work = Some(work.clone());
        let events = &mut persist_lab::run::Silent;
        persist_lab::run::execute(&bench.plan, &sources(), &options, events).unwrap();
        assert_eq!(std::fs::read_dir(&work).unwrap().count(), 0);
    }),
    ("another_plan_is_refused_by_name", || {
        let mut bench = Bench::new("fine", &["good"], &[10], 1);
        bench.run();
        bench.plan.study.seed = 8;
        bench.plan.jobs[0].runs = 3;
        let error = bench.try_resume().unwrap_err();
        assert_eq!(error.code, Code::ArchiveOther);
        assert!(
            error.message.contains("seed 7 there, 8 here"),
            "{}",
            error.message
        );
        assert!(
            error.message.contains(": 1 there, 3 here"),
            "{}",
            error.message
        );
    }),
    ("another_budget_is_no_other_plan", || {
        let mut bench = Bench::new("fine", &["good"], &[10], 1);
        bench.run();
        bench.plan.study.budget_ns = Some(1);
        bench.plan.study.overrides = vec!["--budget 1ns".into()];
        assert_eq!(bench.try_resume().unwrap().complete, 1);
    }),
    ("what_is_complete_runs_nothing_on_resuming", || {
        let bench = Bench::new("fine", &["good"], &[10], 2);
        bench.run();
        let starts = bench.log().len();
        let summary = bench.try_resume().unwrap();
        assert_eq!((summary.resumed, summary.complete), (2, 2));
        assert_eq!(bench.log().len(), starts);
        assert_eq!(bench.open().manifest.sessions.len(), 2);
        assert!(verify(&bench.out()).unwrap().intact());
    }),
    ("what_was_edited_is_refused_by_name", || {
        let bench = Bench::new("wrong", &["bad"], &[10], 1);
        bench.run();
        let path = bench.out().join("cells.jsonl");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("expected 11", "expected 12")).unwrap();
        assert_eq!(verify(&bench.out()).unwrap().changed, ["cells.jsonl"]);
        let error = bench.try_resume().unwrap_err();
        assert_eq!(error.code, Code::ArchiveChanged);
        assert!(error.message.contains("cells.jsonl"), "{}", error.message);
    }),
    ("a_newer_version_is_refused", || {
        let bench = Bench::new("fine", &["good"], &[10], 1);
        bench.run();
        for name in ["manifest.json", "plan.json", "cells.jsonl", "answers.jsonl"] {
            let path = bench.out().join(name);
            let text = std::fs::read_to_string(&path).unwrap();
            let newer = text
                .replacen("\"version\": 1", "\"version\": 99", 1)
                .replacen("\"version\":1", "\"version\":99", 1);
            assert_ne!(text, newer, "{name}");
            std::fs::write(&path, newer).unwrap();
            let error = archive::open(&bench.out()).unwrap_err();
            assert_eq!(error.code, Code::ArchiveNewer, "{name}: {}", error.message);
            std::fs::write(&path, text).unwrap();
        }
        archive::open(&bench.out()).unwrap();
    }),
    ("a_torn_line_is_dropped_and_its_cell_run_again", || {
        let bench = Bench::new("fine", &["good"], &[10], 3);
        bench.run();
        std::fs::remove_file(bench.out().join("hashes.json")).unwrap();
        let path = bench.out().join("cells.jsonl");
        let text = std::fs::read(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 20]).unwrap();
        let archive = bench.open();
        assert_eq!(archive.cells.len(), 2);
        let note = Note::TornLine {
            file: "cells.jsonl".into(),
        };
        assert!(archive.manifest.notes.contains(&note));
        let before = bench.starts("good");
        let summary = bench.try_resume().unwrap();
        assert_eq!((summary.resumed, summary.complete), (2, 3));
        assert_eq!(bench.starts("good"), before + 1);
        assert!(bench.open().manifest.notes.contains(&note));
    }),
    ("what_is_no_archive_is_refused", || {
        let directory = tempfile::tempdir().unwrap();
        let error = archive::open(directory.path()).unwrap_err();
        assert_eq!(error.code, Code::ArchiveUnreadable);
        std::fs::File::create(directory.path().join("manifest.json"))
            .unwrap()
            .write_all(b"{}")
            .unwrap();
        assert_eq!(
            archive::open(directory.path()).unwrap_err().code,
            Code::ArchiveUnreadable
        );
    }),
    ("a_worker_that_cannot_be_started_stops_the_run", || {
        let bench = Bench::new("fine", &["good"], &[10], 1);
        let mut options = bench.options();
        options.worker.program = "/nowhere/persist-lab".into();
        let events = &mut persist_lab::run::Silent;
        let error =
            persist_lab::run::execute(&bench.plan, &sources(), &options, events).unwrap_err();
        assert_eq!(error.code, Code::WorkerUnavailable);
        assert_eq!(bench.open().manifest.state, State::Interrupted);
    }),
];
