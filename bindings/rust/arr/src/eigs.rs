// SPDX-License-Identifier: MIT
//! A few eigenvalues of any linear operator, norms and exponentials of operators.

use arr_sys::{arr_array, arr_expm_options};

use crate::array::Array;
use crate::callback::resumed;
use crate::dynarray::DynArray;
use crate::eigsh::EigshOptions;
use crate::element::Element;
use crate::error::{api, check, Result};
use crate::iterative::limit;
use crate::linear_operator::ToOperator;
use crate::numbers::c64;
use crate::stream::current;

/// The eigenvalues to compute of an operator that is not Hermitian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum GeneralEigenvalues {
    /// The largest magnitudes.
    #[default]
    LargestMagnitude = arr_sys::ARR_EIGEN_LM,
    /// The smallest magnitudes.
    SmallestMagnitude = arr_sys::ARR_EIGEN_SM,
    /// The largest real parts.
    LargestReal = arr_sys::ARR_EIGEN_LR,
    /// The smallest real parts.
    SmallestReal = arr_sys::ARR_EIGEN_SR,
    /// The largest imaginary parts; of a real operator, their largest magnitudes.
    LargestImaginary = arr_sys::ARR_EIGEN_LI,
    /// The smallest imaginary parts; of a real operator, their smallest magnitudes.
    SmallestImaginary = arr_sys::ARR_EIGEN_SI,
}

/// Complex numbers of the precision of solutions with elements of type `T`.
type Complex<T> = <<T as Element>::Solution as Element>::Complex;

/// Computes k eigenvalues of any square operator, the most wanted one first, and unit eigenvectors in columns, by Arnoldi's
/// method with implicit restarts. `ncv` of the options is more than k + 1, or n.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let turn = array![[0.0f64, -2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
/// let (w, v) = eigs(&turn, 2, GeneralEigenvalues::LargestMagnitude, EigshOptions::default())?;
/// assert!((w - array![c64::new(0.0, 2.0), c64::new(0.0, -2.0)]).absolute().max(..).item()? < 1e-12);
/// assert_eq!(v.shape(), [3, 2]);
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_eigs)]
#[track_caller]
#[allow(clippy::type_complexity)] // the types of the results are the point
pub fn eigs<T: Element>(
    a: &impl ToOperator<T>,
    k: usize,
    which: GeneralEigenvalues,
    options: EigshOptions<'_, T::Solution>,
) -> Result<(Array<Complex<T>>, Array<Complex<T>>)> {
    let (api, a, raw) = (api()?, a.to_operator()?, options.raw());
    let (mut w, mut v, which) = (arr_array::NULL, arr_array::NULL, which as i32);
    // SAFETY: rule 2: the handles are live, and all else are locals.
    let status = unsafe { api.arr_eigs(a.as_raw(), limit(Some(k)), which, &raw, current(), &mut w, &mut v) };
    resumed(check(api, status))?;
    Ok((DynArray::own(w).typed()?, DynArray::own(v).typed()?))
}

/// Computes eigenvalues like [`eigs`], without the eigenvectors.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let w = eigs_values(&array![[2.0f64, 1.0], [0.0, 3.0]], 1, GeneralEigenvalues::SmallestReal, EigshOptions::default())?;
/// assert!((w.at(0)?.re - 2.0).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_eigs)]
#[track_caller]
pub fn eigs_values<T: Element>(
    a: &impl ToOperator<T>,
    k: usize,
    which: GeneralEigenvalues,
    options: EigshOptions<'_, T::Solution>,
) -> Result<Array<Complex<T>>> {
    let (api, a, raw) = (api()?, a.to_operator()?, options.raw());
    let (mut w, null, which) = (arr_array::NULL, std::ptr::null_mut(), which as i32);
    // SAFETY: rule 2: the handles are live, and all else are locals.
    let status = unsafe { api.arr_eigs(a.as_raw(), limit(Some(k)), which, &raw, current(), &mut w, null) };
    resumed(check(api, status))?;
    DynArray::own(w).typed()
}

/// Computes an estimate of the 1-norm of an operator that has an adjoint, the largest sum of the magnitudes of a column. It is
/// not above the norm, and mostly equal to it. Products have `t` vectors at a time; SciPy's defaults are 2 and 5.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// assert_eq!(onenormest(&array![[1.0f64, -2.0], [3.0, 4.0]], 2, 5)?, 6.0);
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_onenormest)]
#[track_caller]
pub fn onenormest<T: Element>(a: &impl ToOperator<T>, t: usize, itmax: usize) -> Result<f64> {
    let (api, a, t, itmax) = (api()?, a.to_operator()?, limit(Some(t)), limit(Some(itmax)));
    let (mut est, null) = (0.0, std::ptr::null_mut());
    // SAFETY: rule 2: the handle is live, and all else are locals.
    let status = unsafe { api.arr_onenormest(a.as_raw(), t, itmax, current(), &mut est, null, null) };
    resumed(check(api, status))?;
    Ok(est)
}

/// Options of [`expm_multiply`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpmOptions {
    /// The first point in time.
    pub start: f64,
    /// The last point in time.
    pub stop: f64,
    /// The number of points in time, 2 or more, along a first dimension of the result. None: the time 1 alone.
    pub num: Option<usize>,
    /// The last point is `stop`; else `stop` comes after it.
    pub endpoint: bool,
    /// The trace of the operator, about: it makes the product cheaper. None: that of a matrix, 0 of others.
    pub trace: Option<c64>,
}

impl Default for ExpmOptions {
    fn default() -> Self {
        ExpmOptions { start: 0.0, stop: 1.0, num: None, endpoint: true, trace: None }
    }
}

/// Computes exp(a) b, or exp(t a) b at several times t, without the exponential. An operator that is not a matrix has an
/// adjoint.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let x = expm_multiply(&array![[0.0f64, 1.0], [0.0, 0.0]], &array![1.0, 2.0], ExpmOptions::default())?;
/// assert!((x - array![3.0, 2.0]).absolute().max(..).item()? < 1e-12);
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_expm_multiply)]
#[track_caller]
pub fn expm_multiply<T: Element>(
    a: &impl ToOperator<T>,
    b: &Array<T::Solution>,
    options: ExpmOptions,
) -> Result<Array<T::Solution>> {
    let (api, a, trace) = (api()?, a.to_operator()?, options.trace);
    let (re, im) = trace.map_or((0.0, 0.0), |z| (z.re, z.im));
    let at = |x: &f64| if trace.is_some() { std::ptr::from_ref(x) } else { std::ptr::null() };
    let raw = arr_expm_options {
        struct_size: std::mem::size_of::<arr_expm_options>() as i64,
        num: limit(options.num),
        start: options.start,
        stop: options.stop,
        exclude_stop: i64::from(!options.endpoint),
        trace_re: at(&re),
        trace_im: at(&im),
    };
    let mut out = arr_array::NULL;
    // SAFETY: rule 2: the handles are live, and all else are locals, which outlive the call.
    let status = unsafe { api.arr_expm_multiply(a.as_raw(), b.as_raw(), &raw, current(), &mut out) };
    resumed(check(api, status))?;
    DynArray::own(out).typed()
}
