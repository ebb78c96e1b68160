// SPDX-License-Identifier: MIT
// Permutations, shuffles and choices: each element of the result computes its source index independently
// (permuted_index), so nothing is sorted or swapped.
#include "ops/random/order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "arr/distributions.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/destination.h"
#include "ops/random/draws.h"

namespace arr {

namespace {

Scalar seed_scalar(uint64_t seed) { return {DType::uint64_, seed, 0}; }

int32_t shuffled_index(ProgramBuilder& b, int32_t seed, int32_t index, int64_t n) {
  return b.step(op::permuted_index, DType::int64_, seed, index, b.scalar(scalar_of(n), false));
}

std::vector<Input> with_constants(std::vector<Input> inputs, const BoundProgram& p) {
  add_constants(p, &inputs);
  return inputs;
}

// The row-major numbers of the lanes along one axis.
Layout lanes_of(const Layout& shape, int32_t axis) {
  Layout rest = shape;
  rest.shape[axis] = 1;
  Layout out = ramp_of(rest);
  out.shape[axis] = shape.shape[axis];
  out.strides[axis] = 0;
  return out;
}
int64_t inner_of(const Layout& shape, int32_t axis) {
  int64_t n = 1;
  for (int32_t d = axis + 1; d < shape.ndim; ++d) n *= shape.shape[d];
  return n;
}

// All elements as a vector for take(), in row-major order.
Ref<Array> vector_of(const Array& a, Stream* stream) {
  return ravel(*contiguous(a, Order::C, stream), stream);
}

void permute_into(const Array& dst, Generator& g, const Array& a, int32_t axis, bool independent,
                  Stream* stream) {
  const int64_t n = a.layout.shape[axis], inner = inner_of(a.layout, axis);
  if (a.layout.size() == 0) return;
  Layout base = ramp_of(a.layout);
  base.strides[axis] = 0;
  const Layout along_axis = ramp_along(a.layout, axis), lanes = lanes_of(a.layout, axis);
  const Ref<Array> all = vector_of(a, stream);
  std::vector<Input> inputs = {ramp_input(base, 0), ramp_input(along_axis, 0), table_input(*all)};
  ProgramBuilder b;
  const int32_t from = b.input(DType::int64_), index = b.input(DType::int64_), table = b.input(DType::table_);
  const int64_t count = a.layout.size() / n;
  Taken taken(g, independent ? count / 2 + count % 2 : 1);
  int32_t seed = -1;
  if (independent) {
    inputs.push_back(ramp_input(lanes, 0));
    inputs.push_back(taken.operand(0, count / 2 + count % 2, dst.device(), stream));
    const int32_t lane = b.input(DType::int64_);
    seed = b.step(drawing(op::random_bits, taken.keyed()), DType::uint64_, b.input(DType::table_), lane);
  } else {
    seed = b.scalar(seed_scalar(taken.seed()), false);
  }
  const int32_t step =
      b.op(op::multiply, shuffled_index(b, seed, index, n), b.scalar(scalar_of(inner), false));
  b.output(b.step(op::take, a.dtype, table, b.op(op::add, from, step)));
  const BoundProgram p = b.finish();
  run_into(dst, *p.program, with_constants(std::move(inputs), p), stream);
  taken.keep();
}

// The weights on the host. Checks that none is negative and that their sum is 1 within their precision.
std::vector<double> checked_weights(const Array& weights, int64_t n, Stream* stream) {
  if (weights.layout.ndim != 1 || weights.layout.size() != n) {
    fail(ARR_E_SHAPE, "argument weights: shape ", weights.layout.text(), ", expected (", n, ")");
  }
  if (is_complex(weights.dtype))
    fail(ARR_E_DTYPE, "argument weights: ", name(weights.dtype), ", expected real numbers");
  std::vector<double> w = download<double>(weights, DType::float64_, stream);
  for (size_t i = 0; i < w.size(); ++i) {
    if (!(w[i] >= 0))
      fail(ARR_E_ARGUMENT, "argument weights: element ", i, " is ", w[i], ", expected no less than 0");
  }
  ExactSum sum;
  for (const double x : w) sum.add(x);
  const double off = std::abs(sum.value() - 1), tolerance = weight_tolerance(weights.dtype);
  if (!(off <= tolerance))
    fail(ARR_E_ARGUMENT, "argument weights: their sum is ", sum.value(), ", expected 1, within ", tolerance);
  return w;
}

// With repetition: a uniform number is searched in the running sums of the weights.
void choose_weighted(const Array& dst, Generator& g, std::vector<double> weights, Stream* stream) {
  const auto n = static_cast<int64_t>(weights.size());
  std::partial_sum(weights.begin(), weights.end(), weights.begin());
  const double total = weights.back();
  for (double& w : weights) w /= total;
  const Ref<Array> sums = upload(weights, DType::float64_, dst.device(), stream);
  const int64_t size = dst.layout.size();
  const Layout index = ramp_of(dst.layout);
  Taken taken(g, size / 2 + size % 2);
  ProgramBuilder b;
  const int32_t i = b.input(DType::int64_), table = b.input(DType::table_), words = b.input(DType::table_);
  const int32_t u = b.step(drawing(op::random_unit, taken.keyed()), DType::float64_, words, i);
  const int32_t found = b.step(op::search_right, DType::float64_, table, u);
  b.output(b.op(op::minimum, found, b.scalar(scalar_of(n - 1), false)));
  const BoundProgram p = b.finish();
  const std::vector<Input> inputs = {ramp_input(index, 0), table_input(*sums),
                                     taken.operand(0, size / 2 + size % 2, dst.device(), stream)};
  run_into(dst, *p.program, with_constants(inputs, p), stream);
  taken.keep();
}

// Without repetition: the elements with the smallest exponential numbers divided by their weights, in that
// order (Efraimidis and Spirakis: Weighted random sampling with a reservoir; 2006).
void choose_weighted_once(const Array& dst, Generator& g, const std::vector<double>& weights,
                          Stream* stream) {
  const auto n = static_cast<int64_t>(weights.size());
  const int64_t count = dst.layout.size();
  const auto usable = std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0; });
  if (count > usable)
    fail(ARR_E_ARGUMENT, "argument shape: ", count, " without repetition, but only ", usable,
         " weights are not 0");
  const Ref<Array> numbers =
      random(g, ARR_DISTRIBUTION_STANDARD_EXPONENTIAL, {}, {DType::float64_, 1, &n, Device{}}, nullptr);
  std::vector<double> keys = download<double>(*numbers, DType::float64_, nullptr);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] /= weights[i];  // infinite, or nan for a weight of 0
  std::vector<int64_t> order;
  for (int64_t i = 0; i < n; ++i) {
    if (weights[static_cast<size_t>(i)] > 0) order.push_back(i);
  }
  const auto before = [&](int64_t x, int64_t y) {
    return std::pair(keys[static_cast<size_t>(x)], x) < std::pair(keys[static_cast<size_t>(y)], y);
  };
  std::partial_sort(order.begin(), order.begin() + count, order.end(), before);
  set(dst, Order::C, order.data(), count * static_cast<int64_t>(sizeof(int64_t)), stream);
}

