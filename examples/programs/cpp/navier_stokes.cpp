// SPDX-License-Identifier: MIT
// Navier-Stokes in two dimensions: the vorticity of a periodic flow, by Fourier transforms.
#include "programs.hpp"

static arr::array field(const arr::array& spectrum) { return arr::real(arr::ifftn(spectrum)); }

arr::array navier_stokes(const arr::array& vorticity, double viscosity, double dt, int steps) {
  const int64_t n = vorticity.shape()[0];
  const std::complex<double> i(0, 1);
  const double width = static_cast<double>(n);
  const arr::array kx = arr::fftfreq(n, 1 / width), ky = kx.reshape({n, 1});
  const arr::array k2 = kx * kx + ky * ky, keep = k2 < width * width / 9;
  arr::array w = arr::fftn(vorticity);
  for (int step = 0; step < steps; ++step) {
    const arr::array psi = w / arr::where(k2 == 0, 1, k2);
    const arr::array u = field(i * ky * psi), v = field(-i * kx * psi);
    const arr::array advection = u * field(i * kx * w) + v * field(i * ky * w);
    w = (w - dt * keep * arr::fftn(advection)) / (1 + dt * viscosity * k2);
  }
  return field(w);
}
