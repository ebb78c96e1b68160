// SPDX-License-Identifier: MIT
//! Sources of a device's memory; statistics of its pool; copies and sets by address.

use std::ffi::c_void;
use std::ptr::NonNull;

use crate::callback::{drop_box, guarded};
use crate::device::Device;
use crate::error::{api, call, check, Result};
use crate::ops::example;
use crate::stream::current;

/// The source of new memory of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Allocator {
    /// libarr's pool, with which each device begins.
    #[default]
    Pool,
    /// The pool of CUDA's driver, which other libraries may share. The host has none.
    StreamOrdered,
    /// Memory that the host and every GPU use at one address; on the host all memory is such.
    Managed,
    /// No pool: each block from the driver or the system, and back.
    Direct,
    /// An [`ExternalAllocator`], set by [`Device::set_external_allocator`].
    External,
}

/// A request to an [`ExternalAllocator`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MemoryRequest {
    /// A multiple of 256; with a release the same as with its allocation.
    pub bytes: usize,
    pub device_index: i32,
    /// Native (a CUstream) on a GPU, NULL on the host. Memory that is given may be used by work enqueued in it from then
    /// on; memory that is released is free after the work that is in it.
    pub stream: *mut c_void,
}

/// Memory of the program's for a device, such as a memory resource of RMM, or for arrays in page-locked memory
/// ([`crate::set_pinned_allocator`]).
///
/// Both functions run on any thread, several at once, within the call that needs or releases memory. A panic of `allocate`
/// counts as no memory, one of `release` goes no further.
///
/// # Safety
/// `allocate` returns memory of the device that nobody else uses until it is released, at an address that is a multiple
/// of 256. Neither function calls anything of libarr.
pub unsafe trait ExternalAllocator: Send + Sync {
    /// The address, or a status of the allocator, which the error of kind [`crate::ErrorKind::Memory`] contains.
    ///
    /// # Errors
    /// Fails with a status of the C API.
    fn allocate(&self, request: MemoryRequest) -> Result<NonNull<c_void>, i32>;

    /// # Safety
    /// `data` is what `allocate` gave for as many bytes on the same device, and is not used any more.
    unsafe fn release(&self, data: NonNull<c_void>, request: MemoryRequest);
}

/// The status that the library receives for an allocation that panicked, or that failed with the status of success.
const NO_MEMORY: i32 = -1;

fn request(bytes: i64, device_index: i32, stream: *mut c_void) -> MemoryRequest {
    MemoryRequest { bytes: bytes as usize, device_index, stream }
}

pub(crate) unsafe extern "C" fn allocate<A: ExternalAllocator>(
    ctx: *mut c_void,
    bytes: i64,
    index: i32,
    stream: *mut c_void,
    data: *mut *mut c_void,
) -> i32 {
    // SAFETY: rule 7: ctx is the allocator, which lives until the library drops it.
    let allocator = unsafe { &*ctx.cast::<A>() };
    match guarded(|| allocator.allocate(request(bytes, index, stream))) {
        Some(Ok(address)) => {
            // SAFETY: rule 3: the library has room for the address there.
            unsafe { *data = address.as_ptr() };
            0
        }
        Some(Err(status)) if status != 0 => status,
        _ => NO_MEMORY,
    }
}

pub(crate) unsafe extern "C" fn release<A: ExternalAllocator>(
    ctx: *mut c_void,
    data: *mut c_void,
    bytes: i64,
    index: i32,
    stream: *mut c_void,
) {
    // SAFETY: rule 7: as above.
    let allocator = unsafe { &*ctx.cast::<A>() };
    let Some(data) = NonNull::new(data) else { return };
    // SAFETY: rule 7: the library returns what it got, once.
    guarded(|| unsafe { allocator.release(data, request(bytes, index, stream)) });
}

/// A pool's allocations of one size class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolClass {
    /// Bytes of the largest request so far.
    pub largest: i64,
    /// Requests so far.
    pub allocations: i64,
    /// Blocks in use.
    pub blocks: i64,
    /// Bytes in use.
    pub bytes: i64,
}

/// Between what [`Device::copy_bytes`] copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum CopyKind {
    /// From host memory to the device.
    FromHost = arr_sys::ARR_COPY_FROM_HOST,
    /// From the device to host memory.
    ToHost = arr_sys::ARR_COPY_TO_HOST,
    /// Within the device.
    OnDevice = arr_sys::ARR_COPY_ON_DEVICE,
}

impl Device {
    /// Says where new memory of the device comes from. Each block that is out goes back to where it came from.
    #[doc = errors!(arr_memory_set_allocator)]
    #[track_caller]
    pub fn set_allocator(self, allocator: Allocator) -> Result<()> {
        let kind = match allocator {
            Allocator::Pool => arr_sys::ARR_ALLOCATOR_POOL,
            Allocator::StreamOrdered => arr_sys::ARR_ALLOCATOR_STREAM_ORDERED,
            Allocator::Managed => arr_sys::ARR_ALLOCATOR_MANAGED,
            Allocator::Direct => arr_sys::ARR_ALLOCATOR_DIRECT,
            Allocator::External => arr_sys::ARR_ALLOCATOR_EXTERNAL,
        };
        call!(arr_memory_set_allocator(&self.raw(), kind));
        Ok(())
    }

