//! Sorting records.

use std::cmp::Ordering;

use super::error::Result;
use super::found::{Found, Place};
use super::key;
use super::reader::Reader;
use crate::base::Value;
use crate::plan::OrderKey;
use crate::workload::compare::compare_values;

/// The first `most` records in this order; records that agree stay in the
/// order they are in.
pub fn sorted(found: &Found<'_>, order: &[OrderKey], most: usize) -> Result<Vec<Place>> {
    match order.iter().all(|key| key.path.json.is_empty()) {
        true => by_bytes(found, order, most),
        false => by_values(found, order, most),
    }
}

/// A record with its sort key.
#[derive(Clone, Copy)]
struct Keyed {
    /// The key's first bytes.
    head: u64,
    at: usize,
    len: u32,
    /// Which record this was.
    number: u32,
    place: Place,
}

/// Keys become bytes that compare as they do.
fn by_bytes(found: &Found<'_>, order: &[OrderKey], most: usize) -> Result<Vec<Place>> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut keyed: Vec<Keyed> = Vec::with_capacity(found.count());
    let mut columns = Columns::new(found.reader, found, order);
    found.each(&mut |place| {
        let at = bytes.len();
        columns.put(found, place, &mut bytes)?;
        let key = &bytes[at..];
        let mut head = [0; 8];
        let len = key.len().min(8);
        head[..len].copy_from_slice(&key[..len]);
        keyed.push(Keyed {
            head: u64::from_be_bytes(head),
            at,
            len: key.len() as u32,
            number: keyed.len() as u32,
            place,
        });
        Ok(())
    })?;
    let key = |keyed: &Keyed| &bytes[keyed.at..keyed.at + keyed.len as usize];
    let compare = |a: &Keyed, b: &Keyed| {
        a.head
            .cmp(&b.head)
            .then_with(|| key(a).cmp(key(b)))
            .then(a.number.cmp(&b.number))
    };
    if most < keyed.len() {
        if most > 0 {
            keyed.select_nth_unstable_by(most - 1, compare);
        }
        keyed.truncate(most);
    }
    keyed.sort_unstable_by(compare);
    Ok(keyed.into_iter().map(|keyed| keyed.place).collect())
}

/// The columns that an order is by, opened cluster by cluster.
struct Columns<'f, 'a> {
    order: &'f [OrderKey],
    /// Column of each key that is a field of the record itself.
    own: Vec<Option<usize>>,
    opened: Vec<Option<super::block::Column<'a>>>,
    cluster: Option<u32>,
}

impl<'f, 'a> Columns<'f, 'a> {
    fn new(reader: Reader<'a>, found: &Found<'a>, order: &'f [OrderKey]) -> Self {
        let kept = reader.catalog.kept(found.model);
        let own = order.iter().map(|key| match key.path.hops[..] {
            [field] => kept.scalar(field).map(|(column, _)| column),
            _ => None,
        });
        Columns {
            order,
            own: own.collect(),
            opened: Vec::new(),
            cluster: None,
        }
    }

    /// Appends the key of a record.
    fn put(&mut self, found: &Found<'a>, place: Place, bytes: &mut Vec<u8>) -> Result<()> {
        let row = found.row(place);
        if self.cluster != Some(place.cluster) {
            self.opened.clear();
            for column in &self.own {
                let column = column.map(|column| row.column(column)).transpose()?;
                self.opened.push(column);
            }
            self.cluster = Some(place.cluster);
        }
        for (key, column) in self.order.iter().zip(&self.opened) {
            match column {
                Some(column) => {
                    key::put(bytes, column.get(row.position)?, true, key.descending);
                }
                None => {
                    let value = row.follow(&key.path.hops, &[])?;
                    key::put(bytes, value.scalar_ref(), true, key.descending);
                }
            }
        }
        Ok(())
    }
}

/// Values inside JSON may be of any kind: they are compared as they are.
fn by_values(found: &Found<'_>, order: &[OrderKey], most: usize) -> Result<Vec<Place>> {
    let mut keyed: Vec<(Vec<Value>, Place)> = Vec::with_capacity(found.count());
    found.each(&mut |place| {
        let row = found.row(place);
        let keys = order
            .iter()
            .map(|key| row.follow(&key.path.hops, &key.path.json))
            .collect::<Result<_>>()?;
        keyed.push((keys, place));
        Ok(())
    })?;
    keyed.sort_by(|(a, _), (b, _)| {
        let pairs = a.iter().zip(b).zip(order);
        pairs
            .map(|((a, b), key)| {
                let ascending = compare_values(a, b);
                if key.descending {
                    ascending.reverse()
                } else {
                    ascending
                }
            })
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    });
    keyed.truncate(most);
    Ok(keyed.into_iter().map(|(_, place)| place).collect())
}
