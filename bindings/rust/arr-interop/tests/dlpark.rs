// SPDX-License-Identifier: MIT
//! Tensors of the crate `dlpark`, in and out.
#![cfg(feature = "dlpark")]

use arr::{array, Foreign, Result};
use dlpark::SafeManagedTensorVersioned;

#[test]
fn tensors_go_through_the_crate() -> Result<()> {
    let a = array![1.0, 2.0, 3.0];
    let tensor = SafeManagedTensorVersioned::from(a.to_dlpack()?);
    // SAFETY: no side writes the memory.
    let b = unsafe { Foreign::from_dlpark(tensor) }.into_array::<f64>()?;
    assert_eq!(b.data()?, a.data()?);
    assert_eq!(b.to_vec()?, [1.0, 2.0, 3.0]);
    Ok(())
}
