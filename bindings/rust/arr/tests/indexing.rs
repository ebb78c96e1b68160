// SPDX-License-Identifier: MIT
//! Elements at positions and where masks are true.
use arr::{Array, Bounds, Device, ErrorKind, Result};

/// The error of a call: late streams report a position out of range when one waits for them.
fn refused<T>(made: Result<T>) -> ErrorKind {
    made.and_then(|_| Device::HOST.sync()).unwrap_err().kind()
}

#[test]
fn positions() -> Result<()> {
    let a = Array::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    let at = Array::from_slice(&[2i8, 0], [2])?;
    assert_eq!(a.take(&at, 1)?.to_vec()?, [3, 1, 6, 4]);
    assert_eq!(refused(a.take(&at, 0)), ErrorKind::Argument);
    assert_eq!(a.take_with(&at, 0, Bounds::Clip)?.to_vec()?, [4, 5, 6, 1, 2, 3]);
    assert_eq!(a.take_with(&at, 0, Bounds::Wrap)?.to_vec()?, [1, 2, 3, 1, 2, 3]);
    let lines = Array::from_slice(&[-1i64, 0], [2, 1])?;
    assert_eq!(a.take_along_axis(&lines, 1)?.to_vec()?, [3, 4]);
    Ok(())
}

#[test]
fn masks() -> Result<()> {
    let a = Array::from_slice(&[1.0, 0.0, 3.0, 0.0], [2, 2])?;
    let m = Array::from_slice(&[true, true, false, true], [2, 2])?;
    assert_eq!(a.mask(&m)?.to_vec()?, [1.0, 0.0, 0.0]);
    assert_eq!(a.flatnonzero()?.to_vec()?, [0, 2]);
    assert_eq!(a.argwhere()?.to_vec()?, [0, 0, 1, 0]);
    let rows = Array::from_slice(&[false, true], [2])?;
    assert_eq!(a.compress(&rows, 0)?.to_vec()?, [3.0, 0.0]);
    assert_eq!(a.compress(&rows, 2).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn masks_of_a_given_extent() -> Result<()> {
    let a = Array::from_slice(&[1.0, 0.0, 3.0, 0.0], [2, 2])?;
    let m = Array::from_slice(&[true, true, false, true], [2, 2])?;
    let mut count = Array::from_slice(&[0i64], [])?;
    let mut picked = Array::from_slice(&[7.0; 4], [4])?;
    a.mask_sized(&m, -1.0, &mut picked, &mut count)?;
    assert_eq!(picked.to_vec()?, [1.0, 0.0, 0.0, -1.0]);
    assert_eq!(count.to_vec()?, [3]);
    let mut indices = Array::from_slice(&[7i64], [1])?;
    a.flatnonzero_sized(-1, &mut indices, &mut count)?;
    assert_eq!(indices.to_vec()?, [0]);
    assert_eq!(count.to_vec()?, [2]);
    Ok(())
}
