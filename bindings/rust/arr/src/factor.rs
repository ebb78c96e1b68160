// SPDX-License-Identifier: MIT
//! Linear equations with sparse matrices: factors, triangular solves.

use std::fmt;
use std::marker::PhantomData;

use arr_sys::{arr_array, arr_sparse, arr_sparse_factor, arr_sparse_factor_properties, arr_sparse_lu_options};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{wrong_dtype, DType, Element};
use crate::error::{call, or_panic, Result};
use crate::linalg::{MatrixOp, Triangle};
use crate::ops::example;
use crate::sparse::SparseMatrix;
use crate::stream::current;

/// The order of the columns of a matrix that is factored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum ColumnOrder {
    /// Approximate minimum degree of columns.
    #[default]
    Colamd = arr_sys::ARR_PERMC_COLAMD,
    /// As they are.
    Natural = arr_sys::ARR_PERMC_NATURAL,
    /// Minimum degree in the pattern of a^T a.
    MmdAta = arr_sys::ARR_PERMC_MMD_ATA,
    /// Minimum degree in the pattern of a^T + a, for symmetric patterns.
    MmdAtPlusA = arr_sys::ARR_PERMC_MMD_AT_PLUS_A,
}

/// Options of LU factors of sparse matrices.
#[derive(Clone, Copy, Debug)]
pub struct SparseLuOptions {
    /// The element of the diagonal is the pivot if it has at least this part, 0 to 1, of the largest magnitude of its
    /// column; 1 is partial pivoting.
    pub diag_pivot_thresh: f64,
    pub permc_spec: ColumnOrder,
    /// Rows and columns are scaled first if their magnitudes differ much.
    pub equilibrate: bool,
    /// The tree of a^T + a is used, not of a^T a; for a small `diag_pivot_thresh`.
    pub symmetric_mode: bool,
}

impl Default for SparseLuOptions {
    fn default() -> Self {
        let permc_spec = ColumnOrder::default();
        SparseLuOptions { diag_pivot_thresh: 1.0, permc_spec, equilibrate: false, symmetric_mode: false }
    }
}

impl SparseLuOptions {
    fn raw(&self) -> arr_sparse_lu_options {
        arr_sparse_lu_options {
            struct_size: std::mem::size_of::<arr_sparse_lu_options>() as i64,
            diag_pivot_thresh: &self.diag_pivot_thresh,
            permc_spec: self.permc_spec as i32,
            equilibrate: i32::from(self.equilibrate),
            symmetric_mode: i32::from(self.symmetric_mode),
            ..Default::default()
        }
    }
}

/// The method by which factors were computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FactorKind {
    /// [`SparseMatrix::lu`].
    Lu,
    /// [`SparseMatrix::ilu0`].
    Ilu0,
    /// [`SparseMatrix::ic0`].
    Ic0,
    /// [`SparseMatrix::cholesky`].
    Cholesky,
    /// [`SparseMatrix::ldl`].
    Ldl,
    /// [`SparseMatrix::ilut`].
    Ilut,
}

/// The order of rows and columns in which a Hermitian matrix is factored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum FillOrder {
    /// Approximate minimum degree.
    #[default]
    Amd = arr_sys::ARR_FILL_AMD,
    /// As they are.
    Natural = arr_sys::ARR_FILL_NATURAL,
}

/// Options of [`SparseMatrix::ilut`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IlutOptions {
    /// Elements below this part of the largest magnitude of their row are dropped, 0 to 1.
    pub drop_tol: f64,
    /// The most elements that the factors may have, as a multiple of those of the matrix.
    pub fill_factor: f64,
    /// The element of the diagonal is the pivot if it has at least this part of the largest magnitude, 0 to 1.
    pub diag_pivot_thresh: f64,
    /// The order of rows, and of columns before they are exchanged.
    pub order: FillOrder,
}

/// 1e-4, 10, 0.1, approximate minimum degree.
impl Default for IlutOptions {
    fn default() -> Self {
        IlutOptions { drop_tol: 1e-4, fill_factor: 10.0, diag_pivot_thresh: 0.1, order: FillOrder::default() }
    }
}

/// The factors of a sparse matrix, to solve equations with many right-hand sides; never changed.
///
/// ```no_run
/// use arr::*;
/// # fn main() -> Result<()> {
/// let a = SparseMatrix::from_dense(&array![[2.0, 1.0], [0.0, 4.0]], SparseFormat::Csc)?;
/// let factor = a.lu(SparseLuOptions::default())?;
/// assert_eq!(factor.solve(&array![4.0, 8.0], MatrixOp::Plain)?, array![1.0, 2.0]);
/// # Ok(())
/// # }
/// ```
pub struct SparseFactor<T> {
    handle: arr_sparse_factor,
    about: arr_sparse_factor_properties,
    elements: PhantomData<T>,
}

