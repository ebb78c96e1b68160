// SPDX-License-Identifier: MIT
//! Sparse matrices: their parts and formats.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use arr_sys::{arr_array, arr_sparse, arr_sparse_properties};

use crate::array::Array;
use crate::device::Device;
use crate::dynarray::{DynArray, Memory};
use crate::element::{wrong_dtype, DType, Element, Integral};
use crate::error::{call, or_panic, Result};
use crate::ops::example;
use crate::random::Generator;
use crate::shape::{count, dims, Order};
use crate::stream::current;

/// The parts by which a [`SparseMatrix`] says where its elements are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum SparseFormat {
    /// Coordinates: the row and the column of each element.
    Coo = arr_sys::ARR_SPARSE_COO,
    /// Compressed rows.
    #[default]
    Csr = arr_sys::ARR_SPARSE_CSR,
    /// Compressed columns.
    Csc = arr_sys::ARR_SPARSE_CSC,
}

/// A sparse matrix of `T`: the elements that are stored, and where they are; all others are 0.
///
/// Elements of one row and column are added. No operation changes a matrix. Results share parts with their operands where
/// they can, and a write to an array that is a part of a matrix copies first. `*` is element-wise, as for arrays.
#[must_use = "operations return their results, and change no matrix"]
pub struct SparseMatrix<T> {
    handle: arr_sparse,
    about: arr_sparse_properties,
    /// That of the data, and of the indices: the same of all matrices that may share them.
    memory: [Arc<Memory>; 2],
    elements: PhantomData<T>,
}

impl<T> SparseMatrix<T> {
    /// Returns the handle, which stays the matrix's.
    #[must_use]
    pub fn as_raw(&self) -> arr_sparse {
        self.handle
    }
}

impl<T> Drop for SparseMatrix<T> {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 1: the handle is this value's own; release neither blocks nor panics.
            let _ = unsafe { api.arr_sparse_release(self.handle) };
        }
    }
}

impl<T: Element> Clone for SparseMatrix<T> {
    #[track_caller]
    fn clone(&self) -> SparseMatrix<T> {
        or_panic(self.try_clone())
    }
}

/// Format, shape, number of stored elements and their type.
impl<T> fmt::Debug for SparseMatrix<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arr_sparse_properties { rows, columns, nnz, .. } = self.about;
        let (format, dtype) = (self.format(), DType(self.about.dtype as i32));
        write!(f, "SparseMatrix({format:?}, [{rows}, {columns}], {nnz} stored, {dtype})")
    }
}

impl<T> SparseMatrix<T> {
    /// Returns the numbers of rows and columns.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 3), 0, Device::HOST)?.shape(), (2, 3));")]
    #[must_use]
    pub fn shape(&self) -> (usize, usize) {
        (self.about.rows as usize, self.about.columns as usize)
    }

    /// Returns the number of stored elements.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 3), 1, Device::HOST)?.nnz(), 2);")]
    #[must_use]
    pub fn nnz(&self) -> usize {
        self.about.nnz as usize
    }

    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 3), 0, Device::HOST)?.format(), SparseFormat::Csr);")]
    #[must_use]
    pub fn format(&self) -> SparseFormat {
        match self.about.format as i32 {
            arr_sys::ARR_SPARSE_COO => SparseFormat::Coo,
            arr_sys::ARR_SPARSE_CSC => SparseFormat::Csc,
            _ => SparseFormat::Csr,
        }
    }

    /// Returns the type of the index arrays: `DType::INT32` or `DType::INT64`.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 3), 0, Device::HOST)?.index_dtype(), DType::INT32);")]
    #[must_use]
    pub fn index_dtype(&self) -> DType {
        DType(self.about.index_dtype as i32)
    }
}

/// Creation.
impl<T: Element> SparseMatrix<T> {
    /// Owns a handle; the elements must be of `T`.
    #[track_caller]
    fn own(handle: arr_sparse, memory: [Arc<Memory>; 2]) -> Result<SparseMatrix<T>> {
        let struct_size = std::mem::size_of::<arr_sparse_properties>() as i64;
        let about = arr_sparse_properties { struct_size, ..Default::default() };
        let mut made = SparseMatrix { handle, about, memory, elements: PhantomData };
        call!(arr_sparse_info(handle, &mut made.about));
        let dtype = DType(made.about.dtype as i32);
        if dtype != T::DTYPE {
            return Err(wrong_dtype(dtype, T::DTYPE));
        }
        Ok(made)
    }

