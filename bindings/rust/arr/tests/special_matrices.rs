// SPDX-License-Identifier: MIT
//! Special matrices and windows against their formulas.
use arr::{block_diag, c32, c64, Array, Convolve, DftScale, Element, ErrorKind, Result};

fn vector<T: Element>(x: &[T]) -> Result<Array<T>> {
    Array::from_slice(x, [x.len()])
}

fn near(a: &Array<f64>, b: &[f64]) -> Result<bool> {
    let a = a.to_vec()?;
    Ok(a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-14))
}

/// The elements of a matrix row by row.
fn entries<T>(rows: usize, columns: usize, f: impl Fn(usize, usize) -> T) -> Vec<T> {
    (0..rows * columns).map(|at| f(at / columns, at % columns)).collect()
}

fn kind<T: std::fmt::Debug>(result: Result<T>) -> ErrorKind {
    result.unwrap_err().kind()
}

#[test]
fn of_vectors() -> Result<()> {
    let (c, r) = ([1, 2, 3, 4], [9, 7, 5]);
    let (a, b) = (vector(&c)?, vector(&r)?);
    let at = |i: usize| c.get(i).copied().unwrap_or(0);
    let toeplitz = |i: usize, j: usize| if i >= j { c[i - j] } else { r[j - i] };
    assert_eq!(a.toeplitz(Some(&b))?.to_vec()?, entries(4, 3, toeplitz));
    assert_eq!(a.toeplitz(None)?.to_vec()?, entries(4, 4, |i, j| c[i.abs_diff(j)]));
    let hankel = |i: usize, j: usize| if i + j < 4 { c[i + j] } else { r[i + j - 3] };
    assert_eq!(a.hankel(Some(&b))?.to_vec()?, entries(4, 3, hankel));
    assert_eq!(a.hankel(None)?.to_vec()?, entries(4, 4, |i, j| at(i + j)));
    assert_eq!(a.circulant()?.to_vec()?, entries(4, 4, |i, j| c[(4 + i - j) % 4]));
    let leslie = |i: usize, j: usize| match i {
        0 => c[j],
        _ => i32::from(i == j + 1) * r[j.min(2)],
    };
    assert_eq!(a.leslie(&b)?.to_vec()?, entries(4, 4, leslie));
    assert_eq!(a.fiedler()?.to_vec()?, entries(4, 4, |i, j| (c[i] - c[j]).abs()));
    for (mode, top, rows) in [(Convolve::Full, 0, 6), (Convolve::Same, 1, 4), (Convolve::Valid, 2, 2)] {
        let m = a.convolution_matrix(3, mode)?;
        assert_eq!(m.to_vec()?, entries(rows, 3, |i, j| at((i + top).wrapping_sub(j))));
        assert_eq!(m.matmul(&b)?.to_vec()?, a.convolve(&b, mode)?.to_vec()?);
    }
    assert_eq!(kind(a.convolution_matrix(0, Convolve::Full)), ErrorKind::Argument);
    assert_eq!(kind(a.leslie(&a)), ErrorKind::Shape);
    Ok(())
}

#[test]
fn complex_vectors() -> Result<()> {
    let z = vector(&[c32::new(1.0, 0.0), c32::new(3.0, 4.0)])?;
    let conjugate = [c32::new(1.0, 0.0), c32::new(3.0, -4.0), c32::new(3.0, 4.0), c32::new(1.0, 0.0)];
    assert_eq!(z.toeplitz(None)?.to_vec()?, conjugate);
    let distances: Vec<f32> = z.fiedler()?.to_vec()?;
    assert!((distances[1] - 20f32.sqrt()).abs() <= 1e-6 && distances[0] == 0.0);
    Ok(())
}

#[test]
fn stacks() -> Result<()> {
    let a = Array::from_slice(&[1, 2, 3, 4], [2, 2])?;
    assert_eq!(a.circulant()?.to_vec()?, [1, 2, 2, 1, 3, 4, 4, 3]);
    assert_eq!(a.toeplitz(Some(&vector(&[0, 9])?))?.to_vec()?, [1, 9, 2, 1, 3, 9, 4, 3]);
    let cube = Array::<i32>::ones([2, 2, 2])?;
    assert_eq!(cube.tril(0)?.to_vec()?, [1, 0, 1, 1, 1, 0, 1, 1]);
    Ok(())
}

