// SPDX-License-Identifier: MIT
//! Polynomials as vectors of coefficients; Vandermonde matrices.

use arr_sys::arr_array;

use crate::dynarray::DynArray;
use crate::error::{call, Result};
use crate::ops::example;
use crate::shape::count;
use crate::stream::current;

/// The result of [`DynArray::polyfit_full`].
#[derive(Debug)]
pub struct PolynomialFit {
    /// From the highest power on, of several columns of y in columns.
    pub coefficients: DynArray,
    /// The sum of squared residuals of each column.
    pub residuals: DynArray,
    /// The rank of the powers, each scaled to length 1; an array of `i64`.
    pub rank: DynArray,
    /// Their singular values.
    pub s: DynArray,
    /// Singular values up to this times the largest counted as 0.
    pub rcond: f64,
}

impl DynArray {
    /// Fits like [`DynArray::polyfit`], and returns the diagnostics of the least-squares solution too.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (x, y) = (array![0.0, 1.0, 2.0].into_dyn(), array![1.0, 3.0, 5.0].into_dyn());
    /// assert_eq!(x.polyfit_full(&y, 1, None, None)?.rank.item_i64(&[])?, 2);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_polyfit_full)]
    #[track_caller]
    pub fn polyfit_full(
        &self,
        y: &DynArray,
        degree: i64,
        rcond: Option<f64>,
        weights: Option<&DynArray>,
    ) -> Result<PolynomialFit> {
        let (x, y, limit, null) = (self.as_raw(), y.as_raw(), rcond.unwrap_or(-1.0), arr_array::NULL);
        let weights = weights.map_or(null, DynArray::as_raw);
        let (mut c, mut r, mut rank, mut s, mut rcond) = (null, null, null, null, 0.0);
        call!(arr_polyfit_full(x, y, degree, limit, weights, current(), &mut c, &mut r, &mut rank, &mut s, &mut rcond));
        let [coefficients, residuals, rank, s] = [c, r, rank, s].map(DynArray::own);
        Ok(PolynomialFit { coefficients, residuals, rank, s, rcond })
    }
}

/// Vectors of coefficients in one floating type; with `trim` without their trailing zeros.
#[doc = example!("assert_eq!(as_series(&[&array![1.0, 0.0]], true)?[0].shape(), [1]);")]
#[doc = errors!(arr_as_series)]
#[track_caller]
pub fn as_series(vectors: &[&DynArray], trim: bool) -> Result<Vec<DynArray>> {
    let handles: Vec<arr_array> = vectors.iter().map(|a| a.as_raw()).collect();
    let n = count(handles.len())?;
    let mut out = vec![arr_array::NULL; handles.len()];
    call!(arr_as_series(n, handles.as_ptr(), trim, current(), n, out.as_mut_ptr()));
    Ok(out.into_iter().map(DynArray::own).collect())
}
