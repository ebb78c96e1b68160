// SPDX-License-Identifier: MIT
//! Factors of sparse matrices and triangular solves against dense equations. Without SuperLU its part is left out.
use arr::{
    array, c64, solve_cg, Array, ColumnOrder, Device, ErrorKind, FactorKind, LinearOperator, MatrixOp, Order, Result,
    SolveOptions, SparseFormat, SparseLuOptions, SparseMatrix, Triangle,
};

const N: usize = 30;

/// A matrix that is not symmetric, whose diagonal is large.
fn dense() -> Result<Array<f64>> {
    Array::from_shape_fn((N, N), |at| match (at[0], at[1]) {
        (i, j) if i == j => 6.0 + i as f64 / 7.0,
        (i, j) if i + 1 == j || j + 9 == i => -1.5,
        (i, j) if (3 * i + 5 * j) % 11 == 0 => 0.5,
        _ => 0.0,
    })
}

fn right() -> Result<Array<f64>> {
    Array::from_shape_fn((N, 3), |at| (at[0] as f64).sin() + at[1] as f64)
}

fn near(x: &Array<f64>, expected: &Array<f64>, tolerance: f64) -> Result<()> {
    let error = (x - expected).absolute().max(..).item()? / expected.absolute().max(..).item()?;
    assert!(error <= tolerance, "{error}: {x} instead of {expected}");
    Ok(())
}

/// True if the library finds SuperLU; otherwise the error says what to install.
fn superlu() -> Result<bool> {
    match SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?.lu(SparseLuOptions::default()) {
        Ok(_) => Ok(true),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
            assert!(error.text().contains("libsuperlu5"), "{error}");
            println!("skipped: {error}");
            Ok(false)
        }
    }
}

#[test]
fn solutions() -> Result<()> {
    if !superlu()? {
        return Ok(());
    }
    let (d, b) = (dense()?, right()?);
    let expected = d.solve(&b)?;
    for format in [SparseFormat::Coo, SparseFormat::Csr, SparseFormat::Csc] {
        let a = SparseMatrix::from_dense(&d, format)?;
        near(&a.solve(&b)?, &expected, 1e-13)?;
        let natural = SparseLuOptions { permc_spec: ColumnOrder::Natural, equilibrate: true, ..Default::default() };
        let symmetric = SparseLuOptions {
            permc_spec: ColumnOrder::MmdAtPlusA,
            diag_pivot_thresh: 0.0,
            symmetric_mode: true,
            ..Default::default()
        };
        for options in [SparseLuOptions::default(), natural, symmetric] {
            let factor = a.lu(options)?;
            assert_eq!((factor.kind(), factor.extent()), (FactorKind::Lu, N));
            near(&factor.solve(&b, MatrixOp::Plain)?, &expected, 1e-13)?;
            near(&factor.solve(&b, MatrixOp::Transposed)?, &d.t()?.solve(&b)?, 1e-13)?;
        }
        let factor = a.lu(SparseLuOptions::default())?;
        let again = factor.refactor(&(&a * 2.0))?;
        near(&again.solve(&b, MatrixOp::Plain)?, &(&expected / 2.0), 1e-13)?;
        let (sign, logdet) = factor.slogdet()?;
        let (dense_sign, dense_logdet) = d.slogdet()?;
        assert_eq!(sign, dense_sign);
        near(&logdet, &dense_logdet, 1e-13)?;
        let parts = factor.parts()?;
        let product = parts.lower.product(&parts.upper)?.to_dense(Order::C)?;
        let (rows, columns) = (parts.perm_r.cast::<i64>()?, parts.perm_c.cast::<i64>()?);
        near(&product.get(arr::idx![&rows])?.get(arr::idx![.., &columns])?, &d, 1e-13)?;
    }
    let whole = SparseMatrix::from_dense(&array![[2, 1], [0, 4]], SparseFormat::Csr)?;
    assert_eq!(whole.solve(&array![4, 8])?, array![1.0, 2.0]);
    let turned = array![[c64::new(0.0, 1.0), c64::new(0.0, 0.0)], [c64::new(1.0, 0.0), c64::new(2.0, 0.0)]];
    let factor = SparseMatrix::from_dense(&turned, SparseFormat::Csr)?.lu(SparseLuOptions::default())?;
    let b = array![c64::new(1.0, 0.0), c64::new(0.0, 2.0)];
    let x = factor.solve(&b, MatrixOp::Adjoint)?;
    assert!((turned.t()?.conjugate().matmul(&x)? - b).absolute().max(..).item()? < 1e-15);
    Ok(())
}

