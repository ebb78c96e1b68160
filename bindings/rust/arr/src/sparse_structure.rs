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
use crate::sparse::{SparseFormat, SparseMatrix};
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

    /// Replaces the elements that the indices select by a block, in a new matrix.
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

    /// Replaces the elements at pairs of a row and a column by values, in a new matrix: a number, or an array that
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

/// Diagonals, triangles, shapes.
impl<T: Element> SparseMatrix<T> {
    /// Returns diagonal k as an array: 0 is the main one, 1 the one above it.
    #[doc = example!("assert_eq!(SparseMatrix::<i32>::eye((2, 3), 0, Device::HOST)?.diagonal(0)?, array![1, 1]);")]
    #[doc = errors!(arr_sparse_diagonal)]
    #[track_caller]
    pub fn diagonal(&self, k: i64) -> Result<Array<T>> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_diagonal(self.as_raw(), k, current(), &mut out));
        Ok(Array::own(out))
    }

    /// Makes a matrix with values on diagonal k: a number for all of it, or a vector for its first elements.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::<i32>::eye((2, 2), 0, Device::HOST)?;
    /// assert_eq!(a.with_diagonal(5, 1)?.to_dense(Order::C)?, array![[1, 5], [0, 1]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_with_diagonal)]
    #[doc(alias = "setdiag")]
    #[track_caller]
    pub fn with_diagonal(&self, value: impl Operand<T>, k: i64) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_with_diagonal(self.as_raw(), &value.value(), k, current(), &mut out));
        self.sharing(out)
    }

    /// Makes a matrix of the elements on diagonal k and below it.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[1, 2], [3, 4]], SparseFormat::Csr)?;
    /// assert_eq!(a.tril(0)?.to_dense(Order::C)?, array![[1, 0], [3, 4]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_tril)]
    #[track_caller]
    pub fn tril(&self, k: i64) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_tril(self.as_raw(), k, current(), &mut out));
        self.sharing(out)
    }

    /// Makes a matrix of the elements on diagonal k and above it.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[1, 2], [3, 4]], SparseFormat::Csr)?;
    /// assert_eq!(a.triu(1)?.to_dense(Order::C)?, array![[0, 2], [0, 0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_triu)]
    #[track_caller]
    pub fn triu(&self, k: i64) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_triu(self.as_raw(), k, current(), &mut out));
        self.sharing(out)
    }

    /// Makes a matrix of another shape, with the elements in row-major order. One number may be -1.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[1, 2], [3, 4]], SparseFormat::Csr)?;
    /// assert_eq!(a.reshape((1, -1))?.to_dense(Order::C)?, array![[1, 2, 3, 4]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_reshape)]
    #[track_caller]
    pub fn reshape(&self, shape: (i64, i64)) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_reshape(self.as_raw(), shape.0, shape.1, current(), &mut out));
        self.sharing(out)
    }
}

/// Joining, Kronecker products, powers.
impl<T: Element> SparseMatrix<T> {
    /// Joins matrices along an axis: 0 below each other, 1 beside each other.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::<i32>::eye((1, 2), 0, Device::HOST)?;
    /// let b = SparseMatrix::concatenate(&[&a, &a], 0, SparseFormat::Csr)?;
    /// assert_eq!(b.to_dense(Order::C)?, array![[1, 0], [1, 0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_concatenate)]
    #[doc(alias = "vstack")]
    #[doc(alias = "hstack")]
    #[track_caller]
    pub fn concatenate(parts: &[&SparseMatrix<T>], axis: i32, format: SparseFormat) -> Result<SparseMatrix<T>> {
        let handles: Vec<arr_sparse> = parts.iter().map(|a| a.as_raw()).collect();
        let (n, format, mut out) = (count(handles.len())?, format as i32, arr_sparse::NULL);
        call!(arr_sparse_concatenate(n, handles.as_ptr(), axis, format, current(), &mut out));
        joined(parts.iter().copied(), out)
    }

