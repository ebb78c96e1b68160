// SPDX-License-Identifier: MIT
//! Sparse matrices over ranks: each rank is a thread.
use arr::{array, cg, Array, Comm, Device, DistSparse, LinearOperator, MatrixOp, Result, SolveOptions, SparseMatrix};

/// The rows of a matrix with 4 on its diagonal and -1 beside it.
fn rows(first: usize, count: usize, n: usize) -> Result<SparseMatrix<f64>> {
    let whole = Array::<f64>::eye(n)? * 4.0;
    let mut dense = whole.to_vec()?;
    for i in 1..n {
        dense[i * n + i - 1] = -1.0;
        dense[(i - 1) * n + i] = -1.0;
    }
    let part = Array::from_slice(&dense[first * n..(first + count) * n])?.reshape([count as i64, n as i64])?;
    SparseMatrix::from_dense(&part)
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
                    let ones = Array::<f64>::ones(count as i64)?;
                    let y = a.matmul(&ones, MatrixOp::Plain)?;
                    let expected = if first == 0 { array![3.0, 2.0, 2.0, 2.0] } else { array![2.0, 3.0] };
                    assert_eq!(y, expected);
                    let mut dst = Array::<f64>::zeros(count as i64)?;
                    a.matmul_into(&mut dst, &ones, MatrixOp::Adjoint)?;
                    assert_eq!(dst, expected);
                    let options = SolveOptions { rtol: 1e-12, ..Default::default() };
                    assert!(cg(&a, &y, &options)?.x.allclose(&ones)?);
                    let local = LinearOperator::new(a.block())?.over(c)?;
                    assert_eq!(local.shape(), (count, count));
                    Ok(())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|t| t.join().expect("no panic"))
    })
}
