// SPDX-License-Identifier: MIT
// Sorts: the axis becomes the last of contiguous memory, where the backend sorts rows.
#include "ops/sorting/sort.h"

#include <utility>
#include <vector>

#include "backend/sorting.h"
#include "ops/engine/compose.h"
#include "ops/engine/destination.h"
#include "runtime/trace.h"

namespace arr {

namespace {

// The array to sort, and its axes in an order that has the sorted one last and the others as they lie in
// memory.
struct Source {
  Source(Ref<Array> from, int32_t along) : array(std::move(from)), axis(along) {
    int32_t all[max_ndim], n = 0;
    array->layout.axis_order(all);
    for (int32_t i = 0; i < array->layout.ndim; ++i) {
      if (all[i] != axis) order[n++] = all[i];
    }
    order[n] = axis;
    for (int32_t i = 0; i <= n; ++i) inverse[order[i]] = i;
  }
  // An array of this shape with the sorted axis last; and such rows with their axes as before.
  [[nodiscard]] Ref<Array> rows(const Array& a) const { return a.view(transpose(a.layout, axes(order))); }
  [[nodiscard]] Ref<Array> back(const Array& a) const { return a.view(transpose(a.layout, axes(inverse))); }
  [[nodiscard]] std::span<const int32_t> axes(const int32_t* list) const {
    return {list, static_cast<size_t>(array->layout.ndim)};
  }

