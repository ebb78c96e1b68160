// SPDX-License-Identifier: MIT
//! An ensemble of Lorenz systems by the classical Runge-Kutta method: the mean state at the end.
use arr::{stack, Array, Result};

fn lorenz(state: &Array<f64>) -> Result<Array<f64>> {
    let [x, y, z] = &state.unpack()?;
    stack![0; 10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z]
}

pub fn rk4(mut state: Array<f64>, h: f64, steps: usize) -> Result<Array<f64>> {
    for _ in 0..steps {
        let k1 = lorenz(&state)?;
        let k2 = lorenz(&(&state + h / 2.0 * &k1))?;
        let k3 = lorenz(&(&state + h / 2.0 * &k2))?;
        let k4 = lorenz(&(&state + h * &k3))?;
        state += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    Ok(state.mean(1))
}
