// SPDX-License-Identifier: MIT
//! Iterative solvers of least-squares problems.

use std::fmt;

use arr_sys::{arr_array, arr_lsqr_info, arr_lsqr_options};

use crate::array::Array;
use crate::callback::resumed;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{api, check, Result};
use crate::iterative::{count_or_none, look_of, tolerance, SolveCallback};
use crate::linear_operator::ToOperator;
use crate::ops::example;
use crate::stream::current;

/// Options of [`solve_lsqr`] and [`solve_lsmr`], with SciPy's defaults. `T` is the type of the result.
pub struct LsqrOptions<'a, T> {
    /// |a x - b|^2 + |damp x|^2 is minimized.
    pub damp: f64,
    /// The relative error of a.
    pub atol: f64,
    /// The relative error of b.
    pub btol: f64,
    /// The limit of the condition number; 0: none.
    pub conlim: f64,
    /// The largest number of iterations. None: 2 n in lsqr, the smaller of m and n in lsmr.
    pub maxiter: Option<usize>,
    /// The first x. None: zeros.
    pub x0: Option<&'a Array<T>>,
    /// Called after each iteration, on the thread of the call.
    pub callback: Option<SolveCallback<'a>>,
}

impl<T> Default for LsqrOptions<'_, T> {
    fn default() -> Self {
        LsqrOptions { damp: 0.0, atol: 1e-6, btol: 1e-6, conlim: 1e8, maxiter: None, x0: None, callback: None }
    }
}

impl<T> fmt::Debug for LsqrOptions<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LsqrOptions { damp, atol, btol, conlim, maxiter, .. } = self;
        write!(
            f,
            "LsqrOptions {{ damp: {damp}, atol: {atol}, btol: {btol}, conlim: {conlim}, maxiter: {maxiter:?}, .. }}"
        )
    }
}

impl<T> LsqrOptions<'_, T> {
    fn raw(&mut self) -> arr_lsqr_options {
        let (callback, ctx) = look_of(&mut self.callback);
        arr_lsqr_options {
            struct_size: std::mem::size_of::<arr_lsqr_options>() as i64,
            damp: self.damp,
            atol: tolerance(self.atol),
            btol: tolerance(self.btol),
            conlim: tolerance(self.conlim),
            maxiter: count_or_none(self.maxiter),
            x0: self.x0.map_or(arr_array::NULL, |x| x.as_raw()),
            callback,
            ctx,
        }
    }
}

/// The report of a least-squares solver, by SciPy's names.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LsqrInfo {
    /// The rule that ended the method: 0: x = 0 or x0 is the solution; 1: a x = b within atol and btol; 2: the least-squares
    /// solution within atol; 3: the condition number reached conlim; 4, 5 and 6: as 1, 2 and 3 within what numbers can hold;
    /// 7: maxiter or the callback ended it.
    pub istop: i64,
    /// The number of iterations that were done.
    pub iterations: usize,
    /// The norm of b - a x; of lsmr `r2norm`.
    pub r1norm: f64,
    /// The square root of |b - a x|^2 + |damp x|^2.
    pub r2norm: f64,
    /// An estimate of a's Frobenius norm.
    pub anorm: f64,
    /// An estimate of a's condition number.
    pub acond: f64,
    /// An estimate of the norm of the gradient, of the adjoint times the residual.
    pub arnorm: f64,
    /// The norm of x.
    pub xnorm: f64,
}

impl LsqrInfo {
    fn own(info: arr_lsqr_info) -> LsqrInfo {
        let arr_lsqr_info { istop, iterations, r1norm, r2norm, anorm, acond, arnorm, xnorm, .. } = info;
        let iterations = usize::try_from(iterations).unwrap_or(0);
        LsqrInfo { istop, iterations, r1norm, r2norm, anorm, acond, arnorm, xnorm }
    }
}

/// `solved!(arr_solve_lsqr(a, b, options), var)`: the result, and the report; `var` is the result in between.
macro_rules! solved {
    ($solver:ident($a:ident, $b:ident, $options:ident) $(, $var:expr)?) => {{
        let (api, a, mut options, mut out) = (api()?, $a.to_operator()?, $options, arr_array::NULL);
        let struct_size = std::mem::size_of::<arr_lsqr_info>() as i64;
        let mut info = arr_lsqr_info { struct_size, ..Default::default() };
        let raw = options.raw();
        // SAFETY: rule 2: the handles are live, and all else are locals.
        let status = unsafe { api.$solver(a.as_raw(), $b.as_raw(), &raw, current(), &mut out $(, $var)?, &mut info) };
        resumed(check(api, status).map(|()| (DynArray::own(out), LsqrInfo::own(info))))?
    }};
}

/// Solves a least-squares problem by Golub and Kahan's bidiagonalization. The operator has products with its adjoint.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let a = SparseMatrix::from_dense(&array![[1.0f64, 0.0], [1.0, 0.0], [0.0, 2.0]], SparseFormat::Csr)?;
/// let (x, info) = solve_lsqr(&a, &array![1.0, 3.0, 4.0], LsqrOptions::default())?;
/// assert!((x - array![2.0, 2.0]).absolute().max(..).item()? < 1e-9 && info.istop == 2);
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_solve_lsqr)]
#[doc(alias = "lsqr")]
#[track_caller]
pub fn solve_lsqr<T: Element>(
    a: &impl ToOperator<T>,
    b: &Array<T>,
    options: LsqrOptions<'_, T::Solution>,
) -> Result<(Array<T::Solution>, LsqrInfo)> {
    let (x, info) = solved!(arr_solve_lsqr(a, b, options), std::ptr::null_mut());
    Ok((x.typed()?, info))
}

/// Solves like [`solve_lsqr`]; returns estimates of the diagonal of the inverse of a^H a + damp^2 I too.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let (x, var, _) = solve_lsqr_with_var(&array![[2.0]], &array![6.0], LsqrOptions::default())?;
/// assert_eq!((x, var), (array![3.0], array![0.25]));
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_solve_lsqr)]
#[track_caller]
#[allow(clippy::type_complexity)] // the types of the results are the point
pub fn solve_lsqr_with_var<T: Element>(
    a: &impl ToOperator<T>,
    b: &Array<T>,
    options: LsqrOptions<'_, T::Solution>,
) -> Result<(Array<T::Solution>, Array<<T::Solution as Element>::Real>, LsqrInfo)> {
    let mut var = arr_array::NULL;
    let (x, info) = solved!(arr_solve_lsqr(a, b, options), &mut var);
    Ok((x.typed()?, DynArray::own(var).typed()?, info))
}

/// Solves a least-squares problem as minres would solve its normal equations; otherwise as [`solve_lsqr`].
#[doc = example!("assert_eq!(solve_lsmr(&array![[2.0]], &array![6.0], LsqrOptions::default())?.0, array![3.0]);")]
#[doc = errors!(arr_solve_lsmr)]
#[doc(alias = "lsmr")]
#[track_caller]
pub fn solve_lsmr<T: Element>(
    a: &impl ToOperator<T>,
    b: &Array<T>,
    options: LsqrOptions<'_, T::Solution>,
) -> Result<(Array<T::Solution>, LsqrInfo)> {
    let (x, info) = solved!(arr_solve_lsmr(a, b, options));
    Ok((x.typed()?, info))
}
