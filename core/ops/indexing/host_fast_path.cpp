// SPDX-License-Identifier: MIT
// Access by one index array. Dimensions before the indexed ones are lines, those after them are contiguous
// blocks.
#include "ops/indexing/host_fast_path.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "backend/indexing.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/deferred_errors.h"
#include "ops/elementwise/fuse/fuse.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

constexpr size_t max_host_terms = 4;

// A call for indexed access, with the arrays that it points to.
class List {
 public:
  List(const IndexedView& indexed, const char* argument) : indexed_(indexed), argument_(argument) {}
  // False if the access is not by one index array.
  bool make(const Array& memory);
  // Runs the call; throws if an index is out of range.
  void run(const Array& memory, const Queue& q);

  // True if the value, which broadcasts to the indexed shape, is the same block for all indices.
  [[nodiscard]] bool is_block(const Layout& value) const {
    const int32_t behind = indexed_.shape.ndim - end_;
    for (int32_t d = 0; d + behind < value.ndim; ++d) {
      if (value.shape[d] != 1) return false;
    }
    return true;
  }

  TakePutCall call;

 private:
  bool split(const Layout& memory);
  bool add(const AxisIndex& index, const Layout& memory);

  const IndexedView& indexed_;
  const char* argument_;
  int32_t begin_ = 0, end_ = 0;  // the dimensions of the index array
  size_t count_ = 0;
  std::array<IndexTerm, max_host_terms> terms_;
  std::array<FaultCall, max_host_terms> faults_;
  std::array<uint64_t, max_host_terms> words_;
};

// Splits the indexed shape into lines of one stride, the index array, and a block.
bool List::split(const Layout& memory) {
  const Layout& shape = indexed_.shape;
  auto listed = [&](int32_t d) { return indexed_.from[d] < 0; };
  while (begin_ < shape.ndim && !listed(begin_)) ++begin_;
  end_ = begin_;
  while (end_ < shape.ndim && listed(end_)) ++end_;
  for (int32_t d = end_; d < shape.ndim; ++d) {
    if (listed(d)) return false;
  }
  for (int32_t d = begin_; d < end_; ++d) call.n *= shape.shape[d];
  for (int32_t d = shape.ndim; d-- > end_;) {
    if (shape.shape[d] != 1 && memory.strides[indexed_.from[d]] != call.block) return false;
    call.block *= shape.shape[d];
  }
  for (int32_t d = begin_; d-- > 0;) {
    if (shape.shape[d] == 1) continue;
    const int64_t stride = memory.strides[indexed_.from[d]];
    if (call.lines == 1) {
      call.line_stride = stride;
    } else if (stride != call.line_stride * call.lines) {
      return false;
    }
    call.lines *= shape.shape[d];
  }
  return true;
}

// Adds an index array that varies along the indexed dimensions only, with one stride.
bool List::add(const AxisIndex& index, const Layout& memory) {
  if (count_ == max_host_terms) return false;
  const Array& a = *index.array;
  const Layout& l = a.layout;
  const int32_t shift = indexed_.shape.ndim - l.ndim;
  if (shift < 0) return false;
  int64_t step = 0, count = 1;
  for (int32_t d = indexed_.shape.ndim; d-- > 0;) {
    const int64_t extent = indexed_.shape.shape[d];
    const int64_t stride = d < shift || l.shape[d - shift] == 1 ? 0 : l.strides[d - shift];
    if (d < begin_ || d >= end_) {
      if (stride != 0) return false;
    } else if (extent != 1) {
      if (count == 1) step = stride;
      if (stride != step * count) return false;
      count *= extent;
    }
  }
  IndexTerm& t = terms_[count_];
  words_[count_] = 0;
  t.data = a.data;
  t.dtype = a.dtype;
  t.step = call.n == 1 ? a.item() : step;
  t.extent = memory.shape[index.axis];
  t.stride = memory.strides[index.axis];
  t.rule = index.known ? 0 : position_op(index.bounds);
  const FaultNote* note = index.known ? nullptr : index_note(argument_, index.named, a.dtype, index.bounds);
  faults_[count_] = {note, t.extent};
  t.word = note == nullptr ? nullptr : &words_[count_];
  ++count_;
  return true;
}

bool List::make(const Array& memory) {
  call.n = call.lines = 1;
  call.block = memory.item();
  if (indexed_.indices.empty() || !split(memory.layout)) return false;
  for (const AxisIndex& i : indexed_.indices) {
    if (i.axis >= 0 && !add(i, memory.layout)) return false;
  }
  if (count_ == 0) return false;
  for (size_t k = 1; k < count_;
       ++k) {  // insertion sort by descending stride, because std::stable_sort allocates
    for (size_t i = k; i > 0 && std::abs(terms_.at(i - 1).stride) < std::abs(terms_.at(i).stride); --i) {
      std::swap(terms_.at(i - 1), terms_.at(i));
    }
  }
  call.nterms = static_cast<int32_t>(count_);
  call.terms = terms_.data();
  call.memory = memory.data;
  call.others_step = call.block;
  return true;
}

