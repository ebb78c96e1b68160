# SPDX-License-Identifier: MIT
# Navier-Stokes in two dimensions: the vorticity of a periodic flow, by Fourier transforms.
import numpy as np


def navier_stokes(vorticity, viscosity=1e-3, dt=0.01, steps=20):
    n = len(vorticity)
    kx = np.fft.fftfreq(n, 1 / n)
    ky = kx[:, None]
    k2 = kx**2 + ky**2
    keep = k2 < (n / 3) ** 2

    def field(spectrum):
        return np.fft.ifft2(spectrum).real

    w = np.fft.fft2(vorticity)
    for _ in range(steps):
        psi = w / np.where(k2 == 0, 1, k2)
        u, v = field(1j * ky * psi), field(-1j * kx * psi)
        advection = u * field(1j * kx * w) + v * field(1j * ky * w)
        w = (w - dt * keep * np.fft.fft2(advection)) / (1 + dt * viscosity * k2)
    return field(w)
