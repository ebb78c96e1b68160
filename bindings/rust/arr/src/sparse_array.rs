// SPDX-License-Identifier: MIT
//! Sparse arrays of any number of dimensions.

use std::fmt;
use std::marker::PhantomData;

use arr_sys::{arr_array, arr_sparse, arr_sparse_properties};

use crate::array::Array;
use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::{wrong_dtype, DType, Element, Integral};
use crate::error::{call, or_panic, Result};
use crate::index::{Index, Rows};
use crate::ops::{axes_of, Reduction};
use crate::shape::{count, dims, Axes, Order};
use crate::stream::current;

/// A sparse array of `T` of any number of dimensions: the elements that are stored, and where they are; all others are 0.
///
/// Elements of one index are added. No operation changes an array, and its memory is its own.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let a = SparseArray::coo(&[2, 2, 3], &array![5, 6], &[&array![0, 1], &array![1, 0], &array![2, 1]])?;
/// assert_eq!((a.shape()?, a.nnz()), (vec![2, 2, 3], 2));
/// assert_eq!(a.reduce(Reduction::SUM, [0, 2], None)?.typed::<i64>()?, array![6i64, 5]);
/// # Ok(())
/// # }
/// ```
pub struct SparseArray<T> {
    handle: arr_sparse,
    about: arr_sparse_properties,
    elements: PhantomData<T>,
}

impl<T> Drop for SparseArray<T> {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 1: the handle is this value's own; release neither blocks nor panics.
            let _ = unsafe { api.arr_sparse_release(self.handle) };
        }
    }
}

impl<T: Element> fmt::Debug for SparseArray<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape().map_err(|_| fmt::Error)?;
        write!(f, "SparseArray({shape:?}, {} stored, {})", self.about.nnz, T::DTYPE)
    }
}

/// Another handle of the same array.
impl<T: Element> Clone for SparseArray<T> {
    fn clone(&self) -> Self {
        let mut out = arr_sparse::NULL;
        let mut made = || {
            call!(arr_sparse_retain(self.handle, &mut out));
            SparseArray::own(out)
        };
        or_panic(made())
    }
}

impl<T: Element> SparseArray<T> {
    /// Owns a handle; the elements must be of `T`.
    #[track_caller]
    fn own(handle: arr_sparse) -> Result<SparseArray<T>> {
        let struct_size = std::mem::size_of::<arr_sparse_properties>() as i64;
        let about = arr_sparse_properties { struct_size, ..Default::default() };
        let mut made = SparseArray { handle, about, elements: PhantomData };
        call!(arr_sparse_info(handle, &mut made.about));
        let dtype = DType(made.about.dtype as i32);
        if dtype != T::DTYPE {
            return Err(wrong_dtype(dtype, T::DTYPE));
        }
        Ok(made)
    }

    /// Makes an array of coordinates: `coords` has for each axis the index of each element. Elements are copied.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseArray::coo(&[4], &array![5.0, 6.0], &[&array![3, 0]])?;
    /// assert_eq!(a.to_dense()?, array![6.0, 0.0, 0.0, 5.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_coo_nd)]
    #[track_caller]
    pub fn coo<I: Integral>(shape: &[usize], data: &Array<T>, coords: &[&Array<I>]) -> Result<SparseArray<T>> {
        let (extents, own) = (dims(shape)?, data.as_dyn().copy(Order::C)?);
        if extents.len() != coords.len() {
            let text =
                format!("argument coords: {} vectors, expected {}, one for each axis", coords.len(), extents.len());
            return Err(crate::error::Error::new(crate::error::ErrorKind::Argument, text));
        }
        let list: Vec<arr_array> = coords.iter().map(|c| c.as_raw()).collect();
        let (n, mut out) = (count(extents.len())?, arr_sparse::NULL);
        call!(arr_sparse_coo_nd(n, extents.as_ptr(), own.as_raw(), list.as_ptr(), current(), &mut out));
        SparseArray::own(out)
    }

    /// Returns the handle, which stays the array's.
    #[must_use]
    pub fn as_raw(&self) -> arr_sparse {
        self.handle
    }

    /// Returns the number of stored elements.
    #[must_use]
    pub fn nnz(&self) -> usize {
        self.about.nnz as usize
    }

