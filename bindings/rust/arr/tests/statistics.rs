// SPDX-License-Identifier: MIT
//! Spread, medians, quantiles, averages, norms and softmax against closed forms and plain loops.
use arr::{c64, keep, s, Array, DType, ErrorKind, Quantile, Result};

fn near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-12 * (1.0 + y.abs()))
}

#[test]
fn spread() -> Result<()> {
    let a = Array::from_slice(&[1.0f64, 2.0, 4.0, 9.0, 0.5, 3.5], [2, 3])?;
    let mut expected = Vec::new();
    for row in a.to_vec()?.chunks(3) {
        let mean = row.iter().sum::<f64>() / 3.0;
        expected.push(row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 2.0);
    }
    assert!(near(&a.var(1, 1.0)?.to_vec()?, &expected));
    let deviations: Vec<f64> = expected.iter().map(|v| v.sqrt()).collect();
    assert!(near(&a.std(1, 1.0)?.to_vec()?, &deviations));
    assert_eq!(a.var(keep(1), 0.0)?.shape(), [2, 1]);
    let mut out = Array::<f64>::zeros([2])?;
    a.var_into(1, 1.0, &mut out)?;
    assert!(near(&out.to_vec()?, &expected));
    assert_eq!(Array::from_slice(&[1i8, 3], [2])?.var(.., 0.0)?.item()?, 1.0f64);
    assert_eq!(Array::from_slice(&[c64::new(0.0, 1.0), c64::new(0.0, -1.0)], [2])?.std(.., 0.0)?.item()?, 1.0);
    let holes = Array::from_slice(&[1.0, f64::NAN, 3.0], [3])?;
    assert_eq!((holes.nanvar(.., 0.0)?.item()?, holes.nanstd(.., 0.0)?.item()?), (1.0, 1.0));
    assert!(holes.var(.., 0.0)?.item()?.is_nan());
    assert_eq!(a.var(2, 0.0).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn medians_and_quantiles() -> Result<()> {
    let a = Array::from_slice(&[7i32, 1, 5, 3, 9, 2], [2, 3])?;
    assert_eq!(a.median(..)?.item()?, 4.0f64);
    assert_eq!(a.median(1)?.to_vec()?, [5.0, 3.0]);
    assert_eq!(Array::from_slice(&[1.0, f64::NAN, 4.0], [3])?.nanmedian(..)?.item()?, 2.5);
    let all = a.quantile(&[0.0, 0.25, 1.0], .., Quantile::Linear)?;
    assert_eq!(all.typed::<f64>()?.to_vec()?, [1.0, 2.25, 9.0]);
    let picked = a.percentile(&[50.0], 1, Quantile::Lower)?;
    assert_eq!((picked.dtype(), picked.shape()), (DType::INT32, &[1, 2][..]));
    let n = Array::from_slice(&[f64::NAN, 2.0, 4.0], [3])?;
    assert_eq!(n.nanquantile(&[0.5], .., Quantile::default())?.typed::<f64>()?.to_vec()?, [3.0]);
    assert_eq!(n.nanpercentile(&[100.0], .., Quantile::Nearest)?.typed::<f64>()?.to_vec()?, [4.0]);
    let weights = Array::from_slice(&[1.0, 0.0, 0.0, 0.0, 0.0, 3.0], [2, 3])?;
    assert_eq!(a.quantile_weighted(&weights, &[0.5, 1.0], ..)?.to_vec()?, [2, 7]);
    let first = Array::from_slice(&[0.0, 1.0], [2])?;
    assert_eq!(a.percentile_weighted(&first, &[50.0], 0)?.to_vec()?, [3, 9, 2]);
    assert_eq!(a.quantile_weighted(&first, &[0.5], ..).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(a.quantile(&[1.5], .., Quantile::Linear).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(a.quantile(&[], .., Quantile::Linear).unwrap_err().kind(), ErrorKind::Argument);
    Ok(())
}

#[test]
fn averages_norms_and_exponentials() -> Result<()> {
    let a = Array::from_slice(&[3.0f64, 4.0, 6.0, 8.0], [2, 2])?;
    let weights = Array::from_slice(&[3.0f64, 1.0], [2])?;
    assert_eq!(a.average(Some(&weights), 1)?.to_vec()?, [3.25, 6.5]);
    assert_eq!(a.average(None, ..)?.item()?, 5.25);
    assert_eq!(a.vector_norm(2.0, 1)?.to_vec()?, [5.0, 10.0]);
    assert_eq!(a.vector_norm(f64::INFINITY, ..)?.item()?, 8.0);
    assert_eq!(a.norm2(1).to_vec()?, [5.0, 10.0]);
    let mut expected = Vec::new();
    for row in a.to_vec()?.chunks(2) {
        let sum: f64 = row.iter().map(|x| x.exp()).sum();
        expected.extend(row.iter().map(|x| x.exp() / sum));
    }
    assert!(near(&a.softmax(-1)?.to_vec()?, &expected));
    let logarithms: Vec<f64> = expected.iter().map(|p| p.ln()).collect();
    assert!(near(&a.log_softmax(1)?.to_vec()?, &logarithms));
    let large = Array::from_slice(&[1e4f64, -1e4], [2])?;
    assert_eq!(large.log_softmax(..)?.to_vec()?, [0.0, -2e4]);
    assert_eq!(large.logsumexp(..).item()?, 1e4);
    assert_eq!(a.slice(s![0])?.ptp(..).item()?, 1.0);
    Ok(())
}
