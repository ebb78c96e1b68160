// SPDX-License-Identifier: MIT
//! Element-wise calls that are recorded and run together.

use std::marker::PhantomData;

use arr_sys::arr_fuse_stats;

use crate::error::{call, Result};
use crate::ops::example;

/// A scope of this thread, from [`Fuse::new`] to [`Fuse::end`]. Element-wise calls that make new arrays in it are
/// recorded, and those whose results are needed run at its end, in as few passes over memory as possible. Values are
/// identical, in every bit, to those of the same calls outside; reading a result first computes it. A result that was
/// dropped before and that only other calls need is never stored.
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
/// Dropping it without [`Fuse::end`] ends it as well, but failures are then reported only by uses of the results.
#[must_use = "it ends where it is dropped"]
#[derive(Debug)]
pub struct Fuse {
    // A scope belongs to one thread.
    not_send: PhantomData<*const ()>,
}

/// Devices whose element-wise calls are recorded outside of scopes; see [`set_automatic_fusion`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum AutomaticFusion {
    Never = arr_sys::ARR_FUSE_NOWHERE,
    OnHost = arr_sys::ARR_FUSE_ON_HOST,
    Everywhere = arr_sys::ARR_FUSE_EVERYWHERE,
}

/// Selects the devices whose element-wise calls with results of at least 256 KiB are recorded outside of scopes, so that
/// a chain of operators is one pass over memory. Without this call `ARR_FUSE` of the environment decides: `0`, `host`
/// (the default) or `all`.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// set_automatic_fusion(AutomaticFusion::Everywhere)?;
/// set_automatic_fusion(AutomaticFusion::OnHost)?; // as at the start
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_fuse_set_automatic)]
#[track_caller]
pub fn set_automatic_fusion(devices: AutomaticFusion) -> Result<()> {
    call!(arr_fuse_set_automatic(devices as i32));
    Ok(())
}

/// Returns the devices of [`set_automatic_fusion`].
#[doc = example!("assert!(automatic_fusion().is_ok());")]
#[doc = errors!(arr_fuse_automatic)]
#[track_caller]
pub fn automatic_fusion() -> Result<AutomaticFusion> {
    let mut devices = 0;
    call!(arr_fuse_automatic(&mut devices));
    Ok(match devices {
        arr_sys::ARR_FUSE_NOWHERE => AutomaticFusion::Never,
        arr_sys::ARR_FUSE_ON_HOST => AutomaticFusion::OnHost,
        _ => AutomaticFusion::Everywhere,
    })
}

/// Counts of the recorded calls of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FuseInfo {
    /// Scopes open on this thread.
    pub depth: i64,
    /// Results of recorded calls.
    pub recorded: i64,
    /// Programs that ran for them.
    pub programs: i64,
    /// Results that were not needed and never computed.
    pub skipped: i64,
}

impl Fuse {
    #[doc = errors!(arr_fuse_begin)]
    #[track_caller]
    pub fn new() -> Result<Fuse> {
        Fuse::with(0)
    }

    /// Reductions of recorded calls are one pass with them also where the order of adding matters, as in sums of
    /// floats, which may then differ in the last digits.
    #[doc = errors!(arr_fuse_begin)]
    #[track_caller]
    pub fn reordering() -> Result<Fuse> {
        Fuse::with(arr_sys::ARR_FUSE_REORDER)
    }

    /// Begins a scope that records small results too. By default the host computes them immediately, which takes less
    /// time than recording.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let scope = Fuse::small()?;
    /// let c = array![1.0, 2.0] + 1.0;
    /// scope.end()?;
    /// assert_eq!(c, array![2.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_fuse_begin)]
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
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let scope = Fuse::new()?;
    /// let c = array![1.0, 2.0] * 2.0;
    /// scope.flush()?;
    /// assert_eq!(c, array![2.0, 4.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_fuse_flush)]
    #[track_caller]
    pub fn flush(&self) -> Result<()> {
        call!(arr_fuse_flush());
        Ok(())
    }

    /// Ends the scope; the outermost one runs what is recorded and still wanted.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let scope = Fuse::new()?;
    /// let c = array![1.0, 2.0] * 2.0 + 1.0;
    /// scope.end()?;
    /// assert_eq!(c, array![3.0, 5.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_fuse_end)]
    #[track_caller]
    pub fn end(self) -> Result<()> {
        std::mem::forget(self);
        call!(arr_fuse_end());
        Ok(())
    }

    #[doc = errors!(arr_fuse_info)]
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
            let _ = unsafe { api.arr_fuse_end() };
        }
    }
}
