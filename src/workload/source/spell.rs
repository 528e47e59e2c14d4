//! Values as text, for templates.

use std::fmt::Write;

use super::json::write_json;
use crate::base::Value;

/// Appends a value in words: ints in decimal, floats in the shortest form that
/// reads back the same (never with an exponent, always with a point), uuids
/// hyphenated, timestamps as `2024-01-31T00:00:00.000Z`, blobs in hexadecimal,
/// lists and null as JSON.
pub fn spell(value: &Value, text: &mut String) {
    match value {
        Value::Text(inner) | Value::Json(inner) => text.push_str(inner),
        Value::Uuid(uuid) => spell_uuid(uuid, text),
        Value::Timestamp(ms) => spell_timestamp(*ms, text),
        Value::Blob(bytes) => bytes.iter().for_each(|byte| spell_byte(*byte, text)),
        other => write_json(other, text),
    }
}

pub(super) fn spell_float(float: f64, text: &mut String) {
    let start = text.len();
    // Writing to a String does not fail.
    let _ = write!(text, "{float}");
    if float.is_finite() && !text[start..].contains('.') {
        text.push_str(".0");
    }
}

pub(super) fn spell_uuid(uuid: &[u8; 16], text: &mut String) {
    for (at, byte) in uuid.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        spell_byte(*byte, text);
    }
}

fn spell_byte(byte: u8, text: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    text.push(char::from(DIGITS[usize::from(byte >> 4)]));
    text.push(char::from(DIGITS[usize::from(byte & 15)]));
}

/// Proleptic Gregorian, after Howard Hinnant, "chrono-compatible low-level
/// date algorithms" (civil_from_days).
fn spell_timestamp(ms: i64, text: &mut String) {
    let (days, of_day) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (seconds, milliseconds) = (of_day / 1_000, of_day % 1_000);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let _ = write!(
        text,
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(value: Value) -> String {
        let mut text = String::new();
        spell(&value, &mut text);
        text
    }

    #[test]
    fn timestamps_follow_the_calendar() {
        assert_eq!(spelled(Value::Timestamp(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(spelled(Value::Timestamp(-1)), "1969-12-31T23:59:59.999Z");
        for ms in [
            951_782_400_123,
            1_709_164_800_000,
            -62_135_596_800_000,
            4_102_444_799_999,
        ] {
            let expected = jiff::Timestamp::from_millisecond(ms).expect("in range");
            let read: jiff::Timestamp = spelled(Value::Timestamp(ms)).parse().expect("ISO 8601");
            assert_eq!(read, expected);
        }
    }

    #[test]
    fn floats_always_look_like_floats() {
        assert_eq!(spelled(Value::Float(1.0)), "1.0");
        assert_eq!(spelled(Value::Float(-0.1)), "-0.1");
        assert_eq!(spelled(Value::Float(1e21)), "1000000000000000000000.0");
        assert_eq!(spelled(Value::Null), "null");
        assert_eq!(spelled(Value::Blob(vec![0, 255])), "00ff");
    }
}
