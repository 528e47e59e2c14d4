//! One delivered row, put together from the tree of columns.

use std::ops::Range;

use super::columns::{Hop, Node};
use crate::base::{Value, ValueRef};
use crate::engines::EngineError;
use crate::engines::realm::api::{Cell, Object};
use crate::engines::realm::store::Store;
use crate::workload::Sink;
use crate::workload::eval::json::json_value;

/// Vectors kept from execution to execution.
#[derive(Default)]
pub struct Room {
    cells: Vec<Cell<'static>>,
    values: Vec<ValueRef<'static>>,
}

/// Delivers objects; its room is reused from row to row.
pub struct Rows<'r, 'n> {
    store: &'r Store,
    node: &'n Node,
    flat: bool,
    cells: Vec<Cell<'r>>,
    values: Vec<ValueRef<'r>>,
    outputs: Vec<Output<'r>>,
    /// Parts of JSON, of this row.
    owned: Vec<Value>,
}

/// A value of an output.
#[derive(Clone, Debug)]
enum Leaf<'r> {
    Borrowed(ValueRef<'r>),
    /// One of the owned values.
    Owned(usize),
    /// These of the output's inner elements.
    Inner(Range<usize>),
}

/// What an output has gathered of the row.
#[derive(Debug, Default)]
struct Output<'r> {
    single: Option<Leaf<'r>>,
    /// Where it is a list.
    elements: Option<Vec<Leaf<'r>>>,
    /// Elements of lists inside the list.
    inner: Vec<ValueRef<'r>>,
}

impl<'r, 'n> Rows<'r, 'n> {
    /// For a tree of so many columns.
    pub fn new(store: &'r Store, node: &'n Node, columns: usize, room: &mut Room) -> Self {
        let flat = node.is_flat();
        let outputs = if flat { 0 } else { columns };
        Rows {
            store,
            node,
            flat,
            cells: emptied(std::mem::take(&mut room.cells), Cell::NULL),
            values: emptied(std::mem::take(&mut room.values), ValueRef::Null),
            outputs: (0..outputs).map(|_| Output::default()).collect(),
            owned: Vec::new(),
        }
    }

    /// Gives the room back.
    pub fn finish(self, room: &mut Room) {
        room.cells = emptied(self.cells, Cell::NULL);
        room.values = emptied(self.values, ValueRef::Null);
    }

    /// Delivers one object.
    #[inline]
    pub fn deliver(&mut self, object: &Object, sink: &mut dyn Sink) -> Result<(), EngineError> {
        if !self.flat {
            return self.assemble(object, sink);
        }
        self.values.clear();
        if !self.node.keys.is_empty() {
            self.store
                .realm
                .read(object, &self.node.keys, &mut self.cells)?;
        }
        for (cell, output) in self.cells.iter().zip(&self.node.cells) {
            self.values.push(match &output.scalar {
                Some(scalar) => cell.value(scalar)?,
                None => link(cell),
            });
        }
        sink.row(&self.values);
        Ok(())
    }

    fn assemble(&mut self, object: &Object, sink: &mut dyn Sink) -> Result<(), EngineError> {
        self.owned.clear();
        for output in &mut self.outputs {
            output.single = None;
            output.elements = None;
            output.inner.clear();
        }
        self.gather(self.node, object, false)?;
        let leaf = |leaf: &'_ Leaf<'r>| match leaf {
            Leaf::Borrowed(value) => *value,
            Leaf::Owned(at) => self.owned[*at].scalar_ref(),
            Leaf::Inner(_) => ValueRef::Null,
        };
        let lists: Vec<Vec<ValueRef<'_>>> = self
            .outputs
            .iter()
            .map(|output| {
                let elements = output.elements.iter().flatten();
                let element = |element: &'_ Leaf<'r>| match element {
                    Leaf::Inner(range) => range.clone(),
                    _ => 0..0,
                };
                elements
                    .map(|each| match each {
                        Leaf::Inner(_) => ValueRef::List(&output.inner[element(each)]),
                        other => leaf(other),
                    })
                    .collect()
            })
            .collect();
        let values: Vec<ValueRef<'_>> = self
            .outputs
            .iter()
            .zip(&lists)
            .map(|(output, list)| match (&output.elements, &output.single) {
                (Some(_), _) => ValueRef::List(list),
                (None, Some(single)) => leaf(single),
                (None, None) => ValueRef::Null,
            })
            .collect();
        sink.row(&values);
        Ok(())
    }

