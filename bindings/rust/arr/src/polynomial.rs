// SPDX-License-Identifier: MIT
//! Polynomials as vectors of coefficients; Vandermonde matrices.

use arr_sys::arr_array;

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{Element, Number, Ordered};
use crate::error::{call, Result};
use crate::functions::functions;
use crate::shape::{count, dims};
use crate::stream::current;

functions! {
    [T: Number];
    /// The sum of two polynomials with coefficients from the highest power on.
    polyadd(b;) = arr_polyadd() -> T;
    /// Their difference.
    polysub(b;) = arr_polysub() -> T;
    /// Their product.
    polymul(b;) = arr_polymul() -> T;
    /// The polynomial times itself, n times; of 0 the result is 1.
    polypow(; n: i64) = arr_polypow(n) -> T;
    /// The values at x of a polynomial with coefficients from the highest power on. Several polynomials lie along the
    /// other axes, which broadcast with x.
    polyval(x;) = arr_polyval() -> T;
    /// The values at these places of polynomials with coefficients, along the first axis, from the lowest power on.
    /// `tensor`: of each polynomial at each place, else they broadcast.
    polynomial_val(c; tensor: bool) = arr_polynomial_val(i32::from(tensor)) -> T::Quotient;
    /// The values at these places of polynomials by their roots, along the first axis: products of (x - root).
    polyvalfromroots(roots; tensor: bool) = arr_polyvalfromroots(i32::from(tensor)) -> T::Quotient;
}
functions! {
    [T: Element];
    /// The powers 0 to `degree` along a new last axis.
    polyvander(; degree: i64) = arr_polyvander(degree) -> T::Quotient;
    /// The companion matrix of a polynomial with coefficients from the lowest power on: its eigenvalues are the roots.
    polycompanion(;) = arr_polycompanion() -> T::Quotient;
    /// Coefficients without trailing ones of a magnitude of at most `tol`. Where nothing else is left, one 0.
    trimcoef(; tol: f64) = arr_trimcoef(tol) -> T::Quotient;
}
functions! {
    [T: Ordered];
    /// The coefficients, from the highest power on, of the polynomial with these roots and a leading 1. Complex roots
    /// that are conjugates of each other give real ones.
    poly(;) = arr_poly() -> T::Quotient;
}

type Pair<A> = Result<(A, A)>;

/// What [`DynArray::polyfit_full`] gives.
#[derive(Debug)]
pub struct PolynomialFit {
    /// From the highest power on, of several columns of y in columns.
    pub coefficients: DynArray,
    /// The sum of squared residuals of each column.
    pub residuals: DynArray,
    /// Of the powers, each scaled to length 1; of `i64`.
    pub rank: DynArray,
    /// Their singular values.
    pub s: DynArray,
    /// Singular values up to this times the largest counted as 0.
    pub rcond: f64,
}

