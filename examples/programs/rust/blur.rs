// SPDX-License-Identifier: MIT
//! Gaussian blur of an image of several channels, along its columns and rows.
use arr::{Array, Pad, Result};

pub fn blur(image: &Array<f64>, radius: i64, sigma: f64) -> Result<Array<f64>> {
    let weights = (-0.5 * (Array::arange(-radius, radius + 1, 1)?.cast::<f64>()? / sigma).square()).exp();
    let weights = &weights / weights.sum(..);
    let padded = image.pad(&[(radius, radius), (radius, radius), (0, 0)], Pad::Edge)?;
    let rows = padded.sliding_window_view(&[weights.len()], &[0])?.matmul(&weights)?;
    rows.sliding_window_view(&[weights.len()], &[1])?.matmul(&weights)
}