// The first indices of a permutation of n, in row-major order of the elements.
void write_shuffled(const Array& dst, Generator& g, int64_t n, Stream* stream) {
  const Layout index = ramp_of(dst.layout);
  Taken taken(g, 1);
  ProgramBuilder b;
  const int32_t i = b.input(DType::int64_);
  b.output(b.cast(shuffled_index(b, b.scalar(seed_scalar(taken.seed()), false), i, n), dst.dtype));
  const BoundProgram p = b.finish();
  run_into(dst, *p.program, with_constants({ramp_input(index, 0)}, p), stream);
  taken.keep();
}

// Checks the arguments of a choice of that many elements.
void check_choice(const Choice& choice, int64_t count) {
  if (choice.n < 0) fail(ARR_E_ARGUMENT, "argument n: ", choice.n, " is negative");
  if (choice.n == 0 && count > 0) fail(ARR_E_ARGUMENT, "argument n: 0, there is nothing to choose from");
  if (!choice.replace && count > choice.n) {
    fail(ARR_E_ARGUMENT, "argument shape: ", count, " without repetition of ", choice.n);
  }
}

void choose_into(const Array& dst, Generator& g, const Choice& choice, Stream* stream) {
  if (choice.weights != nullptr) {
    std::vector<double> w = checked_weights(*choice.weights, choice.n, stream);
    if (choice.replace && !w.empty()) {
      choose_weighted(dst, g, std::move(w), stream);
    } else {
      choose_weighted_once(dst, g, w, stream);
    }
  } else if (!choice.replace || dst.layout.size() == 0) {
    write_shuffled(dst, g, choice.n, stream);
  } else {
    const Input low{nullptr, scalar_of(int64_t{0}), false}, high{nullptr, scalar_of(choice.n), false};
    random_integers_into(dst, g, low, high, false, stream);
  }
}

