// SPDX-License-Identifier: MIT
// cupy/complex.cuh brings thrust's complex numbers in without their namespace. Embedded after
// complex_class.h.

using thrust::arg;
using thrust::complex;
using thrust::conj;
using thrust::imag;
using thrust::norm;
using thrust::polar;
using thrust::proj;
using thrust::real;