void List::run(const Array& memory, const Queue& q) {
  for (const AxisIndex& i : indexed_.indices) use_to_read(*i.array->buffer, q);
  call.writes ? use(*memory.buffer, q) : use_to_read(*memory.buffer, q);
  enqueue(q, api<IndexingApi>(q).take_put, call);
  for (size_t k = 0; k < count_; ++k) {
    if (words_[k] != 0) throw Error(ARR_E_ARGUMENT, fault_text(faults_[k], words_[k]));
  }
}

}  // namespace

bool runs_synchronously(const Queue& q) {
  return q.synchronous && api<IndexingApi>(q).take_put != nullptr && !q.stream->capturing() && !fusing();
}

Ref<Array> gather_on_host(const IndexedView& indexed, const char* argument, Stream* stream) {
  const Array& a = *indexed.view;
  const Queue q = queue_for(a.device(), stream);
  List list(indexed, argument);
  if (!runs_synchronously(q) || !list.make(a)) return {};
  Ref<Array> out = empty(a.dtype, indexed.shape.dims(), Order::C, a.device(), stream);
  list.call.others = out->data;
  list.run(a, q);
  return out;
}

bool put_on_host(const IndexedView& indexed, const char* argument, const Array* value, const Scalar& constant,
                 Stream* stream) {
  const Array& to = *indexed.view;
  const Queue q = queue_for(to.device(), stream);
  List list(indexed, argument);
  if (!runs_synchronously(q) || indexed.shape.size() == 0 || !list.make(to)) return false;
  for (const AxisIndex& i : indexed.indices) {
    if (may_share_memory(to, *i.array)) return false;
  }
  TakePutCall& c = list.call;
  c.writes = true;
  Scalar one = constant;
  Ref<Array> values;
  if (value == nullptr) {
    c.others_step = 0;
    c.others = reinterpret_cast<char*>(&one.lo);
    if (c.block != to.item()) {
      const int64_t n = c.block / to.item();
      values = full(to.dtype, {&n, 1}, Order::C, constant, to.device(), stream);
    }
  } else {
    const int64_t given = value->layout.size();
    if (given == c.block / to.item() && given != indexed.shape.size() && list.is_block(value->layout)) {
      c.others_step = 0;
    } else if (given != indexed.shape.size()) {
      return false;
    }
    values = value->dtype == to.dtype ? contiguous(*value, Order::C, stream)
                                      : astype(*value, to.dtype, Casting::unsafe, Order::C, stream);
    c.overlaps = may_share_memory(to, *values);
  }
  if (values) {
    use_to_read(*values->buffer, q);
    c.others = values->data;
  }
  list.run(to, q);
  return true;
}

Ref<Array> compact_on_host(const Array& mask, const Array* values, Stream* stream, int64_t before) {
  const int64_t n = mask.layout.size(), item = values == nullptr ? 8 : values->item();
  constexpr int64_t max_bytes = 16 * 1024;  // on the stack
  if (n == 0 || n > compact_tile || n * item > max_bytes || mask.dtype != DType::bool_) return {};
  if (!mask.contiguous ||
      (values != nullptr && !(values->contiguous && values->layout.same_shape(mask.layout)))) {
    return {};
  }
  const Queue q = queue_for(mask.device(), stream);
  if (!runs_synchronously(q)) return {};
  alignas(64) std::byte room[max_bytes + compact_slack];
  int64_t count = 0;
  SmallCompactCall c;
  c.n = n;
  c.flags = mask.data;
  c.item = item;
  c.to = room;
  c.count = &count;
  use_to_read(*mask.buffer, q);
  if (values != nullptr) {
    use_to_read(*values->buffer, q);
    c.values = values->data;
  }
  enqueue(q, api<IndexingApi>(q).small_compact, c);
  const int64_t all = before + count;
  Ref<Array> out =
      empty(values == nullptr ? DType::int64_ : values->dtype, {&all, 1}, Order::C, q.device, stream);
  if (values != nullptr) std::copy_n(values->data - before * item, before * item, out->data);
  std::copy_n(room, count * item, reinterpret_cast<std::byte*>(out->data) + before * item);
  return out;
}

bool join_on_host(const Array& dst, std::span<const Array* const> parts, int32_t axis, bool flat,
                  Stream* stream) {
  // More bytes are for several threads, and more rows for loops that copy short ones.
  constexpr int64_t max_bytes = 128 * 1024, max_rows = 64;
  const int64_t bytes = dst.layout.size() * dst.item();
  if (bytes > max_bytes || !dst.contiguous) return false;
  int64_t rows = 1;
  for (int32_t d = 0; !flat && d < axis; ++d) rows *= dst.layout.shape[d];
  if (rows == 0 || rows > max_rows) return false;
  for (const Array* a : parts) {
    if (a->dtype != dst.dtype || !a->contiguous) return false;
  }
  const Queue q = queue_for(dst.device(), stream);
  if (!runs_synchronously(q) || tracing()) return false;
  use(*dst.buffer, q);
  char* to = dst.data;
  for (const Array* a : parts) {
    const int64_t row = a->layout.size() * a->item() / rows;
    if (row == 0) continue;
    use_to_read(*a->buffer, q);
    for (int64_t r = 0; r < rows; ++r) {
      std::memcpy(to + r * (bytes / rows), a->data + r * row, static_cast<size_t>(row));
    }
    to += row;
  }
  return true;
}

}  // namespace arr
