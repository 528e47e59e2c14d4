//! Base64 with padding (RFC 4648, section 4).

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends the text of some bytes.
pub fn encode(bytes: &[u8], out: &mut Vec<u8>) {
    let digit = |bits: u32, at: u32| DIGITS[(bits >> (18 - 6 * at) & 63) as usize];
    for group in bytes.chunks(3) {
        let mut three = [0; 4];
        three[1..=group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes(three);
        let digits = group.len() as u32 + 1;
        out.extend((0..4).map(|at| if at < digits { digit(bits, at) } else { b'=' }));
    }
}

/// Appends the bytes of a text; `None` where it is no Base64.
pub fn decode(text: &str, out: &mut Vec<u8>) -> Option<()> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let text = text.trim_end_matches('=');
    for group in text.as_bytes().chunks(4) {
        let mut bits = 0;
        for at in 0..4 {
            bits = bits << 6 | group.get(at).map_or(Some(0), |digit| value(*digit))?;
        }
        let bytes = bits.to_be_bytes();
        // A single digit holds no byte.
        out.extend(bytes.get(1..group.len()).filter(|b| !b.is_empty())?);
    }
    Some(())
}

fn value(digit: u8) -> Option<u32> {
    Some(match digit {
        b'A'..=b'Z' => u32::from(digit - b'A'),
        b'a'..=b'z' => u32::from(digit - b'a') + 26,
        b'0'..=b'9' => u32::from(digit - b'0') + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_vectors_of_the_rfc() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let mut out = Vec::new();
            encode(plain.as_bytes(), &mut out);
            assert_eq!(out, coded.as_bytes());
        }
        for wrong in ["Zg", "Z===", "Z%==", "Zg==Zg"] {
            assert_eq!(decode(wrong, &mut Vec::new()), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn bytes_come_back(bytes: Vec<u8>) {
            let (mut text, mut back) = (Vec::new(), Vec::new());
            encode(&bytes, &mut text);
            decode(std::str::from_utf8(&text).unwrap(), &mut back).unwrap();
            prop_assert_eq!(back, bytes);
        }
    }
}
