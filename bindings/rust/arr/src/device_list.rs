// SPDX-License-Identifier: MIT
//! Lists of devices, and waiting for one.

use std::time::Duration;

use arr_sys::{arr_device, arr_device_filter};

use crate::device::Device;
use crate::error::{call, Result};

/// Conditions on the devices of [`Device::list`]; zero and None set no condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceFilter<'a> {
    /// No host.
    pub gpu: bool,
    /// At least this compute capability, 10 * major + minor; leaves out the host.
    pub compute: i64,
    /// At least so much in all.
    pub memory_bytes: i64,
    /// At least so much free now.
    pub free_bytes: i64,
    /// Contained in the name, in letters of any case.
    pub name: Option<&'a str>,
}

impl Device {
    /// Returns the devices that match a filter, GPUs first. If none matches, looks again ten times a second until
    /// `wait` is over.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let all = Device::list(DeviceFilter::default(), std::time::Duration::ZERO)?;
    /// assert_eq!(all.last(), Some(&Device::HOST));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_device_list)]
    #[track_caller]
    pub fn list(filter: DeviceFilter, wait: Duration) -> Result<Vec<Device>> {
        let raw = arr_device_filter {
            struct_size: std::mem::size_of::<arr_device_filter>() as i64,
            type_: if filter.gpu { i64::from(arr_sys::ARR_CUDA) } else { 0 },
            compute: filter.compute,
            memory_bytes: filter.memory_bytes,
            free_bytes: filter.free_bytes,
            name: filter.name.map_or(std::ptr::null(), |n| n.as_ptr().cast()),
            name_length: filter.name.map_or(0, |n| n.len() as i64),
        };
        let mut list = [arr_device::default(); 128];
        let (capacity, mut n) = (list.len() as i32, 0);
        call!(arr_device_list(&raw, wait.as_secs_f64(), capacity, list.as_mut_ptr(), &mut n));
        Ok(list.iter().take(usize::try_from(n).unwrap_or(0)).map(|&d| Device::from_raw(d)).collect())
    }
}
