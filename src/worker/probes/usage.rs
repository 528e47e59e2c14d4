//! What the kernel accounts to this process.

/// CPU time, faults and switches since the process began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Minor page faults.
    pub minor_faults: u64,
    /// Major page faults.
    pub major_faults: u64,
    /// Context switches, voluntary and not.
    pub switches: u64,
}

impl Usage {
    /// Of all threads of this process.
    pub fn of_process() -> Usage {
        read(libc::RUSAGE_SELF)
    }

    /// Of the calling thread.
    pub fn of_thread() -> Usage {
        read(libc::RUSAGE_THREAD)
    }

    /// What was added since `before`.
    pub fn since(self, before: Usage) -> Usage {
        Usage {
            minor_faults: self.minor_faults.saturating_sub(before.minor_faults),
            major_faults: self.major_faults.saturating_sub(before.major_faults),
            switches: self.switches.saturating_sub(before.switches),
        }
    }
}

fn read(who: libc::c_int) -> Usage {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is valid for writing, and all zeroes is a value of it.
    let usage = unsafe {
        libc::getrusage(who, usage.as_mut_ptr());
        usage.assume_init()
    };
    let count = |value: libc::c_long| u64::try_from(value).unwrap_or(0);
    Usage {
        minor_faults: count(usage.ru_minflt),
        major_faults: count(usage.ru_majflt),
        switches: count(usage.ru_nvcsw) + count(usage.ru_nivcsw),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_fresh_pages_faults() {
        let before = Usage::of_thread();
        let block = vec![1u8; 16 << 20];
        let added = Usage::of_thread().since(before);
        assert_eq!(block.len(), 16 << 20);
        assert!(added.minor_faults >= 8, "{added:?}");
    }
}
