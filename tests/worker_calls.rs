//! How the worker calls an engine: grouping into commits, statements prepared
//! once, what stands inside the clock, how errors are told.

mod worker_support;

use persist_lab::base::Value;
use persist_lab::plan::query::UpdateBy;
use persist_lab::plan::step::Operand;
use persist_lab::plan::{
    Access, Aggregate, Assignment, At, CompareOp, Compute, Expr, Hook, Op, Request, Select, Step,
    Transaction,
};
use persist_lab::sample::{Message, StepSample, StepState};
use persist_lab::worker::{Confinement, serve, serve_with};
use worker_support::recorder::{Mood, Recorder};
use worker_support::{assignment, count, create, in_folder, messages, query, samples, step};

/// Runs a cell without verifying pass; returns its messages, whatever it ended by.
fn run_with(engine: &Recorder, change: impl FnOnce(&mut Assignment)) -> Vec<Message> {
    let directory = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
    let mut assignment = assignment("recorder", directory.path(), Vec::new(), Vec::new());
    assignment.verify = false;
    change(&mut assignment);
    let mut frames = Vec::new();
    let result = serve_with(engine, &assignment, &mut frames, Confinement::None);
    let messages = messages(&frames);
    let ended_well = matches!(messages.last(), Some(Message::Done { .. }));
    assert_eq!(result.is_ok(), ended_well, "{messages:?}");
    messages
}

/// Runs these measured steps; returns the calls between opening and closing, and the samples.
fn run(steps: Vec<Op>) -> (Vec<String>, Vec<StepSample>) {
    let engine = Recorder::new();
    let messages = run_with(&engine, |assignment| {
        let labelled = steps.into_iter().enumerate();
        assignment.job.steps = labelled
            .map(|(at, op)| step(&format!("step{at}"), op))
            .collect();
    });
    let mut calls = engine.calls();
    assert_eq!(calls.remove(0), "open");
    assert_eq!(calls.pop().as_deref(), Some("close"));
    (calls, samples(&messages))
}

fn update(select: Select, access: Option<Access>, transaction: Transaction, repeat: u64) -> Op {
    Op::Update {
        model: 0,
        select,
        access,
        set: vec![(1, Expr::Literal(Value::Int(5)))],
        by: UpdateBy::Idiom,
        transaction,
        repeat,
    }
}

fn by_id(at: At) -> Option<Access> {
    Some(Access {
        field: 0,
        at,
        population: 100,
        salt: 1,
    })
}

fn read(access: Option<Access>, compute: Option<Compute>, repeat: u64) -> Op {
    let select = match access {
        Some(_) => Select::Point(0),
        None => in_folder(1),
    };
    Op::Read {
        query: query(select),
        access,
        compute,
        repeat,
    }
}

#[test]
fn objects_are_grouped_into_commits() {
    let (calls, samples) = run(vec![create(0, 10, Transaction::Of(4))]);
    assert_eq!(
        calls,
        [
            "begin",
            "insert 0: 0+4",
            "commit",
            "begin",
            "insert 0: 4+4",
            "commit",
            "begin",
            "insert 0: 8+2",
            "commit"
        ]
    );
    assert_eq!(samples[0].commits, 3);
    let (calls, samples) = run(vec![create(0, 3, Transaction::One)]);
    assert_eq!(calls, ["begin", "insert 0: 0+3", "commit"]);
    assert_eq!(samples[0].commits, 1);
    let (calls, samples) = run(vec![create(7, 3, Transaction::Autocommit)]);
    assert_eq!(calls, ["insert 0: 7+1", "insert 0: 8+1", "insert 0: 9+1"]);
    assert_eq!(samples[0].commits, 3);
    assert_eq!(samples[0].objects, 3);
    assert_eq!(samples[0].logical_bytes, 3 * (8 + 8 + 64));
    assert_eq!(samples[0].answer.count, 3);
}

