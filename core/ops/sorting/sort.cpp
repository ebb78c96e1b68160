// SPDX-License-Identifier: MIT
// Sorts: moves the axis to the end of contiguous memory, where the backend sorts rows.
#include "ops/sorting/sort.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "backend/sorting.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/destination.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// The array to sort, and a permutation of its axes: the sorted one last, the others in the order of memory.
struct SortAxisView {
  SortAxisView(Ref<Array> from, int32_t along) : array(std::move(from)), axis(along) {
    int32_t n = 0;
    array->layout.axis_order(memory);
    for (int32_t i = 0; i < array->layout.ndim; ++i) {
      if (memory[i] != axis) order[n++] = memory[i];
      inner = memory[i] == axis ? 1 : inner * array->layout.shape[memory[i]];
    }
    order[n] = axis;
    for (int32_t i = 0; i <= n; ++i) inverse[order[i]] = i;
  }
  // An array of the permuted shape; and the same rows with the axes in their original order.
  [[nodiscard]] Ref<Array> rows(const Array& a) const { return turned(a, order); }
  [[nodiscard]] Ref<Array> back(const Array& a) const { return turned(a, inverse); }
  // All axes in the order of memory. If the array is contiguous, elements along the sorted axis are `inner`
  // elements apart.
  [[nodiscard]] Ref<Array> in_memory_order(const Array& a) const { return turned(a, memory); }
  [[nodiscard]] Ref<Array> turned(const Array& a, const int32_t* to) const {
    return a.layout.ndim == 1 ? a.share() : a.view(transpose(a.layout, axes(to)));
  }
  [[nodiscard]] int64_t extent() const { return array->layout.shape[axis]; }
  // True for sorts that the backends do in columns, without a copy to rows.
  [[nodiscard]] bool in_columns() const { return inner > 1 && extent() > 1 && extent() <= max_sort_column; }
  [[nodiscard]] std::span<const int32_t> axes(const int32_t* list) const {
    return {list, static_cast<size_t>(array->layout.ndim)};
  }

  Ref<Array> array;
  int32_t axis;
  int32_t order[max_ndim], inverse[max_ndim], memory[max_ndim];
  int64_t inner = 1;
};
SortAxisView sort_axis_of(const Array& a, int32_t axis, Stream* stream) {
  if (axis == axis_none) return {a.layout.ndim == 1 ? a.share() : ravel(a, stream), 0};
  return {a.share(), normalize_axis(a.layout.ndim, axis)};
}

