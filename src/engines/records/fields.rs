//! A set of fields of one model.

use crate::plan::schema::FieldId;

/// A set of fields of one model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    has: Vec<bool>,
    end: usize,
}

impl Fields {
    /// None of a model's fields.
    pub fn none(fields: usize) -> Fields {
        Fields {
            has: vec![false; fields],
            end: 0,
        }
    }

    /// All of them.
    pub fn all(fields: usize) -> Fields {
        Fields {
            has: vec![true; fields],
            end: fields,
        }
    }

    /// Adds one; nothing happens where the model has no such field.
    pub fn add(&mut self, field: FieldId) {
        if let Some(has) = self.has.get_mut(field) {
            *has = true;
            self.end = self.end.max(field + 1);
        }
    }

    /// Adds those of another set of the same model.
    pub fn add_all(&mut self, other: &Fields) {
        other.iter().for_each(|field| self.add(field));
    }

    /// These without those of another set.
    pub fn without(&self, other: &Fields) -> Fields {
        let mut left = Fields::none(self.has.len());
        self.iter()
            .filter(|field| !other.contains(*field))
            .for_each(|field| left.add(field));
        left
    }

    /// Whether it is in the set.
    #[inline]
    pub fn contains(&self, field: FieldId) -> bool {
        self.has.get(field).copied().unwrap_or(false)
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// One past the last of them.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Those in the set, ascending.
    pub fn iter(&self) -> impl Iterator<Item = FieldId> + '_ {
        let has = self.has[..self.end].iter().enumerate();
        has.filter_map(|(field, has)| has.then_some(field))
    }
}