impl<T> Drop for SparseFactor<T> {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 1: the handle is this value's own; release neither blocks nor panics.
            let _ = unsafe { api.arr_sparse_factor_release(self.handle) };
        }
    }
}

/// Kind, extent, number of elements and their type.
impl<T> fmt::Debug for SparseFactor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arr_sparse_factor_properties { n, nnz, dtype, .. } = self.about;
        write!(f, "SparseFactor({:?}, [{n}, {n}], {nnz} stored, {})", self.kind(), DType(dtype as i32))
    }
}

impl<T> SparseFactor<T> {
    /// Returns the handle, which stays the factors'.
    #[must_use]
    pub fn as_raw(&self) -> arr_sparse_factor {
        self.handle
    }

    /// Returns the number of rows and of columns.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.ilu0()?.extent(), 2);")]
    #[must_use]
    pub fn extent(&self) -> usize {
        self.about.n as usize
    }

    /// Returns the number of elements of both factors, with zeros that fill blocks.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.ilu0()?.kind(), FactorKind::Ilu0);")]
    #[must_use]
    pub fn nnz(&self) -> usize {
        self.about.nnz as usize
    }

    /// Returns how the factors were computed.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.ic0()?.kind(), FactorKind::Ic0);")]
    #[must_use]
    pub fn kind(&self) -> FactorKind {
        match self.about.kind as i32 {
            arr_sys::ARR_FACTOR_ILU0 => FactorKind::Ilu0,
            arr_sys::ARR_FACTOR_IC0 => FactorKind::Ic0,
            arr_sys::ARR_FACTOR_CHOLESKY => FactorKind::Cholesky,
            arr_sys::ARR_FACTOR_LDL => FactorKind::Ldl,
            arr_sys::ARR_FACTOR_ILUT => FactorKind::Ilut,
            _ => FactorKind::Lu,
        }
    }
}

/// The matrices and permutations of a factorization.
#[derive(Debug)]
#[non_exhaustive]
pub struct SparseFactorParts<T> {
    /// L, in compressed columns, with ones on its diagonal except of [`SparseMatrix::ic0`] and
    /// [`SparseMatrix::cholesky`].
    pub lower: SparseMatrix<T>,
    /// U, the adjoint of L, or D times it after [`SparseMatrix::ldl`], in compressed columns.
    pub upper: SparseMatrix<T>,
    /// Element (i, j) of the matrix is element (`perm_r[i]`, `perm_c[j]`) of L U.
    pub perm_r: Array<i32>,
    pub perm_c: Array<i32>,
}

/// Solutions.
impl<T: Element> SparseFactor<T> {
    /// Owns a handle; the elements must be of `T`.
    #[track_caller]
    fn own(handle: arr_sparse_factor) -> Result<SparseFactor<T>> {
        let struct_size = std::mem::size_of::<arr_sparse_factor_properties>() as i64;
        let about = arr_sparse_factor_properties { struct_size, ..Default::default() };
        let mut made = SparseFactor { handle, about, elements: PhantomData };
        call!(arr_sparse_factor_info(handle, &mut made.about));
        let dtype = DType(made.about.dtype as i32);
        if dtype != T::DTYPE {
            return Err(wrong_dtype(dtype, T::DTYPE));
        }
        Ok(made)
    }

