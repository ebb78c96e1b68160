// SPDX-License-Identifier: MIT
//! Equations and decompositions against numbers worked out by hand and against their defining equations.
use arr::{c32, c64, Array, Element, ErrorKind, MatrixNorm, MatrixOp, Result, Triangle};

fn matrix() -> Result<Array<f64>> {
    Array::from_slice(&[2.0, 1.0, 1.0, 3.0], [2, 2])
}

fn near(a: &Array<f64>, b: &[f64]) -> Result<bool> {
    let a = a.to_vec()?;
    Ok(a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-12))
}

/// True if the elements of a complex array are these numbers, in any order.
fn contains(a: &[c64], wanted: &[c64]) -> bool {
    a.len() == wanted.len()
        && wanted.iter().all(|w| a.iter().any(|x| (x.re - w.re).abs() + (x.im - w.im).abs() <= 1e-12))
}

#[test]
fn equations() -> Result<()> {
    let (a, b) = (matrix()?, Array::from_slice(&[3.0, 4.0], [2])?);
    assert!(near(&a.solve(&b)?, &[1.0, 1.0])?);
    assert!(near(&a.inv()?, &[0.6, -0.2, -0.2, 0.4])?);
    assert!(near(&a.det()?, &[5.0])?);
    let (sign, logdet) = a.slogdet()?;
    assert!(near(&sign, &[1.0])? && near(&logdet, &[5f64.ln()])?);
    let factors = a.as_dyn().lu_factor()?;
    for op in [MatrixOp::Plain, MatrixOp::Transposed, MatrixOp::Adjoint] {
        assert!(near(&factors.solve(b.as_dyn(), op)?.typed()?, &[1.0, 1.0])?);
    }
    let lower = Triangle { lower: true, ..Triangle::default() };
    assert!(near(&a.solve_triangular(&b, Triangle::default())?, &[5.0 / 6.0, 4.0 / 3.0])?);
    assert!(near(&a.solve_triangular(&b, lower)?, &[1.5, 2.5 / 3.0])?);
    assert!(near(&a.solve_triangular(&b, Triangle { unit_diagonal: true, ..lower })?, &[3.0, 1.0])?);
    let op = MatrixOp::Transposed;
    assert!(near(&a.solve_triangular(&b, Triangle { op, ..lower })?, &[5.0 / 6.0, 4.0 / 3.0])?);
    let nilpotent = Array::from_slice(&[0, 2, 0, 0], [2, 2])?;
    assert!(near(&nilpotent.expm()?, &[1.0, 2.0, 0.0, 1.0])?);
    let squared = a.matmul(&a)?;
    assert!(near(&squared.sqrtm()?.real(), &[2.0, 1.0, 1.0, 3.0])?);
    assert!(near(&squared.fractional_matrix_power(0.5)?.real(), &[2.0, 1.0, 1.0, 3.0])?);
    assert!(near(&a.expm()?.logm()?.real(), &[2.0, 1.0, 1.0, 3.0])?);
    let diagonal = Array::from_slice(&[-2.0, 0.0, 0.0, 0.5], [2, 2])?;
    assert!(near(&diagonal.signm()?, &[-1.0, 0.0, 0.0, 1.0])?);
    assert!(near(&diagonal.cosm()?, &[2f64.cos(), 0.0, 0.0, 0.5f64.cos()])?);
    assert!(near(&diagonal.sinhm()?, &[-2f64.sinh(), 0.0, 0.0, 0.5f64.sinh()])?);
    let (exponential, along) = diagonal.expm_frechet(&diagonal)?;
    assert!(near(&exponential, &[(-2f64).exp(), 0.0, 0.0, 0.5f64.exp()])?);
    assert!(near(&along, &[-2.0 * (-2f64).exp(), 0.0, 0.0, 0.5 * 0.5f64.exp()])?);
    let (u, p) = diagonal.polar(false)?;
    assert!(near(&u, &[-1.0, 0.0, 0.0, 1.0])? && near(&p, &[2.0, 0.0, 0.0, 0.5])?);
    let q = Array::from_slice(&[4.0, 0.0, 0.0, 3.0], [2, 2])?;
    assert!(near(&diagonal.solve_sylvester(&diagonal, &q)?, &[-1.0, 0.0, 0.0, 3.0])?);
    assert!(near(&diagonal.solve_continuous_lyapunov(&q)?, &[-1.0, 0.0, 0.0, 3.0])?);
    assert!(near(&diagonal.solve_discrete_lyapunov(&q)?, &[-4.0 / 3.0, 0.0, 0.0, 4.0])?);
    let (t, q) = a.schur()?;
    let back = q.matmul(&t)?.matmul(&q.conjugate().matrix_transpose()?)?;
    assert!(near(&back.real(), &[2.0, 1.0, 1.0, 3.0])?);
    Ok(())
}

