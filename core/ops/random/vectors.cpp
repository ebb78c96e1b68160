// SPDX-License-Identifier: MIT
// Random vectors, component by component: each is drawn conditional on the previous ones.
#include "ops/random/vectors.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "arr/distributions.h"
#include "base/renaming.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/linalg/matmul.h"
#include "ops/random/draws.h"
#include "ops/reduce/scan.h"

namespace arr {

namespace {

constexpr DType wide = DType::float64_;

// The last axis as float64, and its suffix sums.
struct Vector {
  Ref<Array> each, rest;
};
Vector vector_of(const Array& a, const char* argument, Stream* stream) {
  if (a.layout.ndim == 0) fail(ARR_E_SHAPE, "argument ", argument, ": no dimension, expected (..., k)");
  if (is_complex(a.dtype))
    fail(ARR_E_DTYPE, "argument ", argument, ": ", name(a.dtype), ", expected real numbers");
  Vector v;
  v.each = astype(a, wide, Casting::unsafe, Order::C, stream);
  ScanOptions sums;
  sums.reduction = reduction::sum;
  v.rest = reversed(*scan(sums, *reversed(*v.each, -1), -1, stream), -1);
  return v;
}

// (shape..., k), or the common shape of the vectors and the other parameter.
Ref<Array> target(const Array& vectors, const Input* other, const char* other_name,
                  std::optional<Shape> shape, DType dtype, Stream* stream) {
  std::vector<int64_t> extents;
  if (shape) {
    extents.assign(shape->begin(), shape->end());
  } else {
    Layout front = vectors.layout;
    --front.ndim;
    if (other != nullptr && other->array != nullptr) {
      Layout both;
      broadcast_shapes(front, other->array->layout, other_name, &both);
      front = both;
    }
    extents.assign(front.shape, front.shape + front.ndim);
  }
  extents.push_back(vectors.layout.shape[vectors.layout.ndim - 1]);
  return empty(dtype, extents, Order::C, vectors.device(), stream);
}

int64_t largest_integer(DType whole) {
  const int64_t bits = 8 * item_size(whole) - (kind(whole) == DKind::INT ? 1 : 0);
  return bits > 62 ? std::numeric_limits<int64_t>::max() : (int64_t{1} << bits) - 1;
}

// Calls draw(to) with an array of the dtype of the numbers: dst itself, or a temporary that is then cast to
// it, if dst has another dtype or shares memory with an operand.
template <class Draw>
void draw_through(const Array& dst, DType natural, std::initializer_list<const Array*> operands,
                  Stream* stream, const Draw& draw) {
  check_writable(dst);
  const Array& vectors = **operands.begin();
  const int64_t k = vectors.layout.ndim == 0 ? 1 : vectors.layout.shape[vectors.layout.ndim - 1];
  if (dst.layout.ndim == 0 || dst.layout.shape[dst.layout.ndim - 1] != k)
    fail(ARR_E_SHAPE, "argument dst: shape ", dst.layout.text(), ", expected (..., ", k, ")");
  const bool whole = is_integer(dst.dtype);
  if (!is_floating(dst.dtype) && !(whole && natural == DType::int64_))
    fail(ARR_E_DTYPE, "argument dst: ", name(dst.dtype), ", expected ",
         natural == DType::int64_ ? "integers or floats" : "floats");
  bool direct = dst.dtype == natural;
  for (const Array* a : operands) direct = direct && !may_share_memory(dst, *a);
  if (direct) return draw(dst);
  const Ref<Array> own = empty(natural, dst.layout.dims(), Order::C, dst.device(), stream);
  draw(*own);
  if (whole && item_size(dst.dtype) < 8) {  // values beyond the dtype become its limit
    const Input within[2] = {{own.get(), {}, false}, {nullptr, scalar_of(largest_integer(dst.dtype)), false}};
    elementwise_into(*own, *op_info(op::minimum), within, stream);
  }
  assign(dst, *astype(*own, dst.dtype, Casting::unsafe, Order::C, stream), stream);
}

// Checks the number of draws, if it is one number.
void check_count(const Input& n, const char* argument) {
  if (n.array != nullptr) return;
  if (is_complex(n.scalar.dtype))
    fail(ARR_E_DTYPE, "argument ", argument, ": ", name(n.scalar.dtype), ", expected a whole number");
  const auto x = scalar_value<double>(convert(n.scalar, wide));
  if (!(x >= 0)) fail(ARR_E_ARGUMENT, "argument ", argument, ": ", x, ", expected no less than 0");
  if (x > 0x1p63 || (x == 0x1p63 && kind(n.scalar.dtype) != DKind::INT))
    fail(ARR_E_ARGUMENT, "argument ", argument, ": ", x, " is beyond int64");
}

// The number of draws per vector, before the first component takes its share.
Ref<Array> whole_of(const Input& n, const Array& out, const char* argument, Stream* stream) {
  if (n.array != nullptr && is_complex(n.array->dtype))
    fail(ARR_E_DTYPE, "argument ", argument, ": ", name(n.array->dtype), ", expected whole numbers");
  Layout front = out.layout;
  --front.ndim;
  Ref<Array> rest = empty(DType::int64_, front.dims(), Order::C, out.device(), stream);
  if (n.array != nullptr) {
    renaming({{"dst", argument}}, [&] { assign(*rest, *n.array, stream); });
  } else {
    fill(*rest, n.scalar, stream);
  }
  return rest;
}

Input array_input(const Array& a) { return {&a, {}, false}; }

void take_off(const Array& left, const Array& part, Stream* stream) {
  const Input both[2] = {array_input(left), array_input(part)};
  elementwise_into(left, *op_info(op::subtract), both, stream);
}

// Checks NumPy's conditions: each probability in [0, 1], the sum without the last at most 1 within the
// precision of their dtype. Returns the largest.
double check_probabilities(const Array& each, DType dtype, Stream* stream) {
  if (each.layout.shape[each.layout.ndim - 1] == 0)
    fail(ARR_E_SHAPE, "argument pvals: shape ", each.layout.text(), ", expected one outcome at least");
  std::vector<double> p(static_cast<size_t>(each.layout.size()));
  get(each, Order::C, p.data(), static_cast<int64_t>(p.size() * sizeof(double)), stream);
  const auto k = static_cast<size_t>(each.layout.shape[each.layout.ndim - 1]);
  const bool narrow = is_floating(dtype) && dtype != wide;
  const double max_sum = 1 + (narrow ? weight_tolerance(dtype) : 1e-12);
  ExactSum sum;
  for (size_t i = 0; i < p.size(); ++i) {
    if (i % k == 0) sum = {};
    if (!(p[i] >= 0 && p[i] <= 1))
      fail(ARR_E_ARGUMENT, "argument pvals: ", p[i], ", expected a number in 0 .. 1");
    if (i % k + 1 < k) sum.add(p[i]);
    if (sum.value() > max_sum)
      fail(ARR_E_ARGUMENT, "argument pvals: all but the last are ", sum.value(), ", expected 1 at most");
  }
  return p.empty() ? 0 : *std::max_element(p.begin(), p.end());
}

// The conditional probability of a component, given that no previous one is chosen: its share of the rest.
// rest: the sum from it on; all: the sum from the first on.
Ref<Array> share_of(const Array& probability, const Array& rest, const Array& all, Stream* stream) {
  return compute({&probability, &rest, &all}, stream, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t one = b.scalar(scalar_of(1.0), false), zero = b.scalar(scalar_of(0.0), false);
    const int32_t left = b.op(op::subtract, one, b.op(op::subtract, in[2], in[1]));
    const int32_t share = b.op(op::minimum, b.op(op::divide, in[0], left), one);
    return b.op(op::where, b.op(op::greater, in[0], zero), share, zero);
  });
}

}  // namespace

