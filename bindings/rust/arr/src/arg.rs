// SPDX-License-Identifier: MIT
//! Arguments of kernels.

use std::ffi::c_void;
use std::marker::PhantomData;

use arr_sys::arr_value;

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{value_of, Element};
use crate::error::Result;
use crate::view::ViewMut;

/// An argument of a kernel; [`args!`](crate::args) makes a list of them.
#[derive(Debug)]
pub struct Arg<'a> {
    value: Result<arr_value>,
    borrowed: PhantomData<&'a mut c_void>,
}

impl Arg<'_> {
    pub(crate) fn new(value: Result<arr_value>) -> Self {
        Arg { value, borrowed: PhantomData }
    }

    /// Returns the values of a list, or its first error.
    pub(crate) fn values(args: &[Arg<'_>]) -> Result<Vec<arr_value>> {
        args.iter().map(|arg| arg.value.clone()).collect()
    }
}

impl<'a> Arg<'a> {
    /// Makes an argument of a struct, which is passed byte by byte; it must have the layout of the kernel's parameter.
    pub fn bytes<T: Copy>(x: &'a T) -> Arg<'a> {
        Arg::new(Ok(arr_value {
            kind: arr_sys::ARR_VALUE_BYTES,
            dtype: 0,
            lo: x as *const T as i64,
            hi: std::mem::size_of::<T>() as i64,
        }))
    }

    /// Makes an argument of a device pointer, which is passed unchanged.
    pub fn pointer<T>(p: *mut T) -> Arg<'static> {
        Arg::new(Ok(arr_value { kind: arr_sys::ARR_VALUE_POINTER, dtype: 0, lo: p as i64, hi: 0 }))
    }
}

/// An array that the kernel reads.
impl<'a, T: Element> From<&'a Array<T>> for Arg<'a> {
    fn from(a: &'a Array<T>) -> Arg<'a> {
        Arg::new(Ok(a.as_dyn().value()))
    }
}

impl<'a> From<&'a DynArray> for Arg<'a> {
    fn from(a: &'a DynArray) -> Arg<'a> {
        Arg::new(Ok(a.value()))
    }
}

/// An array that the kernel writes; shared memory is copied first.
impl<'a, T: Element> From<&'a mut Array<T>> for Arg<'a> {
    #[track_caller]
    fn from(a: &'a mut Array<T>) -> Arg<'a> {
        Arg::new(a.make_mut().map(|a| a.as_dyn().value()))
    }
}

impl<'a> From<&'a mut DynArray> for Arg<'a> {
    #[track_caller]
    fn from(a: &'a mut DynArray) -> Arg<'a> {
        Arg::new(a.make_mut().map(|a| a.value()))
    }
}

impl<'a, T: Element> From<&'a mut ViewMut<'_, T>> for Arg<'a> {
    fn from(a: &'a mut ViewMut<'_, T>) -> Arg<'a> {
        Arg::new(Ok(a.array().as_dyn().value()))
    }
}

impl<T: Element> From<T> for Arg<'static> {
    fn from(x: T) -> Arg<'static> {
        Arg::new(Ok(value_of(x)))
    }
}

/// The arguments of [`Kernel::launch`](crate::Kernel::launch): `args![&a, &mut b, n as i32, 0.5f64]`. Numbers must have the types of
/// the kernel's parameters.
#[macro_export]
macro_rules! args {
    ($($x:expr),* $(,)?) => { [$($crate::Arg::from($x)),*] };
}
