// SPDX-License-Identifier: MIT
//! Windows of floats for spectra, by NumPy's formulas: symmetric, of n points.

use crate::functions::of_size;

of_size! {
    /// The triangular window, 0 at both ends.
    bartlett() = arr_bartlett();
    /// Blackman's window: 0.42 + 0.5 cos(pi t) + 0.08 cos(2 pi t), t from -1 to 1.
    blackman() = arr_blackman();
    /// Hamming's window: 0.54 + 0.46 cos(pi t), t from -1 to 1.
    hamming() = arr_hamming();
    /// Von Hann's window: 0.5 + 0.5 cos(pi t), t from -1 to 1.
    hanning() = arr_hanning();
    /// Kaiser's window: i0(beta sqrt(1 - t * t)) / i0(beta), t from -1 to 1. `beta` is its shape: 0 a rectangle, 5 like
    /// Hamming's, 8.6 like Blackman's.
    kaiser(beta: f64) = arr_kaiser(beta);
}
