// SPDX-License-Identifier: MIT
//! Gaussian blur of an image of several channels, along its columns and rows.
use arr::{Array, Pad, Result};

pub fn blur(image: &Array<f64>) -> Result<Array<f64>> {
    let (radius, sigma) = (2, 1.5);
    let weights = (-0.5 * (Array::<f64>::arange(-2.0, 3.0, 1.0)? / sigma).square()).exp();
    let weights = &weights / weights.sum(..);
    let padded = image.pad(&[(radius, radius), (radius, radius), (0, 0)], Pad::Edge)?;
    let rows = padded.sliding_window_view(&[5], &[0])?.matmul(&weights)?;
    rows.sliding_window_view(&[5], &[1])?.matmul(&weights)
}
