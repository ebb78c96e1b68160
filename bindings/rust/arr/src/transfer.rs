// SPDX-License-Identifier: MIT
//! Elements in and out of arrays, copied and shared.

use std::sync::Arc;

use arr_sys::{arr_array, arr_value};

use crate::array::{same_count, Array};
use crate::callback::drop_box;
use crate::device::Device;
use crate::element::{number, valid_bytes, value_of, wrong_dtype, Element};
use crate::error::{call, Error, ErrorKind, Result};
use crate::ops::example;
use crate::shape::{count, dims, IntoShape, Order};
use crate::slice::{Position, Slice, MAX_NDIM};
use crate::stream::current;

/// Elements in and out.
impl<T: Element> Array<T> {
    /// Returns an array of another owner's memory, without a copy: strides are in elements, of either sign, and `data`
    /// is element (0, .., 0) on the device. The owner is dropped after the last use, on any thread.
    ///
    /// # Safety
    /// The strided elements are valid until the owner is dropped, and nobody writes them while this array, or one
    /// that shares its memory, is in use.
    #[doc = errors!(arr_wrap)]
    #[track_caller]
    pub unsafe fn from_raw_parts<O: Send + 'static>(
        data: *mut T,
        shape: &[usize],
        strides: &[isize],
        device: Device,
        owner: O,
    ) -> Result<Array<T>> {
        let dims = dims(shape)?;
        if strides.len() != dims.len() {
            let text = format!("argument strides: got {}, expected {}", strides.len(), dims.len());
            return Err(Error::new(ErrorKind::Shape, text));
        }
        let strides: Vec<i64> = strides.iter().map(|&s| s as i64).collect();
        let ctx = Box::into_raw(Box::new(owner));
        let mut out = arr_array::NULL;
        // SAFETY: rule 8: the caller vouches for the memory until drop_box has run.
        let wrapped = unsafe { wrap_raw(data, &dims, &strides, device, drop_box::<O>, ctx.cast(), &mut out) };
        if let Err(error) = wrapped {
            drop_box::<O>(ctx.cast()); // the library takes nothing when it fails
            return Err(error);
        }
        Ok(Array::own(out))
    }

    /// Takes a vector over without a copy.
    #[doc = errors!(arr_wrap)]
    #[track_caller]
    pub fn from_vec(elements: Vec<T>, shape: impl IntoShape) -> Result<Array<T>> {
        let shape = shape.into_shape();
        let (dims, n) = (shape.dims()?, shape.size()?);
        same_count(elements.len(), n, &shape)?;
        if n == 0 {
            return Array::zeros(&shape);
        }
        let mut elements = elements;
        let data = elements.as_mut_ptr();
        let owner = Arc::new(elements);
        let strides: Vec<isize> = strides_of(&dims, shape.order()).iter().map(|&s| s as isize).collect();
        // SAFETY: rule 8: a vector's elements stay where they are while it lives, and it is nobody else's.
        let array =
            unsafe { Array::from_raw_parts(data, shape.extents(), &strides, Device::HOST, Arc::clone(&owner))? };
        Ok(Array::from_dyn(array.into_dyn().remember(owner)))
    }

    /// Returns the only element of an array of size 1.
    #[doc = errors!(arr_item)]
    #[doc(alias = "into_scalar")]
    #[track_caller]
    pub fn item(&self) -> Result<T> {
        self.element(&[])
    }

    /// Returns one element: `a.at([1, -1])?`, negative indices from the end. [`Array::to_vec`] returns many.
    #[doc = example!("assert_eq!(array![[1, 2], [3, 4]].at((1, -1))?, 4);")]
    #[doc = errors!(arr_item)]
    #[doc(alias = "index")]
    #[doc(alias = "__getitem__")]
    #[track_caller]
    pub fn at(&self, position: impl Position) -> Result<T> {
        let mut indices = [0; MAX_NDIM];
        let n = position.indices(&mut indices).min(MAX_NDIM);
        self.element(&indices[..n])
    }

    #[track_caller]
    fn element(&self, indices: &[i64]) -> Result<T> {
        let mut value = arr_value::default();
        call!(arr_item(self.as_raw(), count(indices.len())?, indices.as_ptr(), &mut value));
        number(&value)
    }

    /// Returns a copy of the elements in row-major order.
    #[doc = errors!(arr_get)]
    #[track_caller]
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.to_vec_in(Order::C)
    }

    /// Returns the elements in row-major order, and releases the array. Gives the vector back that [`Array::from_vec`] took
    /// over, if nothing else uses it; else returns a copy.
    ///
    /// ```
    /// # fn main() -> arr::Result<()> {
    /// let vector = vec![1.0, 2.0, 3.0];
    /// let address = vector.as_ptr();
    /// let mut a = arr::Array::from_vec(vector, 3)?;
    /// a *= 2.0;
    /// let vector = a.into_vec()?;
    /// assert_eq!((vector.as_ptr(), &vector[..]), (address, &[2.0, 4.0, 6.0][..]));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_get)]
    #[doc(alias = "into_raw_vec")]
    #[doc(alias = "into_raw_vec_and_offset")]
    #[track_caller]
    pub fn into_vec(self) -> Result<Vec<T>> {
        let Some(vector) = self.any.remembered() else { return self.to_vec() };
        match self.host_memory() {
            // SAFETY: rule 4: the memory is this array's alone; a bool is checked before it is one of Rust again.
            Ok((data, n)) if (data.cast_const(), n) == (vector.as_ptr(), vector.len()) => unsafe {
                valid_bytes::<T>(data.cast(), n)?;
            },
            _ => return self.to_vec(), // a part, or in another order
        }
        drop(self);
        // An export or a graph may have the memory still.
        Ok(Arc::try_unwrap(vector).unwrap_or_else(|held| held.to_vec()))
    }

    /// Returns a copy of the elements in an order.
    #[doc = example!("assert_eq!(array![[1, 2], [3, 4]].to_vec_in(Order::F)?, [1, 3, 2, 4]);")]
    #[doc = errors!(arr_get)]
    #[track_caller]
    pub fn to_vec_in(&self, order: Order) -> Result<Vec<T>> {
        let n = self.size();
        let mut out: Vec<T> = Vec::with_capacity(n);
        let bytes = (n * std::mem::size_of::<T>()) as i64;
        let host = out.as_mut_ptr().cast();
        call!(arr_get(self.as_raw(), order.code(), host, bytes, current()));
        // SAFETY: rule 3: the library has written n elements, and bools are checked.
        unsafe {
            valid_bytes::<T>(out.as_ptr().cast(), n)?;
            out.set_len(n);
        }
        Ok(out)
    }

    /// Writes elements in row-major order.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let mut a = Array::<i32>::zeros(2)?;
    /// a.copy_from_slice(&[3, 4])?;
    /// assert_eq!(a, array![3, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_set)]
    #[track_caller]
    pub fn copy_from_slice(&mut self, elements: &[T]) -> Result<()> {
        let (dst, bytes) = (self.writable()?, std::mem::size_of_val(elements) as i64);
        let (from, order) = (elements.as_ptr().cast(), Order::C.code());
        call!(arr_set(dst, order, from, bytes, current()));
        Ok(())
    }

    /// Borrows the elements in place; the array must be on the host and row-major.
    #[doc = errors!(arr_array_sync)]
    #[track_caller]
    pub fn as_slice(&self) -> Result<&[T]> {
        let (data, n) = self.host_memory()?;
        // SAFETY: rule 4: writes need `&mut` of an array that shares its memory with no other, so none can happen.
        unsafe {
            valid_bytes::<T>(data.cast(), n)?;
            Ok(std::slice::from_raw_parts(data, n))
        }
    }

    /// Borrows the elements in place to write them; the array must be on the host and row-major. Copies shared memory
    /// first.
    #[doc = errors!(arr_array_sync, arr_copy)]
    #[track_caller]
    pub fn as_mut_slice(&mut self) -> Result<&mut [T]> {
        self.make_mut()?;
        let (data, n) = self.host_memory()?;
        // SAFETY: rule 4: the memory is this array's alone.
        unsafe {
            valid_bytes::<T>(data.cast(), n)?;
            Ok(std::slice::from_raw_parts_mut(data, n))
        }
    }

    /// The elements, which no work uses any more: what is enqueued has run, and what is asked for later needs the array.
    #[track_caller]
    fn host_memory(&self) -> Result<(*mut T, usize)> {
        let (device, dtype) = (self.device(), self.any.dtype());
        if dtype != T::DTYPE {
            return Err(wrong_dtype(dtype, T::DTYPE));
        }
        if !device.is_host() {
            let text = format!("argument a: got an array on {device}, expected one on the host");
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        let data = self.data()?.cast::<T>();
        if !self.is_c_contiguous() || data as usize % std::mem::align_of::<T>() != 0 {
            let text = "argument a: got strided or unaligned memory, expected row-major elements";
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        self.sync()?;
        match self.size() {
            0 => Ok((std::ptr::NonNull::dangling().as_ptr(), 0)),
            n => Ok((data, n)),
        }
    }

    /// Writes one number to every element.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let mut a = Array::<i32>::zeros(2)?;
    /// a.fill(7)?;
    /// assert_eq!(a, array![7, 7]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_fill)]
    #[track_caller]
    pub fn fill(&mut self, value: T) -> Result<()> {
        let dst = self.writable()?;
        call!(arr_fill(dst, &value_of(value), current()));
        Ok(())
    }

    /// Writes another array's elements, which broadcast.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let mut a = Array::<i32>::zeros((2, 2))?;
    /// a.assign(&array![1, 2])?;
    /// assert_eq!(a, array![[1, 2], [1, 2]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_assign)]
    #[track_caller]
    pub fn assign(&mut self, source: &Array<T>) -> Result<()> {
        let dst = self.writable()?;
        call!(arr_assign(dst, source.as_raw(), current()));
        Ok(())
    }

    /// Returns a part to write to in place, while this array is borrowed.
    #[doc = errors!(arr_get_items, arr_copy)]
    #[track_caller]
    pub fn slice_mut(&mut self, slices: impl AsRef<[Slice]>) -> Result<crate::ViewMut<'_, T>> {
        self.make_mut()?;
        Ok(crate::ViewMut::new(Array::from_dyn(self.any.slice(slices)?)))
    }

    /// Makes the memory this array's own, by a copy if another array has it too or it is read-only.
    #[doc = errors!(arr_copy)]
    #[track_caller]
    pub fn make_mut(&mut self) -> Result<&mut Array<T>> {
        self.any.make_mut()?;
        Ok(self)
    }
}

