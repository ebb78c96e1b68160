// SPDX-License-Identifier: MIT
//! Arrays of the host in page-locked memory, and the pool that they come from.

use std::ffi::c_void;

use arr_sys::{arr_array, arr_memory_pool_stats};

use crate::array::Array;
use crate::callback::drop_box;
use crate::device::{Device, PoolInfo};
use crate::element::{value_of, Element};
use crate::error::{api, call, check, Result};
use crate::memory::{allocate, release, ExternalAllocator};
use crate::ops::example;
use crate::shape::{count, IntoShape};

/// The uses of page-locked memory; [`Default`] names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pinned {
    /// Devices may use the memory in place: [`Array::pinned_device_data`].
    pub mapped: bool,
    /// Quicker for a GPU to read, very slow for the host to read.
    pub write_combined: bool,
    /// An error, not ordinary memory, where there is no GPU.
    pub required: bool,
}

impl<T: Element> Array<T> {
    /// Zeros on the host in memory that the CUDA driver has page-locked, so that copies to and from GPUs are quicker.
    /// It is ordinary memory where no GPU works; see [`Array::is_pinned`].
    #[doc = example!("assert_eq!(Array::<f64>::zeros_pinned([3], Pinned::default())?, array![0.0, 0.0, 0.0]);")]
    #[doc = errors!(arr_pinned_create, arr_fill)]
    #[track_caller]
    pub fn zeros_pinned(shape: impl IntoShape, what: Pinned) -> Result<Array<T>> {
        let shape = shape.into_shape();
        let dims = shape.dims()?;
        let ndim = count(dims.len())?;
        let flag = |set: bool, bit: i32| if set { bit } else { 0 };
        let flags = flag(what.mapped, arr_sys::ARR_PINNED_MAPPED)
            | flag(what.write_combined, arr_sys::ARR_PINNED_WRITE_COMBINED)
            | flag(what.required, arr_sys::ARR_PINNED_REQUIRED);
        let mut out = arr_array::NULL;
        call!(arr_pinned_create(T::DTYPE.0, ndim, dims.as_ptr(), shape.order(), flags, &mut out));
        let array = Array::own(out);
        call!(arr_fill(array.as_raw(), &value_of(T::default()), arr_sys::arr_stream::NULL));
        Ok(array)
    }
}

impl<T> Array<T> {
    /// True if the array is on the host in page-locked memory.
    #[doc = errors!(arr_is_pinned)]
    #[track_caller]
    pub fn is_pinned(&self) -> Result<bool> {
        let mut pinned = false;
        call!(arr_is_pinned(self.as_raw(), &mut pinned));
        Ok(pinned)
    }

    /// Returns the address at which a CUDA device sees the first element of an array in mapped page-locked memory.
    #[doc = errors!(arr_pinned_device_data)]
    #[track_caller]
    pub fn pinned_device_data(&self, device: Device) -> Result<*mut c_void> {
        let mut data = std::ptr::null_mut();
        call!(arr_pinned_device_data(self.as_raw(), &device.raw(), &mut data));
        Ok(data)
    }
}

/// The uses of memory that [`with_pinned`] locks; [`Default`] names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PinnedUse {
    /// Devices may use the memory in place: [`Array::pinned_device_data`].
    pub mapped: bool,
    /// Devices will not write there; not every device has that.
    pub read_only: bool,
}

/// Memory that is page-locked until this is dropped.
struct Registered(*mut c_void);

impl Registered {
    #[track_caller]
    fn end(self) -> Result<()> {
        let data = self.0;
        std::mem::forget(self);
        call!(arr_pinned_unregister(data));
        Ok(())
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 5: the memory is still there, and was registered by `with_pinned`.
            let _ = unsafe { api.arr_pinned_unregister(self.0) };
        }
    }
}

/// Page-locks a slice of the program for every GPU while `work` runs, which gets it; an error of kind
/// [`crate::ErrorKind::Unavailable`] where no GPU works. Copies by [`Device::copy_bytes_async`] must be done when `work`
/// ends.
#[doc = errors!(arr_pinned_register)]
#[track_caller]
pub fn with_pinned<T: Element, R>(
    elements: &mut [T],
    what: PinnedUse,
    work: impl FnOnce(&mut [T]) -> Result<R>,
) -> Result<R> {
    let flag = |set: bool, bit: i32| if set { bit } else { 0 };
    let flags = flag(what.mapped, arr_sys::ARR_PINNED_MAPPED) | flag(what.read_only, arr_sys::ARR_PINNED_READ_ONLY);
    let (data, bytes) = (elements.as_mut_ptr().cast(), std::mem::size_of_val(elements) as i64);
    call!(arr_pinned_register(data, bytes, flags));
    let registered = Registered(data);
    let value = work(elements)?;
    registered.end()?;
    Ok(value)
}

/// Returns the statistics of the pool of page-locked memory, which all devices share.
#[doc = example!("assert!(pinned_info().is_ok());")]
#[doc = errors!(arr_pinned_info)]
#[track_caller]
pub fn pinned_info() -> Result<PoolInfo> {
    let mut stats = arr_memory_pool_stats {
        struct_size: std::mem::size_of::<arr_memory_pool_stats>() as i64,
        ..Default::default()
    };
    call!(arr_pinned_info(&mut stats));
    Ok(PoolInfo::from_raw(&stats))
}

/// Limits the bytes of page-locked memory that may be in use; `None` removes the limit.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// pinned_limit(Some(1 << 30))?;
/// pinned_limit(None)?;
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_pinned_limit)]
#[track_caller]
pub fn pinned_limit(bytes: Option<i64>) -> Result<()> {
    call!(arr_pinned_limit(bytes.unwrap_or(0)));
    Ok(())
}

/// Returns the page-locked memory that the pool keeps to the driver.
#[doc = errors!(arr_pinned_trim)]
#[track_caller]
pub fn pinned_trim() -> Result<()> {
    call!(arr_pinned_trim());
    Ok(())
}

/// Takes new page-locked memory from the program, also where no GPU works; what [`Pinned`] says does not reach it, the
/// device is 0 and the stream NULL. Memory goes back to it as soon as its array is dropped. The allocator is dropped when
/// another one has been set and all of its memory is back.
#[doc = errors!(arr_pinned_set_allocator_functions)]
#[track_caller]
pub fn set_pinned_allocator<A: ExternalAllocator + 'static>(allocator: A) -> Result<()> {
    let api = api()?;
    let ctx: *mut c_void = Box::into_raw(Box::new(allocator)).cast();
    let (take, give, end) = (allocate::<A>, release::<A>, drop_box::<A>);
    // SAFETY: rule 7: the functions are for an allocator of this type, which the library drops once.
    let set = check(api, unsafe { api.arr_pinned_set_allocator_functions(Some(take), Some(give), Some(end), ctx) });
    if set.is_err() {
        drop_box::<A>(ctx); // the library keeps nothing where it fails
    }
    set
}

/// Has the driver asked for new page-locked memory again.
#[doc = errors!(arr_pinned_set_allocator_functions)]
#[track_caller]
pub fn reset_pinned_allocator() -> Result<()> {
    call!(arr_pinned_set_allocator_functions(None, None, None, std::ptr::null_mut()));
    Ok(())
}
