// SPDX-License-Identifier: MIT
//! Products of sparse matrices over semirings, of a mask's elements, of dense matrices where a pattern has elements.

use arr_sys::{arr_array, arr_sparse};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{call, Result};
use crate::ops::Reduction;
use crate::sparse::SparseMatrix;
use crate::stream::current;
use crate::ufunc::Ufunc;

/// Products over a semiring: a reduction replaces the sum, and an op of two operands the product. Only stored
/// elements take part. `U` is the type of the results.
impl<T: Element> SparseMatrix<T> {
    /// Computes the product with a vector or a dense matrix; rows without elements have the reduction's identity.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// // Lengths of the shortest paths over one edge to vertices at the distances 0, 5 and 1.
    /// let a = SparseMatrix::from_dense(&array![[0.0, 1.0, 9.0], [0.0, 0.0, 2.0], [1.0, 0.0, 0.0]], SparseFormat::Csr)?;
    /// let d = a.semiring_matmul::<f64>(Reduction::MIN, Ufunc::find("add")?, &array![0.0, 5.0, 1.0])?;
    /// assert_eq!(d, array![6.0, 3.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_semiring_matmul)]
    #[track_caller]
    pub fn semiring_matmul<U: Element>(&self, by: Reduction, op: Ufunc, x: &Array<T>) -> Result<Array<U>> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_semiring_matmul(by.code(), op.code(), self.as_raw(), x.as_raw(), current(), &mut out));
        DynArray::own(out).typed()
    }

    /// Computes the product of two matrices, in compressed rows: all elements that have a term, or those that a mask
    /// stores, or that it does not store (`complement`).
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 1], [2, 3]], SparseFormat::Csr)?;
    /// let (by, op) = (Reduction::MAX, Ufunc::find("multiply")?);
    /// let b = a.semiring_product::<i32, bool>(by, op, &a, None, false)?;
    /// assert_eq!(b.to_dense(Order::C)?, array![[2, 3], [6, 9]]);
    /// let b = a.semiring_product::<i32, i32>(by, op, &a, Some(&a), false)?;
    /// assert_eq!(b.to_dense(Order::C)?, array![[0, 3], [6, 9]]);
    /// let b = a.semiring_product::<i32, i32>(by, op, &a, Some(&a), true)?;
    /// assert_eq!(b.to_dense(Order::C)?, array![[2, 0], [0, 0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_semiring_product)]
    #[track_caller]
    pub fn semiring_product<U: Element, M: Element>(
        &self,
        by: Reduction,
        op: Ufunc,
        b: &SparseMatrix<T>,
        mask: Option<&SparseMatrix<M>>,
        complement: bool,
    ) -> Result<SparseMatrix<U>> {
        let (a, b, mask) = (self.as_raw(), b.as_raw(), mask.map_or(arr_sparse::NULL, SparseMatrix::as_raw));
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_semiring_product(by.code(), op.code(), a, b, mask, complement, current(), &mut out));
        SparseMatrix::alone(out)
    }

    /// Computes the elements of x y, the product of two dense matrices, where this matrix stores one.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let pattern = SparseMatrix::<bool>::eye((2, 2), 0, Device::HOST)?;
    /// let x = array![[1.0, 2.0], [3.0, 4.0]];
    /// assert_eq!(pattern.sampled_matmul(&x, &x)?.data()?, array![7.0, 22.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_sampled_matmul)]
    #[doc(alias = "sddmm")]
    #[track_caller]
    pub fn sampled_matmul<U: Element>(&self, x: &Array<U>, y: &Array<U>) -> Result<SparseMatrix<U>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_sampled_matmul(self.as_raw(), x.as_raw(), y.as_raw(), current(), &mut out));
        SparseMatrix::alone(out)
    }
}
