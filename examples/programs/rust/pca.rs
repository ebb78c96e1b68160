// SPDX-License-Identifier: MIT
//! Principal components of a table: their shares of the variance, and the largest score of each.
use arr::{keep, s, stack, Array, Result};

pub fn pca(table: &Array<f64>, components: i64) -> Result<Array<f64>> {
    let centred = table - table.mean(keep(0));
    let (_, s, vh) = centred.svd(false)?;
    let scores = centred.matmul(&vh.slice(s![..components])?.t()?)?;
    let share = s.square() / s.square().sum(..);
    stack![0; share.slice(s![..components])?, scores.max_abs(0)]
}
