// SPDX-License-Identifier: MIT
// Reductions of a program over the shape to which its inputs broadcast, in one pass without temporaries.
#include <algorithm>
#include <optional>
#include <string_view>

#include "backend/reduce.h"
#include "base/uncleared_array.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/deferred_errors.h"
#include "ops/elementwise/fuse/fuse.h"
#include "ops/elementwise/program_cache.h"
#include "ops/reduce/reduce.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// The call's dimensions: kept axes first, then the reduced ones, with the strides of every array, of the
// output and of the row-major index that index reductions report.
class Space {
 public:
  Space(const Layout& shape, std::span<const Input> inputs, const Layout& out, uint32_t axes, bool keepdims) {
    int64_t seen[Program::max_inputs][max_ndim];
    for (const Input& in : inputs) {
      if (in.array != nullptr) broadcast_strides(in.array->layout, shape, seen[arrays_++]);
    }
    int32_t at = 0, kept = shape.ndim - __builtin_popcount(axes);
    int32_t next[2] = {0, kept};
    for (int32_t i = 0; i < shape.ndim; ++i) {
      bool reduced = (axes >> i & 1U) != 0;
      int32_t slot = next[reduced ? 1 : 0]++;
      shape_[slot] = shape.shape[i];
      for (size_t k = 0; k < arrays_; ++k) strides_[k][slot] = seen[k][i];
      output()[slot] = reduced ? 0 : out.strides[at];
      position()[slot] = 0;
      at += !reduced || keepdims ? 1 : 0;
    }
    int64_t step = 1;
    for (int32_t i = shape.ndim; i-- > kept;) {
      position()[i] = step;
      step *= shape_[i];
    }
    ndim_ = shape.ndim;
    nreduced_ = shape.ndim - kept;
  }

  // Reduced dimensions are merged with regard to the index only if an index is reported.
  void collapse(bool index, Iteration* it, int32_t* nkept) const {
    const int64_t* rows[Program::max_inputs + 2];
    int32_t n = 0;
    for (; n < static_cast<int32_t>(arrays_) + (index ? 2 : 1); ++n) rows[n] = strides_[n];
    arr::collapse(ndim_, shape_, n, rows, nreduced_, it, nkept);
  }

 private:
  int64_t* output() { return strides_[arrays_]; }
  int64_t* position() { return strides_[arrays_ + 1]; }
  int32_t ndim_ = 0, nreduced_ = 0;
  size_t arrays_ = 0;
  int64_t shape_[max_ndim];
  int64_t strides_[Program::max_inputs + 2][max_ndim];
};

// The destination of results: an array, or the caller's memory for one number.
struct Target {
  explicit Target(const Array& to)
      : data(to.data), dtype(to.dtype), layout(to.layout), buffer(to.buffer.get()) {}
  explicit Target(Scalar* one) : data(reinterpret_cast<char*>(&one->lo)), dtype(one->dtype) {
    static_assert(offsetof(Scalar, hi) == offsetof(Scalar, lo) + 8, "lo and hi are the bytes of an element");
  }
  // No memory: for the kernel text, which depends only on the alignment.
  Target(DType d, const Layout& l) : data(reinterpret_cast<char*>(uintptr_t{4096})), dtype(d), layout(l) {}
  char* data;
  DType dtype;
  Layout layout;
  Buffer* buffer = nullptr;
};

// Calls run() with the call of a reduction. `place`(inputs, strides, operands): like place_operands.
template <class Place, class Run>
void with_call(const ReductionInfo& r, const ReduceTypes& types, const Program& map,
               std::span<const Input> inputs, const ReduceExtras& extras, const Layout& shape,
               const Target& dst, uint32_t axes, bool keepdims, Place&& place, Run&& run) {
  const bool index = r.kind == ReduceKind::INDEX;
  const Space space(shape, inputs, dst.layout, axes, keepdims);
  Iteration it;
  ReduceCall c;
  space.collapse(index, &it, &c.nkept);
  UnclearedArray<Operand, Program::max_inputs> operands;
  const int32_t row = place(inputs, it.strides, operands.data());
  c.reduction = &r;
  c.map = &map;
  c.acc = types.acc;
  c.out = dst.dtype;
  c.ndim = it.ndim;
  c.shape = it.shape;
  c.operands = operands.data();
  c.output.data = dst.data;
  c.output.strides = it.strides[row];
  c.index_strides = index ? it.strides[row + 1] + c.nkept : nullptr;
  c.initial = extras.initial;
  c.correction = extras.correction;
  run(c);
}

// The largest number of elements of an output for which inlining may keep the order of combination.
constexpr int64_t few_reduced = 512;

bool reduces_few(const Layout& shape, uint32_t axes) {
  int64_t n = 1;
  for (int32_t i = 0; i < shape.ndim; ++i) {
    if ((axes >> i & 1U) != 0 && !checked::mul(n, shape.shape[i], &n)) return false;
  }
  return n <= few_reduced && axes != axis_mask(shape.ndim, 0, nullptr);
}

