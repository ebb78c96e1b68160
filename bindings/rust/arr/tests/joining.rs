// SPDX-License-Identifier: MIT
//! Arrays joined, repeated, rolled and within borders.
use arr::{concatenate, concatenate_dyn, stack, Array, DType, ErrorKind, Pad, Result};

fn matrix(x: &[i32], rows: usize) -> Result<Array<i32>> {
    Array::from_slice(x, [rows, x.len() / rows])
}

#[test]
fn joined() -> Result<()> {
    let (a, b) = (matrix(&[1, 2, 3, 4], 2)?, matrix(&[5, 6], 1)?);
    let below = concatenate(&[&a, &b, &a], 0)?;
    assert_eq!(below.shape(), [5, 2]);
    assert_eq!(below.to_vec()?, [1, 2, 3, 4, 5, 6, 1, 2, 3, 4]);
    assert_eq!(concatenate(&[&a, &a], -1)?.to_vec()?, [1, 2, 1, 2, 3, 4, 3, 4]);
    let deep = stack(&[&a, &a], -1)?;
    assert_eq!(deep.shape(), [2, 2, 2]);
    assert_eq!(deep.to_vec()?, [1, 1, 2, 2, 3, 3, 4, 4]);
    let halves = Array::from_slice(&[0.5f32, 1.5], [1, 2])?;
    let mixed = concatenate_dyn(&[a.as_dyn(), halves.as_dyn()], 0)?;
    assert_eq!(mixed.dtype(), DType::FLOAT64);
    assert_eq!(concatenate(&[&a, &b], 1).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(concatenate::<i32>(&[], 0).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(stack(&[&a, &b], 0).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn repeated_and_rolled() -> Result<()> {
    let a = matrix(&[1, 2, 3, 4], 2)?;
    assert_eq!(a.tile(&[1, 2])?.to_vec()?, [1, 2, 1, 2, 3, 4, 3, 4]);
    assert_eq!(a.repeat(2, Some(0))?.to_vec()?, [1, 2, 1, 2, 3, 4, 3, 4]);
    assert_eq!(a.repeat(2, None)?.to_vec()?, [1, 1, 2, 2, 3, 3, 4, 4]);
    assert_eq!(a.roll(&[(1, 0)])?.to_vec()?, [3, 4, 1, 2]);
    assert_eq!(a.roll(&[(1, 0), (-3, 1)])?.to_vec()?, [4, 3, 2, 1]);
    assert_eq!(a.repeat(-1, None).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(a.roll(&[(1, 2)]).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn borders() -> Result<()> {
    let a = matrix(&[1, 2, 3, 4], 2)?;
    assert_eq!(a.pad(&[(0, 1), (1, 0)], Pad::Zeros)?.to_vec()?, [0, 1, 2, 0, 3, 4, 0, 0, 0]);
    assert_eq!(a.pad(&[(0, 0), (1, 1)], Pad::Wrap)?.to_vec()?, [2, 1, 2, 1, 4, 3, 4, 3]);
    assert_eq!(a.pad(&[(0, 0), (1, 1)], Pad::Reflect)?.to_vec()?, [2, 1, 2, 1, 4, 3, 4, 3]);
    assert_eq!(a.pad(&[(-1, 0), (0, 0)], Pad::Edge).unwrap_err().kind(), ErrorKind::Argument);
    Ok(())
}
