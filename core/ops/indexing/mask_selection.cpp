// SPDX-License-Identifier: MIT
// Builds mask bits, and calls the backend to read and write the selected elements. The order of the axes is
// kept.
#include "ops/indexing/mask_selection.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/uncleared_array.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/deferred_errors.h"
#include "ops/elementwise/fuse/fuse.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// The iteration space of a call over a shape in row-major order, with the strides of arrays that broadcast to
// it.
class RowMajor {
 public:
  explicit RowMajor(const Layout& shape) : shape_(shape) {
    int64_t step = 1;
    for (int32_t d = shape.ndim; d-- > 0;) {
      strides_[0][d] = step;
      step *= shape.shape[d];
    }
  }
  void add(const Array& a) { broadcast_strides(a.layout, shape_, strides_[rows_++]); }
  void add(std::span<const Input> inputs) {
    for (const Input& in : inputs) {
      if (in.array != nullptr) add(*in.array);
    }
  }
  // The strides of array 0 are it.strides[1].
  void collapse_to(Iteration* it) const {
    const int64_t* rows[max_rows];
    for (int32_t k = 0; k < rows_; ++k) rows[k] = strides_[k];
    collapse(shape_.ndim, shape_.shape, rows_, rows, 0, it, nullptr);
  }

 private:
  static constexpr int32_t max_rows = Program::max_inputs + 1;
  const Layout& shape_;
  int32_t rows_ = 1;
  int64_t strides_[max_rows][max_ndim];
};

const Program& no_values() {
  static const Program* const p = [] {
    ProgramBuilder b;
    return b.finish().program;
  }();
  return *p;
}

}  // namespace

MaskSelection::MaskSelection(const Array& condition, Stream* stream)
    : MaskSelection(single_cast(condition.dtype, DType::bool_), std::array{Input{&condition, {}, false}},
                    condition.layout, stream) {}

MaskSelection::MaskSelection(const Program& condition, std::span<const Input> given, const Layout& shape,
                             Stream* stream)
    : stream_(stream), shape_(shape), size_(shape.size()) {
  if (size_ == 0) return;
  const Queue q = queue_for(common_device(given), stream);
  const Inlined all(condition, given, shape_, q, false);
  const int64_t words = MaskBits::tiles(size_) + 1 + MaskBits::words(size_);
  memory_ = empty(DType::int64_, {&words, 1}, Order::C, q.device, stream);
  RowMajor space(shape_);
  space.add(all.inputs());
  Iteration it;
  space.collapse_to(&it);
  UnclearedArray<Operand, Program::max_inputs> operands;
  set_operands(all.inputs(), it.strides + 1, q, operands.data());
  DeferredErrors errors(all.program(), q);
  errors.attach(operands.data());
  PackMaskCall c;
  c.map = &all.program();
  c.ndim = it.ndim;
  c.shape = it.shape;
  c.operands = operands.data();
  c.mask = mask();
  follow(*memory_->buffer, q);
  enqueue(q, api<IndexingApi>(q).pack_mask, c);
  errors.report();
}

MaskBits MaskSelection::mask() const {
  auto* first = reinterpret_cast<int64_t*>(memory_->data);
  return {reinterpret_cast<uint64_t*>(first + MaskBits::tiles(size_) + 1), first};
}

Ref<Array> MaskSelection::count_array() const {
  Layout scalar;
  return memory_->view(scalar, MaskBits::tiles(size_) * 8);
}

int64_t MaskSelection::count() const {
  return memory_ ? static_cast<int64_t>(item(*count_array(), {}).lo) : 0;
}

void MaskSelection::run(CompactCall* c, const Queue& q) const {
  use_to_read(*memory_->buffer, q);
  c->mask = mask();
  if (c->map == nullptr) c->map = &no_values();
  enqueue(q, api<IndexingApi>(q).compact, *c);
}

