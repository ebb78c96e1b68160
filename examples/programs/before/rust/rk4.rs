// SPDX-License-Identifier: MIT
//! An ensemble of Lorenz systems by the classical Runge-Kutta method: the mean state at the end.
use arr::{s, Array, Result};

fn lorenz(state: &Array<f64>) -> Result<Array<f64>> {
    let (x, y, z) = (&state.slice(s![0])?, &state.slice(s![1])?, &state.slice(s![2])?);
    let mut slope = state.zeros_like()?;
    slope.slice_mut(s![0])?.assign(&(10.0 * (y - x)))?;
    slope.slice_mut(s![1])?.assign(&(x * (28.0 - z) - y))?;
    slope.slice_mut(s![2])?.assign(&(x * y - 8.0 / 3.0 * z))?;
    Ok(slope)
}

pub fn rk4(start: &Array<f64>) -> Result<Array<f64>> {
    let h = 0.01;
    let mut state = start.clone();
    for _ in 0..100 {
        let k1 = lorenz(&state)?;
        let k2 = lorenz(&(&state + h / 2.0 * &k1))?;
        let k3 = lorenz(&(&state + h / 2.0 * &k2))?;
        let k4 = lorenz(&(&state + h * &k3))?;
        state += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    Ok(state.mean(1))
}
