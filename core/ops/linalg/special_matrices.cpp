// SPDX-License-Identifier: MIT
// Matrices made from vectors. Matrices that are constant along diagonals are copies of strided views of one
// vector; the others are zeros whose rows and diagonals, also views, are written.
#include "ops/linalg/special_matrices.h"

#include <algorithm>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/promotion.h"
#include "ops/linalg/products.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

int64_t length(const Array& v) { return v.layout.shape[v.layout.ndim - 1]; }

// A vector, or a stack of them, that becomes a matrix with one dimension more.
void check_vector(const Array& v, const char* argument, int64_t min_length = 0) {
  if (v.layout.ndim == max_ndim)
    fail(ARR_E_SHAPE, "argument ", argument, ": ", max_ndim,
         " dimensions, expected fewer, because the result has one more");
  if (v.layout.ndim >= 1 && length(v) >= min_length) return;
  fail(ARR_E_SHAPE, "argument ", argument, ": shape ", v.layout.text(),
       ", expected (..., n) with n >= ", min_length);
}

Ref<Array> slice_last_axis(const Array& v, int64_t from, int64_t to) {
  return slice_axis(v, v.layout.ndim - 1, from, to);
}

Ref<Array> strided_last_axis(const Array& v, int64_t from, int64_t step) {
  return strided_slice(v, v.layout.ndim - 1, from, step);
}

// Concatenates vectors; batches broadcast.
Ref<Array> joined(std::initializer_list<const Array*> vectors, Stream* stream) {
  Layout batch;
  int64_t total = 0;
  DType d = (*vectors.begin())->dtype;
  for (const Array* v : vectors) {
    Layout own = v->layout;
    --own.ndim;
    Layout both;
    broadcast_shapes(batch, own, "r", &both);
    batch = both;
    total = checked::add(total, length(*v), "the vector's length");
    d = promote(d, v->dtype);
  }
  batch.shape[batch.ndim++] = total;
  Ref<Array> out = empty(d, batch.dims(), Order::C, (*vectors.begin())->device(), stream);
  int64_t at = 0;
  for (const Array* v : vectors) {
    assign(*slice_last_axis(*out, at, at + length(*v)), *v, stream);
    at += length(*v);
  }
  return out;
}

// Element (i, j) is element start + i * down + j * right of the vector.
Ref<Array> along_diagonals(const Array& v, int64_t rows, int64_t columns, int64_t start, int64_t down,
                           int64_t right, Stream* stream) {
  Layout l = v.layout;
  const int32_t last = l.ndim - 1;
  const int64_t stride = v.layout.strides[last];
  l.shape[last] = rows;
  l.strides[last] = stride * down;
  l.shape[l.ndim] = columns;
  l.strides[l.ndim++] = stride * right;
  return copy(*v.view(l, l.size() == 0 ? 0 : start * stride), Order::C, stream);
}

Ref<Array> zeros(DType d, const Layout& batch, int64_t rows, int64_t columns, Device device, Stream* stream) {
  Layout l = batch;
  l.shape[l.ndim++] = rows;
  l.shape[l.ndim++] = columns;
  Scalar zero;
  zero.dtype = d;
  return full(d, l.dims(), Order::C, zero, device, stream);
}

// A diagonal of the last two axes.
Ref<Array> band(const Array& m, int64_t k) { return diagonal(m, k, -2, -1); }

void set_ones(const Array& a, Stream* stream) { fill(a, scalar_of(int64_t{1}), stream); }

Layout batch_of_vectors(const Array& v) {
  Layout l = v.layout;
  --l.ndim;
  return l;
}

// -a[1:] / a[0], floating.
Ref<Array> monic(const Array& a, Stream* stream) {
  check_vector(a, "a", 2);
  const Ref<Array> first = slice_last_axis(a, 0, 1), rest = slice_last_axis(a, 1, length(a));
  const Ref<Array> wrong = compute({first.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::equal, in[0], b.scalar(scalar_of(int64_t{0}), true));
  });
  if (reduce_item(*reduction_info(reduction::any), *wrong, stream).lo != 0) {
    fail(ARR_E_ARGUMENT, "argument a: the first coefficient is 0");
  }
  const DType d = inexact_type(a.dtype);
  return compute({rest.get(), first.get()}, stream, [d](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::divide, b.op(op::negative, b.cast(in[0], d)), b.cast(in[1], d)), d);
  });
}

}  // namespace

Ref<Array> toeplitz(const Array& c, const Array* r, Stream* stream) {
  check_vector(c, "c");
  if (r != nullptr) check_vector(*r, "r");
  const bool complex = r == nullptr && is_complex(c.dtype);
  const Ref<Array> across = r != nullptr ? r->share()
                            : complex    ? apply(op::conjugate, {&c}, stream)
                                         : c.share();
  const int64_t rows = length(c), columns = length(*across);
  const Ref<Array> values =
      joined({reversed(c, -1).get(), slice_last_axis(*across, std::min<int64_t>(1, columns), columns).get()},
             stream);
  return along_diagonals(*values, rows, columns, rows - 1, -1, 1, stream);
}

Ref<Array> circulant(const Array& c, Stream* stream) {
  check_vector(c, "c");
  const int64_t n = length(c);
  const Ref<Array> back = reversed(c, -1);
  const Ref<Array> values = joined({back.get(), slice_last_axis(*back, 0, n - 1).get()}, stream);
  return along_diagonals(*values, n, n, n - 1, -1, 1, stream);
}

