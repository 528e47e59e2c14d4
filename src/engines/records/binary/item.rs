//! Values by their bytes.

use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::records::encoding::{corrupt, misfit};
use crate::engines::records::slot::{set_blob, set_json, set_text};
use crate::plan::Scalar;

/// Appends the bytes of a value; their number is fixed by the type, or that of
/// a piece.
pub fn write(out: &mut Vec<u8>, value: &Value, scalar: &Scalar) -> Result<(), EngineError> {
    match (scalar, value) {
        (Scalar::Bool, Value::Bool(bool)) => out.push(u8::from(*bool)),
        (Scalar::Int, Value::Int(int)) | (Scalar::Timestamp, Value::Timestamp(int)) => {
            out.extend(int.to_le_bytes());
        }
        (Scalar::Float, Value::Float(float)) => out.extend(float.to_le_bytes()),
        (Scalar::Uuid, Value::Uuid(uuid)) => out.extend(uuid),
        (Scalar::Text, Value::Text(text)) | (Scalar::Json, Value::Json(text)) => {
            out.extend(text.as_bytes());
        }
        (Scalar::Blob, Value::Blob(bytes)) => out.extend(bytes),
        (Scalar::Enum(cases), Value::Text(text)) => {
            let case = cases.iter().position(|case| case == text);
            let case = case.and_then(|case| u16::try_from(case).ok());
            out.extend(case.ok_or_else(|| misfit(value))?.to_le_bytes());
        }
        (_, value) => return Err(misfit(value)),
    }
    Ok(())
}

/// Makes the slot the value that these bytes are.
pub fn read(bytes: &[u8], scalar: &Scalar, slot: &mut Value) -> Result<(), EngineError> {
    match scalar {
        Scalar::Text => set_text(slot, utf8(bytes)?),
        Scalar::Json => set_json(slot, utf8(bytes)?),
        Scalar::Blob => set_blob(slot, |own| {
            own.extend(bytes);
            Ok::<(), EngineError>(())
        })?,
        Scalar::Bool => *slot = Value::Bool(array::<1>(bytes)?[0] != 0),
        Scalar::Int => *slot = Value::Int(i64::from_le_bytes(array(bytes)?)),
        Scalar::Timestamp => *slot = Value::Timestamp(i64::from_le_bytes(array(bytes)?)),
        Scalar::Float => *slot = Value::Float(f64::from_le_bytes(array(bytes)?)),
        Scalar::Uuid => *slot = Value::Uuid(array(bytes)?),
        Scalar::Enum(cases) => {
            let case = usize::from(u16::from_le_bytes(array(bytes)?));
            let case = cases.get(case).ok_or_else(|| corrupt("no such case"))?;
            set_text(slot, case);
        }
    }
    Ok(())
}

fn utf8(bytes: &[u8]) -> Result<&str, EngineError> {
    std::str::from_utf8(bytes).map_err(corrupt)
}

/// So many bytes.
pub fn array<const N: usize>(bytes: &[u8]) -> Result<[u8; N], EngineError> {
    bytes.try_into().map_err(|_| corrupt("it is cut short"))
}
