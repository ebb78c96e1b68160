// SPDX-License-Identifier: MIT
//! Iterative solvers of linear equations.

use std::ffi::c_void;
use std::fmt;
use std::ops::ControlFlow;

use arr_sys::{arr_array, arr_linop, arr_solve_info, arr_solve_options};

use crate::array::Array;
use crate::callback::{resumed, within_call};
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{api, check, Result};
use crate::linear_operator::{LinearOperator, ToOperator};
use crate::ops::example;
use crate::stream::current;

/// A function that a solver calls with the number of iterations and the norm of the residual. `Break` ends the solver.
pub type SolveCallback<'a> = &'a mut dyn FnMut(usize, f64) -> ControlFlow<()>;

/// Options of solvers of a x = b, with SciPy's defaults. `T` is the type of the result.
pub struct SolveOptions<'a, T> {
    /// The tolerance of the residual's norm as a share of that of b.
    pub rtol: f64,
    /// The tolerance of the residual's norm; the larger of the two counts.
    pub atol: f64,
    /// The largest number of iterations, of gmres and lgmres of cycles. None: the method's default.
    pub maxiter: Option<usize>,
    /// The first x. None: zeros.
    pub x0: Option<&'a Array<T>>,
    /// A preconditioner, an approximate inverse of a.
    pub m: Option<&'a LinearOperator<T>>,
    /// The number of iterations between two looks at the residual. None: 1 on the host and with a callback, else 16.
    pub check_every: Option<usize>,
    /// The number of vectors of a cycle, of gmres and lgmres. None: 20 and 30.
    pub restart: Option<usize>,
    /// The number of vectors that lgmres keeps of former cycles. None: 3.
    pub augment: Option<usize>,
    /// Minres solves (a - shift I) x = b.
    pub shift: f64,
    /// Called after each look at the residual, on the thread of the call.
    pub callback: Option<SolveCallback<'a>>,
}

impl<T> Default for SolveOptions<'_, T> {
    fn default() -> Self {
        SolveOptions {
            rtol: 1e-5,
            atol: 0.0,
            maxiter: None,
            x0: None,
            m: None,
            check_every: None,
            restart: None,
            augment: None,
            shift: 0.0,
            callback: None,
        }
    }
}

impl<T> fmt::Debug for SolveOptions<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SolveOptions { rtol, atol, maxiter, .. } = self;
        write!(f, "SolveOptions {{ rtol: {rtol}, atol: {atol}, maxiter: {maxiter:?}, .. }}")
    }
}

/// A number of the library's options, for which 0 selects the default.
pub(crate) fn limit(n: Option<usize>) -> i64 {
    n.map_or(0, |n| i64::try_from(n).unwrap_or(i64::MAX))
}

/// The same where a negative one is 0.
pub(crate) fn count_or_none(n: Option<usize>) -> i64 {
    if n == Some(0) {
        -1
    } else {
        limit(n)
    }
}

/// The library's form of a tolerance, for which 0 selects the default too.
pub(crate) fn tolerance(x: f64) -> f64 {
    if x == 0.0 {
        -1.0
    } else {
        x
    }
}

/// The library's form of a callback; the context is the callback.
pub(crate) type Look = unsafe extern "C" fn(*mut c_void, i64, f64) -> bool;

/// The function and the context by which the library calls a callback, as long as the callback lives.
pub(crate) fn look_of(callback: &mut Option<SolveCallback>) -> (Option<Look>, *mut c_void) {
    unsafe extern "C" fn look(ctx: *mut c_void, iterations: i64, residual: f64) -> bool {
        // SAFETY: rule 7: ctx is the callback of the options, which the call that calls this has borrowed.
        let callback = unsafe { &mut *ctx.cast::<SolveCallback>() };
        let next = within_call(|| Ok(callback(iterations as usize, residual)));
        next != Some(ControlFlow::Continue(()))
    }
    match callback {
        Some(f) => (Some(look), std::ptr::from_mut(f).cast()),
        None => (None, std::ptr::null_mut()),
    }
}