#[test]
fn preconditioners() -> Result<()> {
    let d = dense()?;
    let d = &d + d.t()?;
    let (a, b) = (SparseMatrix::from_dense(&d, SparseFormat::Csr)?, right()?.get(arr::idx![.., 0])?);
    let expected = d.solve(&b)?;
    let plain = solve_cg(&a, &b, SolveOptions { rtol: 1e-12, ..Default::default() })?.1;
    let factors = [a.ic0()?, a.ilu0()?];
    assert_eq!((factors[0].kind(), factors[1].kind()), (FactorKind::Ic0, FactorKind::Ilu0));
    assert!(factors[1].nnz() >= a.nnz() && format!("{:?}", factors[0]).starts_with("SparseFactor(Ic0, [30, 30], "));
    for factor in factors {
        let m = LinearOperator::new(&factor)?;
        near(&m.matmul(&b)?, &factor.solve(&b, MatrixOp::Plain)?, 1e-14)?;
        drop(factor); // the operator keeps it
        let (x, info) = solve_cg(&a, &b, SolveOptions { rtol: 1e-12, m: Some(&m), ..Default::default() })?;
        near(&x, &expected, 1e-10)?;
        assert!(info.converged() && info.iterations < plain.iterations, "{info:?} {plain:?}");
    }
    Ok(())
}

#[test]
fn triangles() -> Result<()> {
    let (d, b) = (dense()?, right()?);
    let a = SparseMatrix::from_dense(&d, SparseFormat::Csr)?;
    for lower in [false, true] {
        for unit_diagonal in [false, true] {
            for op in [MatrixOp::Plain, MatrixOp::Transposed, MatrixOp::Adjoint] {
                let triangle = Triangle { lower, unit_diagonal, op };
                near(&a.solve_triangular(&b, triangle)?, &d.solve_triangular(&b, triangle)?, 1e-12)?;
            }
        }
    }
    Ok(())
}

fn fails<T: std::fmt::Debug>(result: Result<T>, kind: ErrorKind, text: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.text().contains(text), "{error}");
}

#[test]
fn mistakes() -> Result<()> {
    let wide = SparseMatrix::<f64>::eye((2, 3), 0, Device::HOST)?;
    let holes = SparseMatrix::from_dense(&array![[1.0, 0.0], [1.0, 0.0]], SparseFormat::Csr)?;
    let b = array![1.0, 2.0];
    fails(wide.ilu0(), ErrorKind::Shape, "arr_sparse_ilu0: ");
    fails(holes.ilu0(), ErrorKind::Linalg, "arr_sparse_ilu0: ");
    fails((-SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?).ic0(), ErrorKind::Linalg, "arr_sparse_ic0: ");
    let lower = Triangle { lower: true, ..Default::default() };
    fails(holes.solve_triangular(&b, lower), ErrorKind::Linalg, "arr_sparse_solve_triangular: ");
    fails(wide.solve_triangular(&b, lower), ErrorKind::Shape, "arr_sparse_solve_triangular: ");
    let factor = SparseMatrix::<f64>::eye((3, 3), 0, Device::HOST)?.ilu0()?;
    fails(factor.solve(&b, MatrixOp::Plain), ErrorKind::Shape, "arr_sparse_factor_solve: ");
    fails(factor.refactor(&wide), ErrorKind::Shape, "arr_sparse_refactor: ");
    fails(factor.slogdet(), ErrorKind::Unsupported, "arr_sparse_factor_slogdet: ");
    if superlu()? {
        fails(holes.solve(&b), ErrorKind::Linalg, "arr_sparse_solve: ");
        let options = SparseLuOptions { diag_pivot_thresh: 2.0, ..Default::default() };
        fails(holes.lu(options), ErrorKind::Argument, "arr_sparse_lu: ");
    }
    Ok(())
}
