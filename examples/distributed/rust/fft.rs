// SPDX-License-Identifier: MIT
//! Fourier transforms of a cube, whose planes are divided among the ranks: forwards and back. The largest error.
use arr::{Comm, Decomposition, Dist, Distribution, Generator, Norm, Result};

pub fn fft(comm: &Comm, n: usize, steps: usize) -> Result<f64> {
    let planes = Decomposition::blocks(comm, [n, n, n], &[], &[])?;
    let cube = Dist::<f64>::random(&planes, &Generator::new(1)?, Distribution::NORMAL, &[])?;
    let there_and_back = || cube.fft(&[], Norm::Backward, false)?.ifft(&[], Norm::Backward, false);
    let mut back = there_and_back()?;
    for _ in 1..steps {
        back = there_and_back()?;
    }
    Dist::<f64>::evaluate("abs(a - b)", &[&cube, &back])?.max(..)?.item()
}
