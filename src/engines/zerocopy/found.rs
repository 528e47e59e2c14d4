//! Records that were found: clusters, and what is meant of each.

use std::collections::HashMap;

use super::cluster::Cluster;
use super::error::Result;
use super::node::Ref;
use super::picks::Picks;
use super::reader::Reader;
use super::row::Row;
use crate::plan::schema::ModelId;

/// Where a record is among the clusters of a [`Found`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which cluster.
    pub cluster: u32,
    /// Its position there.
    pub position: u32,
}

/// Records of one model.
pub struct Found<'a> {
    /// What they are read from.
    pub reader: Reader<'a>,
    /// Their model.
    pub model: ModelId,
    /// Clusters that hold any of them.
    pub clusters: Vec<Cluster<'a>>,
    /// Which records of these.
    pub which: Which,
}

/// Which records of the clusters.
pub enum Which {
    /// By cluster, in the order of rows.
    Picks(Vec<Picks>),
    /// In an order of their own.
    Places(Vec<Place>),
}

impl<'a> Found<'a> {
    /// All records of a model.
    pub fn all(reader: Reader<'a>, model: ModelId) -> Result<Self> {
        let entries = reader.table(model).clusters()?;
        let clusters: Vec<Cluster<'a>> = entries
            .iter()
            .map(|(_, at)| Cluster::read(&reader.nodes, *at))
            .collect::<Result<_>>()?;
        let picks = clusters.iter().map(|cluster| Picks::first(cluster.len()));
        let which = Which::Picks(picks.collect());
        Ok(Found {
            reader,
            model,
            clusters,
            which,
        })
    }

    /// Records by their rows, in that order; one that is not there is left out.
    pub fn rows(reader: Reader<'a>, model: ModelId, rows: &[u64]) -> Result<Self> {
        let table = reader.table(model);
        let mut clusters: Vec<Cluster<'a>> = Vec::new();
        let mut known: HashMap<Ref, u32> = HashMap::new();
        let mut places: Vec<Place> = Vec::with_capacity(rows.len());
        for row in rows {
            let near = places.last().and_then(|last| {
                let position = clusters[last.cluster as usize].position(*row)?;
                Some(Place {
                    position: position as u32,
                    ..*last
                })
            });
            if let Some(place) = near {
                places.push(place);
                continue;
            }
            if let Some((at, cluster, position)) = table.locate(*row)? {
                let place = *known.entry(at).or_insert_with(|| {
                    clusters.push(cluster);
                    clusters.len() as u32 - 1
                });
                places.push(Place {
                    cluster: place,
                    position: position as u32,
                });
            }
        }
        Ok(Found {
            reader,
            model,
            clusters,
            which: Which::Places(places),
        })
    }

    /// How many.
    pub fn count(&self) -> usize {
        match &self.which {
            Which::Picks(picks) => picks.iter().map(Picks::count).sum(),
            Which::Places(places) => places.len(),
        }
    }

    /// Shows each record, in order.
    pub fn each(&self, show: &mut dyn FnMut(Place) -> Result<()>) -> Result<()> {
        match &self.which {
            Which::Picks(picks) => {
                for (cluster, picks) in picks.iter().enumerate() {
                    for position in picks.iter() {
                        show(Place {
                            cluster: cluster as u32,
                            position: position as u32,
                        })?;
                    }
                }
                Ok(())
            }
            Which::Places(places) => places.iter().try_for_each(|place| show(*place)),
        }
    }

    /// All places, in order.
    pub fn places(&self) -> Vec<Place> {
        match &self.which {
            Which::Places(places) => places.clone(),
            Which::Picks(picks) => {
                let mut places = Vec::with_capacity(self.count());
                for (cluster, picks) in picks.iter().enumerate() {
                    places.extend(picks.iter().map(|position| Place {
                        cluster: cluster as u32,
                        position: position as u32,
                    }));
                }
                places
            }
        }
    }

    /// A record.
    pub fn row(&self, place: Place) -> Row<'a> {
        Row {
            reader: self.reader,
            model: self.model,
            cluster: self.clusters[place.cluster as usize],
            position: place.position as usize,
        }
    }

    /// The number of a record's row.
    pub fn number(&self, place: Place) -> u64 {
        self.clusters[place.cluster as usize].row(place.position as usize)
    }

    /// Row numbers, in order.
    pub fn numbers(&self) -> Vec<u64> {
        let mut rows = Vec::with_capacity(self.count());
        // Nothing here can fail.
        let _ = self.each(&mut |place| {
            rows.push(self.number(place));
            Ok(())
        });
        rows
    }
}