#[test]
fn tensors() -> Result<()> {
    // a[i, j, k] x[k] = b[i, j] with four equations: the matrix of the first two axes.
    let a = Array::from_slice(
        &[2.0, 0.0, 0.0, 1.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0, 16.0],
        [2, 2, 4],
    )?;
    let b = Array::from_slice(&[3.0, 4.0, 8.0, 16.0], [2, 2])?;
    assert!(near(&a.as_dyn().tensorsolve(b.as_dyn(), &[])?.typed()?, &[1.0, 1.0, 1.0, 1.0])?);
    let turned = a.as_dyn().permute(&[2, 0, 1])?; // x's axis first
    assert!(near(&turned.tensorsolve(b.as_dyn(), &[0])?.typed()?, &[1.0, 1.0, 1.0, 1.0])?);
    let inverse = a.as_dyn().tensorinv(2)?.typed::<f64>()?;
    assert_eq!(inverse.shape(), [4, 2, 2]);
    assert!(near(&inverse.tensordot(&b, &[(1, 0), (2, 1)])?, &[1.0, 1.0, 1.0, 1.0])?);
    assert_eq!(kind(a.as_dyn().tensorinv(1)), ErrorKind::Shape);
    Ok(())
}

#[test]
fn stacks() -> Result<()> {
    let a = Array::from_slice(&[2.0f32, 0.0, 0.0, 4.0, 1.0, 1.0, 0.0, 1.0], [2, 2, 2])?;
    assert_eq!(a.inv()?.to_vec()?, [0.5, 0.0, 0.0, 0.25, 1.0, -1.0, 0.0, 1.0]);
    assert_eq!(a.det()?.to_vec()?, [8.0, 1.0]);
    assert_eq!(a.matrix_rank(None)?.to_vec()?, [2, 2]);
    assert_eq!(a.matrix_rank(Some(3.0))?.to_vec()?, [1, 0]);
    Ok(())
}

#[test]
fn least_squares() -> Result<()> {
    let a = Array::from_slice(&[1.0, 0.0, 0.0, 1.0, 0.0, 0.0], [3, 2])?;
    let found = a.as_dyn().lstsq(Array::from_slice(&[1.0, 2.0, 3.0], [3])?.as_dyn(), None)?;
    assert!(near(&found.x.typed()?, &[1.0, 2.0])?);
    assert!(near(&found.residuals.typed()?, &[9.0])?);
    assert_eq!(found.rank.item()?, 2);
    assert!(near(&found.s.typed()?, &[1.0, 1.0])?);
    assert!(near(&a.pinv(None)?, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0])?);
    let d = Array::from_slice(&[4.0, 0.0, 0.0, 1.0], [2, 2])?;
    assert!(near(&d.pinv(Some(0.5))?, &[0.25, 0.0, 0.0, 0.0])?);
    assert!(near(&d.cond(MatrixNorm::P(2.0))?, &[4.0])?);
    assert!(near(&d.cond(MatrixNorm::Frobenius)?, &[17f64.sqrt() * 1.0625f64.sqrt()])?);
    assert!(near(&matrix()?.matrix_norm(MatrixNorm::P(1.0))?, &[4.0])?);
    assert!(near(&matrix()?.matrix_norm(MatrixNorm::default())?, &[15f64.sqrt()])?);
    assert!(near(&d.matrix_norm(MatrixNorm::Nuclear)?, &[5.0])?);
    Ok(())
}

