//! An open file: its newest version, its unused space, its writer.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{Result, corrupt, io, misuse};
use super::header::{self, DATA, Header, LEN, SLOT};
use super::map::Map;
use super::node::{self, Kind, Nodes, Ref};
use super::roots::{Roots, TableRoot};
use super::snapshot::{Registry, Snapshot, Version};
use super::space::Space;
use super::storage::{self, Storage};
use super::workspace::Workspace;
use crate::plan::Schema;

/// Name of the file.
pub const FILE: &str = "store.zerocopy";
/// What a compaction writes before it takes the file's place.
pub const COMPACTED: &str = "store.zerocopy.compacted";

/// How a store is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether a commit waits for the disk.
    pub durable: bool,
    /// Length of a new file, bytes.
    pub initial_size: u64,
    /// By how much the file grows at least; 0 for an eighth of its length.
    pub growth: u64,
}

/// What a store needs of a schema to begin with.
pub struct Beginning<'s> {
    /// The schema.
    pub schema: &'s Schema,
    /// Number of indexes.
    pub trees: usize,
}

/// An open store.
pub struct Store {
    pub(super) directory: PathBuf,
    pub(super) file: File,
    pub(super) storage: Box<dyn Storage>,
    pub(super) settings: Settings,
    pub(super) space: Space,
    pub(super) current: Arc<Version>,
    pub(super) registry: Arc<Registry>,
    pub(super) file_len: u64,
    /// A header may or may not have reached the disk: no more writing.
    pub(super) broken: bool,
}

impl Store {
    /// Opens the store in a directory, creating it if it is not there.
    pub fn open(directory: &Path, settings: Settings, beginning: &Beginning<'_>) -> Result<Store> {
        Self::open_over(directory, settings, beginning, |file| Box::new(file))
    }

    /// As [`Store::open`], writing through a storage made of the file.
    pub fn open_over(
        directory: &Path,
        settings: Settings,
        beginning: &Beginning<'_>,
        over: impl FnOnce(File) -> Box<dyn Storage>,
    ) -> Result<Store> {
        let path = directory.join(FILE);
        let file = storage::open_locked(&path)?;
        // What a compaction left behind when it was cut off.
        match std::fs::remove_file(directory.join(COMPACTED)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(io("removing what a compaction left", &error));
            }
            _ => {}
        }
        let second = file
            .try_clone()
            .map_err(|error| io("opening the store", &error))?;
        let mut storage = over(second);
        if is_new(&file)? {
            create(&file, &mut *storage, settings, beginning)?;
            if settings.durable {
                storage::sync_directory(directory)?;
            }
        }
        let (current, space, file_len) = load(&file)?;
        let store = Store {
            directory: directory.to_owned(),
            file,
            storage,
            settings,
            space,
            current: Arc::new(current),
            registry: Arc::default(),
            file_len,
            broken: false,
        };
        let stored = store.schema()?;
        if stored != *beginning.schema {
            return Err(misuse("the store was made for another schema"));
        }
        Ok(store)
    }

    /// The schema that the file was made for.
    pub fn schema(&self) -> Result<Schema> {
        schema_of(&self.current)
    }

    /// Holds the newest version.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::new(Arc::clone(&self.current), Arc::clone(&self.registry))
    }

    /// The newest version.
    pub fn current(&self) -> &Arc<Version> {
        &self.current
    }

    /// Begins to write on top of the newest version.
    pub fn workspace(&self) -> Result<Workspace> {
        if self.broken {
            return Err(misuse(
                "a commit failed at its header: the store must be opened again before it is written to",
            ));
        }
        Ok(Workspace::new(
            Arc::clone(&self.current.map),
            self.current.header.end,
        ))
    }

    /// Length of the file, bytes in use by nodes, free, and waiting for readers.
    #[cfg(test)]
    pub fn sizes(&self) -> (u64, u64, u64, u64) {
        let (free, waiting) = self.space.sizes();
        (
            self.file_len,
            self.space.end - free - waiting,
            free,
            waiting,
        )
    }
}

/// The schema that a version was made for.
pub fn schema_of(version: &Version) -> Result<Schema> {
    let bytes = version.nodes().get(version.roots.schema, Kind::Schema)?;
    serde_json::from_slice(&bytes[node::HEAD..])
        .map_err(|error| corrupt(format!("the stored schema cannot be read: {error}")))
}

