// SPDX-License-Identifier: MIT
//! Element types that Rust's standard library lacks: half precision and complex numbers.

use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// IEEE half precision, as its 16 bits. Convert to `f32` to compute on the host.
#[allow(non_camel_case_types)]
#[repr(transparent)]
#[derive(Clone, Copy, Default)]
pub struct f16(pub u16);

/// Brain floating point: the upper half of an `f32`, as its 16 bits.
#[allow(non_camel_case_types)]
#[repr(transparent)]
#[derive(Clone, Copy, Default)]
pub struct bf16(pub u16);

impl f16 {
    #[must_use]
    pub const fn from_bits(bits: u16) -> f16 {
        f16(bits)
    }

    #[must_use]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// Rounds to the nearest `f16`, ties to even.
    #[must_use]
    pub fn from_f32(x: f32) -> f16 {
        let bits = x.to_bits();
        let sign = ((bits >> 16) & 0x8000) as u16;
        let magnitude = bits & 0x7fff_ffff;
        if magnitude > 0x7f80_0000 {
            return f16(sign | 0x7e00 | ((magnitude >> 13) & 0x3ff) as u16);
        }
        if magnitude >= 0x477f_f000 {
            return f16(sign | 0x7c00); // 65520 and more round to infinity
        }
        if magnitude >= 0x3880_0000 {
            let rounded = magnitude + 0xfff + ((magnitude >> 13) & 1);
            return f16(sign | ((rounded - 0x3800_0000) >> 13) as u16);
        }
        // Subnormal halves: adding 0.5 leaves the number in units of 2^-24 in the low bits, rounded by hardware.
        let shifted = f32::from_bits(magnitude) + 0.5;
        f16(sign | (shifted.to_bits() - 0.5f32.to_bits()) as u16)
    }

    #[must_use]
    pub fn to_f32(self) -> f32 {
        let sign = u32::from(self.0 & 0x8000) << 16;
        let magnitude = u32::from(self.0 & 0x7fff);
        let bits = match magnitude {
            0..=0x3ff => (magnitude as f32 * 2.0f32.powi(-24)).to_bits(),
            0x400..=0x7bff => (magnitude << 13) + 0x3800_0000,
            _ => 0x7f80_0000 | ((magnitude & 0x3ff) << 13),
        };
        f32::from_bits(sign | bits)
    }
}

impl bf16 {
    #[must_use]
    pub const fn from_bits(bits: u16) -> bf16 {
        bf16(bits)
    }

    #[must_use]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// Rounds to the nearest `bf16`, ties to even.
    #[must_use]
    pub fn from_f32(x: f32) -> bf16 {
        let bits = x.to_bits();
        if x.is_nan() {
            return bf16((bits >> 16) as u16 | 0x40);
        }
        bf16(((bits + 0x7fff + ((bits >> 16) & 1)) >> 16) as u16)
    }

    #[must_use]
    pub fn to_f32(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }
}

macro_rules! half {
    ($type:ident) => {
        impl From<f32> for $type {
            fn from(x: f32) -> $type {
                $type::from_f32(x)
            }
        }
        impl From<$type> for f32 {
            fn from(x: $type) -> f32 {
                x.to_f32()
            }
        }
        impl From<$type> for f64 {
            fn from(x: $type) -> f64 {
                f64::from(x.to_f32())
            }
        }
        impl PartialEq for $type {
            fn eq(&self, other: &$type) -> bool {
                self.to_f32() == other.to_f32()
            }
        }
        impl PartialOrd for $type {
            fn partial_cmp(&self, other: &$type) -> Option<std::cmp::Ordering> {
                self.to_f32().partial_cmp(&other.to_f32())
            }
        }
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.to_f32(), f)
            }
        }
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }
    };
}
half!(f16);
half!(bf16);

/// A complex number as C, Fortran and NumPy lay it out: real part, then imaginary part.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex<T> {
    pub re: T,
    pub im: T,
}

#[allow(non_camel_case_types)]
pub type c32 = Complex<f32>;
#[allow(non_camel_case_types)]
pub type c64 = Complex<f64>;

impl<T> Complex<T> {
    pub const fn new(re: T, im: T) -> Complex<T> {
        Complex { re, im }
    }
}

