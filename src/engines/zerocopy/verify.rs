//! Checking a whole file: every node, every reference, every piece of space.

use std::collections::BTreeSet;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use super::bytes::u64_at;
use super::catalog::Catalog;
use super::error::{Result, corrupt, io};
use super::extent::Extent;
use super::header::{self, DATA, Header, LEN, SLOT, Slot};
use super::keys;
use super::layout::FieldLayout;
use super::map::Map;
use super::node::{self, Nodes, Ref};
use super::reader::{Fault, Reader};
use super::references::references;
use super::row::Row;
use super::snapshot::Version;
use super::space::Space;
use super::storage;
use super::store::{schema_of, whole};
use crate::plan::schema::ModelId;

/// What a check of a file found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of the newest whole version.
    pub version: u64,
    /// Nodes of that version.
    pub nodes: u64,
    /// Bytes of those nodes.
    pub used_bytes: u64,
    /// Bytes that are free.
    pub free_bytes: u64,
    /// Bytes that only the version before needs.
    pub waiting_bytes: u64,
    /// Records of each model.
    pub records: Vec<(String, u64)>,
    /// What is wrong, in words; nothing for a sound file.
    pub faults: Vec<String>,
}

/// Checks the file at `path`: both headers, every node of both versions that
/// they name (checksums, structure, values), every link and index entry of the
/// newer one, and that nodes and unused space fill the file without gap or
/// overlap. Nothing is changed; the file must not be open elsewhere.
///
/// What is free may hold anything and is not looked at.
pub fn verify(path: &Path) -> Result<Report> {
    if !path.is_file() {
        return Err(io(
            "opening the store",
            &std::io::ErrorKind::NotFound.into(),
        ));
    }
    let file = storage::open_locked(path)?;
    let mut report = Report::default();
    let (map, len, headers) = headers(&file, &mut report)?;
    for (age, header) in headers.into_iter().enumerate() {
        let result = whole(&map, header, len).and_then(|(roots, space)| {
            let version = Version {
                map: std::sync::Arc::clone(&map),
                header,
                roots,
            };
            check(&version, &space, age == 0, &mut report)
        });
        if let Err(error) = result {
            report
                .faults
                .push(format!("version {}: {}", header.version, error.message));
        }
    }
    Ok(report)
}

type Opened = (std::sync::Arc<Map>, u64, Vec<Header>);

/// The headers that are whole, newest first; each slot is whole or was never written.
fn headers(file: &File, report: &mut Report) -> Result<Opened> {
    let len = file
        .metadata()
        .map_err(|error| io("the store's length", &error))?
        .len();
    if len < DATA {
        return Err(corrupt("the file is shorter than its headers"));
    }
    let map = std::sync::Arc::new(Map::new(file, len)?);
    let mut slots = [map.bytes(0, SLOT, DATA)?, map.bytes(SLOT, SLOT, DATA)?];
    for (number, slot) in slots.iter_mut().enumerate() {
        let (own, rest) = slot.split_at(LEN);
        if rest.iter().any(|byte| *byte != 0) {
            report
                .faults
                .push(format!("header {number}: what follows it is not empty"));
        }
        if header::decode(own) == Slot::Torn && own.iter().any(|byte| *byte != 0) {
            report.faults.push(format!(
                "header {number}: torn: a commit was cut off, or it was damaged later"
            ));
        }
    }
    let headers = header::headers(slots[0], slots[1])?;
    Ok((map, len, headers))
}

/// Checks one version; the newest in depth.
fn check(version: &Version, space: &Space, newest: bool, report: &mut Report) -> Result<()> {
    let nodes = version.nodes();
    let mut used = BTreeSet::new();
    for root in [version.header.root, version.header.space] {
        walk(&nodes, root, &mut used)?;
    }
    tiled(&used, space, version.header.end)?;
    let catalog = Catalog::new(schema_of(version)?);
    if catalog.layout.models.len() != version.roots.tables.len()
        || catalog.layout.trees != version.roots.trees.len()
    {
        return Err(corrupt("the roots do not fit the schema"));
    }
    let fault = Fault::default();
    let reader = Reader {
        nodes,
        roots: &version.roots,
        catalog: &catalog,
        fault: &fault,
    };
    let mut entries = vec![0; catalog.layout.trees];
    for model in 0..catalog.layout.models.len() {
        records(&reader, model, &mut entries)?;
    }
    for (tree, entries) in entries.into_iter().enumerate() {
        index(&reader, tree, entries)?;
    }
    if newest {
        (report.free_bytes, report.waiting_bytes) = space.sizes();
        report.version = version.header.version;
        report.nodes = used.len() as u64;
        report.used_bytes = used.iter().map(|extent| extent.len).sum();
        let names = catalog.schema.models.iter().map(|model| model.name.clone());
        let counts = version.roots.tables.iter().map(|table| table.count);
        report.records = names.zip(counts).collect();
    }
    Ok(())
}

