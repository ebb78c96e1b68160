// SPDX-License-Identifier: MIT
//! Parts of sparse matrices by indices, and matrices with other parts.

use arr_sys::{arr_array, arr_sparse};

use crate::array::Array;
use crate::element::{Element, Integral};
use crate::error::{call, Result};
use crate::index::{Index, Rows};
use crate::operand::Operand;
use crate::ops::example;
use crate::shape::count;
use crate::slice::Slice;
use crate::sparse::SparseMatrix;
use crate::stream::current;

/// Indices. As no matrix changes, an assignment makes another matrix.
impl<T: Element> SparseMatrix<T> {
    /// Returns rows and columns as a matrix, `a.get(idx![&positions, 1..5])`. One index may be an array or a list; an integer
    /// leaves one row or column. Neighbouring rows of compressed rows, and columns of compressed columns, share the elements.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[1, 0, 2], [0, 3, 0], [4, 0, 5]], SparseFormat::Csr)?;
    /// assert_eq!(a.get(idx![[2, 0]])?.to_dense(Order::C)?, array![[4, 0, 5], [1, 0, 2]]);
    /// assert_eq!(a.get(idx![1.., -1])?.to_dense(Order::C)?, array![[0], [5]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_get_items)]
    #[track_caller]
    pub fn get<'i>(&self, indices: impl AsRef<[Index<'i>]>) -> Result<SparseMatrix<T>> {
        let list = Rows::new(indices.as_ref(), self.device()?)?;
        let (n, rows, mut out) = (count(list.rows.len())?, list.rows.as_ptr(), arr_sparse::NULL);
        call!(arr_sparse_get_items(self.as_raw(), n, rows, current(), &mut out));
        self.sharing(out)
    }

    /// Returns rows and columns by ranges and integers, `a.slice(s![1..3, ..])`, as [`SparseMatrix::get`] does.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((3, 3), 0, Device::HOST)?.slice(s![1.., ..2])?.nnz(), 1);")]
    #[doc = errors!(arr_sparse_get_items)]
    #[track_caller]
    pub fn slice(&self, slices: impl AsRef<[Slice]>) -> Result<SparseMatrix<T>> {
        let indices: Vec<Index> = slices.as_ref().iter().copied().map(Index::Slice).collect();
        self.get(indices)
    }

    /// Returns the elements at pairs of a row and a column, which broadcast with each other. Negative ones count from the end.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[1, 0, 2], [0, 3, 0], [4, 0, 5]], SparseFormat::Csr)?;
    /// assert_eq!(a.elements(&array![0, 1, -1], &array![2, 0, 0])?, array![2, 0, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_elements)]
    #[track_caller]
    pub fn elements<I: Integral, J: Integral>(&self, rows: &Array<I>, cols: &Array<J>) -> Result<Array<T>> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_elements(self.as_raw(), rows.as_raw(), cols.as_raw(), current(), &mut out));
        Ok(Array::own(out))
    }

    /// Makes a matrix with a block in place of the elements that the indices select.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::<i32>::eye((3, 3), 0, Device::HOST)?;
    /// let b = a.with_items(idx![..2, 1..], &SparseMatrix::from_dense(&array![[7, 0], [0, 8]], SparseFormat::Csr)?)?;
    /// assert_eq!(b.to_dense(Order::C)?, array![[1, 7, 0], [0, 0, 8], [0, 0, 1]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_with_items)]
    #[track_caller]
    pub fn with_items<'i>(&self, indices: impl AsRef<[Index<'i>]>, block: &SparseMatrix<T>) -> Result<SparseMatrix<T>> {
        let list = Rows::new(indices.as_ref(), self.device()?)?;
        let (n, rows, mut out) = (count(list.rows.len())?, list.rows.as_ptr(), arr_sparse::NULL);
        call!(arr_sparse_with_items(self.as_raw(), n, rows, block.as_raw(), current(), &mut out));
        self.sharing(out)
    }

    /// Makes a matrix with values in place of the elements at pairs of a row and a column: a number, or an array that
    /// broadcasts with them. If a pair occurs more than once, the last value wins.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::<i32>::eye((2, 2), 0, Device::HOST)?;
    /// let b = a.with_elements(&array![0, 1], &array![1, 1], array![7, 8])?;
    /// assert_eq!(b.to_dense(Order::C)?, array![[1, 7], [0, 8]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_with_elements)]
    #[track_caller]
    pub fn with_elements<I: Integral, J: Integral>(
        &self,
        rows: &Array<I>,
        cols: &Array<J>,
        value: impl Operand<T>,
    ) -> Result<SparseMatrix<T>> {
        let (a, value, mut out) = (self.as_raw(), value.value(), arr_sparse::NULL);
        call!(arr_sparse_with_elements(a, rows.as_raw(), cols.as_raw(), &value, current(), &mut out));
        self.sharing(out)
    }
}
