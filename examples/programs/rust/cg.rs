// SPDX-License-Identifier: MIT
//! Conjugate gradients for the five-point Laplacian of a grid.
use arr::{s, Array, Result};

fn laplace(p: &Array<f64>) -> Result<Array<f64>> {
    let mut q = 4.0 * p;
    *q.slice_mut(s![1..])? -= p.slice(s![..-1])?;
    *q.slice_mut(s![..-1])? -= p.slice(s![1..])?;
    *q.slice_mut(s![.., 1..])? -= p.slice(s![.., ..-1])?;
    *q.slice_mut(s![.., ..-1])? -= p.slice(s![.., 1..])?;
    Ok(q)
}

pub fn cg(b: &Array<f64>, tolerance: f64) -> Result<Array<f64>> {
    let (mut x, mut r, mut p) = (b.zeros_like()?, b.clone(), b.clone());
    let mut rho = r.vdot(&r)?.item()?;
    while rho > tolerance.powi(2) {
        let q = laplace(&p)?;
        let alpha = rho / p.vdot(&q)?.item()?;
        x += alpha * &p;
        r -= alpha * &q;
        let previous = std::mem::replace(&mut rho, r.vdot(&r)?.item()?);
        p = &r + rho / previous * &p;
    }
    Ok(x)
}
