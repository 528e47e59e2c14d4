//! Writing.

use serde::Serialize;

use super::base64;
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::records::encoding::{corrupt, misfit};
use crate::engines::records::layout::{FieldLayout, Layout, Shape};
use crate::plan::Scalar;

/// Writes one record as an object.
pub struct Writer<'w> {
    layout: &'w Layout,
    out: &'w mut Vec<u8>,
    next: usize,
    begun: bool,
}

impl<'w> Writer<'w> {
    /// Begins a record.
    pub fn new(layout: &'w Layout, out: &'w mut Vec<u8>) -> Self {
        out.push(b'{');
        Writer {
            layout,
            out,
            next: 0,
            begun: false,
        }
    }

    /// The next field: one value or null.
    pub fn one(&mut self, value: &Value) -> Result<(), EngineError> {
        let field = self.field()?;
        match (value, &field.shape) {
            (Value::Null, _) => Ok(()),
            (value, Shape::One(scalar)) => {
                self.label(field);
                write(self.out, value, scalar)
            }
            (value, Shape::Many(_)) => Err(misfit(value)),
        }
    }

    /// The next field: a list.
    pub fn list(&mut self, items: &mut dyn Iterator<Item = &Value>) -> Result<(), EngineError> {
        let field = self.field()?;
        let Shape::Many(scalar) = &field.shape else {
            return Err(misfit(&Value::List(Vec::new())));
        };
        self.label(field);
        self.out.push(b'[');
        for (at, item) in items.enumerate() {
            if at > 0 {
                self.out.push(b',');
            }
            match item {
                Value::Null => self.out.extend(b"null"),
                item => write(self.out, item, scalar)?,
            }
        }
        self.out.push(b']');
        Ok(())
    }

    /// Ends the record.
    pub fn finish(self) -> Result<(), EngineError> {
        self.out.push(b'}');
        if self.next == self.layout.fields.len() {
            return Ok(());
        }
        Err(corrupt("fields are missing"))
    }

    fn field(&mut self) -> Result<&'w FieldLayout, EngineError> {
        self.next += 1;
        self.layout.field(self.next - 1)
    }

    fn label(&mut self, field: &FieldLayout) {
        if self.begun {
            self.out.push(b',');
        }
        self.begun = true;
        self.out.extend(&field.label);
    }
}

fn write(out: &mut Vec<u8>, value: &Value, scalar: &Scalar) -> Result<(), EngineError> {
    match (scalar, value) {
        (Scalar::Bool, Value::Bool(bool)) => plain(out, bool),
        (Scalar::Int, Value::Int(int)) | (Scalar::Timestamp, Value::Timestamp(int)) => {
            plain(out, int)
        }
        (Scalar::Float, Value::Float(float)) if float.is_finite() => plain(out, float),
        (Scalar::Float, Value::Float(float)) => plain(out, &float.to_string()),
        (Scalar::Text | Scalar::Enum(_), Value::Text(text)) => plain(out, text),
        (Scalar::Uuid, Value::Uuid(uuid)) => {
            let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
            let uuid = uuid::Uuid::from_bytes(*uuid).hyphenated();
            plain(out, uuid.encode_lower(&mut text))
        }
        (Scalar::Blob, Value::Blob(bytes)) => {
            out.push(b'"');
            base64::encode(bytes, out);
            out.push(b'"');
            Ok(())
        }
        (Scalar::Json, Value::Json(text)) => {
            out.extend(text.as_bytes());
            Ok(())
        }
        (_, value) => Err(misfit(value)),
    }
}

fn plain<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) -> Result<(), EngineError> {
    serde_json::to_writer(out, value).map_err(corrupt)
}
