// SPDX-License-Identifier: MIT
//! Sorts along an axis.
use arr::Direction::{Ascending, Descending};
use arr::{Array, DynArray, ErrorKind, Result};

#[test]
fn sorts() -> Result<()> {
    let a = Array::from_slice(&[3i32, 1, 2, 9, 7, 8], [2, 3])?;
    assert_eq!(a.sort(-1, Ascending)?.to_vec()?, [1, 2, 3, 7, 8, 9]);
    assert_eq!(a.sort(0, Descending)?.to_vec()?, [9, 7, 8, 3, 1, 2]);
    assert_eq!(a.sort(.., Descending)?.to_vec()?, [9, 8, 7, 3, 2, 1]);
    assert_eq!(a.argsort(1, Ascending)?.to_vec()?, [1, 2, 0, 1, 2, 0]);
    let mut b = a.clone();
    b.sort_in_place(1, Ascending)?;
    assert_eq!(b.to_vec()?, [1, 2, 3, 7, 8, 9]);
    assert_eq!(a.sort(2, Ascending).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn order() -> Result<()> {
    let a = Array::from_slice(&[f64::NAN, 0.0, -0.0, 2.0, f64::NEG_INFINITY], [5])?;
    assert_eq!(a.argsort(0, Ascending)?.to_vec()?, [4, 1, 2, 3, 0]);
    assert_eq!(a.argsort(0, Descending)?.to_vec()?, [3, 1, 2, 4, 0]);
    let (values, indices) = a.topk(2, 0, Descending)?;
    assert_eq!(values.to_vec()?, [2.0, 0.0]);
    assert_eq!(indices.to_vec()?, [3, 1]);
    let (first, last) = (Array::from_slice(&[2u8, 1, 1], [3])?, Array::from_slice(&[1i64, 1, 0], [3])?);
    let indices = DynArray::lexsort(&[first.as_dyn(), last.as_dyn()], 0)?;
    assert_eq!(indices.typed::<i64>()?.to_vec()?, [2, 1, 0]);
    Ok(())
}
