// SPDX-License-Identifier: MIT
//! k-means: ten rounds of Lloyd's algorithm, from the first three points.
use arr::{keep, s, Array, Result};

pub fn kmeans(points: &Array<f64>, k: i64, rounds: usize) -> Result<Array<f64>> {
    let mut centres = points.slice(s![..k])?;
    for _ in 0..rounds {
        let distances = (points.expand_dims(&[1])? - &centres).square().sum(2);
        let members = distances.argmin(1).equal(&Array::arange(0, k, 1)?.expand_dims(&[1])?).cast::<f64>()?;
        centres = members.matmul(points)? / members.sum(keep(1));
    }
    Ok(centres)
}
