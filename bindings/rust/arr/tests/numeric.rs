// SPDX-License-Identifier: MIT
//! Rounding, closeness, bits, covariances, reductions with options and the methods of operations.
use arr::{c64, Array, BitOrder, Covariance, DType, ErrorKind, Reduce, Reduction, Result, Tolerance, Ufunc};

#[test]
fn numbers() -> Result<()> {
    let a = Array::from_slice(&[1.256, -2.5, f64::NAN, f64::INFINITY], [4])?;
    let rounded = a.as_dyn().round_to(1)?.typed::<f64>()?.to_vec()?;
    assert_eq!(rounded[..2], [1.3, -2.5]);
    let plain = a.as_dyn().nan_to_num(0.5, Some(9.0), None)?.typed::<f64>()?;
    assert_eq!(plain.to_vec()?, [1.256, -2.5, 0.5, 9.0]);
    let mut z = Array::<f64>::zeros([4])?.into_dyn();
    a.as_dyn().round_into(1, &mut z)?;
    assert_eq!(z.clone().typed::<f64>()?.to_vec()?[..2], [1.3, -2.5]);
    a.as_dyn().nan_to_num_into(0.5, Some(9.0), None, &mut z)?;
    assert_eq!(z.typed::<f64>()?.to_vec()?, [1.256, -2.5, 0.5, 9.0]);
    let mut short = Array::<f64>::zeros([3])?.into_dyn();
    assert_eq!(a.as_dyn().round_into(1, &mut short).unwrap_err().kind(), ErrorKind::Shape);
    let corners = Array::from_slice(&[c64::new(0.0, 2.0), c64::new(-1.0, 0.0), c64::new(1.0, 1.0)], [3])?;
    assert_eq!(corners.as_dyn().angle_degrees()?.typed::<f64>()?.to_vec()?, [90.0, 180.0, 45.0]);
    let b = Array::from_slice(&[1.2560001, -2.5, f64::NAN, f64::INFINITY], [4])?;
    let near = a.as_dyn().isclose(b.as_dyn(), Tolerance::default())?.typed::<bool>()?;
    assert_eq!(near.to_vec()?, [true, true, false, true]);
    assert!(a.as_dyn().allclose(b.as_dyn(), Tolerance { equal_nan: true, ..Default::default() })?);
    assert!(!a.as_dyn().array_equal(b.as_dyn(), true)?);
    assert!(a.as_dyn().array_equal(a.as_dyn(), true)?);
    let z = Array::from_slice(&[c64::new(1.0, 1e-15), c64::new(2.0, 0.0)], [2])?;
    assert_eq!(z.as_dyn().real_if_close(100.0)?.typed::<f64>()?.to_vec()?, [1.0, 2.0]);
    assert_eq!(z.as_dyn().real_if_close(1e-16)?.dtype(), DType::COMPLEX128);
    let mut view = a.as_dyn().real_if_close(100.0)?;
    a.as_dyn().round_into(0, &mut view)?;
    assert_eq!((view.typed::<f64>()?.to_vec()?[0], a.to_vec()?[0]), (1.0, 1.256), "a write to a view copies first");
    Ok(())
}

#[test]
fn bits() -> Result<()> {
    let a = Array::from_slice(&[1u8, 0, 0, 0, 0, 0, 0, 1, 1], [9])?;
    let packed = a.as_dyn().packbits(.., BitOrder::Big)?;
    assert_eq!(packed.clone().typed::<u8>()?.to_vec()?, [129, 128]);
    let little = a.as_dyn().packbits(0, BitOrder::Little)?;
    assert_eq!(little.typed::<u8>()?.to_vec()?, [129, 1]);
    let back = packed.unpackbits(0, Some(9), BitOrder::Big)?;
    assert_eq!(back.typed::<u8>()?.to_vec()?, a.to_vec()?);
    assert_eq!(packed.unpackbits(0, Some(-1), BitOrder::Big)?.typed::<u8>()?.shape(), [15]);
    assert_eq!(packed.unpackbits(.., None, BitOrder::Big)?.typed::<u8>()?.shape(), [16]);
    let floats = Array::<f32>::zeros([8])?;
    assert_eq!(floats.as_dyn().packbits(0, BitOrder::Big).unwrap_err().kind(), ErrorKind::DType);
    Ok(())
}

