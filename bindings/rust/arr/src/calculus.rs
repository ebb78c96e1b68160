// SPDX-License-Identifier: MIT
//! Differences, gradients and integrals along axes, convolution, and products of vectors.

use arr_sys::{arr_array, arr_value};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{weak, Element, Number};
use crate::error::{call, Result};
use crate::operand::DynOperand;
use crate::shape::count;
use crate::stream::current;

/// Which part of a convolution is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convolve {
    /// Every overlap.
    Full,
    /// The middle of these, as long as the longer operand.
    Same,
    /// Where the shorter operand lies within the longer.
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
    /// Along an axis, negative from the end.
    pub fn along(axis: i32) -> Gradient {
        Gradient { axis, edge_order: 1 }
    }

    /// The order of the differences at the ends, 1 or 2.
    pub fn edge_order(self, order: i32) -> Gradient {
        Gradient { edge_order: order, ..self }
    }
}

/// NULL stands for an array that is not given.
fn optional(a: Option<&DynArray>) -> arr_array {
    a.map_or(arr_array::NULL, DynArray::as_raw)
}

/// Differences, gradients and integrals.
impl DynArray {
    /// Differences of neighbours along an axis, taken n times.
    #[track_caller]
    pub fn diff(&self, n: i32, axis: i32) -> Result<DynArray> {
        self.diff_with(n, axis, None, None)
    }

    /// [`DynArray::diff`] with what is put in front and behind first.
    #[track_caller]
    pub fn diff_with(
        &self,
        n: i32,
        axis: i32,
        prepend: Option<&DynArray>,
        append: Option<&DynArray>,
    ) -> Result<DynArray> {
        let (a, front, back) = (self.as_raw(), optional(prepend), optional(append));
        let mut out = arr_array::NULL;
        call!(arr_diff(a, n, axis, front, back, current(), &mut out));
        // No difference taken: the library gives a view.
        Ok(if n == 0 { self.sharing(out) } else { DynArray::own(out) })
    }