namespace {

// The checked probabilities of a call; counts of a dtype.
Vector outcomes_of(const Input& n, const Array& pvals, DType dtype, Stream* stream) {
  check_count(n, "n");
  Vector p = vector_of(pvals, "pvals", stream);
  const double largest = check_probabilities(*p.each, pvals.dtype, stream);
  if (n.array == nullptr && !is_floating(dtype)) {
    const double mean = largest * scalar_value<double>(convert(n.scalar, wide));
    if (mean > static_cast<double>(largest_integer(dtype)))
      fail(ARR_E_ARGUMENT, "argument n: the counts' mean, ", mean, ", is beyond ", name(dtype));
  }
  return p;
}

// True if a number may have been rounded to a double.
bool may_be_rounded(const Input& n) {
  if (n.array != nullptr) return item_size(n.array->dtype) == 8;
  return scalar_value<double>(convert(n.scalar, wide)) > 0x1p53;
}

// Clamps a part that was drawn from a rounded number: at most the rest, and all of it for a share of 1.
Ref<Array> within(const Array& part, const Array& left, const Array& share, Stream* stream) {
  return compute({&part, &left, &share}, stream, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t all = b.op(op::greater_equal, in[2], b.scalar(scalar_of(1.0), false));
    return b.op(op::where, all, in[1], b.op(op::minimum, in[0], in[1]));
  });
}

