// SPDX-License-Identifier: MIT
//! Sparse matrices over ranks: each rank is a thread.
use arr::{array, solve_cg, Array, Comm, Device, DistSparse, LinearOperator, MatrixOp, Result, SolveOptions};
use arr::{SparseFormat, SparseMatrix};

/// The rows of a matrix with 4 on its diagonal and -1 beside it.
fn rows(first: usize, count: usize, n: usize) -> Result<SparseMatrix<f64>> {
    let element = |i: usize, j: usize| {
        if i == j {
            4.0
        } else if i.abs_diff(j) == 1 {
            -1.0
        } else {
            0.0
        }
    };
    let dense = Array::from_shape_fn((count, n), |at| element(at[0] + first, at[1]))?;
    SparseMatrix::from_dense(&dense, SparseFormat::Csr)
}

#[test]
fn products_and_solutions() -> Result<()> {
    let (ranks, n) = (Comm::local(2, Device::HOST)?, 6);
    let parts = [(0, 4), (4, 2)];
    std::thread::scope(|s| {
        let threads: Vec<_> = ranks
            .iter()
            .zip(parts)
            .map(|(c, (first, count))| {
                s.spawn(move || -> Result<()> {
                    let a = DistSparse::new(c, &rows(first, count, n)?, &[])?;
                    let info = a.info()?;
                    assert_eq!((info.whole, info.shape, info.received), ((n, n), (count, count), 1));
                    assert_eq!((info.whole_nnz, info.sent), (16, 1));
                    let ones = Array::<f64>::ones(count)?;
                    let y = a.matmul(&ones, MatrixOp::Plain)?;
                    let expected = if first == 0 { array![3.0, 2.0, 2.0, 2.0] } else { array![2.0, 3.0] };
                    assert_eq!(y, expected);
                    let mut dst = Array::<f64>::zeros(count)?;
                    a.matmul_into(&mut dst, &ones, MatrixOp::Adjoint)?;
                    assert_eq!(dst, expected);
                    let (x, solved) = solve_cg(&a, &y, SolveOptions { rtol: 1e-12, ..Default::default() })?;
                    assert!(solved.converged() && (x - ones).to_vec()?.iter().all(|d| d.abs() < 1e-9));
                    let local = LinearOperator::new(a.block())?.over(c)?;
                    assert_eq!(local.shape(), (count, count));
                    Ok(())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|t| t.join().expect("no panic"))
    })
}