void enqueue(const ReductionInfo& r, const ReduceTypes& types, const Program& given,
             std::span<const Input> operands_given, const ReduceExtras& extras, const Layout& shape,
             const Target& dst, uint32_t axes, bool keepdims, const Queue& q) {
  if (dst.buffer != nullptr) materialize_for_write(*dst.buffer);
  const bool by_order = depends_on_order(types.acc);
  const bool may_keep_order = by_order && recorders.load(std::memory_order_relaxed) != 0 &&
                              api<ReduceApi>(q).same_order != nullptr && reduces_few(shape, axes);
  std::optional<Inlined> all;
  all.emplace(given, operands_given, shape, q, by_order && !may_keep_order);
  if (may_keep_order && all->changed() && !fuse_reorders()) {
    bool kept = false;
    const auto call_of = [&](const Program& map, std::span<const Input> inputs, auto&& with) {
      with_call(r, types, map, inputs, extras, shape, dst, axes, keepdims, place_operands, with);
    };
    call_of(given, operands_given, [&](const ReduceCall& apart) {
      call_of(all->program(), all->inputs(),
              [&](const ReduceCall& c) { kept = api<ReduceApi>(q).same_order(apart, c); });
    });
    if (!kept) all.emplace(given, operands_given, shape, q, true);
  }
  DeferredErrors errors(all->program(), q);
  auto place = [&](std::span<const Input> inputs, const int64_t(*strides)[max_ndim], Operand* operands) {
    const int32_t used = set_operands(inputs, strides, q, operands);
    errors.attach(operands);
    return used;
  };
  with_call(r, types, all->program(), all->inputs(), extras, shape, dst, axes, keepdims, place,
            [&](const ReduceCall& c) {
              if (dst.buffer != nullptr) follow(*dst.buffer, q);
              enqueue(q, api<ReduceApi>(q).reduce, c);
            });
  errors.report();
}

void check_not_empty(const ReductionInfo& r, const ReduceExtras& extras, const Layout& shape, uint32_t axes) {
  const bool allowed = r.empty_ok || extras.initial.dtype != DType::none;
  for (int32_t i = 0; !allowed && i < shape.ndim; ++i) {
    if ((axes >> i & 1U) != 0 && shape.shape[i] == 0) {
      fail(ARR_E_SHAPE, "argument ", extras.argument, ": ", r.name, " over axis ", i, " of shape ",
           shape.text(), ", which is empty");
    }
  }
}

// The result's shape, with the strides of `in` for its order.
Layout reduced_shape(const Layout& in, uint32_t axes, bool keepdims) {
  Layout out;
  for (int32_t i = 0; i < in.ndim; ++i) {
    bool reduced = (axes >> i & 1U) != 0;
    if (reduced && !keepdims) continue;
    out.shape[out.ndim] = reduced ? 1 : in.shape[i];
    out.strides[out.ndim++] = reduced ? 0 : in.strides[i];
  }
  return out;
}

bool has_truth(std::span<const Input> inputs) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const Input& in) { return in.array != nullptr && in.array->dtype == DType::bool_; });
}

// The program for reductions of single elements: the map, or the magnitude. nullptr if the result is neither:
// the sum of -0 is 0, and a bool result has byte 0 or 1 whatever the element's byte.
const Program* program_of_one(const ReductionInfo& r, const ReduceTypes& types, const Program& map,
                              std::span<const Input> inputs, const ReduceExtras& extras) {
  if (r.kind != ReduceKind::VALUE || types.acc != types.out || extras.initial.dtype != DType::none)
    return nullptr;
  if (types.acc == DType::bool_ && has_truth(inputs)) return nullptr;
  const std::string_view combine = r.combine, finish = r.finish;
  if (finish == "a" && (combine != "a + b" || is_integer_or_bool(types.acc))) return &map;
  const bool plain = finish == "arr_absolute(a)" && inputs.size() == 1 && inputs[0].array != nullptr &&
                     inputs[0].array->dtype == types.acc && &map == reduce_map(r, types.acc).program;
  if (!plain) return nullptr;
  static auto* const known = new ProgramCache;
  return known
      ->get(static_cast<uint64_t>(types.acc),
            [&] {
              ProgramBuilder b;
              b.output(b.op(op::absolute, b.input(types.acc)));
              return b.finish();
            })
      .program;
}

bool is_of_one(const Layout& shape, uint32_t axes) {
  for (int32_t i = 0; i < shape.ndim; ++i) {
    if ((axes >> i & 1U) != 0 && shape.shape[i] != 1) return false;
  }
  return true;
}

