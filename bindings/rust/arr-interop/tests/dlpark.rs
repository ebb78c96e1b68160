// SPDX-License-Identifier: MIT
//! Tensors of the crate `dlpark`, in and out.
#![cfg(feature = "dlpark")]

use arr::{array, Array, Device, Foreign, Result};
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

#[test]
fn the_crate_deletes_a_tensor_once() -> Result<()> {
    const BYTES: i64 = 64 << 20; // more than the other test has
    let held = || Ok(Device::HOST.memory_info()?.in_use >= BYTES);
    let a = Array::<f64>::zeros([BYTES as usize / 8])?;
    let at = a.data()?;
    let tensor = SafeManagedTensorVersioned::from(a.to_dlpack()?);
    assert_eq!(tensor.flags_bits(), 0, "it may be written");
    drop(a);
    assert!(held()?, "the tensor keeps the memory");
    // SAFETY: no side writes the memory.
    let b = unsafe { Foreign::from_dlpark(tensor) }.into_array::<f64>()?;
    assert_eq!(b.data()?, at);
    let tensor = SafeManagedTensorVersioned::from(b.to_dlpack()?);
    drop(b);
    assert!(held()?, "the second tensor keeps it");
    drop(tensor);
    assert!(!held()?, "its owner has deleted it");
    Ok(())
}