    /// Solves op(a) x = b for a vector or the columns of a matrix.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[2.0, 0.0], [2.0, 4.0]], SparseFormat::Csr)?;
    /// let factor = a.ilu0()?;
    /// assert_eq!(factor.solve(&array![4.0, 8.0], MatrixOp::Plain)?, array![2.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_factor_solve)]
    #[track_caller]
    pub fn solve(&self, b: &Array<T>, op: MatrixOp) -> Result<Array<T>> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_factor_solve(self.handle, b.as_raw(), op as i32, current(), &mut out));
        DynArray::own(out).typed()
    }

    /// Solves op(a) x = b for a sparse b; some columns at a time are dense. The result is in compressed columns.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[4.0, 2.0], [2.0, 5.0]], SparseFormat::Csr)?;
    /// let x = a.cholesky(false, FillOrder::Amd)?.solve_sparse(&a, MatrixOp::Plain)?;
    /// assert_eq!(x.to_dense(Order::C)?, array![[1.0, 0.0], [0.0, 1.0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_factor_solve_sparse)]
    #[track_caller]
    pub fn solve_sparse(&self, b: &SparseMatrix<T>, op: MatrixOp) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_factor_solve_sparse(self.handle, b.as_raw(), op as i32, current(), &mut out));
        SparseMatrix::alone(out)
    }

    /// Returns another handle of the same factors; `clone` panics where this returns an error.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.ilu0()?.try_clone()?.extent(), 2);")]
    #[doc = errors!(arr_sparse_factor_retain)]
    #[track_caller]
    pub fn try_clone(&self) -> Result<SparseFactor<T>> {
        let mut out = arr_sparse_factor::NULL;
        call!(arr_sparse_factor_retain(self.handle, &mut out));
        SparseFactor::own(out)
    }

    /// Computes the factors of a matrix with other values of the same elements. The order of columns is not searched again.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[2.0, 0.0], [2.0, 4.0]], SparseFormat::Csr)?;
    /// let factor = a.ilu0()?.refactor(&(&a * 2.0))?;
    /// assert_eq!(factor.solve(&array![4.0, 8.0], MatrixOp::Plain)?, array![1.0, 0.5]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_refactor)]
    #[track_caller]
    pub fn refactor(&self, a: &SparseMatrix<T>) -> Result<SparseFactor<T>> {
        let mut out = arr_sparse_factor::NULL;
        call!(arr_sparse_refactor(self.handle, a.as_raw(), current(), &mut out));
        SparseFactor::own(out)
    }

    /// Returns the factors as matrices, and the permutations.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.ilu0()?.parts()?.lower.nnz(), 2);")]
    #[doc = errors!(arr_sparse_factor_parts)]
    #[track_caller]
    pub fn parts(&self) -> Result<SparseFactorParts<T>> {
        let (mut lower, mut upper) = (arr_sparse::NULL, arr_sparse::NULL);
        let (mut perm_r, mut perm_c) = (arr_array::NULL, arr_array::NULL);
        let stream = current();
        call!(arr_sparse_factor_parts(self.handle, stream, &mut lower, &mut upper, &mut perm_r, &mut perm_c));
        let [lower, upper] = [lower, upper].map(SparseMatrix::alone);
        let [perm_r, perm_c] = [perm_r, perm_c].map(Array::own);
        Ok(SparseFactorParts { lower: lower?, upper: upper?, perm_r, perm_c })
    }

    /// Computes the sign and the logarithm of the magnitude of the determinant, from factors of [`SparseMatrix::lu`] without
    /// `equilibrate`.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?;
    /// let (sign, logdet) = a.lu(SparseLuOptions::default())?.slogdet()?;
    /// assert_eq!((sign.item()?, logdet.item()?), (1.0, 0.0));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_factor_slogdet)]
    #[track_caller]
    pub fn slogdet(&self) -> Result<(Array<T>, Array<T::Real>)> {
        let (mut sign, mut logdet) = (arr_array::NULL, arr_array::NULL);
        call!(arr_sparse_factor_slogdet(self.handle, current(), &mut sign, &mut logdet));
        Ok((DynArray::own(sign).typed()?, DynArray::own(logdet).typed()?))
    }
}

/// Another handle of the same factors.
impl<T: Element> Clone for SparseFactor<T> {
    fn clone(&self) -> Self {
        or_panic(self.try_clone())
    }
}

/// Factors, and equations.
impl<T: Element> SparseMatrix<T> {
    /// Solves a x = b by LU factors with the default options, for a vector or the columns of a matrix. It needs SuperLU.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[2.0, 1.0], [0.0, 4.0]], SparseFormat::Csr)?;
    /// assert_eq!(a.solve(&array![4.0, 8.0])?, array![1.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_solve)]
    #[doc(alias = "spsolve")]
    #[track_caller]
    pub fn solve(&self, b: &Array<T>) -> Result<Array<T::Solution>> {
        let mut out = arr_array::NULL;
        call!(arr_sparse_solve(self.as_raw(), b.as_raw(), current(), &mut out));
        DynArray::own(out).typed()
    }

    /// Solves a system with a triangle of the matrix; elements of the other triangle are not read.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[2.0, 9.0], [1.0, 1.0]], SparseFormat::Csr)?;
    /// let lower = Triangle { lower: true, ..Default::default() };
    /// assert_eq!(a.solve_triangular(&array![2.0, 3.0], lower)?, array![1.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_solve_triangular)]
    #[doc(alias = "spsolve_triangular")]
    #[track_caller]
    pub fn solve_triangular(&self, b: &Array<T>, triangle: Triangle) -> Result<Array<T::Solution>> {
        let (flags, op, mut out) = (triangle.flags(), triangle.op as i32, arr_array::NULL);
        call!(arr_sparse_solve_triangular(self.as_raw(), b.as_raw(), flags, op, current(), &mut out));
        DynArray::own(out).typed()
    }

    /// Computes the LU factors. It needs SuperLU.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[2.0, 1.0], [0.0, 4.0]], SparseFormat::Csc)?;
    /// let options = SparseLuOptions { permc_spec: ColumnOrder::Natural, ..Default::default() };
    /// assert_eq!(a.lu(options)?.solve(&array![4.0, 8.0], MatrixOp::Plain)?, array![1.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_lu)]
    #[doc(alias = "splu")]
    #[track_caller]
    pub fn lu(&self, options: SparseLuOptions) -> Result<SparseFactor<T::Solution>> {
        let mut out = arr_sparse_factor::NULL;
        call!(arr_sparse_lu(self.as_raw(), &options.raw(), current(), &mut out));
        SparseFactor::own(out)
    }

