// SPDX-License-Identifier: MIT
// The plain side of the curves: loops and algorithms of the C++ library on vectors, one thread, as a user
// writes them. Results keep their memory from call to call.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "cases.h"

namespace curves {
namespace {

template <class T>
using List = std::vector<T>;

/** Returns the elements of the result, which the first call makes. */
template <class T>
T* sized(List<T>& out, int64_t n) {
  out.resize(static_cast<size_t>(n));
  return out.data();
}

template <class T>
void add(const Operands& x, List<T>& out) {
  const T *a = x.at<T>(0), *b = x.at<T>(1);
  T* y = sized(out, x.n);
  for (int64_t i = 0; i < x.n; ++i) y[i] = a[i] + b[i];
}

template <class T>
void chain(const Operands& x, List<T>& out) {
  const T *a = x.at<T>(0), *b = x.at<T>(1), *c = x.at<T>(2);
  T* y = sized(out, x.n);
  for (int64_t i = 0; i < x.n; ++i) y[i] = (a[i] + b[i]) * c[i] - a[i] / b[i] + T(1.5);
}

template <class T>
void exp(const Operands& x, List<T>& out) {
  const T* a = x.at<T>(0);
  T* y = sized(out, x.n);
  for (int64_t i = 0; i < x.n; ++i) y[i] = std::exp(a[i]);
}

template <class T>
void sin(const Operands& x, List<T>& out) {
  const T* a = x.at<T>(0);
  T* y = sized(out, x.n);
  for (int64_t i = 0; i < x.n; ++i) y[i] = std::sin(a[i]);
}

template <class T>
void tanh(const Operands& x, List<T>& out) {
  const T* a = x.at<T>(0);
  T* y = sized(out, x.n);
  for (int64_t i = 0; i < x.n; ++i) y[i] = std::tanh(a[i]);
}

void where(const Operands& x, List<float>& out) {
  const bool* mask = x.at<bool>(0);
  const float *a = x.at<float>(1), *b = x.at<float>(2);
  float* y = sized(out, x.n);
  for (int64_t i = 0; i < x.n; ++i) y[i] = mask[i] ? a[i] : b[i];
}

void cast(const Operands& x, List<float>& out) {
  const int8_t* a = x.at<int8_t>(0);
  float* y = sized(out, x.n);
  for (int64_t i = 0; i < x.n; ++i) y[i] = a[i];
}

void gelu(const Operands& x, List<float>& out) {
  const float* a = x.at<float>(0);
  float* y = sized(out, x.n);
  for (int64_t i = 0; i < x.n; ++i) {
    y[i] = 0.5f * a[i] * (1 + std::tanh(0.7978845608f * (a[i] + 0.044715f * a[i] * a[i] * a[i])));
  }
}

void concatenate(const Operands& x, List<float>& out) {
  sized(out, x.list[0].shape[0] + x.list[1].shape[0]);
  const auto middle = std::copy_n(x.at<float>(0), x.list[0].shape[0], out.begin());
  std::copy_n(x.at<float>(1), x.list[1].shape[0], middle);
}

void take(const Operands& x, List<float>& out) {
  const float* a = x.at<float>(0);
  const int64_t* indices = x.at<int64_t>(1);
  float* y = sized(out, x.n);
  for (int64_t i = 0; i < x.n; ++i) y[i] = a[indices[i]];
}

template <class Distribution>
void draw(const Operands& x, List<float>& out) {
  static std::mt19937 engine(1);
  Distribution distribution;
  sized(out, x.n);
  for (float& one : out) one = distribution(engine);
}

void sum(const Operands& x, List<float>& out) {
  float total = 0;
  for (const float *a = x.at<float>(0), *end = a + x.n; a != end; ++a) total += *a;
  out.assign(1, total);
}

void mean(const Operands& x, List<float>& out) {
  sum(x, out);
  out[0] /= static_cast<float>(x.n);
}

void var(const Operands& x, List<float>& out) {
  mean(x, out);
  double total = 0;  // a float stops to grow at 2^24
  for (const float *a = x.at<float>(0), *end = a + x.n; a != end; ++a) total += (*a - out[0]) * (*a - out[0]);
  out[0] = static_cast<float>(total / static_cast<double>(x.n));
}

void max(const Operands& x, List<float>& out) {
  out.assign(1, *std::max_element(x.at<float>(0), x.at<float>(0) + x.n));
}

void argmax(const Operands& x, List<int64_t>& out) {
  const float* a = x.at<float>(0);
  out.assign(1, std::max_element(a, a + x.n) - a);
}

void cumsum(const Operands& x, List<float>& out) {
  std::partial_sum(x.at<float>(0), x.at<float>(0) + x.n, sized(out, x.n));
}

template <class T>
void sort(const Operands& x, List<T>& out) {
  out.assign(x.at<T>(0), x.at<T>(0) + x.n);
  std::sort(out.begin(), out.end());
}

void argsort(const Operands& x, List<int64_t>& out) {
  const double* a = x.at<double>(0);
  sized(out, x.n);
  std::iota(out.begin(), out.end(), 0);
  std::sort(out.begin(), out.end(), [a](int64_t i, int64_t j) { return a[i] < a[j]; });
}

void unique(const Operands& x, List<int64_t>& out) {
  sort(x, out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

/** Returns the quantile between the two elements around it. */
double quantile(List<double>& list, double q) {
  const double at = q * static_cast<double>(list.size() - 1);
  const auto low = list.begin() + static_cast<int64_t>(at);
  std::nth_element(list.begin(), low, list.end());
  if (low + 1 == list.end()) return *low;
  return std::lerp(*low, *std::min_element(low + 1, list.end()), at - std::floor(at));
}

template <int Percent>
void percentile(const Operands& x, List<double>& out) {
  static List<double> list;
  list.assign(x.at<double>(0), x.at<double>(0) + x.rows());
  out.assign(1, quantile(list, Percent / 100.0));
}

void histogram(const Operands& x, List<int64_t>& out) {
  const int bins = 100;
  const double *a = x.at<double>(0), *end = a + x.n;
  const auto [low, high] = std::minmax_element(a, end);
  const double scale = bins / (*high - *low), first = *low;
  out.assign(bins, 0);
  for (; a != end; ++a)
    ++out[static_cast<size_t>(std::min(static_cast<int>((*a - first) * scale), bins - 1))];
}

}  // namespace

Table loop_rows() {
  return {
      row("add float32", add<float>),
      row("chain float32", chain<float>),
      row("exp float32", exp<float>),
      row("exp float64", exp<double>),
      row("sin float32", sin<float>),
      row("sin float64", sin<double>),
      row("tanh float32", tanh<float>),
      row("tanh float64", tanh<double>),
      row("where", where),
      row("cast of int8", cast),
      row("gelu", gelu),
      row("concatenate", concatenate),
      row("take", take),
      row("normal", draw<std::normal_distribution<float>>),
      row("uniform", draw<std::uniform_real_distribution<float>>),
      row("sum", sum),
      row("mean", mean),
      row("var", var),
      row("max", max),
      row("argmax", argmax),
      row("cumsum", cumsum),
      row("sort float32", sort<float>),
      row("sort float64", sort<double>),
      row("argsort", argsort),
      row("unique", unique),
      row("median", percentile<50>),
      row("percentile", percentile<90>),
      row("histogram", histogram),
  };
}

}  // namespace curves
