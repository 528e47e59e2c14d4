//! The two forms of a stored record.

use super::fields::Fields;
use super::layout::Layout;
use super::{binary, json};
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind};

/// How a record becomes bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One JSON object, read whole whatever is asked of it.
    Json,
    /// A header of fixed width and pieces behind it; each field is found without
    /// reading those before it.
    Binary,
}

impl Encoding {
    /// Whether a field can be had without reading the whole record.
    pub fn is_lazy(self) -> bool {
        self == Encoding::Binary
    }

    /// Begins a record at the end of `out`; one call per field follows, in order.
    pub fn writer<'w>(self, layout: &'w Layout, out: &'w mut Vec<u8>) -> Writer<'w> {
        match self {
            Encoding::Json => Writer::Json(json::Writer::new(layout, out)),
            Encoding::Binary => Writer::Binary(binary::Writer::new(layout, out)),
        }
    }

    /// Appends a record of these values, one per field.
    pub fn write(
        self,
        layout: &Layout,
        row: &[Value],
        out: &mut Vec<u8>,
    ) -> Result<(), EngineError> {
        let mut writer = self.writer(layout, out);
        for value in row {
            writer.field(value)?;
        }
        writer.finish()
    }

    /// Decodes the wanted fields into their places in `row`, which has one per
    /// field; the others are left as they are.
    pub fn read(
        self,
        layout: &Layout,
        wanted: &Fields,
        bytes: &[u8],
        row: &mut [Value],
    ) -> Result<(), EngineError> {
        if wanted.is_empty() {
            return Ok(());
        }
        match self {
            Encoding::Json => json::read(layout, wanted, bytes, row),
            Encoding::Binary => binary::read(layout, wanted, bytes, row),
        }
    }
}

/// Writes one record, field by field.
pub enum Writer<'w> {
    /// As JSON.
    Json(json::Writer<'w>),
    /// In the binary form.
    Binary(binary::Writer<'w>),
}

impl Writer<'_> {
    /// The next field: a value, a list, or null.
    pub fn field(&mut self, value: &Value) -> Result<(), EngineError> {
        match value {
            Value::List(items) => self.list(&mut items.iter()),
            one => match self {
                Writer::Json(writer) => writer.one(one),
                Writer::Binary(writer) => writer.one(one),
            },
        }
    }

    /// The next field: a list of these.
    pub fn list(&mut self, items: &mut dyn Iterator<Item = &Value>) -> Result<(), EngineError> {
        match self {
            Writer::Json(writer) => writer.list(items),
            Writer::Binary(writer) => writer.list(items),
        }
    }

    /// Ends the record.
    pub fn finish(self) -> Result<(), EngineError> {
        match self {
            Writer::Json(writer) => writer.finish(),
            Writer::Binary(writer) => writer.finish(),
        }
    }
}

/// A value that its field cannot hold.
pub fn misfit(value: &Value) -> EngineError {
    EngineError::new(
        ErrorKind::Other,
        format!("{} in a field of another type", value.kind()),
    )
}

/// A record that is not what was written.
pub fn corrupt(what: impl std::fmt::Display) -> EngineError {
    EngineError::new(ErrorKind::Corrupt, format!("a stored record: {what}"))
}
