// SPDX-License-Identifier: MIT
// Operands that share memory with the destination of a call.
#include "ops/elementwise/overlap.h"

#include "ops/elementwise/create.h"

namespace arr {

bool overlaps(const Array& dst, const Input& in) {
  if (in.table != nullptr) return may_share_memory(dst, *in.table);
  return in.array != nullptr && may_share_memory(dst, *in.array) && !same_window(dst, *in.array);
}

namespace {

Ref<Array> clone(const Array& a, const Queue& q) {
  Input in{&a, {}, false};
  Ref<Array> out = create(a.dtype, result_layout(a.layout, {&in, 1}, a.item(), Order::K), q.device, q.stream);
  const Array* one[] = {out.get()};
  enqueue(one, single_cast(a.dtype, a.dtype), {&in, 1}, q);
  return out;
}

// All memory between the first and the last byte of an array, as bytes. *first: offset of element (0,..,0).
Ref<Array> bytes_of(const Array& a, int64_t* first) {
  int64_t low = 0, high = 0;
  a.layout.reach(a.item(), &low, &high);
  Layout l;
  l.ndim = 1;
  l.shape[0] = high - low;
  l.strides[0] = 1;
  *first = -low;
  return make<Array>(a.buffer, a.data + low, DType::uint8_, l, a.readonly);
}

}  // namespace

OverlapCopies::OverlapCopies(const Array& dst, std::span<const Input> inputs, const Queue& q)
    : inputs_(inputs.begin(), inputs.end()) {
  for (Input& in : inputs_) {
    if (!overlaps(dst, in)) continue;
    if (in.table == nullptr) {
      copies_.push_back(clone(*in.array, q));
      in.array = copies_.back().get();
    } else if (in.array == nullptr) {
      copies_.push_back(clone(*in.table, q));
      in = table_input(*copies_.back());
    } else {  // offsets are those of the original memory, gaps included
      int64_t first = 0;
      copies_.push_back(clone(*bytes_of(*in.table, &first), q));
      const Array& whole = *copies_.back();
      char* const data = whole.data + first + (in.array->data - in.table->data);
      copies_.push_back(make<Array>(whole.buffer, data, in.array->dtype, in.array->layout));
      in = load_base_input(*copies_.back(), whole);
    }
  }
}

}  // namespace arr
