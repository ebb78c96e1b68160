// SPDX-License-Identifier: MIT
//! Operators with a number make no array of it. In a separate process, since the pool counts for all threads.
use arr::{Array, Device, Result};

#[test]
fn numbers_are_no_arrays() -> Result<()> {
    let mut a = Array::full([4], 3.0f32)?;
    let before = Device::HOST.pool_info()?.allocations;
    a += 2.0;
    a *= 3.0;
    a /= 5.0;
    assert_eq!(Device::HOST.pool_info()?.allocations, before);
    assert_eq!(a.to_vec()?, [3.0; 4]);
    let mut whole = Array::full([2], 7i32)?;
    whole %= 4;
    whole <<= 2;
    assert_eq!(whole.to_vec()?, [12, 12]);
    assert_eq!((1.0 - &a).to_vec()?, [-2.0; 4]);
    Ok(())
}