// Takes the slices of `a` along an axis at the chosen indices, whose dimensions replace the axis in `out`.
void slices_into(const Array& out, const Array& a, int32_t axis, const Array& chosen, Stream* stream) {
  if (out.layout.size() == 0) return;
  Layout base = out.layout, window = out.layout;
  const int32_t behind = axis + chosen.layout.ndim;
  for (int32_t d = 0, of = 0; d < base.ndim; ++d) {
    const bool choice = d >= axis && d < behind;
    if (d == behind) of = axis + 1;
    base.strides[d] = choice ? 0 : ramp_of(a.layout).strides[of++];
    window.strides[d] = choice ? chosen.layout.strides[d - axis] : 0;
  }
  const Ref<Array> index = chosen.view(window), all = vector_of(a, stream);
  ProgramBuilder b;
  const int32_t at = b.input(DType::int64_), from = b.input(DType::int64_), table = b.input(DType::table_);
  const int32_t step = b.op(op::multiply, at, b.scalar(scalar_of(inner_of(a.layout, axis)), false));
  b.output(b.step(op::take, a.dtype, table, b.op(op::add, from, step)));
  const BoundProgram p = b.finish();
  run_into(out, *p.program,
           with_constants({{index.get(), {}, false}, ramp_input(base, 0), table_input(*all)}, p), stream);
}

// Throws before numbers are used up.
void check_cast(const Array& a, const Array& dst) {
  if (!can_cast(a.dtype, dst.dtype, Casting::same_kind))
    fail(ARR_E_DTYPE, "argument dst: ", name(dst.dtype), ", ", name(a.dtype),
         " does not cast to it with the same_kind rule");
}

}  // namespace

Ref<Array> random_permutation(Generator& g, int64_t n, int64_t count, DType dtype, Device device,
                              Stream* stream) {
  if (n < 0) fail(ARR_E_ARGUMENT, "argument n: ", n, " is negative");
  if (count < 0 || count > n) fail(ARR_E_ARGUMENT, "argument count: ", count, ", expected 0 .. ", n);
  if (dtype == DType::none) dtype = DType::int64_;
  Ref<Array> out = empty(dtype, {&count, 1}, Order::C, device, stream);
  write_shuffled(*out, g, n, stream);
  return out;
}

void random_permutation_into(const Array& dst, Generator& g, int64_t n, Stream* stream) {
  check_writable(dst);
  if (n < dst.layout.size())
    fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected ", dst.layout.size(),
         " or more: the elements of dst");
  write_shuffled(dst, g, n, stream);
}

