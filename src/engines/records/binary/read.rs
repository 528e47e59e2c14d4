//! Reading.

use super::item::{self, array};
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::records::encoding::corrupt;
use crate::engines::records::fields::Fields;
use crate::engines::records::layout::{BINARY_FORMAT, Layout, Place, Shape, width};
use crate::engines::records::slot::set_list;
use crate::plan::Scalar;

/// Reads the wanted fields of a record into their places.
pub fn read(
    layout: &Layout,
    wanted: &Fields,
    bytes: &[u8],
    row: &mut [Value],
) -> Result<(), EngineError> {
    if bytes.first() != Some(&BINARY_FORMAT) || bytes.len() < layout.pieces_at {
        return Err(corrupt("it is not of this format"));
    }
    for field in wanted.iter() {
        let (Some(slot), Some(own)) = (row.get_mut(field), layout.fields.get(field)) else {
            return Err(corrupt("no such field"));
        };
        if bytes[1 + field / 8] & 1 << (field % 8) != 0 {
            *slot = Value::Null;
            continue;
        }
        let value = match own.place {
            Place::Fixed { offset, width } => &bytes[offset..offset + width],
            Place::Piece(piece) => find(layout, bytes, piece)?,
        };
        match &own.shape {
            Shape::One(scalar) => item::read(value, scalar, slot)?,
            Shape::Many(scalar) => list(value, scalar, slot)?,
        }
    }
    Ok(())
}

fn find<'b>(layout: &Layout, bytes: &'b [u8], piece: usize) -> Result<&'b [u8], EngineError> {
    let (ends, pieces) = bytes[layout.ends_at..].split_at(layout.pieces_at - layout.ends_at);
    let end = |piece: usize| -> Result<usize, EngineError> {
        Ok(u32::from_le_bytes(array(&ends[4 * piece..4 * piece + 4])?) as usize)
    };
    let start = match piece.checked_sub(1) {
        Some(before) => end(before)?,
        None => 0,
    };
    pieces
        .get(start..end(piece)?)
        .ok_or_else(|| corrupt("it is cut short"))
}

fn list(mut items: &[u8], scalar: &Scalar, slot: &mut Value) -> Result<(), EngineError> {
    let fixed = width(scalar);
    set_list(slot, |slot| {
        let Some((there, rest)) = items.split_first() else {
            return Ok(false);
        };
        items = rest;
        if *there == 0 {
            *slot = Value::Null;
            return Ok(true);
        }
        let width = match fixed {
            Some(width) => width,
            None => u32::from_le_bytes(array(take(&mut items, 4)?)?) as usize,
        };
        item::read(take(&mut items, width)?, scalar, slot)?;
        Ok(true)
    })
}

fn take<'b>(from: &mut &'b [u8], bytes: usize) -> Result<&'b [u8], EngineError> {
    let (taken, rest) = from
        .split_at_checked(bytes)
        .ok_or_else(|| corrupt("it is cut short"))?;
    *from = rest;
    Ok(taken)
}
