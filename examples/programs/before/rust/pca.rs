// SPDX-License-Identifier: MIT
//! Principal components of a table: their shares of the variance, and the largest score of each.
use arr::{keep, s, Array, Result};

pub fn pca(table: &Array<f64>) -> Result<Array<f64>> {
    let components = 2;
    let centred = table - table.mean(keep(0));
    let (_, s, vh) = centred.svd(false)?;
    let scores = centred.matmul(&vh.slice(s![..components])?.t()?)?;
    let share = s.square() / s.square().sum(..);
    let mut both = Array::zeros([2, 2])?;
    both.slice_mut(s![0])?.assign(&share.slice(s![..components])?)?;
    both.slice_mut(s![1])?.assign(&scores.max_abs(0))?;
    Ok(both)
}