void MaskSelection::compact(std::span<const Array* const> outs, const Program& values,
                            std::span<const Input> given) const {
  if (size_ == 0 || outs[0]->layout.size() == 0) return;
  const Queue q = queue_for(outs[0]->device(), stream_);
  for (const Array* out : outs) materialize_for_write(*out->buffer);
  const Inlined all(values, given, shape_, q, false);
  RowMajor space(shape_);
  space.add(all.inputs());
  Iteration it;
  space.collapse_to(&it);
  UnclearedArray<Operand, Program::max_inputs> operands;
  set_operands(all.inputs(), it.strides + 1, q, operands.data());
  DeferredErrors errors(all.program(), q);
  errors.attach(operands.data());
  CompactCall c;
  c.map = &all.program();
  c.ndim = it.ndim;
  c.shape = it.shape;
  c.operands = operands.data();
  c.capacity = outs[0]->layout.size();
  for (size_t k = 0; k < outs.size(); ++k) {
    follow(*outs[k]->buffer, q);
    c.values[k] = outs[k]->data;
  }
  run(&c, q);
  errors.report();
}

void MaskSelection::compact(const Array& out, const Array& a) const {
  const Array* outs[] = {&out};
  const Input in[] = {{&a, {}, false}};
  compact(outs, single_cast(a.dtype, a.dtype), in);
}

void MaskSelection::set_indices(std::span<int64_t* const> to, int64_t step, int64_t capacity, Shape space,
                                const Queue& q) const {
  CompactCall c;
  c.ndim = 1;
  c.shape = &size_;
  c.capacity = capacity;
  c.nspace = static_cast<int32_t>(space.size());
  c.space = space.data();
  c.indices = to.data();
  c.index_step = step;
  run(&c, q);
}

void MaskSelection::indices(std::span<const Array* const> outs, Shape space) const {
  const int64_t capacity = outs[0]->layout.size();
  if (size_ == 0 || capacity == 0) return;
  const Queue q = queue_for(outs[0]->device(), stream_);
  std::array<int64_t*, max_ndim> to{};
  for (size_t k = 0; k < outs.size(); ++k) {
    use(*outs[k]->buffer, q);
    to.at(k) = reinterpret_cast<int64_t*>(outs[k]->data);
  }
  set_indices({to.data(), outs.size()}, 1, capacity, space, q);
}

void MaskSelection::indices(const Array& matrix, Shape space) const {
  const int64_t capacity = matrix.layout.shape[0];
  if (size_ == 0 || matrix.layout.size() == 0) return;
  const Queue q = queue_for(matrix.device(), stream_);
  use(*matrix.buffer, q);
  std::array<int64_t*, max_ndim> to{};
  for (size_t k = 0; k < space.size(); ++k) to.at(k) = reinterpret_cast<int64_t*>(matrix.data) + k;
  set_indices({to.data(), space.size()}, static_cast<int64_t>(space.size()), capacity, space, q);
}

bool MaskSelection::has_rows(const Array& a, int32_t leading) {
  int64_t step = a.item();
  for (int32_t d = a.layout.ndim; d-- > leading;) {
    if (a.layout.shape[d] != 1 && a.layout.strides[d] != step) return false;
    step *= a.layout.shape[d];
  }
  return step >= a.item();
}

void MaskSelection::rows(const Array& out, const Array& a) const {
  if (size_ == 0 || out.layout.size() == 0) return;
  const Queue q = queue_for(out.device(), stream_);
  Layout leading = a.layout;
  leading.ndim = shape_.ndim;
  RowMajor space(shape_);
  space.add(*a.view(leading));
  Iteration it;
  space.collapse_to(&it);
  use_to_read(*a.buffer, q);
  use(*out.buffer, q);
  CompactCall c;
  c.ndim = it.ndim;
  c.shape = it.shape;
  c.capacity = out.layout.shape[0];
  c.row_bytes = out.layout.size() / c.capacity * out.item();
  c.rows = {a.data, it.strides[1], {}};
  c.row_to = out.data;
  run(&c, q);
}

void MaskSelection::masked_scatter(const Array& target, const Array& values) const {
  if (size_ == 0 || values.layout.size() == 0) return;
  const Queue q = queue_for(target.device(), stream_);
  RowMajor space(shape_);
  space.add(target);
  Iteration it;
  space.collapse_to(&it);
  use_to_read(*values.buffer, q);
  use_to_read(*memory_->buffer, q);
  use(*target.buffer, q);
  MaskedScatterCall c;
  c.ndim = it.ndim;
  c.shape = it.shape;
  c.mask = mask();
  c.target = {target.data, it.strides[1], {}};
  c.item = target.item();
  c.values = values.data;
  c.nvalues = values.layout.size();
  enqueue(q, api<IndexingApi>(q).masked_scatter, c);
}

}  // namespace arr
