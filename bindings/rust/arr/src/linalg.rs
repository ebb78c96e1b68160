// SPDX-License-Identifier: MIT
//! Linear algebra of stacks of matrices, which lie in the last two axes: equations, inverses, determinants,
//! decompositions. A matrix without such a result is an error of kind [`ErrorKind::Linalg`](crate::ErrorKind::Linalg).

use arr_sys::{arr_array, ARR_LINALG_ERROR};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{call, Result};
use crate::shape::count;
use crate::stream::current;

/// Of singular and eigenvalues, residuals, norms.
type Real<T> = <<T as Element>::Quotient as Element>::Real;

/// A matrix itself, or turned round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum MatrixOp {
    #[default]
    Plain = arr_sys::ARR_MATRIX_PLAIN,
    Transposed = arr_sys::ARR_MATRIX_TRANSPOSED,
    /// The conjugate transpose.
    Adjoint = arr_sys::ARR_MATRIX_ADJOINT,
}

/// Which part of a matrix [`DynArray::solve_triangular`] reads: the upper triangle, unless said.
#[derive(Clone, Copy, Debug, Default)]
pub struct Triangle {
    pub lower: bool,
    /// The diagonal is not read but 1.
    pub unit_diagonal: bool,
    pub op: MatrixOp,
}

/// Which norm of a matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MatrixNorm {
    /// The root of the sum of squares.
    #[default]
    Frobenius,
    /// The sum of the singular values.
    Nuclear,
    /// 1 and -1 the largest and smallest sum of magnitudes of a column, infinity and -infinity of a row, 2 and -2 the
    /// largest and smallest singular value.
    P(f64),
}

impl MatrixNorm {
    fn codes(self) -> (i32, f64) {
        match self {
            MatrixNorm::Frobenius => (arr_sys::ARR_NORM_FRO, 0.0),
            MatrixNorm::Nuclear => (arr_sys::ARR_NORM_NUC, 0.0),
            MatrixNorm::P(order) => (arr_sys::ARR_NORM_P, order),
        }
    }
}

/// LU factors, to solve with again: what [`DynArray::lu_factor`] gives.
#[derive(Debug)]
pub struct LuFactors {
    /// U, and L below its diagonal.
    pub lu: DynArray,
    /// Row i was exchanged with row `pivots[i]`, one after the other; of `i32`.
    pub pivots: DynArray,
}

impl LuFactors {
    /// Solves `op(a) x = b`; of a singular matrix x is infinite or nan.
    #[track_caller]
    pub fn solve(&self, b: &DynArray, op: MatrixOp) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_lu_solve(self.lu.as_raw(), self.pivots.as_raw(), b.as_raw(), op as i32, current(), &mut out));
        Ok(DynArray::own(out))
    }
}

/// What [`DynArray::lstsq`] gives.
#[derive(Debug)]
pub struct LeastSquares {
    /// The shortest x with the least `|a x - b|`.
    pub x: DynArray,
    /// `|a x - b|` squared of each column.
    pub residuals: DynArray,
    /// Of `i64`.
    pub rank: DynArray,
    /// The singular values.
    pub s: DynArray,
}

