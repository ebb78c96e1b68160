// SPDX-License-Identifier: MIT
//! Limits, casts, promotion and kinds of element types against Rust's own facts.
use arr::{min_scalar_type, result_type, Array, Casting, DType, Device, ErrorKind, Result};

#[test]
fn floats() -> Result<()> {
    let single = DType::FLOAT32.finfo()?;
    assert_eq!((single.bits, single.nmant, single.nexp), (32, 23, 8));
    assert_eq!((single.minexp, single.maxexp, single.precision), (f32::MIN_EXP - 1, f32::MAX_EXP, 6));
    assert_eq!((single.eps, single.max), (f64::from(f32::EPSILON), f64::from(f32::MAX)));
    assert_eq!((single.smallest_normal, single.epsneg), (f64::from(f32::MIN_POSITIVE), f64::from(f32::EPSILON / 2.0)));
    assert_eq!((single.smallest_subnormal, single.resolution as f32), (f64::from(f32::from_bits(1)), 1e-6));
    let double = DType::COMPLEX128.finfo()?;
    assert_eq!((double.dtype, double.eps, double.max), (DType::FLOAT64, f64::EPSILON, f64::MAX));
    assert_eq!(DType::BFLOAT16.finfo()?.eps, 0.0078125);
    assert_eq!(DType::INT8.finfo().unwrap_err().kind(), ErrorKind::DType);
    Ok(())
}

#[test]
fn integers() -> Result<()> {
    macro_rules! check {
        ($($dtype:ident $type:ty),*) => {$(
            let i = DType::$dtype.iinfo()?;
            assert_eq!((i.bits as u32, i.min, i.max), (<$type>::BITS, <$type>::MIN as i128, <$type>::MAX as i128));
        )*};
    }
    check!(INT8 i8, INT16 i16, INT32 i32, INT64 i64, UINT8 u8, UINT16 u16, UINT32 u32, UINT64 u64);
    assert_eq!(DType::BOOL.iinfo().unwrap_err().kind(), ErrorKind::DType);
    Ok(())
}

#[test]
fn casts_and_promotion() -> Result<()> {
    assert!(DType::INT32.can_cast(DType::FLOAT64, Casting::default())?);
    assert!(!DType::INT64.can_cast(DType::FLOAT32, Casting::Safe)?);
    assert!(DType::FLOAT64.can_cast(DType::FLOAT32, Casting::SameKind)?);
    assert!(!DType::INT8.can_cast(DType::INT16, Casting::Equiv)? && !DType::INT8.can_cast(DType::INT16, Casting::No)?);
    assert!(DType::COMPLEX128.can_cast(DType::BOOL, Casting::Unsafe)?);
    let a = Array::from_slice(&[1i16, 2], [2])?;
    assert_eq!(result_type(&[&&a, &1u16, &1f32])?, DType::FLOAT32);
    assert_eq!(result_type(&[&&a, &1i64])?, DType::INT16);
    assert_eq!(result_type(&[&&a, &1.0])?, DType::FLOAT64);
    assert_eq!(result_type(&[]).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(min_scalar_type(10)?, DType::UINT8);
    assert_eq!(min_scalar_type(-10i64)?, DType::INT8);
    assert_eq!(min_scalar_type(1e3)?, DType::FLOAT16);
    assert_eq!(min_scalar_type(&a)?, DType::INT16);
    Ok(())
}

#[test]
fn kinds() -> Result<()> {
    assert!(DType::UINT8.is_a("integral")? && !DType::BOOL.is_a("integral")?);
    assert!(DType::BFLOAT16.is_a("real floating")? && DType::COMPLEX64.is_a("inexact")?);
    assert_eq!(DType::INT8.is_a("round").unwrap_err().kind(), ErrorKind::Argument);
    Ok(())
}

#[test]
fn names() -> Result<()> {
    assert_eq!("float32".parse::<DType>()?, DType::FLOAT32);
    assert_eq!(DType::UINT8.to_string().parse::<DType>()?, DType::UINT8);
    assert_eq!("float33".parse::<DType>().unwrap_err().kind(), ErrorKind::DType);

    for device in [Device::HOST, Device::cuda(0), Device::cuda(12)] {
        assert_eq!(device.to_string().parse::<Device>()?, device);
    }
    assert_eq!("cuda".parse::<Device>()?, Device::cuda(0));
    for wrong in ["", "gpu", "cuda:", "cuda:-1", "cuda:+1", "cuda:1 ", "cuda:99999999999"] {
        let error = wrong.parse::<Device>().unwrap_err();
        assert_eq!(error.text(), format!("argument name: got {wrong:?}, expected host, cuda or cuda:N"));
    }
    Ok(())
}
