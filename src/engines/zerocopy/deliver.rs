//! Handing records to a sink, borrowed from the file.

use std::borrow::Cow;
use std::ops::Range;

use super::block::{Column, ColumnType};
use super::cluster::Cluster;
use super::error::{Result, corrupt};
use super::found::{Found, Place};
use super::layout::FieldLayout;
use super::reader::Reader;
use crate::base::ValueRef;
use crate::plan::Column as Asked;
use crate::plan::schema::{FieldId, ModelId};
use crate::workload::Sink;
use crate::workload::sinks::deliver;

/// Where a delivered value comes from.
enum Out<'a> {
    /// The row's number.
    Identity,
    /// A column of the record itself, by its place among those opened.
    Own(usize),
    /// A list of the record itself.
    List(usize),
    /// A value behind a to-one link.
    Behind(usize, Vec<Step<'a>>),
    /// Values behind a to-many link.
    Through(usize, Vec<Step<'a>>),
}

/// One more record on the way to a value.
struct Step<'a> {
    reader: Reader<'a>,
    target: ModelId,
    column: usize,
    kind: ColumnType,
    last: Option<(Cluster<'a>, Column<'a>)>,
}

impl<'a> Step<'a> {
    /// The column of a record, and its position there.
    fn at(&mut self, row: u64) -> Result<(Column<'a>, usize)> {
        if let Some((cluster, column)) = &self.last
            && let Some(position) = cluster.position(row)
        {
            return Ok((*column, position));
        }
        let found = self.reader.table(self.target).find(row)?;
        let (cluster, position) =
            found.ok_or_else(|| corrupt(format!("a link to row {row}, which is not there")))?;
        let column = cluster.column(self.column, self.kind)?;
        self.last = Some((cluster, column));
        Ok((column, position))
    }
}

/// The value behind a link, by way of these steps.
fn follow<'a>(steps: &mut [Step<'a>], mut link: Option<u64>) -> Result<ValueRef<'a>> {
    let Some((last, before)) = steps.split_last_mut() else {
        return Ok(link.map_or(ValueRef::Null, |row| ValueRef::Int(row as i64)));
    };
    for step in before {
        let Some(row) = link else {
            return Ok(ValueRef::Null);
        };
        let (column, position) = step.at(row)?;
        link = column.link(position);
    }
    match link {
        None => Ok(ValueRef::Null),
        Some(row) => {
            let (column, position) = last.at(row)?;
            column.get(position)
        }
    }
}

/// How the columns of a query are delivered.
struct Delivery<'a> {
    outs: Vec<Out<'a>>,
    /// Columns of the record itself.
    own: Vec<usize>,
}

impl<'a> Delivery<'a> {
    /// `None` where a column is none of those that can be lent.
    fn of(reader: Reader<'a>, model: ModelId, columns: &[Asked]) -> Option<Self> {
        let mut delivery = Delivery {
            outs: Vec::with_capacity(columns.len()),
            own: Vec::new(),
        };
        for column in columns {
            let out = match column {
                Asked::Identity => Out::Identity,
                Asked::Path(path) if !path.json.is_empty() => return None,
                Asked::Path(path) => delivery.path(reader, model, &path.hops)?,
            };
            delivery.outs.push(out);
        }
        Some(delivery)
    }

    fn slot(&mut self, column: usize) -> usize {
        self.own
            .iter()
            .position(|own| *own == column)
            .unwrap_or_else(|| {
                self.own.push(column);
                self.own.len() - 1
            })
    }

    fn path(&mut self, reader: Reader<'a>, model: ModelId, hops: &[FieldId]) -> Option<Out<'a>> {
        let Some((first, rest)) = hops.split_first() else {
            return Some(Out::Identity);
        };
        if let FieldLayout::Many { column, target, .. } =
            reader.catalog.kept(model).fields.get(*first)?
        {
            let steps = steps(reader, *target, rest)?;
            return Some(Out::Through(self.slot(*column), steps));
        }
        let (column, kind, target) = value_of(reader, model, *first)?;
        let slot = self.slot(column);
        match (rest.is_empty(), target) {
            (true, _) if kind.list => Some(Out::List(slot)),
            (true, _) => Some(Out::Own(slot)),
            (false, Some(target)) => Some(Out::Behind(slot, steps(reader, target, rest)?)),
            (false, None) => None,
        }
    }
}

/// The column of a field that holds a value, a list, a to-one link or an owner.
fn value_of(
    reader: Reader<'_>,
    model: ModelId,
    field: FieldId,
) -> Option<(usize, ColumnType, Option<ModelId>)> {
    let kept = reader.catalog.kept(model);
    let (column, target) = match kept.fields.get(field)? {
        FieldLayout::Column(column) => (*column, None),
        FieldLayout::One { column, target, .. } => (*column, Some(*target)),
        FieldLayout::Back { target, of } => (kept.owner(*target, *of)?, Some(*target)),
        FieldLayout::Many { .. } => return None,
    };
    Some((column, *kept.columns.get(column)?, target))
}

fn steps<'a>(reader: Reader<'a>, model: ModelId, hops: &[FieldId]) -> Option<Vec<Step<'a>>> {
    let mut steps = Vec::with_capacity(hops.len());
    let mut at = model;
    for (place, hop) in hops.iter().enumerate() {
        let (column, kind, target) = value_of(reader, at, *hop)?;
        if kind.list {
            return None;
        }
        steps.push(Step {
            reader,
            target: at,
            column,
            kind,
            last: None,
        });
        if place + 1 < hops.len() {
            at = target?;
        }
    }
    Some(steps)
}

