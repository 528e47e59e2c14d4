//! What comes through a to-many link, in one order for every engine.

use std::cmp::Ordering;

use crate::base::Value;
use crate::plan::schema::FieldId;
use crate::plan::{Column, Query, Schema};
use crate::workload::compare::compare_values;

/// Columns that come through to-many links, by link.
///
/// Such a link is a set: engines deliver its objects in orders of their own,
/// which must not reach a hook's result.
pub struct Linked {
    links: Vec<Vec<usize>>,
}

impl Linked {
    /// The columns of this query.
    pub fn of(schema: &Schema, query: &Query) -> Linked {
        let mut links: Vec<(&[FieldId], Vec<usize>)> = Vec::new();
        for (at, column) in query.columns.iter().enumerate() {
            let Column::Path(path) = column else { continue };
            let Some(link) = path.through_many(schema, query.model) else {
                continue;
            };
            match links.iter_mut().find(|(known, _)| *known == link) {
                Some((_, columns)) => columns.push(at),
                None => links.push((link, vec![at])),
            }
        }
        Linked {
            links: links.into_iter().map(|(_, columns)| columns).collect(),
        }
    }

    /// Sorts the objects of each link by their values, column after column.
    pub fn sort(&self, records: &mut [Vec<Value>]) {
        for record in records {
            for columns in &self.links {
                sort(record, columns);
            }
        }
    }
}

fn sort(record: &mut [Value], columns: &[usize]) {
    let mut lists = Vec::with_capacity(columns.len());
    for at in columns {
        match record.get(*at) {
            Some(Value::List(items)) => lists.push(items),
            _ => return,
        }
    }
    let objects = lists.first().map_or(0, |list| list.len());
    if objects < 2 || lists.iter().any(|list| list.len() != objects) {
        return;
    }
    let mut order: Vec<usize> = (0..objects).collect();
    order.sort_by(|&a, &b| {
        let columns = lists.iter().map(|list| compare_values(&list[a], &list[b]));
        columns.fold(Ordering::Equal, Ordering::then)
    });
    let sorted: Vec<Value> = lists
        .iter()
        .map(|list| Value::List(order.iter().map(|&at| list[at].clone()).collect()))
        .collect();
    for (at, list) in columns.iter().zip(sorted) {
        record[*at] = list;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(items: &[i64]) -> Value {
        Value::List(items.iter().copied().map(Value::Int).collect())
    }

    #[test]
    fn objects_of_a_link_are_sorted_as_wholes() {
        let linked = Linked {
            links: vec![vec![0, 2]],
        };
        let mut records = vec![vec![ints(&[2, 1, 2]), ints(&[9, 8, 7]), ints(&[5, 6, 4])]];
        linked.sort(&mut records);
        assert_eq!(
            records,
            [[ints(&[1, 2, 2]), ints(&[9, 8, 7]), ints(&[6, 4, 5])]]
        );
    }
}
