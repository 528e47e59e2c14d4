//! The worker as a process: its output, its limits, its end.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Takes standard output away from everyone else: returns a private
/// descriptor to it, and points descriptor 1 at standard error, since a
/// library that prints would break the frames.
pub fn private_output() -> io::Result<File> {
    // SAFETY: plain descriptors; the new one is owned by the returned file alone.
    unsafe {
        let private = libc::fcntl(libc::STDOUT_FILENO, libc::F_DUPFD_CLOEXEC, 3);
        if private < 0 {
            return Err(io::Error::last_os_error());
        }
        let private = OwnedFd::from_raw_fd(private);
        if libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) < 0 {
            return Err(io::Error::last_os_error());
        }
        debug_assert!(private.as_raw_fd() > libc::STDERR_FILENO);
        Ok(File::from(private))
    }
}

/// Asks to be killed when the supervisor's thread that started this process
/// ends; fails when that has happened already.
pub fn die_with_supervisor() -> io::Result<()> {
    // SAFETY: no pointers.
    let (parent, code) = unsafe {
        let parent = libc::getppid();
        (parent, libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL))
    };
    if code != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: no pointers.
    if unsafe { libc::getppid() } != parent || parent == 0 {
        return Err(io::Error::other("the supervisor has ended"));
    }
    Ok(())
}

/// Limits private writable memory (`RLIMIT_DATA`), in bytes.
///
/// Mapped files do not count: an address-space limit would punish
/// memory-mapped engines. A lower limit that is in force already stays.
pub fn limit_data(bytes: u64) -> io::Result<()> {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is valid for reading and writing.
    unsafe {
        if libc::getrlimit(libc::RLIMIT_DATA, &mut limit) != 0 {
            return Err(io::Error::last_os_error());
        }
        limit.rlim_cur = limit.rlim_cur.min(bytes);
        if libc::setrlimit(libc::RLIMIT_DATA, &limit) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
