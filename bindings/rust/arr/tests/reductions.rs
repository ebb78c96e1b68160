// SPDX-License-Identifier: MIT
//! Reductions over all axes and some, and matrix products.
use arr::{c64, keep, s, Array, ErrorKind, IntoShape, Result};

#[test]
fn over_axes() -> Result<()> {
    let a = Array::from_vec((0..24).map(f64::from).collect(), [2, 3, 4])?;
    assert_eq!(a.sum(..).item()?, 276.0);
    assert_eq!(a.sum(0).to_vec()?, (0..12).map(|x| f64::from(2 * x + 12)).collect::<Vec<_>>());
    assert_eq!(a.sum([0, 1]).to_vec()?, [60.0, 66.0, 72.0, 78.0]);
    assert_eq!(a.max(-1).to_vec()?, [3.0, 7.0, 11.0, 15.0, 19.0, 23.0]);
    assert_eq!(a.min(&[0, 2][..]).to_vec()?, [0.0, 4.0, 8.0]);
    assert_eq!(a.mean([1, 2]).to_vec()?, [5.5, 17.5]);
    assert_eq!(a.argmax(1).to_vec()?, [2; 8]);
    assert_eq!(a.argmin(..).item()?, 0);
    assert_eq!(a.sum(keep(2)).shape(), [2, 3, 1]);
    assert_eq!(a.mean(keep(..)).shape(), [1, 1, 1]);
    let centred = &a - a.mean(keep([0, 2]));
    assert_eq!(centred.mean(..).item()?, 0.0);
    assert_eq!((a.any(..).item()?, a.all(..).item()?), (true, false));
    assert_eq!(a.slice(s![.., ..; -1, 1..; 2])?.prod(0).at([0, 0])?, 9.0 * 21.0);
    assert_eq!(a.try_sum(3).unwrap_err().kind(), ErrorKind::Shape);
    let mut out = Array::<f64>::zeros([4])?;
    a.sum_into([0, 1], &mut out)?;
    assert_eq!(out.to_vec()?, [60.0, 66.0, 72.0, 78.0]);
    Ok(())
}

#[test]
fn of_integers_and_complex_numbers() -> Result<()> {
    assert_eq!(Array::full([1000], 100i8)?.sum(..).item()?, 100_000i64);
    assert_eq!(Array::full([3], 2_000_000_000u32)?.sum(..).item()?, 6_000_000_000u64);
    assert_eq!(Array::from_slice(&[1i32, 2], [2])?.mean(..).item()?, 1.5f64);
    assert_eq!(Array::full([2], c64::new(0.0, 1.0))?.prod(..).item()?, c64::new(-1.0, 0.0));
    assert_eq!(Array::from_slice(&[true, true], [2])?.sum(..).item()?, 2i64);
    Ok(())
}

#[test]
fn products_of_matrices() -> Result<()> {
    let (x, y): (Vec<f64>, Vec<f64>) = ((0..6).map(f64::from).collect(), (0..12).map(|x| f64::from(x) - 4.0).collect());
    let mut expected = [0.0; 8];
    for (i, e) in expected.iter_mut().enumerate() {
        *e = (0..3).map(|k| x[i / 4 * 3 + k] * y[k * 4 + i % 4]).sum();
    }
    let (a, b) = (Array::from_slice(&x, [2, 3])?, Array::from_slice(&y, [3, 4])?);
    assert_eq!(a.matmul(&b)?.to_vec()?, expected);
    assert_eq!(b.t()?.matmul(&a.t()?)?.t()?.to_vec()?, expected);
    let f = Array::from_slice(&b.to_vec_in(arr::Order::F)?, [3, 4].f())?;
    assert_eq!(a.flip(&[1])?.matmul(&f.flip(&[0])?)?.to_vec()?, expected);
    let mut out = Array::<f64>::zeros([2, 4].f())?;
    a.matmul_into(&b, &mut out)?;
    assert_eq!(out.to_vec()?, expected);
    assert_eq!(a.matmul(&Array::ones([3])?)?.to_vec()?, [3.0, 12.0]);
    assert_eq!(Array::from_slice(&[1i32, 2, 3, 4], [2, 2])?.matmul(&Array::eye(2)?)?.to_vec()?, [1, 2, 3, 4]);
    let stack = a.broadcast_to(&[5, 2, 3])?.matmul(&b)?;
    assert_eq!(stack.shape(), [5, 2, 4]);
    assert_eq!(stack.slice(s![-1])?.to_vec()?, expected);
    assert_eq!(a.matmul(&a).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}
