// SPDX-License-Identifier: MIT
//! Arrays whose element type is known only at run time: the base of every array.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{fence, Ordering};
use std::sync::{Arc, OnceLock};

use arr_sys::{arr_array, arr_value};

use crate::array::Array;
use crate::device::Device;
use crate::element::{wrong_dtype, DType, Element};
use crate::error::{call, text_of, Result};
use crate::ops::example;
use crate::shape::{count, Order};
use crate::stream::current;

/// An array of any element type. [`DynArray::typed`] makes it an [`Array`].
///
/// A clone and a view share memory, and no write through one is ever seen by another: a write to shared memory
/// copies first, as [`std::sync::Arc::make_mut`] does.
#[must_use = "operations return their results, and change no array"]
pub struct DynArray {
    handle: arr_array,
    /// Asked once: a handle's shape never changes.
    pub(crate) shape: OnceLock<Box<[usize]>>,
    /// One for each memory block: its count says whether anybody else can see a write.
    memory: Arc<Memory>,
}

/// A block of memory, by its owners beside the library.
pub(crate) enum Memory {
    None,
    /// The vector that it is, where [`Array::from_vec`] took one over: an `Arc<Vec<T>>` of which the library has the other
    /// share.
    Vector(AssertUnwindSafe<Box<dyn Any + Send + Sync>>),
    /// Arrays, one or several of which may have it: index arrays of sparse matrices.
    Arrays(Vec<Arc<Memory>>),
}

impl DynArray {
    /// Owns a handle to memory that nobody shares.
    pub(crate) fn own(handle: arr_array) -> DynArray {
        DynArray::with_memory(handle, Arc::new(Memory::None))
    }

    /// Remembers that the memory is a vector, of which the library has the other share.
    pub(crate) fn remember<T: Element>(mut self, vector: Arc<Vec<T>>) -> DynArray {
        self.memory = Arc::new(Memory::Vector(AssertUnwindSafe(Box::new(vector))));
        self
    }

    /// Returns a share of the vector that the memory is, unless another array has the memory too.
    pub(crate) fn remembered<T: Element>(&self) -> Option<Arc<Vec<T>>> {
        match self.memory.as_ref() {
            Memory::Vector(vector) if !self.is_shared() => vector.downcast_ref().map(Arc::clone),
            _ => None,
        }
    }

    /// Owns a handle to this array's memory.
    pub(crate) fn sharing(&self, handle: arr_array) -> DynArray {
        DynArray::with_memory(handle, Arc::clone(&self.memory))
    }

    pub(crate) fn with_memory(handle: arr_array, memory: Arc<Memory>) -> DynArray {
        DynArray { handle, shape: OnceLock::new(), memory }
    }

    pub(crate) fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// Takes over a handle of the C API.
    ///
    /// # Safety
    /// Nobody else writes to the array's memory, or uses the handle, from now on.
    pub unsafe fn from_raw(handle: arr_array) -> DynArray {
        DynArray::own(handle)
    }

    /// Returns the handle, which stays the array's.
    pub fn as_raw(&self) -> arr_array {
        self.handle
    }

    pub(crate) fn value(&self) -> arr_value {
        arr_value { kind: arr_sys::ARR_VALUE_ARRAY, dtype: 0, lo: self.handle.0 as i64, hi: 0 }
    }

    /// Returns the array with elements of `T`; elements of another type are an error.
    ///
    /// # Errors
    /// Fails for elements of another type.
    #[track_caller]
    pub fn typed<T: Element>(self) -> Result<Array<T>> {
        let dtype = self.dtype();
        if dtype != T::DTYPE {
            return Err(wrong_dtype(dtype, T::DTYPE));
        }
        Ok(Array::from_dyn(self))
    }

    /// Returns a copy with elements of `T`, like NumPy's `astype`.
    #[doc = errors!(arr_astype)]
    #[track_caller]
    pub fn cast<T: Element>(&self) -> Result<Array<T>> {
        Ok(Array::from_dyn(self.astype(T::DTYPE)?))
    }

    /// Returns a copy with another element type.
    #[doc = example!("assert_eq!(array![1.7, -1.7].into_dyn().astype(DType::INT32)?.typed::<i32>()?, array![1, -1]);")]
    #[doc = errors!(arr_astype)]
    #[track_caller]
    pub fn astype(&self, dtype: DType) -> Result<DynArray> {
        let casting = arr_sys::ARR_CAST_UNSAFE;
        let mut out = arr_array::NULL;
        call!(arr_astype(self.handle, dtype.0, casting, Order::K.code(), current(), &mut out));
        Ok(DynArray::own(out))
    }
}

impl DynArray {
    /// True if another array or a sparse matrix of this program has the same memory.
    pub fn is_shared(&self) -> bool {
        let several = |memory: &Arc<Memory>| Arc::strong_count(memory) > 1;
        let shared = several(&self.memory)
            || matches!(self.memory.as_ref(), Memory::Arrays(arrays) if arrays.iter().any(several));
        // The writes that other threads made before they released the memory have happened.
        fence(Ordering::Acquire);
        shared
    }

    /// Waits until nothing that was enqueued or recorded uses the memory, in whatever stream: then the host may use it
    /// at [`DynArray::data`]'s address, where it reaches it.
    #[doc = example!("assert_eq!(array![1, 2].as_dyn().sync()?, ());")]
    #[doc = errors!(arr_array_sync)]
    #[track_caller]
    pub fn sync(&self) -> Result<()> {
        call!(arr_array_sync(self.handle));
        Ok(())
    }

