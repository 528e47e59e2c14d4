//! What ObjectBox promises about an acknowledged commit.
//!
//! "ObjectBox fully implements ACID transactions": a commit is durable when it
//! returns (<https://docs.objectbox.io/transactions>). Its store is LMDB, which
//! writes the pages, syncs them, and then writes the page that makes them
//! count through a descriptor that is itself synchronous
//! (<http://www.lmdb.tech/doc/>, "A transaction is durable when it is
//! committed" without `MDB_NOSYNC`). Traced with version 5.3.2: each commit is
//! one `fdatasync` of `data.mdb` and one write through a descriptor opened with
//! `O_DSYNC`. The C API has no option that leaves syncs out: the flag without
//! syncs is only for the log of stores in memory, which are not offered here.

use crate::engines::Options;
use crate::plan::Tier;

/// The tier: the same under all options.
pub fn tier(_: &Options) -> Tier {
    Tier::T3
}
