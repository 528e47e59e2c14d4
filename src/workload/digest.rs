//! What a question answered, in 128 bits: equal on every engine that answers
//! the same records.

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::Sink;
use crate::base::ValueRef;
use crate::plan::{Column, Query, Schema};

/// Digests delivered records.
///
/// The records are a multiset: each is encoded canonically and hashed (XXH3,
/// 128 bits), the hashes are added. Lists that come through a to-many link are
/// multisets too; stored lists keep their order. Where the query has an order,
/// the sequence of the sort keys that are among its columns is digested beside
/// it, so that records with equal keys may come in any order.
pub struct DigestSink {
    unordered: Vec<bool>,
    keys: Vec<usize>,
    ordered: bool,
    sum: u128,
    count: u64,
    sequence: Box<Xxh3>,
    record: Vec<u8>,
    key: Vec<u8>,
}

/// The digest of one question's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// Records.
    pub count: u64,
    /// Of the multiset of records, 32 hex digits.
    pub records: String,
    /// Of the sequence of sort keys, 32 hex digits; absent without an order.
    pub order: Option<String>,
}

impl DigestSink {
    /// For the answers of a query.
    pub fn new(schema: &Schema, query: &Query) -> Self {
        let unordered = query
            .columns
            .iter()
            .map(|column| through_many(schema, query.model, column))
            .collect();
        let key_of = |path: &crate::plan::Path| {
            query.columns.iter().position(|column| match column {
                Column::Path(p) => p.hops == path.hops && p.json == path.json,
                Column::Identity => false,
            })
        };
        let keys = query
            .order
            .iter()
            .filter_map(|key| key_of(&key.path))
            .collect();
        DigestSink {
            ordered: !query.order.is_empty(),
            keys,
            ..Self::plain_with(unordered)
        }
    }

    /// For rows without lists of linked objects and without an order: groups
    /// and aggregates.
    pub fn plain() -> Self {
        Self::plain_with(Vec::new())
    }

    fn plain_with(unordered: Vec<bool>) -> Self {
        DigestSink {
            unordered,
            keys: Vec::new(),
            ordered: false,
            sum: 0,
            count: 0,
            sequence: Box::new(Xxh3::new()),
            record: Vec::new(),
            key: Vec::new(),
        }
    }

    /// The digest of what was delivered.
    pub fn finish(&self) -> Digest {
        let mut all = [0; 24];
        all[..16].copy_from_slice(&self.sum.to_le_bytes());
        all[16..].copy_from_slice(&self.count.to_le_bytes());
        Digest {
            count: self.count,
            records: hex(xxh3_128(&all)),
            order: self.ordered.then(|| hex(self.sequence.digest128())),
        }
    }
}

impl Digest {
    /// One digest of several questions, in their order; `None` of none.
    pub fn combined(parts: &[Digest]) -> Option<Digest> {
        if let [one] = parts {
            return Some(one.clone());
        }
        let (first, _) = parts.split_first()?;
        let mut records = Xxh3::new();
        let mut order: Option<Xxh3> = None;
        for part in parts {
            records.update(part.records.as_bytes());
            if let Some(sequence) = &part.order {
                order
                    .get_or_insert_with(Xxh3::new)
                    .update(sequence.as_bytes());
            }
        }
        Some(Digest {
            count: first.count + parts[1..].iter().map(|part| part.count).sum::<u64>(),
            records: hex(records.digest128()),
            order: order.map(|sequence| hex(sequence.digest128())),
        })
    }
}

