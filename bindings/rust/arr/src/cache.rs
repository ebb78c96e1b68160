// SPDX-License-Identifier: MIT
//! Compiled kernels on disk.

use arr_sys::arr_cache_stats;

use crate::error::{call, text_of, Result};
use crate::ops::example;

/// The contents of the cache, and its use in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheInfo {
    /// Compilations that were found.
    pub hits: i64,
    pub misses: i64,
    /// Entries written.
    pub stored: i64,
    /// Entries that were damaged or could have been written by others: removed.
    pub refused: i64,
    /// Now in the directory.
    pub entries: i64,
    /// The size of these entries.
    pub bytes: i64,
    /// Most bytes of a folder.
    pub limit: i64,
}

/// Looks through the cache's directory.
#[doc = example!("assert!(cache_info().is_ok());")]
#[doc = errors!(arr_cache_info)]
#[track_caller]
pub fn cache_info() -> Result<CacheInfo> {
    let mut s = arr_cache_stats { struct_size: std::mem::size_of::<arr_cache_stats>() as i64, ..Default::default() };
    call!(arr_cache_info(&mut s));
    Ok(CacheInfo {
        hits: s.hits,
        misses: s.misses,
        stored: s.stored,
        refused: s.refused,
        entries: s.entries,
        bytes: s.bytes,
        limit: s.limit,
    })
}

/// Returns the directory of the cache; an empty path if there is no cache.
#[doc = example!("assert!(cache_directory().is_ok());")]
#[doc = errors!(arr_cache_directory)]
#[track_caller]
pub fn cache_directory() -> Result<String> {
    text_of(|api, capacity, text, length| {
        // SAFETY: rule 3: text has `capacity` bytes or is NULL.
        unsafe { api.arr_cache_directory(capacity, text, length) }
    })
}

/// Removes all entries; kernels of this process stay.
#[doc = errors!(arr_cache_clear)]
#[track_caller]
pub fn cache_clear() -> Result<()> {
    call!(arr_cache_clear());
    Ok(())
}
