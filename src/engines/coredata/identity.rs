//! Identities of objects, and a plain hash for them.

use std::hash::{BuildHasher, Hash, Hasher};

use crate::plan::schema::ModelId;

/// Entity and `Z_PK`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectId {
    entity: u32,
    id: i64,
}

impl ObjectId {
    /// Of that entity and `Z_PK`.
    pub fn new(entity: ModelId, id: i64) -> ObjectId {
        ObjectId {
            entity: entity as u32,
            id,
        }
    }
}

impl Hash for ObjectId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64((self.id as u64) ^ (u64::from(self.entity) << 48));
    }
}

/// Numbers need no defence against chosen keys: one multiplication spreads them.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainHash;

/// See [`PlainHash`].
#[derive(Debug, Default)]
pub struct PlainHasher(u64);

impl BuildHasher for PlainHash {
    type Hasher = PlainHasher;

    fn build_hasher(&self) -> PlainHasher {
        PlainHasher(0)
    }
}

impl Hasher for PlainHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }
}
