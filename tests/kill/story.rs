//! What is written: the same transactions for every engine, each a function of
//! (seed, number) alone.

use persist_lab::base::Value;
use persist_lab::engines::{EngineError, Prepared, Session};
use persist_lab::plan::schema::{FieldId, ModelId};
use persist_lab::plan::{
    ArithOp, Column, CompareOp, Expr, Field, FieldKind, Index, IndexColumn, Model, Ownership, Path,
    Query, Request, Scalar, Schema, Select, UpdateBy,
};
use persist_lab::workload::{CollectSink, Content, NoSink, Record};

pub const ACCOUNT: ModelId = 0;
pub const ENTRY: ModelId = 1;
/// Entries of an account at most.
const ENTRIES: u64 = 4;
/// Accounts that are kept, about.
const KEPT: u64 = 100;

mod account {
    pub const NUMBER: usize = 0;
    pub const NAME: usize = 1;
    pub const BALANCE: usize = 2;
    pub const NOTE: usize = 3;
    pub const ENTRIES: usize = 4;
}

mod entry {
    pub const LABEL: usize = 0;
    pub const AMOUNT: usize = 1;
    pub const ACCOUNT: usize = 2;
}

pub fn schema() -> Schema {
    let field = |name: &str, kind, optional| Field {
        name: name.into(),
        kind,
        optional,
    };
    let scalar = |name, scalar| field(name, FieldKind::Scalar(scalar), false);
    let entries = FieldKind::ToMany {
        target: ENTRY,
        ownership: Ownership::Owned { max: ENTRIES },
        cascade: true,
        inverse: Some(entry::ACCOUNT),
    };
    let back = FieldKind::ToOne {
        target: ACCOUNT,
        ownership: Ownership::Linked,
        cascade: false,
        inverse_of: Some(account::ENTRIES),
    };
    Schema {
        models: vec![
            Model {
                name: "Account".into(),
                fields: vec![
                    scalar("number", Scalar::Int),
                    scalar("name", Scalar::Text),
                    scalar("balance", Scalar::Int),
                    field("note", FieldKind::Scalar(Scalar::Text), true),
                    field("entries", entries, false),
                ],
                key: Some(account::NUMBER),
                indexes: vec![Index {
                    name: "Account_name".into(),
                    columns: vec![IndexColumn {
                        field: account::NAME,
                        descending: false,
                    }],
                    unique: false,
                }],
            },
            Model {
                name: "Entry".into(),
                fields: vec![
                    scalar("label", Scalar::Text),
                    scalar("amount", Scalar::Int),
                    field("account", back, false),
                ],
                key: None,
                indexes: Vec::new(),
            },
        ],
    }
}