    pub(crate) fn memory(&self) -> &[Arc<Memory>; 2] {
        &self.memory
    }

    /// Owns a handle to a matrix whose parts nobody shares.
    #[track_caller]
    pub(crate) fn alone(handle: arr_sparse) -> Result<SparseMatrix<T>> {
        SparseMatrix::own(handle, [Arc::new(Memory::None), Arc::new(Memory::None)])
    }

    /// Owns a handle to a matrix whose parts may be those of this one.
    #[track_caller]
    pub(crate) fn sharing<U: Element>(&self, handle: arr_sparse) -> Result<SparseMatrix<U>> {
        SparseMatrix::own(handle, self.memory.clone())
    }

    /// Owns a handle to a matrix whose indices may be those of this one.
    #[track_caller]
    pub(crate) fn sharing_indices<U: Element>(&self, handle: arr_sparse) -> Result<SparseMatrix<U>> {
        SparseMatrix::own(handle, [Arc::new(Memory::None), Arc::clone(&self.memory[1])])
    }

    /// Makes a matrix of parts by a call that gets the index arrays.
    #[track_caller]
    fn from_parts(
        data: &DynArray,
        indices: [&DynArray; 2],
        make: impl FnOnce(arr_array, arr_array) -> Result<arr_sparse>,
    ) -> Result<SparseMatrix<T>> {
        let [a, b] = indices;
        if Arc::ptr_eq(a.memory(), b.memory()) {
            let memory = [data, a].map(|part| Arc::clone(part.memory()));
            return SparseMatrix::own(make(a.as_raw(), b.as_raw())?, memory);
        }
        // Parts of different matrices are copied, so that no memory has owners whose number grows.
        let part = |x: &DynArray| matches!(**x.memory(), Memory::Arrays(_));
        let copied = |x: &DynArray| part(x).then(|| x.copy(Order::C)).transpose();
        let (a_copy, b_copy) = (copied(a)?, copied(b)?);
        let [a, b] = [a_copy.as_ref().unwrap_or(a), b_copy.as_ref().unwrap_or(b)];
        let owners = [a, b].map(|x| Arc::clone(x.memory()));
        let owners = owners.into_iter().filter(|m| matches!(**m, Memory::None)).collect(); // the library copies vectors
        let memory = [Arc::clone(data.memory()), Arc::new(Memory::Arrays(owners))];
        SparseMatrix::own(make(a.as_raw(), b.as_raw())?, memory)
    }

    /// Makes a matrix of coordinates: element k is in row `row[k]` and column `col[k]`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::coo((2, 3), &array![5.0, 6.0], &array![0, 1], &array![2, 0])?;
    /// assert_eq!(a.to_dense(Order::C)?, array![[0.0, 0.0, 5.0], [6.0, 0.0, 0.0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_coo)]
    #[doc(alias = "coo_matrix")]
    #[doc(alias = "coo_array")]
    #[track_caller]
    pub fn coo<I: Integral>(
        shape: (usize, usize),
        data: &Array<T>,
        row: &Array<I>,
        col: &Array<I>,
    ) -> Result<SparseMatrix<T>> {
        let (extents, d) = (dims(&[shape.0, shape.1])?, data.as_raw());
        SparseMatrix::from_parts(data.as_dyn(), [row, col], |row, col| {
            let mut out = arr_sparse::NULL;
            call!(arr_sparse_coo(extents[0], extents[1], d, row, col, current(), &mut out));
            Ok(out)
        })
    }

