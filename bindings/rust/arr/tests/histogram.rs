// SPDX-License-Identifier: MIT
//! Operations in place at chosen elements, counts and histograms.
use arr::{Array, BinEstimate, ErrorKind, Histogram, Result, Ufunc};

#[test]
fn at() -> Result<()> {
    let mut a = Array::from_slice(&[1.0, 2.0, 3.0], [3])?;
    let indices = Array::from_slice(&[0i64, 2, 0, -1], [4])?;
    Ufunc::find("add")?.at(&mut a, &[indices.as_dyn()], 10.0)?;
    assert_eq!(a.to_vec()?, [21.0, 2.0, 23.0]);
    let far = Array::from_slice(&[3i64], [1])?;
    let err = Ufunc::find("add")?.at(&mut a, &[far.as_dyn()], 1.0).unwrap_err();
    assert_eq!((err.kind(), a.to_vec()?), (ErrorKind::Argument, vec![21.0, 2.0, 23.0]));
    let copy = a.clone();
    Ufunc::find("multiply")?.at(&mut a, &[indices.as_dyn()], copy.slice(arr::s![1])?.as_dyn())?;
    assert_eq!((a.to_vec()?, copy.to_vec()?), (vec![84.0, 2.0, 92.0], vec![21.0, 2.0, 23.0]));
    Ok(())
}

#[test]
fn counts() -> Result<()> {
    let x = Array::from_slice(&[1i32, 3, 1, 0], [4])?;
    assert_eq!(x.as_dyn().bincount(None, 6)?.typed::<i64>()?.to_vec()?, [1, 2, 0, 1, 0, 0]);
    let w = Array::from_slice(&[0.5, 1.0, 2.0, 4.0], [4])?;
    assert_eq!(x.as_dyn().bincount(Some(w.as_dyn()), 0)?.typed::<f64>()?.to_vec()?, [4.0, 2.5, 0.0, 1.0]);
    Ok(())
}

#[test]
fn histograms() -> Result<()> {
    let x = Array::from_slice(&[0.0, 0.5, 1.0, 2.0, 4.0], [5])?;
    let (n, edges) = x.as_dyn().histogram(4, Histogram::default())?;
    assert_eq!(n.typed::<i64>()?.to_vec()?, [2, 1, 1, 1]);
    assert_eq!(edges.typed::<f64>()?.to_vec()?, [0.0, 1.0, 2.0, 3.0, 4.0]);
    let options = Histogram { range: Some([0.0, 2.0]), density: true, ..Default::default() };
    let (n, _) = x.as_dyn().histogram(2, options)?;
    assert_eq!(n.typed::<f64>()?.to_vec()?, [0.5, 0.5]);
    let many = Array::<f64>::arange(0.0, 1000.0, 1.0)?;
    for (by, bins) in [(BinEstimate::Sqrt, 32), (BinEstimate::Sturges, 11), (BinEstimate::Rice, 20)] {
        let (n, _) = many.as_dyn().histogram_estimated(by, Histogram::default())?;
        assert_eq!(n.typed::<i64>()?.shape(), [bins], "{by:?}");
    }
    let edges = Array::from_slice(&[0.0, 1.0, 5.0], [3])?;
    let weights = Histogram { weights: Some(x.as_dyn()), ..Default::default() };
    let (n, _) = x.as_dyn().histogram_between(edges.as_dyn(), weights)?;
    assert_eq!(n.typed::<f64>()?.to_vec()?, [0.5, 7.0]);
    Ok(())
}
