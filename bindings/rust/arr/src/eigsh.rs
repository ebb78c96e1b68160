// SPDX-License-Identifier: MIT
//! A few eigenvalues or singular values of linear operators.

use arr_sys::{arr_array, arr_eigsh_options, arr_linop, arr_lobpcg_options};

use crate::array::Array;
use crate::callback::resumed;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{api, check, Result};
use crate::iterative::limit;
use crate::linear_operator::{LinearOperator, ToOperator};
use crate::stream::current;

/// The eigenvalues to compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Eigenvalues {
    /// The largest magnitudes.
    #[default]
    LargestMagnitude = arr_sys::ARR_EIGEN_LM,
    /// The smallest magnitudes.
    SmallestMagnitude = arr_sys::ARR_EIGEN_SM,
    /// The largest.
    Largest = arr_sys::ARR_EIGEN_LA,
    /// The smallest.
    Smallest = arr_sys::ARR_EIGEN_SA,
    /// Half of them the smallest, the others the largest.
    BothEnds = arr_sys::ARR_EIGEN_BE,
}

/// Options of [`eigsh`], [`eigs`](crate::eigs) and [`svds`]. `T` is the type of the vectors.
#[derive(Clone, Copy, Debug)]
pub struct EigshOptions<'a, T> {
    /// The number of vectors of the basis, more than k. None: the larger of 2 k + 1 and 20, at most n.
    pub ncv: Option<usize>,
    /// The number of restarts. None: 10 n.
    pub maxiter: Option<usize>,
    /// The relative error of the values; 0: that of the type.
    pub tol: f64,
    /// The first vector. None: random numbers, the same in each call.
    pub v0: Option<&'a Array<T>>,
}

impl<T> Default for EigshOptions<'_, T> {
    fn default() -> Self {
        EigshOptions { ncv: None, maxiter: None, tol: 0.0, v0: None }
    }
}

impl<T> EigshOptions<'_, T> {
    pub(crate) fn raw(&self) -> arr_eigsh_options {
        arr_eigsh_options {
            struct_size: std::mem::size_of::<arr_eigsh_options>() as i64,
            ncv: limit(self.ncv),
            maxiter: limit(self.maxiter),
            tol: self.tol,
            v0: self.v0.map_or(arr_array::NULL, |v| v.as_raw()),
        }
    }
}

/// Computes k eigenvalues of a Hermitian operator, in ascending order, and orthonormal eigenvectors in columns, by the Lanczos
/// method with thick restarts.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let a = SparseMatrix::diags((50, 50), &[(0, &Array::arange(1, 51, 1)?.cast::<f64>()?)])?;
/// let (w, v) = eigsh(&a, 2, Eigenvalues::Largest, EigshOptions::default())?;
/// assert!((w - array![49.0, 50.0]).absolute().max(..).item()? < 1e-9);
/// assert_eq!(v.shape(), [50, 2]);
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_eigsh)]
#[track_caller]
#[allow(clippy::type_complexity)] // the types of the results are the point
pub fn eigsh<T: Element>(
    a: &impl ToOperator<T>,
    k: usize,
    which: Eigenvalues,
    options: EigshOptions<'_, T::Solution>,
) -> Result<(Array<<T::Solution as Element>::Real>, Array<T::Solution>)> {
    let (api, a, raw) = (api()?, a.to_operator()?, options.raw());
    let (mut w, mut v, which) = (arr_array::NULL, arr_array::NULL, which as i32);
    // SAFETY: rule 2: the handles are live, and all else are locals.
    let status = unsafe { api.arr_eigsh(a.as_raw(), limit(Some(k)), which, &raw, current(), &mut w, &mut v) };
    resumed(check(api, status))?;
    Ok((DynArray::own(w).typed()?, DynArray::own(v).typed()?))
}

/// Computes eigenvalues like [`eigsh`], without the eigenvectors.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let w = eigsh_values(&array![[2.0f64, 1.0], [1.0, 2.0]], 1, Eigenvalues::Smallest, EigshOptions::default())?;
/// assert!((w.at(0)? - 1.0).abs() < 1e-9);
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_eigsh)]
#[track_caller]
pub fn eigsh_values<T: Element>(
    a: &impl ToOperator<T>,
    k: usize,
    which: Eigenvalues,
    options: EigshOptions<'_, T::Solution>,
) -> Result<Array<<T::Solution as Element>::Real>> {
    let (api, a, raw) = (api()?, a.to_operator()?, options.raw());
    let (mut w, null, which) = (arr_array::NULL, std::ptr::null_mut(), which as i32);
    // SAFETY: rule 2: the handles are live, and all else are locals.
    let status = unsafe { api.arr_eigsh(a.as_raw(), limit(Some(k)), which, &raw, current(), &mut w, null) };
    resumed(check(api, status))?;
    DynArray::own(w).typed()
}

