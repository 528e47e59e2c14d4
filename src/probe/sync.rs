//! How long the disk takes to make a small write durable.

use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::clock::monotonic_ns;

/// Syncs of one probe.
const SYNCS: usize = 20;

/// Median time of 20 `fdatasync`s in `directory`, each after a write of one
/// page to a file of its own, in nanoseconds. The file is removed.
pub fn fdatasync_median_ns(directory: &Path) -> io::Result<u64> {
    let path = directory.join(".sync-probe");
    let times = probe(&path);
    let removed = std::fs::remove_file(&path);
    let mut times = times?;
    removed?;
    times.sort_unstable();
    Ok((times[SYNCS / 2 - 1] + times[SYNCS / 2]) / 2)
}

fn probe(path: &Path) -> io::Result<[u64; SYNCS]> {
    let file = std::fs::File::create(path)?;
    let page = [0x5a; 4096];
    // Allocation and the file's length are durable before the clock runs.
    file.write_all_at(&page, 0)?;
    file.sync_all()?;
    let mut times = [0; SYNCS];
    for time in &mut times {
        file.write_all_at(&page, 0)?;
        let start = monotonic_ns();
        file.sync_data()?;
        *time = monotonic_ns() - start;
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_time_and_leaves_nothing() {
        let directory = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        assert!(fdatasync_median_ns(directory.path()).unwrap() > 0);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        assert!(fdatasync_median_ns(Path::new("/nowhere")).is_err());
    }
}