impl<T> SolveOptions<'_, T> {
    fn raw(&mut self) -> arr_solve_options {
        let (callback, ctx) = look_of(&mut self.callback);
        arr_solve_options {
            struct_size: std::mem::size_of::<arr_solve_options>() as i64,
            rtol: tolerance(self.rtol),
            atol: self.atol,
            maxiter: count_or_none(self.maxiter),
            x0: self.x0.map_or(arr_array::NULL, |x| x.as_raw()),
            m: self.m.map_or(arr_linop::NULL, LinearOperator::as_raw),
            check_every: count_or_none(self.check_every),
            restart: count_or_none(self.restart),
            augment: count_or_none(self.augment),
            shift: self.shift,
            callback,
            ctx,
        }
    }
}

/// The report of a solver.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SolveInfo {
    /// SciPy's code: 0 if the tolerance was reached, positive if `maxiter` or the callback ended the method before: the
    /// number of iterations or cycles; negative after a breakdown.
    pub info: i64,
    /// The number of iterations that were done; of gmres and lgmres, of products in cycles.
    pub iterations: usize,
    /// The norm of the residual, as the method knows it.
    pub residual: f64,
}

impl SolveInfo {
    /// True if the tolerance was reached.
    #[must_use]
    pub fn converged(&self) -> bool {
        self.info == 0
    }
}

/// `solved!(arr_solve_cg(a, b, options))`: the body of a solver.
macro_rules! solved {
    ($solver:ident($a:ident, $b:ident, $options:ident)) => {{
        let (api, a, mut options, mut out) = (api()?, $a.to_operator()?, $options, arr_array::NULL);
        let struct_size = std::mem::size_of::<arr_solve_info>() as i64;
        let mut info = arr_solve_info { struct_size, ..Default::default() };
        let raw = options.raw();
        // SAFETY: rule 2: the handles are live, and all else are locals.
        let status = unsafe { api.$solver(a.as_raw(), $b.as_raw(), &raw, current(), &mut out, &mut info) };
        resumed(check(api, status).map(|()| DynArray::own(out))).and_then(|x| {
            let iterations = usize::try_from(info.iterations).unwrap_or(0);
            Ok((x.typed()?, SolveInfo { info: info.info, iterations, residual: info.residual }))
        })
    }};
}

/// Solves a x = b for a Hermitian, positive definite operator, by conjugate gradients.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let n = 100;
/// let a = SparseMatrix::diags((n, n), &[(0, &array![2.0]), (1, &array![-1.0]), (-1, &array![-1.0])])?;
/// let b = Array::<f64>::ones(n)?;
/// let (x, info) = solve_cg(&a, &b, SolveOptions { rtol: 1e-10, m: Some(&a.jacobi()?), ..Default::default() })?;
/// assert!(info.converged() && (a.matmul(&x)? - b).absolute().max(..).item()? < 1e-8);
/// # Ok(())
/// # }
/// ```
///
/// The callback sees how far it is, and may end it:
///
/// ```
/// # use arr::*;
/// # fn main() -> Result<()> {
/// use std::ops::ControlFlow::{Break, Continue};
/// let (a, b) = (LinearOperator::<f64>::diagonal(&Array::arange(1, 50, 1)?.cast()?)?, Array::ones(49)?);
/// let mut callback = |iterations, residual| if iterations == 3 || residual < 1e-3 { Break(()) } else { Continue(()) };
/// let (_, info) = solve_cg(&a, &b, SolveOptions { callback: Some(&mut callback), ..Default::default() })?;
/// assert_eq!(info.info, 3);
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_solve_cg)]
#[doc(alias = "cg")]
#[track_caller]
pub fn solve_cg<T: Element>(
    a: &impl ToOperator<T>,
    b: &Array<T>,
    options: SolveOptions<'_, T::Solution>,
) -> Result<(Array<T::Solution>, SolveInfo)> {
    solved!(arr_solve_cg(a, b, options))
}

