// SPDX-License-Identifier: MIT
//! Arrays with an element type: `Array<f64>`.

use std::marker::PhantomData;
use std::ops::Deref;

use arr_sys::arr_array;

use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::shape::{dims, IntoShape, Order, Shape};
use crate::slice::Slice;

/// An n-dimensional array of `T`.
///
/// Clones and views share memory, and a write copies first where another array would see it
/// ([`Array::make_mut`]); [`Array::slice_mut`] writes to a part in place.
#[repr(transparent)]
#[must_use = "operations return their results, and change no array"]
pub struct Array<T> {
    pub(crate) any: DynArray,
    elements: PhantomData<T>,
}

const _: () = {
    const fn thread_safe<T: Send + Sync>() {}
    thread_safe::<DynArray>();
    thread_safe::<Array<f64>>();
    thread_safe::<crate::Stream>();
    thread_safe::<crate::Event>();
    thread_safe::<crate::Graph>();
    thread_safe::<crate::FftPlan>();
    thread_safe::<crate::MemoryHook>();
    thread_safe::<crate::Module>();
    thread_safe::<crate::Kernel>();
    thread_safe::<crate::Expr<1>>();
    thread_safe::<Error>();
    thread_safe::<crate::SparseMatrix<f64>>();
    thread_safe::<crate::Decomposition>();
    thread_safe::<crate::Dist<f64>>();
};

#[track_caller]
pub(crate) fn same_count(got: usize, expected: usize, shape: &Shape) -> Result<()> {
    if got == expected {
        return Ok(());
    }
    let extents = shape.extents();
    let text = format!("argument elements: got {got}, expected {expected} for the shape {extents:?}");
    Err(Error::new(ErrorKind::Shape, text))
}

/// Creation on the host; [`Device`] has the same for any device.
impl<T: Element> Array<T> {
    pub(crate) fn own(handle: arr_array) -> Array<T> {
        Array::from_dyn(DynArray::own(handle))
    }

    /// The caller has checked the type.
    pub(crate) fn from_dyn(any: DynArray) -> Array<T> {
        Array { any, elements: PhantomData }
    }

    /// Returns an array of a copy of the elements, which are in the order of the shape.
    #[doc = errors!(arr_from_host)]
    #[track_caller]
    pub fn from_slice(elements: &[T], shape: impl IntoShape) -> Result<Array<T>> {
        Device::HOST.array(elements, shape)
    }

    /// Returns an array whose elements are a function of their indices:
    /// `Array::from_shape_fn((2, 3), |at| (at[0] * 3 + at[1]) as f64)?`.
    #[doc = errors!(arr_wrap)]
    #[doc(alias = "fromfunction")]
    #[track_caller]
    pub fn from_shape_fn(shape: impl IntoShape, mut element: impl FnMut(&[usize]) -> T) -> Result<Array<T>> {
        let shape = shape.into_shape();
        let mut at = vec![0; shape.extents().len()];
        let mut elements = Vec::with_capacity(shape.size()?);
        for _ in 0..shape.size()? {
            elements.push(element(&at));
            for (position, extent) in at.iter_mut().zip(shape.extents()).rev() {
                *position += 1;
                if *position < *extent {
                    break;
                }
                *position = 0;
            }
        }
        let rows = Array::from_vec(elements, shape.extents())?;
        match shape.order() {
            arr_sys::ARR_ORDER_F => rows.contiguous(Order::F),
            _ => Ok(rows),
        }
    }

    #[doc = errors!(arr_zeros)]
    #[track_caller]
    pub fn zeros(shape: impl IntoShape) -> Result<Array<T>> {
        Device::HOST.zeros(shape)
    }

    #[doc = errors!(arr_ones)]
    #[track_caller]
    pub fn ones(shape: impl IntoShape) -> Result<Array<T>> {
        Device::HOST.ones(shape)
    }

    #[doc = errors!(arr_full)]
    #[track_caller]
    pub fn full(shape: impl IntoShape, value: T) -> Result<Array<T>> {
        Device::HOST.full(shape, value)
    }

    /// Returns the values start, start + step, ... that are below stop (above it for a negative step).
    #[doc = errors!(arr_arange)]
    #[track_caller]
    pub fn arange(start: T, stop: T, step: T) -> Result<Array<T>> {
        Device::HOST.arange(start, stop, step)
    }

    /// Returns `count` evenly spaced numbers from start to stop, both included.
    #[doc = errors!(arr_linspace)]
    #[track_caller]
    pub fn linspace(start: f64, stop: f64, count: usize) -> Result<Array<T>> {
        Device::HOST.linspace(start, stop, count)
    }