    /// Solves a x = b for a sparse b by LU factors with the default options; in compressed columns. It needs SuperLU.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[2.0, 1.0], [0.0, 4.0]], SparseFormat::Csr)?;
    /// assert_eq!(a.solve_sparse(&a)?.to_dense(Order::C)?, array![[1.0, 0.0], [0.0, 1.0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_solve_sparse)]
    #[track_caller]
    pub fn solve_sparse(&self, b: &SparseMatrix<T>) -> Result<SparseMatrix<T::Solution>> {
        let mut out = arr_sparse::NULL;
        call!(arr_sparse_solve_sparse(self.as_raw(), b.as_raw(), current(), &mut out));
        SparseMatrix::alone(out)
    }

    /// Computes the Cholesky factor of a Hermitian, positive definite matrix, of which one triangle is read, the upper one if `upper`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[4.0, 0.0], [2.0, 5.0]], SparseFormat::Csr)?;
    /// let factor = a.cholesky(false, FillOrder::Natural)?;
    /// assert_eq!(factor.parts()?.lower.to_dense(Order::C)?, array![[2.0, 0.0], [1.0, 2.0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_cholesky)]
    #[track_caller]
    pub fn cholesky(&self, upper: bool, order: FillOrder) -> Result<SparseFactor<T::Solution>> {
        let mut out = arr_sparse_factor::NULL;
        call!(arr_sparse_cholesky(self.as_raw(), upper, order as i32, current(), &mut out));
        SparseFactor::own(out)
    }

    /// Computes the factors L D L^H of a Hermitian matrix, of which one triangle is read, the upper one if `upper`. Rows are not exchanged for the sake of
    /// pivots: a matrix that is neither definite nor quasi-definite may have a pivot of about 0, which is an error.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[2.0, 4.0], [4.0, -1.0]], SparseFormat::Csr)?;
    /// let factor = a.ldl(false, FillOrder::Amd)?;
    /// assert_eq!(factor.solve(&array![6.0, 3.0], MatrixOp::Plain)?, array![1.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_ldl)]
    #[doc(alias = "ldlt")]
    #[track_caller]
    pub fn ldl(&self, upper: bool, order: FillOrder) -> Result<SparseFactor<T::Solution>> {
        let mut out = arr_sparse_factor::NULL;
        call!(arr_sparse_ldl(self.as_raw(), upper, order as i32, current(), &mut out));
        SparseFactor::own(out)
    }

    /// Computes incomplete LU factors with elements only where the matrix has some. Rows are not exchanged.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.ilu0()?.extent(), 2);")]
    #[doc = errors!(arr_sparse_ilu0)]
    #[track_caller]
    pub fn ilu0(&self) -> Result<SparseFactor<T::Solution>> {
        let mut out = arr_sparse_factor::NULL;
        call!(arr_sparse_ilu0(self.as_raw(), current(), &mut out));
        SparseFactor::own(out)
    }

    /// Computes incomplete LU factors with thresholds: rows are eliminated one after the other, and what is small is dropped from
    /// each.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[4.0, 1.0], [1.0, 4.0]], SparseFormat::Csr)?;
    /// let factor = a.ilut(IlutOptions { drop_tol: 0.0, ..Default::default() })?;
    /// assert_eq!(factor.solve(&array![5.0, 5.0], MatrixOp::Plain)?, array![1.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_ilut)]
    #[doc(alias = "spilu")]
    #[track_caller]
    pub fn ilut(&self, options: IlutOptions) -> Result<SparseFactor<T::Solution>> {
        let IlutOptions { drop_tol, fill_factor, diag_pivot_thresh, order } = options;
        let (order, mut out) = (order as i32, arr_sparse_factor::NULL);
        call!(arr_sparse_ilut(self.as_raw(), drop_tol, fill_factor, diag_pivot_thresh, order, current(), &mut out));
        SparseFactor::own(out)
    }

    /// Computes an incomplete Cholesky factor of a Hermitian matrix, with elements only where the matrix has some; the lower
    /// triangle is read.
    #[doc = example!("assert_eq!(SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.ic0()?.extent(), 2);")]
    #[doc = errors!(arr_sparse_ic0)]
    #[track_caller]
    pub fn ic0(&self) -> Result<SparseFactor<T::Solution>> {
        let mut out = arr_sparse_factor::NULL;
        call!(arr_sparse_ic0(self.as_raw(), current(), &mut out));
        SparseFactor::own(out)
    }
}