    /// Takes new memory of the device from the program. The allocator is dropped when another one has been set and all of
    /// its memory is back.
    #[doc = errors!(arr_memory_set_allocator_functions)]
    #[track_caller]
    pub fn set_external_allocator<A: ExternalAllocator + 'static>(self, allocator: A) -> Result<()> {
        let api = api()?;
        let ctx: *mut c_void = Box::into_raw(Box::new(allocator)).cast();
        let (take, give, end) = (allocate::<A>, release::<A>, drop_box::<A>);
        // SAFETY: rule 7: the functions are for an allocator of this type, which the library drops once.
        let status =
            unsafe { api.arr_memory_set_allocator_functions(&self.raw(), Some(take), Some(give), Some(end), ctx) };
        let set = check(api, status);
        if set.is_err() {
            drop_box::<A>(ctx); // the library keeps nothing where it fails
        }
        set
    }

    /// Returns the source of new memory of the device.
    #[doc = example!("assert_eq!(Device::HOST.allocator()?, Allocator::Pool);")]
    #[doc = errors!(arr_memory_allocator)]
    #[track_caller]
    pub fn allocator(self) -> Result<Allocator> {
        let mut kind = 0;
        call!(arr_memory_allocator(&self.raw(), &mut kind));
        Ok(match kind {
            arr_sys::ARR_ALLOCATOR_STREAM_ORDERED => Allocator::StreamOrdered,
            arr_sys::ARR_ALLOCATOR_MANAGED => Allocator::Managed,
            arr_sys::ARR_ALLOCATOR_DIRECT => Allocator::Direct,
            arr_sys::ARR_ALLOCATOR_EXTERNAL => Allocator::External,
            _ => Allocator::Pool,
        })
    }

    /// Returns the pool's allocations of each size class that was requested so far, smallest first.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = Array::<f64>::zeros(1000)?;
    /// assert!(Device::HOST.pool_classes()?.iter().any(|c| c.largest >= a.len() as i64 * 8));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_memory_pool_classes)]
    #[track_caller]
    pub fn pool_classes(self) -> Result<Vec<PoolClass>> {
        let at = self.raw();
        let null = std::ptr::null_mut();
        let mut n = 0;
        call!(arr_memory_pool_classes(&at, 0, null, null, null, null, &mut n));
        let capacity = n; // other threads may ask for sizes of more classes meanwhile
        let mut columns = [(); 4].map(|()| vec![0i64; capacity as usize]);
        let [largest, allocations, blocks, bytes] = columns.each_mut().map(Vec::as_mut_ptr);
        call!(arr_memory_pool_classes(&at, capacity, largest, allocations, blocks, bytes, &mut n));
        let [largest, allocations, blocks, bytes] = &columns;
        let class =
            |i| PoolClass { largest: largest[i], allocations: allocations[i], blocks: blocks[i], bytes: bytes[i] };
        Ok((0..n.min(capacity) as usize).map(class).collect())
    }

    /// Copies bytes between addresses, in the order of the current stream, and waits where host memory takes part.
    ///
    /// # Safety
    /// Both parts of memory are as long as that, where `kind` says, do not overlap, and nobody uses them in another way
    /// meanwhile: work of other streams on them is the caller's to order.
    #[doc = errors!(arr_memory_copy)]
    #[track_caller]
    pub unsafe fn copy_bytes(self, to: *mut c_void, from: *const c_void, bytes: usize, kind: CopyKind) -> Result<()> {
        call!(arr_memory_copy(&self.raw(), to, from, bytes as i64, kind as i32, current()));
        Ok(())
    }

    /// Copies like [`Device::copy_bytes`], without waiting.
    ///
    /// # Safety
    /// The conditions of [`Device::copy_bytes`], until the stream has done the copy.
    #[doc = errors!(arr_memory_copy)]
    #[track_caller]
    pub unsafe fn copy_bytes_async(
        self,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
        kind: CopyKind,
    ) -> Result<()> {
        let kind = kind as i32 | arr_sys::ARR_COPY_ASYNC;
        call!(arr_memory_copy(&self.raw(), to, from, bytes as i64, kind, current()));
        Ok(())
    }

    /// Sets bytes of the device to one value, in the order of the current stream.
    ///
    /// # Safety
    /// That number of bytes is valid, and nobody else uses them until the stream has done the work.
    #[doc = errors!(arr_memory_set)]
    #[track_caller]
    pub unsafe fn set_bytes(self, to: *mut c_void, value: u8, bytes: usize) -> Result<()> {
        call!(arr_memory_set(&self.raw(), to, i32::from(value), bytes as i64, current()));
        Ok(())
    }
}