#[test]
fn batches_are_small_and_a_transaction_spans_them() {
    let (calls, samples) = run(vec![create(0, 10_000, Transaction::Of(9_000))]);
    let batches: Vec<u64> = calls
        .iter()
        .filter_map(|call| call.strip_prefix("insert 0: ")?.split_once('+'))
        .map(|(_, count)| count.parse().unwrap())
        .collect();
    assert!(batches.len() >= 10, "{batches:?}");
    assert!(batches.iter().all(|count| *count <= 1024), "{batches:?}");
    assert_eq!(batches.iter().sum::<u64>(), 10_000);
    assert_eq!(calls.iter().filter(|call| *call == "commit").count(), 2);
    let before: u64 = calls
        .iter()
        .take_while(|call| *call != "commit")
        .filter_map(|call| call.rsplit_once('+')?.1.parse::<u64>().ok())
        .sum();
    assert_eq!(before, 9_000);
    assert_eq!(samples[0].commits, 2);
}

#[test]
fn pools_come_first_in_the_first_transaction() {
    let with_pool = |transaction| Op::Create {
        model: 0,
        first_row: 5,
        count: 2,
        pools: vec![(0, 5)],
        transaction,
        instantiated: false,
    };
    let (calls, samples) = run(vec![with_pool(Transaction::Of(1))]);
    assert_eq!(
        calls,
        [
            "begin",
            "insert 0: 0+5",
            "insert 0: 5+1",
            "commit",
            "begin",
            "insert 0: 6+1",
            "commit"
        ]
    );
    assert_eq!(samples[0].objects, 7);
    assert_eq!(samples[0].answer.count, 2);
    let (calls, samples) = run(vec![with_pool(Transaction::Autocommit)]);
    assert_eq!(
        calls,
        [
            "begin",
            "insert 0: 0+5",
            "insert 0: 5+1",
            "commit",
            "insert 0: 6+1"
        ]
    );
    assert_eq!(samples[0].commits, 2);
}

#[test]
fn what_was_instantiated_is_stored() {
    let steps = || {
        vec![
            Op::Instantiate {
                model: 0,
                first_row: 0,
                count: 4,
            },
            Op::Create {
                model: 0,
                first_row: 0,
                count: 4,
                pools: Vec::new(),
                transaction: Transaction::Of(3),
                instantiated: true,
            },
        ]
    };
    let (calls, samples) = run(steps());
    assert_eq!(
        calls,
        [
            "instantiate 0: 4",
            "begin",
            "insert_instantiated 0: 3",
            "commit",
            "begin",
            "insert_instantiated 0: 1",
            "commit"
        ]
    );
    assert_eq!((samples[0].objects, samples[1].objects), (0, 4));
    assert_eq!(samples[1].logical_bytes, 4 * 80);

    let mut engine = Recorder::new();
    engine.capabilities.instantiate = false;
    let messages = run_with(&engine, |assignment| {
        let labelled = steps().into_iter().map(|op| step("s", op));
        assignment.job.steps = labelled.collect();
    });
    let samples = worker_support::samples(&messages);
    assert!(matches!(samples[0].state, StepState::NotApplicable(_)));
    assert_eq!((samples[0].wall_ns, samples[0].memory), (0, None));
    assert!(engine.calls().contains(&"insert 0: 0+3".to_owned()));
}

#[test]
fn a_statement_is_prepared_once_and_executed_often() {
    let (calls, samples) = run(vec![count(in_folder(1), 1_000)]);
    assert_eq!(calls, ["prepare count", "execute ×1000", "release"]);
    let sample = &samples[0];
    assert_eq!((sample.operations, sample.answer.count), (1_000, 3_000));
    let latency = sample.latency.as_ref().unwrap();
    assert!(latency.count >= 63, "{latency:?}");
    assert!(latency.min_ns <= latency.p50_ns && latency.p50_ns <= latency.max_ns);
    let (_, samples) = run(vec![count(in_folder(1), 1)]);
    assert_eq!((samples[0].operations, &samples[0].latency), (1, &None));
}

#[test]
fn repetitions_are_grouped_into_commits() {
    let (calls, samples) = run(vec![update(
        Select::Point(0),
        by_id(At::Random),
        Transaction::Of(2),
        5,
    )]);
    assert_eq!(
        calls,
        [
            "prepare update",
            "begin",
            "change ×2",
            "commit",
            "begin",
            "change ×2",
            "commit",
            "begin",
            "change",
            "commit",
            "release"
        ]
    );
    assert_eq!((samples[0].commits, samples[0].answer.count), (3, 5));
    let (calls, samples) = run(vec![update(
        Select::Point(0),
        by_id(At::First),
        Transaction::Autocommit,
        5,
    )]);
    assert_eq!(calls, ["prepare update", "change ×5", "release"]);
    assert_eq!(samples[0].commits, 5);
}