macro_rules! imaginary_units {
    ($($type:ty)*) => {$(
        impl Complex<$type> {
            /// The imaginary unit.
            ///
            /// ```
            /// use arr::{c32, c64};
            /// assert_eq!(c64::I * c64::I, c64::from(-1.0));
            /// assert_eq!(c32::I.conj(), -c32::I);
            /// ```
            pub const I: Complex<$type> = Complex::new(0.0, 1.0);
        }
    )*};
}
imaginary_units!(f32 f64);

impl<T: Copy + Neg<Output = T>> Complex<T> {
    #[must_use]
    pub fn conj(self) -> Complex<T> {
        Complex::new(self.re, -self.im)
    }
}

impl<T: Default> From<T> for Complex<T> {
    fn from(re: T) -> Complex<T> {
        Complex::new(re, T::default())
    }
}

impl<T: Add<Output = T>> Add for Complex<T> {
    type Output = Complex<T>;
    fn add(self, y: Complex<T>) -> Complex<T> {
        Complex::new(self.re + y.re, self.im + y.im)
    }
}

impl<T: Sub<Output = T>> Sub for Complex<T> {
    type Output = Complex<T>;
    fn sub(self, y: Complex<T>) -> Complex<T> {
        Complex::new(self.re - y.re, self.im - y.im)
    }
}

impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Mul for Complex<T> {
    type Output = Complex<T>;
    fn mul(self, y: Complex<T>) -> Complex<T> {
        Complex::new(self.re * y.re - self.im * y.im, self.re * y.im + self.im * y.re)
    }
}

impl<T> Div for Complex<T>
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
{
    type Output = Complex<T>;
    fn div(self, y: Complex<T>) -> Complex<T> {
        let norm = y.re * y.re + y.im * y.im;
        Complex::new((self.re * y.re + self.im * y.im) / norm, (self.im * y.re - self.re * y.im) / norm)
    }
}

impl<T: Neg<Output = T>> Neg for Complex<T> {
    type Output = Complex<T>;
    fn neg(self) -> Complex<T> {
        Complex::new(-self.re, -self.im)
    }
}

impl<T: fmt::Display> fmt::Display for Complex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.precision() {
            Some(p) => write!(f, "{:.p$}{:+.p$}i", self.re, self.im),
            None => write!(f, "{}{:+}i", self.re, self.im),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_a_round_trip() {
        for bits in 0..=u16::MAX {
            let x = f16(bits).to_f32();
            let y = bf16(bits).to_f32();
            if !x.is_nan() {
                assert_eq!(f16::from_f32(x).0, bits);
            }
            if !y.is_nan() {
                assert_eq!(bf16::from_f32(y).0, bits);
            }
            assert_eq!(x.is_nan(), f16::from_f32(x).to_f32().is_nan());
            assert_eq!(y.is_nan(), bf16::from_f32(y).to_f32().is_nan());
        }
    }

    #[test]
    fn halves_round_to_even() {
        for (x, bits) in [
            (1.0f32, 0x3c00u16),
            (65504.0, 0x7bff),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (2f32.powi(-24), 1),
            (2f32.powi(-25), 0),
            (3.0 * 2f32.powi(-25), 2),
            (1.0 + 2f32.powi(-11), 0x3c00),
            (1.0 + 3.0 * 2f32.powi(-11), 0x3c02),
            (-0.0, 0x8000),
        ] {
            assert_eq!(f16::from_f32(x).0, bits, "{x}");
        }
        assert_eq!(bf16::from_f32(1.0 + 2f32.powi(-8)).0, 0x3f80);
        assert_eq!(bf16::from_f32(1.0 + 3.0 * 2f32.powi(-8)).0, 0x3f82);
        assert_eq!(bf16::from_f32(f32::MAX).0, 0x7f80);
    }

    #[test]
    fn complex_arithmetic() {
        let (a, b) = (c64::new(1.0, 2.0), c64::new(3.0, -1.0));
        assert_eq!(a * b, c64::new(5.0, 5.0));
        assert_eq!(a * b / b, a);
        assert_eq!((a - b) + b, a);
        assert_eq!((-a).conj().to_string(), "-1+2i");
    }
}
