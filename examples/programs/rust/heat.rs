// SPDX-License-Identifier: MIT
//! Heat equation: explicit steps on the inner points of a field.
use arr::{s, Array, Result};

pub fn heat(mut u: Array<f64>, c: f64, steps: usize) -> Result<Array<f64>> {
    for _ in 0..steps {
        let around = (u.slice(s![2.., 1..-1])? + u.slice(s![..-2, 1..-1])?)
            + (u.slice(s![1..-1, 2..])? + u.slice(s![1..-1, ..-2])?);
        let change = c * (around - 4.0 * u.slice(s![1..-1, 1..-1])?);
        *u.slice_mut(s![1..-1, 1..-1])? += change;
    }
    Ok(u)
}
