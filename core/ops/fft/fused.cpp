// SPDX-License-Identifier: MIT
// Planned transforms with a program before and after them, like CuPy's load and store callbacks: in one call
// if the backend offers it, otherwise in passes.
#include <algorithm>
#include <array>
#include <optional>

#include "array/memory_views.h"
#include "backend/fft.h"
#include "backend/operand.h"
#include "ops/elementwise/array_ops.h"
#include "ops/fft/plan.h"
#include "runtime/dispatch.h"
#include "runtime/recorders.h"

namespace arr {

namespace {

// The bytes of input and output between the three passes, which should stay in the caches; but at least
// enough rows for all threads.
constexpr int64_t bytes_at_once = int64_t{4} << 20, min_rows = 16;

// True if an element depends on its index, or on elements of other rows of the arrays.
bool has_indices(const FftPlan::Map& map, DType transformed, DType out) {
  if (map.expression == nullptr) return false;
  std::vector<DType> types;
  if (transformed != DType::none) types.push_back(transformed);
  for (const Array* a : map.arrays) types.push_back(a->dtype);
  const Expression::Compiled& c = map.expression->compile({&map.node, 1}, types, out);
  return !c.axes.empty() || !c.gathers.empty();
}

// Rows of arrays that broadcast to a shape of `ndim` dimensions.
class Rows {
 public:
  Rows(Arrays arrays, int32_t ndim, int64_t from, int64_t to) {
    for (const Array* a : arrays) {
      const bool same_for_all = a->layout.ndim < ndim || a->layout.shape[0] == 1;
      parts_.push_back(same_for_all ? Ref<Array>() : slice_axis(*a, 0, from, to));
      list_.push_back(same_for_all ? a : parts_.back().get());
    }
  }
  [[nodiscard]] Arrays list() const { return list_; }

 private:
  std::vector<Ref<Array>> parts_;
  std::vector<const Array*> list_;
};

// A map for a backend: its program, and operands with strides over a shape.
class MapOperands {
 public:
  // transformed: the dtype of an input before the arrays that has no operand; or none.
  MapOperands(const FftPlan::Map& map, DType transformed, DType out, const Layout& shape) {
    if (map.expression == nullptr) return;
    std::vector<DType> types;
    if (transformed != DType::none) types.push_back(transformed);
    for (const Array* a : map.arrays) types.push_back(a->dtype);
    compiled_ = &map.expression->compile({&map.node, 1}, types, out);
    if (!is_fusable()) return;
    for (const Array* a : map.arrays) add(*a, shape);
    for (const int32_t axis : compiled_->axes) {
      const Layout numbers = ramp_along(shape, normalize_axis(shape.ndim, axis));
      std::copy(numbers.strides, numbers.strides + shape.ndim, strides_[count_]);
      push({ramp_at(0), strides_[count_], {}, true});
    }
    for (const Scalar& s : compiled_->bound.immediates) push({nullptr, nullptr, s});
  }
  MapOperands(const MapOperands&) = delete;
  MapOperands& operator=(const MapOperands&) = delete;
  void add(const Array& a, const Layout& shape) {
    broadcast_strides(a.layout, shape, strides_[count_]);
    push({a.data, strides_[count_], {}});
  }
  // Not if it reads at indices, or needs several passes.
  [[nodiscard]] bool is_fusable() const {
    return compiled_ == nullptr || (compiled_->gathers.empty() && compiled_->whole == nullptr);
  }
  [[nodiscard]] const Program* program() const {
    return compiled_ == nullptr ? nullptr : compiled_->bound.program;
  }
  [[nodiscard]] const Operand* operands() const { return operands_.data(); }

 private:
  static constexpr size_t max_operands = Program::max_inputs + 1;
  void push(const Operand& o) { operands_.at(count_++) = o; }
  const Expression::Compiled* compiled_ = nullptr;
  size_t count_ = 0;
  std::array<Operand, max_operands> operands_;
  int64_t strides_[max_operands][max_ndim];
};

}  // namespace

void FftPlan::check_load(const Map& load) const {
  if (load.expression == nullptr) {
    if (load.arrays.size() == 1) return check(*load.arrays[0], in_, "in[0]");
    fail(ARR_E_ARGUMENT, "argument nin: ", load.arrays.size(), ", expected 1 without an expression");
  }
  Layout all;
  for (size_t k = 0; k < load.arrays.size(); ++k) {
    const std::string argument = text("in[", k, "]");
    check_device(*load.arrays[k], argument);
    broadcast_shapes(all, load.arrays[k]->layout, argument.c_str(), &all);
  }
  if (all.same_shape(in_.layout)) return;
  fail(ARR_E_SHAPE, "argument in: the arrays broadcast to ", all.text(), ", the plan is for ",
       in_.layout.text());
}

void FftPlan::check_store(const Map& store, const Array& dst) const {
  if (store.expression == nullptr) {
    if (store.arrays.empty()) return check(dst, out_, "dst");
    fail(ARR_E_ARGUMENT, "argument nmore: ", store.arrays.size(), ", expected 0 without an expression");
  }
  check_device(dst, "dst");
  if (!dst.layout.same_shape(out_.layout)) {
    fail(ARR_E_SHAPE, "argument dst: shape ", dst.layout.text(), ", the plan is for ", out_.layout.text());
  }
  for (size_t k = 0; k < store.arrays.size(); ++k) {
    const std::string argument = text("more[", k, "]");
    check_device(*store.arrays[k], argument);
    if (broadcasts_to(store.arrays[k]->layout, out_.layout)) continue;
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", store.arrays[k]->layout.text(),
         " does not broadcast to ", out_.layout.text(), ", the transform's");
  }
}