impl Sink for DigestSink {
    fn row(&mut self, values: &[ValueRef<'_>]) {
        self.record.clear();
        for (at, value) in values.iter().enumerate() {
            match value {
                ValueRef::List(items) if self.unordered.get(at) == Some(&true) => {
                    encode_multiset(items, &mut self.record);
                }
                other => encode(*other, &mut self.record),
            }
        }
        self.sum = self.sum.wrapping_add(xxh3_128(&self.record));
        self.count += 1;
        if self.ordered {
            self.key.clear();
            for &at in &self.keys {
                encode(
                    values.get(at).copied().unwrap_or(ValueRef::Null),
                    &mut self.key,
                );
            }
            self.sequence.update(&self.key);
        }
    }
}

fn through_many(schema: &Schema, model: usize, column: &Column) -> bool {
    match column {
        Column::Path(path) => path.through_many(schema, model).is_some(),
        Column::Identity => false,
    }
}

/// Appends a value: a byte for its kind, then its bytes, with their number in
/// front where it varies. `-0.0` is written as `0.0`.
fn encode(value: ValueRef<'_>, out: &mut Vec<u8>) {
    match value {
        ValueRef::Null => out.push(0),
        ValueRef::Bool(b) => out.extend([1, u8::from(b)]),
        ValueRef::Int(i) => fixed(2, &i.to_le_bytes(), out),
        ValueRef::Float(f) => {
            let canonical = if f == 0.0 { 0.0 } else { f };
            fixed(3, &canonical.to_bits().to_le_bytes(), out);
        }
        ValueRef::Text(text) => sized(4, text.as_bytes(), out),
        ValueRef::Uuid(uuid) => fixed(5, &uuid, out),
        ValueRef::Timestamp(ms) => fixed(6, &ms.to_le_bytes(), out),
        ValueRef::Blob(bytes) => sized(7, bytes, out),
        ValueRef::Json(text) => sized(8, text.as_bytes(), out),
        ValueRef::List(items) => {
            fixed(9, &(items.len() as u64).to_le_bytes(), out);
            for item in items {
                encode(*item, out);
            }
        }
    }
}

fn fixed(kind: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(kind);
    out.extend_from_slice(bytes);
}

fn sized(kind: u8, bytes: &[u8], out: &mut Vec<u8>) {
    fixed(kind, &(bytes.len() as u64).to_le_bytes(), out);
    out.extend_from_slice(bytes);
}

fn encode_multiset(items: &[ValueRef<'_>], out: &mut Vec<u8>) {
    let mut encoded: Vec<Vec<u8>> = items
        .iter()
        .map(|item| {
            let mut bytes = Vec::new();
            encode(*item, &mut bytes);
            bytes
        })
        .collect();
    encoded.sort_unstable();
    fixed(9, &(items.len() as u64).to_le_bytes(), out);
    for item in &encoded {
        out.extend_from_slice(item);
    }
}

fn hex(digest: u128) -> String {
    format!("{digest:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Path;
    use crate::plan::query::{OrderKey, Select};
    use crate::plan::schema::{Field, FieldKind, Model, Ownership, Scalar};

    fn schema() -> Schema {
        let field = |name: &str, kind| Field {
            name: name.into(),
            kind,
            optional: false,
        };
        Schema {
            models: vec![Model {
                name: "M".into(),
                key: None,
                indexes: Vec::new(),
                fields: vec![
                    field("n", FieldKind::Scalar(Scalar::Int)),
                    field("tags", FieldKind::List(Scalar::Int)),
                    field(
                        "many",
                        FieldKind::ToMany {
                            target: 0,
                            ownership: Ownership::Linked,
                            cascade: false,
                            inverse: None,
                        },
                    ),
                ],
            }],
        }
    }

    fn query(columns: &[&[usize]], order: &[&[usize]]) -> Query {
        let path = |hops: &&[usize]| Path {
            hops: hops.to_vec(),
            json: Vec::new(),
            text: String::new(),
        };
        Query {
            model: 0,
            select: Select::All,
            order: order
                .iter()
                .map(|hops| OrderKey {
                    path: path(hops),
                    descending: false,
                })
                .collect(),
            limit: None,
            offset: 0,
            columns: columns
                .iter()
                .map(|hops| Column::Path(path(hops)))
                .collect(),
        }
    }

    fn digest(query: &Query, rows: &[&[ValueRef<'_>]]) -> Digest {
        let mut sink = DigestSink::new(&schema(), query);
        for row in rows {
            sink.row(row);
        }
        sink.finish()
    }

    const ONE: ValueRef<'static> = ValueRef::Int(1);
    const TWO: ValueRef<'static> = ValueRef::Int(2);

    #[test]
    fn records_are_a_multiset_and_keys_a_sequence() {
        let plain = query(&[&[0]], &[]);
        let ordered = query(&[&[0]], &[&[0]]);
        assert_eq!(
            digest(&plain, &[&[ONE], &[TWO]]),
            digest(&plain, &[&[TWO], &[ONE]])
        );
        assert_ne!(digest(&plain, &[&[ONE], &[ONE]]), digest(&plain, &[&[ONE]]));
        assert_ne!(
            digest(&plain, &[&[ONE]]),
            digest(&plain, &[&[ValueRef::Float(1.0)]])
        );
        let (up, down) = (
            digest(&ordered, &[&[ONE], &[TWO]]),
            digest(&ordered, &[&[TWO], &[ONE]]),
        );
        assert_eq!(up.records, down.records);
        assert_ne!(up.order, down.order);
    }

    #[test]
    fn equal_keys_may_come_in_any_order() {
        let ordered = query(&[&[0], &[1]], &[&[0]]);
        let (a, b) = ([ONE, TWO], [ONE, ONE]);
        assert_eq!(digest(&ordered, &[&a, &b]), digest(&ordered, &[&b, &a]));
    }

    #[test]
    fn only_linked_lists_are_multisets() {
        let (up, down) = ([ONE, TWO], [TWO, ONE]);
        let (up, down) = ([ValueRef::List(&up)], [ValueRef::List(&down)]);
        let stored = query(&[&[1]], &[]);
        assert_ne!(digest(&stored, &[&up]), digest(&stored, &[&down]));
        let linked = query(&[&[2, 0]], &[]);
        assert_eq!(digest(&linked, &[&up]), digest(&linked, &[&down]));
        assert_ne!(
            digest(&linked, &[&up]),
            digest(&linked, &[&[ValueRef::List(&[ONE])]])
        );
    }

    #[test]
    fn several_questions_make_one_digest() {
        let plain = query(&[&[0]], &[]);
        let (a, b) = (digest(&plain, &[&[ONE]]), digest(&plain, &[&[TWO]]));
        assert_eq!(Digest::combined(&[]), None);
        assert_eq!(Digest::combined(std::slice::from_ref(&a)), Some(a.clone()));
        let both = Digest::combined(&[a.clone(), b.clone()]).expect("two");
        assert_eq!(both.count, 2);
        assert_ne!(Some(both), Digest::combined(&[b, a]));
    }
}