#[test]
fn decompositions() -> Result<()> {
    let a = matrix()?;
    let whole = a.to_vec()?;
    let l = a.cholesky()?;
    assert!(near(&l.matmul(&l.t()?)?, &whole)? && l.at([0, 1])? == 0.0);
    let (q, r) = a.qr()?;
    assert!(near(&q.matmul(&r)?, &whole)? && near(&q.t()?.matmul(&q)?, &[1.0, 0.0, 0.0, 1.0])?);
    let (p, l, u) = Array::from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [3, 2])?.lu()?;
    assert!(near(&p.matmul(&l)?.matmul(&u)?, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?);
    let root = 5f64.sqrt();
    let wanted = [(5.0 - root) / 2.0, (5.0 + root) / 2.0];
    let (values, vectors) = a.eigh()?;
    assert!(near(&values, &wanted)? && near(&a.eigvalsh()?, &wanted)?);
    assert!(near(&a.matmul(&vectors)?, &(&vectors * &values).to_vec()?)?);
    assert!(near(&a.svdvals()?, &[wanted[1], wanted[0]])?);
    let wide = Array::from_slice(&[3.0, 0.0, 0.0, 0.0, 2.0, 0.0], [2, 3])?;
    let (u, s, vh) = wide.svd(false)?;
    assert_eq!((u.shape(), s.to_vec()?, vh.shape()), (&[2, 2][..], vec![3.0, 2.0], &[2, 3][..]));
    assert!(near(&(&u * &s).matmul(&vh)?, &wide.to_vec()?)?);
    assert_eq!(wide.svd(true)?.2.shape(), [3, 3]);
    Ok(())
}

#[test]
fn complex_results() -> Result<()> {
    let turn = Array::from_slice(&[0.0, -1.0, 1.0, 0.0], [2, 2])?;
    let wanted = [c64::new(0.0, 1.0), c64::new(0.0, -1.0)];
    assert!(contains(&turn.as_dyn().eigvals()?.typed::<c64>()?.to_vec()?, &wanted));
    let (values, vectors) = turn.as_dyn().eig()?;
    let (values, vectors) = (values.typed::<c64>()?, vectors.typed::<c64>()?);
    assert!(contains(&values.to_vec()?, &wanted));
    let (left, right) = (turn.cast::<c64>()?.matmul(&vectors)?.to_vec()?, (&vectors * &values).to_vec()?);
    assert!(left.iter().zip(&right).all(|(x, y)| (x.re - y.re).abs() + (x.im - y.im).abs() <= 1e-12));
    let h =
        Array::from_slice(&[c32::new(2.0, 0.0), c32::new(0.0, -1.0), c32::new(0.0, 1.0), c32::new(2.0, 0.0)], [2, 2])?;
    let values: Vec<f32> = h.eigvalsh()?.to_vec()?;
    assert!((values[0] - 1.0).abs() < 1e-6 && (values[1] - 3.0).abs() < 1e-6);
    Ok(())
}

fn kind<T: std::fmt::Debug>(result: Result<T>) -> ErrorKind {
    result.unwrap_err().kind()
}

fn filled<T: Element>(x: T) -> Result<Array<T>> {
    Array::full([2, 2], x)
}

#[test]
fn without_result() -> Result<()> {
    let (singular, b) = (filled(1.0f64)?, Array::from_slice(&[3.0, 4.0], [2])?);
    assert_eq!(kind(singular.inv()), ErrorKind::Linalg);
    let error = singular.solve(&b).unwrap_err();
    assert_eq!((error.kind(), error.text().contains("singular")), (ErrorKind::Linalg, true));
    assert_eq!(kind(filled(0.0f64)?.solve_triangular(&b, Triangle::default())), ErrorKind::Linalg);
    assert_eq!(kind(Array::from_slice(&[1.0, 2.0, 2.0, 1.0], [2, 2])?.cholesky()), ErrorKind::Linalg);
    assert_eq!(singular.det()?.item()?, 0.0);
    assert_eq!(singular.slogdet()?.1.item()?, f64::NEG_INFINITY);
    assert_eq!(kind(singular.as_dyn().lstsq(Array::<f64>::zeros([3])?.as_dyn(), None)), ErrorKind::Shape);
    assert_eq!(kind(Array::<f64>::zeros([2, 3])?.inv()), ErrorKind::Shape);
    assert_eq!(kind(b.qr()), ErrorKind::Shape);
    assert_eq!(kind(filled(arr::f16::from_f32(1.0))?.svdvals()), ErrorKind::DType);
    assert_eq!(kind(matrix()?.cond(MatrixNorm::P(3.0))), ErrorKind::Argument);
    Ok(())
}
