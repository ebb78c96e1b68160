// SPDX-License-Identifier: MIT
//! Linear algebra of stacks of matrices, which lie in the last two axes: equations, inverses, determinants,
//! decompositions. A matrix without such a result is an error of kind [`ErrorKind::Linalg`](crate::ErrorKind::Linalg).

use arr_sys::{arr_array, ARR_LINALG_ERROR, ARR_TRIANGULAR_LOWER, ARR_TRIANGULAR_UNIT_DIAGONAL};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{call, Result};
use crate::stream::current;

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

/// The part of a matrix that [`DynArray::solve_triangular`] reads: the upper triangle by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Triangle {
    pub lower: bool,
    /// The diagonal is not read but 1.
    pub unit_diagonal: bool,
    pub op: MatrixOp,
}

impl Triangle {
    pub(crate) fn flags(self) -> i32 {
        let lower = if self.lower { ARR_TRIANGULAR_LOWER } else { 0 };
        lower | if self.unit_diagonal { ARR_TRIANGULAR_UNIT_DIAGONAL } else { 0 }
    }
}

/// The norm of a matrix to compute.
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
    pub(crate) fn codes(self) -> (i32, f64) {
        match self {
            MatrixNorm::Frobenius => (arr_sys::ARR_NORM_FRO, 0.0),
            MatrixNorm::Nuclear => (arr_sys::ARR_NORM_NUC, 0.0),
            MatrixNorm::P(order) => (arr_sys::ARR_NORM_P, order),
        }
    }
}

/// LU factors, to solve with again: the result of [`DynArray::lu_factor`] and [`Array::lu_factor`].
#[derive(Debug)]
#[non_exhaustive]
pub struct LuFactors<A = DynArray> {
    /// U, and L below its diagonal.
    pub lu: A,
    /// Row i was exchanged with row `pivots[i]`, one after the other.
    pub pivots: Array<i32>,
}

impl LuFactors {
    /// Solves `op(a) x = b`; of a singular matrix x is infinite or nan.
    #[doc = errors!(arr_lu_solve)]
    #[track_caller]
    pub fn solve(&self, b: &DynArray, op: MatrixOp) -> Result<DynArray> {
        lu_solve(&self.lu, &self.pivots, b, op)
    }
}

impl<T: Element> LuFactors<Array<T>> {
    /// Solves `op(a) x = b`; of a singular matrix x is infinite or nan.
    #[doc = errors!(arr_lu_solve)]
    #[track_caller]
    pub fn solve(&self, b: &Array<T>, op: MatrixOp) -> Result<Array<T>> {
        lu_solve(&self.lu, &self.pivots, b, op)?.typed()
    }
}

#[track_caller]
fn lu_solve(lu: &DynArray, pivots: &Array<i32>, b: &DynArray, op: MatrixOp) -> Result<DynArray> {
    let mut out = arr_array::NULL;
    call!(arr_lu_solve(lu.as_raw(), pivots.as_raw(), b.as_raw(), op as i32, current(), &mut out));
    Ok(DynArray::own(out))
}

/// The result of [`DynArray::lstsq`] and [`Array::lstsq`].
#[derive(Debug)]
#[non_exhaustive]
pub struct LeastSquares<A = DynArray, R = DynArray> {
    /// The shortest x with the least `|a x - b|`.
    pub x: A,
    /// `|a x - b|` squared of each column.
    pub residuals: R,
    /// The rank.
    pub rank: Array<i64>,
    /// The singular values.
    pub s: R,
}

impl DynArray {
    /// Solves a system with triangular matrices; the other triangle is not read.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let l = array![[2.0, 0.0], [1.0, 1.0]].into_dyn();
    /// assert_eq!(l.solve_triangular(&array![2.0, 3.0].into_dyn(), Triangle { lower: true, ..Default::default() })?.typed::<f64>()?, array![1.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_solve_triangular)]
    #[track_caller]
    pub fn solve_triangular(&self, b: &DynArray, triangle: Triangle) -> Result<DynArray> {
        let (x, y, flags) = (self.as_raw(), b.as_raw(), triangle.flags());
        let mut out = arr_array::NULL;
        call!(arr_solve_triangular(x, y, flags, triangle.op as i32, ARR_LINALG_ERROR, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Computes the LU factors, to solve several systems with. Singular matrices have factors too.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let lu = array![[2.0, 0.0], [0.0, 4.0]].into_dyn().lu_factor()?;
    /// assert_eq!(lu.solve(&array![2.0, 2.0].into_dyn(), MatrixOp::Plain)?.typed::<f64>()?, array![1.0, 0.5]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_lu_factor)]
    #[track_caller]
    pub fn lu_factor(&self) -> Result<LuFactors> {
        let (mut lu, mut pivots) = (arr_array::NULL, arr_array::NULL);
        call!(arr_lu_factor(self.as_raw(), current(), &mut lu, &mut pivots));
        Ok(LuFactors { lu: DynArray::own(lu), pivots: Array::own(pivots) })
    }

    /// Computes a least-squares solution. Singular values up to `rcond` times the largest count as 0; the default is
    /// epsilon times the longer side.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = array![[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]].into_dyn();
    /// assert_eq!(a.lstsq(&array![1.0, 3.0, 5.0].into_dyn(), None)?.x.typed::<f64>()?.round_to(9)?, array![1.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_lstsq)]
    #[track_caller]
    pub fn lstsq(&self, b: &DynArray, rcond: Option<f64>) -> Result<LeastSquares> {
        let (a, b, rcond, null) = (self.as_raw(), b.as_raw(), rcond.unwrap_or(-1.0), arr_array::NULL);
        let (mut x, mut residuals, mut rank, mut s) = (null, null, null, null);
        call!(arr_lstsq(a, b, rcond, current(), &mut x, &mut residuals, &mut rank, &mut s));
        let [x, residuals, s] = [x, residuals, s].map(DynArray::own);
        Ok(LeastSquares { x, residuals, rank: Array::own(rank), s })
    }
}

impl<T: Element> Array<T> {
    /// Solves a system with triangular matrices; the other triangle is not read.
    #[doc = errors!(arr_solve_triangular)]
    #[track_caller]
    pub fn solve_triangular(&self, b: &Array<T>, triangle: Triangle) -> Result<Array<T::Quotient>> {
        self.as_dyn().solve_triangular(b.as_dyn(), triangle)?.typed()
    }

    /// Computes the LU factors, to solve several systems with. Singular matrices have factors too.
    #[doc = errors!(arr_lu_factor)]
    #[track_caller]
    pub fn lu_factor(&self) -> Result<LuFactors<Array<T::Quotient>>> {
        let LuFactors { lu, pivots } = self.as_dyn().lu_factor()?;
        Ok(LuFactors { lu: lu.typed()?, pivots })
    }

    /// Computes a least-squares solution. Singular values up to `rcond` times the largest count as 0; the default is
    /// epsilon times the longer side.
    #[doc = errors!(arr_lstsq)]
    #[doc(alias = "least_squares")]
    #[track_caller]
    #[allow(clippy::type_complexity)] // the types of the results are the point
    pub fn lstsq(
        &self,
        b: &Array<T>,
        rcond: Option<f64>,
    ) -> Result<LeastSquares<Array<T::Quotient>, Array<<T::Quotient as Element>::Real>>> {
        let LeastSquares { x, residuals, rank, s } = self.as_dyn().lstsq(b, rcond)?;
        Ok(LeastSquares { x: x.typed()?, residuals: residuals.typed()?, rank, s: s.typed()? })
    }
}
