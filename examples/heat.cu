// SPDX-License-Identifier: MIT
// heat.cu - one explicit step of the heat equation: the kernel of the heat programs of all languages.
// u and v are row-major ny x nx fields; the edge keeps its temperature; c is dt * alpha / dx^2.
extern "C" __global__ void heat(const double* u, double* v, long long ny, long long nx, double c) {
  long long x = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  long long y = (long long)blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  long long i = y * nx + x;
  if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) {
    v[i] = u[i];
  } else {
    v[i] = u[i] + c * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4.0 * u[i]);
  }
}
