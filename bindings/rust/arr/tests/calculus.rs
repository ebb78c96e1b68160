// SPDX-License-Identifier: MIT
//! Scans, differences, gradients, integrals, convolution and products of vectors, against closed forms and plain loops.
use arr::{c64, s, Array, Convolve, DType, DiffOptions, DynArray, ErrorKind, Gradient, LinspaceOptions, Result};

fn near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-12 * (1.0 + y.abs()))
}

#[test]
fn scans() -> Result<()> {
    let a = Array::from_vec((0..24).map(f64::from).collect(), [2, 3, 4])?;
    assert_eq!(a.cumsum(..).to_vec()?, (0..24).map(|i| f64::from(i * (i + 1) / 2)).collect::<Vec<_>>());
    let rows = a.cumsum(-1);
    assert_eq!((rows.shape(), rows.slice(s![0, 1])?.to_vec()?), (&[2, 3, 4][..], vec![4.0, 9.0, 15.0, 22.0]));
    assert_eq!(a.cumprod(0).slice(s![1, 0])?.to_vec()?, [0.0, 13.0, 28.0, 45.0]);
    let b = Array::from_slice(&[3i8, 1, 4, 1, 5], [5])?;
    assert_eq!(b.cummax(0).to_vec()?, [3i8, 3, 4, 4, 5]);
    assert_eq!(b.cummin(0).to_vec()?, [3i8, 1, 1, 1, 1]);
    assert_eq!(b.cumsum(0).to_vec()?, [3i64, 4, 8, 9, 14]);
    assert_eq!(b.cumulative_sum(0, true).to_vec()?, [0i64, 3, 4, 8, 9, 14]);
    assert_eq!(b.cumulative_prod(0, false).to_vec()?, [3i64, 3, 12, 12, 60]);
    let n = Array::from_slice(&[1.0, f64::NAN, 2.0], [3])?;
    assert_eq!(n.nancumsum(0).to_vec()?, [1.0, 1.0, 3.0]);
    assert_eq!(n.nancumprod(0).to_vec()?, [1.0, 1.0, 2.0]);
    let mut out = Array::<f64>::zeros([2, 3, 4])?;
    a.cumsum_into(-1, &mut out)?;
    assert_eq!(out.to_vec()?, rows.to_vec()?);
    assert_eq!(a.as_dyn().cumsum(-1).typed::<f64>()?.to_vec()?, rows.to_vec()?);
    assert_eq!(a.try_cumsum([0, 1]).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(a.try_cumsum(3).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn differences() -> Result<()> {
    let a = Array::from_slice(&[1i32, 4, 9, 16, 25, 36], [2, 3])?;
    assert_eq!(a.diff(1, -1)?.to_vec()?, [3, 5, 9, 11]);
    assert_eq!(a.diff(2, 1)?.to_vec()?, [2, 2]);
    assert_eq!(a.diff(1, 0)?.to_vec()?, [15, 21, 27]);
    assert_eq!(a.ediff1d()?.to_vec()?, [3, 5, 7, 9, 11]);
    let mut same = a.diff(0, 0)?;
    assert!(same.is_shared());
    same += 1;
    assert_eq!(a.at([0, 0])?, 1, "a write to what shares memory copies first");
    let zero = Array::scalar(0i32)?;
    let led = DiffOptions { prepend: Some(zero.as_dyn()), ..Default::default() };
    assert_eq!(a.as_dyn().diff_with(led)?.typed::<i32>()?.to_vec()?, [1, 3, 5, 16, 9, 11]);
    let twice = DiffOptions { n: 2, axis: 0, append: Some(zero.as_dyn()), ..led };
    assert_eq!(a.as_dyn().diff_with(twice)?.typed::<i32>()?.to_vec()?, [14, 17, 18, -31, -46, -63]);
    assert_eq!(Array::from_slice(&[true, false, false], [3])?.diff(1, 0)?.to_vec()?, [true, false]);
    assert_eq!(a.diff(1, 2).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn numbers_between_the_elements_of_arrays() -> Result<()> {
    let (from, to) = (Array::from([0.0, 1.0]).into_dyn(), Array::from([4.0, 9.0]).into_dyn());
    assert_eq!(from.linspace_with(&to, LinspaceOptions::default())?.shape(), [50, 2]);
    let options = LinspaceOptions { count: 4, axis: -1, endpoint: false, dtype: Some(DType::FLOAT32) };
    assert_eq!(from.linspace_with(&to, options)?.typed::<f32>()?.to_vec()?, [0.0, 1.0, 2.0, 3.0, 1.0, 3.0, 5.0, 7.0]);
    Ok(())
}

#[test]
fn gradients() -> Result<()> {
    let t: Vec<f64> = (0..9).map(|i| f64::from(i) / 2.0).collect();
    let squares = Array::from_vec(t.iter().map(|t| t * t).collect(), [9])?;
    let slope: Vec<f64> = t.iter().map(|t| 2.0 * t).collect();
    assert!(near(&squares.gradient(Gradient::along(0).edge_order(2), 0.5)?.to_vec()?, &slope));
    assert_eq!(squares.gradient(Gradient::along(0), 0.5)?.at([0])?, 0.5);
    let uneven = Array::from_slice(&[0.0, 1.0, 1.5, 3.0, 3.25], [5])?;
    let over = (&uneven * &uneven).gradient(Gradient::along(-1).edge_order(2), &uneven)?;
    assert!(near(&over.to_vec()?, &[0.0, 2.0, 3.0, 6.0, 6.5]));
    let plane = Array::from_vec((0..12).map(|i| 3 * (i / 4) + 5 * (i % 4)).collect::<Vec<i32>>(), [3, 4])?;
    let both: Vec<Array<f64>> = plane.gradients()?;
    assert_eq!((both[0].to_vec()?, both[1].to_vec()?), (vec![3.0; 12], vec![5.0; 12]));
    assert_eq!(plane.gradient(Gradient::along(2), 1.0).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn integrals() -> Result<()> {
    let y = Array::from_slice(&[1.0f64, 2.0, 4.0, 8.0], [4])?;
    assert_eq!(y.trapezoid(1.0, 0)?.item()?, 10.5);
    assert_eq!(y.trapezoid_over(&Array::from_slice(&[0.0, 1.0, 3.0, 3.5], [4])?, 0)?.item()?, 10.5);
    assert_eq!(y.cumulative_trapezoid(2.0, 0, true)?.to_vec()?, [0.0, 3.0, 9.0, 21.0]);
    assert_eq!(y.cumulative_trapezoid(2.0, 0, false)?.shape(), [3]);
    assert_eq!(Array::from_slice(&[1i32, 2], [2])?.trapezoid(1.0, 0)?.item()?, 1.5f64);
    let turns = Array::from_slice(&[0i64, 3, 2, 1], [4])?;
    assert_eq!(turns.as_dyn().unwrap_phase(Some(4.0), 0)?.typed::<i64>()?.to_vec()?, [0, -1, -2, -3]);
    let phase: Vec<f64> = (0..50).map(|i| 0.4 * f64::from(i)).collect();
    let wrapped = phase.iter().map(|p| p.sin().atan2(p.cos())).collect();
    assert!(near(&Array::from_vec(wrapped, [50])?.unwrap_phase(0)?.to_vec()?, &phase));
    Ok(())
}

#[test]
fn convolutions() -> Result<()> {
    let (u, v) = ([1.0, 2.0, 3.0, 4.0, 5.0], [0.5, -1.0, 0.25]);
    let mut full = [0.0; 7];
    for (i, x) in u.iter().enumerate() {
        for (j, y) in v.iter().enumerate() {
            full[i + j] += x * y;
        }
    }
    let (a, b) = (Array::from_slice(&u, [5])?, Array::from_slice(&v, [3])?);
    assert!(near(&a.convolve(&b, Convolve::Full)?.to_vec()?, &full));
    assert!(near(&a.convolve(&b, Convolve::Same)?.to_vec()?, &full[1..6]));
    assert!(near(&a.convolve(&b, Convolve::Valid)?.to_vec()?, &full[2..5]));
    let slid: Vec<f64> = (0..3).map(|k| (0..3).map(|j| u[k + j] * v[j]).sum()).collect();
    assert!(near(&a.correlate(&b, Convolve::Valid)?.to_vec()?, &slid));
    assert_eq!(a.convolve(&Array::zeros([2, 2])?, Convolve::Full).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn products_of_vectors() -> Result<()> {
    let (x, y) = (Array::from_slice(&[1.0, 2.0, 3.0], [3])?, Array::from_slice(&[4.0, 5.0, 6.5], [3])?);
    assert_eq!(x.cross(&y, -1)?.to_vec()?, [-2.0, 5.5, -3.0]);
    assert_eq!(x.vecdot(&y, 0)?.item()?, 33.5);
    let i = Array::full([2], c64::new(0.0, 1.0))?;
    assert_eq!(i.vecdot(&i, 0)?.item()?, c64::new(2.0, 0.0));
    let m = Array::from_slice(&[1.0, 0.0, 2.0, 0.0, 1.0, -1.0], [2, 3])?;
    assert_eq!(m.matvec(&x)?.to_vec()?, [7.0, -1.0]);
    assert_eq!(x.vecmat(&m.t()?)?.to_vec()?, [7.0, -1.0]);
    let wrong: Result<DynArray> = m.as_dyn().vecmat(x.as_dyn());
    assert!(wrong.is_err());
    Ok(())
}