/// Columns of the clusters that were met, opened once each.
struct Opened<'a> {
    own: Vec<(usize, ColumnType)>,
    clusters: Vec<Option<Box<[Column<'a>]>>>,
}

impl<'a> Opened<'a> {
    fn at(&mut self, found: &Found<'a>, place: Place) -> Result<&[Column<'a>]> {
        let slot = &mut self.clusters[place.cluster as usize];
        if slot.is_none() {
            let cluster = &found.clusters[place.cluster as usize];
            let columns = self.own.iter();
            let columns: Result<Box<[Column<'a>]>> = columns
                .map(|(column, kind)| cluster.column(*column, *kind))
                .collect();
            *slot = Some(columns?);
        }
        Ok(slot.as_deref().unwrap_or_default())
    }
}

/// A value that is ready, or the run of items that a list is made of.
enum Ready<'a> {
    Value(ValueRef<'a>),
    Items(Range<usize>),
    Null,
}

/// Delivers the records with these columns.
pub fn records(found: &Found<'_>, columns: &[Asked], sink: &mut dyn Sink) -> Result<()> {
    let Some(mut delivery) = Delivery::of(found.reader, found.model, columns) else {
        return spelled(found, columns, sink);
    };
    let kinds = &found.reader.catalog.kept(found.model).columns;
    let mut opened = Opened {
        own: delivery.own.iter().map(|c| (*c, kinds[*c])).collect(),
        clusters: found.clusters.iter().map(|_| None).collect(),
    };
    let plain = delivery
        .outs
        .iter()
        .all(|out| matches!(out, Out::Identity | Out::Own(_) | Out::Behind(..)));
    if !plain {
        return listed(found, &mut delivery, &mut opened, sink);
    }
    let mut values = Vec::with_capacity(columns.len());
    found.each(&mut |place| {
        let own = opened.at(found, place)?;
        let position = place.position as usize;
        values.clear();
        for out in &mut delivery.outs {
            values.push(match out {
                Out::Own(slot) => own[*slot].get(position)?,
                Out::Behind(slot, steps) => follow(steps, own[*slot].link(position))?,
                _ => ValueRef::Int(found.number(place) as i64),
            });
        }
        sink.row(&values);
        Ok(())
    })
}

fn listed<'a>(
    found: &Found<'a>,
    delivery: &mut Delivery<'a>,
    opened: &mut Opened<'a>,
    sink: &mut dyn Sink,
) -> Result<()> {
    let mut items: Vec<ValueRef<'a>> = Vec::new();
    let mut ready: Vec<Ready<'a>> = Vec::new();
    found.each(&mut |place| {
        let own = opened.at(found, place)?;
        let position = place.position as usize;
        items.clear();
        ready.clear();
        for out in &mut delivery.outs {
            ready.push(match out {
                Out::Identity => Ready::Value(ValueRef::Int(found.number(place) as i64)),
                Out::Own(slot) => Ready::Value(own[*slot].get(position)?),
                Out::Behind(slot, steps) => Ready::Value(follow(steps, own[*slot].link(position))?),
                Out::List(slot) => match own[*slot].items(position)? {
                    None => Ready::Null,
                    Some((range, elements)) => {
                        let from = items.len();
                        for at in range {
                            items.push(elements.get(at)?);
                        }
                        Ready::Items(from..items.len())
                    }
                },
                Out::Through(slot, steps) => {
                    let from = items.len();
                    if let Some((range, elements)) = own[*slot].items(position)? {
                        for at in range {
                            let link = match elements.get(at)? {
                                ValueRef::Int(row) => Some(row as u64),
                                _ => None,
                            };
                            items.push(follow(steps, link)?);
                        }
                    }
                    Ready::Items(from..items.len())
                }
            });
        }
        let values: Vec<ValueRef<'_>> = ready
            .iter()
            .map(|ready| match ready {
                Ready::Value(value) => *value,
                Ready::Items(range) => ValueRef::List(&items[range.clone()]),
                Ready::Null => ValueRef::Null,
            })
            .collect();
        sink.row(&values);
        Ok(())
    })
}

/// Delivers values that have to be made first.
fn spelled(found: &Found<'_>, columns: &[Asked], sink: &mut dyn Sink) -> Result<()> {
    found.each(&mut |place| {
        let row = found.row(place);
        let values = columns
            .iter()
            .map(|column| row.delivered(column).map(Cow::Owned))
            .collect::<Result<Vec<_>>>()?;
        deliver(sink, &values);
        Ok(())
    })
}