/// Solves a x = b by the squared conjugate gradient method; otherwise as [`solve_cg`].
#[doc = example!("assert_eq!(solve_cgs(&array![[2.0]], &array![6.0], SolveOptions::default())?.0, array![3.0]);")]
#[doc = errors!(arr_solve_cgs)]
#[doc(alias = "cgs")]
#[track_caller]
pub fn solve_cgs<T: Element>(
    a: &impl ToOperator<T>,
    b: &Array<T>,
    options: SolveOptions<'_, T::Solution>,
) -> Result<(Array<T::Solution>, SolveInfo)> {
    solved!(arr_solve_cgs(a, b, options))
}

/// Solves a x = b by the stabilized method of biconjugate gradients; otherwise as [`solve_cg`].
#[doc = example!("assert_eq!(solve_bicgstab(&array![[2.0]], &array![6.0], SolveOptions::default())?.0, array![3.0]);")]
#[doc = errors!(arr_solve_bicgstab)]
#[doc(alias = "bicgstab")]
#[track_caller]
pub fn solve_bicgstab<T: Element>(
    a: &impl ToOperator<T>,
    b: &Array<T>,
    options: SolveOptions<'_, T::Solution>,
) -> Result<(Array<T::Solution>, SolveInfo)> {
    solved!(arr_solve_bicgstab(a, b, options))
}

/// Solves a x = b by the generalized minimal residual method with restarts; otherwise as [`solve_cg`]. The callback gets the
/// residual of the preconditioned equations.
#[doc = example!("assert_eq!(solve_gmres(&array![[2.0]], &array![6.0], SolveOptions::default())?.0, array![3.0]);")]
#[doc = errors!(arr_solve_gmres)]
#[doc(alias = "gmres")]
#[track_caller]
pub fn solve_gmres<T: Element>(
    a: &impl ToOperator<T>,
    b: &Array<T>,
    options: SolveOptions<'_, T::Solution>,
) -> Result<(Array<T::Solution>, SolveInfo)> {
    solved!(arr_solve_gmres(a, b, options))
}

/// Solves a x = b by the quasi-minimal residual method without transposes; otherwise as [`solve_cg`]. The tolerance is a
/// share of the first residual's norm, and the residual is a bound.
#[doc = example!("assert_eq!(solve_tfqmr(&array![[2.0]], &array![6.0], SolveOptions::default())?.0, array![3.0]);")]
#[doc = errors!(arr_solve_tfqmr)]
#[doc(alias = "tfqmr")]
#[track_caller]
pub fn solve_tfqmr<T: Element>(
    a: &impl ToOperator<T>,
    b: &Array<T>,
    options: SolveOptions<'_, T::Solution>,
) -> Result<(Array<T::Solution>, SolveInfo)> {
    solved!(arr_solve_tfqmr(a, b, options))
}

/// Solves a x = b by the minimal residual method with vectors kept from former cycles; otherwise as [`solve_gmres`].
#[doc = example!("assert_eq!(solve_lgmres(&array![[2.0]], &array![6.0], SolveOptions::default())?.0, array![3.0]);")]
#[doc = errors!(arr_solve_lgmres)]
#[doc(alias = "lgmres")]
#[track_caller]
pub fn solve_lgmres<T: Element>(
    a: &impl ToOperator<T>,
    b: &Array<T>,
    options: SolveOptions<'_, T::Solution>,
) -> Result<(Array<T::Solution>, SolveInfo)> {
    solved!(arr_solve_lgmres(a, b, options))
}

/// Solves a x = b for a Hermitian operator, which may be indefinite or singular, by the minimal residual method; otherwise
/// as [`solve_cg`]. The preconditioner must be positive definite; `atol` is not used.
#[doc = example!("assert_eq!(solve_minres(&array![[2.0]], &array![6.0], SolveOptions::default())?.0, array![3.0]);")]
#[doc = errors!(arr_solve_minres)]
#[doc(alias = "minres")]
#[track_caller]
pub fn solve_minres<T: Element>(
    a: &impl ToOperator<T>,
    b: &Array<T>,
    options: SolveOptions<'_, T::Solution>,
) -> Result<(Array<T::Solution>, SolveInfo)> {
    solved!(arr_solve_minres(a, b, options))
}