Ref<Array> random_permuted(Generator& g, const Array& a, int32_t axis, bool independent, Stream* stream) {
  axis = normalize_axis(a.layout.ndim, axis);
  Ref<Array> out = empty(a.dtype, a.layout.dims(), Order::C, a.device(), stream);
  permute_into(*out, g, a, axis, independent, stream);
  return out;
}

void random_permuted_into(const Array& dst, Generator& g, const Array& a, int32_t axis, bool independent,
                          Stream* stream) {
  axis = normalize_axis(a.layout.ndim, axis);
  check_destination(dst, a.layout);
  check_cast(a, dst);
  if (can_write_directly(dst, a.dtype, a)) return permute_into(dst, g, a, axis, independent, stream);
  assign(dst, *random_permuted(g, a, axis, independent, stream), stream);
}

void random_shuffle(const Array& a, Generator& g, int32_t axis, bool independent, Stream* stream) {
  axis = normalize_axis(a.layout.ndim, axis);
  check_writable(a);
  permute_into(a, g, a, axis, independent, stream);
}

Ref<Array> random_choice(Generator& g, const Choice& choice, Shape shape, Device device, Stream* stream) {
  int64_t count = 1;
  for (int64_t s : shape) count = checked::mul(count, s, "the number of choices");
  check_choice(choice, count);
  Ref<Array> out = empty(DType::int64_, shape, Order::C, device, stream);
  choose_into(*out, g, choice, stream);
  return out;
}

void random_choice_into(const Array& dst, Generator& g, const Choice& choice, Stream* stream) {
  check_writable(dst);
  if (dst.dtype != DType::int64_) fail(ARR_E_DTYPE, "argument dst: ", name(dst.dtype), ", expected int64");
  check_choice(choice, dst.layout.size());
  choose_into(dst, g, choice, stream);
}

Ref<Array> random_sample(Generator& g, const Array& a, int32_t axis, bool replace, const Array* weights,
                         Shape shape, Stream* stream) {
  axis = normalize_axis(a.layout.ndim, axis);
  const int64_t n = a.layout.shape[axis];
  const Ref<Array> chosen = random_choice(g, {n, replace, weights}, shape, a.device(), stream);
  // The result's shape: that of the choices replaces the axis.
  std::vector<int64_t> extents(a.layout.shape, a.layout.shape + axis);
  extents.insert(extents.end(), shape.begin(), shape.end());
  extents.insert(extents.end(), a.layout.shape + axis + 1, a.layout.shape + a.layout.ndim);
  Ref<Array> out = empty(a.dtype, extents, Order::C, a.device(), stream);
  slices_into(*out, a, axis, *chosen, stream);
  return out;
}

void random_sample_into(const Array& dst, Generator& g, const Array& a, int32_t axis, bool replace,
                        const Array* weights, Stream* stream) {
  axis = normalize_axis(a.layout.ndim, axis);
  const Layout& have = dst.layout;
  const int32_t more = have.ndim - (a.layout.ndim - 1);
  bool fits = more >= 0;
  for (int32_t d = 0; fits && d < a.layout.ndim; ++d) {
    fits = d == axis || have.shape[d < axis ? d : d + more - 1] == a.layout.shape[d];
  }
  if (!fits)
    fail(ARR_E_SHAPE, "argument dst: shape ", have.text(), ", expected ", a.layout.text(),
         " with any dimensions instead of axis ", axis);
  check_writable(dst);
  check_cast(a, dst);
  const Shape shape(have.shape + axis, static_cast<size_t>(more));
  if (!can_write_directly(dst, a.dtype, a))
    return assign(dst, *random_sample(g, a, axis, replace, weights, shape, stream), stream);
  const Choice choice{a.layout.shape[axis], replace, weights};
  slices_into(dst, a, axis, *random_choice(g, choice, shape, a.device(), stream), stream);
}

}  // namespace arr
