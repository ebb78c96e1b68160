// SPDX-License-Identifier: MIT
//! Numbers of the crate `num-complex` as elements of arrays.
#![cfg(feature = "num-complex")]

use arr::{array, Array, DType, Norm, Result};
use num_complex::{Complex32, Complex64};

#[test]
fn complex_numbers_are_elements() -> Result<()> {
    let i = Complex64::new(0.0, 1.0);
    let a = array![Complex64::new(1.0, 2.0), Complex64::new(3.0, -4.0)];
    assert_eq!(a.dtype(), DType::COMPLEX128);
    assert_eq!((i * &a).to_vec()?, [Complex64::new(-2.0, 1.0), Complex64::new(4.0, 3.0)]);
    assert_eq!((&a * i - i).at(1)?, Complex64::new(4.0, 2.0));
    let sizes: Array<f64> = a.absolute();
    assert_eq!(sizes.at(1)?, 5.0);
    let b = Array::from_slice(&[Complex32::new(3.0, 4.0)], [1])?;
    assert_eq!(b.dtype(), DType::COMPLEX64);
    let size: f32 = b.absolute().item()?;
    assert_eq!(size, 5.0);
    Ok(())
}

#[test]
fn transforms_and_conversions() -> Result<()> {
    let a = array![1.0, 0.0, 0.0, 0.0];
    let spectrum: Array<Complex64> = a.fft(&[], Norm::Backward)?.into();
    assert_eq!(spectrum.to_vec()?, [Complex64::new(1.0, 0.0); 4]);
    let at = spectrum.data()?;
    let own: Array<arr::c64> = spectrum.into();
    assert_eq!(own.data()?, at, "no copy");
    assert_eq!(Complex32::from(arr::c32::new(1.0, -2.0)), Complex32::new(1.0, -2.0));
    assert_eq!(arr::c64::from(Complex64::new(5.0, 6.0)), arr::c64::new(5.0, 6.0));
    Ok(())
}