void multinomial(const Array& out, Generator& g, const Input& n, const Vector& p, Stream* stream) {
  if (out.layout.size() == 0) return;
  const int64_t k = out.layout.shape[out.layout.ndim - 1];
  const Ref<Array> left = whole_of(n, out, "n", stream);
  for (int64_t i = 0; i + 1 < k; ++i) {
    const Ref<Array> to = index_axis(out, -1, i), first = index_axis(*p.rest, -1, 0);
    const Ref<Array> share =
        share_of(*index_axis(*p.each, -1, i), *index_axis(*p.rest, -1, i), *first, stream);
    const Input parameters[2] = {array_input(*left), array_input(*share)};
    random_into(*to, g, ARR_DISTRIBUTION_BINOMIAL, parameters, stream);
    if (may_be_rounded(n)) assign(*to, *within(*to, *left, *share, stream), stream);
    take_off(*left, *to, stream);
  }
  assign(*index_axis(out, -1, k - 1), *left, stream);
}

}  // namespace

Ref<Array> random_multinomial(Generator& g, const Input& n, const Array& pvals, std::optional<Shape> shape,
                              Stream* stream) {
  const Vector p = outcomes_of(n, pvals, DType::int64_, stream);
  Ref<Array> out = target(pvals, &n, "n", shape, DType::int64_, stream);
  multinomial(*out, g, n, p, stream);
  return out;
}

void random_multinomial_into(const Array& dst, Generator& g, const Input& n, const Array& pvals,
                             Stream* stream) {
  draw_through(dst, DType::int64_, {&pvals}, stream, [&](const Array& to) {
    multinomial(to, g, n, outcomes_of(n, pvals, dst.dtype, stream), stream);
  });
}

namespace {

void dirichlet(const Array& out, Generator& g, const Vector& a, Stream* stream) {
  if (out.layout.size() == 0) return;
  const int64_t k = out.layout.shape[out.layout.ndim - 1];
  Layout front = out.layout;
  --front.ndim;
  const Ref<Array> left = full(wide, front.dims(), Order::C, scalar_of(1.0), out.device(), stream);
  for (int64_t i = 0; i + 1 < k; ++i) {
    const Ref<Array> to = index_axis(out, -1, i), own = index_axis(*a.each, -1, i),
                     others = index_axis(*a.rest, -1, i + 1);
    const Input parameters[2] = {array_input(*own), array_input(*others)};
    random_into(*to, g, ARR_DISTRIBUTION_BETA, parameters, stream);
    // The share of the rest, and the rest after it.
    const Input both[2] = {array_input(*to), array_input(*left)};
    elementwise_into(*to, *op_info(op::multiply), both, stream);
    take_off(*left, *to, stream);
  }
  assign(*index_axis(out, -1, k - 1), *left, stream);
}

}  // namespace

Ref<Array> random_dirichlet(Generator& g, const Array& alpha, std::optional<Shape> shape, Stream* stream) {
  const Vector a = vector_of(alpha, "alpha", stream);
  Ref<Array> out = target(alpha, nullptr, "", shape, wide, stream);
  dirichlet(*out, g, a, stream);
  return out;
}

void random_dirichlet_into(const Array& dst, Generator& g, const Array& alpha, Stream* stream) {
  draw_through(dst, wide, {&alpha}, stream,
               [&](const Array& to) { dirichlet(to, g, vector_of(alpha, "alpha", stream), stream); });
}

