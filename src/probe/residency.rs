//! How much of a store's files the page cache holds, and how to make it less.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;

use super::files::walk;

/// Pages of files and those of them that are resident.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Residency {
    /// Pages in all.
    pub pages: u64,
    /// Of these, in the page cache.
    pub resident: u64,
}

impl Residency {
    /// Share that is resident, 0 to 1; `None` of no pages.
    pub fn share(self) -> Option<f64> {
        (self.pages > 0).then(|| self.resident as f64 / self.pages as f64)
    }
}

/// Counts the resident pages of all files below `directory`, by `mincore`.
///
/// Below a virtual machine the host may cache still: no guest can tell.
pub fn residency(directory: &Path) -> io::Result<Residency> {
    let mut sum = Residency::default();
    for file in walk(directory)? {
        match File::open(directory.join(&file.name)) {
            Ok(open) => {
                let one = of_file(&open)?;
                sum.pages += one.pages;
                sum.resident += one.resident;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(sum)
}

/// Writes all files below `directory` to the disk and drops their pages from
/// the cache. Pages that a process still maps stay: [`residency`] tells.
pub fn drop_pages(directory: &Path) -> io::Result<()> {
    for file in walk(directory)? {
        let open = match File::open(directory.join(&file.name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            open => open?,
        };
        // Only clean pages can be dropped.
        open.sync_data()?;
        // SAFETY: a valid descriptor; the call takes no pointer.
        let code =
            unsafe { libc::posix_fadvise(open.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
        if code != 0 {
            return Err(io::Error::from_raw_os_error(code));
        }
    }
    Ok(())
}

fn of_file(file: &File) -> io::Result<Residency> {
    /// Mapped at a time: bounds the answer of `mincore` to 32 KiB at 4 KiB pages.
    const WINDOW_BYTES: u64 = 128 << 20;
    let length = file.metadata()?.len();
    // SAFETY: no pointer involved.
    let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    let mut sum = Residency::default();
    let mut offset = 0;
    while offset < length {
        let bytes = (length - offset).min(WINDOW_BYTES);
        let pages = bytes.div_ceil(page);
        let answer = in_core(file, offset, bytes, pages)?;
        sum.pages += pages;
        sum.resident += answer.iter().filter(|byte| *byte & 1 == 1).count() as u64;
        offset += bytes;
    }
    Ok(sum)
}

fn in_core(file: &File, offset: u64, bytes: u64, pages: u64) -> io::Result<Vec<u8>> {
    let mut answer = vec![0u8; pages as usize];
    // SAFETY: the mapping is never read or written (mincore touches no page),
    // lives within this function, and `answer` has a byte for each page of it.
    unsafe {
        let map = libc::mmap(
            std::ptr::null_mut(),
            bytes as usize,
            libc::PROT_READ,
            libc::MAP_SHARED,
            file.as_raw_fd(),
            offset as libc::off_t,
        );
        if map == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let code = libc::mincore(map, bytes as usize, answer.as_mut_ptr());
        let error = io::Error::last_os_error();
        libc::munmap(map, bytes as usize);
        if code != 0 {
            return Err(error);
        }
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_resident_until_it_is_dropped() {
        // Beside the target directory, on a real disk: a memory file system cannot drop.
        let directory = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        assert_eq!(residency(directory.path()).unwrap().share(), None);
        std::fs::write(directory.path().join("store"), vec![3; 8 << 20]).unwrap();
        let warm = residency(directory.path()).unwrap();
        assert_eq!((warm.pages, warm.resident), (2048, 2048));
        drop_pages(directory.path()).unwrap();
        let cold = residency(directory.path()).unwrap();
        assert_eq!(cold.pages, 2048);
        assert!(cold.resident < 64, "{cold:?}");
        std::fs::read(directory.path().join("store")).unwrap();
        assert_eq!(residency(directory.path()).unwrap(), warm);
    }
}
