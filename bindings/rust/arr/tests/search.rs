// SPDX-License-Identifier: MIT
//! Searches in sorted vectors, bins and interpolation.
use arr::{Array, ErrorKind, Outside, Result, Side};

#[test]
fn indices_of_sorted_values() -> Result<()> {
    let a = Array::from_slice(&[1i32, 3, 3, 7], [4])?;
    let v = Array::from_slice(&[0, 3, 7, 9], [2, 2])?;
    assert_eq!(a.searchsorted(&v, Side::Left)?.to_vec()?, [0, 1, 3, 4]);
    assert_eq!(a.searchsorted(&v, Side::Right)?.to_vec()?, [0, 3, 4, 4]);
    assert_eq!(v.searchsorted(&a, Side::Left).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn bins() -> Result<()> {
    let x = Array::from_slice(&[0.5, 1.0, 2.5, 9.0], [4])?;
    let edges = Array::from_slice(&[1.0, 2.0, 3.0], [3])?;
    assert_eq!(x.digitize(&edges, false)?.to_vec()?, [0, 1, 2, 3]);
    assert_eq!(x.digitize(&edges, true)?.to_vec()?, [0, 0, 2, 3]);
    assert_eq!(edges.digitize(&x, false)?.to_vec()?, [2, 2, 3]);
    let mixed = Array::from_slice(&[1.0, 3.0, 2.0], [3])?;
    assert_eq!(x.digitize(&mixed, false).unwrap_err().kind(), ErrorKind::Argument);
    Ok(())
}

#[test]
fn interpolation() -> Result<()> {
    let xp = Array::from_slice(&[0.0, 1.0, 3.0], [3])?;
    let fp = Array::from_slice(&[1.0, 2.0, 0.0], [3])?;
    let x = Array::from_slice(&[-1.0, 0.5, 2.0, 4.0], [4])?;
    assert_eq!(x.interp(&xp, &fp)?.to_vec()?, [1.0, 1.5, 1.0, 0.0]);
    let outside = Outside { left: Some(-5.0), right: Some(7.0), ..Default::default() };
    let y = x.as_dyn().interp_with(xp.as_dyn(), fp.as_dyn(), outside)?.typed::<f64>()?;
    assert_eq!(y.to_vec()?, [-5.0, 1.5, 1.0, 7.0]);
    let period = Outside { period: Some(4.0), ..Default::default() };
    let y = x.as_dyn().interp_with(xp.as_dyn(), fp.as_dyn(), period)?.typed::<f64>()?;
    assert_eq!(y.to_vec()?, [0.0, 1.5, 1.0, 1.0]);
    Ok(())
}