    /// Address of element (0, .., 0) on its device. Work on the memory may not have run yet: [`DynArray::sync`].
    #[doc = example!("assert!(!array![1, 2].as_dyn().data()?.is_null());")]
    #[doc = errors!(arr_data)]
    #[track_caller]
    pub fn data(&self) -> Result<*mut std::ffi::c_void> {
        let mut data = std::ptr::null_mut();
        call!(arr_data(self.handle, &mut data));
        Ok(data)
    }

    /// Returns the elements as text; of an axis longer than 2 * edge only the ends.
    #[doc = example!("assert_eq!(Array::arange(0, 2000, 1)?.into_dyn().format(1)?, \"[   0 ... 1999]\");")]
    #[doc = errors!(arr_format)]
    #[track_caller]
    pub fn format(&self, edge: i32) -> Result<String> {
        text_of(|api, capacity, text, length| {
            // SAFETY: rule 3: text has `capacity` bytes or is NULL.
            unsafe { api.arr_format(self.handle, edge, capacity, text, length) }
        })
    }
}

/// Views and copies.
impl DynArray {
    /// Returns another handle to the same memory; `clone` panics where this returns an error.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = array![1, 2].into_dyn();
    /// let b = a.try_clone()?;
    /// assert!(a.is_shared() && b.is_shared());
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_retain)]
    #[track_caller]
    pub fn try_clone(&self) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_retain(self.handle, &mut out));
        Ok(self.sharing(out))
    }

    /// Returns the elements in another shape; one extent may be -1. A view if possible, else a copy.
    #[doc = example!("assert_eq!(array![1, 2, 3, 4].into_dyn().reshape_as(&[2, -1], Order::C)?.shape(), [2, 2]);")]
    #[doc = errors!(arr_reshape)]
    #[track_caller]
    pub fn reshape_as(&self, shape: &[i64], order: Order) -> Result<DynArray> {
        let n = count(shape.len())?;
        let mut out = arr_array::NULL;
        call!(arr_reshape(self.handle, n, shape.as_ptr(), order.code(), current(), &mut out));
        self.view_or_copy(out)
    }

    /// Returns the array itself if it is contiguous in the order, else a copy.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(array![[1, 2], [3, 4]].t()?.into_dyn().contiguous(Order::C)?.strides(), [2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_contiguous)]
    #[track_caller]
    pub fn contiguous(&self, order: Order) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_contiguous(self.handle, order.code(), current(), &mut out));
        self.view_or_copy(out)
    }

    /// Returns a contiguous copy.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = array![1, 2].into_dyn();
    /// let copy = a.copy(Order::C)?;
    /// assert!(!copy.is_shared());
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_copy)]
    #[track_caller]
    pub fn copy(&self, order: Order) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_copy(self.handle, order.code(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Returns an array with the shape and on the device of this one whose elements are not written yet.
    ///
    /// # Safety
    /// Each element is written before it is read: it is whatever the memory held before.
    #[doc = errors!(arr_empty_like)]
    #[track_caller]
    pub unsafe fn empty_like(&self, dtype: Option<DType>, order: Order) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_empty_like(self.handle, dtype.map_or(0, DType::code), order.code(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Returns a copy on a device.
    #[doc = example!("assert_eq!(array![1, 2].into_dyn().to_device(Device::HOST)?.device(), Device::HOST);")]
    #[doc = errors!(arr_to_device)]
    #[track_caller]
    pub fn to_device(&self, device: Device) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_to_device(self.handle, &device.raw(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The library does not say which it made; a view begins where the array begins.
    #[track_caller]
    fn view_or_copy(&self, handle: arr_array) -> Result<DynArray> {
        let mut result = DynArray::own(handle);
        // Asked last: memory whose address is known is not read later in a scope (crate::Fuse).
        if result.flags()? & arr_sys::ARR_FLAG_VIEW != 0 && result.data()? == self.data()? {
            result.memory = Arc::clone(&self.memory);
        }
        Ok(result)
    }

    /// Returns a result that the library may have made as a view of this array; it shares the memory unless it is a
    /// copy.
    pub(crate) fn part(&self, handle: arr_array) -> DynArray {
        let mut result = DynArray::own(handle);
        if !matches!(result.flags(), Ok(flags) if flags & arr_sys::ARR_FLAG_VIEW == 0) {
            result.memory = Arc::clone(&self.memory);
        }
        result
    }

    /// Makes the memory this array's own, by a copy if another array has it too or it is read-only.
    #[doc = errors!(arr_copy)]
    #[track_caller]
    pub fn make_mut(&mut self) -> Result<&mut DynArray> {
        if self.is_shared() || self.is_read_only() {
            *self = self.copy(Order::K)?;
        }
        Ok(self)
    }

    /// Returns the handle for a call that writes the elements, after a copy of shared memory.
    #[track_caller]
    pub(crate) fn writable(&mut self) -> Result<arr_array> {
        self.make_mut()?;
        Ok(self.handle)
    }
}

impl Drop for DynArray {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 1: the handle is this value's own; release neither blocks nor panics.
            let _ = unsafe { api.arr_release(self.handle) };
        }
    }
}

impl Clone for DynArray {
    #[track_caller]
    fn clone(&self) -> DynArray {
        crate::error::or_panic(self.try_clone())
    }
}
