//! The disk that holds a directory.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::{fact, mounts};
use crate::archive::environment::Disk;

pub fn read(directory: &Path) -> Disk {
    let Some(directory) = nearest(directory) else {
        return Disk::default();
    };
    let (total_bytes, free_bytes) = space(&directory).unwrap_or((0, 0));
    let mut disk = Disk {
        total_bytes,
        free_bytes,
        ..Disk::default()
    };
    if let Some(mount) = mounts::of(&directory) {
        disk.file_system = Some(mount.file_system);
        disk.mount_options = mount.options;
    }
    if let Some(block) = block_device(&directory) {
        disk.device = block
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        // A partition has no queue of its own: its disk is the directory above.
        let whole = if block.join("queue").exists() {
            block
        } else {
            block.parent().map(Path::to_owned).unwrap_or(block)
        };
        disk.model = fact(whole.join("device/model"));
        disk.rotational = fact(whole.join("queue/rotational")).map(|text| text == "1");
        disk.write_cache = fact(whole.join("queue/write_cache"));
    }
    disk
}

/// The directory itself, or the nearest above it that is there.
fn nearest(directory: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(directory).ok()?;
    absolute
        .ancestors()
        .find_map(|path| std::fs::canonicalize(path).ok())
}

/// The device's place below `/sys`; `None` where the file system is on no block device.
fn block_device(directory: &Path) -> Option<PathBuf> {
    let device = std::fs::metadata(directory).ok()?.dev();
    let (major, minor) = (libc::major(device), libc::minor(device));
    std::fs::canonicalize(format!("/sys/dev/block/{major}:{minor}")).ok()
}

/// Total and free bytes of the file system.
fn space(directory: &Path) -> Option<(u64, u64)> {
    let path = std::ffi::CString::new(directory.as_os_str().as_bytes()).ok()?;
    // SAFETY: `path` ends with a zero byte, `facts` is valid for writing, and
    // all-zero is a valid value of it.
    let facts = unsafe {
        let mut facts: libc::statvfs = std::mem::zeroed();
        if libc::statvfs(path.as_ptr(), &mut facts) != 0 {
            return None;
        }
        facts
    };
    Some((
        facts.f_blocks * facts.f_frsize,
        facts.f_bavail * facts.f_frsize,
    ))
}