    /// Makes a matrix of compressed rows: element k for `indptr[i] <= k < indptr[i + 1]` is in row i and column
    /// `indices[k]`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::csr((2, 3), &array![5.0, 6.0], &array![2, 0], &array![0, 1, 2])?;
    /// assert_eq!(a.to_dense(Order::C)?, array![[0.0, 0.0, 5.0], [6.0, 0.0, 0.0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_csr)]
    #[doc(alias = "csr_matrix")]
    #[doc(alias = "csr_array")]
    #[track_caller]
    pub fn csr<I: Integral, P: Integral>(
        shape: (usize, usize),
        data: &Array<T>,
        indices: &Array<I>,
        indptr: &Array<P>,
    ) -> Result<SparseMatrix<T>> {
        let (extents, d) = (dims(&[shape.0, shape.1])?, data.as_raw());
        SparseMatrix::from_parts(data.as_dyn(), [indices, indptr], |indices, indptr| {
            let mut out = arr_sparse::NULL;
            call!(arr_sparse_csr(extents[0], extents[1], d, indices, indptr, current(), &mut out));
            Ok(out)
        })
    }

    /// Makes a matrix of compressed columns: element k for `indptr[j] <= k < indptr[j + 1]` is in column j and row
    /// `indices[k]`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::csc((2, 3), &array![6.0, 5.0], &array![1, 0], &array![0, 1, 1, 2])?;
    /// assert_eq!(a.to_dense(Order::C)?, array![[0.0, 0.0, 5.0], [6.0, 0.0, 0.0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_csc)]
    #[doc(alias = "csc_matrix")]
    #[doc(alias = "csc_array")]
    #[track_caller]
    pub fn csc<I: Integral, P: Integral>(
        shape: (usize, usize),
        data: &Array<T>,
        indices: &Array<I>,
        indptr: &Array<P>,
    ) -> Result<SparseMatrix<T>> {
        let (extents, d) = (dims(&[shape.0, shape.1])?, data.as_raw());
        SparseMatrix::from_parts(data.as_dyn(), [indices, indptr], |indices, indptr| {
            let mut out = arr_sparse::NULL;
            call!(arr_sparse_csc(extents[0], extents[1], d, indices, indptr, current(), &mut out));
            Ok(out)
        })
    }

    /// Makes a canonical matrix of the elements of an array that are not 0.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 7], [8, 0]], SparseFormat::Csr)?;
    /// assert_eq!(a.data()?, array![7, 8]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_from_dense)]
    #[track_caller]
    pub fn from_dense(a: &Array<T>, format: SparseFormat) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_from_dense(a.as_raw(), format as i32, current(), &mut out));
        SparseMatrix::alone(out)
    }

    /// Makes a canonical matrix of random elements at random indices: the nearest integer to `density` times the number of
    /// all elements. Floats are uniform in \[0, 1), integers over their range.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::<f32>::random(&Generator::new(1)?, (30, 10), 0.1, SparseFormat::Csr, Device::HOST)?;
    /// assert!(a.nnz() == 30 && a.max(..).item()? < 1.0);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_random)]
    #[doc(alias = "random_array")]
    #[track_caller]
    pub fn random(
        generator: &Generator,
        shape: (usize, usize),
        density: f64,
        format: SparseFormat,
        device: Device,
    ) -> Result<SparseMatrix<T>> {
        let (extents, d, at) = (dims(&[shape.0, shape.1])?, T::DTYPE.code(), device.raw());
        let (g, format, mut out) = (generator.as_raw(), format as i32, arr_sparse::NULL);
        call!(arr_sparse_random(g, extents[0], extents[1], density, format, d, &at, current(), &mut out));
        SparseMatrix::alone(out)
    }

    /// Makes a matrix with ones on diagonal k, in compressed rows: 0 is the main one, 1 the one above it.
    #[doc = example!("assert_eq!(SparseMatrix::eye((2, 2), 1, Device::HOST)?.to_dense(Order::C)?, array![[0, 1], [0, 0]]);")]
    #[doc = errors!(arr_sparse_eye)]
    #[doc(alias = "identity")]
    #[track_caller]
    pub fn eye(shape: (usize, usize), k: i64, device: Device) -> Result<SparseMatrix<T>> {
        let (extents, mut out) = (dims(&[shape.0, shape.1])?, arr_sparse::NULL);
        call!(arr_sparse_eye(extents[0], extents[1], k, T::DTYPE.code(), &device.raw(), current(), &mut out));
        SparseMatrix::alone(out)
    }

    /// Makes a matrix of diagonals, in compressed rows: of each its number, 0 for the main one and 1 for the one above it,
    /// and its elements, or one that is repeated.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::diags((3, 3), &[(0, &array![2, 3, 4]), (-1, &array![-1])])?;
    /// assert_eq!(a.to_dense(Order::C)?, array![[2, 0, 0], [-1, 3, 0], [0, -1, 4]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_diags)]
    #[doc(alias = "diags_array")]
    #[track_caller]
    pub fn diags(shape: (usize, usize), diagonals: &[(i64, &Array<T>)]) -> Result<SparseMatrix<T>> {
        let (extents, n) = (dims(&[shape.0, shape.1])?, count(diagonals.len())?);
        let (offsets, vectors): (Vec<i64>, Vec<arr_array>) = diagonals.iter().map(|(k, d)| (*k, d.as_raw())).unzip();
        let (vectors, offsets, mut out) = (vectors.as_ptr(), offsets.as_ptr(), arr_sparse::NULL);
        call!(arr_sparse_diags(extents[0], extents[1], n, vectors, offsets, current(), &mut out));
        SparseMatrix::alone(out)
    }

    /// Returns another handle of the matrix; `clone` panics where this returns an error.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.try_clone()?.nnz(), 2);")]
    #[doc = errors!(arr_sparse_retain)]
    #[track_caller]
    pub fn try_clone(&self) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_retain(self.handle, &mut out));
        self.sharing(out)
    }
}

