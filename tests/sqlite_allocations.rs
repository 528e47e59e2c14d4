//! The SQLite adapter allocates nothing per record: not when it stores, not
//! when it reads scalars, and not for lists once their room has grown.

use std::alloc::{GlobalAlloc, Layout, System};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use persist_lab::base::{Value, ValueRef};
use persist_lab::engines::sqlite::Sqlite;
use persist_lab::engines::{Engine, Options, Session, Setting};
use persist_lab::plan::{
    Column, Field, FieldKind, Model, Path, Query, Request, Scalar, Schema, Select,
};
use persist_lab::workload::{Content, NoHooks, Record, Sink, TouchSink};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller says.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller says.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    work();
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

fn schema() -> Schema {
    let field = |name: &str, kind, optional| Field {
        name: name.into(),
        kind,
        optional,
    };
    Schema {
        models: vec![Model {
            name: "Note".into(),
            fields: vec![
                field("id", FieldKind::Scalar(Scalar::Uuid), false),
                field("body", FieldKind::Scalar(Scalar::Text), false),
                field("size", FieldKind::Scalar(Scalar::Float), true),
                field("tags", FieldKind::List(Scalar::Text), false),
            ],
            key: Some(0),
            indexes: Vec::new(),
        }],
    }
}

fn note(row: u64) -> Record {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&row.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
    let tags = ["red", "green", "blue"].map(|t| Value::Text(t.into()));
    let fields = [
        Value::Uuid(id),
        Value::Text(format!("a body of note {row:06}")),
        if row.is_multiple_of(3) {
            Value::Null
        } else {
            Value::Float(0.5)
        },
        Value::List(tags.to_vec()),
    ];
    Record {
        row,
        fields: fields.into_iter().map(Content::Value).collect(),
    }
}

/// Makes sure that values came.
#[derive(Default)]
struct Checked {
    touch: TouchSink,
    listed: usize,
}

impl Sink for Checked {
    fn row(&mut self, values: &[ValueRef<'_>]) {
        self.touch.row(values);
        for value in values {
            if let ValueRef::List(items) = value {
                self.listed += items.len();
            }
        }
    }
}

#[test]
fn nothing_is_allocated_per_record() {
    let directory = tempfile::tempdir().expect("a directory");
    let (schema, options) = (schema(), Options::new());
    let setting = Setting {
        schema: &schema,
        hooks: &[],
        options: &options,
    };
    let mut session = Sqlite
        .open(directory.path(), &setting, Rc::new(NoHooks))
        .expect("open");
    let records: Vec<Record> = (0..3_000).map(note).collect();
    let mut store = |from: usize, to: usize| {
        allocations(|| {
            session.begin().expect("begin");
            session.insert(0, &records[from..to]).expect("insert");
            session.commit().expect("commit");
        })
    };
    store(0, 10);
    let (few, many) = (store(10, 510), store(510, 3_000));
    assert_eq!(few, many, "storing");

    for fields in [vec![0, 1, 2], vec![0, 1, 2, 3]] {
        let lists = fields.len() == 4;
        let columns = fields
            .into_iter()
            .map(|field| Column::Path(Path::field(&schema, 0, field)));
        let mut query = Query {
            model: 0,
            select: Select::All,
            order: Vec::new(),
            limit: Some(100),
            offset: 0,
            columns: columns.collect(),
        };
        let mut read = |session: &mut dyn Session| {
            let prepared = session
                .prepare(&Request::Read(query.clone()))
                .expect("prepare");
            query.limit = None;
            let mut sink = Checked::default();
            let count = allocations(|| {
                session.execute(prepared, &[], &mut sink).expect("execute");
            });
            assert_eq!(sink.listed > 0, lists);
            (sink.touch.rows(), count)
        };
        let (few, many) = (read(&mut *session), read(&mut *session));
        assert_eq!((few.0, many.0), (100, 3_000));
        assert_eq!(few.1, many.1, "reading, lists: {lists}");
        assert!(many.1 < 64, "{} allocations", many.1);
    }
}
