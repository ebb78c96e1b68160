// SPDX-License-Identifier: MIT
// Results of backend calls that count the elements of a matrix while they write them.
#pragma once

#include <algorithm>
#include <limits>

#include "ops/elementwise/array_ops.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/sparse.h"
#include "runtime/dispatch.h"

namespace arr {

// The canonical matrix that a call writes, in csr or csc. `bound`: the most elements it may have; of a large
// result, the call guesses their number first. It runs again if they are more. inputs: the arrays it reads.
// Waits.
template <class Call>
Ref<Sparse> fitted(SparseFormat format, const Extents& e, Call c, Enqueue<Call> work,
                   std::span<const Ref<Array>> inputs, int64_t bound, bool wide, Stream* stream) {
  constexpr int64_t small = 65536, max_int32 = std::numeric_limits<int32_t>::max();
  const int64_t lines = format == SparseFormat::csc ? e.columns : e.rows;
  const Array& like = *inputs[0];
  const Queue q = queue_for(like.device(), stream);
  const Ref<Array> count = empty(DType::int64_, {}, Order::C, like.device(), stream);
  c.count = reinterpret_cast<int64_t*>(count->data);
  for (const auto& in : inputs) use_to_read(*in->buffer, q);
  const auto run = [&] {
    use(*count->buffer, q);
    enqueue(q, work, c);
    return static_cast<int64_t>(item(*count, {}).lo);
  };
  const int64_t most = c.index_type == DType::int64_ ? std::numeric_limits<int64_t>::max() : max_int32;
  c.capacity = std::clamp<int64_t>(bound <= small ? bound : run(), 1, most);
  Sparse::Parts parts;
  for (int64_t n = 0;; c.capacity = n) {
    parts = {vector_like(like, c.dtype, c.capacity, stream),
             vector_like(like, c.index_type, lines + 1, stream),
             vector_like(like, c.index_type, c.capacity, stream)};
    for (const auto* out : {&parts.data, &parts.outer, &parts.inner}) use(*(*out)->buffer, q);
    c.data = parts.data->data;
    c.pointers = parts.outer->data;
    c.indices = parts.inner->data;
    n = run();
    if (n > most) return {};
    if (n > c.capacity) continue;
    // A result keeps memory that it does not use, up to a third more.
    const auto trimmed = [&](const Ref<Array>& all) {
      const Ref<Array> used = slice_axis(*all, 0, 0, n);
      return n >= c.capacity / 4 * 3 ? used : copy(*used, Order::C, stream);
    };
    parts.data = trimmed(parts.data);
    parts.inner = trimmed(parts.inner);
    break;
  }
  return make_sparse(format, e, std::move(parts), true, wide, stream);
}

}  // namespace arr
