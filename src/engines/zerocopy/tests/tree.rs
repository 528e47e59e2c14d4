//! Indexes and tables against plain sorted structures.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use proptest::prelude::*;

use crate::base::Value;
use crate::engines::zerocopy::batch::Batch;
use crate::engines::zerocopy::block::{Cell, ColumnType, Type};
use crate::engines::zerocopy::directory::Table;
use crate::engines::zerocopy::entries::Entries;
use crate::engines::zerocopy::header::DATA;
use crate::engines::zerocopy::map::Map;
use crate::engines::zerocopy::merge::merge;
use crate::engines::zerocopy::node::Ref;
use crate::engines::zerocopy::roots::TableRoot;
use crate::engines::zerocopy::rows::{self, Patch};
use crate::engines::zerocopy::tree::Tree;
use crate::engines::zerocopy::workspace::Workspace;

fn workspace() -> (tempfile::NamedTempFile, Workspace) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    file.as_file().set_len(DATA).expect("a length");
    let map = Map::new(file.as_file(), DATA).expect("a map");
    (file, Workspace::new(Arc::new(map), DATA))
}

/// Keys that none begins another: numbers, or texts with an end.
fn key(number: u32, long: bool) -> Vec<u8> {
    let mut key = number.to_be_bytes().to_vec();
    if long {
        key.extend(std::iter::repeat_n(b'x', number as usize % 50));
        key.extend([0, 1]);
    }
    key
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn an_index_is_a_sorted_set(
        long: bool,
        rounds in prop::collection::vec(
            prop::collection::vec((0u32..600, 0u64..9, prop::bool::weighted(0.7)), 0..1500),
            1..6,
        ),
        from in 0u32..600,
    ) {
        let (_file, mut space) = workspace();
        let mut root = Ref::NONE;
        let mut expected: BTreeSet<(Vec<u8>, u64)> = BTreeSet::new();
        for round in rounds {
            // What goes stands before what comes, whatever the order here.
            let mut entries = Entries::default();
            for (number, row, add) in &round {
                entries.push(&key(*number, long), *row, *add);
            }
            for (number, row, _) in round.iter().filter(|(.., add)| !add) {
                expected.remove(&(key(*number, long), *row));
            }
            for (number, row, _) in round.iter().filter(|(.., add)| *add) {
                expected.insert((key(*number, long), *row));
            }
            entries.sort();
            root = merge(&mut space, root, &entries).expect("merges");
            let tree = Tree::new(space.nodes(), root);
            let mut found = Vec::new();
            tree.walk(&[], &mut |key, row| {
                found.push((key.to_vec(), row));
                Ok(ControlFlow::Continue(()))
            }).expect("walks");
            prop_assert!(found.iter().eq(expected.iter()), "{} {}", found.len(), expected.len());
        }
        let tree = Tree::new(space.nodes(), root);
        let from = key(from, long);
        let mut above = Vec::new();
        tree.walk(&from, &mut |key, row| {
            above.push((key.to_vec(), row));
            Ok(if above.len() < 40 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        }).expect("walks");
        prop_assert!(above.iter().eq(expected.range((from.clone(), 0)..).take(40)));
        let mut below = Vec::new();
        tree.walk_back(Some(&from), &mut |key, row| {
            below.push((key.to_vec(), row));
            Ok(ControlFlow::Continue(()))
        }).expect("walks");
        prop_assert!(below.iter().eq(expected.range(..(from.clone(), 0)).rev()));
        let rows: Vec<u64> = expected.iter().filter(|(own, _)| *own == from).map(|(_, row)| *row).collect();
        prop_assert_eq!(tree.rows(&from).expect("reads"), rows.clone());
        prop_assert_eq!(tree.first(&from).expect("reads"), rows.first().copied());
        // All goes: nothing may be left behind.
        let mut all = Entries::default();
        for (key, row) in &expected {
            all.push(key, *row, false);
        }
        all.sort();
        prop_assert_eq!(merge(&mut space, root, &all).expect("merges"), Ref::NONE);
        prop_assert!(space.arena.slots().iter().all(Vec::is_empty));
    }

    #[test]
    fn a_table_is_a_sorted_map(
        rounds in prop::collection::vec(
            (0u64..60_000, 1u64..3, 1usize..3000, 0usize..4, any::<u64>()),
            1..6,
        ),
    ) {
        let kinds = [ColumnType::one(Type::Int), ColumnType::one(Type::Text), ColumnType::list(Type::Link)];
        let (_file, mut space) = workspace();
        let mut table = TableRoot::default();
        let mut expected: BTreeMap<u64, (Value, Value, Vec<u64>)> = BTreeMap::new();
        for (first, step, count, what, seed) in rounds {
            let rows: Vec<u64> = (0..count as u64).map(|at| first + at * step).collect();
            let (there, new): (Vec<u64>, Vec<u64>) = rows.iter().partition(|row| expected.contains_key(row));
            let mixed = |row: u64| (row ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
            if what < 2 {
                let mut batch = Batch::new(&kinds);
                for row in new {
                    let record = (
                        Value::Int(mixed(row) as i64 % 1000),
                        Value::Text(format!("{}", mixed(row) % 77)),
                        (0..mixed(row) % 4).collect::<Vec<u64>>(),
                    );
                    batch.push_row(row);
                    batch.columns[0].push(&record.0).expect("fits");
                    batch.columns[1].push(&record.1).expect("fits");
                    batch.columns[2].push_links(record.2.iter().copied()).expect("fits");
                    expected.insert(row, record);
                }
                rows::insert(&mut space, &mut table, &kinds, &batch).expect("inserts");
            } else if what == 2 {
                let patches: Vec<Patch> = there.iter().map(|row| Patch {
                    row: *row,
                    column: 1,
                    cell: Cell::Value(Value::Text(format!("changed {}", mixed(*row) % 5))),
                }).collect();
                for patch in &patches {
                    if let (Some(record), Cell::Value(value)) = (expected.get_mut(&patch.row), &patch.cell) {
                        record.1 = value.clone();
                    }
                }
                rows::patch(&mut space, &mut table, &kinds, &patches).expect("changes");
            } else {
                rows::remove(&mut space, &mut table, &kinds, &there).expect("removes");
                expected.retain(|row, _| there.binary_search(row).is_err());
            }
            prop_assert_eq!(table.count, expected.len() as u64);
            let nodes = space.nodes();
            let stored = Table::new(nodes, table.root);
            let mut found = 0;
            for (_, at) in stored.clusters().expect("reads") {
                let cluster = crate::engines::zerocopy::cluster::Cluster::read(&nodes, at).expect("reads");
                for row in cluster.rows() {
                    prop_assert!(expected.contains_key(&row));
                    found += 1;
                }
            }
            prop_assert_eq!(found, expected.len());
            for (row, record) in expected.iter().step_by(37) {
                let (cluster, position) = stored.find(*row).expect("reads").expect("is there");
                let value = |column: usize| cluster.column(column, kinds[column]).expect("opens").value(position).expect("reads");
                prop_assert_eq!(&value(0), &record.0);
                prop_assert_eq!(&value(1), &record.1);
                let links = cluster.column(2, kinds[2]).expect("opens").links(position).expect("reads");
                prop_assert_eq!(&links, &record.2);
            }
            for row in rows.iter().step_by(91) {
                prop_assert_eq!(stored.find(row + 70_000).expect("reads").is_some(), expected.contains_key(&(row + 70_000)));
            }
        }
        let all: Vec<u64> = expected.keys().copied().collect();
        rows::remove(&mut space, &mut table, &kinds, &all).expect("removes");
        prop_assert!(space.arena.slots().iter().all(Vec::is_empty), "nodes are left behind");
    }
}