    /// Returns the extents.
    #[doc = errors!(arr_sparse_shape)]
    #[track_caller]
    pub fn shape(&self) -> Result<Vec<usize>> {
        let mut ndim = 0;
        call!(arr_sparse_shape(self.handle, 0, std::ptr::null_mut(), &mut ndim));
        let mut extents = vec![0i64; ndim as usize];
        call!(arr_sparse_shape(self.handle, ndim, extents.as_mut_ptr(), std::ptr::null_mut()));
        Ok(extents.into_iter().map(|n| n as usize).collect())
    }

    /// Returns the device of the elements.
    #[doc = errors!(arr_sparse_part)]
    #[track_caller]
    pub fn device(&self) -> Result<Device> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_part(self.handle, arr_sys::ARR_SPARSE_PART_DATA, &mut out));
        Ok(DynArray::own(out).device())
    }

    /// Returns the index along an axis of each stored element, in the order in which they are stored.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseArray::coo(&[4], &array![5, 6], &[&array![3, 0]])?;
    /// assert_eq!(a.coords(0)?.typed::<i32>()?, array![3, 0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_coords)]
    #[track_caller]
    pub fn coords(&self, axis: i32) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_coords(self.handle, axis, current(), &mut out));
        DynArray::own(out).copy(Order::C)
    }

    /// Returns all elements as an array.
    #[doc = errors!(arr_sparse_to_dense)]
    #[track_caller]
    pub fn to_dense(&self) -> Result<Array<T>> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_to_dense(self.handle, Order::C as i32, current(), &mut out));
        DynArray::own(out).typed()
    }

    /// Returns the elements in row-major order in another shape, in which one extent may be -1.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseArray::coo(&[4], &array![5, 6], &[&array![3, 0]])?;
    /// assert_eq!(a.reshape(&[2, -1])?.to_dense()?, array![[6, 0], [0, 5]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_reshape_nd)]
    #[track_caller]
    pub fn reshape(&self, shape: &[i64]) -> Result<SparseArray<T>> {
        let (n, mut out) = (count(shape.len())?, arr_sparse::NULL);
        call!(arr_sparse_reshape_nd(self.handle, n, shape.as_ptr(), current(), &mut out));
        SparseArray::own(out)
    }

    /// Returns the array with its axes in another order: axis i of the result is axis `axes[i]`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseArray::coo(&[2, 1, 3], &array![5], &[&array![1], &array![0], &array![2]])?;
    /// assert_eq!(a.permute_dims(&[2, 0, 1])?.shape()?, vec![3, 2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_permute_dims)]
    #[doc(alias = "transpose")]
    #[track_caller]
    pub fn permute_dims(&self, axes: &[i32]) -> Result<SparseArray<T>> {
        let (n, mut out) = (count(axes.len())?, arr_sparse::NULL);
        call!(arr_sparse_permute_dims(self.handle, n, axes.as_ptr(), current(), &mut out));
        SparseArray::own(out)
    }

    /// Reduces along axes, or all elements for `..`. Elements that are not stored count as zeros.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseArray::coo(&[2, 3], &array![5, 6], &[&array![0, 1], &array![2, 0]])?;
    /// assert_eq!(a.reduce(Reduction::MAX, 1, None)?.typed::<i32>()?, array![5, 6]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_reduce_axes)]
    #[track_caller]
    pub fn reduce(&self, by: Reduction, axes: impl Axes, dtype: Option<DType>) -> Result<DynArray> {
        let ((n, list, keep), dtype) = (axes_of(&axes)?, dtype.map_or(0, DType::code));
        let mut out = arr_array::NULL;
        call!(arr_sparse_reduce_axes(by.code(), self.handle, n, list, keep, dtype, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Selects elements by ranges, integers, new axes, masks and arrays of integers, `a.get(idx![0, .., &positions])`, as
    /// [`Array::get`] does. Of shape `[1]` if no dimension is left.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseArray::coo(&[2, 3], &array![5, 6], &[&array![0, 1], &array![2, 0]])?;
    /// assert_eq!(a.get(idx![.., [2, 0, 2]])?.to_dense()?, array![[5, 0, 5], [0, 6, 0]]);
    /// assert_eq!(a.get(idx![1])?.shape()?, vec![3]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_get_items_nd)]
    #[track_caller]
    pub fn get<'i>(&self, indices: impl AsRef<[Index<'i>]>) -> Result<SparseArray<T>> {
        let list = Rows::new(indices.as_ref(), self.device()?)?;
        let (n, rows, mut out) = (count(list.rows.len())?, list.rows.as_ptr(), arr_sparse::NULL);
        call!(arr_sparse_get_items_nd(self.handle, n, rows, current(), &mut out));
        SparseArray::own(out)
    }

    /// Returns a copy in which a block of its shape replaces `self.get(indices)`. Where arrays name an element several
    /// times, the last one wins.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseArray::coo(&[2, 3], &array![5, 6], &[&array![0, 1], &array![2, 0]])?;
    /// assert_eq!(a.with(idx![0], &a.get(idx![1])?)?.to_dense()?, array![[6, 0, 0], [6, 0, 0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_with_items_nd)]
    #[track_caller]
    pub fn with<'i>(&self, indices: impl AsRef<[Index<'i>]>, block: &SparseArray<T>) -> Result<SparseArray<T>> {
        let list = Rows::new(indices.as_ref(), self.device()?)?;
        let (n, rows, mut out) = (count(list.rows.len())?, list.rows.as_ptr(), arr_sparse::NULL);
        call!(arr_sparse_with_items_nd(self.handle, n, rows, block.handle, current(), &mut out));
        SparseArray::own(out)
    }

    /// Joins arrays along an axis.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseArray::coo(&[2], &array![5], &[&array![1]])?;
    /// assert_eq!(SparseArray::concatenate(&[&a, &a], 0)?.to_dense()?, array![0, 5, 0, 5]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_concatenate_nd)]
    #[track_caller]
    pub fn concatenate(parts: &[&SparseArray<T>], axis: i32) -> Result<SparseArray<T>> {
        let handles: Vec<arr_sparse> = parts.iter().map(|a| a.handle).collect();
        let (n, mut out) = (count(handles.len())?, arr_sparse::NULL);
        call!(arr_sparse_concatenate_nd(n, handles.as_ptr(), axis, current(), &mut out));
        SparseArray::own(out)
    }

    /// Joins arrays of one shape along a new axis.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseArray::coo(&[2], &array![5], &[&array![1]])?;
    /// assert_eq!(SparseArray::stack(&[&a, &a], 1)?.to_dense()?, array![[0, 0], [5, 5]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_stack)]
    #[track_caller]
    pub fn stack(parts: &[&SparseArray<T>], axis: i32) -> Result<SparseArray<T>> {
        let handles: Vec<arr_sparse> = parts.iter().map(|a| a.handle).collect();
        let (n, mut out) = (count(handles.len())?, arr_sparse::NULL);
        call!(arr_sparse_stack(n, handles.as_ptr(), axis, current(), &mut out));
        SparseArray::own(out)
    }

    /// Returns the index of the largest element along an axis, or of all elements in row-major order. Elements that are not
    /// stored count as zeros.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseArray::coo(&[1, 3], &array![5, -6], &[&array![0, 0], &array![2, 0]])?;
    /// assert_eq!((a.argmax(Some(1))?, a.argmin(None)?.item()?), (array![2i64], 0));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_argmax)]
    #[track_caller]
    pub fn argmax(&self, axis: Option<i32>) -> Result<Array<i64>> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_argmax(self.handle, axis.unwrap_or(arr_sys::ARR_AXIS_NONE), current(), &mut out));
        DynArray::own(out).typed()
    }

    /// Returns the index of the least element along an axis, or of all elements, as [`SparseArray::argmax`].
    #[doc = errors!(arr_sparse_argmin)]
    #[track_caller]
    pub fn argmin(&self, axis: Option<i32>) -> Result<Array<i64>> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_argmin(self.handle, axis.unwrap_or(arr_sys::ARR_AXIS_NONE), current(), &mut out));
        DynArray::own(out).typed()
    }

    /// Computes the tensor product of two arrays, summed over pairs of an axis of each.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseArray::coo(&[2, 3], &array![5, 6], &[&array![0, 1], &array![2, 0]])?;
    /// assert_eq!(a.tensordot(&a, &[(1, 1)])?.to_dense()?, array![[25, 0], [0, 36]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_tensordot)]
    #[track_caller]
    pub fn tensordot(&self, b: &SparseArray<T>, axes: &[(i32, i32)]) -> Result<SparseArray<T>> {
        let (mine, others): (Vec<i32>, Vec<i32>) = axes.iter().copied().unzip();
        let (n, mut out) = (count(axes.len())?, arr_sparse::NULL);
        let (x, y) = (mine.as_ptr(), others.as_ptr());
        call!(arr_sparse_tensordot(self.handle, b.handle, n, x, y, current(), &mut out));
        SparseArray::own(out)
    }
}
