// SPDX-License-Identifier: MIT
//! Gaussian blur of an image of several channels, along its columns and rows.
use arr::{s, Array, Convolve, Result};

fn pad(image: &Array<f64>, r: usize) -> Result<Array<f64>> {
    let (h, w, channels) = (image.shape()[0], image.shape()[1], image.shape()[2]);
    let mut padded = Array::zeros([h + 2 * r, w + 2 * r, channels])?;
    padded.slice_mut(s![r..h + r, r..w + r])?.assign(image)?;
    padded.slice_mut(s![..r, r..w + r])?.assign(&image.slice(s![..1])?)?;
    padded.slice_mut(s![h + r.., r..w + r])?.assign(&image.slice(s![-1..])?)?;
    let (left, right) = (padded.slice(s![.., r..r + 1])?, padded.slice(s![.., w + r - 1..w + r])?);
    padded.slice_mut(s![.., ..r])?.assign(&left)?;
    padded.slice_mut(s![.., w + r..])?.assign(&right)?;
    Ok(padded)
}

pub fn blur(image: &Array<f64>) -> Result<Array<f64>> {
    let (radius, sigma) = (2, 1.5);
    let bell = (-0.5 * (Array::<f64>::arange(-2.0, 3.0, 1.0)? / sigma).square()).exp();
    let weights = bell.expand_dims(&[1, 2])? * bell.expand_dims(&[1])?;
    let weights = &weights / weights.sum(..);
    pad(image, radius)?.as_dyn().fftconvolve(weights.as_dyn(), Convolve::Valid, &[0, 1])?.typed()
}
