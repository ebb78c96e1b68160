// SPDX-License-Identifier: MIT
//! Sparse matrices as diagonals and as dense blocks, the parts of SciPy's `dia_array` and `bsr_array`; files.

use std::fmt;
use std::path::Path;

use arr_sys::{arr_array, arr_sparse};

use crate::array::Array;
use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::{Element, Integral};
use crate::error::{call, text_of, Result};
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

    /// Writes a MatrixMarket file. Of a matrix that has a symmetry, which is not checked, the lower triangle is written.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let path = std::env::temp_dir().join("arr_sparse_save.mtx");
    /// SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.save_mtx(&path, MtxSymmetry::Symmetric)?;
    /// assert_eq!(SparseMatrix::<f64>::load_mtx(&path, Device::HOST)?.shape(), (2, 2));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_save_mtx)]
    #[track_caller]
    pub fn save_mtx(&self, path: impl AsRef<Path>, symmetry: MtxSymmetry) -> Result<()> {
        let (a, path) = (self.as_raw(), utf8(path.as_ref())?);
        let (bytes, n, none) = (path.as_ptr().cast(), path.len() as i64, std::ptr::null());
        call!(arr_sparse_save_mtx(a, bytes, n, symmetry as i32, none, current()));
        Ok(())
    }

    /// Reads a matrix of `T` from a MatrixMarket file: reals are `f64`, integers `i64`, complex numbers `c64`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let path = std::env::temp_dir().join("arr_sparse_load.mtx");
    /// std::fs::write(&path, "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 7\n").unwrap();
    /// let a = SparseMatrix::<f64>::load_mtx(&path, Device::HOST)?;
    /// assert_eq!(a.to_dense(Order::C)?, array![[0.0, 7.0], [7.0, 0.0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_load_mtx)]
    #[track_caller]
    pub fn load_mtx(path: impl AsRef<Path>, device: Device) -> Result<SparseMatrix<T>> {
        let (path, mut out) = (utf8(path.as_ref())?, arr_sparse::NULL);
        call!(arr_sparse_load_mtx(path.as_ptr().cast(), path.len() as i64, &device.raw(), current(), &mut out));
        SparseMatrix::alone(out)
    }
}

/// The elements of a MatrixMarket file that the others follow from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum MtxSymmetry {
    /// None: all elements are written.
    #[default]
    General = arr_sys::ARR_MTX_GENERAL,
    /// Those of the lower triangle: \[j, i\] is equal to \[i, j\].
    Symmetric = arr_sys::ARR_MTX_SYMMETRIC,
    /// Those below the diagonal: \[j, i\] is the negative of \[i, j\].
    SkewSymmetric = arr_sys::ARR_MTX_SKEW_SYMMETRIC,
    /// Those of the lower triangle: \[j, i\] is the conjugate of \[i, j\].
    Hermitian = arr_sys::ARR_MTX_HERMITIAN,
}

/// Writes the format, dtype and shape, then a line for each stored element: of 50 at most, or as many as the precision says.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let a = SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?;
/// assert!(format!("{a}").starts_with("<Compressed Sparse Row sparse array of dtype 'float64'"));
/// assert!(format!("{a:.1}").ends_with(":\t:\n  (1, 1)\t1.0"));
/// # Ok(())
/// # }
/// ```
impl<T: Element> fmt::Display for SparseMatrix<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = f.precision().map_or(0, |n| i64::try_from(n).unwrap_or(i64::MAX));
        let text = text_of(|api, capacity, text, length| {
            // SAFETY: rule 3: text has `capacity` bytes or is NULL.
            unsafe { api.arr_sparse_format(self.as_raw(), most, capacity, text, length) }
        });
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}
