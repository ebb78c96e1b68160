// SPDX-License-Identifier: MIT
//! Products, Einstein sums, diagonals and powers against numbers worked out by hand.
use arr::{c64, einsum, einsum_path, multi_dot, Activation, Array, Epilogue, ErrorKind, Result};

fn matrix() -> Result<Array<f64>> {
    Array::from_slice(&[1.0, 2.0, 3.0, 4.0], [2, 2])
}

#[test]
fn of_two() -> Result<()> {
    let (a, v) = (matrix()?, Array::from_slice(&[1.0, -1.0], [2])?);
    assert_eq!(a.dot(&v)?.to_vec()?, [-1.0, -1.0]);
    assert_eq!(v.dot(&a)?.to_vec()?, [-2.0, -2.0]);
    assert_eq!(a.inner(&a)?.to_vec()?, [5.0, 11.0, 11.0, 25.0]);
    assert_eq!(v.outer(&v)?.to_vec()?, [1.0, -1.0, -1.0, 1.0]);
    assert_eq!(v.kron(&v)?.to_vec()?, [1.0, -1.0, -1.0, 1.0]);
    assert_eq!(a.tensordot(&a, &[(0, 0), (1, 1)])?.item()?, 30.0);
    assert_eq!(a.khatri_rao(&a)?.to_vec()?, [1.0, 4.0, 3.0, 8.0, 3.0, 8.0, 9.0, 16.0]);
    let chain = multi_dot(&[v.as_dyn(), a.as_dyn(), a.as_dyn(), v.as_dyn()])?;
    assert_eq!(chain.typed::<f64>()?.item()?, 4.0);
    assert!(multi_dot(&[a.as_dyn()]).is_err());
    let i = Array::full([2], c64::new(0.0, 1.0))?;
    assert_eq!(i.vdot(&i)?.item()?, c64::new(2.0, 0.0));
    assert_eq!(a.dot(&Array::zeros([3])?).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn of_one() -> Result<()> {
    let a = matrix()?;
    assert_eq!(a.matrix_power(3)?.to_vec()?, [37.0, 54.0, 81.0, 118.0]);
    assert_eq!(a.as_dyn().trace()?.typed::<f64>()?.item()?, 5.0);
    assert_eq!(a.as_dyn().diagonal(1)?.typed::<f64>()?.to_vec()?, [2.0]);
    Ok(())
}

#[test]
fn einstein() -> Result<()> {
    let a = matrix()?;
    let x = a.as_dyn();
    assert_eq!(einsum("ij,jk->ki", &[x, x])?.typed::<f64>()?.to_vec()?, [7.0, 15.0, 10.0, 22.0]);
    assert_eq!(einsum("ij,jk,kl", &[x, x, x])?.typed::<f64>()?.to_vec()?, [37.0, 54.0, 81.0, 118.0]);
    assert_eq!(einsum("ii", &[x])?.typed::<f64>()?.item()?, 5.0);
    let wide = Array::<f64>::zeros([2, 50])?;
    let y = wide.as_dyn();
    let path = einsum_path("ij,jk,lk->il", &[x, y, y])?;
    assert_eq!(path.steps, [vec![1, 2], vec![0, 1]]);
    assert!(path.cost > 0.0 && path.cost < path.naive, "{path:?}");
    assert_eq!(einsum_path("i0", &[x]).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(einsum("i0", &[x]).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(einsum("ij\0", &[x]).unwrap_err().kind(), ErrorKind::Argument);
    Ok(())
}

#[test]
fn epilogues() -> Result<()> {
    let (a, bias) = (matrix()?, Array::from_slice(&[-20.0, 1.0], [2])?);
    let x = a.as_dyn();
    let gemm = |e: Epilogue| x.gemm(x, e)?.typed::<f64>()?.to_vec();
    let with = Epilogue { c: Some(bias.as_dyn()), ..Epilogue::default() };
    assert_eq!(gemm(Epilogue::default())?, [7.0, 10.0, 15.0, 22.0]);
    assert_eq!(gemm(with)?, [-13.0, 11.0, -5.0, 23.0]);
    assert_eq!(gemm(Epilogue { alpha: Some(2.0), beta: Some(-1.0), ..with })?, [34.0, 19.0, 50.0, 43.0]);
    for fast in [false, true] {
        assert_eq!(gemm(Epilogue { activation: Activation::Relu, fast, ..with })?, [0.0, 11.0, 0.0, 23.0]);
    }
    let mut into = Array::<f32>::zeros([2, 2])?.into_dyn();
    x.gemm_into(x, with, &mut into)?;
    assert_eq!(into.typed::<f32>()?.to_vec()?, [-13.0, 11.0, -5.0, 23.0]);
    let mut small = Array::<f64>::zeros([2, 3])?.into_dyn();
    assert!(x.gemm_into(x, with, &mut small).is_err());
    let sigmoid = gemm(Epilogue { activation: Activation::Sigmoid, ..with })?;
    assert!((sigmoid[2] - 1.0 / (1.0 + 5f64.exp())).abs() < 1e-15);
    let three = Array::<f64>::zeros([3])?;
    let wrong = x.gemm(x, Epilogue { c: Some(three.as_dyn()), ..Epilogue::default() });
    assert_eq!(wrong.unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}