    /// Joins rows of blocks; None is a block of zeros. Each row and each column has a block.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::<i32>::eye((1, 1), 0, Device::HOST)?;
    /// let b = SparseMatrix::block(&[[Some(&a), None], [Some(&a), Some(&a)]], SparseFormat::Csr)?;
    /// assert_eq!(b.to_dense(Order::C)?, array![[1, 0], [1, 1]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_block)]
    #[doc(alias = "bmat")]
    #[doc(alias = "block_array")]
    #[track_caller]
    pub fn block<const COLUMNS: usize>(
        rows: &[[Option<&SparseMatrix<T>>; COLUMNS]],
        format: SparseFormat,
    ) -> Result<SparseMatrix<T>> {
        let blocks = || rows.iter().flatten().copied();
        let handles: Vec<arr_sparse> = blocks().map(|b| b.map_or(arr_sparse::NULL, SparseMatrix::as_raw)).collect();
        let (n, columns, mut out) = (count(handles.len())?, count(COLUMNS)?, arr_sparse::NULL);
        call!(arr_sparse_block(n, handles.as_ptr(), columns, format as i32, current(), &mut out));
        joined(blocks().flatten(), out)
    }

    /// Joins matrices along the diagonal.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[1, 2]], SparseFormat::Csr)?;
    /// let b = SparseMatrix::block_diag(&[&a, &a], SparseFormat::Csr)?;
    /// assert_eq!(b.to_dense(Order::C)?, array![[1, 2, 0, 0], [0, 0, 1, 2]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_block_diag)]
    #[track_caller]
    pub fn block_diag(parts: &[&SparseMatrix<T>], format: SparseFormat) -> Result<SparseMatrix<T>> {
        let handles: Vec<arr_sparse> = parts.iter().map(|a| a.as_raw()).collect();
        let (n, mut out) = (count(handles.len())?, arr_sparse::NULL);
        call!(arr_sparse_block_diag(n, handles.as_ptr(), format as i32, current(), &mut out));
        joined(parts.iter().copied(), out)
    }

    /// Computes the Kronecker product: each element times the matrix `b`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[1, 2]], SparseFormat::Csr)?;
    /// assert_eq!(a.kron(&a, SparseFormat::Csr)?.to_dense(Order::C)?, array![[1, 2, 2, 4]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_kron)]
    #[track_caller]
    pub fn kron(&self, b: &SparseMatrix<T>, format: SparseFormat) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_kron(self.as_raw(), b.as_raw(), format as i32, current(), &mut out));
        joined([self, b], out)
    }

    /// Computes the Kronecker sum of two square matrices: kron(I, a) + kron(b, I), a the matrix.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[1]], SparseFormat::Csr)?;
    /// let b = SparseMatrix::from_dense(&array![[2, 3], [0, 4]], SparseFormat::Csr)?;
    /// assert_eq!(a.kronsum(&b, SparseFormat::Csr)?.to_dense(Order::C)?, array![[3, 3], [0, 5]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_kronsum)]
    #[track_caller]
    pub fn kronsum(&self, b: &SparseMatrix<T>, format: SparseFormat) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_kronsum(self.as_raw(), b.as_raw(), format as i32, current(), &mut out));
        joined([self, b], out)
    }

    /// Computes the product of n matrices by repeated squares, in compressed rows.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[1, 1], [0, 1]], SparseFormat::Csr)?;
    /// assert_eq!(a.matrix_power(5)?.to_dense(Order::C)?, array![[1, 5], [0, 1]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_matrix_power)]
    #[track_caller]
    pub fn matrix_power(&self, n: usize) -> Result<SparseMatrix<T>> {
        let (exponent, mut out) = (i64::try_from(n).unwrap_or(i64::MAX), arr_sparse::NULL);
        call!(arr_sparse_matrix_power(self.as_raw(), exponent, current(), &mut out));
        self.sharing(out)
    }
}

/// Owns a matrix made of others: of one alone it may be that one.
#[track_caller]
fn joined<'a, T: Element>(
    parts: impl IntoIterator<Item = &'a SparseMatrix<T>>,
    handle: arr_sparse,
) -> Result<SparseMatrix<T>> {
    let mut parts = parts.into_iter();
    match (parts.next(), parts.next()) {
        (Some(one), None) => one.sharing(handle),
        _ => SparseMatrix::alone(handle),
    }
}
