// SPDX-License-Identifier: MIT
//! Arrays with an element type: `Array<f64>`.

use std::fmt;
use std::marker::PhantomData;

use arr_sys::{arr_array, arr_value};

use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::{number, valid_bytes, value_of, Element, Number};
use crate::error::{call, Error, ErrorKind, Result};
use crate::shape::{count, dims, IntoShape, Order, Shape, Slice};
use crate::stream::current;

/// An n-dimensional array of `T`.
///
/// Clones and views share memory, and a write copies first where another array would see it
/// ([`Array::make_mut`]); [`Array::slice_mut`] writes to a part in place.
#[repr(transparent)]
pub struct Array<T> {
    any: DynArray,
    elements: PhantomData<T>,
}

const _: () = {
    const fn thread_safe<T: Send + Sync>() {}
    thread_safe::<DynArray>();
    thread_safe::<Array<f64>>();
    thread_safe::<crate::Stream>();
    thread_safe::<crate::Event>();
    thread_safe::<crate::Module>();
    thread_safe::<crate::Kernel>();
    thread_safe::<crate::Expr<1>>();
    thread_safe::<Error>();
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

    /// A copy of elements that lie in the shape's order.
    #[track_caller]
    pub fn from_slice(elements: &[T], shape: impl IntoShape) -> Result<Array<T>> {
        Device::HOST.array(elements, shape)
    }

    /// Takes a vector over without a copy.
    #[track_caller]
    pub fn from_vec(elements: Vec<T>, shape: impl IntoShape) -> Result<Array<T>> {
        let shape = shape.into_shape();
        let (dims, n) = (shape.dims()?, shape.size()?);
        same_count(elements.len(), n, &shape)?;
        if n == 0 {
            return Array::zeros(&shape);
        }
        let mut owner = Box::new(elements);
        let data = owner.as_mut_ptr();
        let strides = strides_of(&dims, shape.order());
        let ctx = Box::into_raw(owner);
        let mut out = arr_array::NULL;
        // SAFETY: the vector stays where it is until free_vec is called, which is after the last use.
        let wrapped = unsafe { wrap_raw::<T>(data, &dims, &strides, free_vec::<T>, ctx.cast(), &mut out) };
        if let Err(error) = wrapped {
            // SAFETY: the library takes nothing when it fails.
            drop(unsafe { Box::from_raw(ctx) });
            return Err(error);
        }
        Ok(Array::own(out))
    }

    #[track_caller]
    pub fn zeros(shape: impl IntoShape) -> Result<Array<T>> {
        Device::HOST.zeros(shape)
    }

    #[track_caller]
    pub fn ones(shape: impl IntoShape) -> Result<Array<T>> {
        Device::HOST.ones(shape)
    }

    #[track_caller]
    pub fn full(shape: impl IntoShape, value: T) -> Result<Array<T>> {
        Device::HOST.full(shape, value)
    }

    /// start, start + step, ... before stop.
    #[track_caller]
    pub fn arange(start: T, stop: T, step: T) -> Result<Array<T>> {
        Device::HOST.arange(start, stop, step)
    }

    /// `count` evenly spaced numbers from start to stop, which is the last.
    #[track_caller]
    pub fn linspace(start: f64, stop: f64, count: usize) -> Result<Array<T>> {
        Device::HOST.linspace(start, stop, count)
    }

    /// The unit matrix.
    #[track_caller]
    pub fn eye(n: usize) -> Result<Array<T>> {
        Device::HOST.eye(n, n, 0)
    }

    /// An array of no dimensions.
    #[track_caller]
    pub fn scalar(value: T) -> Result<Array<T>> {
        Array::full([], value)
    }

    /// A number as an array of no dimensions beside another.
    #[track_caller]
    pub(crate) fn scalar_on(value: T, beside: &Array<T>) -> Result<Array<T>> {
        beside.device()?.full([], value)
    }

    /// Zeros with the shape, the order and on the device of this array.
    #[track_caller]
    pub fn zeros_like(&self) -> Result<Array<T>> {
        let (a, order) = (self.as_raw(), Order::K.code());
        let mut out = arr_array::NULL;
        call!(arr_zeros_like(a, T::DTYPE.code(), order, current(), &mut out));
        Ok(Array::own(out))
    }
}

extern "C" fn free_vec<T>(ctx: *mut std::ffi::c_void) {
    // SAFETY: ctx is the box that from_vec gave; the library calls this once.
    drop(unsafe { Box::from_raw(ctx.cast::<Vec<T>>()) });
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
    drop_owner: extern "C" fn(*mut std::ffi::c_void),
    ctx: *mut std::ffi::c_void,
    out: &mut arr_array,
) -> Result<()> {
    let ndim = count(dims.len())?;
    let host = Device::HOST.raw();
    call!(arr_wrap(
        data.cast(),
        T::DTYPE.code(),
        ndim,
        dims.as_ptr(),
        strides.as_ptr(),
        &host,
        Some(drop_owner),
        ctx,
        out,
    ));
    Ok(())
}

