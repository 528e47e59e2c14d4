//! Assignments made by hand, and the frames that come of them.

// Each test crate uses its own part of this.
#![allow(dead_code)]

pub mod recorder;

use std::collections::BTreeMap;

use persist_lab::base::Value;
use persist_lab::plan::schema::{Field, FieldKind, Model, Scalar, Schema};
use persist_lab::plan::{
    ArithOp, Assignment, Column, Expr, Extent, Generator, Job, Op, PLAN_VERSION, Path, Query,
    Request, Select, Step, Transaction,
};
use persist_lab::sample::{Message, StepSample, read_frame};

/// Rows of the tests' model that their jobs make, over all creates.
pub const ROWS: u64 = 10_000;

/// `model Note { id: int key = row  folder: int = row mod 10  body: text = text(64) }`
pub fn schema() -> Schema {
    let field = |name: &str, scalar| Field {
        name: name.into(),
        kind: FieldKind::Scalar(scalar),
        optional: false,
    };
    Schema {
        models: vec![Model {
            name: "Note".into(),
            fields: vec![
                field("id", Scalar::Int),
                field("folder", Scalar::Int),
                field("body", Scalar::Text),
            ],
            key: Some(0),
            indexes: Vec::new(),
        }],
    }
}

fn generators() -> Vec<Vec<Option<Expr>>> {
    let int = |value| Expr::Literal(Value::Int(value));
    vec![vec![
        Some(Expr::Row),
        Some(Expr::Arith {
            op: ArithOp::Remainder,
            left: Box::new(Expr::Row),
            right: Box::new(int(10)),
        }),
        Some(Expr::Generate(Box::new(Generator::Text {
            min: int(64),
            max: int(64),
        }))),
    ]]
}

/// A path to field `field` of the model.
pub fn path(field: usize) -> Path {
    Path::field(&schema(), 0, field)
}

/// All fields of the selected records.
pub fn query(select: Select) -> Query {
    Query {
        model: 0,
        select,
        order: Vec::new(),
        limit: None,
        offset: 0,
        columns: (0..3).map(|field| Column::Path(path(field))).collect(),
    }
}

/// `folder == value`
pub fn in_folder(value: i64) -> Select {
    Select::Where(Expr::Compare {
        op: persist_lab::plan::CompareOp::Equal,
        left: Box::new(Expr::Path(path(1))),
        right: Box::new(Expr::Literal(Value::Int(value))),
        ignoring_case: false,
    })
}

/// A step whose answer is verified by the whole state.
pub fn step(label: &str, op: Op) -> Step {
    let verify = match &op {
        Op::Read { query, .. } => vec![Request::Read(query.clone())],
        Op::Create { .. }
        | Op::Upsert { .. }
        | Op::Update { .. }
        | Op::Delete { .. }
        | Op::Block { .. } => vec![Request::Read(query(Select::All))],
        _ => Vec::new(),
    };
    Step {
        label: label.into(),
        op,
        verify,
        depth: None,
        text: label.into(),
        file: "test.exp".into(),
        line: 1,
    }
}

/// `create count Note`, rows from `first_row` on.
pub fn create(first_row: u64, count: u64, transaction: Transaction) -> Op {
    Op::Create {
        model: 0,
        first_row,
        count,
        pools: Vec::new(),
        transaction,
        instantiated: false,
    }
}

/// `count Note where …`
pub fn count(select: Select, repeat: u64) -> Op {
    Op::Count {
        model: 0,
        select,
        per: None,
        repeat,
    }
}

/// A cell of an engine of that kind, in `directory`.
pub fn assignment(
    kind: &str,
    directory: &std::path::Path,
    setup: Vec<Step>,
    steps: Vec<Step>,
) -> Assignment {
    Assignment {
        version: PLAN_VERSION,
        kind: kind.into(),
        job: Job {
            id: "test".into(),
            engine: 0,
            options: BTreeMap::new(),
            tier: None,
            trial: "test".into(),
            point: Vec::new(),
            size: 0,
            runs: 1,
            skipped: None,
            schema: schema(),
            generators: generators(),
            extents: vec![Extent {
                model: 0,
                first_row: 0,
                count: ROWS,
                populations: vec![0],
            }],
            setup,
            steps,
            answer_key: String::new(),
        },
        pools: Vec::new(),
        hooks: Vec::new(),
        seed: 1,
        cold: false,
        directory: directory.into(),
        memory_bytes: 4 << 30,
        verify: true,
        deliver: None,
    }
}

/// All messages in a worker's output.
pub fn messages(mut frames: &[u8]) -> Vec<Message> {
    let mut messages = Vec::new();
    while let Some(message) = read_frame(&mut frames).expect("frames only") {
        messages.push(message);
    }
    messages
}

/// The measured steps among the messages.
pub fn samples(messages: &[Message]) -> Vec<StepSample> {
    messages
        .iter()
        .filter_map(|message| match message {
            Message::Finished(sample) => Some((**sample).clone()),
            _ => None,
        })
        .collect()
}
