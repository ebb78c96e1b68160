// SPDX-License-Identifier: MIT
//! Monte Carlo: prices of Asian options by geometric Brownian motion, and their standard errors.
use std::f64::consts::PI;

use arr::{stack, Array, BitGenerator, Device, Generator, Result};

pub fn monte_carlo(strikes: &Array<f64>) -> Result<Array<f64>> {
    let (paths, steps) = (1000, 16);
    let (start, rate, sigma) = (100.0, 0.05f64, 0.2f64);
    let (drift, spread) = ((rate - sigma.powi(2) / 2.0) / steps as f64, sigma * (1.0 / steps as f64).sqrt());
    let both: Array<f64> = Generator::of(BitGenerator::Pcg64, 1)?.random(Device::HOST, [2, paths, steps])?;
    let (u, v) = (both.index_axis(0, 0)?, both.index_axis(0, 1)?);
    let normal = (-2.0 * (-u).log1p()).sqrt() * (2.0 * PI * v).cos();
    let walk = (drift + spread * normal).cumsum(1);
    let mean = start * walk.exp().mean(1);
    let payoffs = (-rate).exp() * (mean - strikes.expand_dims(&[1])?).maximum(0.0);
    stack![0; payoffs.mean(1), payoffs.std(1, 1.0)? / (paths as f64).sqrt()]
}