/// Parts, without a copy. An array that is written is copied first, so a matrix of other elements is a new one.
impl<T: Element> SparseMatrix<T> {
    #[track_caller]
    fn part(&self, part: i32) -> Result<DynArray> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_part(self.handle, part, &mut out));
        let memory = &self.memory[usize::from(part != arr_sys::ARR_SPARSE_PART_DATA)];
        Ok(DynArray::with_memory(out, Arc::clone(memory)))
    }

    /// Returns the device of the parts.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.device()?, Device::HOST);")]
    #[doc = errors!(arr_sparse_part)]
    #[track_caller]
    pub fn device(&self) -> Result<Device> {
        Ok(self.data()?.device())
    }

    /// Returns the stored elements.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.data()?, array![1.0, 1.0]);")]
    #[doc = errors!(arr_sparse_part)]
    #[track_caller]
    pub fn data(&self) -> Result<Array<T>> {
        self.part(arr_sys::ARR_SPARSE_PART_DATA).map(Array::from_dyn)
    }

    /// Returns the row of each element, of coordinates.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 7], [8, 0]], SparseFormat::Coo)?;
    /// assert_eq!(a.row()?.typed::<i32>()?, array![0, 1]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_part)]
    #[track_caller]
    pub fn row(&self) -> Result<DynArray> {
        self.part(arr_sys::ARR_SPARSE_PART_ROW)
    }

    /// Returns the column of each element, of coordinates.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 7], [8, 0]], SparseFormat::Coo)?;
    /// assert_eq!(a.col()?.typed::<i32>()?, array![1, 0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_part)]
    #[track_caller]
    pub fn col(&self) -> Result<DynArray> {
        self.part(arr_sys::ARR_SPARSE_PART_COL)
    }

    /// Returns the index of each element in its row or column, of compressed formats.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.indices()?.typed::<i32>()?, array![0, 1]);")]
    #[doc = errors!(arr_sparse_part)]
    #[track_caller]
    pub fn indices(&self) -> Result<DynArray> {
        self.part(arr_sys::ARR_SPARSE_PART_INDICES)
    }

    /// Returns where each row or column begins, of compressed formats; the last number is that of the elements.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.indptr()?.typed::<i32>()?, array![0, 1, 2]);")]
    #[doc = errors!(arr_sparse_part)]
    #[track_caller]
    pub fn indptr(&self) -> Result<DynArray> {
        self.part(arr_sys::ARR_SPARSE_PART_INDPTR)
    }

    /// Makes a matrix of the same elements with other values, in the order of [`SparseMatrix::data`]. Indices are shared.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0, 7], [8, 0]], SparseFormat::Csr)?;
    /// assert_eq!(a.with_data(&array![1.5, 2.5])?.to_dense(Order::C)?, array![[0.0, 1.5], [2.5, 0.0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_with_data)]
    #[track_caller]
    pub fn with_data<U: Element>(&self, data: &Array<U>) -> Result<SparseMatrix<U>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_with_data(self.handle, data.as_raw(), current(), &mut out));
        SparseMatrix::own(out, [Arc::clone(data.as_dyn().memory()), Arc::clone(&self.memory[1])])
    }

    /// True if the elements are in order of rows and then of columns, or in `Csc` the other way round, and no two of one row
    /// and column.
    #[doc = example!("assert!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.is_canonical()?);")]
    #[doc = errors!(arr_sparse_is_canonical)]
    #[doc(alias = "has_canonical_format")]
    #[track_caller]
    pub fn is_canonical(&self) -> Result<bool> {
        let mut canonical = false;
        call!(arr_sparse_is_canonical(self.handle, current(), &mut canonical));
        Ok(canonical)
    }
}

