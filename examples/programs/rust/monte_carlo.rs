// SPDX-License-Identifier: MIT
//! Monte Carlo: prices of Asian options by geometric Brownian motion, and their standard errors.
use arr::{stack, Array, BitGenerator, Device, Generator, Result};

pub fn monte_carlo(strikes: &Array<f64>) -> Result<Array<f64>> {
    let (paths, steps, start, rate, sigma) = (1000, 16, 100.0, 0.05f64, 0.2f64);
    let [u, v] = Generator::of(BitGenerator::Pcg64, 1)?.random::<f64>(Device::HOST, [2, paths, steps])?.unpack()?;
    let normal = (-2.0 * (-u).log1p()).sqrt() * (std::f64::consts::TAU * v).cos();
    let walk = (rate - sigma * sigma / 2.0) / steps as f64 + sigma * (1.0 / steps as f64).sqrt() * normal;
    let mean = start * walk.cumsum(1).exp().mean(1);
    let payoffs = (-rate).exp() * (mean - strikes.expand_dims(&[1])?).maximum(0.0);
    stack![0; payoffs.mean(1), payoffs.std(1, 1.0)? / (paths as f64).sqrt()]
}
