// SPDX-License-Identifier: MIT
//! Scopes whose element-wise calls are recorded and run together.

use std::marker::PhantomData;

use arr_sys::arr_fuse_stats;

use crate::error::{call, Result};

/// A scope of this thread, from [`Fuse::new`] to [`Fuse::end`]: element-wise calls that make new arrays in it are
/// recorded, and what is wanted of them runs at its end, in as few passes over memory as there is room for. Values
/// are those of the same calls outside, in every bit; whoever reads one first has it computed. A result that was
/// dropped by then and that only other calls need is never stored.
///
/// ```no_run
/// # fn main() -> arr::Result<()> {
/// # let (a, b, c) = (arr::Array::<f32>::ones([9])?, arr::Array::<f32>::ones([9])?, arr::Array::<f32>::ones([9])?);
/// let scope = arr::Fuse::new()?;
/// let r = &a * &b + &c * &a - b.sqrt();
/// scope.end()?; // one pass
/// # Ok(())
/// # }
/// ```
///
/// Dropped without [`Fuse::end`] it ends as well, but failures are then told only by what uses the results.
#[must_use = "it ends where it is dropped"]
#[derive(Debug)]
pub struct Fuse {
    // A scope belongs to one thread.
    not_send: PhantomData<*const ()>,
}

/// Counts of the scopes of this process so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FuseInfo {
    /// Scopes open on this thread.
    pub depth: i64,
    /// Results of recorded calls.
    pub recorded: i64,
    /// Programs that ran instead of them.
    pub programs: i64,
    /// Results that nobody wanted.
    pub skipped: i64,
}

impl Fuse {
    #[track_caller]
    pub fn new() -> Result<Fuse> {
        Fuse::with(0)
    }

    /// Reductions of recorded calls are one pass with them also where the order of adding matters, as in sums of
    /// floats, which may then differ in the last digits.
    #[track_caller]
    pub fn reordering() -> Result<Fuse> {
        Fuse::with(arr_sys::ARR_FUSE_REORDER)
    }

    /// Begins a scope that records small results too. By default the host computes them immediately, which takes less
    /// time than recording.
    #[track_caller]
    pub fn small() -> Result<Fuse> {
        Fuse::with(arr_sys::ARR_FUSE_SMALL)
    }

    #[track_caller]
    fn with(flags: i32) -> Result<Fuse> {
        call!(arr_fuse_begin(flags));
        Ok(Fuse { not_send: PhantomData })
    }

    /// Runs what is recorded so far.
    #[track_caller]
    pub fn flush(&self) -> Result<()> {
        call!(arr_fuse_flush());
        Ok(())
    }

    /// Ends the scope; the outermost one runs what is recorded and still wanted.
    #[track_caller]
    pub fn end(self) -> Result<()> {
        std::mem::forget(self);
        call!(arr_fuse_end());
        Ok(())
    }

    #[track_caller]
    pub fn info() -> Result<FuseInfo> {
        let mut stats =
            arr_fuse_stats { struct_size: std::mem::size_of::<arr_fuse_stats>() as i64, ..Default::default() };
        call!(arr_fuse_info(&mut stats));
        Ok(FuseInfo { depth: stats.depth, recorded: stats.recorded, programs: stats.programs, skipped: stats.skipped })
    }
}

impl Drop for Fuse {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 9: it takes nothing; the scope is this thread's, since the value cannot be sent.
            unsafe { api.arr_fuse_end() };
        }
    }
}