    /// Differences of neighbours of all elements in row-major order.
    #[track_caller]
    pub fn ediff1d(&self) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_ediff1d(self.as_raw(), arr_array::NULL, arr_array::NULL, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The derivative along an axis: central differences inside, one-sided ones at the ends. The spacing is a number
    /// or a vector of coordinates.
    #[track_caller]
    pub fn gradient(&self, along: Gradient, spacing: impl DynOperand) -> Result<DynArray> {
        let (axis, value) = (along.axis, spacing.dyn_value());
        let mut out = arr_array::NULL;
        call!(arr_gradient(self.as_raw(), 1, &axis, &value, along.edge_order, current(), 1, &mut out));
        Ok(DynArray::own(out))
    }

    /// The integral along an axis by the trapezoidal rule, of values at a distance `dx`.
    #[track_caller]
    pub fn trapezoid(&self, dx: f64, axis: i32) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_trapezoid(self.as_raw(), arr_array::NULL, dx, axis, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// [`DynArray::trapezoid`] over coordinates: a vector, or an array of this one's shape.
    #[track_caller]
    pub fn trapezoid_over(&self, x: &DynArray, axis: i32) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_trapezoid(self.as_raw(), x.as_raw(), 1.0, axis, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The running integral by the trapezoidal rule, of values at a distance `dx`; with `include_initial` a 0 in front.
    #[track_caller]
    pub fn cumulative_trapezoid(&self, dx: f64, axis: i32, include_initial: bool) -> Result<DynArray> {
        let (y, initial) = (self.as_raw(), i32::from(include_initial));
        let mut out = arr_array::NULL;
        call!(arr_cumulative_trapezoid(y, arr_array::NULL, dx, axis, initial, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Phases without jumps of more than half a period, by multiples of the period; None: 2 pi.
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

/// Convolution, and products of vectors.
impl DynArray {
    /// The convolution of two vectors.
    #[track_caller]
    pub fn convolve(&self, v: &DynArray, mode: Convolve) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_convolve(self.as_raw(), v.as_raw(), mode.code(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The correlation of two vectors, sums of `a[j + k] * conj(v[j])`.
    #[track_caller]
    pub fn correlate(&self, v: &DynArray, mode: Convolve) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_correlate(self.as_raw(), v.as_raw(), mode.code(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Vector products of the vectors along an axis of both; the results lie along it.
    #[track_caller]
    pub fn cross(&self, other: &DynArray, axis: i32) -> Result<DynArray> {
        let (a, b) = (self.as_raw(), other.as_raw());
        let mut out = arr_array::NULL;
        call!(arr_cross(a, b, axis, axis, axis, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Sums of `conj(a) * b` along an axis of both, in one pass.
    #[track_caller]
    pub fn vecdot(&self, other: &DynArray, axis: i32) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_vecdot(self.as_raw(), other.as_raw(), axis, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Matrices times vectors: (..., m, n) and (..., n).
    #[track_caller]
    pub fn matvec(&self, vectors: &DynArray) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_matvec(self.as_raw(), vectors.as_raw(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Vectors, conjugated, times matrices: (..., n) and (..., n, m).
    #[track_caller]
    pub fn vecmat(&self, matrices: &DynArray) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_vecmat(self.as_raw(), matrices.as_raw(), current(), &mut out));
        Ok(DynArray::own(out))
    }
}

/// The gradients along the first axes, one for each.
impl DynArray {
    /// The derivatives along all axes, one array for each, with a distance of 1.
    #[track_caller]
    pub fn gradients(&self) -> Result<Vec<DynArray>> {
        let n = self.ndim()?;
        let mut out = vec![arr_array::NULL; n];
        let (f, axes, one) = (self.as_raw(), std::ptr::null(), std::ptr::null());
        call!(arr_gradient(f, count(n)?, axes, one, 1, current(), count(n)?, out.as_mut_ptr()));
        Ok(out.into_iter().map(DynArray::own).collect())
    }
}

/// Methods of [`DynArray`] with the types that they give; the library's answer is checked to have it.
macro_rules! typed {
    ([$($bound:tt)*]; $($(#[$doc:meta])* $name:ident($($x:ident: $type:ty),*; $($other:ident),*) -> $result:ty;)*) => {
        impl<$($bound)*> Array<T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self $(, $other: &Array<T>)* $(, $x: $type)*) -> Result<Array<$result>> {
                self.as_dyn().$name($($other.as_dyn(),)* $($x),*)?.typed()
            }
        )*}
    };
}
typed! {
    [T: Element];
    /// Differences of neighbours along an axis, taken n times; of bool: whether they differ.
    diff(n: i32, axis: i32;) -> T;
    /// Differences of neighbours of all elements in row-major order.
    ediff1d(;) -> T;
    /// The integral along an axis by the trapezoidal rule, of values at a distance `dx`.
    trapezoid(dx: f64, axis: i32;) -> T::Mean;
    /// The running integral by the trapezoidal rule; with `include_initial` a 0 in front.
    cumulative_trapezoid(dx: f64, axis: i32, include_initial: bool;) -> T::Mean;
    /// Sums of `conj(a) * b` along an axis of both, in one pass.
    vecdot(axis: i32; other) -> T;
}
typed! {
    [T: Number];
    /// The convolution of two vectors.
    convolve(mode: Convolve; v) -> T;
    /// The correlation of two vectors, sums of `a[j + k] * conj(v[j])`.
    correlate(mode: Convolve; v) -> T;
    /// Vector products of the vectors along an axis of both; the results lie along it.
    cross(axis: i32; other) -> T;
    /// Matrices times vectors: (..., m, n) and (..., n).
    matvec(; vectors) -> T;
    /// Vectors, conjugated, times matrices: (..., n) and (..., n, m).
    vecmat(; matrices) -> T;
}

impl<T: Element> Array<T> {
    /// The derivative along an axis; the spacing is a number or a vector of coordinates.
    #[track_caller]
    pub fn gradient(&self, along: Gradient, spacing: impl DynOperand) -> Result<Array<T::Mean>> {
        self.as_dyn().gradient(along, spacing)?.typed()
    }

    /// The derivatives along all axes, one array for each, with a distance of 1.
    #[track_caller]
    pub fn gradients(&self) -> Result<Vec<Array<T::Mean>>> {
        self.as_dyn().gradients()?.into_iter().map(DynArray::typed).collect()
    }

    /// The integral over coordinates: a vector, or an array of this one's shape.
    #[track_caller]
    pub fn trapezoid_over(&self, x: &Array<T>, axis: i32) -> Result<Array<T::Mean>> {
        self.as_dyn().trapezoid_over(x.as_dyn(), axis)?.typed()
    }

    /// Phases without jumps of more than half of 2 pi; [`DynArray::unwrap_phase`] takes other periods.
    #[track_caller]
    pub fn unwrap_phase(&self, axis: i32) -> Result<Array<T::Mean>> {
        self.as_dyn().unwrap_phase(None, axis)?.typed()
    }
}
