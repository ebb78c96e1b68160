// SPDX-License-Identifier: MIT
//! Numbers of the crate `half` as elements of arrays.
#![cfg(feature = "half")]

use arr::{array, Array, DType, Expr, Inexact, Result};
use half::{bf16, f16};

fn norm<T: Inexact>(a: &Array<T>) -> Array<T> {
    a.square().sum(..).sqrt()
}

#[test]
fn halves_are_elements() -> Result<()> {
    let a = Array::from_slice(&[f16::from_f32(1.5), f16::from_f32(-2.0)], [2])?;
    assert_eq!(a.dtype(), DType::FLOAT16);
    let b: Array<f16> = f16::from_f32(2.0) * &a + f16::from_f32(1.0);
    assert_eq!(b.to_vec()?, [f16::from_f32(4.0), f16::from_f32(-3.0)]);
    assert_eq!(norm(&b).item()?, f16::from_f32(5.0));
    let c = array![bf16::from_f32(3.0), bf16::from_f32(4.0)];
    assert_eq!(c.dtype(), DType::BFLOAT16);
    assert_eq!(norm(&c).item()?, bf16::from_f32(5.0));
    assert_eq!((&c / bf16::from_f32(2.0)).at(1)?, bf16::from_f32(2.0));
    Ok(())
}

#[test]
fn halves_stand_in_slices_expressions_and_dynamic_arrays() -> Result<()> {
    let mut a = Array::from_vec(vec![f16::from_f32(1.0); 3], [3])?;
    a.as_mut_slice()?[1] = f16::from_f32(7.0);
    assert_eq!(a.as_slice()?[1], f16::from_f32(7.0));
    let e = Expr::new(|[x]| x * f16::from_f32(0.5))?;
    assert_eq!(e.run([&a])?.typed::<f16>()?.at(1)?, f16::from_f32(3.5));
    let sum = a.clone().into_dyn() + f16::from_f32(1.0);
    assert_eq!(sum.typed::<f16>()?.at(0)?, f16::from_f32(2.0));
    Ok(())
}

#[test]
fn arrays_change_between_both_names_without_a_copy() -> Result<()> {
    let a = array![arr::f16::from_f32(0.25), arr::f16::from_f32(8.0)];
    let at = a.data()?;
    let b: Array<f16> = a.into();
    assert_eq!((b.data()?, b.at(1)?), (at, f16::from_f32(8.0)));
    let c: Array<arr::f16> = b.into();
    assert_eq!(c.data()?, at);
    assert_eq!(f16::from(c.at(0)?), f16::from_f32(0.25));
    assert_eq!(arr::bf16::from(bf16::from_f32(-3.0)).to_f32(), -3.0);
    Ok(())
}
