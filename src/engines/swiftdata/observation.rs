//! The observation registrar that the `@Model` macro gives each object.
//!
//! As in Swift's own source (`ObservationRegistrar.swift`): state behind a
//! lock, an `access` that looks for a tracking scope on its thread, and a
//! `willSet` and `didSet` that look the key path up. Nothing observes here, as
//! nothing does while data is imported or read outside of a view.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

/// A key path: entity and property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyPath {
    /// The entity.
    pub entity: usize,
    /// The property.
    pub property: usize,
}

thread_local! {
    /// Whether this thread tracks accesses.
    static TRACKING: Cell<bool> = const { Cell::new(false) };
}

/// One per object, on the heap.
#[derive(Debug, Default)]
pub struct ObservationRegistrar {
    extent: Box<RefCell<State>>,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    observations: HashMap<u64, HashSet<KeyPath>>,
    lookups: HashMap<KeyPath, HashSet<u64>>,
}

impl ObservationRegistrar {
    /// A property is read.
    pub fn access(&self, key_path: KeyPath) {
        if TRACKING.get() {
            let mut state = self.extent.borrow_mut();
            let id = state.next;
            state.next += 1;
            state.observations.entry(id).or_default().insert(key_path);
            state.lookups.entry(key_path).or_default().insert(id);
        }
    }

    /// A property is set; returns how many observers were told.
    pub fn with_mutation(&self, key_path: KeyPath) -> usize {
        self.told(key_path) + self.told(key_path)
    }

    fn told(&self, key_path: KeyPath) -> usize {
        let state = self.extent.borrow();
        state.lookups.get(&key_path).map_or(0, HashSet::len)
    }

    /// Runs `work` while accesses on this thread are tracked.
    pub fn tracking<R>(work: impl FnOnce() -> R) -> R {
        let before = TRACKING.replace(true);
        let result = work();
        TRACKING.set(before);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tracked_accesses_are_told_of_mutations() {
        let path = |property| KeyPath {
            entity: 0,
            property,
        };
        let registrar = ObservationRegistrar::default();
        registrar.access(path(0));
        assert_eq!(registrar.with_mutation(path(0)), 0);
        ObservationRegistrar::tracking(|| registrar.access(path(0)));
        assert_eq!(registrar.with_mutation(path(0)), 2);
        assert_eq!(registrar.with_mutation(path(1)), 0);
    }
}