/// Strides in elements of a contiguous array.
pub(crate) fn strides_of(dims: &[i64], order: i32) -> Vec<i64> {
    let mut strides = vec![1i64; dims.len()];
    let mut next = 1i64;
    let mut visit = |axis: usize| {
        strides[axis] = next;
        next = next.saturating_mul(dims[axis].max(1));
    };
    if order == arr_sys::ARR_ORDER_F {
        (0..dims.len()).for_each(&mut visit);
    } else {
        (0..dims.len()).rev().for_each(&mut visit);
    }
    strides
}

/// # Safety
/// The memory of the strided elements is valid until `drop_owner(ctx)` is called.
#[track_caller]
pub(crate) unsafe fn wrap_raw<T: Element>(
    data: *mut T,
    dims: &[i64],
    strides: &[i64],
    device: Device,
    drop_owner: extern "C" fn(*mut std::ffi::c_void),
    ctx: *mut std::ffi::c_void,
    out: &mut arr_array,
) -> Result<()> {
    let ndim = count(dims.len())?;
    let device = device.raw();
    call!(arr_wrap(
        data.cast(),
        T::DTYPE.code(),
        ndim,
        dims.as_ptr(),
        strides.as_ptr(),
        &device,
        Some(drop_owner),
        ctx,
        out,
    ));
    Ok(())
}
