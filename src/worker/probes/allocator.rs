//! The memory allocator: its name, and free heap given back between steps.

/// Name and version of the allocator that this worker uses, for the archive.
pub fn name() -> String {
    #[cfg(target_env = "gnu")]
    {
        // SAFETY: returns a static, NUL-terminated string.
        let version = unsafe { std::ffi::CStr::from_ptr(libc::gnu_get_libc_version()) };
        format!("glibc malloc {}", version.to_string_lossy())
    }
    #[cfg(not(target_env = "gnu"))]
    "system malloc".to_owned()
}

/// Gives free heap back to the kernel, so that a step does not start with the
/// memory of the one before.
pub fn trim() {
    #[cfg(target_env = "gnu")]
    // SAFETY: touches free memory of the allocator only.
    unsafe {
        libc::malloc_trim(0);
    }
}
