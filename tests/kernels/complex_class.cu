// SPDX-License-Identifier: MIT
// thrust::complex, which CuPy's header brings in without its namespace. NVRTC cannot read Thrust's own
// header; its namesake there is libcu++'s.
#ifdef __ARR_HOST__
#include <cupy/complex.cuh>
#else
#include <cuda/std/complex>
namespace thrust = cuda::std;
using thrust::complex;
#endif

template <class T>
__device__ void rows(complex<T> a, complex<T> b, complex<T>* out, int n, int i) {
  out[i] = a + b;
  out[n + i] = a - b * T(2);
  out[2 * n + i] = a * b;
  out[3 * n + i] = a / b;
  complex<T> c = a;
  c += b;
  c *= complex<T>(0, 1);
  c -= T(3);
  out[4 * n + i] = -c;
  out[5 * n + i] = conj(a) / T(4) + T(1) / b;
  out[6 * n + i] = complex<T>(abs(a), arg(b));
  out[7 * n + i] = complex<T>(norm(a), a.real() + b.imag());
  out[8 * n + i] = exp(a);
  out[9 * n + i] = log(b);
  out[10 * n + i] = sqrt(a);
  out[11 * n + i] = pow(a, b);
  out[12 * n + i] = sin(a) + cosh(b);
  out[13 * n + i] = thrust::polar(abs(a), arg(a));
  out[14 * n + i] = complex<T>(a == b, a != b);
}
extern "C" __global__ void in_float(const complex<float>* a, const complex<float>* b, complex<float>* out,
                                    int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) rows(a[i], b[i], out, n, i);
}
extern "C" __global__ void in_double(const complex<double>* a, const complex<double>* b, complex<double>* out,
                                     int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) rows(a[i], b[i], out, n, i);
}
