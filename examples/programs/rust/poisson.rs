// SPDX-License-Identifier: MIT
//! Poisson's equation on an L-shaped domain: a grid without its last quarter, u = 0 around it.
use arr::{array, idx, s, solve_cg, Array, Result, SolveOptions, SparseFormat, SparseMatrix};

pub fn poisson(f: &Array<f64>) -> Result<Array<f64>> {
    let n = f.shape()[0];
    let (two, minus) = (array![2.0], array![-1.0]);
    let line = SparseMatrix::diags((n, n), &[(-1, &minus), (0, &two), (1, &minus)])?;
    let mut inside = Array::full((n, n), true)?;
    inside.slice_mut(s![n / 2.., n / 2..])?.fill(false)?;
    let at = inside.flatnonzero()?;
    let a = line.kronsum(&line, SparseFormat::Csr)?.get(idx![&at])?.get(idx![.., &at])?;
    let b = f.mask(&inside)? / ((n + 1) * (n + 1)) as f64;
    let mut u = Array::zeros(n * n)?;
    u.assign_at(idx![&at], solve_cg(&a, &b, SolveOptions { rtol: 1e-12, ..Default::default() })?.0)?;
    u.reshape((n, n))
}