/// Tests a node and all that it leads to; none may be met twice.
fn walk(nodes: &Nodes<'_>, at: Ref, used: &mut BTreeSet<Extent>) -> Result<()> {
    if at.is_none() {
        return Ok(());
    }
    let bytes = nodes.tested(at)?;
    let extent = Extent {
        at: at.0,
        len: bytes.len() as u64,
    };
    if node::kind(bytes).is_none() {
        return Err(corrupt(format!("the node at {} is of no known kind", at.0)));
    }
    if !used.insert(extent) {
        return Err(corrupt(format!(
            "the node at {} is referred to twice",
            at.0
        )));
    }
    for place in references(nodes.any(at)?)? {
        walk(nodes, Ref(u64_at(bytes, place)?), used)?;
    }
    Ok(())
}

/// Nodes and unused space must fill the file from the headers to its end.
fn tiled(used: &BTreeSet<Extent>, space: &Space, end: u64) -> Result<()> {
    let mut all: Vec<Extent> = used.iter().copied().chain(space.extents()).collect();
    all.sort_unstable();
    let mut at = DATA;
    for extent in all {
        if extent.at != at {
            return Err(corrupt(format!(
                "the space from {at} to {} is used twice or by nothing",
                extent.at
            )));
        }
        at = extent.end();
    }
    match at == end {
        true => Ok(()),
        false => Err(corrupt(format!(
            "the file ends at {end}, its space at {at}"
        ))),
    }
}

/// Checks the records of a model: order, number, every value, every link, and
/// that each stands in every index; counts the entries that indexes must have.
fn records(reader: &Reader<'_>, model: ModelId, entries: &mut [u64]) -> Result<()> {
    let kept = reader.catalog.kept(model);
    let table = reader.roots.tables[model];
    let (mut count, mut last) = (0, None);
    for (first, at) in reader.table(model).clusters()? {
        let cluster = super::cluster::Cluster::read(&reader.nodes, at)?;
        if cluster.row(0) < first {
            return Err(corrupt("a cluster that begins before its directory says"));
        }
        for (column, kind) in kept.columns.iter().enumerate() {
            let column = cluster.column(column, *kind)?;
            for position in 0..cluster.len() {
                column.value(position)?;
            }
        }
        for position in 0..cluster.len() {
            let number = cluster.row(position);
            if last.is_some_and(|last| last >= number) || !(table.low..table.high).contains(&number)
            {
                return Err(corrupt("rows out of order, or out of their table's range"));
            }
            (last, count) = (Some(number), count + 1);
            let row = Row {
                reader: *reader,
                model,
                cluster,
                position,
            };
            for index in &kept.indexes {
                let key = keys::of_row(&row, index, &|_| None)?;
                entries[index.tree] += 1;
                if !reader.tree(index.tree).rows(&key.bytes)?.contains(&number) {
                    return Err(corrupt(format!(
                        "row {number} is missing in {}",
                        index.name
                    )));
                }
            }
            links(&row, entries)?;
        }
    }
    match count == table.count {
        true => Ok(()),
        false => Err(corrupt(
            "a table with another number of records than its root says",
        )),
    }
}

/// Checks that links lead to records, and back.
fn links(row: &Row<'_>, entries: &mut [u64]) -> Result<()> {
    let reader = &row.reader;
    for (field, layout) in reader.catalog.kept(row.model).fields.iter().enumerate() {
        let (FieldLayout::One { target, back, .. } | FieldLayout::Many { target, back, .. }) =
            layout
        else {
            continue;
        };
        for linked in row.links(field)? {
            if let Some(tree) = back {
                entries[*tree] += 1;
            }
            if !reader
                .sources(row.model, field, linked)?
                .contains(&row.number())
            {
                return Err(corrupt(format!(
                    "row {linked} of model {target} does not know who links to it"
                )));
            }
            if !reader.has(*target, linked)? {
                return Err(corrupt(format!(
                    "a link to row {linked}, which is not there"
                )));
            }
        }
    }
    Ok(())
}

/// Checks the order of an index and the number of its entries.
fn index(reader: &Reader<'_>, tree: usize, expected: u64) -> Result<()> {
    let mut last: Option<(Vec<u8>, u64)> = None;
    let (mut count, mut ordered) = (0, true);
    reader.tree(tree).walk(&[], &mut |key, row| {
        if let Some((before, number)) = &last {
            ordered &= (before.as_slice(), *number) < (key, row);
        }
        last = Some((key.to_vec(), row));
        count += 1;
        Ok(match ordered {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        })
    })?;
    if !ordered {
        return Err(corrupt("an index out of order"));
    }
    match count == expected {
        true => Ok(()),
        false => Err(corrupt(
            "an index with another number of entries than records",
        )),
    }
}
