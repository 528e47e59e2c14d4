//! Where in a node its references to other nodes stand.

use super::block;
use super::branch;
use super::bytes::{part, u32_at};
use super::cluster;
use super::directory;
use super::error::{Result, corrupt};
use super::node::{self, HEAD, Kind};
use super::roots;

/// Offsets of all references of a node; each may be none.
pub fn references(bytes: &[u8]) -> Result<Vec<usize>> {
    let kind = node::kind(bytes).ok_or_else(|| corrupt("a node of no known kind"))?;
    let places: Vec<usize> = match kind {
        Kind::Root => roots::references(bytes)?,
        Kind::Directory => {
            let len = u32_at(bytes, HEAD)? as usize;
            (0..len).map(|at| directory::reference(len, at)).collect()
        }
        Kind::Cluster => {
            let columns = u32_at(bytes, HEAD + 4)? as usize;
            let columns = (0..columns).map(|column| cluster::COLUMNS + 8 * column);
            std::iter::once(cluster::NUMBERS).chain(columns).collect()
        }
        Kind::Lists => vec![block::ELEMENTS],
        Kind::Branch => {
            let len = u32_at(bytes, HEAD)? as usize;
            (0..len).map(branch::reference).collect()
        }
        Kind::Schema
        | Kind::Space
        | Kind::Ints
        | Kind::Fixed
        | Kind::Plain
        | Kind::Dictionary
        | Kind::Leaf => Vec::new(),
    };
    if let Some(last) = places.last() {
        part(bytes, *last, 8)?;
    }
    Ok(places)
}
