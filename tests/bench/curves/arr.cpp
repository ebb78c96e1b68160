// SPDX-License-Identifier: MIT
// Our side of the curves: each workload as a user of arr.hpp writes it. Results are waited for, as if they
// were read.
#include <arr/arr.hpp>
#include <stdexcept>

#include "cases.h"

namespace curves {
namespace {

using Arrays = std::vector<arr::array>;

arr::array array_of(const Operand& x) {
  const arr::extents shape(std::vector<int64_t>(x.shape, x.shape + x.ndim));
  switch (x.type) {
    case '?':
      return arr::array::from(static_cast<const bool*>(x.data), shape);
    case 'b':
      return arr::array::from(static_cast<const int8_t*>(x.data), shape);
    case 'l':
      return arr::array::from(static_cast<const int64_t*>(x.data), shape);
    case 'f':
      return arr::array::from(static_cast<const float*>(x.data), shape);
    case 'd':
      return arr::array::from(static_cast<const double*>(x.data), shape);
    case 'F':
      return arr::array::from(static_cast<const std::complex<float>*>(x.data), shape);
    default:
      throw std::invalid_argument("curves: an operand has a type that no workload has");
  }
}

/** A formula of arrays; each call makes a new result. */
template <class Formula>
class Call : public Case {
 public:
  Call(const Operands& x, Formula f) : f_(f) {
    for (const Operand& one : x.list) arrays_.push_back(array_of(one));
    n_ = x.n;
  }
  double run(int64_t repeats) override {
    return timed(repeats, [&] { made().sync(); });
  }
  std::vector<double> result() override {
    arr::array out = made();
    if (out.dtype() == arr::complex64) {
      std::vector<double> list;
      for (const std::complex<float> z : out.to_vector<std::complex<float>>()) {
        list.push_back(static_cast<double>(z.real()));
        list.push_back(static_cast<double>(z.imag()));
      }
      return list;
    }
    return out.astype<double>().to_vector<double>();
  }

 private:
  arr::array made() const {
    if constexpr (std::is_invocable_v<Formula, int64_t>) {
      return f_(n_);
    } else {
      return f_(arrays_);
    }
  }
  Arrays arrays_;
  Formula f_;
  int64_t n_ = 0;
};

template <class Formula>
Row ours(const char* workload, Formula f) {
  return {workload, [f](const Operands& x) { return std::make_unique<Call<Formula>>(x, f); }};
}

Table elementwise() {
  return {
      ours("add", [](const Arrays& x) { return x[0] + x[1]; }),
      ours("chain", [](const Arrays& x) { return (x[0] + x[1]) * x[2] - x[0] / x[1] + 1.5; }),
      ours("exp", [](const Arrays& x) { return arr::exp(x[0]); }),
      ours("sin", [](const Arrays& x) { return arr::sin(x[0]); }),
      ours("tanh", [](const Arrays& x) { return arr::tanh(x[0]); }),
      ours("where", [](const Arrays& x) { return arr::where(x[0], x[1], x[2]); }),
      ours("cast of int8", [](const Arrays& x) { return x[0].astype<float>(); }),
      ours("gelu",
           [](const Arrays& x) {
             const arr::array& a = x[0];
             return 0.5 * a * (1 + arr::tanh(0.7978845608 * (a + 0.044715 * a * a * a)));
           }),
      ours("row, relu", [](const Arrays& x) { return arr::maximum(x[0] + x[1], 0); }),
      ours("concatenate",
           [](const Arrays& x) {
             return arr::concatenate({x[0], x[1]}, 0);
           }),
      ours("take", [](const Arrays& x) { return arr::array(x[0](x[1])); }),
      ours("transposed copy", [](const Arrays& x) { return x[0].T().copy(ARR_ORDER_C); }),
      ours("normal", [](int64_t n) { return arr::random_standard_normal(n, {}, arr::float32); }),
      ours("uniform", [](int64_t n) { return arr::random_random(n, {}, arr::float32); }),
  };
}

Table reductions() {
  return {
      ours("sum", [](const Arrays& x) { return arr::sum(x[0]); }),
      ours("sum of rows", [](const Arrays& x) { return arr::sum(x[0], 1); }),
      ours("sum of columns", [](const Arrays& x) { return arr::sum(x[0], 0); }),
      ours("argmax", [](const Arrays& x) { return arr::argmax(x[0]); }),
      ours("argmax of rows", [](const Arrays& x) { return arr::argmax(x[0], 1); }),
      ours("max", [](const Arrays& x) { return arr::max(x[0]); }),
      ours("mean", [](const Arrays& x) { return arr::mean(x[0]); }),
      ours("var", [](const Arrays& x) { return arr::var(x[0], 0); }),
      ours("cumsum", [](const Arrays& x) { return arr::cumsum(x[0], 0); }),
      ours("softmax of rows", [](const Arrays& x) { return arr::softmax(x[0], 1); }),
      ours("sort", [](const Arrays& x) { return arr::sort(x[0]); }),
      ours("argsort", [](const Arrays& x) { return arr::argsort(x[0]); }),
      ours("unique", [](const Arrays& x) { return arr::unique(x[0], ARR_AXIS_NONE); }),
      ours("median", [](const Arrays& x) { return arr::median(x[0]); }),
      ours("percentile", [](const Arrays& x) { return arr::percentile(x[0], {90}); }),
      ours("histogram", [](const Arrays& x) { return std::get<0>(arr::histogram(x[0], 100)); }),
  };
}

Table products() {
  return {
      ours("dot", [](const Arrays& x) { return arr::dot(x[0], x[1]); }),
      ours("matrix times vector", [](const Arrays& x) { return arr::matmul(x[0], x[1]); }),
      ours("vector times matrix", [](const Arrays& x) { return arr::matmul(x[1], x[0]); }),
      ours("matmul", [](const Arrays& x) { return arr::matmul(x[0], x[1]); }),
      ours("matmul of 4 x 4", [](const Arrays& x) { return arr::matmul(x[0], x[1]); }),
      ours("distances",
           [](const Arrays& x) { return arr::sum(arr::square(x[0](arr::colon, arr::new_axis) - x[0]), 2); }),
      ours("fft", [](const Arrays& x) { return arr::fft(x[0], -1); }),
      ours("solve", [](const Arrays& x) { return arr::solve(x[0], x[1]); }),
  };
}

}  // namespace

Table arr_rows() {
  Table rows = elementwise();
  for (const Table& more : {reductions(), products()}) rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

}  // namespace curves
