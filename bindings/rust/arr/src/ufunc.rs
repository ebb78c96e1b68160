// SPDX-License-Identifier: MIT
//! Reductions with options, and the methods of element-wise operations: outer, reduce, accumulate, reduceat.

use std::ffi::CString;

use arr_sys::{arr_array, arr_reduce_options, arr_value};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::DType;
use crate::error::{call, Error, ErrorKind, Result};
use crate::operand::DynOperand;
use crate::ops::{axes_of, Reduction};
use crate::output::DynOutput;
use crate::shape::Axes;
use crate::stream::current;

/// Options of a reduction other than its axes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reduce<'a> {
    dtype: i32,
    initial: Option<arr_value>,
    filter: Option<&'a Array<bool>>,
    correction: f64,
}

impl<'a> Reduce<'a> {
    #[must_use]
    pub fn new() -> Reduce<'a> {
        Reduce::default()
    }

    /// Elements are cast to it first, and it is the result's type.
    #[must_use]
    pub fn dtype(self, dtype: DType) -> Reduce<'a> {
        Reduce { dtype: dtype.0, ..self }
    }

    /// Sets a number that is combined with the elements.
    #[must_use]
    pub fn initial(self, x: impl DynOperand + 'a) -> Reduce<'a> {
        Reduce { initial: Some(x.dyn_value()), ..self }
    }

    /// Selects the elements that count: those where the mask, which broadcasts, is true.
    #[must_use]
    pub fn filter(self, mask: &'a Array<bool>) -> Reduce<'a> {
        Reduce { filter: Some(mask), ..self }
    }

    /// Sets the correction of variances and deviations: it is taken off the number of elements.
    #[must_use]
    pub fn correction(self, correction: f64) -> Reduce<'a> {
        Reduce { correction, ..self }
    }

    pub(crate) fn raw(&self) -> arr_reduce_options {
        arr_reduce_options {
            struct_size: std::mem::size_of::<arr_reduce_options>() as i64,
            dtype: self.dtype,
            initial: self.initial.as_ref().map_or(std::ptr::null(), |v| v as *const arr_value),
            where_: self.filter.map_or(arr_array::NULL, |m| m.as_raw()),
            correction: self.correction,
            ..Default::default()
        }
    }
}

impl DynArray {
    /// Reduces over axes, with options.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(array![1, 2, 3].into_dyn().reduce(Reduction::PROD, .., Reduce::new())?.item_i64(&[])?, 6);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_reduce)]
    #[track_caller]
    pub fn reduce(&self, by: Reduction, axes: impl Axes, options: Reduce) -> Result<DynArray> {
        let (n, list, keep) = axes_of(&axes)?;
        let mut out = arr_array::NULL;
        call!(arr_reduce(by.code(), self.as_raw(), n, list, keep, &options.raw(), current(), &mut out));
        Ok(DynArray::own(out))
    }
}

/// An element-wise operation, for its methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ufunc(i32);

impl Ufunc {
    /// Returns the operation of a name, "add" and so on.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(Ufunc::find("add")?.outer(array![1, 2].as_dyn(), array![10, 20].as_dyn())?.typed::<i32>()?, array![[11, 21], [12, 22]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_op_find)]
    #[track_caller]
    pub fn find(name: &str) -> Result<Ufunc> {
        let Ok(text) = CString::new(name) else {
            return Err(Error::new(ErrorKind::Argument, "argument name: it has a NUL byte"));
        };
        let mut op = 0;
        call!(arr_op_find(text.as_ptr(), &mut op, std::ptr::null_mut(), std::ptr::null_mut()));
        Ok(Ufunc(op))
    }

    pub(crate) fn code(self) -> i32 {
        self.0
    }

    /// Applies the operation to each element of `a` and each of `b`: the axes of `a` precede those of `b`.
    #[doc = errors!(arr_ufunc_outer)]
    #[track_caller]
    pub fn outer(self, a: &DynArray, b: &DynArray) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_ufunc_outer(self.0, a.as_raw(), b.as_raw(), std::ptr::null(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Reduces over axes by this operation.
    #[doc = errors!(arr_ufunc_reduce)]
    #[track_caller]
    pub fn reduce(self, a: &DynArray, axes: impl Axes, options: Reduce) -> Result<DynArray> {
        let (n, list, keep) = axes_of(&axes)?;
        let mut out = arr_array::NULL;
        call!(arr_ufunc_reduce(self.0, a.as_raw(), n, list, keep, &options.raw(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Accumulates by this operation along an axis.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(Ufunc::find("maximum")?.accumulate(array![1, 3, 2].as_dyn(), 0)?.typed::<i32>()?, array![1, 3, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_ufunc_accumulate)]
    #[track_caller]
    pub fn accumulate(self, a: &DynArray, axis: i32) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_ufunc_accumulate(self.0, a.as_raw(), axis, 0, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Accumulates like [`Ufunc::accumulate`], into an array of the shape of `a`.
    #[doc = errors!(arr_ufunc_accumulate_into)]
    #[track_caller]
    pub fn accumulate_into(self, a: &DynArray, axis: i32, out: &mut impl DynOutput) -> Result<()> {
        let dst = out.destination()?;
        call!(arr_ufunc_accumulate_into(dst, self.0, a.as_raw(), axis, 0, current()));
        Ok(())
    }

    /// Reductions of slices of an axis, each from an index to the next one.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(Ufunc::find("add")?.reduceat(array![1, 2, 3, 4].as_dyn(), &[0, 2], 0)?.typed::<i64>()?, array![3i64, 7]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_ufunc_reduceat)]
    #[track_caller]
    pub fn reduceat(self, a: &DynArray, indices: &[i64], axis: i32) -> Result<DynArray> {
        let (n, list) = (indices.len() as i64, indices.as_ptr());
        let mut out = arr_array::NULL;
        call!(arr_ufunc_reduceat(self.0, a.as_raw(), n, list, axis, 0, current(), &mut out));
        Ok(DynArray::own(out))
    }
    /// Reduces like [`Ufunc::reduceat`], into an array of the result's shape.
    #[doc = errors!(arr_ufunc_reduceat_into)]
    #[track_caller]
    pub fn reduceat_into(self, a: &DynArray, indices: &[i64], axis: i32, out: &mut impl DynOutput) -> Result<()> {
        let (n, list) = (indices.len() as i64, indices.as_ptr());
        let dst = out.destination()?;
        call!(arr_ufunc_reduceat_into(dst, self.0, a.as_raw(), n, list, axis, 0, current()));
        Ok(())
    }
}
