//! Writing.

use super::item;
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::records::encoding::{corrupt, misfit};
use crate::engines::records::layout::{BINARY_FORMAT, FieldLayout, Layout, Place, Shape, width};
use crate::plan::Scalar;

/// Writes one record.
pub struct Writer<'w> {
    layout: &'w Layout,
    out: &'w mut Vec<u8>,
    start: usize,
    next: usize,
}

impl<'w> Writer<'w> {
    /// Begins a record.
    pub fn new(layout: &'w Layout, out: &'w mut Vec<u8>) -> Self {
        let start = out.len();
        out.resize(start + layout.pieces_at, 0);
        out[start] = BINARY_FORMAT;
        Writer {
            layout,
            out,
            start,
            next: 0,
        }
    }

    /// The next field: one value or null.
    pub fn one(&mut self, value: &Value) -> Result<(), EngineError> {
        let field = self.field()?;
        match (value, &field.shape) {
            (Value::Null, _) => {
                let at = self.next - 1;
                self.out[self.start + 1 + at / 8] |= 1 << (at % 8);
            }
            (value, Shape::One(scalar)) => self.scalar(value, scalar, field.place)?,
            (value, Shape::Many(_)) => return Err(misfit(value)),
        }
        self.end_piece(field.place)
    }

    /// The next field: a list.
    pub fn list(&mut self, items: &mut dyn Iterator<Item = &Value>) -> Result<(), EngineError> {
        let field = self.field()?;
        let Shape::Many(scalar) = &field.shape else {
            return Err(misfit(&Value::List(Vec::new())));
        };
        for value in items {
            if value.is_null() {
                self.out.push(0);
                continue;
            }
            self.out.push(1);
            if width(scalar).is_some() {
                item::write(self.out, value, scalar)?;
                continue;
            }
            let at = self.out.len();
            self.out.extend([0; 4]);
            item::write(self.out, value, scalar)?;
            let length = length(self.out.len() - at - 4)?;
            self.out[at..at + 4].copy_from_slice(&length);
        }
        self.end_piece(field.place)
    }

    /// Ends the record.
    pub fn finish(self) -> Result<(), EngineError> {
        if self.next == self.layout.fields.len() {
            return Ok(());
        }
        Err(corrupt("fields are missing"))
    }

    fn scalar(&mut self, value: &Value, scalar: &Scalar, place: Place) -> Result<(), EngineError> {
        let end = self.out.len();
        item::write(self.out, value, scalar)?;
        if let Place::Fixed { offset, width } = place {
            self.out.copy_within(end..end + width, self.start + offset);
            self.out.truncate(end);
        }
        Ok(())
    }

    fn end_piece(&mut self, place: Place) -> Result<(), EngineError> {
        if let Place::Piece(piece) = place {
            let end = length(self.out.len() - self.start - self.layout.pieces_at)?;
            let at = self.start + self.layout.ends_at + 4 * piece;
            self.out[at..at + 4].copy_from_slice(&end);
        }
        Ok(())
    }

    fn field(&mut self) -> Result<&'w FieldLayout, EngineError> {
        self.next += 1;
        self.layout.field(self.next - 1)
    }
}

fn length(bytes: usize) -> Result<[u8; 4], EngineError> {
    u32::try_from(bytes)
        .map(u32::to_le_bytes)
        .map_err(|_| corrupt("it is longer than 4 GiB"))
}