/// Well mixed bits of a number (the finalizer of SplitMix64).
pub fn mix(seed: u64, number: u64) -> u64 {
    let mut z = seed
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(number.wrapping_add(1).wrapping_mul(0xd1b5_4a32_d192_ed03));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Accounts that a transaction adds: mostly a few, now and then many.
fn added(seed: u64, transaction: u64) -> u64 {
    let bits = mix(seed, transaction);
    if bits.is_multiple_of(16) {
        25 + (bits >> 8) % 16
    } else {
        1 + (bits >> 8) % 6
    }
}

fn new_account(seed: u64, row: u64) -> Record {
    let bits = mix(seed ^ 0xacc0, row);
    let entries = (0..bits % (ENTRIES + 1)).map(|at| Record {
        row: row * ENTRIES + at,
        fields: vec![
            text(format!("entry {row}.{at}")),
            Content::Value(Value::Int((bits >> 16) as i64 % 1_000)),
            Content::Owner,
        ],
    });
    let note = match bits % 3 {
        0 => Content::Value(Value::Null),
        // Longer than a page now and then.
        1 => text("n".repeat((bits >> 20) as usize % 60)),
        _ => text("long ".repeat((bits >> 20) as usize % 1_500)),
    };
    Record {
        row,
        fields: vec![
            Content::Value(Value::Int(row as i64)),
            text(format!("account {}", mix(7, row))),
            Content::Value(Value::Int((bits >> 30) as i64 % 10_000)),
            note,
            Content::Children(entries.collect()),
        ],
    }
}

fn text(text: String) -> Content {
    Content::Value(Value::Text(text))
}

fn path(hops: &[FieldId]) -> Path {
    Path {
        hops: hops.to_vec(),
        json: Vec::new(),
        text: "path".into(),
    }
}

fn compare(op: CompareOp, field: FieldId, argument: usize) -> Expr {
    Expr::Compare {
        op,
        left: Box::new(Expr::Path(path(&[field]))),
        right: Box::new(Expr::Arg(argument)),
        ignoring_case: false,
    }
}

fn plus(field: FieldId, by: i64) -> Expr {
    Expr::Arith {
        op: ArithOp::Add,
        left: Box::new(Expr::Path(path(&[field]))),
        right: Box::new(Expr::Literal(Value::Int(by))),
    }
}

/// A session that writes the story, with its requests.
pub struct Writer {
    pub session: Box<dyn Session>,
    seed: u64,
    /// The transaction that is next, and the row of its first account.
    next: u64,
    row: u64,
    raise: Prepared,
    touch: Prepared,
    relabel: Prepared,
    forget: Prepared,
    drop_one: Prepared,
}

impl Writer {
    /// From transaction `next` on.
    pub fn new(mut session: Box<dyn Session>, seed: u64, next: u64) -> Result<Writer, EngineError> {
        let update = |model, select, set, by| Request::Update {
            model,
            select,
            set,
            by,
        };
        let balance = |by| vec![(account::BALANCE, plus(account::BALANCE, by))];
        let requests = [
            // Some accounts by a condition, one statement where there is such.
            update(
                ACCOUNT,
                Select::Where(compare(CompareOp::Less, account::NUMBER, 0)),
                balance(1),
                UpdateBy::Idiom,
            ),
            // One account by its key, as an object.
            update(
                ACCOUNT,
                Select::Point(account::NUMBER),
                balance(1_000),
                UpdateBy::Object,
            ),
            update(
                ENTRY,
                Select::Where(compare(CompareOp::Less, entry::AMOUNT, 0)),
                vec![(entry::AMOUNT, plus(entry::AMOUNT, 7))],
                UpdateBy::Idiom,
            ),
            Request::Delete {
                model: ACCOUNT,
                select: Select::Where(compare(CompareOp::Less, account::NUMBER, 0)),
            },
            Request::Delete {
                model: ACCOUNT,
                select: Select::Point(account::NUMBER),
            },
        ];
        let mut prepared = Vec::with_capacity(requests.len());
        for request in &requests {
            prepared.push(session.prepare(request)?);
        }
        Ok(Writer {
            session,
            seed,
            next,
            row: (0..next).map(|t| added(seed, t)).sum(),
            raise: prepared[0],
            touch: prepared[1],
            relabel: prepared[2],
            forget: prepared[3],
            drop_one: prepared[4],
        })
    }

    /// The transaction that is next.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Carries out the next transaction, from begin to commit.
    pub fn transact(&mut self) -> Result<(), EngineError> {
        self.transact_watched(|_| {})
    }

    /// The same; `watch` sees the store after each call.
    pub fn transact_watched(
        &mut self,
        mut watch: impl FnMut(&mut dyn Session),
    ) -> Result<(), EngineError> {
        self.session.begin()?;
        let bits = mix(self.seed ^ 0x5eed, self.next);
        let count = added(self.seed, self.next);
        let (first, end) = (self.row, self.row + count);
        let accounts: Vec<Record> = (first..end)
            .map(|row| new_account(self.seed, row))
            .collect();
        // In two calls, so that a transaction may be cut between them.
        let (some, rest) = accounts.split_at(accounts.len() / 2);
        self.session.insert(ACCOUNT, some)?;
        watch(self.session.as_mut());
        let low = end.saturating_sub(KEPT);
        let recent = |back: u64| Value::Int(first.saturating_sub(1 + back) as i64);
        self.execute(self.touch, recent((bits >> 8) % 20))?;
        watch(self.session.as_mut());
        if bits.is_multiple_of(3) {
            self.execute(self.raise, Value::Int((low + KEPT / 2) as i64))?;
            watch(self.session.as_mut());
        }
        self.session.insert(ACCOUNT, rest)?;
        watch(self.session.as_mut());
        if bits.is_multiple_of(4) {
            self.execute(self.relabel, Value::Int((bits >> 40) as i64 % 200))?;
            watch(self.session.as_mut());
        }
        self.execute(self.drop_one, recent(20 + (bits >> 24) % 40))?;
        watch(self.session.as_mut());
        self.execute(self.forget, Value::Int(low as i64))?;
        watch(self.session.as_mut());
        self.session.commit()?;
        self.row = end;
        self.next += 1;
        Ok(())
    }

    fn execute(&mut self, request: Prepared, argument: Value) -> Result<(), EngineError> {
        self.session.execute(request, &[argument], &mut NoSink)?;
        Ok(())
    }
}

/// Everything that a store holds, one sorted list of rows per model, after
/// every way to it was gone: a scan, the count, and each account by its key and
/// by its indexed name. Without `links` only what is a record's own.
pub fn state(session: &mut dyn Session, links: bool) -> Result<Vec<Vec<Vec<Value>>>, String> {
    let columns = |paths: &[&[FieldId]]| paths.iter().map(|p| Column::Path(path(p))).collect();
    let query = |model, select, columns| Query {
        model,
        select,
        order: Vec::new(),
        limit: None,
        offset: 0,
        columns,
    };
    let accounts: &[&[FieldId]] = &[
        &[account::NUMBER],
        &[account::NAME],
        &[account::BALANCE],
        &[account::NOTE],
        &[account::ENTRIES, entry::LABEL],
        &[account::ENTRIES, entry::AMOUNT],
    ];
    let entries: &[&[FieldId]] = &[
        &[entry::LABEL],
        &[entry::AMOUNT],
        &[entry::ACCOUNT, account::NUMBER],
    ];
    let (accounts, entries) = match links {
        true => (accounts, entries),
        false => (&accounts[..4], &entries[..2]),
    };
    let mut all = Vec::new();
    for (model, paths) in [(ACCOUNT, accounts), (ENTRY, entries)] {
        let request = Request::Read(query(model, Select::All, columns(paths)));
        let (count, mut rows) = ask(session, &request, &[])?;
        let select = Select::All;
        let (counted, _) = ask(session, &Request::Count { model, select }, &[])?;
        if count != rows.len() as u64 || counted != count {
            return Err(format!(
                "a scan of model {model} gave {} rows and returned {count}, a count {counted}",
                rows.len()
            ));
        }
        for row in &mut rows {
            pair_up(row);
        }
        rows.sort_by_cached_key(|row| format!("{row:?}"));
        all.push(rows);
    }
    let by_key = query(
        ACCOUNT,
        Select::Point(account::NUMBER),
        columns(&accounts[..4]),
    );
    let by_name = query(
        ACCOUNT,
        Select::Point(account::NAME),
        columns(&accounts[..4]),
    );
    for (what, request, column) in [
        ("key", Request::Read(by_key), account::NUMBER),
        ("name", Request::Read(by_name), account::NAME),
    ] {
        let prepared = session.prepare(&request).map_err(|e| e.to_string())?;
        for row in &all[ACCOUNT] {
            let mut found = CollectSink::default();
            session
                .execute(prepared, &row[column..=column], &mut found)
                .map_err(|e| e.to_string())?;
            if found.rows != [row[..4].to_vec()] {
                return Err(format!(
                    "by its {what} {:?} an account is {:?}",
                    row[column], found.rows
                ));
            }
        }
        session.release(prepared);
    }
    Ok(all)
}

/// Labels and amounts of the same entries come in the same order, which is the
/// engine's: pairs, sorted.
fn pair_up(row: &mut Vec<Value>) {
    let Some([Value::List(labels), Value::List(amounts)]) = row.get(4..6) else {
        return;
    };
    let mut pairs: Vec<(String, Value)> = labels
        .iter()
        .zip(amounts)
        .map(|(label, amount)| (format!("{label:?}"), amount.clone()))
        .collect();
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    let pairs = pairs
        .into_iter()
        .map(|(label, amount)| Value::Text(format!("{label} {amount:?}")));
    row.splice(4.., [Value::List(pairs.collect())]);
}

fn ask(
    session: &mut dyn Session,
    request: &Request,
    arguments: &[Value],
) -> Result<(u64, Vec<Vec<Value>>), String> {
    let prepared = session.prepare(request).map_err(|e| e.to_string())?;
    let mut rows = CollectSink::default();
    let count = session.execute(prepared, arguments, &mut rows);
    session.release(prepared);
    Ok((count.map_err(|e| e.to_string())?, rows.rows))
}