/// Computes k singular values of an operator, in ascending order, between the left vectors in columns and the conjugated right
/// vectors in rows; `largest`: the largest ones, else the smallest. The operator has products with its adjoint.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let (u, s, vh) = svds(&array![[3.0f64, 0.0], [0.0, -4.0], [0.0, 0.0]], 1, true, EigshOptions::default())?;
/// assert!((s.at(0)? - 4.0).abs() < 1e-9);
/// assert_eq!((u.shape(), vh.shape()), (&[3, 1][..], &[1, 2][..]));
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_svds)]
#[track_caller]
#[allow(clippy::type_complexity)] // the types of the results are the point
pub fn svds<T: Element>(
    a: &impl ToOperator<T>,
    k: usize,
    largest: bool,
    options: EigshOptions<'_, T::Solution>,
) -> Result<(Array<T::Solution>, Array<<T::Solution as Element>::Real>, Array<T::Solution>)> {
    let (api, a, k, which, raw) = (api()?, a.to_operator()?, limit(Some(k)), end(largest), options.raw());
    let (mut u, mut s, mut vh) = (arr_array::NULL, arr_array::NULL, arr_array::NULL);
    // SAFETY: rule 2: the handles are live, and all else are locals.
    let status = unsafe { api.arr_svds(a.as_raw(), k, which, &raw, current(), &mut u, &mut s, &mut vh) };
    resumed(check(api, status))?;
    Ok((DynArray::own(u).typed()?, DynArray::own(s).typed()?, DynArray::own(vh).typed()?))
}

/// Computes singular values like [`svds`], without the vectors.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let s = svds_values(&array![[3.0f64, 0.0], [0.0, -4.0], [0.0, 0.0]], 1, false, EigshOptions::default())?;
/// assert!((s.at(0)? - 3.0).abs() < 1e-9);
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_svds)]
#[track_caller]
pub fn svds_values<T: Element>(
    a: &impl ToOperator<T>,
    k: usize,
    largest: bool,
    options: EigshOptions<'_, T::Solution>,
) -> Result<Array<<T::Solution as Element>::Real>> {
    let (api, a, k, which, raw) = (api()?, a.to_operator()?, limit(Some(k)), end(largest), options.raw());
    let (mut s, null) = (arr_array::NULL, std::ptr::null_mut());
    // SAFETY: rule 2: the handles are live, and all else are locals.
    let status = unsafe { api.arr_svds(a.as_raw(), k, which, &raw, current(), null, &mut s, null) };
    resumed(check(api, status))?;
    DynArray::own(s).typed()
}

fn end(largest: bool) -> i32 {
    if largest {
        arr_sys::ARR_EIGEN_LM
    } else {
        arr_sys::ARR_EIGEN_SM
    }
}

/// Options of [`lobpcg`], with SciPy's defaults. `T` is the type of the vectors.
#[derive(Clone, Copy, Debug)]
pub struct LobpcgOptions<'a, T> {
    /// Hermitian and positive definite, for a x = w b x. None: the identity.
    pub b: Option<&'a LinearOperator<T>>,
    /// A preconditioner, an approximate inverse of a.
    pub m: Option<&'a LinearOperator<T>>,
    /// The largest eigenvalues, else the smallest.
    pub largest: bool,
    /// The norm of a residual; 0: sqrt(1e-15) n.
    pub tol: f64,
    /// The largest number of iterations. None: 20.
    pub maxiter: Option<usize>,
}

impl<T> Default for LobpcgOptions<'_, T> {
    fn default() -> Self {
        LobpcgOptions { b: None, m: None, largest: true, tol: 0.0, maxiter: None }
    }
}

/// Computes the extreme eigenvalues of a Hermitian operator from approximate eigenvectors, the columns of `x`, by the locally
/// optimal block method of conjugate gradients. Returns the eigenvalues, the outermost first, the eigenvectors in columns, and
/// the number of iterations; after `maxiter` of them the vectors may be less exact than `tol`.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let a = SparseMatrix::diags((50, 50), &[(0, &Array::arange(1, 51, 1)?.cast::<f64>()?)])?;
/// let x = Array::from_shape_fn((50, 1), |at| at[0] as f64)?;
/// let (w, _, _) = lobpcg(&a, &x, LobpcgOptions { tol: 1e-8, maxiter: Some(100), ..Default::default() })?;
/// assert!((w.at(0)? - 50.0).abs() < 1e-9);
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_lobpcg)]
#[track_caller]
#[allow(clippy::type_complexity)] // the types of the results are the point
pub fn lobpcg<T: Element>(
    a: &impl ToOperator<T>,
    x: &Array<T::Solution>,
    options: LobpcgOptions<'_, T::Solution>,
) -> Result<(Array<<T::Solution as Element>::Real>, Array<T::Solution>, usize)> {
    let (api, a) = (api()?, a.to_operator()?);
    let raw = arr_lobpcg_options {
        struct_size: std::mem::size_of::<arr_lobpcg_options>() as i64,
        b: options.b.map_or(arr_linop::NULL, LinearOperator::as_raw),
        m: options.m.map_or(arr_linop::NULL, LinearOperator::as_raw),
        smallest: i64::from(!options.largest),
        tol: options.tol,
        maxiter: limit(options.maxiter),
    };
    let (mut w, mut v, mut iterations) = (arr_array::NULL, arr_array::NULL, 0);
    // SAFETY: rule 2: the handles are live, and all else are locals.
    let status = unsafe { api.arr_lobpcg(a.as_raw(), x.as_raw(), &raw, current(), &mut w, &mut v, &mut iterations) };
    resumed(check(api, status))?;
    Ok((DynArray::own(w).typed()?, DynArray::own(v).typed()?, usize::try_from(iterations).unwrap_or(0)))
}
