//! The nodes of an open transaction: those it has made, those it lets go.

use std::sync::Arc;

use super::error::Result;
use super::extent::Extent;
use super::map::Map;
use super::node::{Arena, Nodes, Ref};

/// Where a transaction makes and lets go of nodes.
pub struct Workspace {
    map: Arc<Map>,
    limit: u64,
    /// Nodes that only this transaction has.
    pub arena: Arena,
    /// Space of stored nodes that the next version does not need.
    pub released: Vec<Extent>,
}

impl Workspace {
    /// Over a version that ends at `limit`.
    pub fn new(map: Arc<Map>, limit: u64) -> Self {
        Workspace {
            map,
            limit,
            arena: Arena::default(),
            released: Vec::new(),
        }
    }

    /// All nodes that the transaction sees.
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::new(&self.map, self.limit, self.arena.slots())
    }

    /// Keeps a finished node.
    pub fn add(&mut self, bytes: Vec<u8>) -> Ref {
        self.arena.add(bytes)
    }

    /// Lets a node go; those that it refers to stay.
    pub fn release(&mut self, at: Ref) -> Result<()> {
        if at.is_none() {
            return Ok(());
        }
        match at.fresh() {
            Some(place) => {
                self.arena.take(place);
            }
            None => {
                let len = self.nodes().any(at)?.len();
                self.released.push(Extent::of(at, len));
            }
        }
        Ok(())
    }

    /// Lets a node go with all that it refers to.
    pub fn release_all(&mut self, at: Ref) -> Result<()> {
        if at.is_none() {
            return Ok(());
        }
        let bytes = self.nodes().any(at)?;
        let below: Vec<Ref> = super::references::references(bytes)?
            .into_iter()
            .map(|place| super::bytes::u64_at(bytes, place).map(Ref))
            .collect::<Result<_>>()?;
        for child in below {
            self.release_all(child)?;
        }
        self.release(at)
    }
}