    /// Returns the identity matrix.
    #[doc = errors!(arr_eye)]
    #[track_caller]
    pub fn eye(n: usize) -> Result<Array<T>> {
        Device::HOST.eye(n, n, 0)
    }

    /// Returns an array without dimensions.
    #[doc = errors!(arr_full)]
    #[track_caller]
    pub fn scalar(value: T) -> Result<Array<T>> {
        Array::full([], value)
    }

    /// Zeros with the shape, the order and on the device of this array.
    #[doc = errors!(arr_zeros_like)]
    #[track_caller]
    pub fn zeros_like(&self) -> Result<Array<T>> {
        self.as_dyn().zeros_like(None, Order::K).map(Array::from_dyn)
    }

    /// Returns an array like this one whose elements are not written yet.
    ///
    /// ```
    /// # fn main() -> arr::Result<()> {
    /// let a = arr::array![1.0, 4.0, 9.0];
    /// // SAFETY: sqrt_into writes every element.
    /// let mut root = unsafe { a.empty_like()? };
    /// a.sqrt_into(&mut root)?;
    /// assert_eq!(root, arr::array![1.0, 2.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    /// Each element is written before it is read: it is whatever the memory held before.
    #[doc = errors!(arr_empty_like)]
    #[track_caller]
    pub unsafe fn empty_like(&self) -> Result<Array<T>> {
        // SAFETY: rule 8: the caller's.
        unsafe { self.as_dyn().empty_like(None, Order::K).map(Array::from_dyn) }
    }
}

/// Methods that return an array of the same type.
impl<T: Element> Array<T> {
    /// Returns a view with the axes in reverse order.
    #[doc = errors!(arr_transpose)]
    #[track_caller]
    pub fn t(&self) -> Result<Array<T>> {
        self.permute(&[])
    }

    /// Returns the elements in another shape, in order C, or F for `[2, 3].f()`: a view if possible, else a copy.
    #[doc = errors!(arr_reshape)]
    #[track_caller]
    pub fn reshape(&self, shape: impl IntoShape) -> Result<Array<T>> {
        let shape = shape.into_shape();
        let order = match shape.order() {
            arr_sys::ARR_ORDER_F => Order::F,
            _ => Order::C,
        };
        self.reshape_as(&dims(shape.extents())?, order)
    }

    /// Returns a view of a part: `a.slice(s![1..3, .., 0])`. Axes without a slice are taken whole.
    #[doc = errors!(arr_get_items)]
    #[doc(alias = "slice_axis")]
    #[doc(alias = "slice_move")]
    #[track_caller]
    pub fn slice(&self, slices: impl AsRef<[Slice]>) -> Result<Array<T>> {
        self.any.slice(slices).map(Array::from_dyn)
    }
}

/// Methods of [`DynArray`] that give an array of the same type.
macro_rules! same_type {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*);)*) => {
        impl<T: Element> Array<T> {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// Fails where the method of [`DynArray`] does.
            #[track_caller]
            pub fn $name(&self, $($argument: $type),*) -> Result<Array<T>> {
                self.any.$name($($argument),*).map(Array::from_dyn)
            }
        )*}
    };
}
same_type! {
    /// Returns the elements in another shape; one extent may be -1.
    reshape_as(shape: &[i64], order: Order);
    /// Returns the array itself if it is contiguous in the order, else a copy.
    contiguous(order: Order);
    /// Returns a contiguous copy.
    copy(order: Order);
    /// Returns a copy on a device.
    to_device(device: Device);
    /// Returns another handle to the same memory.
    try_clone();
}

/// An array of a known type is an array: it has the methods of [`DynArray`] that have no typed form here. Their
/// results are of types that are known at run time; [`DynArray::typed`] checks one.
impl<T> Deref for Array<T> {
    type Target = DynArray;
    fn deref(&self) -> &DynArray {
        &self.any
    }
}

impl<T> Array<T> {
    pub fn as_dyn(&self) -> &DynArray {
        &self.any
    }

    pub fn into_dyn(self) -> DynArray {
        self.any
    }

    /// Returns the handle, which stays the array's.
    pub fn as_raw(&self) -> arr_array {
        self.any.as_raw()
    }
}

impl<T> Array<T> {
    /// Returns a copy with elements of `U`, like NumPy's `astype`.
    #[doc = errors!(arr_astype)]
    #[track_caller]
    pub fn cast<U: Element>(&self) -> Result<Array<U>> {
        self.any.cast()
    }

    /// Returns the handle for a call that writes the elements, after a copy of shared memory.
    #[track_caller]
    pub(crate) fn writable(&mut self) -> Result<arr_array> {
        self.any.writable()
    }
}

impl<T> Clone for Array<T> {
    #[track_caller]
    fn clone(&self) -> Array<T> {
        Array { any: self.any.clone(), elements: PhantomData }
    }
}