/// Functions of matrices: `name(parameters) = arr_name(arguments) -> element of the result`.
macro_rules! of_matrices {
    ($($(#[$doc:meta])* $name:ident($($p:ident: $t:ty),*) = $function:ident($($argument:expr),*) -> $result:ty;)*) => {
        impl DynArray {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self $(, $p: $t)*) -> Result<DynArray> {
                let mut out = arr_array::NULL;
                call!($function(self.as_raw(), $($argument,)* current(), &mut out));
                Ok(DynArray::own(out))
            }
        )*}
        impl<T: Element> Array<T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self $(, $p: $t)*) -> Result<Array<$result>> {
                self.as_dyn().$name($($p),*)?.typed()
            }
        )*}
    };
}
of_matrices! {
    /// Inverse matrices.
    inv() = arr_inv(ARR_LINALG_ERROR) -> T::Quotient;
    /// Moore and Penrose's pseudoinverses. Singular values up to `rcond` times the largest count as 0, without it up to
    /// the epsilon times the longer side.
    pinv(rcond: Option<f64>) = arr_pinv(rcond.unwrap_or(-1.0)) -> T::Quotient;
    /// Determinants; 0 of singular matrices.
    det() = arr_det() -> T::Quotient;
    /// e to the power of matrices.
    expm() = arr_expm() -> T::Quotient;
    /// The lower triangular L of positive definite matrices L L', of which the lower triangle is read.
    cholesky() = arr_cholesky(0, ARR_LINALG_ERROR) -> T::Quotient;
    /// Singular values, descending.
    svdvals() = arr_svdvals(ARR_LINALG_ERROR) -> Real<T>;
    /// Eigenvalues, ascending, of symmetric or Hermitian matrices, of which the lower triangle is read.
    eigvalsh() = arr_eigvalsh(1, ARR_LINALG_ERROR) -> Real<T>;
    /// How many singular values are above `tol`, without it above the largest times the epsilon times the longer side.
    matrix_rank(tol: Option<f64>) = arr_matrix_rank(tol.unwrap_or(-1.0), -1.0) -> i64;
    /// Norms of matrices.
    matrix_norm(norm: MatrixNorm) = arr_matrix_norm(norm.codes().0, norm.codes().1, 0) -> Real<T>;
    /// Conditions: the norm times that of the inverse; infinite for singular matrices.
    cond(norm: MatrixNorm) = arr_cond(norm.codes().0, norm.codes().1) -> Real<T>;
}

/// Functions of matrices with several results.
macro_rules! several {
    ($($(#[$doc:meta])* $name:ident($($p:ident: $t:ty),*) = $function:ident($($argument:expr),*)
       -> ($($out:ident: $result:ty),*);)*) => {
        impl DynArray {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self $(, $p: $t)*) -> Result<($(several!(@dyn $out),)*)> {
                $(let mut $out = arr_array::NULL;)*
                call!($function(self.as_raw(), $($argument,)* current() $(, &mut $out)*));
                Ok(($(DynArray::own($out),)*))
            }
        )*}
        impl<T: Element> Array<T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self $(, $p: $t)*) -> Result<($(Array<$result>,)*)> {
                let ($($out,)*) = self.as_dyn().$name($($p),*)?;
                Ok(($($out.typed()?,)*))
            }
        )*}
    };
    (@dyn $out:ident) => { DynArray };
}
several! {
    /// Signs and logarithms of the magnitudes of determinants; of singular matrices 0 and -infinity.
    slogdet() = arr_slogdet() -> (sign: T::Quotient, logdet: Real<T>);
    /// Q with orthonormal columns and upper triangular R, whose product is the matrix.
    qr() = arr_qr(arr_sys::ARR_QR_REDUCED) -> (q: T::Quotient, r: T::Quotient);
    /// U, singular values, descending, and the adjoint of V. `full`: U and V are square; else they have as many columns as
    /// there are singular values.
    svd(full: bool) = arr_svd(i32::from(full), ARR_LINALG_ERROR) -> (u: T::Quotient, s: Real<T>, vh: T::Quotient);
    /// Eigenvalues, ascending, and eigenvectors as columns of symmetric or Hermitian matrices, of which the lower
    /// triangle is read.
    eigh() = arr_eigh(1, ARR_LINALG_ERROR) -> (values: Real<T>, vectors: T::Quotient);
    /// The permutation P, L with ones on its diagonal and U, whose product is the matrix. Singular ones have them too.
    lu() = arr_lu() -> (p: Real<T>, l: T::Quotient, u: T::Quotient);
}