Ref<Array> hankel(const Array& c, const Array* r, Stream* stream) {
  check_vector(c, "c");
  if (r != nullptr) check_vector(*r, "r");
  Scalar zero;
  zero.dtype = c.dtype;
  const Ref<Array> across =
      r != nullptr ? r->share() : full(c.dtype, c.layout.dims(), Order::C, zero, c.device(), stream);
  const int64_t rows = length(c), columns = length(*across);
  const Ref<Array> values =
      joined({&c, slice_last_axis(*across, std::min<int64_t>(1, columns), columns).get()}, stream);
  return along_diagonals(*values, rows, columns, 0, 1, 1, stream);
}

Ref<Array> convolution_matrix(const Array& a, int64_t n, ConvolveMode mode, Stream* stream) {
  check_vector(a, "a", 1);
  if (n <= 0) fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected 1 or more");
  const int64_t m = length(a), trim = mode == ConvolveMode::full ? 0 : std::min(m, n) - 1;
  const int64_t top = mode == ConvolveMode::same ? trim / 2 : trim;
  const int64_t bottom = mode == ConvolveMode::same ? trim - top : trim;
  const int64_t side = n - 1;
  Scalar zero;
  zero.dtype = a.dtype;
  const Ref<Array> none = full(a.dtype, {&side, 1}, Order::C, zero, a.device(), stream);
  const Ref<Array> values = joined({none.get(), &a, none.get()}, stream);
  const int64_t rows = checked::add(m, side, "the rows") - top - bottom;
  return along_diagonals(*values, rows, n, side + top, 1, -1, stream);
}

Ref<Array> companion(const Array& a, Stream* stream) {
  const Ref<Array> first = monic(a, stream);
  const int64_t n = length(*first);
  Ref<Array> out = zeros(first->dtype, batch_of_vectors(a), n, n, a.device(), stream);
  assign(*index_axis(*out, -2, 0), *first, stream);
  set_ones(*band(*out, -1), stream);
  return out;
}

Ref<Array> fiedler_companion(const Array& a, Stream* stream) {
  const Ref<Array> c = monic(a, stream);  // -a[1], -a[2] ...
  const int64_t n = length(*c);
  Ref<Array> out = zeros(c->dtype, batch_of_vectors(a), n, n, a.device(), stream);
  set_ones(*strided_last_axis(*band(*out, -2), 1, 2), stream);
  set_ones(*strided_last_axis(*band(*out, 2), 0, 2), stream);
  assign(*strided_last_axis(*band(*out, -1), 1, 2), *strided_last_axis(*c, 2, 2), stream);
  assign(*strided_last_axis(*band(*out, 1), 0, 2), *strided_last_axis(*c, 1, 2), stream);
  assign(*slice_last_axis(*band(*out, 0), 0, 1), *slice_last_axis(*c, 0, 1), stream);
  if (n > 1) set_ones(*slice_last_axis(*band(*out, -1), 0, 1), stream);
  return out;
}

Ref<Array> leslie(const Array& f, const Array& s, Stream* stream) {
  check_vector(f, "f", 2);
  check_vector(s, "s", 1);
  const int64_t n = length(f);
  if (length(s) != n - 1) {
    fail(ARR_E_SHAPE, "argument s: ", length(s), " elements, expected ", n - 1, ", one less than f has");
  }
  const Input both[2] = {{&f, {}, false}, {&s, {}, false}};
  common_device(both);
  Layout batch;
  broadcast_shapes(batch_of_vectors(f), batch_of_vectors(s), "s", &batch);
  Ref<Array> out = zeros(promote(f.dtype, s.dtype), batch, n, n, f.device(), stream);
  assign(*index_axis(*out, -2, 0), f, stream);
  assign(*band(*out, -1), s, stream);
  return out;
}

Ref<Array> fiedler(const Array& a, Stream* stream) {
  check_vector(a, "a");
  const int32_t before_last = -2, last = -1;
  const Ref<Array> x = a.view(expand_dims(a.layout, {&last, 1}, a.item()));
  const Ref<Array> y = a.view(expand_dims(a.layout, {&before_last, 1}, a.item()));
  return compute({x.get(), y.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::absolute, b.op(op::subtract, in[0], in[1]));
  });
}

Ref<Array> block_diag(std::span<const Array* const> blocks, Stream* stream) {
  if (blocks.empty()) fail(ARR_E_ARGUMENT, "argument n: 0, expected one block or more");
  std::vector<Input> all;
  std::vector<Ref<Array>> matrices;
  const DType d = common_type(blocks);
  int64_t rows = 0, columns = 0;
  for (const Array* b : blocks) {
    if (b->layout.ndim > 2) {
      fail(ARR_E_SHAPE, "argument blocks: shape ", b->layout.text(), ", expected two dimensions or fewer");
    }
    all.push_back({b, {}, false});
    const int32_t axes[2] = {0, 1};
    const auto missing = static_cast<size_t>(2 - b->layout.ndim);
    matrices.push_back(b->view(expand_dims(b->layout, {axes, missing}, b->item())));
    rows = checked::add(rows, matrices.back()->layout.shape[0], "the rows");
    columns = checked::add(columns, matrices.back()->layout.shape[1], "the columns");
  }
  Ref<Array> out = zeros(d, {}, rows, columns, common_device(all), stream);
  int64_t i = 0, j = 0;
  for (const Ref<Array>& m : matrices) {
    const int64_t height = m->layout.shape[0], width = m->layout.shape[1];
    assign(*slice_axis(*slice_axis(*out, 0, i, i + height), 1, j, j + width), *m, stream);
    i += height;
    j += width;
  }
  return out;
}

}  // namespace arr
