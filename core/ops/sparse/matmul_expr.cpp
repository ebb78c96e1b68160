// SPDX-License-Identifier: MIT
// Products of sparse matrices with arrays, to which an expression is applied.
#include <algorithm>
#include <vector>

#include "ops/elementwise/array_ops.h"
#include "ops/expression/expression.h"
#include "ops/indexing/rearrange.h"
#include "ops/sparse/products.h"

namespace arr {

namespace {

// The type of a node's results; none if the expression cannot run on some rows alone.
DType type_by_rows(const Expression& e, int32_t node, std::span<const Array* const> arrays) {
  std::vector<DType> types;
  for (const Array* a : arrays) types.push_back(a->dtype);
  const Expression::Compiled& c = e.compile({&node, 1}, types, DType::none);
  if (c.whole != nullptr || !c.axes.empty() || !c.gathers.empty()) return DType::none;
  const Program& p = *c.bound.program;
  return p.nodes[static_cast<size_t>(p.outputs.front())].dtype;
}

// Rows whose product stays in the cache until the expression has read it.
int64_t rows_at_once(const Layout& product, DType d) {
  constexpr int64_t bytes = int64_t{1} << 19;
  return std::max<int64_t>(bytes / (product.size() / product.shape[0] * item_size(d)), 1);
}

}  // namespace

Ref<Array> matmul_expr(const Sparse& a, const Array& x, const Expression& e, int32_t node,
                       std::span<const Array* const> in, Stream* stream) {
  const Layout shape = product_shape(a, x);
  for (const Array* other : in) {
    check_devices(a.device(), other->device());
    if (broadcasts_to(other->layout, shape)) continue;
    fail(ARR_E_SHAPE, "argument in: shape ", other->layout.text(), " does not broadcast to the product's ",
         shape.text());
  }
  std::vector<const Array*> arrays(1);
  arrays.insert(arrays.end(), in.begin(), in.end());
  const DType d = promote(a.dtype(), x.dtype);
  const int64_t rows = shape.shape[0], some = shape.size() == 0 ? rows : rows_at_once(shape, d);
  const Ref<Array> like = empty(d, {}, Order::C, a.device(), stream);
  arrays[0] = like.get();
  const DType result = type_by_rows(e, node, arrays);
  const bool scatters = a.format == SparseFormat::csc;
  if (a.device().type != ARR_HOST || scatters || result == DType::none || some >= rows) {
    const Ref<Array> product = matmul(a, x, stream);
    arrays[0] = product.get();
    return run(e, node, arrays, stream);
  }
  const Ref<Sparse> lines = a.rows(stream);
  const Ref<Array> data = as_type(*lines->data, d, stream);
  const Ref<Array> given = contiguous(*as_type(x, d, stream), Order::C, stream);
  Ref<Array> out =
      create(result, Layout::contiguous(shape.dims(), item_size(result), Order::C), a.device(), stream);
  Layout part = shape;
  part.shape[0] = some;
  const Ref<Array> scratch = result == d ? out : create(d, part, a.device(), stream);
  for (int64_t first = 0; first < rows; first += some) {
    const int64_t end = std::min(first + some, rows);
    const Ref<Array> to = slice_axis(*out, 0, first, end);
    const Ref<Array> product = result == d ? to : slice_axis(*scratch, 0, 0, end - first);
    rows_into(*product, *lines, *data, *given, first, stream);
    std::vector<Ref<Array>> parts;
    arrays[0] = product.get();
    for (size_t i = 0; i < in.size(); ++i) {
      const bool sliced = in[i]->layout.ndim == shape.ndim && in[i]->layout.shape[0] == rows;
      if (sliced) parts.push_back(slice_axis(*in[i], 0, first, end));
      arrays[i + 1] = sliced ? parts.back().get() : in[i];
    }
    run_into(*to, e, node, arrays, stream);
  }
  return out;
}

}  // namespace arr