#[test]
fn a_grouped_change_goes_by_identities() {
    let (calls, samples) = run(vec![update(in_folder(1), None, Transaction::Of(2), 1)]);
    assert_eq!(
        calls,
        [
            "prepare identities",
            "execute",
            "prepare update",
            "begin",
            "change [Int(100)]",
            "change [Int(101)]",
            "commit",
            "begin",
            "change [Int(102)]",
            "commit",
            "release ×2"
        ]
    );
    assert_eq!((samples[0].commits, samples[0].answer.count), (2, 3));
    assert_eq!(samples[0].operations, 1);
    let delete = |transaction| Op::Delete {
        model: 0,
        select: Select::All,
        access: None,
        transaction,
        repeat: 1,
    };
    let (calls, samples) = run(vec![delete(Transaction::One)]);
    assert_eq!(
        calls,
        ["prepare delete", "begin", "change", "commit", "release"]
    );
    assert_eq!((samples[0].commits, samples[0].answer.count), (1, 1));
    let (calls, samples) = run(vec![delete(Transaction::Autocommit)]);
    assert!(!calls.contains(&"begin".to_owned()), "{calls:?}");
    assert_eq!((samples[0].commits, samples[0].answer.count), (3, 3));
}

#[test]
fn a_block_groups_passes() {
    let verbs = vec![
        step("lower", update(in_folder(1), None, Transaction::One, 1)),
        step("look", read(by_id(At::Last), None, 2)),
        step("order", create(100, 2, Transaction::One)),
    ];
    let block = Op::Block {
        repeat: 3,
        model: 0,
        at: At::Random,
        population: 100,
        salt: 3,
        binds: vec![0],
        transaction: Transaction::Of(2),
        body: verbs,
    };
    let (calls, samples) = run(vec![block]);
    assert_eq!(
        calls,
        [
            "begin",
            "prepare update",
            "change",
            "prepare read",
            "execute ×2",
            "insert 0: 100+2",
            "change",
            "execute ×2",
            "insert 0: 102+2",
            "commit",
            "begin",
            "change",
            "execute ×2",
            "insert 0: 104+2",
            "commit",
            "release ×2"
        ]
    );
    let sample = &samples[0];
    assert_eq!((sample.commits, sample.operations), (2, 3));
    assert_eq!((sample.objects, sample.answer.count), (6, 3 * (1 + 6 + 2)));
}

#[test]
fn values_are_computed_by_engine_or_hook() {
    let aggregate = Compute::Aggregate {
        function: Aggregate::Sum,
        of: Expr::Path(worker_support::path(0)),
    };
    let (calls, samples) = run(vec![read(None, Some(aggregate), 1)]);
    assert_eq!(calls, ["prepare aggregate", "execute", "release"]);
    assert_eq!(samples[0].answer.value, Some(Value::Int(42)));

    let engine = Recorder::new();
    let messages = run_with(&engine, |assignment| {
        assignment.hooks = vec![hook(
            "total",
            &["notes", "times"],
            "let t = 0; for n in notes { t += n.id } t * times",
        )];
        let hook = Compute::Hook {
            hook: 0,
            args: vec![Expr::Neg(Box::new(Expr::Literal(Value::Int(2))))],
        };
        assignment.job.steps = vec![step("sum", read(None, Some(hook), 1))];
    });
    let sample = &worker_support::samples(&messages)[0];
    assert_eq!(sample.answer.value, Some(Value::Int(-606)));
    assert!(sample.hook_ns > 0 && sample.hook_ns < sample.wall_ns);
}

fn hook(name: &str, parameters: &[&str], body: &str) -> Hook {
    Hook {
        name: name.into(),
        parameters: parameters.iter().map(|name| (*name).to_owned()).collect(),
        body: body.into(),
        file: "test.exp".into(),
        line: 7,
        column: 3,
    }
}

#[test]
fn a_failing_expect_takes_the_times_away_from_later_steps() {
    let expect = |right| Op::Expect {
        left: Operand::Count("step0".into()),
        op: CompareOp::Equal,
        right: Operand::Literal(Value::Int(right)),
    };
    let (_, samples) = run(vec![
        count(Select::All, 1),
        expect(3),
        count(Select::All, 1),
        expect(4),
        count(Select::All, 1),
    ]);
    assert_eq!(samples[2].state, StepState::Measured);
    assert!(samples[2].wall_ns > 0);
    let StepState::Expected { held, text } = &samples[3].state else {
        panic!("{:?}", samples[3].state);
    };
    assert_eq!((*held, text.as_str()), (false, "3 == 4"));
    assert_eq!(samples[4].state, StepState::Untimed);
    assert_eq!((samples[4].wall_ns, samples[4].answer.count), (0, 3));
}

