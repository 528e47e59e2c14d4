//! Whether a package is the pinned one.

use std::io::{self, Read};

use sha2::{Digest, Sha256, Sha512};

/// The hash of a stream in the form of a pin: `sha512-` or `sha256-` and the
/// digest in Base64, whichever the pin is written in. A pin in another form
/// equals nothing.
///
/// Source: the form is that of W3C Subresource Integrity, which npm keeps too.
pub fn of(from: impl Read, pinned: &str) -> io::Result<String> {
    if pinned.starts_with("sha256-") {
        return Ok(format!("sha256-{}", base64(&digest::<Sha256>(from)?)));
    }
    Ok(format!("sha512-{}", base64(&digest::<Sha512>(from)?)))
}

/// SHA-256 in hexadecimal.
pub fn sha256_hex(from: impl Read) -> io::Result<String> {
    let digest = digest::<Sha256>(from)?;
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn digest<D: Digest>(mut from: impl Read) -> io::Result<Vec<u8>> {
    let mut digest = D::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(digest.finalize().to_vec()),
            read => digest.update(&buffer[..read]),
        }
    }
}

/// Base64 with padding (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let index = (bits >> (18 - 6 * at)) as usize & 63;
            text.push(if at <= group.len() {
                char::from(ALPHABET[index])
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648, section 10.
    #[test]
    fn base64_is_the_standard_one() {
        let pairs = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (plain, coded) in pairs {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
    }

    /// FIPS 180-4 example: the digests of "abc".
    #[test]
    fn hashes_are_in_the_form_of_the_pin() {
        assert_eq!(
            of(&b"abc"[..], "sha256-x").unwrap(),
            "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
        );
        assert_eq!(
            of(&b"abc"[..], "sha512-x").unwrap(),
            "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw=="
        );
        assert_eq!(
            sha256_hex(&b"abc"[..]).unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn one_bit_makes_another_hash() {
        let mut package = vec![7; 100_000];
        let whole = of(&package[..], "sha512-").unwrap();
        package[70_000] ^= 1;
        assert_ne!(of(&package[..], "sha512-").unwrap(), whole);
    }
}
