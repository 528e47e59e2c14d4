//! Results: live collections.

use super::cell::Cell;
use super::handle::Handle;
use super::object::Object;
use super::realm::Realm;
use crate::engines::EngineError;
use crate::engines::realm::ffi::types::{ClassKey, PropertyKey, RealmValue, ResultsT};
use crate::plan::Aggregate;

/// Objects found.
pub type Results = Handle<ResultsT>;

impl Realm {
    /// All objects of a class.
    pub fn all(&self, class: ClassKey) -> Result<Results, EngineError> {
        // SAFETY: an open realm; the result is owned.
        unsafe {
            let raw = self.functions().object_find_all(self.raw(), class);
            Handle::take(self.functions(), raw)
        }
    }

    /// How many there are.
    pub fn size(&self, results: &Results) -> Result<usize, EngineError> {
        let mut count = 0;
        // SAFETY: a live handle.
        let counted = unsafe { self.functions().results_count(results.raw(), &mut count) };
        self.check(counted).map(|()| count)
    }

    /// The object at a place.
    #[inline]
    pub fn object_at(&self, results: &Results, at: usize) -> Result<Object, EngineError> {
        // SAFETY: a live handle; the result is owned.
        unsafe {
            let raw = self.functions().results_get_object(results.raw(), at);
            Handle::take(self.functions(), raw)
        }
    }

    /// The same objects, whatever changes.
    pub fn snapshot(&self, results: &Results) -> Result<Results, EngineError> {
        // SAFETY: a live handle; the result is owned.
        unsafe {
            let raw = self.functions().results_snapshot(results.raw());
            Handle::take(self.functions(), raw)
        }
    }

    /// Deletes them all.
    pub fn delete_all(&mut self, results: &Results) -> Result<(), EngineError> {
        // SAFETY: a live handle.
        let deleted = unsafe { self.functions().results_delete_all(results.raw()) };
        self.check(deleted)
    }

    /// One value of one property of them all; nothing where there is none.
    pub fn aggregate(
        &self,
        results: &Results,
        function: Aggregate,
        property: PropertyKey,
    ) -> Result<Option<Cell<'_>>, EngineError> {
        let (mut value, mut found) = (RealmValue::NULL, false);
        let functions = self.functions();
        let raw = results.raw();
        // SAFETY: a live handle; scalars point nowhere.
        unsafe {
            let (value, found) = (&mut value, &mut found);
            let done = match function {
                Aggregate::Sum => functions.results_sum(raw, property, value, found),
                Aggregate::Average => functions.results_average(raw, property, value, found),
                Aggregate::Min => functions.results_min(raw, property, value, found),
                Aggregate::Max => functions.results_max(raw, property, value, found),
            };
            self.check(done)?;
        }
        // SAFETY: as above.
        Ok(found.then(|| unsafe { Cell::new(value) }))
    }
}
