//! Memory of a process, as `/proc/PID/status` tells it.

use std::io;

/// Resident memory of a process, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessMemory {
    /// Resident in all (`VmRSS`).
    pub resident_bytes: u64,
    /// Anonymous part (`RssAnon`): what the process allocates.
    pub anonymous_bytes: u64,
    /// File-mapped and shared part (`RssFile` + `RssShmem`): what it maps.
    pub mapped_bytes: u64,
    /// High-water mark of the resident memory (`VmHWM`).
    pub peak_bytes: u64,
    /// Private writable memory, resident or not (`VmData`): what `RLIMIT_DATA` limits.
    pub data_bytes: u64,
}

/// Memory of a process; an error once it has ended.
pub fn memory_of(pid: u32) -> io::Result<ProcessMemory> {
    parse(&std::fs::read(format!("/proc/{pid}/status"))?)
        .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the process has no memory left"))
}

/// Reads the lines of `/proc/PID/status`; `None` where they are missing (a
/// zombie has none). Allocates nothing: a sampler calls it.
pub fn parse(status: &[u8]) -> Option<ProcessMemory> {
    let mut memory = ProcessMemory::default();
    let mut seen = 0;
    for line in status.split(|byte| *byte == b'\n') {
        if let Some(bytes) = kibibytes(line, b"VmRSS:") {
            memory.resident_bytes = bytes;
            seen += 1;
        } else if let Some(bytes) = kibibytes(line, b"RssAnon:") {
            memory.anonymous_bytes = bytes;
            seen += 1;
        } else if let Some(bytes) =
            kibibytes(line, b"RssFile:").or_else(|| kibibytes(line, b"RssShmem:"))
        {
            memory.mapped_bytes += bytes;
            seen += 1;
        } else if let Some(bytes) = kibibytes(line, b"VmHWM:") {
            memory.peak_bytes = bytes;
            seen += 1;
        } else if let Some(bytes) = kibibytes(line, b"VmData:") {
            memory.data_bytes = bytes;
            seen += 1;
        }
    }
    (seen == 6).then_some(memory)
}

/// The value in bytes of a line `name  123 kB`.
fn kibibytes(line: &[u8], name: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(name)?;
    let mut value: Option<u64> = None;
    for byte in rest {
        match byte {
            b'0'..=b'9' => {
                let digit = u64::from(byte - b'0');
                value = Some(value.unwrap_or(0).checked_mul(10)?.checked_add(digit)?);
            }
            b' ' | b'\t' if value.is_none() => {}
            _ => break,
        }
    }
    value?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_line_it_needs() {
        let status = b"Name:\tx\nVmHWM:\t    1772 kB\nVmRSS:\t    1764 kB\nRssAnon:\t     100 kB\n\
            RssFile:\t    1660 kB\nRssShmem:\t       4 kB\nVmData:\t     360 kB\n";
        assert_eq!(
            parse(status),
            Some(ProcessMemory {
                resident_bytes: 1764 << 10,
                anonymous_bytes: 100 << 10,
                mapped_bytes: 1664 << 10,
                peak_bytes: 1772 << 10,
                data_bytes: 360 << 10,
            })
        );
        assert_eq!(parse(b"Name:\tx\nState:\tZ (zombie)\n"), None);
    }

    #[test]
    fn sees_its_own_allocation() {
        let pid = std::process::id();
        let block = vec![1u8; 256 << 20];
        let after = memory_of(pid).unwrap();
        assert!(block.iter().all(|byte| *byte == 1));
        // Other tests of this process allocate and free at the same time, so that
        // only what the block itself takes is sure.
        assert!(after.anonymous_bytes >= 256 << 20);
        assert!(after.peak_bytes >= after.resident_bytes);
        assert!(after.data_bytes >= 256 << 20);
    }

    #[test]
    fn a_process_that_is_not_there_is_an_error() {
        assert!(memory_of(u32::MAX).is_err());
    }
}