#[test]
fn companions() -> Result<()> {
    let p = vector(&[2, -12, 22, -12])?;
    assert_eq!(p.companion()?.to_vec()?, [6.0, -11.0, 6.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let five = vector(&[1.0, 2.0, 3.0, 4.0, 5.0])?.fiedler_companion()?;
    let wanted = [-2.0, -3.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -4.0, 0.0, -5.0, 0.0, 1.0, 0.0, 0.0];
    assert_eq!(five.to_vec()?, wanted);
    for zero in [vector(&[0.0, 1.0, 2.0])?.companion(), vector(&[0.0, 1.0, 2.0])?.fiedler_companion()] {
        assert_eq!(kind(zero), ErrorKind::Argument);
    }
    assert_eq!(kind(vector(&[1.0])?.companion()), ErrorKind::Shape);
    Ok(())
}

#[test]
fn triangles() -> Result<()> {
    let a = Array::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    for k in -3..4 {
        let below = |i: usize, j: usize| j as i64 - i as i64 <= k;
        let kept = |i: usize, j: usize, keep: bool| if keep { (3 * i + j + 1) as i32 } else { 0 };
        assert_eq!(a.tril(k)?.to_vec()?, entries(2, 3, |i, j| kept(i, j, below(i, j))));
        assert_eq!(a.triu(k + 1)?.to_vec()?, entries(2, 3, |i, j| kept(i, j, !below(i, j))));
        assert_eq!(Array::<i32>::tri(2, 3, k)?.to_vec()?, entries(2, 3, |i, j| i32::from(below(i, j))));
    }
    assert_eq!(a.bandwidth()?, (1, 2));
    assert_eq!(a.triu(1)?.bandwidth()?, (0, 2));
    assert_eq!(a.as_dyn().tril(0)?.bandwidth()?, (1, 0));
    assert_eq!(kind(vector(&[1])?.tril(0)), ErrorKind::Shape);
    assert_eq!(kind(vector(&[1])?.bandwidth()), ErrorKind::Shape);
    Ok(())
}

#[test]
fn blocks() -> Result<()> {
    let (a, b, c) = (Array::from_slice(&[1, 2, 3, 4], [2, 2])?, vector(&[5.5, 6.0])?, Array::scalar(7i8)?);
    let whole = block_diag(&[a.as_dyn(), b.as_dyn(), c.as_dyn()])?.typed::<f64>()?;
    assert_eq!(whole.shape(), [4, 5]);
    let rows =
        [[1.0, 2.0, 0.0, 0.0, 0.0], [3.0, 4.0, 0.0, 0.0, 0.0], [0.0, 0.0, 5.5, 6.0, 0.0], [0.0, 0.0, 0.0, 0.0, 7.0]];
    assert_eq!(whole.to_vec()?, rows.concat());
    assert_eq!(kind(block_diag(&[])), ErrorKind::Argument);
    Ok(())
}

#[test]
fn of_their_size() -> Result<()> {
    let n = 8;
    assert!(near(&Array::hilbert(n)?, &entries(n, n, |i, j| 1.0 / (i + j + 1) as f64))?);
    let sign = |i: usize, j: usize| if (i & j).count_ones() % 2 == 0 { 1 } else { -1 };
    assert_eq!(Array::<i8>::hadamard(n)?.to_vec()?, entries(n, n, sign));
    let helmert = |i: usize, j: usize| match (i, i.cmp(&j)) {
        (0, _) => 1.0 / (n as f64).sqrt(),
        (_, std::cmp::Ordering::Greater) => 1.0 / ((i * (i + 1)) as f64).sqrt(),
        (_, std::cmp::Ordering::Equal) => -(i as f64 / (i + 1) as f64).sqrt(),
        (_, std::cmp::Ordering::Less) => 0.0,
    };
    assert!(near(&Array::helmert(n, true)?, &entries(n, n, helmert))?);
    assert!(near(&Array::helmert(n, false)?, &entries(n - 1, n, |i, j| helmert(i + 1, j)))?);
    for (scale, by) in [(DftScale::Unscaled, 1.0), (DftScale::SqrtN, (n as f64).sqrt()), (DftScale::N, n as f64)] {
        let turn = |i: usize, j: usize| -2.0 * std::f64::consts::PI * (i * j) as f64 / n as f64;
        let wanted = entries(n, n, |i, j| c64::new(turn(i, j).cos() / by, turn(i, j).sin() / by));
        let found = Array::<c64>::dft(n, scale)?.to_vec()?;
        assert!(found.len() == n * n);
        assert!(found.iter().zip(&wanted).all(|(x, y)| (x.re - y.re).abs() + (x.im - y.im).abs() <= 1e-13));
    }
    assert_eq!(kind(Array::<i64>::hadamard(6)), ErrorKind::Argument);
    assert_eq!(kind(Array::<u8>::hadamard(4)), ErrorKind::DType);
    assert_eq!(kind(Array::<i64>::hilbert(3)), ErrorKind::DType);
    assert_eq!(kind(Array::<f64>::dft(3, DftScale::default())), ErrorKind::DType);
    Ok(())
}

fn bessel(x: f64) -> f64 {
    let term = |term: f64, k: i32| term * (x / 2.0 / f64::from(k)).powi(2);
    let mut last = 1.0;
    1.0 + (1..60)
        .map(|k| {
            last = term(last, k);
            last
        })
        .sum::<f64>()
}

#[test]
fn windows() -> Result<()> {
    let pi = std::f64::consts::PI;
    for n in [2usize, 7, 12] {
        let of =
            |f: &dyn Fn(f64) -> f64| -> Vec<f64> { (0..n).map(|i| f(2.0 * i as f64 / (n - 1) as f64 - 1.0)).collect() };
        assert!(near(&Array::bartlett(n)?, &of(&|t| 1.0 - t.abs()))?);
        let blackman = of(&|t| 0.42 + 0.5 * (pi * t).cos() + 0.08 * (2.0 * pi * t).cos());
        assert!(near(&Array::blackman(n)?, &blackman)?);
        assert!(near(&Array::hamming(n)?, &of(&|t| 0.54 + 0.46 * (pi * t).cos()))?);
        assert!(near(&Array::hanning(n)?, &of(&|t| 0.5 + 0.5 * (pi * t).cos()))?);
        let kaiser = of(&|t| bessel(8.6 * (1.0 - t * t).max(0.0).sqrt()) / bessel(8.6));
        assert!(near(&Array::kaiser(n, 8.6)?, &kaiser)?);
    }
    assert_eq!(Array::<f32>::kaiser(5, 0.0)?.to_vec()?, [1.0; 5]);
    assert_eq!(Array::<f32>::hanning(3)?.to_vec()?, [0.0, 1.0, 0.0]);
    assert_eq!(Array::<f64>::hamming(1)?.to_vec()?, [1.0]);
    assert_eq!(Array::<f64>::hamming(0)?.size(), 0);
    assert_eq!(kind(Array::<i32>::hamming(3)), ErrorKind::DType);
    Ok(())
}