impl DynArray {
    /// x of `a x = b`; b is matrices, or one vector for all.
    #[track_caller]
    pub fn solve(&self, b: &DynArray) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_solve(self.as_raw(), b.as_raw(), ARR_LINALG_ERROR, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The same of triangular matrices, of which the other triangle is not read.
    #[track_caller]
    pub fn solve_triangular(&self, b: &DynArray, triangle: Triangle) -> Result<DynArray> {
        let (lower, unit, op) = (i32::from(triangle.lower), i32::from(triangle.unit_diagonal), triangle.op as i32);
        let (x, y) = (self.as_raw(), b.as_raw());
        let mut out = arr_array::NULL;
        call!(arr_solve_triangular(x, y, lower, unit, op, ARR_LINALG_ERROR, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// LU factors, to solve with many times. Singular matrices have them too.
    #[track_caller]
    pub fn lu_factor(&self) -> Result<LuFactors> {
        let (mut lu, mut pivots) = (arr_array::NULL, arr_array::NULL);
        call!(arr_lu_factor(self.as_raw(), current(), &mut lu, &mut pivots));
        Ok(LuFactors { lu: DynArray::own(lu), pivots: DynArray::own(pivots) })
    }

    /// Least squares. Singular values up to `rcond` times the largest count as 0, without it up to the epsilon times the
    /// longer side.
    #[track_caller]
    pub fn lstsq(&self, b: &DynArray, rcond: Option<f64>) -> Result<LeastSquares> {
        let (a, b, rcond, null) = (self.as_raw(), b.as_raw(), rcond.unwrap_or(-1.0), arr_array::NULL);
        let (mut x, mut residuals, mut rank, mut s) = (null, null, null, null);
        call!(arr_lstsq(a, b, rcond, current(), &mut x, &mut residuals, &mut rank, &mut s));
        let [x, residuals, rank, s] = [x, residuals, rank, s].map(DynArray::own);
        Ok(LeastSquares { x, residuals, rank, s })
    }

    /// x of `a x = b`, where `a` is a matrix whose rows are the axes of b and whose columns those of x; `axes` of a are
    /// moved to its end first.
    #[track_caller]
    pub fn tensorsolve(&self, b: &DynArray, axes: &[i32]) -> Result<DynArray> {
        let (n, mut out) = (count(axes.len())?, arr_array::NULL);
        call!(arr_tensorsolve(self.as_raw(), b.as_raw(), n, axes.as_ptr(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// The inverse as of a matrix whose rows are the first `ind` axes; it has the others first.
    #[track_caller]
    pub fn tensorinv(&self, ind: i32) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_tensorinv(self.as_raw(), ind, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Eigenvalues, in no order, and eigenvectors as columns of any square matrices; both are complex.
    #[track_caller]
    pub fn eig(&self) -> Result<(DynArray, DynArray)> {
        let (mut values, mut vectors) = (arr_array::NULL, arr_array::NULL);
        call!(arr_eig(self.as_raw(), ARR_LINALG_ERROR, current(), &mut values, &mut vectors));
        Ok((DynArray::own(values), DynArray::own(vectors)))
    }

    /// Eigenvalues, in no order, of any square matrices; they are complex.
    #[track_caller]
    pub fn eigvals(&self) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_eigvals(self.as_raw(), ARR_LINALG_ERROR, current(), &mut out));
        Ok(DynArray::own(out))
    }
}

impl<T: Element> Array<T> {
    /// x of `a x = b`; b is matrices, or one vector for all.
    #[track_caller]
    pub fn solve(&self, b: &Array<T>) -> Result<Array<T::Quotient>> {
        self.as_dyn().solve(b.as_dyn())?.typed()
    }

    /// The same of triangular matrices, of which the other triangle is not read.
    #[track_caller]
    pub fn solve_triangular(&self, b: &Array<T>, triangle: Triangle) -> Result<Array<T::Quotient>> {
        self.as_dyn().solve_triangular(b.as_dyn(), triangle)?.typed()
    }
}