// Rows of the first axis if it is not transformed, because an element's index counts from the start of all.
// GPUs have no caches for this.
int64_t FftPlan::rows_at_once(const Map& load, const Map& store) const {
  const int64_t rows = in_.layout.shape[0];
  const bool apart = std::none_of(axes_.axes, axes_.axes + axes_.count, [](int32_t d) { return d == 0; });
  if (!apart || !queue_for(device_, nullptr).synchronous) return rows;
  if (has_indices(load, DType::none, in_.dtype) || has_indices(store, out_.dtype, DType::none)) return rows;
  const int64_t bytes = in_.layout.size() * item_size(in_.dtype) + out_.layout.size() * item_size(out_.dtype);
  return std::min(rows, std::max(min_rows, bytes_at_once / std::max<int64_t>(bytes / rows, 1)));
}

bool FftPlan::fuse(const Map& load, const Map& store, const Array& dst, bool inverse, FftNorm norm,
                   Stream* stream) const {
  const Queue q = queue_for(device_, stream);
  const bool none = load.expression == nullptr && store.expression == nullptr;
  if (none || api<FftApi>(q).fused == nullptr || q.stream->capturing()) return false;
  const MapOperands in(load, DType::none, in_.dtype, in_.layout);
  MapOperands out(store, out_.dtype, dst.dtype, out_.layout);
  if (!in.is_fusable() || !out.is_fusable()) return false;
  if (store.expression != nullptr) out.add(dst, out_.layout);
  FusedFftCall c;
  c.transform = call(in_.layout, out_.layout, inverse);
  c.transform.in = load.expression == nullptr ? load.arrays[0]->data : nullptr;
  c.transform.out = store.expression == nullptr ? dst.data : nullptr;
  c.transform.scale = scale_of(axes_, inverse, norm);
  c.ndim = in_.layout.ndim;
  c.in_shape = in_.layout.shape;
  c.out_shape = out_.layout.shape;
  c.load = in.program();
  c.in = in.operands();
  c.store = out.program();
  c.more = out.operands();
  materialize_for_write(*dst.buffer);
  for (const Map* map : {&load, &store}) {
    for (const Array* a : map->arrays) use_to_read(*a->buffer, q);
  }
  use(*dst.buffer, q);
  if (!try_enqueue(q, api<FftApi>(q).fused, c)) return false;
  taken_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void FftPlan::run_fused(const Map& load, const Map& store, const Array& dst, bool inverse, FftNorm norm,
                        Stream* stream) const {
  check_load(load);
  check_store(store, dst);
  check_writable(dst);
  for (const Map* map : {&load, &store}) {
    for (const Array* a : map->arrays) {
      if (share_memory(*a, dst)) fail(ARR_E_ARGUMENT, "argument dst: shares memory with what is read");
    }
  }
  check_direction(inverse);
  if (out_.layout.size() == 0) return;
  if (fuse(load, store, dst, inverse, norm, stream)) return;
  const int64_t all = in_.layout.shape[0], rows = rows_at_once(load, store);
  auto room = [&](const Side& side, const Map& map) {
    if (map.expression == nullptr) return Ref<Array>();
    Layout some = side.layout;
    if (rows < all) some.shape[0] = rows;
    return create(side.dtype, some, device_, stream);
  };
  const Ref<Array> before = room(in_, load), after = room(out_, store);
  auto pass = [&](const Map& l, const Map& s, const Array* x, const Array* y, const Array& z) {
    if (x != nullptr) run_into(*x, *l.expression, l.node, l.arrays, stream);
    transform(x != nullptr ? *x : *l.arrays[0], y != nullptr ? *y : z, inverse, norm, stream);
    if (y == nullptr) return;
    std::vector<const Array*> inputs{y};
    inputs.insert(inputs.end(), s.arrays.begin(), s.arrays.end());
    run_into(z, *s.expression, s.node, inputs, stream);
  };
  if (rows == all) return pass(load, store, before.get(), after.get(), dst);
  for (int64_t from = 0; from < all; from += rows) {
    const int64_t to = std::min(from + rows, all);
    const Rows in(load.arrays, in_.layout.ndim, from, to), more(store.arrays, out_.layout.ndim, from, to);
    const Ref<Array> x = before ? slice_axis(*before, 0, 0, to - from) : before;
    const Ref<Array> y = after ? slice_axis(*after, 0, 0, to - from) : after;
    pass({load.expression, load.node, in.list()}, {store.expression, store.node, more.list()}, x.get(),
         y.get(), *slice_axis(dst, 0, from, to));
  }
}

}  // namespace arr
