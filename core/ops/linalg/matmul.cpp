// SPDX-License-Identifier: MIT
// Matrix products: shapes, batches and dtypes; the backend multiplies.
#include <algorithm>

#include "backend/linalg.h"
#include "ops/elementwise/array_ops.h"
#include "ops/linalg/compute_type.h"
#include "ops/linalg/matmul.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// An operand as a stack of matrices: a vector becomes a row (left) or a column (right).
Layout as_matrices(const Array& a, bool left) {
  if (a.layout.ndim == 0) {
    fail(ARR_E_SHAPE, "argument ", left ? "a" : "b", ": a matrix product of an array without dimensions");
  }
  if (a.layout.ndim > 1) return a.layout;
  int32_t axis = left ? 0 : 1;
  return expand_dims(a.layout, {&axis, 1}, a.item());
}

Layout batch_of(const Layout& l) {
  Layout b = l;
  b.ndim -= 2;
  return b;
}

struct Product {
  Layout a, b, out;                  // matrices; out has their broadcast batch shape
  bool row = false, column = false;  // true if a dimension of the result is removed
  DType dtype = DType::none;
};

Product plan(const Array& a, const Array& b) {
  Product p;
  p.a = as_matrices(a, true);
  p.b = as_matrices(b, false);
  p.row = a.layout.ndim == 1;
  p.column = b.layout.ndim == 1;
  if (p.a.shape[p.a.ndim - 1] != p.b.shape[p.b.ndim - 2]) {
    fail(ARR_E_SHAPE, "argument b: shape ", b.layout.text(), " does not multiply with ", a.layout.text());
  }
  broadcast_shapes(batch_of(p.a), batch_of(p.b), "b", &p.out);
  int32_t batch = p.out.ndim;
  if (batch + 2 > max_ndim) fail(ARR_E_SHAPE, "argument a: too many dimensions");
  p.out.shape[batch] = p.a.shape[p.a.ndim - 2];
  p.out.shape[batch + 1] = p.b.shape[p.b.ndim - 1];
  p.out.ndim = batch + 2;
  p.dtype = promote(a.dtype, b.dtype);
  return p;
}

// The result's shape for the caller: without the row or column of a vector operand.
Layout visible(const Product& p, const Layout& full) {
  Layout out;
  for (int32_t i = 0; i < full.ndim; ++i) {
    if ((p.row && i == full.ndim - 2) || (p.column && i == full.ndim - 1)) continue;
    out.shape[out.ndim] = full.shape[i];
    out.strides[out.ndim++] = full.strides[i];
  }
  return out;
}

MatmulCall::Matrix matrix(char* data, const Layout& l, int32_t nbatch, int64_t* batch_strides) {
  int32_t lead = nbatch - (l.ndim - 2);
  for (int32_t i = 0; i < nbatch; ++i) {
    batch_strides[i] = i < lead || l.shape[i - lead] == 1 ? 0 : l.strides[i - lead];
  }
  return {data, l.strides[l.ndim - 2], l.strides[l.ndim - 1], batch_strides};
}

// Adds the row or column of a vector operand to the destination's shape.
Layout full_of(const Product& p, const Layout& seen, int64_t item) {
  int32_t axes[2];
  int32_t n = 0;
  if (p.row) axes[n++] = p.out.ndim - 2;
  if (p.column) axes[n++] = p.out.ndim - 1;
  return n == 0 ? seen : expand_dims(seen, {axes, static_cast<size_t>(n)}, item);
}

// Returns false, with nothing enqueued, if the backend does not support all of it.
bool enqueue(const Product& p, const Array& a, const Array& b, const Array& dst, const Layout& out,
             const Queue& q, const FusedProduct* fused) {
  int64_t strides[4][max_ndim];
  MatmulCall c;
  c.dtype = p.dtype;
  c.compute = matmul_compute(p.dtype);
  c.m = out.shape[out.ndim - 2];
  c.n = out.shape[out.ndim - 1];
  c.k = p.a.shape[p.a.ndim - 1];
  const int32_t nbatch = out.ndim - 2;
  c.c = matrix(dst.data, out, nbatch, strides[0]);
  c.a = matrix(a.data, p.a, nbatch, strides[1]);
  c.b = matrix(b.data, p.b, nbatch, strides[2]);
  const Array* added = fused == nullptr ? nullptr : fused->added;
  if (added != nullptr) {
    const Layout all = full_of(p, broadcast_to(added->layout, visible(p, p.out).dims()), added->item());
    c.added = matrix(added->data, all, nbatch, strides[3]);
  }
  // Merges batch dimensions that can be merged in all operands, because a library takes one batch dimension.
  const int64_t* rows[4] = {strides[0], strides[1], strides[2], strides[3]};
  Iteration it;
  collapse(nbatch, out.shape, added == nullptr ? 3 : 4, rows, 0, &it, &c.nbatch);
  c.batch_shape = it.shape;
  c.c.batch = it.strides[0];
  c.a.batch = it.strides[1];
  c.b.batch = it.strides[2];
  if (added != nullptr) c.added.batch = it.strides[3];
  if (fused != nullptr) {
    c.alpha = fused->alpha;
    c.beta = fused->beta;
    c.activation = fused->activation;
  }
  for (const Array* x : {&a, &b, added}) {
    if (x != nullptr) use_to_read(*x->buffer, q);
  }
  use(*dst.buffer, q);
  if (fused != nullptr) return try_enqueue(q, api<LinalgApi>(q).matmul, c);
  enqueue(q, api<LinalgApi>(q).matmul, c);
  return true;
}

