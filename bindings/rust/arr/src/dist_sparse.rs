// SPDX-License-Identifier: MIT
//! Sparse matrices whose rows are divided among ranks.

use arr_sys::{arr_array, arr_dist_sparse, arr_dist_sparse_properties, arr_linop, arr_sparse};

use crate::array::Array;
use crate::comm::{pointer, Comm};
use crate::dynarray::DynArray;
use crate::element::{sealed::Sealed, Element};
use crate::error::{call, Result};
use crate::linalg::MatrixOp;
use crate::linear_operator::{LinearOperator, ToOperator};
use crate::ops::example;
use crate::output::Output;
use crate::sparse::SparseMatrix;
use crate::stream::{current, owner};

owner!(
    /// The handle of a part, which it ends.
    Part,
    arr_dist_sparse,
    arr_dist_sparse_release
);

/// This rank's rows of a sparse matrix, and its plan of the exchange of vectors. Solvers take it as an operator, and give
/// this rank's part of the solution.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let comm = &Comm::local(1, Device::HOST)?[0];
/// let a = DistSparse::new(comm, &SparseMatrix::from_dense(&array![[4.0_f64, 1.0], [1.0, 3.0]], SparseFormat::Csr)?, &[])?;
/// let (x, _) = solve_cg(&a, &array![1.0, 2.0], SolveOptions { rtol: 1e-12, ..Default::default() })?;
/// assert!((a.matmul(&x, MatrixOp::Plain)? - array![1.0, 2.0]).to_vec()?.iter().all(|d| d.abs() < 1e-9));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DistSparse<T> {
    part: Part,
    block: SparseMatrix<T>,
}

/// Extents of a [`DistSparse`]: of all ranks, and of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DistSparseInfo {
    /// Rows and columns of all ranks.
    pub whole: (usize, usize),
    /// Stored elements of all ranks.
    pub whole_nnz: usize,
    /// Rows of this rank, and its elements of a vector that is multiplied.
    pub shape: (usize, usize),
    /// Stored elements of this rank.
    pub nnz: usize,
    /// Elements of a vector that come from other ranks for a product, and that go to them.
    pub received: usize,
    pub sent: usize,
}

impl<T: Element> DistSparse<T> {
    /// Makes a matrix of the rows of all ranks; all of them call it. `counts` is the number of elements that each rank has
    /// of a vector that is multiplied, or is empty: as many as rows.
    #[doc = example!("let one = &Comm::local(1, Device::HOST)?[0];\nassert_eq!(DistSparse::new(one, &SparseMatrix::from_dense(&array![[1.0]], SparseFormat::Csr)?, &[])?.info()?.nnz, 1);")]
    #[doc = errors!(arr_dist_sparse_create)]
    #[track_caller]
    pub fn new(comm: &Comm, rows: &SparseMatrix<T>, counts: &[i64]) -> Result<DistSparse<T>> {
        let ((n, counts), mut out) = (pointer(counts), arr_dist_sparse::NULL);
        call!(arr_dist_sparse_create(comm.as_raw(), rows.as_raw(), n, counts, current(), &mut out));
        let (part, mut block) = (Part(out), arr_sparse::NULL);
        call!(arr_dist_sparse_block(part.as_raw(), &mut block));
        Ok(DistSparse { block: SparseMatrix::alone(block)?, part })
    }

    /// Computes this rank's part of the product with a vector, or with each column of a matrix; all ranks call it.
    #[doc = example!("let one = &Comm::local(1, Device::HOST)?[0];\nassert_eq!(DistSparse::new(one, &SparseMatrix::from_dense(&array![[2.0]], SparseFormat::Csr)?, &[])?.matmul(&array![3.0], MatrixOp::Plain)?, array![6.0]);")]
    #[doc = errors!(arr_dist_sparse_matmul)]
    #[track_caller]
    pub fn matmul(&self, x: &Array<T>, op: MatrixOp) -> Result<Array<T>> {
        let mut out = arr_array::NULL;
        call!(arr_dist_sparse_matmul(self.part.as_raw(), x.as_raw(), op as i32, current(), &mut out));
        DynArray::own(out).typed()
    }

    /// Computes this rank's part of a product in an existing array.
    #[doc = example!("let one = &Comm::local(1, Device::HOST)?[0];\nlet mut y = array![0.0]; DistSparse::new(one, &SparseMatrix::from_dense(&array![[2.0]], SparseFormat::Csr)?, &[])?.matmul_into(&mut y, &array![3.0], MatrixOp::Plain)?;")]
    #[doc = errors!(arr_dist_sparse_matmul_into)]
    #[track_caller]
    pub fn matmul_into(&self, dst: &mut impl Output<T>, x: &Array<T>, op: MatrixOp) -> Result<()> {
        call!(arr_dist_sparse_matmul_into(dst.destination()?, self.part.as_raw(), x.as_raw(), op as i32, current()));
        Ok(())
    }

    /// Returns the block of this rank's rows and of the columns whose elements it has, of which a preconditioner of this rank
    /// alone is made.
    #[doc = example!("let one = &Comm::local(1, Device::HOST)?[0];\nassert_eq!(DistSparse::new(one, &SparseMatrix::from_dense(&array![[2.0]], SparseFormat::Csr)?, &[])?.block().nnz(), 1);")]
    pub fn block(&self) -> &SparseMatrix<T> {
        &self.block
    }

    /// Returns the extents of all ranks, and of this one.
    #[doc = example!("let one = &Comm::local(1, Device::HOST)?[0];\nassert_eq!(DistSparse::new(one, &SparseMatrix::from_dense(&array![[2.0]], SparseFormat::Csr)?, &[])?.info()?.whole, (1, 1));")]
    #[doc = errors!(arr_dist_sparse_info)]
    #[track_caller]
    pub fn info(&self) -> Result<DistSparseInfo> {
        let struct_size = std::mem::size_of::<arr_dist_sparse_properties>() as i64;
        let mut p = arr_dist_sparse_properties { struct_size, ..Default::default() };
        call!(arr_dist_sparse_info(self.part.as_raw(), &mut p));
        Ok(DistSparseInfo {
            whole: (p.whole_rows as usize, p.whole_columns as usize),
            whole_nnz: p.whole_nnz as usize,
            shape: (p.rows as usize, p.columns as usize),
            nnz: p.nnz as usize,
            received: p.received as usize,
            sent: p.sent as usize,
        })
    }
}

impl<T> Sealed for DistSparse<T> {}

impl<T: Element> ToOperator<T> for DistSparse<T> {
    #[track_caller]
    fn to_operator(&self) -> Result<LinearOperator<T>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_from_dist_sparse(self.part.as_raw(), &mut out));
        LinearOperator::own(out, Vec::new())
    }
}

impl<T: Element> LinearOperator<T> {
    /// Returns the operator with the same products, whose vectors are the parts of the ranks of a communicator, so that
    /// solvers combine the sums of all. All ranks call it.
    #[doc = example!("let one = &Comm::local(1, Device::HOST)?[0];\nassert_eq!(LinearOperator::<f64>::identity(2, Device::HOST)?.over(one)?.shape(), (2, 2));")]
    #[doc = errors!(arr_linop_over)]
    #[track_caller]
    pub fn over(&self, comm: &Comm) -> Result<LinearOperator<T>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_over(self.as_raw(), comm.as_raw(), &mut out));
        LinearOperator::own(out, self.memory().to_vec())
    }
}
