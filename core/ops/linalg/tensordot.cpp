// SPDX-License-Identifier: MIT
// Products of two arrays over given axes: assigns labels for contract().
#include <algorithm>
#include <vector>

#include "expr/op_numbers.h"
#include "ops/linalg/contract.h"
#include "ops/linalg/products.h"

namespace arr {

namespace {

Labelled labelled(const Array& a, int32_t first) {
  Labels labels;
  for (int32_t i = 0; i < a.layout.ndim; ++i) labels.push_back(first + i);
  return {a.share(), labels};
}

void same_device(const Array& a, const Array& b) {
  const Input both[2] = {{&a, {}, false}, {&b, {}, false}};
  common_device(both);
}

// Sums over pairs of axes; the result has the other axes of a, then those of b.
Ref<Array> product(const Array& a, const Array& b, std::span<const int32_t> axes_a,
                   std::span<const int32_t> axes_b, Stream* stream) {
  same_device(a, b);
  for (size_t i = 0; i < axes_a.size(); ++i) {
    const int32_t m = axes_a[i], n = axes_b[i];
    if (a.layout.shape[m] == b.layout.shape[n]) continue;
    fail(ARR_E_SHAPE, "argument b: extent ", b.layout.shape[n], " of axis ", n, " in ", b.layout.text(),
         ", expected ", a.layout.shape[m], " as of axis ", m, " of a in ", a.layout.text());
  }
  const DType dtype = promote(a.dtype, b.dtype);
  // Two vectors need no labels; of complex numbers, sum_of_products() would conjugate the first.
  if (a.layout.ndim == 1 && b.layout.ndim == 1 && axes_a.size() == 1 && !is_complex(dtype)) {
    return sum_of_products(a, b, 1, dtype, stream);
  }
  Labelled x = labelled(a, 0), y = labelled(b, max_ndim);
  for (size_t i = 0; i < axes_a.size(); ++i) y.labels.set(static_cast<size_t>(axes_b[i]), axes_a[i]);
  Labels out;
  for (int32_t l : x.labels) {
    if (std::find(axes_a.begin(), axes_a.end(), l) == axes_a.end()) out.push_back(l);
  }
  for (int32_t l : y.labels) {
    if (l >= max_ndim) out.push_back(l);
  }
  if (out.size() > static_cast<size_t>(max_ndim)) {
    fail(ARR_E_SHAPE, "argument b: the product has ", out.size(), " dimensions, at most ", max_ndim);
  }
  return contract(x, y, out, dtype, stream);
}

void check_axes(int32_t ndim, std::span<const int32_t> axes, const char* argument,
                std::vector<int32_t>* out) {
  for (int32_t axis : axes) {
    const int32_t at = normalize_axis(ndim, axis, argument);
    if (std::find(out->begin(), out->end(), at) != out->end()) {
      fail(ARR_E_ARGUMENT, "argument ", argument, ": axis ", axis, " is named twice");
    }
    out->push_back(at);
  }
}

}  // namespace

Ref<Array> dot(const Array& a, const Array& b, Stream* stream) {
  if (a.layout.ndim == 0 || b.layout.ndim == 0) return apply(op::multiply, {&a, &b}, stream);
  const int32_t last = a.layout.ndim - 1, of_b = std::max(b.layout.ndim - 2, 0);
  return product(a, b, {&last, 1}, {&of_b, 1}, stream);
}

Ref<Array> inner(const Array& a, const Array& b, Stream* stream) {
  if (a.layout.ndim == 0 || b.layout.ndim == 0) return apply(op::multiply, {&a, &b}, stream);
  const int32_t last_a = a.layout.ndim - 1, last_b = b.layout.ndim - 1;
  return product(a, b, {&last_a, 1}, {&last_b, 1}, stream);
}

Ref<Array> vdot(const Array& a, const Array& b, Stream* stream) {
  same_device(a, b);
  if (a.layout.size() != b.layout.size()) {
    fail(ARR_E_SHAPE, "argument b: ", b.layout.size(), " elements, a has ", a.layout.size());
  }
  const DType d = promote(a.dtype, b.dtype);
  const bool alike = a.layout.same_shape(b.layout);
  const Ref<Array> x = alike ? a.share() : ravel(a, stream);
  const Ref<Array> y = alike ? b.share() : ravel(b, stream);
  return sum_of_products(*x, *y, axis_mask(x->layout.ndim, 0, nullptr), d, stream);
}

Ref<Array> outer(const Array& a, const Array& b, Stream* stream) {
  same_device(a, b);
  const Ref<Array> x = ravel(a, stream), y = ravel(b, stream);
  return elementwise_outer(*op_info(op::multiply), *x, *y, {}, stream);
}

Ref<Array> tensordot(const Array& a, const Array& b, std::span<const int32_t> axes_a,
                     std::span<const int32_t> axes_b, Stream* stream) {
  std::vector<int32_t> x, y;
  check_axes(a.layout.ndim, axes_a, "axes_a", &x);
  check_axes(b.layout.ndim, axes_b, "axes_b", &y);
  return product(a, b, x, y, stream);
}

Ref<Array> kron(const Array& a, const Array& b, Stream* stream) {
  same_device(a, b);
  const int32_t n = std::max(a.layout.ndim, b.layout.ndim);
  if (2 * n > max_ndim) {
    fail(ARR_E_SHAPE, "argument a: ", n, " dimensions; a Kronecker product takes at most ", max_ndim / 2);
  }
  // Each axis of the result combines one axis of a, the slower one, with one of b.
  Layout x, y, shape;
  x.ndim = y.ndim = 2 * n;
  shape.ndim = n;
  auto spread = [&](const Layout& from, Layout* to, int32_t which) {
    for (int32_t i = 0; i < n; ++i) {
      const int32_t at = i - (n - from.ndim);
      to->shape[2 * i + which] = at < 0 ? 1 : from.shape[at];
      to->strides[2 * i + which] = at < 0 ? 0 : from.strides[at];
      to->shape[2 * i + 1 - which] = 1;
      to->strides[2 * i + 1 - which] = 0;
    }
  };
  spread(a.layout, &x, 0);
  spread(b.layout, &y, 1);
  for (int32_t i = 0; i < n; ++i) {
    shape.shape[i] = checked::mul(x.shape[2 * i], y.shape[2 * i + 1], "the product's extent");
  }
  const Ref<Array> u = a.view(x), v = b.view(y);
  const Input in[2] = {{u.get(), {}, false}, {v.get(), {}, false}};
  UfuncOptions options;
  options.order = Order::C;
  return reshape(*elementwise(*op_info(op::multiply), in, options, stream), shape.dims(), Order::C, stream);
}

Ref<Array> khatri_rao(const Array& a, const Array& b, Stream* stream) {
  same_device(a, b);
  for (const Array* x : {&a, &b}) {
    if (x->layout.ndim >= 2) continue;
    fail(ARR_E_SHAPE, "argument ", x == &a ? "a" : "b", ": shape ", x->layout.text(),
         ", expected (..., m, k)");
  }
  if (std::max(a.layout.ndim, b.layout.ndim) == max_ndim) {  // the result has one more on the way
    const Array& x = a.layout.ndim == max_ndim ? a : b;
    fail(ARR_E_SHAPE, "argument ", &x == &a ? "a" : "b", ": ", max_ndim, " dimensions, expected at most ",
         max_ndim - 1);
  }
  const int32_t before_last = -2;
  auto columns = [](const Array& x) { return x.layout.shape[x.layout.ndim - 1]; };
  if (columns(a) != columns(b)) {
    fail(ARR_E_SHAPE, "argument b: ", columns(b), " columns, a has ", columns(a));
  }
  const int32_t middle = -3;
  const Ref<Array> x = a.view(expand_dims(a.layout, {&before_last, 1}, a.item()));
  const Ref<Array> y = b.view(expand_dims(b.layout, {&middle, 1}, b.item()));
  const Input in[2] = {{x.get(), {}, false}, {y.get(), {}, false}};
  UfuncOptions options;
  options.order = Order::C;
  const Ref<Array> all = elementwise(*op_info(op::multiply), in, options, stream);
  const std::span<const int64_t> dims = all->layout.dims();
  std::vector<int64_t> shape(dims.begin(), dims.end() - 3);
  const std::span<const int64_t> last = dims.last(3);
  shape.push_back(checked::mul(last[0], last[1], "the product's rows"));
  shape.push_back(last[2]);
  return reshape(*all, shape, Order::C, stream);
}

}  // namespace arr