// A sort of rows of n elements, or of columns if `inner` of them are side by side.
SortCall sort_call(int64_t n, int64_t inner, bool descending) {
  SortCall c;
  c.n = n;
  c.inner = inner;
  c.descending = descending;
  return c;
}
// Sorts contiguous arrays; sorted and order may be nullptr.
void enqueue_sort(SortCall c, const Array& keys, const Array* sorted, const Array* order, Stream* stream) {
  if (keys.layout.size() == 0) return;
  const Queue q = queue_for(keys.device(), stream);
  c.dtype = keys.dtype;
  c.rows = keys.layout.size() / c.n;
  c.keys = keys.data;
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

// True if rows of `from` can be sorted directly into `to`; both have the axis last.
bool can_sort_directly(const Array& from, const Array& to) {
  return to.contiguous && from.dtype == to.dtype && (same_window(from, to) || !may_share_memory(from, to));
}

// Sorts `from` into `to`, both with their original axes, if that needs no other memory; otherwise returns
// false.
bool sort_directly(const SortCall& c, const Array& from, const Array& to, Stream* stream) {
  if (!can_sort_directly(from, to)) return false;
  if (!from.contiguous) assign(to, from, stream);
  enqueue_sort(c, from.contiguous ? from : to, &to, nullptr, stream);
  return true;
}

// dst has the source's shape and dtype.
void sort_rows(const SortAxisView& s, const Array& dst, bool descending, Stream* stream) {
  if (s.in_columns()) {
    const SortCall c = sort_call(s.extent(), s.inner, descending);
    if (sort_directly(c, *s.in_memory_order(*s.array), *s.in_memory_order(dst), stream)) return;
  }
  const SortCall c = sort_call(s.extent(), 1, descending);
  const Ref<Array> from = s.rows(*s.array), to = s.rows(dst);
  if (sort_directly(c, *from, *to, stream)) return;
  const Ref<Array> rows = copy(*from, Order::C, stream);
  enqueue_sort(c, *rows, rows.get(), nullptr, stream);
  assign(*to, *rows, stream);
}

// dst: int64, of the source's shape, sharing no memory with it.
void order_rows(const SortAxisView& s, const Array& dst, bool descending, Stream* stream) {
  if (s.in_columns()) {
    const Ref<Array> from = s.in_memory_order(*s.array), order = s.in_memory_order(dst);
    if (from->contiguous && order->contiguous) {
      return enqueue_sort(sort_call(s.extent(), s.inner, descending), *from, nullptr, order.get(), stream);
    }
  }
  const SortCall c = sort_call(s.extent(), 1, descending);
  const Ref<Array> to = s.rows(dst), keys = contiguous(*s.rows(*s.array), Order::C, stream);
  if (to->contiguous) return enqueue_sort(c, *keys, nullptr, to.get(), stream);
  const Ref<Array> order = empty(DType::int64_, to->layout.dims(), Order::C, dst.device(), stream);
  enqueue_sort(c, *keys, nullptr, order.get(), stream);
  assign(*to, *order, stream);
}

// The indices kth along the axis, in ascending order and without repetition.
std::vector<int64_t> sorted_kth(const SortAxisView& s, std::span<const int64_t> kth) {
  const int64_t n = s.extent();
  std::vector<int64_t> wanted;
  for (size_t i = 0; i < kth.size(); ++i) {
    if (kth[i] < -n || kth[i] >= n) {
      fail(ARR_E_ARGUMENT, "argument kth: ", kth[i], " at position ", i, ", expected ", -n, " to ", n - 1);
    }
    wanted.push_back(kth[i] < 0 ? kth[i] + n : kth[i]);
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return wanted;
}
// True if these indices do not require a full sort.
bool are_selected(const SortAxisView& s, const std::vector<int64_t>& wanted) {
  return s.extent() >= min_select_length && !wanted.empty() &&
         static_cast<int64_t>(wanted.size()) <= max_select_kth;
}
// dst: the elements, or with `order` their indices, of the source's shape; it shares no memory with it.
void partition_rows(const SortAxisView& s, const Array& dst, bool order, const std::vector<int64_t>& wanted,
                    Stream* stream) {
  SortCall c = sort_call(s.extent(), 1, false);
  c.extent = SortExtent::kth;
  c.kth = wanted.data();
  c.nkth = static_cast<int64_t>(wanted.size());
  const Ref<Array> keys = contiguous(*s.rows(*s.array), Order::C, stream), to = s.rows(dst);
  const Ref<Array> rows =
      to->contiguous ? to : empty(dst.dtype, to->layout.dims(), Order::C, dst.device(), stream);
  enqueue_sort(c, *keys, order ? nullptr : rows.get(), order ? rows.get() : nullptr, stream);
  if (!to->contiguous) assign(*to, *rows, stream);
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
  const SortAxisView s = sort_axis_of(a, axis, stream);
  Ref<Array> out = empty_like(*s.array, a.dtype, Order::K, stream);
  sort_rows(s, *out, descending, stream);
  return out;
}

void sort_into(const Array& dst, const Array& a, int32_t axis, bool descending, Stream* stream) {
  const SortAxisView s = sort_axis_of(a, axis, stream);
  check_destination(dst, s.array->layout);
  if (dst.dtype == a.dtype && dst.device() == a.device()) return sort_rows(s, dst, descending, stream);
  write_result(dst, *sort(a, axis, descending, stream), stream);
}

Ref<Array> argsort(const Array& a, int32_t axis, bool descending, Stream* stream) {
  const SortAxisView s = sort_axis_of(a, axis, stream);
  Ref<Array> out = empty_like(*s.array, DType::int64_, Order::K, stream);
  order_rows(s, *out, descending, stream);
  return out;
}

std::pair<Ref<Array>, Ref<Array>> sort_with_indices(const Array& vector, Stream* stream) {
  const Ref<Array> keys = contiguous(vector, Order::C, stream);
  Ref<Array> sorted = empty_like(*keys, keys->dtype, Order::C, stream);
  Ref<Array> indices = empty_like(*keys, DType::int64_, Order::C, stream);
  enqueue_sort(sort_call(keys->layout.shape[0], 1, false), *keys, sorted.get(), indices.get(), stream);
  return {std::move(sorted), std::move(indices)};
}

Ref<Array> partition(const Array& a, std::span<const int64_t> kth, int32_t axis, Stream* stream) {
  const SortAxisView s = sort_axis_of(a, axis, stream);
  const std::vector<int64_t> wanted = sorted_kth(s, kth);
  if (!are_selected(s, wanted)) return sort(a, axis, false, stream);
  Ref<Array> out = empty_like(*s.array, a.dtype, Order::K, stream);
  partition_rows(s, *out, false, wanted, stream);
  return out;
}

Ref<Array> argpartition(const Array& a, std::span<const int64_t> kth, int32_t axis, Stream* stream) {
  const SortAxisView s = sort_axis_of(a, axis, stream);
  const std::vector<int64_t> wanted = sorted_kth(s, kth);
  if (!are_selected(s, wanted)) return argsort(a, axis, false, stream);
  Ref<Array> out = empty_like(*s.array, DType::int64_, Order::K, stream);
  partition_rows(s, *out, true, wanted, stream);
  return out;
}

Ref<Array> lexsort(std::span<const Array* const> keys, int32_t axis, Stream* stream) {
  check_keys(keys);
  const SortAxisView first = sort_axis_of(*keys[0], axis, stream);
  Ref<Array> out = empty_like(*first.array, DType::int64_, Order::K, stream);
  if (out->layout.size() == 0) return out;
  // The last key is the primary one.
  std::vector<Ref<Array>> rows;
  std::vector<SortKey> more;
  const Queue q = queue_for(out->device(), stream);
  for (size_t i = keys.size(); i-- > 0;) {
    const SortAxisView s = sort_axis_of(*keys[i], axis, stream);
    rows.push_back(contiguous(*first.rows(*s.array), Order::C, stream));
    if (rows.size() == 1) continue;
    more.push_back({rows.back()->dtype, rows.back()->data});
    use_to_read(*rows.back()->buffer, q);
  }
  SortCall c = sort_call(first.extent(), 1, false);
  c.more = more.data();
  c.nmore = static_cast<int64_t>(more.size());
  const Ref<Array> to = first.rows(*out);
  const Ref<Array> order =
      to->contiguous ? to : empty(DType::int64_, to->layout.dims(), Order::C, out->device(), stream);
  enqueue_sort(c, *rows[0], nullptr, order.get(), stream);
  if (!to->contiguous) assign(*to, *order, stream);
  return out;
}

Ref<Array> sort_complex(const Array& a, Stream* stream) {
  if (a.layout.ndim == 0) fail(ARR_E_SHAPE, "argument a: an array of 0 dimensions, expected 1 or more");
  return sort(*as_type(a, complex_of(a.dtype), stream), -1, false, stream);
}

std::pair<Ref<Array>, Ref<Array>> top_k(const Array& a, int64_t k, int32_t axis, bool largest,
                                        Stream* stream) {
  const SortAxisView s = sort_axis_of(a, axis, stream);
  const int64_t n = s.array->layout.shape[s.axis];
  if (k < 0 || k > n) fail(ARR_E_ARGUMENT, "argument k: ", k, ", expected 0 to ", n, " along the axis");
  const Ref<Array> keys = contiguous(*s.rows(*s.array), Order::C, stream);
  // A full sort is faster for large k.
  const bool few = n >= min_select_length && k > 0 && k <= n / 8;
  SortCall c = sort_call(n, 1, largest);
  const auto all = keys->layout.dims();
  std::vector<int64_t> dims(all.begin(), all.end());
  if (few) {
    c.extent = SortExtent::first;
    c.count = k;
    dims.back() = k;
  }
  const Ref<Array> values = empty(a.dtype, dims, Order::C, a.device(), stream);
  const Ref<Array> indices = empty(DType::int64_, dims, Order::C, a.device(), stream);
  enqueue_sort(c, *keys, values.get(), indices.get(), stream);
  const auto first = [&](const Array& some) {
    const int32_t last = some.layout.ndim - 1;
    return copy(*s.back(*slice_axis(some, last, 0, k)), Order::C, stream);
  };
  return {first(*values), first(*indices)};
}

}  // namespace arr
