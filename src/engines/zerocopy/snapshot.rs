//! Versions that readers hold.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::header::Header;
use super::map::Map;
use super::node::Nodes;
use super::roots::Roots;

/// A committed version: nothing of it ever changes.
pub struct Version {
    /// The file.
    pub map: Arc<Map>,
    /// Its header.
    pub header: Header,
    /// Its roots.
    pub roots: Roots,
}

impl Version {
    /// Its nodes.
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::new(&self.map, self.header.end, &[])
    }
}

/// Numbers of the versions that are held, with how often. Locked when a
/// snapshot is taken or dropped; reading takes no lock.
#[derive(Default)]
pub struct Registry {
    held: Mutex<BTreeMap<u64, usize>>,
}

impl Registry {
    /// The oldest version that is held.
    pub fn oldest(&self) -> Option<u64> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.keys().next().copied()
    }
}

/// A held version, readable from any thread as long as it is held: its space
/// is not used again before.
pub struct Snapshot {
    version: Arc<Version>,
    registry: Arc<Registry>,
}

impl Snapshot {
    /// Holds a version.
    pub fn new(version: Arc<Version>, registry: Arc<Registry>) -> Self {
        let mut held = registry.held.lock().unwrap_or_else(PoisonError::into_inner);
        *held.entry(version.header.version).or_default() += 1;
        drop(held);
        Snapshot { version, registry }
    }

    /// The version.
    pub fn version(&self) -> &Version {
        &self.version
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        let number = self.version.header.version;
        let mut held = self
            .registry
            .held
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = held.get_mut(&number) {
            *count -= 1;
            if *count == 0 {
                held.remove(&number);
            }
        }
    }
}
