// SPDX-License-Identifier: MIT
//! Polynomials and Vandermonde matrices against sums and products of powers.
use arr::{as_series, bf16, c32, c64, f16, Array, DType, Element, ErrorKind, Result};

fn vector<T: Element>(x: &[T]) -> Result<Array<T>> {
    Array::from_slice(x, [x.len()])
}

fn near(a: &Array<f64>, b: &[f64]) -> Result<bool> {
    let a = a.to_vec()?;
    Ok(a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-12 * (1.0 + y.abs())))
}

fn highest(p: &[f64], x: f64) -> f64 {
    p.iter().fold(0.0, |sum, c| sum * x + c)
}

fn lowest(c: &[f64], x: f64) -> f64 {
    c.iter().enumerate().map(|(i, c)| c * x.powi(i as i32)).sum()
}

fn kind<T: std::fmt::Debug>(result: Result<T>) -> ErrorKind {
    result.unwrap_err().kind()
}

#[test]
fn sums_and_products() -> Result<()> {
    let (a, b) = (vector(&[1, 2, 3])?, vector(&[4, 5])?);
    assert_eq!(a.polyadd(&b)?.to_vec()?, [1, 6, 8]);
    assert_eq!(a.polysub(&b)?.to_vec()?, [1, -2, -2]);
    assert_eq!(b.polysub(&a)?.to_vec()?, [-1, 2, 2]);
    assert_eq!(a.polymul(&b)?.to_vec()?, [4, 13, 22, 15]);
    assert_eq!(vector(&[0.0f32, 2.0])?.polymul(&vector(&[0.0, 0.0, 3.0, 1.0])?)?.to_vec()?, [6.0, 2.0]);
    let mixed = a.as_dyn().polyadd(vector(&[0.5])?.as_dyn())?.typed::<f64>()?;
    assert_eq!(mixed.to_vec()?, [1.0, 2.0, 3.5]);
    assert_eq!(kind(a.polyadd(&vector(&[])?)), ErrorKind::Shape);
    assert_eq!(kind(Array::<i32>::ones([2, 2])?.polymul(&a)), ErrorKind::Shape);
    Ok(())
}

#[test]
fn values() -> Result<()> {
    let coefficients: Vec<f64> = (0..15).map(|i| f64::from(i % 4) - 1.5).collect();
    let points = [-1.25, 0.0, 0.5, 2.0];
    let (p, x) = (vector(&coefficients)?, Array::from_slice(&points, [2, 2])?);
    let of = |f: fn(&[f64], f64) -> f64| points.map(|x| f(&coefficients, x));
    assert!(near(&p.polyval(&x)?, &of(highest))?);
    for tensor in [true, false] {
        assert!(near(&x.polynomial_val(&p, tensor)?, &of(lowest))?);
    }
    assert!(near(&x.polyvalfromroots(&p, true)?, &of(|r, x| r.iter().map(|r| x - r).product()))?);
    assert_eq!(kind(x.polyvalfromroots(&p, false)), ErrorKind::Shape);
    assert_eq!(vector(&[2, 1])?.polyval(&vector(&[3, 4])?)?.to_vec()?, [7, 9]);
    assert_eq!(vector(&[3, 4])?.polynomial_val(&vector(&[1, 2])?, true)?.to_vec()?, [7.0, 9.0]);
    Ok(())
}

#[test]
fn several_polynomials() -> Result<()> {
    // 1 + 3 x and 2 + 4 x.
    let (c, x) = (Array::from_slice(&[1.0, 2.0, 3.0, 4.0], [2, 2])?, vector(&[1.0, 10.0])?);
    let each = x.polynomial_val(&c, true)?;
    assert_eq!((each.shape(), each.to_vec()?), (&[2, 2][..], vec![4.0, 31.0, 6.0, 42.0]));
    assert_eq!(x.polynomial_val(&c, false)?.to_vec()?, [4.0, 42.0]);
    assert_eq!(c.polyval(&x)?.to_vec()?, [4.0, 24.0]);
    assert_eq!(x.polyvalfromroots(&c, false)?.to_vec()?, [0.0, 48.0]);
    assert_eq!(kind(vector(&[1.0, 2.0, 3.0])?.polynomial_val(&c, false)), ErrorKind::Shape);
    Ok(())
}

