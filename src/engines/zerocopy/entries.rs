//! Entries that are to come into an index, and those that are to go.

/// Gathered changes of an index.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    bytes: Vec<u8>,
    list: Vec<Change>,
}

#[derive(Clone, Copy, Debug)]
struct Change {
    /// The first bytes of the key, for quick comparison.
    head: u64,
    at: usize,
    len: u32,
    add: bool,
    row: u64,
}

impl Entries {
    /// Notes that (key, row) comes, or goes.
    pub fn push(&mut self, key: &[u8], row: u64, add: bool) {
        let mut head = [0; 8];
        let len = key.len().min(8);
        head[..len].copy_from_slice(&key[..len]);
        self.list.push(Change {
            head: u64::from_be_bytes(head),
            at: self.bytes.len(),
            len: key.len() as u32,
            add,
            row,
        });
        self.bytes.extend_from_slice(key);
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    fn key_of(bytes: &[u8], change: Change) -> &[u8] {
        &bytes[change.at..change.at + change.len as usize]
    }

    /// Puts them into the order of an index; what goes stands before what comes.
    pub fn sort(&mut self) {
        let bytes = &self.bytes;
        self.list.sort_unstable_by(|a, b| {
            a.head
                .cmp(&b.head)
                .then_with(|| Self::key_of(bytes, *a).cmp(Self::key_of(bytes, *b)))
                .then_with(|| (a.row, a.add).cmp(&(b.row, b.add)))
        });
    }

    /// Key, row and whether it comes.
    pub fn get(&self, at: usize) -> (&[u8], u64, bool) {
        let change = self.list[at];
        (Self::key_of(&self.bytes, change), change.row, change.add)
    }
}