namespace {

void check_normal(const Array& mean, const Array& covariance) {
  const Layout &m = mean.layout, &c = covariance.layout;
  if (m.ndim != 1) fail(ARR_E_SHAPE, "argument mean: shape ", m.text(), ", expected (k)");
  if (c.ndim != 2 || c.shape[0] != m.shape[0] || c.shape[1] != m.shape[0]) {
    fail(ARR_E_SHAPE, "argument covariance: shape ", c.text(), ", expected (", m.shape[0], ", ", m.shape[0],
         ")");
  }
  for (const Array* a : {&mean, &covariance}) {
    if (is_complex(a->dtype)) fail(ARR_E_DTYPE, "argument mean: ", name(a->dtype), ", expected real numbers");
  }
}

void multivariate_normal(const Array& out, Generator& g, const Array& mean, const Array& covariance,
                         NormalMethod method, Stream* stream) {
  if (out.layout.size() == 0) return;
  const Ref<Array> center = astype(mean, wide, Casting::unsafe, Order::C, stream);
  const Ref<Array> spread = astype(covariance, wide, Casting::unsafe, Order::C, stream);
  const Ref<Array> root =
      renaming({{"a", "covariance"}}, [&] { return covariance_root(*spread, method, stream); });
  const Ref<Array> numbers = empty(wide, out.layout.dims(), Order::C, out.device(), stream);
  random_into(*numbers, g, ARR_DISTRIBUTION_STANDARD_NORMAL, {}, stream);
  // A vector becomes a matrix with one row, so that the product takes matrices.
  const int64_t k = mean.layout.shape[0], rows[2] = {out.layout.size() / k, k};
  const Ref<Array> product =
      matmul(*reshape(*numbers, rows, Order::C, stream), *root->view(transpose(root->layout, {})), stream);
  const Ref<Array> shaped = reshape(*product, out.layout.dims(), Order::C, stream);
  const Input sum[2] = {array_input(*shaped), array_input(*center)};
  elementwise_into(out, *op_info(op::add), sum, stream);
}

}  // namespace

Ref<Array> random_multivariate_normal(Generator& g, const Array& mean, const Array& covariance,
                                      NormalMethod method, std::optional<Shape> shape, Stream* stream) {
  check_normal(mean, covariance);
  Ref<Array> out = target(mean, nullptr, "", shape, wide, stream);
  multivariate_normal(*out, g, mean, covariance, method, stream);
  return out;
}

void random_multivariate_normal_into(const Array& dst, Generator& g, const Array& mean,
                                     const Array& covariance, NormalMethod method, Stream* stream) {
  check_normal(mean, covariance);
  draw_through(dst, wide, {&mean, &covariance}, stream,
               [&](const Array& to) { multivariate_normal(to, g, mean, covariance, method, stream); });
}

namespace {

void check_drawn(const Array& colors, const Input& nsample) {
  check_count(nsample, "nsample");
  const bool none = colors.layout.ndim > 0 && colors.layout.shape[colors.layout.ndim - 1] == 0;
  if (none && nsample.array == nullptr && scalar_value<double>(convert(nsample.scalar, wide)) >= 1)
    fail(ARR_E_ARGUMENT, "argument nsample: ", scalar_value<double>(convert(nsample.scalar, wide)),
         ", there are no colors");
}

void hypergeometric(const Array& out, Generator& g, const Vector& c, const Input& nsample, Stream* stream) {
  if (out.layout.size() == 0) return;
  const int64_t k = out.layout.shape[out.layout.ndim - 1];
  const Ref<Array> left = whole_of(nsample, out, "nsample", stream);
  for (int64_t i = 0; i + 1 < k; ++i) {
    const Ref<Array> to = index_axis(out, -1, i), own = index_axis(*c.each, -1, i),
                     others = index_axis(*c.rest, -1, i + 1);
    const Input parameters[3] = {array_input(*own), array_input(*others), array_input(*left)};
    random_into(*to, g, ARR_DISTRIBUTION_HYPERGEOMETRIC, parameters, stream);
    take_off(*left, *to, stream);
  }
  // Drawing more than the number of the last colour means drawing more than there are in all.
  const Ref<Array> last = index_axis(*c.each, -1, k - 1);
  const Ref<Array> rest = compute({left.get(), last.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t fits = b.op(op::less_equal, in[0], in[1]);
    return b.op(op::where, fits, in[0], b.scalar(scalar_of(int64_t{-1}), false));
  });
  assign(*index_axis(out, -1, k - 1), *rest, stream);
}

}  // namespace

Ref<Array> random_multivariate_hypergeometric(Generator& g, const Array& colors, const Input& nsample,
                                              std::optional<Shape> shape, Stream* stream) {
  check_drawn(colors, nsample);
  const Vector c = vector_of(colors, "colors", stream);
  Ref<Array> out = target(colors, &nsample, "nsample", shape, DType::int64_, stream);
  hypergeometric(*out, g, c, nsample, stream);
  return out;
}

void random_multivariate_hypergeometric_into(const Array& dst, Generator& g, const Array& colors,
                                             const Input& nsample, Stream* stream) {
  check_drawn(colors, nsample);
  if (kind(dst.dtype) == DKind::UINT)
    fail(ARR_E_DTYPE, "argument dst: ", name(dst.dtype), ", expected signed integers or floats");
  draw_through(dst, DType::int64_, {&colors}, stream, [&](const Array& to) {
    hypergeometric(to, g, vector_of(colors, "colors", stream), nsample, stream);
  });
}

}  // namespace arr