/// Elements in and out.
impl<T: Element> Array<T> {
    /// The only element of an array that has one.
    #[track_caller]
    pub fn item(&self) -> Result<T> {
        self.at(&[])
    }

    /// One element; negative positions from the end. [`Array::to_vec`] for many.
    #[track_caller]
    pub fn at(&self, index: &[i64]) -> Result<T> {
        let n = count(index.len())?;
        let mut value = arr_value::default();
        call!(arr_item(self.as_raw(), n, index.as_ptr(), &mut value));
        number(&value)
    }

    /// A copy of the elements in row-major order.
    #[track_caller]
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.to_vec_in(Order::C)
    }

    /// A copy of the elements in an order.
    #[track_caller]
    pub fn to_vec_in(&self, order: Order) -> Result<Vec<T>> {
        let n = self.size()?;
        let mut out: Vec<T> = Vec::with_capacity(n);
        let bytes = (n * std::mem::size_of::<T>()) as i64;
        let host = out.as_mut_ptr().cast();
        call!(arr_get(self.as_raw(), order.code(), host, bytes, current()));
        // SAFETY: the library has written n elements, and bools are checked.
        unsafe {
            valid_bytes::<T>(out.as_ptr().cast(), n)?;
            out.set_len(n);
        }
        Ok(out)
    }

    /// Writes elements in row-major order.
    #[track_caller]
    pub fn copy_from_slice(&mut self, elements: &[T]) -> Result<()> {
        self.make_mut()?;
        let bytes = std::mem::size_of_val(elements) as i64;
        let (from, order) = (elements.as_ptr().cast(), Order::C.code());
        call!(arr_set(self.as_raw(), order, from, bytes, current()));
        Ok(())
    }

    /// The elements in place; the array must be on the host and row-major.
    #[track_caller]
    pub fn as_slice(&self) -> Result<&[T]> {
        let (data, n) = self.host_memory()?;
        // SAFETY: writes need `&mut` of an array that shares its memory with no other, so none can happen.
        unsafe {
            valid_bytes::<T>(data.cast(), n)?;
            Ok(std::slice::from_raw_parts(data, n))
        }
    }

    /// The elements in place, to write; the array must be on the host and row-major. Copies shared memory first.
    #[track_caller]
    pub fn as_mut_slice(&mut self) -> Result<&mut [T]> {
        self.make_mut()?;
        let (data, n) = self.host_memory()?;
        // SAFETY: the memory is this array's alone.
        unsafe {
            valid_bytes::<T>(data.cast(), n)?;
            Ok(std::slice::from_raw_parts_mut(data, n))
        }
    }

    #[track_caller]
    fn host_memory(&self) -> Result<(*mut T, usize)> {
        let device = self.device()?;
        if !device.is_host() {
            let text = format!("argument a: got an array on {device}, expected one on the host");
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        let data = self.data()?.cast::<T>();
        if !self.is_c_contiguous()? || data as usize % std::mem::align_of::<T>() != 0 {
            let text = "argument a: got strided or unaligned memory, expected row-major elements";
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        match self.size()? {
            0 => Ok((std::ptr::NonNull::dangling().as_ptr(), 0)),
            n => Ok((data, n)),
        }
    }

    /// Writes one number to every element.
    #[track_caller]
    pub fn fill(&mut self, value: T) -> Result<()> {
        self.make_mut()?;
        call!(arr_fill(self.as_raw(), &value_of(value), current()));
        Ok(())
    }

    /// Writes another array's elements, which broadcast.
    #[track_caller]
    pub fn assign(&mut self, source: &Array<T>) -> Result<()> {
        self.make_mut()?;
        call!(arr_assign(self.as_raw(), source.as_raw(), current()));
        Ok(())
    }

    /// A part to write to in place, while this array is borrowed.
    #[track_caller]
    pub fn slice_mut(&mut self, slices: impl AsRef<[Slice]>) -> Result<crate::ViewMut<'_, T>> {
        self.make_mut()?;
        Ok(crate::ViewMut::new(Array::from_dyn(self.any.slice(slices)?)))
    }

    /// Makes the memory this array's own, by a copy if another array has it too or it is read-only.
    #[track_caller]
    pub fn make_mut(&mut self) -> Result<&mut Array<T>> {
        self.any.make_mut()?;
        Ok(self)
    }
}

/// What gives an array of the same type.
impl<T: Element> Array<T> {
    /// The axes reversed: a view.
    #[track_caller]
    pub fn t(&self) -> Result<Array<T>> {
        self.permute(&[])
    }

