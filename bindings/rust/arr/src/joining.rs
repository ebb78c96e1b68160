// SPDX-License-Identifier: MIT
//! Arrays joined, repeated, rolled and within borders.

use arr_sys::arr_array;

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{call, Result};
use crate::ops::example;
use crate::shape::count;
use crate::stream::current;

/// Contents of a border; see [`DynArray::pad`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Pad {
    /// Zeros.
    #[default]
    Zeros = arr_sys::ARR_PAD_CONSTANT,
    /// The outermost element.
    Edge = arr_sys::ARR_PAD_EDGE,
    /// Even steps from the outermost element to zero.
    LinearRamp = arr_sys::ARR_PAD_LINEAR_RAMP,
    /// The largest element along the axis.
    Maximum = arr_sys::ARR_PAD_MAXIMUM,
    /// The mean along the axis, of integers rounded to even.
    Mean = arr_sys::ARR_PAD_MEAN,
    /// The median along the axis, of integers rounded to even.
    Median = arr_sys::ARR_PAD_MEDIAN,
    /// The smallest element along the axis.
    Minimum = arr_sys::ARR_PAD_MINIMUM,
    /// Reflected at the outermost element, which is not repeated.
    Reflect = arr_sys::ARR_PAD_REFLECT,
    /// Reflected after the outermost element, which is repeated.
    Symmetric = arr_sys::ARR_PAD_SYMMETRIC,
    /// The elements from the other end.
    Wrap = arr_sys::ARR_PAD_WRAP,
}

macro_rules! joins {
    ($($(#[$doc:meta])* $name:ident, $typed:ident = $function:ident;)*) => {$(
        $(#[$doc])*
        #[doc = errors!($function)]
        #[track_caller]
        pub fn $name(arrays: &[&DynArray], axis: i32) -> Result<DynArray> {
            let handles: Vec<arr_array> = arrays.iter().map(|a| a.as_raw()).collect();
            let n = count(handles.len())?;
            let mut out = arr_array::NULL;
            call!($function(n, handles.as_ptr(), axis, 0, current(), &mut out));
            Ok(DynArray::own(out))
        }

        $(#[$doc])*
        #[doc = errors!($function)]
        #[track_caller]
        pub fn $typed<T: Element>(arrays: &[&Array<T>], axis: i32) -> Result<Array<T>> {
            let all: Vec<&DynArray> = arrays.iter().map(|a| a.as_dyn()).collect();
            $name(&all, axis)?.typed()
        }
    )*};
}
joins! {
    /// Concatenates arrays along an axis, in the type that all promote to; a negative axis counts from the end.
    #[doc = example!("assert_eq!(concatenate(&[&array![1, 2], &array![3]], 0)?, array![1, 2, 3]);")]
    concatenate_dyn, concatenate = arr_concatenate;
    /// Stacks arrays of one shape along a new axis at that index of the result.
    #[doc = example!("assert_eq!(stack(&[&array![1, 2], &array![3, 4]], 0)?, array![[1, 2], [3, 4]]);")]
    stack_dyn, stack = arr_stack;
}

/// `concatenate![0; a, b]`: [`concatenate`](fn@crate::concatenate) of arrays that are named one by one.
#[macro_export]
macro_rules! concatenate {
    ($axis:expr; $($a:expr),+ $(,)?) => { $crate::concatenate(&[$(&$a),+], $axis) };
}

/// `stack![0; a, b]`: [`stack`](fn@crate::stack) of arrays that are named one by one.
#[macro_export]
macro_rules! stack {
    ($axis:expr; $($a:expr),+ $(,)?) => { $crate::stack(&[$(&$a),+], $axis) };
}

impl DynArray {
    /// Repeats the array along its axes. The shorter of shape and reps gets leading ones.
    #[doc = errors!(arr_tile)]
    #[track_caller]
    pub fn tile(&self, reps: &[i64]) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_tile(self.as_raw(), count(reps.len())?, reps.as_ptr(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Repeats each element n times along an axis; without an axis, all elements in row-major order.
    #[doc = errors!(arr_repeat)]
    #[track_caller]
    pub fn repeat(&self, n: i64, axis: Option<i32>) -> Result<DynArray> {
        let axis = axis.unwrap_or(arr_sys::ARR_AXIS_NONE);
        let mut out = arr_array::NULL;
        call!(arr_repeat(self.as_raw(), n, axis, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Elements moved along axes, in pairs of a shift and an axis; what leaves at one end comes back at the other.
    #[doc = errors!(arr_roll)]
    #[track_caller]
    pub fn roll(&self, shifts: &[(i64, i32)]) -> Result<DynArray> {
        let (by, axes): (Vec<i64>, Vec<i32>) = shifts.iter().copied().unzip();
        let mut out = arr_array::NULL;
        call!(arr_roll(self.as_raw(), count(by.len())?, by.as_ptr(), axes.as_ptr(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Pads the array with a number of elements before and after each axis.
    #[doc = errors!(arr_pad)]
    #[track_caller]
    pub fn pad(&self, widths: &[(i64, i64)], mode: Pad) -> Result<DynArray> {
        let all: Vec<i64> = widths.iter().flat_map(|&(before, after)| [before, after]).collect();
        let mut out = arr_array::NULL;
        let (n, none) = (count(all.len())?, std::ptr::null());
        call!(arr_pad(self.as_raw(), n, all.as_ptr(), mode as i32, none, current(), &mut out));
        Ok(DynArray::own(out))
    }
}

impl<T: Element> Array<T> {
    /// Repeats the array along its axes. The shorter of shape and reps gets leading ones.
    #[doc = example!("assert_eq!(array![1, 2].tile(&[2])?, array![1, 2, 1, 2]);")]
    #[doc = errors!(arr_tile)]
    #[track_caller]
    pub fn tile(&self, reps: &[i64]) -> Result<Array<T>> {
        self.as_dyn().tile(reps)?.typed()
    }

    /// Repeats each element n times along an axis; without an axis, all elements in row-major order.
    #[doc = example!("assert_eq!(array![1, 2].repeat(2, None)?, array![1, 1, 2, 2]);")]
    #[doc = errors!(arr_repeat)]
    #[track_caller]
    pub fn repeat(&self, n: i64, axis: Option<i32>) -> Result<Array<T>> {
        self.as_dyn().repeat(n, axis)?.typed()
    }

    /// Rolls the elements like [`DynArray::roll`].
    #[doc = example!("assert_eq!(array![1, 2, 3].roll(&[(1, 0)])?, array![3, 1, 2]);")]
    #[doc = errors!(arr_roll)]
    #[track_caller]
    pub fn roll(&self, shifts: &[(i64, i32)]) -> Result<Array<T>> {
        self.as_dyn().roll(shifts)?.typed()
    }

    /// Pads the array with a number of elements before and after each axis.
    #[doc = example!("assert_eq!(array![1, 2].pad(&[(1, 2)], Pad::Edge)?, array![1, 1, 2, 2, 2]);")]
    #[doc = errors!(arr_pad)]
    #[track_caller]
    pub fn pad(&self, widths: &[(i64, i64)], mode: Pad) -> Result<Array<T>> {
        self.as_dyn().pad(widths, mode)?.typed()
    }
}