    /// Gathers what a node asks of an object; `listed` inside a to-many link.
    fn gather(&mut self, node: &'n Node, object: &Object, listed: bool) -> Result<(), EngineError> {
        let store = self.store;
        for output in &node.identities {
            let key = Leaf::Borrowed(ValueRef::Int(object.key()));
            self.put(*output, listed, key);
        }
        if !node.keys.is_empty() {
            let mut cells = std::mem::take(&mut self.cells);
            store.realm.read(object, &node.keys, &mut cells)?;
            for (cell, output) in cells.iter().zip(&node.cells) {
                let value = match &output.scalar {
                    Some(scalar) => cell.value(scalar)?,
                    None => link(cell),
                };
                let leaf = match value {
                    ValueRef::Json(text) if !output.json.is_empty() => {
                        self.owned.push(json_value(text, &output.json));
                        Leaf::Owned(self.owned.len() - 1)
                    }
                    value => Leaf::Borrowed(value),
                };
                self.put(output.output, listed, leaf);
            }
            self.cells = cells;
        }
        for list in &node.lists {
            if store.list_is_null(node.model, object, list.field)? {
                self.put(list.output, listed, Leaf::Borrowed(ValueRef::Null));
                continue;
            }
            let elements = store
                .realm
                .list(object, store.property(node.model, list.field)?)?;
            let length = store.realm.length(&elements)?;
            let output = &mut self.outputs[list.output];
            let start = output.inner.len();
            if !listed {
                output.elements = Some(Vec::with_capacity(length));
            }
            for at in 0..length {
                let value = store.realm.element(&elements, at)?.value(&list.scalar)?;
                match (&mut output.elements, listed) {
                    (Some(items), false) => items.push(Leaf::Borrowed(value)),
                    _ => output.inner.push(value),
                }
            }
            if listed {
                let range = start..output.inner.len();
                self.put(list.output, true, Leaf::Inner(range));
            }
        }
        for (field, hop, inner) in &node.others {
            match hop {
                Hop::One => match store.behind(node.model, object, *field)? {
                    Some((_, other)) => self.gather(inner, &other, listed)?,
                    None => self.nulls(inner, listed),
                },
                Hop::Many => {
                    self.lists(inner);
                    let key = store.property(node.model, *field)?;
                    let list = store.realm.list(object, key)?;
                    for at in 0..store.realm.length(&list)? {
                        let other = store.realm.element_object(&list, at)?;
                        self.gather(inner, &other, true)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn put(&mut self, output: usize, listed: bool, leaf: Leaf<'r>) {
        let output = &mut self.outputs[output];
        match (&mut output.elements, listed) {
            (Some(elements), true) => elements.push(leaf),
            _ => output.single = Some(leaf),
        }
    }

    /// Null for every output behind a null link.
    fn nulls(&mut self, node: &Node, listed: bool) {
        for output in node.outputs() {
            self.put(output, listed, Leaf::Borrowed(ValueRef::Null));
        }
    }

    /// Begins a list for every output behind a to-many link.
    fn lists(&mut self, node: &Node) {
        for output in node.outputs() {
            self.outputs[output].elements = Some(Vec::new());
        }
    }
}

impl Node {
    /// All outputs at or behind this node.
    fn outputs(&self) -> Vec<usize> {
        let mut all = self.identities.clone();
        all.extend(self.cells.iter().map(|cell| cell.output));
        all.extend(self.lists.iter().map(|list| list.output));
        all.extend(self.others.iter().flat_map(|(_, _, node)| node.outputs()));
        all
    }
}

/// An empty vector with the room of an old one, for another lifetime.
#[inline]
fn emptied<A, B: Copy>(mut values: Vec<A>, nothing: B) -> Vec<B> {
    values.clear();
    // Nothing is mapped; collecting in place keeps the allocation.
    values.into_iter().map(|_| nothing).collect()
}

/// A link, delivered as its target's object key.
fn link<'r>(cell: &Cell<'r>) -> ValueRef<'r> {
    cell.link()
        .map_or(ValueRef::Null, |link| ValueRef::Int(link.object))
}
