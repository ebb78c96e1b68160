// SPDX-License-Identifier: MIT
//! Managed memory, which moves between host and device; rows at a pitch; memory and events that other processes open.

use std::ffi::c_void;

use arr_sys::{arr_array, arr_event, Api};

use crate::array::Array;
use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::{value_of, Element};
use crate::error::{api, call, check, Result};
use crate::ops::example;
use crate::shape::{count, IntoShape};
use crate::stream::{current, Event};

/// The expected use of managed memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Advice {
    /// Read far more often than written; each device may keep a copy.
    ReadMostly = arr_sys::ARR_ADVISE_READ_MOSTLY,
    /// Ends that.
    NotReadMostly = arr_sys::ARR_ADVISE_NOT_READ_MOSTLY,
    /// The device is where it should lie.
    Prefer = arr_sys::ARR_ADVISE_PREFER,
    /// Ends that.
    NotPrefer = arr_sys::ARR_ADVISE_NOT_PREFER,
    /// The device uses it, and should reach it without faults.
    UsedBy = arr_sys::ARR_ADVISE_USED_BY,
    /// Ends that.
    NotUsedBy = arr_sys::ARR_ADVISE_NOT_USED_BY,
}

/// Bytes that a function fills in: asked once for their number, once for them.
#[track_caller]
fn bytes_of(ask: impl Fn(&Api, i64, *mut c_void, *mut i64) -> i32) -> Result<Vec<u8>> {
    let api = api()?;
    let mut length = 0;
    check(api, ask(api, 0, std::ptr::null_mut(), &mut length))?;
    let mut bytes = vec![0u8; usize::try_from(length).unwrap_or(0)];
    check(api, ask(api, bytes.len() as i64, bytes.as_mut_ptr().cast(), &mut length))?;
    Ok(bytes)
}

/// Managed memory and memory of other processes.
impl DynArray {
    /// True if the host and the array's device both reach the elements at one address: managed memory, of
    /// [`crate::Allocator::Managed`] or wrapped, and all memory of the host.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert!(array![1, 2].into_dyn().is_managed()?); // as all memory of the host
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_is_managed)]
    #[track_caller]
    pub fn is_managed(&self) -> Result<bool> {
        let mut managed = false;
        call!(arr_is_managed(self.as_raw(), &mut managed));
        Ok(managed)
    }

    /// Moves managed memory to where it will be used next, in the current stream, so that the first use need not fetch it
    /// page by page. Nothing happens to arrays of the host.
    #[doc = errors!(arr_memory_prefetch)]
    #[track_caller]
    pub fn prefetch(&self, device: Device) -> Result<()> {
        call!(arr_memory_prefetch(self.as_raw(), &device.raw(), current()));
        Ok(())
    }

    /// Informs the driver how managed memory will be used, and by which device. Nothing happens to arrays of the host.
    #[doc = errors!(arr_memory_advise)]
    #[track_caller]
    pub fn advise(&self, advice: Advice, device: Device) -> Result<()> {
        call!(arr_memory_advise(self.as_raw(), advice as i32, &device.raw()));
        Ok(())
    }

    /// Returns a handle with which another process on this machine opens the memory of an array on a GPU: bytes, to send
    /// by any means. The array must live until the others have released theirs, and what they write is seen here, so
    /// they must not write while this program reads.
    #[doc = errors!(arr_ipc_export)]
    #[track_caller]
    pub fn ipc_export(&self) -> Result<Vec<u8>> {
        bytes_of(|api, capacity, handle, length| {
            // SAFETY: rule 3: handle has `capacity` bytes or is NULL.
            unsafe { api.arr_ipc_export(self.as_raw(), capacity, handle, length) }
        })
    }

    /// Opens an array of another process by what [`DynArray::ipc_export`] gave there; `device` is the GPU that the memory
    /// is on, or one that reaches it. It is closed with the last array that uses its memory.
    ///
    /// # Safety
    /// The handle comes from a process that is to be trusted, whose array lives until this one is released, and neither
    /// process writes the memory while the other uses it.
    #[doc = errors!(arr_ipc_import)]
    #[track_caller]
    pub unsafe fn ipc_import(handle: &[u8], device: Device) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_ipc_import(handle.as_ptr().cast(), handle.len() as i64, &device.raw(), &mut out));
        Ok(DynArray::own(out))
    }
}

impl Event {
    /// Makes an event of a GPU that other processes may open; it measures no times.
    #[doc = errors!(arr_event_create)]
    #[track_caller]
    pub fn shared(device: Device) -> Result<Event> {
        let mut out = arr_event::NULL;
        call!(arr_event_create(&device.raw(), arr_sys::ARR_EVENT_SHARED, &mut out));
        Ok(Event::own(out))
    }

    /// Returns a handle with which another process on this machine opens the same event, made by [`Event::shared`]. The
    /// event must live until the others have dropped theirs.
    #[doc = errors!(arr_ipc_export_event)]
    #[track_caller]
    pub fn ipc_export(&self) -> Result<Vec<u8>> {
        bytes_of(|api, capacity, handle, length| {
            // SAFETY: rule 3: handle has `capacity` bytes or is NULL.
            unsafe { api.arr_ipc_export_event(self.as_raw(), capacity, handle, length) }
        })
    }

    /// Opens an event of another process, of this GPU.
    #[doc = errors!(arr_ipc_import_event)]
    #[track_caller]
    pub fn ipc_import(handle: &[u8], device: Device) -> Result<Event> {
        let mut out = arr_event::NULL;
        call!(arr_ipc_import_event(handle.as_ptr().cast(), handle.len() as i64, &device.raw(), &mut out));
        Ok(Event::own(out))
    }
}

impl Device {
    /// Zeros whose rows, along the last axis, each begin at a multiple of 512 bytes on a GPU and of 64 on the host:
    /// [`DynArray::strides`] contains the pitch. The shape's order is ignored; it is C.
    #[doc = example!("assert_eq!(Device::HOST.zeros_pitched::<f32>([2, 3])?.shape(), [2, 3]);")]
    #[doc = errors!(arr_create_pitched, arr_fill)]
    #[track_caller]
    pub fn zeros_pitched<T: Element>(self, shape: impl IntoShape) -> Result<Array<T>> {
        let dims = shape.into_shape().dims()?;
        let (ndim, at) = (count(dims.len())?, self.raw());
        let mut out = arr_array::NULL;
        call!(arr_create_pitched(T::DTYPE.0, ndim, dims.as_ptr(), &at, current(), &mut out));
        let array = Array::own(out);
        call!(arr_fill(array.as_raw(), &value_of(T::default()), current()));
        Ok(array)
    }
}
