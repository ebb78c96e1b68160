// SPDX-License-Identifier: MIT
//! Differences, gradients and integrals along axes, convolution, and products of vectors.

use arr_sys::{arr_array, arr_value};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{weak, Element};
use crate::error::{call, Result};
use crate::operand::DynOperand;
use crate::shape::count;
use crate::stream::current;

/// The part of a convolution to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convolve {
    /// Every overlap.
    Full,
    /// The middle of these, as long as the longer operand.
    Same,
    /// The positions at which the shorter operand lies within the longer.
    Valid,
}

impl Convolve {
    pub(crate) fn code(self) -> i32 {
        match self {
            Convolve::Full => arr_sys::ARR_CONVOLVE_FULL,
            Convolve::Same => arr_sys::ARR_CONVOLVE_SAME,
            Convolve::Valid => arr_sys::ARR_CONVOLVE_VALID,
        }
    }
}

/// The axis and the coordinates of a [`DynArray::gradient`].
#[derive(Clone, Copy, Debug)]
pub struct Gradient {
    axis: i32,
    edge_order: i32,
}

impl Gradient {
    /// Selects an axis, negative from the end.
    #[must_use]
    pub fn along(axis: i32) -> Gradient {
        Gradient { axis, edge_order: 1 }
    }

    /// Sets the order of the differences at the ends, 1 or 2.
    #[must_use]
    pub fn edge_order(self, order: i32) -> Gradient {
        Gradient { edge_order: order, ..self }
    }
}

/// Differences, gradients and integrals.
impl DynArray {
    /// Returns the derivative along an axis: central differences inside, one-sided ones at the ends. The spacing is a
    /// number or a vector of coordinates.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(array![1.0, 4.0, 9.0].into_dyn().gradient(Gradient::along(0), 1.0)?.typed::<f64>()?, array![3.0, 4.0, 5.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_gradient)]
    #[track_caller]
    pub fn gradient(&self, along: Gradient, spacing: impl DynOperand) -> Result<DynArray> {
        let (axis, value) = (along.axis, spacing.dyn_value());
        let mut out = arr_array::NULL;
        call!(arr_gradient(self.as_raw(), 1, &axis, &value, along.edge_order, current(), 1, &mut out));
        Ok(DynArray::own(out))
    }

    /// Phases without jumps of more than half a period, by multiples of the period; None: 2 pi.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(array![0.0, 350.0].into_dyn().unwrap_phase(Some(360.0), 0)?.typed::<f64>()?, array![0.0, -10.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_unwrap)]
    #[track_caller]
    pub fn unwrap_phase(&self, period: Option<f64>, axis: i32) -> Result<DynArray> {
        let value = period.map(period_value);
        let pointer = value.as_ref().map_or(std::ptr::null(), |v| v as *const arr_value);
        let mut out = arr_array::NULL;
        call!(arr_unwrap(self.as_raw(), f64::NAN, axis, pointer, current(), &mut out));
        Ok(DynArray::own(out))
    }
}

/// A whole period leaves integer phases integers.
fn period_value(period: f64) -> arr_value {
    let whole = period as i64;
    if whole as f64 == period {
        weak(whole)
    } else {
        weak(period)
    }
}

/// The gradients along the first axes, one for each.
impl DynArray {
    /// Returns the derivatives along all axes, one array for each, with a spacing of 1.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(array![[1.0, 2.0], [3.0, 4.0]].into_dyn().gradients()?[0].clone().typed::<f64>()?, array![[2.0, 2.0], [2.0, 2.0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_gradient)]
    #[track_caller]
    pub fn gradients(&self) -> Result<Vec<DynArray>> {
        let n = self.ndim();
        let mut out = vec![arr_array::NULL; n];
        let (f, axes, one) = (self.as_raw(), std::ptr::null(), std::ptr::null());
        call!(arr_gradient(f, count(n)?, axes, one, 1, current(), count(n)?, out.as_mut_ptr()));
        Ok(out.into_iter().map(DynArray::own).collect())
    }
}

impl<T: Element> Array<T> {
    /// Returns the derivative along an axis: central differences inside, one-sided ones at the ends. The spacing is a
    /// number or a vector of coordinates.
    #[doc = errors!(arr_gradient)]
    #[track_caller]
    pub fn gradient(&self, along: Gradient, spacing: impl DynOperand) -> Result<Array<T::Mean>> {
        self.as_dyn().gradient(along, spacing)?.typed()
    }

    /// Returns the derivatives along all axes, one array for each, with a spacing of 1.
    #[doc = errors!(arr_gradient)]
    #[track_caller]
    pub fn gradients(&self) -> Result<Vec<Array<T::Mean>>> {
        self.as_dyn().gradients()?.into_iter().map(DynArray::typed).collect()
    }

    /// Phases without jumps of more than half of 2 pi; [`DynArray::unwrap_phase`] takes other periods.
    #[doc = errors!(arr_unwrap)]
    #[track_caller]
    pub fn unwrap_phase(&self, axis: i32) -> Result<Array<T::Mean>> {
        self.as_dyn().unwrap_phase(None, axis)?.typed()
    }
}
