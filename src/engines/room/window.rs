//! The cursor window: the buffer that every row is copied into before an app
//! sees it.
//!
//! Laid out as `CursorWindow.cpp` does since Android 12 (frameworks/base,
//! libs/androidfw): texts and blobs grow from the start, slots of 16 bytes,
//! one per column, from the end, so that a row is found without a search. It
//! starts with 16 KiB and inflates once to its full size. A text is kept with
//! its terminating zero.

use crate::engines::sqlite::statement::Cell;

/// `kInlineSize`.
const INLINE_BYTES: usize = 16_384;
/// `kSlotSizeBytes`.
const SLOT_BYTES: usize = 16;

/// A cell's `FIELD_TYPE_`.
mod field {
    pub const NULL: u32 = 0;
    pub const INTEGER: u32 = 1;
    pub const FLOAT: u32 = 2;
    pub const STRING: u32 = 3;
    pub const BLOB: u32 = 4;
}

/// A window.
#[derive(Debug)]
pub struct Window {
    data: Vec<u8>,
    inflated_bytes: usize,
    columns: usize,
    rows: usize,
    /// End of texts and blobs.
    allocated: usize,
    /// Start of the slots.
    slots: usize,
}

/// There is no room left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl Window {
    /// An empty window for rows of so many columns.
    pub fn new(bytes: usize, columns: usize) -> Window {
        let data = vec![0; INLINE_BYTES.min(bytes)];
        Window {
            slots: data.len(),
            data,
            inflated_bytes: bytes,
            columns,
            rows: 0,
            allocated: 0,
        }
    }

    /// Columns of each row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Rows in it.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Forgets all rows; it stays as large as it has become.
    pub fn clear(&mut self) {
        self.rows = 0;
        self.allocated = 0;
        self.slots = self.data.len();
    }

    /// Adds a row of nulls.
    pub fn allocate_row(&mut self) -> Result<(), Full> {
        let bytes = self.columns * SLOT_BYTES;
        if self.slots - self.allocated < bytes {
            self.inflate();
            if self.slots - self.allocated < bytes {
                return Err(Full);
            }
        }
        self.data[self.slots - bytes..self.slots].fill(0);
        self.slots -= bytes;
        self.rows += 1;
        Ok(())
    }

    /// Takes the last row back. What its texts took stays taken, as there.
    pub fn free_last_row(&mut self) {
        if self.rows > 0 {
            self.rows -= 1;
            self.slots += self.columns * SLOT_BYTES;
        }
    }

    /// Puts a value into a column of the last row.
    pub fn put(&mut self, column: usize, cell: Cell<'_>) -> Result<(), Full> {
        let (kind, payload) = match cell {
            Cell::Null => (field::NULL, 0),
            Cell::Integer(value) => (field::INTEGER, value as u64),
            Cell::Real(value) => (field::FLOAT, value.to_bits()),
            Cell::Text(text) => (field::STRING, self.copy(text.as_bytes(), 1)?),
            Cell::Blob(bytes) => (field::BLOB, self.copy(bytes, 0)?),
        };
        let at = self.slot(self.rows - 1, column);
        self.data[at..at + 4].copy_from_slice(&kind.to_le_bytes());
        self.data[at + 8..at + 16].copy_from_slice(&payload.to_le_bytes());
        Ok(())
    }

    /// A value; null where there is no such row or column. A text that is not
    /// UTF-8 cannot have been put.
    pub fn get(&self, row: usize, column: usize) -> Cell<'_> {
        if row >= self.rows || column >= self.columns {
            return Cell::Null;
        }
        let at = self.slot(row, column);
        let kind = u32::from_le_bytes(array(&self.data[at..]));
        let payload = u64::from_le_bytes(array(&self.data[at + 8..]));
        let bytes = |terminator: usize| {
            let (start, length) = ((payload >> 32) as usize, payload as u32 as usize);
            &self.data[start..start + length - terminator]
        };
        match kind {
            field::INTEGER => Cell::Integer(payload as i64),
            field::FLOAT => Cell::Real(f64::from_bits(payload)),
            field::STRING => Cell::Text(std::str::from_utf8(bytes(1)).unwrap_or_default()),
            field::BLOB => Cell::Blob(bytes(0)),
            _ => Cell::Null,
        }
    }

    fn slot(&self, row: usize, column: usize) -> usize {
        self.data.len() - (row + 1) * self.columns * SLOT_BYTES + column * SLOT_BYTES
    }

    /// Copies bytes, with zeros after them; where they are.
    fn copy(&mut self, bytes: &[u8], zeros: usize) -> Result<u64, Full> {
        let length = bytes.len() + zeros;
        if self.slots - self.allocated < length {
            self.inflate();
            if self.slots - self.allocated < length {
                return Err(Full);
            }
        }
        let (start, end) = (self.allocated, self.allocated + bytes.len());
        self.data[start..end].copy_from_slice(bytes);
        self.data[end..end + zeros].fill(0);
        self.allocated = end + zeros;
        Ok((start as u64) << 32 | length as u64)
    }

    /// Moves what is there into a buffer of the full size.
    fn inflate(&mut self) {
        if self.data.len() >= self.inflated_bytes {
            return;
        }
        let mut data = vec![0; self.inflated_bytes];
        let slots = self.data.len() - self.slots;
        let start = data.len() - slots;
        data[..self.allocated].copy_from_slice(&self.data[..self.allocated]);
        data[start..].copy_from_slice(&self.data[self.slots..]);
        self.slots = start;
        self.data = data;
    }
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[..N]);
    array
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_comes_back_before_and_after_inflating() {
        let mut window = Window::new(64 << 10, 5);
        let long = "é".repeat(100);
        let mut rows = 0;
        while window.allocate_row().is_ok() {
            let put = [
                Cell::Null,
                Cell::Integer(-7 - rows as i64),
                Cell::Real(0.5),
                Cell::Text(&long),
                Cell::Blob(&[0, 255]),
            ];
            if put
                .iter()
                .enumerate()
                .any(|(at, cell)| window.put(at, *cell).is_err())
            {
                window.free_last_row();
                break;
            }
            rows += 1;
        }
        assert_eq!(window.rows(), rows);
        // A row takes five slots, 200 bytes of text with its zero, two bytes.
        assert_eq!(rows, (64 << 10) / (5 * 16 + 201 + 2));
        for row in 0..rows {
            assert_eq!(window.get(row, 0), Cell::Null);
            assert_eq!(window.get(row, 1), Cell::Integer(-7 - row as i64));
            assert_eq!(window.get(row, 2), Cell::Real(0.5));
            assert_eq!(window.get(row, 3), Cell::Text(&long));
            assert_eq!(window.get(row, 4), Cell::Blob(&[0, 255]));
        }
        assert_eq!(window.get(rows, 1), Cell::Null);
        window.clear();
        assert_eq!(window.rows(), 0);
        assert!(window.allocate_row().is_ok());
        assert_eq!(window.get(0, 3), Cell::Null);
    }

    #[test]
    fn what_cannot_fit_is_refused() {
        let mut window = Window::new(16 << 10, 1);
        window.allocate_row().unwrap();
        let large = vec![1; 16 << 10];
        assert_eq!(window.put(0, Cell::Blob(&large)), Err(Full));
        assert_eq!(window.put(0, Cell::Text("")), Ok(()));
        assert_eq!(window.get(0, 0), Cell::Text(""));
    }
}
