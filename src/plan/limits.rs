//! Defaults of a cell's limits.

use super::study::Limits;

impl Default for Limits {
    /// 8 GiB of memory, 10 minutes, 32 GiB of disk.
    fn default() -> Self {
        Limits {
            memory_bytes: 8 << 30,
            time_ns: 600_000_000_000,
            disk_bytes: 32 << 30,
        }
    }
}
