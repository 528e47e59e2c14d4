//! Paths, as the language writes them.

use super::builder::{At, Builder};
use crate::engines::realm::layout::{Holds, Property};
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{Path, Scalar};

/// A value that a predicate is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// The key path.
    pub text: String,
    /// Its type.
    pub scalar: Scalar,
    /// Whether it may be null.
    pub nullable: bool,
    /// Whether a back-link lies on the way: then it is at most one value, but
    /// Realm sees a collection.
    pub many: bool,
}

/// The end of a path that leads to links or lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Collection<'a> {
    /// The key path.
    pub text: String,
    /// What the last property holds.
    pub holds: &'a Holds,
    /// Hops of the path.
    pub hops: usize,
    /// As [`Property::marker`].
    pub marker: Option<&'a str>,
    /// The model that holds it.
    pub owner: ModelId,
}

impl<'a> Builder<'a> {
    /// The value at a path; `None` where it is no scalar of its own.
    pub fn subject(&self, at: At, path: &Path) -> Option<Subject> {
        if !path.json.is_empty() {
            return None;
        }
        let (text, many, _, property) = self.walk(at, &path.hops)?;
        let Holds::Scalar(scalar) = &property.holds else {
            return None;
        };
        Some(Subject {
            text,
            scalar: scalar.clone(),
            nullable: property.optional || path.hops.len() > 1,
            many,
        })
    }

    /// The links or list at a path.
    pub fn collection(&self, at: At, path: &Path) -> Option<Collection<'a>> {
        let (text, _, owner, property) = self.walk(at, &path.hops)?;
        Some(Collection {
            text,
            holds: &property.holds,
            hops: path.hops.len(),
            marker: property.marker.as_deref(),
            owner,
        })
    }

    fn walk(&self, at: At, hops: &[FieldId]) -> Option<(String, bool, ModelId, &'a Property)> {
        let (last, before) = hops.split_last()?;
        let mut text = at.variable.map(variable).unwrap_or_default();
        let (mut model, mut many) = (at.model, false);
        let mut add = |name: &str| {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(name);
        };
        for hop in before {
            let property = self.layout.property(model, *hop)?;
            add(&property.name);
            model = match &property.holds {
                Holds::One(target) => *target,
                Holds::Back { owner, .. } => {
                    many = true;
                    *owner
                }
                _ => return None,
            };
        }
        let property = self.layout.property(model, *last)?;
        add(&property.name);
        Some((text, many, model, property))
    }
}

/// Name of a subquery's variable.
pub fn variable(depth: usize) -> String {
    format!("$x{depth}")
}
