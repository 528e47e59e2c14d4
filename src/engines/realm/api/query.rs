//! Queries.

use std::ffi::CStr;

use super::handle::Handle;
use super::realm::Realm;
use super::results::Results;
use crate::engines::EngineError;
use crate::engines::realm::ffi::types::{ClassKey, Link, QueryArgument, QueryT, RealmValue, kind};

/// A parsed query.
pub type Query = Handle<QueryT>;

impl Realm {
    /// Parses a query; its arguments are copied.
    pub fn parse(
        &self,
        class: ClassKey,
        text: &CStr,
        arguments: &mut [RealmValue],
    ) -> Result<Query, EngineError> {
        let arguments: Vec<QueryArgument> = arguments
            .iter_mut()
            .map(|value| QueryArgument {
                count: 1,
                is_list: false,
                values: value,
            })
            .collect();
        // SAFETY: the text ends with zero, the arguments point to live values.
        unsafe {
            let raw = self.functions().query_parse(
                self.raw(),
                class,
                text.as_ptr(),
                arguments.len(),
                arguments.as_ptr(),
            );
            Handle::take(self.functions(), raw)
        }
    }

    /// How many objects match.
    pub fn count(&self, query: &Query) -> Result<usize, EngineError> {
        let mut count = 0;
        // SAFETY: a live handle.
        let counted = unsafe { self.functions().query_count(query.raw(), &mut count) };
        self.check(counted).map(|()| count)
    }

    /// The first match.
    pub fn first(&self, query: &Query) -> Result<Option<Link>, EngineError> {
        let (mut value, mut found) = (RealmValue::NULL, false);
        // SAFETY: a live handle; where found, a link is written.
        unsafe {
            let looked = self
                .functions()
                .query_find_first(query.raw(), &mut value, &mut found);
            self.check(looked)?;
            let link = value.payload.link;
            Ok((found && value.kind == kind::LINK).then_some(link))
        }
    }

    /// All matches, found when first asked for.
    pub fn find(&self, query: &Query) -> Result<Results, EngineError> {
        // SAFETY: a live handle; the result is owned.
        unsafe {
            let raw = self.functions().query_find_all(query.raw());
            Handle::take(self.functions(), raw)
        }
    }
}
