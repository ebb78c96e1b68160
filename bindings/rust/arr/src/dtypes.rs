// SPDX-License-Identifier: MIT
//! Limits, casts and kinds of element types, by NumPy's rules.

use arr_sys::{arr_float_limits, arr_value};

use crate::element::DType;
use crate::error::{call, Result};
use crate::operand::DynOperand;
use crate::ops::example;
use crate::shape::count;

/// The changes that a cast may make to elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Casting {
    /// No change.
    No = arr_sys::ARR_CAST_NO,
    /// No change but byte order.
    Equiv = arr_sys::ARR_CAST_EQUIV,
    /// Every value is kept.
    #[default]
    Safe = arr_sys::ARR_CAST_SAFE,
    /// Safe, or within a kind: `f64` to `f32`.
    SameKind = arr_sys::ARR_CAST_SAME_KIND,
    /// Anything.
    Unsafe = arr_sys::ARR_CAST_UNSAFE,
}

/// Facts of a float type, or of the parts of a complex type, under NumPy's names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatLimits {
    /// The type of the numbers: the parts' type where a complex type was asked for.
    pub dtype: DType,
    pub bits: i32,
    /// Bits of the fraction, without the leading 1.
    pub nmant: i32,
    /// Bits of the exponent.
    pub nexp: i32,
    /// 2^minexp is the smallest normal number.
    pub minexp: i32,
    /// 2^maxexp is the first power of two that is too large.
    pub maxexp: i32,
    /// Decimal digits that are kept.
    pub precision: i32,
    /// From 1 to the next larger number.
    pub eps: f64,
    /// From 1 to the next smaller number.
    pub epsneg: f64,
    /// The largest finite number; the lowest is its negative.
    pub max: f64,
    pub smallest_normal: f64,
    pub smallest_subnormal: f64,
    /// 10^-precision in this type.
    pub resolution: f64,
}

/// Facts of an integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntLimits {
    pub bits: i32,
    pub min: i128,
    pub max: i128,
}

impl DType {
    /// Facts of a float type, or of the parts of a complex type (`numpy.finfo`).
    #[doc = example!("assert_eq!(DType::FLOAT32.finfo()?.eps, f64::from(f32::EPSILON));")]
    #[doc = errors!(arr_finfo)]
    #[track_caller]
    pub fn finfo(self) -> Result<FloatLimits> {
        let mut f = arr_float_limits { struct_size: size_of_limits(), ..Default::default() };
        call!(arr_finfo(self.0, &mut f));
        Ok(FloatLimits {
            dtype: DType(f.dtype),
            bits: f.bits,
            nmant: f.nmant,
            nexp: f.nexp,
            minexp: f.minexp,
            maxexp: f.maxexp,
            precision: f.precision,
            eps: f.eps,
            epsneg: f.epsneg,
            max: f.max,
            smallest_normal: f.smallest_normal,
            smallest_subnormal: f.smallest_subnormal,
            resolution: f.resolution,
        })
    }

    /// Facts of an integer type (`numpy.iinfo`).
    #[doc = example!("assert_eq!(DType::INT8.iinfo()?.max, 127);")]
    #[doc = errors!(arr_iinfo)]
    #[track_caller]
    pub fn iinfo(self) -> Result<IntLimits> {
        let (mut bits, mut min, mut max) = (0, arr_value::default(), arr_value::default());
        call!(arr_iinfo(self.0, &mut bits, &mut min, &mut max));
        // The type's own bits stand in `lo`. Only an unsigned type begins with 0.
        let (signed, unused) = (min.lo != 0, 64 - bits);
        let widen = |v: arr_value| if signed { i128::from(v.lo << unused >> unused) } else { i128::from(v.lo as u64) };
        Ok(IntLimits { bits, min: widen(min), max: widen(max) })
    }

    /// True if elements of this type cast to another.
    #[doc = example!("assert!(DType::INT32.can_cast(DType::FLOAT64, Casting::Safe)?);")]
    #[doc = errors!(arr_can_cast)]
    #[track_caller]
    pub fn can_cast(self, to: DType, casting: Casting) -> Result<bool> {
        let mut yes = false;
        call!(arr_can_cast(self.0, to.0, casting as i32, &mut yes));
        Ok(yes)
    }

    /// True if this type is of a kind by its name in the array API standard or in NumPy: "integral", "real floating",
    /// "number" ...
    #[doc = example!("assert!(DType::UINT8.is_a(\"integral\")?);")]
    #[doc = errors!(arr_kind_find, arr_isdtype)]
    #[track_caller]
    pub fn is_a(self, kind: &str) -> Result<bool> {
        let text = crate::kernel::c_text(kind)?;
        let (mut kinds, mut yes) = (0, false);
        call!(arr_kind_find(text.as_ptr(), &mut kinds));
        call!(arr_isdtype(self.0, kinds, &mut yes));
        Ok(yes)
    }
}

fn size_of_limits() -> i64 {
    std::mem::size_of::<arr_float_limits>() as i64
}

/// Returns the type to which arrays and numbers promote by NumPy 2's rules; plain numbers (`i32`, `i64`, `f64`, `bool`,
/// `c64`) count only by their kinds.
#[doc = example!("assert_eq!(result_type(&[&&array![1u8], &2.0])?, DType::FLOAT64);")]
#[doc = errors!(arr_result_type)]
#[track_caller]
pub fn result_type(operands: &[&dyn DynOperand]) -> Result<DType> {
    let values: Vec<arr_value> = operands.iter().map(|x| x.dyn_value()).collect();
    let (n, mut code) = (count(values.len())?, 0);
    call!(arr_result_type(n, values.as_ptr(), &mut code));
    Ok(DType(code))
}

/// Returns the smallest type of a number's kind that holds it: `u8` for 10, `i8` for -10, `f16` for 1e3. For an array,
/// returns its type.
#[doc = example!("assert_eq!(min_scalar_type(10)?, DType::UINT8);")]
#[doc = errors!(arr_min_scalar_type)]
#[track_caller]
pub fn min_scalar_type(x: impl DynOperand) -> Result<DType> {
    let (value, mut code) = (x.dyn_value(), 0);
    call!(arr_min_scalar_type(&value, &mut code));
    Ok(DType(code))
}
