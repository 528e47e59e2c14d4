//! From linked records back to those that link to them.

use super::block::{ColumnType, Type};
use super::error::Result;
use super::found::{Found, Which};
use super::key;
use super::picks::Picks;
use super::rowset::RowSet;

/// The owners of these records.
pub fn owners(there: &Found<'_>, owner: usize) -> Result<Vec<u64>> {
    let mut owners = Vec::new();
    let Which::Picks(picks) = &there.which else {
        return Ok(owners);
    };
    for (cluster, picks) in there.clusters.iter().zip(picks) {
        if picks.is_empty() {
            continue;
        }
        let column = cluster.column(owner, ColumnType::one(Type::Link))?;
        owners.extend(picks.iter().filter_map(|row| column.link(row)));
    }
    Ok(owners)
}

/// Those of the picked records that link to one of these: by the back-links
/// where they are few, else by the lists.
pub fn linking(
    found: &Found<'_>,
    column: usize,
    tree: usize,
    there: &Found<'_>,
    turned: bool,
    within: Vec<Picks>,
) -> Result<Vec<Picks>> {
    let here = found.reader.count(found.model);
    let by_back_links = (there.count() as u64) * 16 < here;
    let numbers = there.numbers();
    let sources = if by_back_links {
        let mut sources = Vec::new();
        for target in &numbers {
            let mut key = Vec::with_capacity(8);
            key::put_row(&mut key, *target);
            sources.extend(found.reader.tree(tree).rows(&key)?);
        }
        sources
    } else {
        numbers
    };
    let set = RowSet::new(sources);
    let mut good = vec![Picks::NONE; within.len()];
    for ((cluster, picks), good) in found.clusters.iter().zip(&within).zip(&mut good) {
        if picks.is_empty() {
            continue;
        }
        let lists = cluster.column(column, ColumnType::list(Type::Link))?;
        for row in picks.iter() {
            let any = if by_back_links {
                set.has(cluster.row(row))
            } else {
                lists.links(row)?.into_iter().any(|linked| set.has(linked))
            };
            if any != turned {
                good.add(row);
            }
        }
    }
    Ok(good)
}
