//! An open write transaction.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::batch::Batch;
use super::catalog::Catalog;
use super::entries::Entries;
use super::error::{Result, misuse};
use super::merge::merge;
use super::reader::{Fault, Reader};
use super::roots::Roots;
use super::rows;
use super::store::Store;
use super::workspace::Workspace;
use crate::plan::schema::ModelId;

/// Records that are gathered before they become clusters.
const MOST_GATHERED: usize = 16 * super::picks::ROWS;

/// What a transaction has changed so far.
///
/// New records and index entries are gathered, and merged into the trees when
/// something is to be read, or at the end: a large transaction sorts once.
pub struct Draft {
    /// Its nodes.
    pub space: Workspace,
    /// Its roots, as far as settled.
    pub roots: Roots,
    gathered: Vec<Option<Batch>>,
    entries: Vec<Entries>,
    prints: Vec<Prints>,
    changed: bool,
    failed: bool,
}

/// Fingerprints of the unique keys that are gathered.
type Prints = HashSet<u64, BuildHasherDefault<Itself>>;

/// A fingerprint is its own hash.
#[derive(Default)]
pub struct Itself(u64);

impl Hasher for Itself {
    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Draft {
    /// On top of a store's newest version.
    pub fn new(store: &Store) -> Result<Draft> {
        let roots = store.current().roots.clone();
        Ok(Draft {
            space: store.workspace()?,
            gathered: vec![None; roots.tables.len()],
            entries: vec![Entries::default(); roots.trees.len()],
            prints: vec![Prints::default(); roots.trees.len()],
            roots,
            changed: false,
            failed: false,
        })
    }

    /// Makes it the store's next version, if it changes anything.
    pub fn commit(mut self, store: &mut Store, catalog: &Catalog) -> Result<()> {
        if !self.changed {
            return Ok(());
        }
        self.settle(catalog)?;
        store.commit(self.space, self.roots)
    }

    /// What the transaction sees, settled.
    pub fn reader<'a>(&'a self, catalog: &'a Catalog, fault: &'a Fault) -> Reader<'a> {
        Reader {
            nodes: self.space.nodes(),
            roots: &self.roots,
            catalog,
            fault,
        }
    }

    /// Applies a change that was checked: where it still fails, the trees are
    /// in pieces and the transaction can only be undone.
    pub fn apply<T>(&mut self, change: impl FnOnce(&mut Draft) -> Result<T>) -> Result<T> {
        if self.failed {
            return Err(misuse(
                "a change failed half-way: the transaction must be undone",
            ));
        }
        self.changed = true;
        let result = change(self);
        self.failed = result.is_err();
        result
    }

    /// Merges all that is gathered into the trees.
    pub fn settle(&mut self, catalog: &Catalog) -> Result<()> {
        self.apply_gathered(catalog)
    }

    fn apply_gathered(&mut self, catalog: &Catalog) -> Result<()> {
        let empty =
            self.gathered.iter().all(Option::is_none) && self.entries.iter().all(Entries::is_empty);
        if empty && !self.failed {
            return Ok(());
        }
        self.apply(|draft| {
            for model in 0..draft.gathered.len() {
                draft.settle_table(model, catalog)?;
            }
            for tree in 0..draft.entries.len() {
                draft.settle_tree(tree)?;
            }
            Ok(())
        })
    }

    fn settle_table(&mut self, model: ModelId, catalog: &Catalog) -> Result<()> {
        let Some(batch) = self.gathered[model].take() else {
            return Ok(());
        };
        let kinds = &catalog.kept(model).columns;
        let batch = batch.sorted(kinds)?;
        rows::insert(
            &mut self.space,
            &mut self.roots.tables[model],
            kinds,
            &batch,
        )
    }

    /// Merges the gathered entries of one index into it.
    pub fn settle_tree(&mut self, tree: usize) -> Result<()> {
        let mut entries = std::mem::take(&mut self.entries[tree]);
        self.prints[tree].clear();
        entries.sort();
        self.roots.trees[tree] = merge(&mut self.space, self.roots.trees[tree], &entries)?;
        Ok(())
    }

    /// Whether a row is there, gathered or settled.
    pub fn has(&self, model: ModelId, row: u64, catalog: &Catalog, fault: &Fault) -> Result<bool> {
        let gathered = self.gathered.get(model).and_then(Option::as_ref);
        if gathered.is_some_and(|batch| batch.has(row)) {
            return Ok(true);
        }
        self.reader(catalog, fault).has(model, row)
    }

    /// Adds new records, all of them checked.
    pub fn gather(&mut self, model: ModelId, batch: Batch, catalog: &Catalog) -> Result<()> {
        let kinds = &catalog.kept(model).columns;
        let gathered = self.gathered[model].get_or_insert_with(|| Batch::new(kinds));
        if gathered.rows.is_empty() {
            *gathered = batch;
        } else {
            gathered.append(&batch)?;
        }
        if gathered.rows.len() >= MOST_GATHERED {
            self.settle_table(model, catalog)?;
        }
        Ok(())
    }

    /// Notes an entry that comes into an index.
    pub fn add_entry(&mut self, tree: usize, key: &[u8], row: u64) {
        self.entries[tree].push(key, row, true);
    }

    /// Notes a unique key that was taken; false if it may have been before.
    pub fn print(&mut self, tree: usize, print: u64) -> bool {
        self.prints[tree].insert(print)
    }

    /// Takes a note back.
    pub fn unprint(&mut self, tree: usize, print: u64) {
        self.prints[tree].remove(&print);
    }

    /// Whether any key of an index is settled.
    pub fn is_indexed(&self, tree: usize) -> bool {
        !self.roots.trees[tree].is_none()
    }

    /// Merges changes into an index.
    pub fn merge(&mut self, tree: usize, mut changes: Entries) -> Result<()> {
        self.settle_tree(tree)?;
        changes.sort();
        self.roots.trees[tree] = merge(&mut self.space, self.roots.trees[tree], &changes)?;
        Ok(())
    }
}
