// SPDX-License-Identifier: MIT
//! Distinct elements, membership and set operations.
use arr::UniqueOrder::{Ascending, Occurrence};
use arr::{Array, ErrorKind, Result};

#[test]
fn distinct() -> Result<()> {
    let a = Array::from_slice(&[3i32, 1, 3, 2, 1, 3], [2, 3])?;
    assert_eq!(a.unique(.., Ascending)?.to_vec()?, [1, 2, 3]);
    assert_eq!(a.unique(.., Occurrence)?.to_vec()?, [3, 1, 2]);
    let all = a.unique_all(.., Occurrence)?;
    assert_eq!(all.values.to_vec()?, [3, 1, 2]);
    assert_eq!(all.indices.to_vec()?, [0, 1, 3]);
    assert_eq!(all.inverse.shape(), [2, 3]);
    assert_eq!(all.inverse.to_vec()?, [0, 1, 0, 2, 1, 0]);
    assert_eq!(all.counts.to_vec()?, [3, 2, 1]);
    let (values, counts) = a.unique_counts()?;
    assert_eq!(values.to_vec()?, [1, 2, 3]);
    assert_eq!(counts.to_vec()?, [2, 1, 3]);
    let rows = Array::from_slice(&[2u8, 1, 1, 9, 2, 1], [3, 2])?;
    assert_eq!(rows.unique(0, Ascending)?.to_vec()?, [1, 9, 2, 1]);
    assert_eq!(rows.unique(2, Ascending).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn sets() -> Result<()> {
    let a = Array::from_slice(&[4.0f64, 1.0, 4.0, f64::NAN], [4])?;
    let b = Array::from_slice(&[4.0f64, 2.0, f64::NAN], [3])?;
    assert_eq!(a.isin(&b)?.to_vec()?, [true, false, true, false]);
    assert_eq!(a.not_in(&b)?.to_vec()?, [false, true, false, true]);
    assert_eq!(a.intersect1d(&b)?.to_vec()?, [4.0]);
    assert_eq!(a.union1d(&b)?.to_vec()?[..3], [1.0, 2.0, 4.0]);
    assert_eq!(a.union1d(&b)?.to_vec()?.len(), 4);
    assert_eq!(a.setdiff1d(&b)?.to_vec()?[..1], [1.0]);
    assert_eq!(a.setxor1d(&b)?.to_vec()?[..2], [1.0, 2.0]);
    assert_eq!(a.as_dyn().unique_counts()?.0.shape(), [3]);
    Ok(())
}