#[test]
fn roots() -> Result<()> {
    assert_eq!(vector(&[1, 2, 3])?.poly()?.to_vec()?, [1.0, -6.0, 11.0, -6.0]);
    let pair = vector(&[c64::new(0.0, 1.0), c64::new(0.0, -1.0)])?;
    assert_eq!(pair.as_dyn().poly()?.typed::<f64>()?.to_vec()?, [1.0, 0.0, 1.0]);
    let mut found = vector(&[1.0, -6.0, 11.0, -6.0])?.as_dyn().roots()?.typed::<c64>()?.to_vec()?;
    found.sort_by(|x, y| x.re.total_cmp(&y.re));
    for (x, wanted) in found.iter().zip([1.0, 2.0, 3.0]) {
        assert!((x.re - wanted).abs() + x.im.abs() <= 1e-12);
    }
    assert_eq!(found.len(), 3);
    let single = vector(&[1.0f32, 0.0, 4.0])?.as_dyn().roots()?.typed::<c32>()?.to_vec()?;
    assert!(single.len() == 2 && single.iter().all(|z| z.re.abs() <= 1e-6 && (z.im.abs() - 2.0).abs() <= 1e-6));
    let companion = vector(&[6.0, -5.0, -2.0, 1.0])?.polycompanion()?;
    assert_eq!(companion.to_vec()?, [0.0, 0.0, -6.0, 1.0, 0.0, 5.0, 0.0, 1.0, 2.0]);
    assert_eq!(kind(vector(&[1.0])?.polycompanion()), ErrorKind::Argument);
    Ok(())
}

#[test]
fn fits() -> Result<()> {
    let points = [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0];
    let x = vector(&points)?;
    let y = vector(&points.map(|x| highest(&[2.0, -1.0, 3.0], x)))?;
    assert!(near(&x.polyfit(&y, 2, None, None)?, &[2.0, -1.0, 3.0])?);
    assert!(!near(&x.polyfit(&y, 2, Some(0.99), None)?, &[2.0, -1.0, 3.0])?);
    let columns = Array::from_slice(&[1.0, 0.0, 2.0, 1.0, 3.0, 2.0], [3, 2])?;
    assert!(near(&vector(&[1.0, 2.0, 3.0])?.polyfit(&columns, 1, None, None)?, &[1.0, 1.0, 0.0, -1.0])?);
    let two = vector(&[0.0, 1.0])?;
    assert!(near(&two.polyfit(&two, 0, None, Some(&vector(&[3.0, 1.0])?))?, &[0.1])?);
    let wide: Array<f64> = two.cast::<f32>()?.polyfit(&two.cast()?, 1, None, None)?;
    assert!((wide.at([0])? - 1.0).abs() <= 1e-6);
    assert_eq!(kind(x.polyfit(&two, 1, None, None)), ErrorKind::Shape);
    assert_eq!(kind(x.polyfit(&y, -1, None, None)), ErrorKind::Argument);
    Ok(())
}

#[test]
fn outputs_of_fits() -> Result<()> {
    let (x, y) = (vector(&[0.0, 1.0, 2.0, 3.0])?, vector(&[0.0, 1.0, 2.0, 5.0])?);
    let fit = x.as_dyn().polyfit_full(y.as_dyn(), 1, None, None)?;
    assert!(near(&fit.coefficients.typed()?, &[1.6, -0.4])?);
    assert!((fit.residuals.typed::<f64>()?.item()? - 1.2).abs() <= 1e-12);
    let two = vector(&[0.0, 1.0, 0.0, 1.0])?;
    let fit = two.as_dyn().polyfit_full(y.as_dyn(), 2, Some(1e-10), None)?;
    assert_eq!((fit.rank.typed::<i64>()?.item()?, fit.s.shape(), fit.rcond), (2, &[3][..], 1e-10));
    for (scaled, factor) in [(false, 1.0), (true, 0.6)] {
        let (c, v) = x.as_dyn().polyfit_cov(y.as_dyn(), 1, None, None, scaled)?;
        assert!(near(&c.typed()?, &[1.6, -0.4])?);
        assert!(near(&v.typed()?, &[0.2, -0.3, -0.3, 0.7].map(|v| v * factor))?);
    }
    assert_eq!(kind(two.as_dyn().polyfit_cov(y.as_dyn(), 2, None, None, false)), ErrorKind::Linalg);
    Ok(())
}

#[test]
fn derivatives_and_quotients() -> Result<()> {
    let p = vector(&[1.0, 2.0, 3.0, 4.0])?;
    assert_eq!(p.as_dyn().polyder(2)?.typed::<f64>()?.to_vec()?, [6.0, 4.0]);
    assert_eq!(vector(&[3i8, 2, 1])?.as_dyn().polyder(1)?.typed::<i64>()?.to_vec()?, [6, 2]);
    assert_eq!(vector(&[6, 2])?.as_dyn().polyint(1, None)?.typed::<f64>()?.to_vec()?, [3.0, 2.0, 0.0]);
    let constants = vector(&[5.0, 7.0])?;
    assert_eq!(constants.as_dyn().polyint(2, Some(constants.as_dyn()))?.cast::<f64>()?.to_vec()?[2..], [5.0, 7.0]);
    let (quotient, remainder) = p.polydiv(&vector(&[1.0, 1.0])?)?;
    assert_eq!((quotient.to_vec()?, remainder.to_vec()?), (vec![1.0, 1.0, 2.0], vec![2.0]));
    assert_eq!(vector(&[1, 1])?.polypow(3)?.to_vec()?, [1, 3, 3, 1]);
    let padded = vector(&[0, 0, 5, 1])?;
    assert_eq!((padded.polytrim()?.to_vec()?, padded.as_dyn().polydegree()?), (vec![5, 1], 1));
    assert_eq!(kind(p.as_dyn().polyder(-1)), ErrorKind::Argument);
    assert_eq!(kind(p.as_dyn().polyint(3, Some(constants.as_dyn()))), ErrorKind::Shape);
    assert_eq!(kind(p.polydiv(&vector(&[0.0])?)), ErrorKind::Argument);
    Ok(())
}

