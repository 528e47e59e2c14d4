//! The program's own pages, brought in before the baseline is taken.

use std::os::unix::ffi::OsStrExt;

/// Maps in the pages of the program and its libraries.
///
/// Otherwise the first call of an engine would fault in its code during a
/// step, and the program's own size would pass for the step's memory. Where
/// the kernel cannot (before Linux 5.14) the baseline is only less exact.
pub fn populate() {
    let Ok(maps) = std::fs::read("/proc/self/maps") else {
        return;
    };
    for line in maps.split(|byte| *byte == b'\n') {
        if let Some((start, end)) = file_mapping(line) {
            // SAFETY: only reads pages in; a mapping that is gone or cannot be
            // read gives an error, which changes nothing.
            unsafe {
                libc::madvise(
                    start as *mut libc::c_void,
                    end - start,
                    libc::MADV_POPULATE_READ,
                );
            }
        }
    }
}

/// Address range of a readable, private mapping of a file.
fn file_mapping(line: &[u8]) -> Option<(usize, usize)> {
    let line = std::ffi::OsStr::from_bytes(line).to_str()?;
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let rights = words.next()?;
    let path = words.nth(3)?;
    (rights.starts_with('r') && rights.ends_with('p') && path.starts_with('/')).then_some(())?;
    Some((
        usize::from_str_radix(start, 16).ok()?,
        usize::from_str_radix(end, 16).ok()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_mappings_of_files_only() {
        let code = b"7f00a000-7f00c000 r-xp 00001000 fe:00 77   /usr/lib/libc.so.6";
        assert_eq!(file_mapping(code), Some((0x7f00_a000, 0x7f00_c000)));
        for other in [
            &b"7f00a000-7f00c000 rw-p 00000000 00:00 0 "[..],
            b"7f00a000-7f00c000 rw-p 00000000 00:00 0   [heap]",
            b"7f00a000-7f00c000 ---p 00001000 fe:00 77   /usr/lib/libc.so.6",
            b"7f00a000-7f00c000 rw-s 00001000 fe:00 77   /store",
            b"",
        ] {
            assert_eq!(file_mapping(other), None);
        }
    }
}
