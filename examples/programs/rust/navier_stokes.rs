// SPDX-License-Identifier: MIT
//! Navier-Stokes in two dimensions: the vorticity of a periodic flow, by Fourier transforms. Arrays of any type mix real
//! and complex numbers by NumPy's rules.
use arr::{c64, Device, DynArray, Norm, Result};

pub fn navier_stokes(vorticity: &DynArray) -> Result<DynArray> {
    let (viscosity, dt, steps, n) = (1e-3, 0.01, 20, vorticity.nrows());
    let kx = &Device::HOST.fftfreq::<f64>(n, 1.0 / n as f64)?.into_dyn();
    let ky = &kx.expand_dims(&[1])?;
    let k2 = kx.square() + ky.square();
    let keep = k2.less((n * n) as f64 / 9.0);
    let field = |spectrum: DynArray| spectrum.ifft(&[], Norm::Backward).map(|points| points.real());
    let mut w = vorticity.fft(&[], Norm::Backward)?;
    for _ in 0..steps {
        let psi = &w / k2.equal(0.0).where_(1.0, &k2);
        let (u, v) = (field(c64::I * ky * &psi)?, field(-c64::I * kx * &psi)?);
        let advection = u * field(c64::I * kx * &w)? + v * field(c64::I * ky * &w)?;
        w = (w - dt * &keep * advection.fft(&[], Norm::Backward)?) / (1.0 + dt * viscosity * &k2);
    }
    field(w)
}
