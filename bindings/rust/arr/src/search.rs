// SPDX-License-Identifier: MIT
//! Indices in sorted vectors, bins, and interpolation between points.

use arr_sys::{arr_array, arr_value};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{call, Result};
use crate::operand::DynOperand;
use crate::stream::current;

/// The side of equal elements that a search returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Side {
    /// In front of the first.
    #[default]
    Left = arr_sys::ARR_SEARCH_LEFT,
    /// After the last.
    Right = arr_sys::ARR_SEARCH_RIGHT,
}

/// The values of [`DynArray::interp_with`] outside of the points.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outside {
    /// Below the first point; its value without it.
    pub left: Option<f64>,
    /// Above the last point; its value without it.
    pub right: Option<f64>,
    /// The period of the coordinates, which then have no outside.
    pub period: Option<f64>,
}

impl DynArray {
    /// Interpolates linearly between the points (`xp`, `fp`), at this array's elements.
    #[doc = errors!(arr_interp)]
    #[track_caller]
    pub fn interp(&self, xp: &DynArray, fp: &DynArray) -> Result<DynArray> {
        self.interp_with(xp, fp, Outside::default())
    }

    /// Interpolates like [`DynArray::interp`], with values outside of the points, or a period.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (xp, fp) = (array![0.0, 2.0].into_dyn(), array![0.0, 4.0].into_dyn());
    /// assert_eq!(array![1.0].into_dyn().interp_with(&xp, &fp, Outside::default())?.typed::<f64>()?, array![2.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_interp)]
    #[track_caller]
    pub fn interp_with(&self, xp: &DynArray, fp: &DynArray, outside: Outside) -> Result<DynArray> {
        let (x, xp, fp) = (self.as_raw(), xp.as_raw(), fp.as_raw());
        let (left, right) = (outside.left.map(|v| v.dyn_value()), outside.right.map(|v| v.dyn_value()));
        let pointer = |v: &Option<arr_value>| v.as_ref().map_or(std::ptr::null(), |v| v as *const arr_value);
        let period = outside.period.unwrap_or(0.0);
        let mut out = arr_array::NULL;
        call!(arr_interp(x, xp, fp, pointer(&left), pointer(&right), period, current(), &mut out));
        Ok(DynArray::own(out))
    }
}

impl<T: Element> Array<T> {
    /// Interpolates linearly between the points (`xp`, `fp`), at this array's elements.
    #[doc = errors!(arr_interp)]
    #[track_caller]
    pub fn interp(&self, xp: &Array<T>, fp: &Array<f64>) -> Result<Array<f64>> {
        self.as_dyn().interp(xp.as_dyn(), fp.as_dyn())?.typed()
    }
}