/// Conversions.
impl<T: Element> SparseMatrix<T> {
    /// Makes an array of all elements.
    #[doc = example!("assert_eq!(SparseMatrix::eye((2, 2), 0, Device::HOST)?.to_dense(Order::F)?, array![[1, 0], [0, 1]]);")]
    #[doc = errors!(arr_sparse_to_dense)]
    #[doc(alias = "toarray")]
    #[doc(alias = "todense")]
    #[track_caller]
    pub fn to_dense(&self, order: Order) -> Result<Array<T>> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_to_dense(self.handle, order.code(), current(), &mut out));
        Ok(Array::own(out))
    }

    /// Converts to another format; compressed ones are canonical then.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let twice = SparseMatrix::coo((2, 2), &array![5.0, 6.0], &array![1, 1], &array![0, 0])?;
    /// assert_eq!(twice.convert(SparseFormat::Csc)?.data()?, array![11.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_convert)]
    #[doc(alias = "tocsr")]
    #[doc(alias = "tocsc")]
    #[doc(alias = "tocoo")]
    #[track_caller]
    pub fn convert(&self, format: SparseFormat) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_convert(self.handle, format as i32, current(), &mut out));
        self.sharing(out)
    }

    /// Returns the matrix with elements of `U`, as [`Array::cast`] does.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.cast::<u8>()?.data()?, array![1u8, 1]);")]
    #[doc = errors!(arr_sparse_astype)]
    #[doc(alias = "astype")]
    #[track_caller]
    pub fn cast<U: Element>(&self) -> Result<SparseMatrix<U>> {
        let (dtype, casting, mut out) = (U::DTYPE.code(), arr_sys::ARR_CAST_UNSAFE, arr_sparse::NULL);
        call!(arr_sparse_astype(self.handle, dtype, casting, current(), &mut out));
        self.sharing(out)
    }

    /// Makes the canonical matrix of the same format: elements in order, those of one row and column added.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let twice = SparseMatrix::coo((2, 2), &array![5, 6], &array![1, 1], &array![0, 0])?;
    /// assert_eq!(twice.sum_duplicates()?.data()?, array![11]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_sum_duplicates)]
    #[track_caller]
    pub fn sum_duplicates(&self) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_sum_duplicates(self.handle, current(), &mut out));
        self.sharing(out)
    }

    /// Removes stored elements that are 0.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::coo((2, 2), &array![5, 0], &array![0, 1], &array![0, 1])?;
    /// assert_eq!(a.eliminate_zeros()?.nnz(), 1);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_eliminate_zeros)]
    #[track_caller]
    pub fn eliminate_zeros(&self) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_eliminate_zeros(self.handle, current(), &mut out));
        self.sharing(out)
    }

    /// Returns the transpose, which shares the parts: compressed rows become compressed columns.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 3), 0, Device::HOST)?.t()?.format(), SparseFormat::Csc);")]
    #[doc = errors!(arr_sparse_transpose)]
    #[doc(alias = "transpose")]
    #[track_caller]
    pub fn t(&self) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_transpose(self.handle, &mut out));
        self.sharing(out)
    }
}
