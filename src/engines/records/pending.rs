//! What a transaction has written and the engine does not have yet.

use std::collections::HashMap;
use std::ops::Range;

use super::keyvalue::Write;
use crate::plan::schema::ModelId;

/// Memory that is kept for the next transaction, bytes.
const KEPT_BYTES: usize = 1 << 20;

/// Writes in the order in which their keys were first written.
#[derive(Debug, Default)]
pub struct Pending {
    /// Keys and values one after the other.
    bytes: Vec<u8>,
    writes: Vec<Waiting>,
    /// Position in `writes`, by key, per model.
    places: Vec<HashMap<Box<[u8]>, usize>>,
    /// What each write replaced, oldest first.
    log: Vec<Before>,
}

#[derive(Clone, Debug)]
struct Waiting {
    space: ModelId,
    key: Range<usize>,
    value: Option<Range<usize>>,
}

#[derive(Clone, Debug)]
enum Before {
    /// The key had not been written: it is the newest of `writes`.
    Nothing,
    /// This one had another value.
    Value(usize, Option<Range<usize>>),
}

/// A moment to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    log: usize,
    bytes: usize,
}

impl Pending {
    /// None, for so many models.
    pub fn new(spaces: usize) -> Pending {
        Pending {
            places: vec![HashMap::new(); spaces],
            ..Pending::default()
        }
    }

    /// Whether nothing of a model is waiting.
    pub fn is_empty_of(&self, space: ModelId) -> bool {
        self.places.get(space).is_none_or(HashMap::is_empty)
    }

    /// What was written under a key: a value, or `Some(None)` for nothing;
    /// `None` where it was not written.
    pub fn get(&self, space: ModelId, key: &[u8]) -> Option<Option<&[u8]>> {
        let place = *self.places.get(space)?.get(key)?;
        let value = self.writes.get(place)?.value.clone();
        Some(value.map(|value| &self.bytes[value]))
    }

    /// Writes a value, or nothing, under a key.
    pub fn put(&mut self, space: ModelId, key: &[u8], value: Option<&[u8]>) {
        if self.places.len() <= space {
            self.places.resize(space + 1, HashMap::new());
        }
        let value = value.map(|value| self.append(value));
        match self.places[space].get(key) {
            Some(&place) => {
                let old = std::mem::replace(&mut self.writes[place].value, value);
                self.log.push(Before::Value(place, old));
            }
            None => {
                self.places[space].insert(key.into(), self.writes.len());
                let key = self.append(key);
                self.writes.push(Waiting { space, key, value });
                self.log.push(Before::Nothing);
            }
        }
    }

    /// This moment.
    pub fn mark(&self) -> Mark {
        Mark {
            log: self.log.len(),
            bytes: self.bytes.len(),
        }
    }

    /// Undoes what was written after a moment.
    pub fn roll_back(&mut self, mark: Mark) {
        for before in self.log.drain(mark.log..).rev() {
            match before {
                Before::Value(place, value) => self.writes[place].value = value,
                Before::Nothing => {
                    if let Some(last) = self.writes.pop() {
                        self.places[last.space].remove(&self.bytes[last.key]);
                    }
                }
            }
        }
        self.bytes.truncate(mark.bytes);
    }

    /// All of them, in their order.
    pub fn writes(&self) -> impl Iterator<Item = Write<'_>> {
        self.writes.iter().map(|waiting| self.write(waiting))
    }

    /// Those of one model.
    pub fn writes_of(&self, space: ModelId) -> impl Iterator<Item = Write<'_>> {
        let places = self.places.get(space).into_iter().flatten();
        places.filter_map(|(_, place)| Some(self.write(self.writes.get(*place)?)))
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(KEPT_BYTES);
        self.writes.clear();
        self.writes.shrink_to(KEPT_BYTES / 64);
        self.log.clear();
        self.log.shrink_to(KEPT_BYTES / 64);
        for places in &mut self.places {
            places.clear();
            places.shrink_to(KEPT_BYTES / 64);
        }
    }

    fn append(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        start..self.bytes.len()
    }

    fn write(&self, waiting: &Waiting) -> Write<'_> {
        Write {
            space: waiting.space,
            key: &self.bytes[waiting.key.clone()],
            value: waiting.value.clone().map(|value| &self.bytes[value]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_back_restores_what_was_written_before() {
        let mut pending = Pending::new(2);
        pending.put(0, b"a", Some(b"1"));
        pending.put(1, b"a", None);
        let mark = pending.mark();
        pending.put(0, b"a", Some(b"2"));
        pending.put(0, b"b", Some(b"3"));
        pending.put(0, b"a", None);
        pending.put(1, b"a", Some(b"4"));
        assert_eq!(pending.get(0, b"a"), Some(None));
        assert_eq!(pending.get(1, b"a"), Some(Some(&b"4"[..])));
        pending.roll_back(mark);
        assert_eq!(pending.get(0, b"a"), Some(Some(&b"1"[..])));
        assert_eq!(pending.get(0, b"b"), None);
        assert_eq!(pending.get(1, b"a"), Some(None));
        let writes: Vec<_> = pending.writes().map(|w| (w.space, w.value)).collect();
        assert_eq!(writes, [(0, Some(&b"1"[..])), (1, None)]);
        assert_eq!(pending.writes_of(1).count(), 1);
        pending.clear();
        assert!(pending.is_empty_of(0) && pending.writes().next().is_none());
    }
}
