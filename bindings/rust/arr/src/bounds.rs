// SPDX-License-Identifier: MIT
//! Bounds for generic code: element types whose results have the same type.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::element::{Element, Number, Ordered};
use crate::numbers::{bf16, c32, c64, f16};

/// Floats and complex numbers: roots, quotients, sums and means have the same type.
///
/// ```no_run
/// use arr::{Array, Inexact, Result};
///
/// /// A step of Newton's method for a x = b.
/// fn refine<T: Inexact>(a: &Array<T>, b: &Array<T>, x: &Array<T>) -> Result<Array<T>> {
///     Ok(x + a.solve(&(b - a.matmul(x)?))?)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a float or a complex number",
    label = "expected f16, bf16, f32, f64, c32 or c64",
    note = "convert the array: `a.cast::<f64>()?`"
)]
pub trait Inexact:
    Number + Element<Itself = Self, Lifted = Self, Float = Self, Angle = Self, Quotient = Self, Sum = Self, Mean = Self>
{
}

/// Floats: `f16`, `bf16`, `f32` and `f64`.
///
/// ```no_run
/// use arr::{Array, Float};
///
/// fn softplus<T: Float>(a: &Array<T>) -> Array<T> {
///     a.exp().log1p()
/// }
/// fn distances<T: Float>(a: &Array<T>, b: &Array<T>) -> Array<T> {
///     let d = a - b;
///     (&d * &d).sum(-1).sqrt()
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a float",
    label = "expected f16, bf16, f32 or f64",
    note = "convert the array: `a.cast::<f64>()?`"
)]
pub trait Float: Inexact + Ordered + Element<Real = Self> + PartialOrd + From<f32> + Into<f64> {
    /// The nearest number of this type.
    fn from_f64(x: f64) -> Self;

    fn to_f64(self) -> f64 {
        self.into()
    }
}

/// Floats that Rust computes with: `f32` and `f64`.
///
/// ```no_run
/// use arr::{Array, Real};
///
/// fn scale<T: Real>(a: &Array<T>, from: T, to: T) -> Array<T> {
///     (a - from) * (T::from_f64(1.0) / (to - from))
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a float that Rust computes with",
    label = "expected f32 or f64",
    note = "convert the array: `a.cast::<f64>()?`"
)]
pub trait Real:
    Float
    + Element<Solution = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
{
}

impl Inexact for f16 {}
impl Inexact for bf16 {}
impl Inexact for f32 {}
impl Inexact for f64 {}
impl Inexact for c32 {}
impl Inexact for c64 {}

impl Float for f16 {
    fn from_f64(x: f64) -> f16 {
        f16::from_f32(narrowed(x))
    }
}

impl Float for bf16 {
    fn from_f64(x: f64) -> bf16 {
        bf16::from_f32(narrowed(x))
    }
}

impl Float for f32 {
    fn from_f64(x: f64) -> f32 {
        x as f32
    }
}

impl Float for f64 {
    fn from_f64(x: f64) -> f64 {
        x
    }
}

impl Real for f32 {}
impl Real for f64 {}

/// A number to be rounded again: to odd, so that the second rounding goes as one from all digits would.
fn narrowed(x: f64) -> f32 {
    let nearest = x as f32;
    let back = f64::from(nearest);
    if back == x || !nearest.is_finite() {
        return nearest;
    }
    // Towards zero, then the last bit is set: neither a tie nor another side of one can come of it.
    let bits = if back.abs() > x.abs() { nearest.to_bits() - 1 } else { nearest.to_bits() };
    f32::from_bits(bits | 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_doubles_are_rounded_once() {
        let above = 1.0 + 2f64.powi(-11) + 2f64.powi(-40); // more than halfway between two halves
        assert_eq!(f16::from_f64(above).to_bits(), 0x3c01);
        assert_eq!(f16::from_f64(1.0 + 2f64.powi(-11)).to_bits(), 0x3c00);
        assert_eq!(f16::from_f64(1.0 + 2f64.powi(-11) - 2f64.powi(-40)).to_bits(), 0x3c00);
        assert_eq!(bf16::from_f64(-(1.0 + 2f64.powi(-8) + 2f64.powi(-45))).to_bits(), 0xbf81);
        assert_eq!(f16::from_f64(1e300).to_bits(), 0x7c00);
        assert!(f16::from_f64(f64::NAN).to_f32().is_nan());
        assert_eq!(f16::from_f64(65504.0).to_f64(), 65504.0);
        assert_eq!(f32::from_f64(0.1), 0.1f32);
    }
}
