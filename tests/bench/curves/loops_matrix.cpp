// SPDX-License-Identifier: MIT
// The plain side of the curves on matrices: loops over rows and columns, one thread, as a user writes them.
#include <algorithm>
#include <cmath>
#include <utility>

#include "cases.h"

namespace curves {
namespace {

template <class T>
using List = std::vector<T>;

size_t rows(const Operands& x) { return static_cast<size_t>(x.rows()); }
size_t columns(const Operands& x) { return static_cast<size_t>(x.columns()); }

void row_relu(const Operands& x, List<float>& out) {
  const float *a = x.at<float>(0), *row = x.at<float>(1);
  const size_t width = columns(x);
  out.resize(rows(x) * width);
  for (size_t i = 0; i < rows(x); ++i) {
    for (size_t j = 0; j < width; ++j) out[i * width + j] = std::max(a[i * width + j] + row[j], 0.0f);
  }
}

void sum_rows(const Operands& x, List<float>& out) {
  const float* a = x.at<float>(0);
  const size_t width = columns(x);
  out.assign(rows(x), 0);
  for (size_t i = 0; i < rows(x); ++i) {
    for (size_t j = 0; j < width; ++j) out[i] += a[i * width + j];
  }
}

void sum_columns(const Operands& x, List<float>& out) {
  const float* a = x.at<float>(0);
  const size_t width = columns(x);
  out.assign(width, 0);
  for (size_t i = 0; i < rows(x); ++i) {
    for (size_t j = 0; j < width; ++j) out[j] += a[i * width + j];
  }
}

void argmax_rows(const Operands& x, List<int64_t>& out) {
  const float* a = x.at<float>(0);
  out.resize(rows(x));
  for (int64_t& one : out) {
    one = std::max_element(a, a + x.columns()) - a;
    a += x.columns();
  }
}

void softmax(const Operands& x, List<float>& out) {
  const float* a = x.at<float>(0);
  const size_t width = columns(x);
  out.resize(rows(x) * width);
  for (size_t i = 0; i < rows(x); ++i, a += width) {
    float* to = &out[i * width];
    const float high = *std::max_element(a, a + width);
    float total = 0;
    for (size_t j = 0; j < width; ++j) total += to[j] = std::exp(a[j] - high);
    for (size_t j = 0; j < width; ++j) to[j] /= total;
  }
}

void transposed(const Operands& x, List<float>& out) {
  const float* a = x.at<float>(0);
  const size_t height = rows(x), width = columns(x);
  out.resize(height * width);
  for (size_t j = 0; j < width; ++j) {
    for (size_t i = 0; i < height; ++i) out[j * height + i] = a[i * width + j];
  }
}

void dot(const Operands& x, List<float>& out) {
  const float *a = x.at<float>(0), *b = x.at<float>(1);
  float total = 0;
  for (int64_t i = 0; i < x.n; ++i) total += a[i] * b[i];
  out.assign(1, total);
}

void matrix_vector(const Operands& x, List<float>& out) {
  const float *a = x.at<float>(0), *b = x.at<float>(1);
  const size_t width = columns(x);
  out.assign(rows(x), 0);
  for (size_t i = 0; i < rows(x); ++i) {
    for (size_t j = 0; j < width; ++j) out[i] += a[i * width + j] * b[j];
  }
}

void vector_matrix(const Operands& x, List<float>& out) {
  const float *a = x.at<float>(0), *b = x.at<float>(1);
  const size_t width = columns(x);
  out.assign(width, 0);
  for (size_t i = 0; i < rows(x); ++i) {
    for (size_t j = 0; j < width; ++j) out[j] += b[i] * a[i * width + j];
  }
}

template <class T>
void product(const T* a, const T* b, T* c, size_t n) {
  std::fill_n(c, n * n, T(0));
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < n; ++k) {
      for (size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}

template <class T>
void matmul(const Operands& x, List<T>& out) {
  out.resize(rows(x) * rows(x));
  product(x.at<T>(0), x.at<T>(1), out.data(), rows(x));
}

void small_matmul(const Operands& x, List<float>& out) {
  out.resize(rows(x) * 16);
  for (size_t i = 0; i < out.size(); i += 16) product(x.at<float>(0) + i, x.at<float>(1) + i, &out[i], 4);
}

void distances(const Operands& x, List<double>& out) {
  const double* a = x.at<double>(0);
  const size_t count = rows(x), width = columns(x);
  out.resize(count * count);
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < count; ++j) {
      double total = 0;
      for (size_t k = 0; k < width; ++k) {
        const double difference = a[i * width + k] - a[j * width + k];
        total += difference * difference;
      }
      out[i * count + j] = total;
    }
  }
}

/** Transforms a power of two of elements by butterflies, in place; `out` holds them in the reversed order of
 * bits. */
void butterflies(List<std::complex<float>>& out) {
  const size_t n = out.size();
  List<std::complex<float>> roots(n / 2);
  for (size_t k = 0; k < n / 2; ++k) {
    const double angle = -2 * std::acos(-1.0) * static_cast<double>(k) / static_cast<double>(n);
    roots[k] = std::complex<float>(std::polar(1.0, angle));
  }
  for (size_t half = 1; half < n; half *= 2) {
    for (size_t i = 0; i < n; i += 2 * half) {
      for (size_t k = 0; k < half; ++k) {
        const std::complex<float> u = out[i + k], w = roots[k * (n / 2 / half)], v = out[i + k + half];
        const std::complex<float> t(w.real() * v.real() - w.imag() * v.imag(),
                                    w.real() * v.imag() + w.imag() * v.real());
        out[i + k] = u + t;
        out[i + k + half] = u - t;
      }
    }
  }
}

void fft(const Operands& x, List<std::complex<float>>& out) {
  const auto* a = x.at<std::complex<float>>(0);
  out.assign(a, a + x.n);
  for (size_t i = 1, j = 0; i < out.size(); ++i) {
    size_t bit = out.size() / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(out[i], out[j]);
  }
  butterflies(out);
}

/** Eliminates with the largest pivot of each column; `out` begins as the right side. */
void solve(const Operands& x, List<double>& out) {
  const size_t n = rows(x);
  List<double> a(x.at<double>(0), x.at<double>(0) + n * n);
  out.assign(x.at<double>(1), x.at<double>(1) + n);
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; ++i) {
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    }
    if (pivot != k) std::swap_ranges(&a[k * n], &a[k * n] + n, &a[pivot * n]);
    std::swap(out[k], out[pivot]);
    for (size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      for (size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      out[i] -= factor * out[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; ++j) out[k] -= a[k * n + j] * out[j];
    out[k] /= a[k * n + k];
  }
}

}  // namespace

Table loop_matrix_rows() {
  return {
      row("row, relu", row_relu),
      row("sum of rows", sum_rows),
      row("sum of columns", sum_columns),
      row("argmax of rows", argmax_rows),
      row("softmax of rows", softmax),
      row("transposed copy", transposed),
      row("dot", dot),
      row("matrix times vector", matrix_vector),
      row("vector times matrix", vector_matrix),
      row("matmul float32", matmul<float>),
      row("matmul float64", matmul<double>),
      row("matmul of 4 x 4", small_matmul),
      row("distances", distances),
      row("fft", fft),
      row("solve", solve),
  };
}

}  // namespace curves