  Ref<Array> array;
  int32_t axis;
  int32_t order[max_ndim], inverse[max_ndim];
};
Source source_of(const Array& a, int32_t axis, Stream* stream) {
  if (axis == axis_none) return {a.layout.ndim == 1 ? a.view(a.layout) : ravel(a, stream), 0};
  return {a.view(a.layout), normalize_axis(a.layout.ndim, axis)};
}

// Rows along the last axis of contiguous arrays; sorted and order may be nullptr.
void enqueue_sort(const Array& keys, const Array* sorted, const Array* order, bool descending,
                  Stream* stream) {
  if (keys.layout.size() == 0) return;
  const Queue q = queue_for(keys.device(), stream);
  SortCall c;
  c.dtype = keys.dtype;
  c.n = keys.layout.shape[keys.layout.ndim - 1];
  c.rows = keys.layout.size() / c.n;
  c.keys = keys.data;
  c.descending = descending;
  use_to_read(*keys.buffer, q);
  if (sorted != nullptr) {
    c.sorted = sorted->data;
    use(*sorted->buffer, q);
  }
  if (order != nullptr) {
    c.order = reinterpret_cast<int64_t*>(order->data);
    use(*order->buffer, q);
  }
  enqueue(q, api<SortingApi>(q).sort, c);
}

// True if rows of `from` may be sorted straight into `to`, both with the axis last.
bool goes_straight(const Array& from, const Array& to) {
  return to.contiguous && from.dtype == to.dtype && (same_window(from, to) || !may_share_memory(from, to));
}

// dst has the source's shape and type.
void sort_rows(const Source& s, const Array& dst, bool descending, Stream* stream) {
  const Ref<Array> from = s.rows(*s.array), to = s.rows(dst);
  if (goes_straight(*from, *to)) {
    Ref<Array> keys = from;
    if (!from->contiguous) {
      assign(*to, *from, stream);
      keys = to;
    }
    return enqueue_sort(*keys, to.get(), nullptr, descending, stream);
  }
  const Ref<Array> rows = copy(*from, Order::C, stream);
  enqueue_sort(*rows, rows.get(), nullptr, descending, stream);
  assign(*to, *rows, stream);
}

// dst: int64 of the source's shape, which shares no memory with it.
void order_rows(const Source& s, const Array& dst, bool descending, Stream* stream) {
  const Ref<Array> to = s.rows(dst), keys = contiguous(*s.rows(*s.array), Order::C, stream);
  if (to->contiguous) return enqueue_sort(*keys, nullptr, to.get(), descending, stream);
  const Ref<Array> order = empty(DType::int64_, to->layout.dims(), Order::C, dst.device(), stream);
  enqueue_sort(*keys, nullptr, order.get(), descending, stream);
  assign(*to, *order, stream);
}

void check_kth(const Source& s, std::span<const int64_t> kth) {
  const int64_t n = s.array->layout.shape[s.axis];
  for (size_t i = 0; i < kth.size(); ++i) {
    if (kth[i] >= -n && kth[i] < n) continue;
    fail(ARR_E_ARGUMENT, "argument kth: ", kth[i], " at position ", i, ", expected ", -n, " to ", n - 1);
  }
}

// The elements of contiguous rows at places of their rows.
Ref<Array> take_rows(const Array& rows, const Array& places, Stream* stream) {
  const int32_t ndim = places.layout.ndim;
  const int64_t n = places.layout.shape[ndim - 1], count = places.layout.size() / n, two[2] = {count, n};
  const Ref<Array> flat = ravel(rows, stream), at = reshape(places, two, Order::C, stream);
  ProgramBuilder b;
  const int32_t place = b.input(DType::int64_), row = b.input(DType::int64_), table = b.input(DType::table_);
  const int32_t first = b.op(op::multiply, row, b.scalar(scalar_of(n), true));
  b.output(b.step(op::take, rows.dtype, table, b.op(op::add, place, first)));
  const BoundProgram p = b.finish();
  const Ref<Array> numbers =
      broadcastable_vector(*slice_axis(*iota(count, rows.device(), stream), 0, 0, count), 2, 0);
  const Ref<Array> taken =
      run(*p.program, Inputs(p, {at.get(), numbers.get()}, {flat.get()}).all(), Order::C, stream);
  return reshape(*taken, places.layout.dims(), Order::C, stream);
}

DType complex_of(DType d) {
  if (is_complex(d)) return d;
  return item_size(d) <= 2 && (kind(d) == DKind::INT || kind(d) == DKind::UINT) ? DType::complex64_
                                                                                : DType::complex128_;
}

void check_keys(std::span<const Array* const> keys) {
  if (keys.empty()) fail(ARR_E_ARGUMENT, "argument keys: none, expected one or more");
  std::vector<Input> inputs;
  for (const Array* k : keys) {
    inputs.push_back({k, {}, false});
    if (k->layout.same_shape(keys[0]->layout)) continue;
    fail(ARR_E_SHAPE, "argument keys: shape ", k->layout.text(), ", expected that of the first, ",
         keys[0]->layout.text());
  }
  common_device(inputs);
}

}  // namespace

Ref<Array> sort(const Array& a, int32_t axis, bool descending, Stream* stream) {
  const Source s = source_of(a, axis, stream);
  Ref<Array> out = empty_like(*s.array, a.dtype, Order::K, stream);
  sort_rows(s, *out, descending, stream);
  return out;
}

void sort_into(const Array& dst, const Array& a, int32_t axis, bool descending, Stream* stream) {
  const Source s = source_of(a, axis, stream);
  check_destination(dst, s.array->layout);
  if (dst.dtype == a.dtype && dst.device() == a.device()) return sort_rows(s, dst, descending, stream);
  write_result(dst, *sort(a, axis, descending, stream), stream);
}

Ref<Array> argsort(const Array& a, int32_t axis, bool descending, Stream* stream) {
  const Source s = source_of(a, axis, stream);
  Ref<Array> out = empty_like(*s.array, DType::int64_, Order::K, stream);
  order_rows(s, *out, descending, stream);
  return out;
}

std::pair<Ref<Array>, Ref<Array>> sort_with_places(const Array& vector, Stream* stream) {
  const Ref<Array> keys = contiguous(vector, Order::C, stream);
  Ref<Array> sorted = empty_like(*keys, keys->dtype, Order::C, stream);
  Ref<Array> places = empty_like(*keys, DType::int64_, Order::C, stream);
  enqueue_sort(*keys, sorted.get(), places.get(), false, stream);
  return {std::move(sorted), std::move(places)};
}

Ref<Array> partition(const Array& a, std::span<const int64_t> kth, int32_t axis, Stream* stream) {
  check_kth(source_of(a, axis, stream), kth);
  return sort(a, axis, false, stream);
}

Ref<Array> argpartition(const Array& a, std::span<const int64_t> kth, int32_t axis, Stream* stream) {
  check_kth(source_of(a, axis, stream), kth);
  return argsort(a, axis, false, stream);
}

Ref<Array> lexsort(std::span<const Array* const> keys, int32_t axis, Stream* stream) {
  check_keys(keys);
  const Source first = source_of(*keys[0], axis, stream);
  Ref<Array> out = argsort(*keys[0], axis, false, stream);
  if (out->layout.size() == 0) return out;
  Ref<Array> order = contiguous(*first.rows(*out), Order::C, stream);
  for (const Array* k : keys.subspan(1)) {
    const Source s = source_of(*k, axis, stream);
    // 16-bit floats are looked up as float32, which are in the same order.
    const Ref<Array> key = as_type(*s.array, compute_type(k->dtype), stream);
    const Ref<Array> rows = contiguous(*first.rows(*key), Order::C, stream);
    const Ref<Array> next = argsort(*take_rows(*rows, *order, stream), -1, false, stream);
    order = take_rows(*order, *next, stream);
  }
  assign(*first.rows(*out), *order, stream);
  return out;
}

Ref<Array> sort_complex(const Array& a, Stream* stream) {
  return sort(*as_type(a, complex_of(a.dtype), stream), -1, false, stream);
}

std::pair<Ref<Array>, Ref<Array>> top_k(const Array& a, int64_t k, int32_t axis, bool largest,
                                        Stream* stream) {
  const Source s = source_of(a, axis, stream);
  const int64_t n = s.array->layout.shape[s.axis];
  if (k < 0 || k > n) fail(ARR_E_ARGUMENT, "argument k: ", k, ", expected 0 to ", n, " along the axis");
  const Ref<Array> keys = contiguous(*s.rows(*s.array), Order::C, stream);
  const auto dims = keys->layout.dims();
  const Ref<Array> values = empty(a.dtype, dims, Order::C, a.device(), stream);
  const Ref<Array> places = empty(DType::int64_, dims, Order::C, a.device(), stream);
  enqueue_sort(*keys, values.get(), places.get(), largest, stream);
  const auto first = [&](const Array& all) {
    const int32_t last = all.layout.ndim - 1;
    return copy(*s.back(*slice_axis(all, last, 0, k)), Order::C, stream);
  };
  return {first(*values), first(*places)};
}

}  // namespace arr