/// Whether nothing was ever committed to a file.
fn is_new(file: &File) -> Result<bool> {
    use std::os::unix::fs::FileExt;
    let len = file
        .metadata()
        .map_err(|error| io("the store's length", &error))?
        .len();
    let mut start = vec![0; len.min(DATA) as usize];
    file.read_exact_at(&mut start, 0)
        .map_err(|error| io("reading the headers", &error))?;
    Ok(start.iter().all(|byte| *byte == 0))
}

/// Writes the first version: a schema and no records.
fn create(
    file: &File,
    storage: &mut dyn Storage,
    settings: Settings,
    beginning: &Beginning<'_>,
) -> Result<()> {
    let writing = |error: std::io::Error| io("creating the store", &error);
    let mut space = Space::new();
    let mut schema = node::start(Kind::Schema, 0, 0);
    let text = serde_json::to_vec(beginning.schema)
        .map_err(|error| misuse(format!("the schema cannot be written: {error}")))?;
    schema.extend(text);
    let mut schema = node::finish(schema)?;
    node::seal(&mut schema);
    let schema_at = space.take(schema.len() as u64);
    let roots = Roots {
        schema: Ref(schema_at),
        tables: vec![TableRoot::default(); beginning.schema.models.len()],
        trees: vec![Ref::NONE; beginning.trees],
    };
    let mut root = roots.encode()?;
    let root_sum = node::seal(&mut root);
    let root_at = space.take(root.len() as u64);
    let (space_at, mut unused) = space.encode()?;
    let space_sum = node::seal(&mut unused);
    let header = Header {
        version: 1,
        end: space.end,
        root: Ref(root_at),
        root_sum,
        space: Ref(space_at),
        space_sum,
    };
    let len = file.metadata().map_err(writing)?.len();
    storage
        .set_len(len.max(settings.initial_size).max(space.end))
        .map_err(writing)?;
    for (at, bytes) in [(schema_at, schema), (root_at, root), (space_at, unused)] {
        storage.write(at, &bytes).map_err(writing)?;
    }
    if settings.durable {
        storage.sync().map_err(writing)?;
    }
    storage
        .write(header.place(), &header.encode())
        .map_err(writing)?;
    if settings.durable {
        storage.sync().map_err(writing)?;
    }
    Ok(())
}

/// Maps a file and finds its newest whole version; its space, its length.
pub fn load(file: &File) -> Result<(Version, Space, u64)> {
    let len = file
        .metadata()
        .map_err(|error| io("the store's length", &error))?
        .len();
    if len < DATA {
        return Err(corrupt("the file is shorter than its headers"));
    }
    let map = Arc::new(Map::new(file, len)?);
    let slot = |at| map.bytes(at, LEN as u64, DATA);
    let headers = header::headers(slot(0)?, slot(SLOT)?)?;
    let mut refused = None;
    for header in headers {
        match whole(&map, header, len) {
            Ok((roots, space)) => {
                let version = Version {
                    map: Arc::clone(&map),
                    header,
                    roots,
                };
                return Ok((version, space, len));
            }
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    Err(refused.unwrap_or_else(|| corrupt("no header can be used")))
}

/// Roots and space of the version that a header names, if they are whole.
pub fn whole(map: &Map, header: Header, len: u64) -> Result<(Roots, Space)> {
    if header.end > len {
        return Err(corrupt(format!(
            "the file was cut off: {len} bytes are there of {}",
            header.end
        )));
    }
    let nodes = Nodes::new(map, header.end, &[]);
    let tested = |at: Ref, kind: Kind, sum: u64| {
        let bytes = nodes.tested(at)?;
        if super::bytes::u64_at(bytes, 0)? != sum {
            return Err(corrupt(format!(
                "the {kind:?} node is not the one the header names"
            )));
        }
        nodes.get(at, kind)
    };
    let roots = Roots::read(tested(header.root, Kind::Root, header.root_sum)?)?;
    let space = Space::read(
        tested(header.space, Kind::Space, header.space_sum)?,
        header.end,
    )?;
    Ok((roots, space))
}