#[test]
fn generation_stands_outside_the_clock() {
    let (_, samples) = run(vec![create(0, 10_000, Transaction::One)]);
    let sample = &samples[0];
    let span = sample.span_ns.1 - sample.span_ns.0;
    // The engine does nothing; what remains is some tens of calls that note themselves.
    assert!(sample.wall_ns > 0);
    assert!(sample.wall_ns < span / 10, "{} of {span}", sample.wall_ns);
}

#[test]
fn stores_are_opened_closed_and_cooled() {
    let reopened = |cold| {
        vec![
            Op::Reopen { cold },
            Op::Storage,
            Op::Compact,
            Op::Checkpoint,
        ]
    };
    let (calls, samples) = run(reopened(true));
    assert_eq!(calls, ["close", "open", "Compact", "Checkpoint"]);
    let resident = samples[0].resident_before.unwrap();
    assert!(resident < 0.1, "{resident}");
    for sample in &samples[1..] {
        assert_eq!(sample.files.len(), 1, "{sample:?}");
        assert_eq!(sample.files[0].apparent_bytes, 100_000);
        assert!(sample.files[0].allocated_bytes >= 100_000);
    }
    let (_, samples) = run(reopened(false));
    assert!(samples[0].resident_before.unwrap() > 0.9);

    let mut engine = Recorder::new();
    engine.capabilities.persistent = false;
    engine.capabilities.compact = false;
    engine.capabilities.checkpoint = false;
    let messages = run_with(&engine, |assignment| {
        let ops = [vec![Op::Close, Op::Open { cold: true }], reopened(true)].concat();
        assignment.job.steps = ops.into_iter().map(|op| step("s", op)).collect();
        assignment.cold = true;
    });
    assert_eq!(engine.calls(), ["open", "close"]);
    for sample in worker_support::samples(&messages) {
        assert!(
            matches!(sample.state, StepState::NotApplicable(_)),
            "{sample:?}"
        );
    }
}

#[test]
fn a_trial_that_opens_is_not_opened_before() {
    let (calls, samples) = run(vec![Op::Close, Op::Open { cold: false }]);
    assert_eq!(calls, ["close", "open"]);
    assert!(samples[1].wall_ns > 0);
    let engine = Recorder::new();
    let messages = run_with(&engine, |assignment| {
        assignment.job.steps = vec![step("open", Op::Open { cold: false })];
    });
    assert_eq!(engine.calls(), ["open", "close"]);
    assert!(matches!(messages[0], Message::Ready { .. }));
    assert!(messages.contains(&Message::Indexes(vec!["by_nothing".into()])));
}

#[test]
fn a_cold_cell_is_cooled_between_setup_and_steps() {
    let engine = Recorder::new();
    let messages = run_with(&engine, |assignment| {
        assignment.cold = true;
        assignment.job.setup = vec![step("fill", create(0, 2, Transaction::One))];
        assignment.job.steps = vec![step("look", count(Select::All, 1))];
    });
    assert_eq!(
        engine.calls(),
        [
            "open",
            "begin",
            "insert 0: 0+2",
            "commit",
            "close",
            "open",
            "prepare count",
            "execute",
            "release",
            "close"
        ]
    );
    let kinds: Vec<_> = messages
        .iter()
        .map(|message| match message {
            Message::Ready { .. } => "ready",
            Message::Indexes(_) => "indexes",
            Message::Started { setup: true, .. } => "started setup",
            Message::Started { .. } => "started",
            Message::Prepared { count: 2, .. } => "prepared",
            Message::Finished(_) => "finished",
            Message::Done { .. } => "done",
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "ready",
            "indexes",
            "started setup",
            "prepared",
            "started",
            "finished",
            "done"
        ]
    );
}