#[test]
fn covariances() -> Result<()> {
    let a = Array::from_slice(&[1.0, 2.0, 3.0, 6.0, 4.0, 2.0], [2, 3])?;
    let c = a.as_dyn().cov(Covariance::default())?.typed::<f64>()?;
    assert_eq!(c.to_vec()?, [1.0, -2.0, -2.0, 4.0]);
    let whole = a.as_dyn().cov(Covariance { ddof: Some(0), ..Default::default() })?.typed::<f64>()?;
    assert!((whole.to_vec()?[0] - 2.0 / 3.0).abs() < 1e-15);
    let r = a.as_dyn().corrcoef(Covariance::default())?.typed::<f64>()?.to_vec()?;
    assert!(r.iter().zip([1.0, -1.0, -1.0, 1.0]).all(|(x, y)| (x - y).abs() < 1e-15));
    let times = Array::from_slice(&[1i32, 1, 2], [3])?;
    let more = Covariance { fweights: Some(times.as_dyn()), ..Default::default() };
    let weighted = a.as_dyn().cov(more)?.typed::<f64>()?.to_vec()?;
    assert!((weighted[0] - 2.75 / 3.0).abs() < 1e-15, "{weighted:?}");
    let columns = Covariance { columns: true, dtype: Some(DType::FLOAT32), ..Default::default() };
    assert_eq!(a.as_dyn().cov(columns)?.typed::<f32>()?.shape(), [3, 3]);
    let short = Array::from_slice(&[1i32, 1], [2])?;
    let wrong = Covariance { fweights: Some(short.as_dyn()), ..Default::default() };
    assert_eq!(a.as_dyn().cov(wrong).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn reductions_with_options() -> Result<()> {
    let a = Array::from_slice(&[1i32, 2, 3, 4, 5, 6], [2, 3])?;
    let mask = Array::from_slice(&[true, false, true], [3])?;
    let some = a.as_dyn().reduce(Reduction::SUM, 1, Reduce::new().filter(&mask).initial(100))?;
    assert_eq!(some.typed::<i64>()?.to_vec()?, [104, 110]);
    let wide = a.as_dyn().reduce(Reduction::SUM, .., Reduce::new().dtype(DType::FLOAT32))?;
    assert_eq!(wide.typed::<f32>()?.item()?, 21.0);
    let spread = a.as_dyn().reduce(Reduction::VAR, 1, Reduce::new().correction(1.0))?;
    assert_eq!(spread.typed::<f64>()?.to_vec()?, [1.0, 1.0]);
    let nothing = a.as_dyn().reduce(Reduction::MAX, 1, Reduce::new().filter(&mask));
    assert_eq!(nothing.unwrap_err().kind(), ErrorKind::Argument);
    Ok(())
}

#[test]
fn methods_of_operations() -> Result<()> {
    let a = Array::from_slice(&[4i32, 6, 9], [3])?;
    let product = Ufunc::find("multiply")?.outer(a.as_dyn(), a.as_dyn())?.typed::<i32>()?;
    assert_eq!(product.to_vec()?, [16, 24, 36, 24, 36, 54, 36, 54, 81]);
    let gcd = Ufunc::find("gcd")?;
    assert_eq!(gcd.reduce(a.as_dyn(), .., Reduce::new())?.typed::<i32>()?.item()?, 1);
    assert_eq!(gcd.accumulate(a.as_dyn(), 0)?.typed::<i32>()?.to_vec()?, [4, 2, 1]);
    let add = Ufunc::find("add")?;
    assert_eq!(add.reduceat(a.as_dyn(), &[0, 1], 0)?.typed::<i64>()?.to_vec()?, [4, 15]);
    let mut wide = Array::<f64>::zeros([3])?.into_dyn();
    add.accumulate_into(a.as_dyn(), 0, &mut wide)?;
    assert_eq!(wide.typed::<f64>()?.to_vec()?, [4.0, 10.0, 19.0]);
    let mut two = Array::<i64>::zeros([2])?.into_dyn();
    add.reduceat_into(a.as_dyn(), &[0, 1], 0, &mut two)?;
    assert_eq!(two.typed::<i64>()?.to_vec()?, [4, 15]);
    assert_eq!(Ufunc::find("plus").unwrap_err().kind(), ErrorKind::Argument);
    let subtract = Ufunc::find("subtract")?;
    assert_eq!(subtract.accumulate(a.as_dyn(), 0)?.typed::<i32>()?.to_vec()?, [4, -2, -11]);
    assert_eq!(Ufunc::find("sin")?.accumulate(a.as_dyn(), 0).unwrap_err().kind(), ErrorKind::Unsupported);
    Ok(())
}