#[test]
fn trailing_coefficients() -> Result<()> {
    let c = vector(&[0.0, 1.0, 0.25, 0.0, 0.0])?;
    assert_eq!(c.trimcoef(0.5)?.to_vec()?, [0.0, 1.0]);
    assert_eq!(c.trimcoef(2.0)?.to_vec()?, [0.0]);
    let mut trimmed = c.trimseq()?;
    assert_eq!(trimmed.to_vec()?, [0.0, 1.0, 0.25]);
    assert!(trimmed.is_shared());
    // A write copies first: the vector that it came from stays.
    trimmed.fill(7.0)?;
    assert_eq!(c.to_vec()?, [0.0, 1.0, 0.25, 0.0, 0.0]);
    let (a, b) = (vector(&[1, 2, 0])?, vector(&[3.0f32, 0.0])?);
    for (trim, lengths) in [(true, [2, 1]), (false, [3, 2])] {
        let all = as_series(&[a.as_dyn(), b.as_dyn()], trim)?;
        for (series, n) in all.iter().zip(lengths) {
            assert_eq!((series.dtype(), series.shape()), (DType::FLOAT64, &[n][..]));
        }
        assert_eq!((all.len(), all[1].cast::<f64>()?.at([0])?), (2, 3.0));
    }
    assert_eq!(kind(as_series(&[], true)), ErrorKind::Argument);
    assert_eq!(kind(c.trimcoef(-1.0)), ErrorKind::Argument);
    Ok(())
}

#[test]
fn powers() -> Result<()> {
    let x = vector(&[2, 3])?;
    let of = |columns, increasing| x.as_dyn().vander(columns, increasing)?.typed::<i64>()?.to_vec();
    assert_eq!(of(Some(3), false)?, [4, 2, 1, 9, 3, 1]);
    assert_eq!(of(Some(3), true)?, [1, 2, 4, 1, 3, 9]);
    assert_eq!(of(None, false)?, [2, 1, 3, 1]);
    let powers = Array::from_slice(&[2.0f32, 3.0], [2, 1])?.polyvander(2)?;
    assert_eq!((powers.shape(), powers.to_vec()?), (&[2, 1, 3][..], vec![1.0, 2.0, 4.0, 1.0, 3.0, 9.0]));
    assert_eq!(kind(x.polyvander(-1)), ErrorKind::Argument);
    Ok(())
}

/// The types that the methods of `Array` promise are the library's: `typed` checks.
fn types<T: arr::Number + arr::Ordered>(x: T) -> Result<()> {
    let a = vector(&[x, x])?;
    let _ = a.polyadd(&a)?.polysub(&a)?;
    let _ = a.polymul(&a)?.polyval(&a)?;
    let _ = a.polypow(2)?;
    let _ = a.polydiv(&a)?;
    let _ = a.polynomial_val(&a, true)?;
    let _ = a.polyvalfromroots(&a, true)?;
    let _ = a.polyvander(1)?;
    let _ = a.polycompanion()?;
    let _ = a.trimcoef(0.0)?;
    let _ = a.poly()?;
    Ok(())
}

#[test]
fn types_of_results() -> Result<()> {
    let floats = [types(f16::from_f32(1.0)), types(bf16::from_f32(1.0)), types(1f32), types(1f64)];
    let signed = [types(1i8), types(1i16), types(1i32), types(1i64)];
    let unsigned = [types(1u8), types(1u16), types(1u32), types(1u64)];
    for result in floats.into_iter().chain(signed).chain(unsigned) {
        result?;
    }
    let z = vector(&[c32::new(1.0, 2.0), c32::new(3.0, 4.0)])?;
    let at: Array<c32> = z.polynomial_val(&z, true)?.polyval(&z)?;
    assert_eq!(at.shape(), [2]);
    let fit: Array<c64> = z.polyfit(&z, 1, None, None)?;
    assert!((fit.at([0])?.re - 1.0).abs() <= 1e-6);
    Ok(())
}