impl DynArray {
    /// The roots of a polynomial with coefficients from the highest power on, in no order: `c32` for coefficients of 32
    /// bits, else `c64`.
    #[track_caller]
    pub fn roots(&self) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_roots(self.as_raw(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The polynomial of least squares, from the highest power on, through points at these places; of several columns of
    /// y one for each. Singular values up to `rcond` times the largest count as 0, without it up to the epsilon times the
    /// number of points. The weights are what the residuals are multiplied by.
    #[track_caller]
    pub fn polyfit(
        &self,
        y: &DynArray,
        degree: i64,
        rcond: Option<f64>,
        weights: Option<&DynArray>,
    ) -> Result<DynArray> {
        let (x, y, rcond) = (self.as_raw(), y.as_raw(), rcond.unwrap_or(-1.0));
        let weights = weights.map_or(arr_array::NULL, DynArray::as_raw);
        let mut out = arr_array::NULL;
        call!(arr_polyfit(x, y, degree, rcond, weights, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// [`DynArray::polyfit`] with all that the least squares give.
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

    /// [`DynArray::polyfit`] and the covariance of the coefficients: with `scaled` from the residuals, of which there are
    /// more than coefficients; without for weights that are 1 over the standard deviations.
    #[track_caller]
    pub fn polyfit_cov(
        &self,
        y: &DynArray,
        degree: i64,
        rcond: Option<f64>,
        weights: Option<&DynArray>,
        scaled: bool,
    ) -> Result<(DynArray, DynArray)> {
        let (x, y, limit, null) = (self.as_raw(), y.as_raw(), rcond.unwrap_or(-1.0), arr_array::NULL);
        let (weights, scaled) = (weights.map_or(null, DynArray::as_raw), i32::from(scaled));
        let (mut c, mut v) = (null, null);
        call!(arr_polyfit_cov(x, y, degree, limit, weights, scaled, current(), &mut c, &mut v));
        Ok((DynArray::own(c), DynArray::own(v)))
    }

    /// The m-th derivative of a polynomial with coefficients from the highest power on. The type is this one's with `i64`.
    #[track_caller]
    pub fn polyder(&self, m: i64) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_polyder(self.as_raw(), m, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The m-th integral of a polynomial with coefficients from the highest power on: `f64` or `c64`. The constants are
    /// one for all or m, the first integration's first; without them 0.
    #[track_caller]
    pub fn polyint(&self, m: i64, constants: Option<&DynArray>) -> Result<DynArray> {
        let k = constants.map_or(arr_array::NULL, DynArray::as_raw);
        let mut out = arr_array::NULL;
        call!(arr_polyint(self.as_raw(), m, k, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The quotient and the remainder of polynomials with coefficients from the highest power on.
    #[track_caller]
    pub fn polydiv(&self, v: &DynArray) -> Result<(DynArray, DynArray)> {
        let (mut quotient, mut remainder) = (arr_array::NULL, arr_array::NULL);
        call!(arr_polydiv(self.as_raw(), v.as_raw(), current(), &mut quotient, &mut remainder));
        Ok((DynArray::own(quotient), DynArray::own(remainder)))
    }

    /// The vector without its leading zeros, of which one stays where there is nothing else; it shares memory.
    #[track_caller]
    pub fn polytrim(&self) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_polytrim(self.as_raw(), current(), &mut out));
        Ok(self.sharing(out))
    }

    /// The degree of a polynomial with coefficients from the highest power on; 0 of zeros only.
    #[track_caller]
    pub fn polydegree(&self) -> Result<i64> {
        let mut degree = 0;
        call!(arr_polydegree(self.as_raw(), current(), &mut degree));
        Ok(degree)
    }

    /// The vector without its trailing zeros, of which one stays where there is nothing else; it shares memory.
    #[track_caller]
    pub fn trimseq(&self) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_trimseq(self.as_raw(), current(), &mut out));
        Ok(self.sharing(out))
    }

    /// The Vandermonde matrix: the powers 0 to `columns` - 1, without `columns` as many as there are elements, of each
    /// element in a row, the highest first unless `increasing`. The type is this one's with `i64`.
    #[track_caller]
    pub fn vander(&self, columns: Option<usize>, increasing: bool) -> Result<DynArray> {
        let columns = columns.map_or(Ok(-1), |n| Ok(dims(&[n])?[0]))?;
        let mut out = arr_array::NULL;
        call!(arr_vander(self.as_raw(), columns, i32::from(increasing), current(), &mut out));
        Ok(DynArray::own(out))
    }
}

impl<T: Element> Array<T> {
    /// [`DynArray::polyfit`] of one type.
    #[track_caller]
    pub fn polyfit(
        &self,
        y: &Array<T>,
        degree: i64,
        rcond: Option<f64>,
        weights: Option<&Array<T>>,
    ) -> Result<Array<T::Wide>> {
        self.as_dyn().polyfit(y.as_dyn(), degree, rcond, weights.map(Array::as_dyn))?.typed()
    }

    /// [`DynArray::polydiv`] of one type.
    #[track_caller]
    pub fn polydiv(&self, v: &Array<T>) -> Pair<Array<T::Quotient>> {
        let (quotient, remainder) = self.as_dyn().polydiv(v.as_dyn())?;
        Ok((quotient.typed()?, remainder.typed()?))
    }

    /// The vector without its leading zeros, of which one stays where there is nothing else; it shares memory.
    #[track_caller]
    pub fn polytrim(&self) -> Result<Array<T>> {
        self.as_dyn().polytrim()?.typed()
    }

    /// The vector without its trailing zeros, of which one stays where there is nothing else; it shares memory.
    #[track_caller]
    pub fn trimseq(&self) -> Result<Array<T>> {
        self.as_dyn().trimseq()?.typed()
    }
}

/// Vectors of coefficients in one floating type; with `trim` without their trailing zeros.
#[track_caller]
pub fn as_series(vectors: &[&DynArray], trim: bool) -> Result<Vec<DynArray>> {
    let handles: Vec<arr_array> = vectors.iter().map(|a| a.as_raw()).collect();
    let (n, trim) = (count(handles.len())?, i32::from(trim));
    let mut out = vec![arr_array::NULL; handles.len()];
    call!(arr_as_series(n, handles.as_ptr(), trim, current(), n, out.as_mut_ptr()));
    Ok(out.into_iter().map(DynArray::own).collect())
}