#[test]
fn the_verifying_pass_asks_for_every_drawn_key() {
    let verified = |at| {
        let engine = Recorder::new();
        let messages = run_with(&engine, |assignment| {
            assignment.verify = true;
            assignment.job.steps = vec![step("look", read(by_id(at), None, 700))];
        });
        let digest = worker_support::samples(&messages)[0].answer.digest.clone();
        (engine.calls(), digest.unwrap())
    };
    let (calls, all) = verified(At::Random);
    let timed = ["open", "prepare read", "execute ×700", "release"];
    let second = ["prepare read", "execute ×700", "release", "close"];
    assert_eq!(calls, [timed, second].concat());
    let (calls, one) = verified(At::First);
    assert_eq!(calls[4..], ["prepare read", "execute", "release", "close"]);
    assert_ne!(all, one);
}

fn failure(messages: &[Message]) -> (&str, &str, &str, Option<&(String, u32, u32)>) {
    match messages.last() {
        Some(Message::Failed {
            step,
            kind,
            message,
            place,
        }) => (step, kind, message, place.as_ref()),
        other => panic!("{other:?}"),
    }
}

fn failing(mood: Mood, steps: Vec<Step>) -> Vec<Message> {
    let engine = Recorder {
        mood,
        ..Recorder::new()
    };
    run_with(&engine, |assignment| {
        assignment.job.steps = steps;
        assignment.hooks = vec![hook("bad", &["notes"], "1 +\n notes.nothing()")];
    })
}

#[test]
fn errors_are_told_with_their_step() {
    let write = || step("write", create(0, 2, Transaction::One));
    let messages = failing(
        Mood::Overflow,
        vec![step("a", count(Select::All, 1)), write()],
    );
    assert_eq!(failure(&messages), ("write", "overflow", "too large", None));
    assert_eq!(samples(&messages).len(), 1);

    let messages = failing(Mood::Panic, vec![write()]);
    let (step_label, kind, words, _) = failure(&messages);
    assert_eq!((step_label, kind), ("write", "panic"));
    assert!(words.contains("the adapter is broken"), "{words}");

    let hooked = Compute::Hook {
        hook: 0,
        args: Vec::new(),
    };
    let messages = failing(Mood::Good, vec![step("sum", read(None, Some(hooked), 1))]);
    let (_, kind, _, place) = failure(&messages);
    assert_eq!(kind, "hook");
    let (file, line, _) = place.unwrap();
    assert_eq!((file.as_str(), *line), ("test.exp", 8));

    let messages = failing(
        Mood::Good,
        vec![step("gone", Op::Close), step("look", count(Select::All, 1))],
    );
    assert_eq!(failure(&messages).1, "plan");
}

#[test]
fn an_assignment_that_cannot_be_run_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let missing = persist_lab::engines::registry::missing();
    let missing = missing.iter().map(|engine| engine.kind);
    for kind in missing.chain(["no_such_engine"]) {
        let assignment = assignment(kind, directory.path(), Vec::new(), Vec::new());
        let mut frames = Vec::new();
        serve(&assignment, &mut frames, Confinement::None).unwrap_err();
        assert_eq!(failure(&messages(&frames)).1, "plan");
    }
    let engine = Recorder::new();
    let messages = run_with(&engine, |assignment| assignment.version += 1);
    assert_eq!(failure(&messages).1, "plan");
    assert!(engine.calls().is_empty());
}

#[test]
fn a_supervisor_that_went_away_ends_the_cell() {
    struct Gone;
    impl std::io::Write for Gone {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let directory = tempfile::tempdir().unwrap();
    let assignment = assignment("recorder", directory.path(), Vec::new(), Vec::new());
    let engine = Recorder::new();
    serve_with(&engine, &assignment, &mut Gone, Confinement::None).unwrap_err();
    assert!(engine.calls().is_empty());
}

#[test]
fn counts_per_value_are_verified_by_their_rows() {
    let mut per = step(
        "per",
        Op::Count {
            model: 0,
            select: Select::All,
            per: Some(worker_support::path(1)),
            repeat: 1,
        },
    );
    per.verify = vec![Request::CountPer {
        model: 0,
        select: Select::All,
        per: worker_support::path(1),
    }];
    let engine = Recorder::new();
    let messages = run_with(&engine, |assignment| {
        assignment.verify = true;
        assignment.job.steps = vec![per];
    });
    let sample = &samples(&messages)[0];
    assert_eq!(sample.answer.count, 3);
    assert!(sample.answer.digest.is_some());
}
