//! Objects from cells.

use flatbuffers::{FlatBufferBuilder, UOffsetT, VOffsetT, WIPOffset};
use uuid::Uuid;

use super::cell::Cell;
use super::vector::{Vector, pack};
use crate::base::ValueRef;
use crate::engines::EngineError;
use crate::engines::objectbox::layout::Element;

/// Builds objects, one after the other in the same memory.
pub struct Encoder {
    builder: FlatBufferBuilder<'static>,
    /// Per property, where what is not in the table itself was written.
    outside: Vec<Option<UOffsetT>>,
}

impl Default for Encoder {
    fn default() -> Self {
        Encoder {
            builder: FlatBufferBuilder::with_capacity(1024),
            outside: Vec::new(),
        }
    }
}

impl Encoder {
    /// The object with these properties, from the first on. Zeros are
    /// written out: a field that is not there is null.
    pub fn encode(&mut self, cells: &[Cell<'_>]) -> Result<&[u8], EngineError> {
        self.builder.reset();
        self.outside.clear();
        for cell in cells {
            let outside = self.write_outside(cell)?;
            self.outside.push(outside);
        }
        let builder = &mut self.builder;
        let table = builder.start_table();
        for (index, (cell, outside)) in cells.iter().zip(&self.outside).enumerate() {
            let slot = 4 + 2 * index as VOffsetT;
            match (cell, outside) {
                (_, Some(offset)) => {
                    builder.push_slot_always(slot, WIPOffset::<UOffsetT>::new(*offset));
                }
                (Cell::Bool(b), None) => builder.push_slot_always(slot, *b),
                (Cell::Int(int), None) => builder.push_slot_always(slot, *int),
                (Cell::Long(long), None) => builder.push_slot_always(slot, *long),
                (Cell::Double(double), None) => builder.push_slot_always(slot, *double),
                _ => {}
            }
        }
        let table = builder.end_table(table);
        builder.finish_minimal(table);
        Ok(builder.finished_data())
    }

    fn write_outside(&mut self, cell: &Cell<'_>) -> Result<Option<UOffsetT>, EngineError> {
        let builder = &mut self.builder;
        Ok(Some(match cell {
            Cell::Text(text) => builder.create_string(text).value(),
            Cell::Uuid(uuid) => {
                let mut spelled = Uuid::encode_buffer();
                let uuid = Uuid::from_bytes(*uuid).hyphenated();
                builder
                    .create_string(uuid.encode_lower(&mut spelled))
                    .value()
            }
            Cell::Bytes(bytes) => builder.create_vector(bytes).value(),
            Cell::Sixteen(bytes) => builder.create_vector(&bytes[..]).value(),
            Cell::Vector(vector) => self.write_vector(vector)?,
            Cell::Absent | Cell::Bool(_) | Cell::Int(_) | Cell::Long(_) | Cell::Double(_) => {
                return Ok(None);
            }
        }))
    }

    fn write_vector(&mut self, vector: &Vector<'_>) -> Result<UOffsetT, EngineError> {
        let refs = vector.refs()?;
        let builder = &mut self.builder;
        let long = |value: &ValueRef<'_>| match value {
            ValueRef::Int(int) | ValueRef::Timestamp(int) => *int,
            _ => 0,
        };
        let double = |value: &ValueRef<'_>| match value {
            ValueRef::Float(float) => *float,
            _ => 0.0,
        };
        Ok(match vector.element {
            Element::Long | Element::Date => {
                let longs: Vec<i64> = refs.iter().map(long).collect();
                builder.create_vector(&longs).value()
            }
            Element::Double => {
                let doubles: Vec<f64> = refs.iter().map(double).collect();
                builder.create_vector(&doubles).value()
            }
            Element::Bool => {
                let bools = refs.iter().map(|v| u8::from(*v == ValueRef::Bool(true)));
                let bools: Vec<u8> = bools.collect();
                builder.create_vector(&bools).value()
            }
            Element::Blob => {
                let packed = pack(refs.iter().map(|value| match value {
                    ValueRef::Blob(bytes) => *bytes,
                    _ => &[],
                }));
                builder.create_vector(&packed).value()
            }
            Element::Text | Element::Json | Element::Uuid => {
                let mut spelled = Uuid::encode_buffer();
                let offsets: Vec<_> = refs
                    .iter()
                    .map(|value| match value {
                        ValueRef::Text(text) | ValueRef::Json(text) => builder.create_string(text),
                        ValueRef::Uuid(uuid) => {
                            let uuid = Uuid::from_bytes(*uuid).hyphenated();
                            builder.create_string(uuid.encode_lower(&mut spelled))
                        }
                        _ => builder.create_string(""),
                    })
                    .collect();
                builder.create_vector(&offsets).value()
            }
        })
    }
}
