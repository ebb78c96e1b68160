// SPDX-License-Identifier: MIT
// The operands of linear equations in one dtype, and calls with them.
#include "ops/linalg/equations.h"

#include <array>

namespace arr {

Equations::Equations(const Array& a_given, const Array& b_given, int64_t unknowns, Stream* stream,
                     const char* name)
    : n(unknowns) {
  common_device(std::array{Input{&a_given, {}, false}, Input{&b_given, {}, false}});
  if (b_given.layout.ndim == 0) fail(ARR_E_SHAPE, "argument b: shape (), expected (..., n, k) or (n)");
  dtype = promote(lapack_type(a_given.dtype, name), lapack_type(b_given.dtype, "b"));
  vector = b_given.layout.ndim == 1;
  a = as_type(a_given, dtype, stream);
  b = as_type(b_given, dtype, stream);
  const int32_t last = -1;
  if (vector) b = b->view(expand_dims(b->layout, {&last, 1}, b->item()));
  k = columns_of(*b);
  if (rows_of(*b) != n) {
    fail(ARR_E_SHAPE, "argument b: shape ", b_given.layout.text(), ", expected ", n, " rows for ", name,
         " of shape ", a_given.layout.text());
  }
  Layout of_a = a->layout, of_b = b->layout;
  of_a.ndim -= 2;
  of_b.ndim -= 2;
  broadcast_shapes(of_a, of_b, "b", &all);
}

Ref<Array> Equations::visible(const Ref<Array>& x) const {
  const int32_t last = -1;
  return vector ? x->view(squeeze(x->layout, {&last, 1}, false)) : x;
}

Ref<Array> Equations::one_column(Stream* stream) const {
  Layout l = all;
  l.shape[l.ndim++] = n;
  l.shape[l.ndim++] = 1;
  return full(dtype, l.dims(), Order::C, convert(scalar_of(0.0), dtype), a->device(), stream);
}

Ref<Array> Equations::run(LapackCall* job) const {
  job->call.m = rows_of(*a);
  job->call.n = columns_of(*a);
  job->call.k = k;
  job->read_a(*a);
  job->read_b(*b);
  Ref<Array> x = job->matrices(n, k, dtype);
  job->call.x = x->data;
  if (k != 0) job->run();
  return x;
}

}  // namespace arr
