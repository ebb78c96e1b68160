// SPDX-License-Identifier: MIT
//! Arrays of the crate `ndarray`, in and out.
#![cfg(feature = "ndarray")]

use arr::{Array, Result};
use ndarray::{Array2, ArrayD, Axis, IxDyn, ShapeBuilder};

#[test]
fn arrays_come_and_go() -> Result<()> {
    let there = ArrayD::from_shape_vec(IxDyn(&[2, 3]), vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    let copied = Array::from_ndarray(&there)?;
    assert_eq!((copied.shape(), copied.at((1, 0))?), (&[2, 3][..], 4.0));
    let turned = Array::from_ndarray(&there.t())?;
    assert_eq!(turned.to_vec()?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    let back = (&turned * 2.0).to_ndarray()?;
    assert_eq!((back.shape(), back.iter().sum::<f64>()), (&[3, 2][..], 42.0));
    Ok(())
}

#[test]
fn views_are_of_the_same_memory() -> Result<()> {
    let mut a = Array::from([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let before = a.clone();
    let view = a.as_ndarray()?;
    assert_eq!((view.shape(), view.as_ptr()), (&[2, 3][..], a.as_slice()?.as_ptr()));
    assert_eq!(view.t().iter().copied().collect::<Vec<_>>(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    let mut view = a.as_ndarray_mut()?;
    view.invert_axis(Axis(1));
    // SAFETY: the last element of the first row.
    unsafe { *view.as_mut_ptr() = 9.0 };
    assert_eq!((a.at((0, 2))?, before.at((0, 2))?), (9.0, 3.0), "a write copies what is shared");
    assert_eq!(a.t()?.as_ndarray().err().map(|e| e.kind()), a.t()?.as_slice().err().map(|e| e.kind()));
    Ok(())
}

#[test]
fn owned_arrays_are_not_copied() -> Result<()> {
    let there = ArrayD::from_shape_vec(IxDyn(&[2, 2]), vec![1i32, 2, 3, 4]).unwrap();
    let at = there.as_ptr();
    let taken = Array::from_ndarray_owned(there)?;
    assert_eq!(taken.data()?.cast_const().cast(), at);
    assert_eq!(taken.to_vec()?, [1, 2, 3, 4]);
    let none = ArrayD::from_shape_vec(IxDyn(&[0, 3]), Vec::<f64>::new()).unwrap();
    assert_eq!(Array::from_ndarray_owned(none)?.shape(), [0, 3]);
    Ok(())
}

#[test]
fn columns_and_backward_rows_keep_their_order() -> Result<()> {
    let columns = || Array2::from_shape_vec((2, 3).f(), vec![1i64, 2, 3, 4, 5, 6]).unwrap();
    let mut backward = columns();
    backward.invert_axis(Axis(0));
    assert_eq!(Array::from_ndarray(&backward)?.to_vec()?, [2, 4, 6, 1, 3, 5]);
    let at = backward.as_ptr();
    let mut taken = Array::from_ndarray_owned(backward)?;
    assert_eq!((taken.data()?.cast_const().cast(), taken.strides()), (at, vec![-1, 2]));
    assert_eq!(taken.to_vec()?, [2, 4, 6, 1, 3, 5]);
    taken += 10;
    assert_eq!(taken.sum(..).item()?, 81);
    assert_eq!(Array::from_ndarray_owned(columns())?.to_vec()?, [1, 3, 5, 2, 4, 6]);
    Ok(())
}