// Reduces into an array of the result's shape, which shares no memory with an input.
void reduce_apart(const Array& dst, const ReductionInfo& r, const ReduceTypes& types, const Program& map,
                  std::span<const Input> inputs, const ReduceExtras& extras, const Layout& shape,
                  uint32_t axes, bool keepdims, Stream* stream) {
  if (dst.layout.size() == 0) return;
  const Program* program = is_of_one(shape, axes) ? program_of_one(r, types, map, inputs, extras) : nullptr;
  if (program == nullptr) {
    const Queue q = queue_for(dst.device(), stream);
    return enqueue(r, types, map, inputs, extras, shape, Target(dst), axes, keepdims, q);
  }
  Layout all = shape;
  for (int32_t i = 0, at = 0; i < shape.ndim; ++i) {
    const bool reduced = (axes >> i & 1U) != 0;
    all.strides[i] = reduced ? 0 : dst.layout.strides[at];
    at += !reduced || keepdims ? 1 : 0;
  }
  run_into(*make<Array>(dst.buffer, dst.data, dst.dtype, all), *program, inputs, stream);
}

}  // namespace

Ref<Array> map_reduce(const ReductionInfo& r, const ReduceTypes& types, const Program& map,
                      std::span<const Input> inputs, uint32_t axes, bool keepdims, Stream* stream,
                      const ReduceExtras& extras) {
  Device device = common_device(inputs);
  Layout shape;
  common_shape(inputs, &shape);
  check_not_empty(r, extras, shape, axes);
  Layout ordered = result_layout(shape, inputs, item_size(types.out), Order::K);
  Layout out_shape = layout_like(reduced_shape(ordered, axes, keepdims), item_size(types.out), Order::K);
  Ref<Array> out = create(types.out, out_shape, device, stream);
  reduce_apart(*out, r, types, map, inputs, extras, shape, axes, keepdims, stream);
  return out;
}

std::string map_reduce_text(const ReductionInfo& r, const ReduceTypes& types, const Program& map,
                            std::span<const Input> inputs, uint32_t axes, bool keepdims,
                            const ReduceExtras& extras, const Backend& backend) {
  Layout shape;
  common_shape(inputs, &shape);
  check_not_empty(r, extras, shape, axes);
  const Layout ordered = result_layout(shape, inputs, item_size(types.out), Order::K);
  const Layout out = layout_like(reduced_shape(ordered, axes, keepdims), item_size(types.out), Order::K);
  if (out.size() == 0)
    fail(ARR_E_SHAPE, "argument in: shape ", shape.text(), ": the result is empty, so there is no kernel");
  std::string text;
  with_call(r, types, map, inputs, extras, shape, Target(types.out, out), axes, keepdims, place_operands,
            [&](const ReduceCall& c) { call(api<ReduceApi>(backend).reduce_text, &c, &text); });
  return text;
}

Scalar map_reduce_item(const ReductionInfo& r, const ReduceTypes& types, const Program& map,
                       std::span<const Input> inputs, Stream* stream, const ReduceExtras& extras) {
  const Queue q = queue_for(common_device(inputs), stream);
  Layout shape;
  common_shape(inputs, &shape);
  const uint32_t axes = axis_mask(shape.ndim, 0, nullptr);
  if (q.stream->capturing()) {
    fail(ARR_E_ARGUMENT,
         "argument stream: its work is being captured into a graph, and the call needs a value of it now");
  }
  if (!q.synchronous) {
    return item(*map_reduce(r, types, map, inputs, axes, false, stream, extras), {});
  }
  check_not_empty(r, extras, shape, axes);
  Scalar result;
  result.dtype = types.out;
  enqueue(r, types, map, inputs, extras, shape, Target(&result), axes, false, q);
  return result;
}

void map_reduce_into(const Array& dst, const ReductionInfo& r, const ReduceTypes& types, const Program& map,
                     std::span<const Input> inputs, uint32_t axes, bool keepdims, Stream* stream,
                     const ReduceExtras& extras) {
  Device device = common_device(inputs);
  Layout shape;
  common_shape(inputs, &shape);
  check_not_empty(r, extras, shape, axes);
  Layout wanted = reduced_shape(result_layout(shape, inputs, 1, Order::C), axes, keepdims);
  if (!dst.layout.same_shape(wanted)) {
    fail(ARR_E_SHAPE, "argument dst: shape ", dst.layout.text(), ", the result has ", wanted.text());
  }
  check_writable(dst);
  bool overlap = false;
  for (const Input& in : inputs)
    overlap = overlap || (in.array != nullptr && may_share_memory(dst, *in.array));
  if (overlap || !(dst.device() == device) || dst.dtype != types.out) {
    return assign(dst, *map_reduce(r, types, map, inputs, axes, keepdims, stream, extras), stream);
  }
  reduce_apart(dst, r, types, map, inputs, extras, shape, axes, keepdims, stream);
}

}  // namespace arr