// Both operands in one dtype; only a cast copies.
struct Typed {
  Ref<Array> a, b;
};
Typed typed(const Array& a, const Array& b, DType dtype, Stream* stream) {
  return {as_type(a, dtype, stream), as_type(b, dtype, stream)};
}

bool column_major(const Layout& l) { return l.ndim >= 2 && l.strides[l.ndim - 2] < l.strides[l.ndim - 1]; }

// The device of the destination, the operands and the added array, if these are given.
Device device_of(const Array* dst, const Array& a, const Array& b, const Array* added) {
  Input all[4];
  size_t n = 0;
  for (const Array* x : {dst, &a, &b, added}) {
    if (x != nullptr) all[n++] = {x, {}, false};
  }
  return common_device(std::span<const Input>(all, n));
}

// nullptr if the backend does not support the epilogue.
Ref<Array> product(const Array& a, const Array& b, const FusedProduct* fused, Stream* stream) {
  const Device device = device_of(nullptr, a, b, fused == nullptr ? nullptr : fused->added);
  Typed t = typed(a, b, promote(a.dtype, b.dtype), stream);
  Product p = plan(*t.a, *t.b);
  // Column-major operands give a column-major result.
  int32_t axes[max_ndim];
  for (int32_t i = 0; i < p.out.ndim; ++i) axes[i] = i;
  if (column_major(t.a->layout) && column_major(t.b->layout))
    std::swap(axes[p.out.ndim - 1], axes[p.out.ndim - 2]);
  Layout full = layout_permuted(p.out.dims(), axes, item_size(p.dtype));
  Ref<Array> out = create(p.dtype, full, device, stream);
  if (full.size() != 0 && !enqueue(p, *t.a, *t.b, *out, full, queue_for(device, stream), fused)) return {};
  return p.row || p.column ? out->view(visible(p, full)) : out;
}

}  // namespace

Layout matmul_shape(const Array& a, const Array& b) {
  const Product p = plan(a, b);
  return visible(p, p.out);
}

Ref<Array> matmul(const Array& a, const Array& b, Stream* stream) { return product(a, b, nullptr, stream); }

Ref<Array> matmul_fused(const Array& a, const Array& b, const FusedProduct& f, Stream* stream) {
  return a.dtype == b.dtype ? product(a, b, &f, stream) : Ref<Array>();
}

namespace {

// The operands have dst's dtype and share no memory with it.
bool product_into(const Product& p, const Array& dst, const Array& a, const Array& b,
                  const FusedProduct* fused, const Queue& q) {
  const Layout full = full_of(p, dst.layout, dst.item());
  return full.size() == 0 || enqueue(p, a, b, dst, full, q, fused);
}

}  // namespace

void matmul_into(const Array& dst, const Array& a, const Array& b, Stream* stream) {
  const Device device = device_of(&dst, a, b, nullptr);
  check_writable(dst);
  DType dtype = promote(a.dtype, b.dtype);
  Product p = plan(a, b);
  Layout shape = visible(p, p.out);
  if (!dst.layout.same_shape(shape)) {
    fail(ARR_E_SHAPE, "argument dst: shape ", dst.layout.text(), ", the result has ", shape.text());
  }
  if (dst.dtype != dtype || may_share_memory(dst, a) || may_share_memory(dst, b)) {
    return assign(dst, *matmul(a, b, stream), stream);
  }
  Typed t = typed(a, b, dtype, stream);
  product_into(plan(*t.a, *t.b), dst, *t.a, *t.b, nullptr, queue_for(device, stream));
}

bool matmul_fused_into(const Array& dst, const Array& a, const Array& b, const FusedProduct& f,
                       Stream* stream) {
  const Device device = device_of(&dst, a, b, f.added);
  check_writable(dst);
  if (a.dtype != dst.dtype || b.dtype != dst.dtype || may_share_memory(dst, a) || may_share_memory(dst, b)) {
    return false;
  }
  return product_into(plan(a, b), dst, a, b, &f, queue_for(device, stream));
}

}  // namespace arr
