//! Waits until the disk has done with earlier writes.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::time::{Duration, Instant};

/// Dirty bytes that count as settled: a running system never has none.
pub const SETTLED_BYTES: u64 = 1 << 20;

/// Writes out the dirty pages of the file system that holds `directory`, then
/// waits until little is dirty or under writeback, but not past `longest`.
///
/// Returns the bytes that were still dirty at the end: the residue.
pub fn settle(directory: &Path, longest: Duration) -> io::Result<u64> {
    let begin = Instant::now();
    let open = File::open(directory)?;
    // SAFETY: a valid descriptor; the call takes no pointer.
    if unsafe { libc::syncfs(open.as_raw_fd()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    loop {
        let residue = dirty_bytes()?;
        if residue <= SETTLED_BYTES || begin.elapsed() >= longest {
            return Ok(residue);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Dirty bytes and bytes under writeback of the whole machine.
pub fn dirty_bytes() -> io::Result<u64> {
    Ok(parse(&std::fs::read_to_string("/proc/meminfo")?))
}

fn parse(meminfo: &str) -> u64 {
    meminfo
        .lines()
        .filter_map(|line| {
            line.strip_prefix("Dirty:")
                .or_else(|| line.strip_prefix("Writeback:"))
        })
        .filter_map(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok())
        .map(|kibibytes| kibibytes * 1024)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_dirty_and_writeback_and_nothing_else() {
        let meminfo =
            "MemTotal: 100 kB\nDirty:      1352 kB\nWriteback:   8 kB\nWritebackTmp:  4 kB\n";
        assert_eq!(parse(meminfo), 1360 << 10);
    }

    #[test]
    fn writes_what_was_dirty() {
        let directory = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        std::fs::write(directory.path().join("dirt"), vec![1; 32 << 20]).unwrap();
        let begin = Instant::now();
        let residue = settle(directory.path(), Duration::from_secs(5)).unwrap();
        // Others may dirty pages at the same time; then the wait is bounded.
        assert!(residue <= SETTLED_BYTES || begin.elapsed() >= Duration::from_secs(5));
        assert!(settle(Path::new("/nowhere"), Duration::ZERO).is_err());
    }
}
