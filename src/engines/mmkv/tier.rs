//! What MMKV promises about an acknowledged commit, by its options.
//!
//! | sync | tier | why |
//! | --- | --- | --- |
//! | none, async | T1 | values are appended to a file that is mapped shared: what was written is in the page cache, which outlives the process (1). `MS_ASYNC` does nothing on Linux (2) |
//! | full | T2 | the commit is on the disk when it returns; but the next one, not yet synced, may reach the disk in part (the checksum of all, in its own file, before the bytes that it counts), and MMKV then goes back to the last state that it confirmed, at its last rewriting of the file, or empties it (3) |
//!
//! A transaction of several records is no unit in any case.
//!
//! 1. <https://github.com/Tencent/MMKV/wiki/design>: the app writes to mapped
//!    memory, the operating system writes it back to the file, crashes lose
//!    nothing. `MMKV.h` says of `sync`: "you don't need to call this, really, I
//!    mean it, unless you worry about running out of battery".
//! 2. msync(2): "since Linux 2.6.19, MS_ASYNC is in fact a no-op".
//! 3. `MMKV_IO.cpp`, `checkDataValid`, of MMKV 2.0.0.

use super::options::{Chosen, Sync};
use crate::engines::Options;
use crate::plan::Tier;

/// The tier under these options.
pub fn tier(options: &Options) -> Tier {
    match Chosen::of(options).map(|chosen| chosen.sync) {
        Ok(Sync::Full) => Tier::T2,
        _ => Tier::T1,
    }
}
