// SPDX-License-Identifier: MIT
//! Elements at positions and where masks are true.
use arr::{Array, Bounds, ErrorKind, Result};

#[test]
fn positions() -> Result<()> {
    let a = Array::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    let at = Array::from_slice(&[2i8, 0], [2])?;
    assert_eq!(a.take(&at, 1)?.to_vec()?, [3, 1, 6, 4]);
    assert_eq!(a.take(&at, 0).unwrap_err().kind(), ErrorKind::Argument);
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
