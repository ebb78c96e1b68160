// SPDX-License-Identifier: MIT
//! Limits of a device's resources for kernels.

use crate::device::Device;
use crate::error::{call, Result};

/// The limits of a device: bytes, except two that are counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum Limit {
    /// The size of each thread's stack.
    StackBytes = arr_sys::ARR_LIMIT_STACK_BYTES,
    /// The size of the buffer that printf in kernels writes to.
    PrintfBytes = arr_sys::ARR_LIMIT_PRINTF_BYTES,
    /// The size of the heap that malloc in kernels takes from.
    HeapBytes = arr_sys::ARR_LIMIT_HEAP_BYTES,
    /// The depth to which kernels that kernels launched may wait; not on newer GPUs.
    SyncDepth = arr_sys::ARR_LIMIT_SYNC_DEPTH,
    /// Launches by kernels that may wait to run.
    PendingLaunches = arr_sys::ARR_LIMIT_PENDING_LAUNCHES,
    /// That the L2 cache fetches at once: a hint.
    L2FetchBytes = arr_sys::ARR_LIMIT_L2_FETCH_BYTES,
    /// The part of the L2 cache that may be set aside for data that stays.
    PersistingL2Bytes = arr_sys::ARR_LIMIT_PERSISTING_L2_BYTES,
}

impl Device {
    #[doc = errors!(arr_device_limit)]
    #[track_caller]
    pub fn limit(self, which: Limit) -> Result<i64> {
        let mut value = 0;
        call!(arr_device_limit(&self.raw(), which as i32, &mut value));
        Ok(value)
    }

    /// Asks for another limit, for all of the program; the driver may round it.
    #[doc = errors!(arr_device_set_limit)]
    #[track_caller]
    pub fn set_limit(self, which: Limit, value: i64) -> Result<()> {
        call!(arr_device_set_limit(&self.raw(), which as i32, value));
        Ok(())
    }
}
