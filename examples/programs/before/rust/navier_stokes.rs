// SPDX-License-Identifier: MIT
//! Navier-Stokes in two dimensions: the vorticity of a periodic flow, by Fourier transforms.
use arr::{c64, Array, Device, Norm, Result};

fn field(spectrum: &Array<c64>) -> Result<Array<f64>> {
    spectrum.as_dyn().ifft(&[], Norm::Backward)?.real().typed()
}

pub fn navier_stokes(vorticity: &Array<f64>) -> Result<Array<f64>> {
    let (viscosity, dt, steps) = (1e-3, 0.01, 20);
    let n = vorticity.shape()[0];
    let kx = Device::HOST.fftfreq::<f64>(n, 1.0 / n as f64)?;
    let ky = kx.expand_dims(&[1])?;
    let k2 = kx.square() + ky.square();
    let keep = k2.less((n * n) as f64 / 9.0).cast::<f64>()?;
    let i = c64::new(0.0, 1.0);
    let (ikx, iky) = (i * kx.cast::<c64>()?, i * ky.cast::<c64>()?);
    let inverse = k2.equal(0.0).where_(1.0, &k2).reciprocal().cast::<c64>()?;
    let keep = (dt * keep).cast::<c64>()?;
    let slower = (1.0 + dt * viscosity * k2).cast::<c64>()?;
    let mut w = vorticity.as_dyn().fft(&[], Norm::Backward)?.typed::<c64>()?;
    for _ in 0..steps {
        let psi = &w * &inverse;
        let (u, v) = (field(&(&iky * &psi))?, field(&(&ikx * &psi))?);
        let advection = u * field(&(&ikx * &w))? - v * field(&(&iky * &w))?;
        w = (w - &keep * advection.as_dyn().fft(&[], Norm::Backward)?.typed::<c64>()?) / &slower;
    }
    field(&w)
}