    /// Another shape of as many elements; order C, or F by `[2, 3].f()`. A view where that can be.
    #[track_caller]
    pub fn reshape(&self, shape: impl IntoShape) -> Result<Array<T>> {
        let shape = shape.into_shape();
        let order = match shape.order() {
            arr_sys::ARR_ORDER_F => Order::F,
            _ => Order::C,
        };
        self.reshape_as(&dims(shape.extents())?, order)
    }

    /// A part: `a.slice(s![1..3, .., 0])`: a view.
    #[track_caller]
    pub fn slice(&self, slices: impl AsRef<[Slice]>) -> Result<Array<T>> {
        self.any.slice(slices).map(Array::from_dyn)
    }
}

/// Matrices.
impl<T: Number> Array<T> {
    /// Matrix product; of stacks of matrices, pair by pair.
    #[track_caller]
    pub fn matmul(&self, other: &Array<T>) -> Result<Array<T>> {
        self.any.matmul(&other.any).map(Array::from_dyn)
    }

    /// Matrix product into an array of its shape.
    #[track_caller]
    pub fn matmul_into(&self, other: &Array<T>, out: &mut Array<T>) -> Result<()> {
        out.make_mut()?;
        let (a, b) = (self.as_raw(), other.as_raw());
        call!(arr_matmul_into(out.as_raw(), a, b, current()));
        Ok(())
    }
}

/// Methods of [`DynArray`] that give an array of the same type.
macro_rules! same_type {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*);)*) => {
        impl<T: Element> Array<T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, $($argument: $type),*) -> Result<Array<T>> {
                self.any.$name($($argument),*).map(Array::from_dyn)
            }
        )*}
    };
}
same_type! {
    /// The axes in another order; none reverses them.
    permute(axes: &[i32]);
    /// Repeated to a larger shape without a copy.
    broadcast_to(shape: &[usize]);
    /// New axes of extent 1 at these positions of the result.
    expand_dims(axes: &[i32]);
    /// Without these axes of extent 1; none for all of them.
    squeeze(axes: &[i32]);
    /// Reversed along these axes; none for all.
    flip(axes: &[i32]);
    /// Another shape; one extent may be -1.
    reshape_as(shape: &[i64], order: Order);
    /// The same array if it is contiguous in the order, else a copy.
    contiguous(order: Order);
    /// A contiguous copy.
    copy(order: Order);
    /// A copy on a device.
    to_device(device: Device);
    /// Another handle to the same memory.
    try_clone();
}

impl<T> Array<T> {
    pub fn as_dyn(&self) -> &DynArray {
        &self.any
    }

    pub fn into_dyn(self) -> DynArray {
        self.any
    }

    /// The handle, borrowed.
    pub fn as_raw(&self) -> arr_array {
        self.any.as_raw()
    }
}

/// Methods of [`DynArray`] that any array has.
macro_rules! forward {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        impl<T> Array<T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, $($argument: $type),*) -> $result {
                self.any.$name($($argument),*)
            }
        )*}
    };
}
forward! {
    device() -> Result<Device>;
    ndim() -> Result<usize>;
    shape() -> Result<Vec<usize>>;
    /// In elements.
    strides() -> Result<Vec<isize>>;
    /// The number of elements.
    size() -> Result<usize>;
    /// Contiguous in C's order, row-major.
    is_c_contiguous() -> Result<bool>;
    /// Contiguous in Fortran's order, column-major.
    is_f_contiguous() -> Result<bool>;
    /// The memory may not be written; a write to the array copies first.
    is_read_only() -> Result<bool>;
    /// Whether another array of this program has the same memory.
    is_shared() -> bool;
    /// Address of element (0, .., 0) on its device.
    data() -> Result<*mut std::ffi::c_void>;
    /// The elements as text; at most 2 * edge along an axis.
    format(edge: i32) -> Result<String>;
}

impl<T> Array<T> {
    /// A copy with elements of `U`, as NumPy's astype.
    #[track_caller]
    pub fn cast<U: Element>(&self) -> Result<Array<U>> {
        self.any.cast()
    }

    pub(crate) fn raw_mut(&mut self) -> &mut arr_array {
        self.any.raw_mut()
    }
}

impl<T> Clone for Array<T> {
    #[track_caller]
    fn clone(&self) -> Array<T> {
        Array { any: self.any.clone(), elements: PhantomData }
    }
}

impl<T> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.any, f)
    }
}

impl<T> fmt::Display for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.any, f)
    }
}

/// An operand of an array of `T`: an array or a number of the same type.
pub trait Operand<T> {
    #[doc(hidden)]
    fn value(&self) -> arr_value;
}

impl<T: Element> Operand<T> for T {
    fn value(&self) -> arr_value {
        value_of(*self)
    }
}

impl<T: Element> Operand<T> for &Array<T> {
    fn value(&self) -> arr_value {
        self.any.value()
    }
}

impl<T: Element> Operand<T> for &crate::ViewMut<'_, T> {
    fn value(&self) -> arr_value {
        self.array().any.value()
    }
}
