//! The framing of [`Message`]s on a pipe.

use std::io::{self, Read, Write};

use super::message::Message;

/// Longest frame that is accepted, in bytes: a step with every file of a large
/// store stays far below it, a stray byte stream does not.
pub const MAX_FRAME_BYTES: u32 = 64 << 20;

/// Writes one frame (length, then JSON) in a single write, and flushes.
pub fn write_frame(to: &mut dyn Write, message: &Message) -> io::Result<()> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = u32::try_from(frame.len() - 4)
        .ok()
        .filter(|length| *length <= MAX_FRAME_BYTES)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "frame too long"))?;
    frame[..4].copy_from_slice(&length.to_le_bytes());
    to.write_all(&frame)?;
    to.flush()
}

/// Reads one frame; `None` at the end of the stream between two frames.
///
/// Anything else than a frame (a length past [`MAX_FRAME_BYTES`], text that is
/// not a message, an end in the middle) is an error of kind `InvalidData` or
/// `UnexpectedEof`.
pub fn read_frame(from: &mut dyn Read) -> io::Result<Option<Message>> {
    let mut head = [0; 4];
    let mut have = 0;
    while have < head.len() {
        match from.read(&mut head[have..]) {
            Ok(0) if have == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(more) => have += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let length = u32::from_le_bytes(head);
    if length > MAX_FRAME_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("a frame of {length} bytes: not a worker's output"),
        ));
    }
    // Grown as bytes arrive: a false length must not allocate by itself.
    let mut body = Vec::new();
    from.take(u64::from(length)).read_to_end(&mut body)?;
    if body.len() < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    serde_json::from_slice(&body)
        .map(Some)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages() -> Vec<Message> {
        vec![
            Message::Indexes(vec!["by_name".into()]),
            Message::Prepared {
                label: "create".into(),
                count: 7,
            },
            Message::Done { files: Vec::new() },
        ]
    }

    fn framed() -> Vec<u8> {
        let mut bytes = Vec::new();
        for message in messages() {
            write_frame(&mut bytes, &message).unwrap();
        }
        bytes
    }

    /// Hands out one byte per read, as a slow pipe may.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let [first, rest @ ..] = self.0 else {
                return Ok(0);
            };
            into[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    #[test]
    fn frames_come_back_as_they_went() {
        let bytes = framed();
        let mut from = Drip(&bytes);
        for expected in messages() {
            assert_eq!(read_frame(&mut from).unwrap(), Some(expected));
        }
        assert_eq!(read_frame(&mut from).unwrap(), None);
    }

    #[test]
    fn a_cut_frame_is_an_error_wherever_it_is_cut() {
        let bytes = framed();
        let first = 4 + u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        for cut in 1..first {
            let error = read_frame(&mut &bytes[..cut]).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "cut at {cut}");
        }
    }

    #[test]
    fn garbage_is_refused_without_allocating_for_it() {
        let error = read_frame(&mut &b"Segmentation fault"[..]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        let error = read_frame(&mut &b"\x03\0\0\0{}!"[..]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}
