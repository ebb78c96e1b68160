// SPDX-License-Identifier: MIT
//! Sparse matrices as diagonals and as dense blocks, the parts of SciPy's `dia_array` and `bsr_array`; files.

use std::path::Path;

use arr_sys::{arr_array, arr_sparse};

use crate::array::Array;
use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::{Element, Integral};
use crate::error::{call, Result};
use crate::io::utf8;
use crate::shape::dims;
use crate::sparse::SparseMatrix;
use crate::stream::current;

/// Diagonals and blocks.
impl<T: Element> SparseMatrix<T> {
    /// Makes a canonical matrix, in compressed rows, of diagonals as SciPy's `dia_array` stores them: `data[[k, j]]` is in
    /// column j and row j - `offsets[k]`. Zeros are not stored.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::dia((2, 2), &array![[1, 2], [3, 4]], &array![0, 1])?;
    /// assert_eq!(a.to_dense(Order::C)?, array![[1, 4], [0, 2]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_dia)]
    #[doc(alias = "dia_matrix")]
    #[doc(alias = "dia_array")]
    #[track_caller]
    pub fn dia<I: Integral>(shape: (usize, usize), data: &Array<T>, offsets: &Array<I>) -> Result<SparseMatrix<T>> {
        let (extents, mut out) = (dims(&[shape.0, shape.1])?, arr_sparse::NULL);
        call!(arr_sparse_dia(extents[0], extents[1], data.as_raw(), offsets.as_raw(), current(), &mut out));
        SparseMatrix::alone(out)
    }

    /// Makes a canonical matrix, in compressed rows, of dense blocks as SciPy's `bsr_array` stores them: the blocks
    /// `data[[k, .., ..]]` for `indptr[i] <= k < indptr[i + 1]` are in row i and column `indices[k]` of blocks. All elements
    /// of the blocks are stored.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::bsr((2, 4), &array![[[1, 2], [3, 4]]], &array![1], &array![0, 1])?;
    /// assert_eq!(a.to_dense(Order::C)?, array![[0, 0, 1, 2], [0, 0, 3, 4]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_bsr)]
    #[doc(alias = "bsr_matrix")]
    #[doc(alias = "bsr_array")]
    #[track_caller]
    pub fn bsr<I: Integral, P: Integral>(
        shape: (usize, usize),
        data: &Array<T>,
        indices: &Array<I>,
        indptr: &Array<P>,
    ) -> Result<SparseMatrix<T>> {
        let (extents, data, mut out) = (dims(&[shape.0, shape.1])?, data.as_raw(), arr_sparse::NULL);
        let (indices, indptr) = (indices.as_raw(), indptr.as_raw());
        call!(arr_sparse_bsr(extents[0], extents[1], data, indices, indptr, current(), &mut out));
        SparseMatrix::alone(out)
    }

    /// Returns the diagonals that have stored elements, and which they are, as [`SparseMatrix::dia`] takes them.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[1, 4], [0, 2]], SparseFormat::Csr)?;
    /// assert_eq!(a.to_dia()?, (array![[1, 2], [0, 4]], array![0i64, 1]));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_to_dia)]
    #[doc(alias = "todia")]
    #[track_caller]
    pub fn to_dia(&self) -> Result<(Array<T>, Array<i64>)> {
        let (mut data, mut offsets) = (arr_array::NULL, arr_array::NULL);
        call!(arr_sparse_to_dia(self.as_raw(), current(), &mut data, &mut offsets));
        Ok((Array::own(data), Array::own(offsets)))
    }

    /// Returns the dense blocks of that shape that have stored elements, the columns of blocks that they are in, and where
    /// each row of blocks begins, as [`SparseMatrix::bsr`] takes them.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 0, 1, 2], [0, 0, 3, 0]], SparseFormat::Csr)?;
    /// let (blocks, indices, indptr) = a.to_bsr((2, 2))?;
    /// assert_eq!(blocks, array![[[1, 2], [3, 0]]]);
    /// assert_eq!((indices.typed::<i32>()?, indptr.typed::<i32>()?), (array![1], array![0, 1]));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_to_bsr)]
    #[doc(alias = "tobsr")]
    #[track_caller]
    pub fn to_bsr(&self, block: (usize, usize)) -> Result<(Array<T>, DynArray, DynArray)> {
        let (extents, mut data) = (dims(&[block.0, block.1])?, arr_array::NULL);
        let (mut indices, mut indptr) = (arr_array::NULL, arr_array::NULL);
        let (a, stream) = (self.as_raw(), current());
        call!(arr_sparse_to_bsr(a, extents[0], extents[1], stream, &mut data, &mut indices, &mut indptr));
        Ok((Array::own(data), DynArray::own(indices), DynArray::own(indptr)))
    }
}

/// Files.
impl<T: Element> SparseMatrix<T> {
    /// Writes a .npz file in the layout of SciPy's `save_npz`; deflated if `compressed`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let path = std::env::temp_dir().join("arr_sparse_save.npz");
    /// SparseMatrix::<f64>::eye((2, 3), 0, Device::HOST)?.save_npz(&path, true)?;
    /// assert_eq!(SparseMatrix::<f64>::load_npz(&path, Device::HOST)?.shape(), (2, 3));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_save_npz)]
    #[track_caller]
    pub fn save_npz(&self, path: impl AsRef<Path>, compressed: bool) -> Result<()> {
        let (a, path) = (self.as_raw(), utf8(path.as_ref())?);
        call!(arr_sparse_save_npz(a, path.as_ptr().cast(), path.len() as i64, compressed, current()));
        Ok(())
    }

    /// Reads a matrix of `T` from a .npz file of [`SparseMatrix::save_npz`] or of SciPy.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let path = std::env::temp_dir().join("arr_sparse_load.npz");
    /// SparseMatrix::from_dense(&array![[0, 7]], SparseFormat::Coo)?.save_npz(&path, false)?;
    /// assert_eq!(SparseMatrix::<i32>::load_npz(&path, Device::HOST)?.data()?, array![7]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_load_npz)]
    #[track_caller]
    pub fn load_npz(path: impl AsRef<Path>, device: Device) -> Result<SparseMatrix<T>> {
        let (path, mut out) = (utf8(path.as_ref())?, arr_sparse::NULL);
        call!(arr_sparse_load_npz(path.as_ptr().cast(), path.len() as i64, &device.raw(), current(), &mut out));
        SparseMatrix::alone(out)
    }
}
