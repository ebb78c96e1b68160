// SPDX-License-Identifier: MIT
// Runs fused expressions: maps with one or several results, and reductions of a map in one pass.
#include "ops/expression/expression.h"

#include <array>

#include "backend/backend.h"
#include "backend/elementwise.h"
#include "base/renaming.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/deferred_errors.h"
#include "ops/elementwise/destination.h"
#include "ops/elementwise/overlap.h"
#include "ops/reduce/average.h"
#include "ops/reduce/reduce.h"
#include "ops/reduce/scan.h"

namespace arr {

namespace {

// The dtypes of arrays, without an allocation for those of one loop.
class DTypes {
 public:
  explicit DTypes(Arrays inputs) : size_(inputs.size()) {
    if (size_ > few_.size()) many_.resize(size_);
    DType* to = many_.empty() ? few_.data() : many_.data();
    for (size_t k = 0; k < size_; ++k) to[k] = inputs[k]->dtype;
  }
  operator std::span<const DType>() const { return {many_.empty() ? few_.data() : many_.data(), size_}; }

 private:
  std::array<DType, Program::max_inputs> few_;
  std::vector<DType> many_;
  size_t size_;
};

// "in[k]". Error words keep the pointer.
const char* input_name(size_t k) {
  static const auto* names = [] {
    auto* all = new std::vector<std::string>;
    for (int32_t i = 0; i < Expression::max_inputs; ++i) all->push_back(text("in[", i, "]"));
    return all;
  }();
  return names->at(k).c_str();
}

// The values of inner passes are computed, or only allocated, for the text of the other passes, or there are
// none, because only the shape is asked for.
enum class Values : uint8_t { computed, allocated, none };

// All operands of a compiled expression: arrays, indices along axes of the broadcast shape, constants. If it
// has several passes the inner ones run here.
class Bound {
 public:
  Bound(const Expression::Compiled& c, Arrays inputs, Stream* stream, Values values = Values::computed)
      : compiled_(c) {
    inputs_.reserve(inputs.size() + c.axes.size() + c.bound.immediates.size());
    for (size_t k = 0; k < inputs.size(); ++k) {
      if (inputs[k] == nullptr) continue;  // a number, which is a constant
      const bool placed = k < c.placed.size() && c.placed[k];
      inputs_.push_back({placed ? nullptr : inputs[k], placed ? Scalar{inputs[k]->dtype} : Scalar{}, false});
    }
    // Capacity for all, because the operands point to these.
    begins_.reserve(c.gathers.size());
    for (const Expression::Gathered& g : c.gathers) add_gather(g, *inputs[static_cast<size_t>(g.input)]);
    renaming({{"y", "in"}, {"z", "in"}}, [&] {
      common_device(inputs_);
      common_shape(inputs_, &shape_);
    });
    if (shape_.size() != 0) check_extents(c, inputs);
    const auto first =
        std::find_if(inputs.begin(), inputs.end(), [](const Array* a) { return a != nullptr; });
    device_ = (*first)->device();
    for (int32_t axis : c.axes) {
      int32_t at = normalize_axis(shape_.ndim, axis);
      Layout window;
      window.ndim = shape_.ndim;
      for (int32_t i = 0; i < shape_.ndim; ++i) {
        window.shape[i] = i == at ? shape_.shape[i] : 1;
        window.strides[i] = i == at ? item_size(DType::int64_) : 0;
      }
      indices_.push_back(iota(shape_.shape[at], device_, stream)->view(window));
      inputs_.push_back({indices_.back().get(), {}, false});
    }
    add_constants(c.bound, &inputs_);
    if (c.whole != nullptr && values != Values::none) run_inner(stream, values);
  }
  // A loop that computes some of the results; with one result, or few enough operands, the only one.
  struct Loop {
    const Program* program;
    std::span<const Input> inputs;
  };
  [[nodiscard]] size_t loops() const { return compiled_.whole == nullptr ? 1 : outer_.size(); }
  [[nodiscard]] Loop loop(size_t k) const {
    if (compiled_.whole == nullptr) return {compiled_.bound.program, inputs_};
    return {compiled_.passes.outer[k].program, outer_[k]};
  }
  [[nodiscard]] size_t inner_loops() const { return inner_.size(); }
  [[nodiscard]] Loop inner_loop(size_t k) const { return {compiled_.passes.inner[k].program, inner_[k]}; }
  [[nodiscard]] const Program& program() const { return *loop(0).program; }
  [[nodiscard]] std::span<const Input> inputs() const { return loop(0).inputs; }
  // The dtype of a result, of all loops.
  [[nodiscard]] DType dtype(size_t result) const {
    const Program& all = *compiled_.bound.program;
    return all.nodes[static_cast<size_t>(all.outputs[result])].dtype;
  }
  // The operands of all loops.
  [[nodiscard]] std::span<const Input> operands() const { return inputs_; }
  [[nodiscard]] const Layout& shape() const { return shape_; }
  [[nodiscard]] Device device() const { return device_; }

 private:
  [[nodiscard]] std::vector<Input> operands_of(const Pass& pass) const {
    std::vector<Input> out;
    for (const int32_t operand : pass.operands) {
      if (operand == shape_operand) {
        out.push_back({everywhere_.get(), {}, false});
      } else if (static_cast<size_t>(operand) < inputs_.size()) {
        out.push_back(inputs_[static_cast<size_t>(operand)]);
      } else {
        out.push_back({values_[static_cast<size_t>(operand) - inputs_.size()].get(), {}, false});
      }
    }
    return out;
  }

  // The last inner pass that reads each value; no outer pass does.
  [[nodiscard]] std::vector<std::vector<size_t>> values_to_release() const {
    const Passes& p = compiled_.passes;
    std::vector<size_t> last(p.inner.size(), p.inner.size());
    const auto note = [&](const Pass& pass, size_t at) {
      for (const int32_t operand : pass.operands) {
        const auto k = static_cast<size_t>(operand);
        if (operand >= 0 && k >= inputs_.size()) last[k - inputs_.size()] = at;
      }
    };
    for (size_t k = 0; k < p.inner.size(); ++k) note(p.inner[k], k);
    for (const Pass& pass : p.outer) note(pass, p.inner.size());
    std::vector<std::vector<size_t>> out(p.inner.size() + 1);
    for (size_t k = 0; k < last.size(); ++k) out[last[k]].push_back(k);
    out.pop_back();
    return out;
  }

  void run_inner(Stream* stream, Values values) {
    Scalar zero;
    zero.dtype = DType::bool_;
    Layout all = shape_;
    std::fill_n(all.strides, all.ndim, 0);
    everywhere_ = full(DType::bool_, {}, Order::C, zero, device_, stream)->view(all);
    const std::vector<std::vector<size_t>> release = values_to_release();
    for (const Pass& pass : compiled_.passes.inner) {
      const std::vector<Input>& operands = inner_.emplace_back(operands_of(pass));
      const Program& p = *pass.program;
      const DType dtype = p.nodes[static_cast<size_t>(p.outputs[0])].dtype;
      Layout shape;  // without arrays: that of one element
      common_shape(operands, &shape);
      values_.push_back(
          create(dtype, result_layout(shape, operands, item_size(dtype), Order::K), device_, stream));
      if (values != Values::computed) continue;
      arr::run_into(*values_.back(), p, operands, stream);
      for (const size_t k : release[values_.size() - 1]) values_[k] = {};
    }
    for (const Pass& pass : compiled_.passes.outer) outer_.push_back(operands_of(pass));
  }

  // Extents and strides of the indexed axes, and the base address, which keeps the other axes.
  void add_gather(const Expression::Gathered& g, const Array& a) {
    const auto input = static_cast<size_t>(g.input);
    if (static_cast<size_t>(a.layout.ndim) != g.indices.size()) {
      fail(ARR_E_SHAPE, "argument ", input_name(input), ": shape ", a.layout.text(), ", but ",
           g.indices.size(), " indices are for its axes");
    }
    // Adjacent indexed axes together become one axis of extent 1, or none if they are the first.
    Layout begin;
    bool joined = true;
    for (int32_t d = 0; d < a.layout.ndim; ++d) {
      const DType index = g.indices[static_cast<size_t>(d)];
      if (index == DType::none || !joined) {
        begin.shape[begin.ndim] = index == DType::none ? a.layout.shape[d] : 1;
        begin.strides[begin.ndim++] = index == DType::none ? a.layout.strides[d] : 0;
      }
      joined = index != DType::none;
      if (index == DType::none) continue;
      inputs_.push_back(extent_input(a.layout.shape[d], index_note(input_name(input), d, index, g.bounds)));
    }
    for (int32_t d = 0; d < a.layout.ndim; ++d) {
      if (g.indices[static_cast<size_t>(d)] == DType::none) continue;
      inputs_.push_back({nullptr, scalar_of(a.layout.strides[d]), false});
    }
    begins_.push_back(a.view(begin));
    inputs_.push_back(load_base_input(*begins_.back(), a));
  }
  static void check_extents(const Expression::Compiled& c, Arrays inputs) {
    for (const Expression::Gathered& g : c.gathers) {
      const Layout& l = inputs[static_cast<size_t>(g.input)]->layout;
      for (int32_t d = 0; d < l.ndim; ++d) {
        if (l.shape[d] != 0 || g.indices[static_cast<size_t>(d)] == DType::none) continue;
        fail(ARR_E_ARGUMENT, "argument in[", g.input, "]: axis ", d,
             " has extent 0, so no index is in bounds");
      }
    }
  }

  const Expression::Compiled& compiled_;
  Device device_;
  Layout shape_;
  std::vector<Ref<Array>> begins_;
  std::vector<Ref<Array>> indices_;
  std::vector<Input> inputs_;
  Ref<Array> everywhere_;                          // the shape operand
  std::vector<Ref<Array>> values_;                 // of inner passes
  std::vector<std::vector<Input>> inner_, outer_;  // operands of passes
};

// The type of a node.
DType type_of(const Expression& e, int32_t node, Arrays inputs) {
  const Expression::Compiled& plain = e.compile({&node, 1}, DTypes(inputs), DType::none);
  const Program& p = *plain.bound.program;
  return p.nodes[static_cast<size_t>(p.outputs[0])].dtype;
}

std::vector<const Array*> with(Arrays inputs, std::initializer_list<const Array*> more) {
  std::vector<const Array*> all(inputs.begin(), inputs.end());
  all.insert(all.end(), more);
  return all;
}

// The shape to which a node's inputs broadcast, without a mask.
Layout shape_of(const Expression& e, int32_t node, Arrays inputs) {
  return Bound(e.compile({&node, 1}, DTypes(inputs), DType::none), inputs, nullptr, Values::none).shape();
}

// The map and the dtypes of a node's reduction, its arrays, and the options' operands.
struct Reduced {
  Reduced(const Expression& e, int32_t node, const ReductionInfo& r, Arrays inputs,
          const ReduceOptions& o = {})
      : types(reduce_types(r, type_of(e, node, inputs), o.dtype)), arrays(with(inputs, {})) {
    Expression::Ending ending{&r, o.dtype};
    const bool options = o.initial.dtype != DType::none || o.where != nullptr;
    if (options) check_reduce_options(r, shape_of(e, node, inputs), o);
    if (o.where != nullptr) {
      ending.kind = Expression::Ending::Kind::masked_map;
      arrays.push_back(o.where);
    }
    map = &e.compile({&node, 1}, DTypes(arrays), DType::none, &ending);
    if (o.initial.dtype != DType::none) extras.initial = initial_as(o, types.acc);
    extras.correction = o.correction;
  }
  ReduceTypes types;
  std::vector<const Array*> arrays;
  const Expression::Compiled* map;
  ReduceExtras extras;
};

// mean, var and std of masked elements, as in masked_average().
bool averages_masked(const ReduceRequest& r) {
  return r.options.where != nullptr && is_average(*r.reduction);
}
const Expression::Compiled& compile_part(const Expression& e, int32_t node, const ReduceRequest& r,
                                         Expression::Ending::Kind kind, Arrays arrays) {
  const Expression::Ending ending{r.reduction, r.options.dtype, kind};
  return e.compile({&node, 1}, DTypes(arrays), DType::none, &ending);
}
Ref<Array> masked_average(const Expression& e, int32_t node, const ReduceRequest& r, Arrays inputs,
                          Stream* stream) {
  using Kind = Expression::Ending::Kind;
  const Layout shape = shape_of(e, node, inputs);
  const uint32_t axes = axis_mask(shape.ndim, r.naxes, r.axes);
  const ReduceTypes types = reduce_types(*r.reduction, type_of(e, node, inputs), r.options.dtype);
  const Ref<Array> mask = average_mask(*r.reduction, shape, r.options);
  auto sum = [&](Kind kind, DType d, const std::vector<const Array*>& arrays) {
    const Bound b(compile_part(e, node, r, kind, arrays), arrays, stream);
    const ReductionInfo& row = *reduction_info(reduction::sum);
    return map_reduce(row, {d, d, d, d}, b.program(), b.inputs(), axes, true, stream);
  };
  MaskedSums sums;
  sums.sum = [&] { return sum(Kind::masked_sum, types.element, with(inputs, {mask.get()})); };
  sums.squares = [&](const Array& mean) {
    return sum(Kind::masked_squares, real_type(types.element), with(inputs, {mask.get(), &mean}));
  };
  return masked_average(*r.reduction, types, *mask, sums, axes, r.keepdims, r.options.correction, stream);
}

const ReductionInfo& scan_row(const ReductionInfo& r) {
  if (!makes_scans(r)) fail(ARR_E_ARGUMENT, "argument reduction: ", r.name, " has no running form");
  return r;
}

std::vector<Ref<Array>> results_of(const Bound& b, Stream* stream) {
  std::vector<Ref<Array>> out;
  for (size_t k = 0; k < b.loops(); ++k) {
    const Bound::Loop loop = b.loop(k);
    for (Ref<Array>& a : run_many(*loop.program, loop.inputs, Order::K, stream)) out.push_back(std::move(a));
  }
  return out;
}

std::string passes_text(const Expression::Compiled& c) {
  const size_t inner = c.passes.inner.size(), all = inner + c.passes.outer.size();
  return all == 0 ? "" : text("\npasses: ", all, ", with ", inner, " temporary arrays");
}
// The texts of the passes before the last.
std::string inner_text(const Bound& b, const Backend& backend) {
  std::string out;
  for (size_t k = 0; k < b.inner_loops(); ++k) {
    const Bound::Loop loop = b.inner_loop(k);
    out += program_text(*loop.program, loop.inputs, backend) + "\n";
  }
  return out;
}

// Writes the results into arrays, which may be operands.
void write_results(Arrays dsts, const Bound& b, Stream* stream) {
  bool separate = true;
  for (size_t k = 0; k < dsts.size(); ++k) {
    check_destination(*dsts[k], b.shape(), "dsts");
    separate = separate && dsts[k]->dtype == b.dtype(k);
    separate = separate && dsts[k]->device() == b.device();
    for (const Input& in : b.operands()) {
      // One of several loops reads what another has written also where operand and result are the same.
      const bool shared = b.loops() > 1 && in.array != nullptr && may_share_memory(*dsts[k], *in.array);
      separate = separate && !shared && !overlaps(*dsts[k], in);
    }
    for (size_t j = 0; j < k; ++j) separate = separate && !may_share_memory(*dsts[k], *dsts[j]);
  }
  if (separate) {
    for (size_t k = 0, first = 0; k < b.loops(); ++k) {
      const Bound::Loop loop = b.loop(k);
      const size_t n = loop.program->outputs.size();
      run_all_into(dsts.subspan(first, n), *loop.program, loop.inputs, stream);
      first += n;
    }
    return;
  }
  // Creates the new arrays first: an input that is also written is then read before.
  const std::vector<Ref<Array>> made = results_of(b, stream);
  for (size_t k = 0; k < dsts.size(); ++k) {
    if (!can_cast(made[k]->dtype, dsts[k]->dtype, Casting::same_kind)) {
      fail(ARR_E_DTYPE, "argument dsts: ", name(dsts[k]->dtype), " at position ", k, ", to which ",
           name(made[k]->dtype), " does not cast within the casting rule same_kind");
    }
  }
  for (size_t k = 0; k < dsts.size(); ++k) assign(*dsts[k], *made[k], stream);
}

const Backend& with_text(int32_t device_type) {
  const Backend& backend = backend_module(device_type);
  if (api<ElementwiseApi>(backend).text == nullptr) {
    fail(ARR_E_UNSUPPORTED, "argument device_type: the ", backend.name,
         " runs programs by loops that are compiled in, it has no text for them");
  }
  return backend;
}

// The arrays among some inputs, nullptr for numbers.
std::vector<const Array*> arrays_of(std::span<const Input> inputs) {
  std::vector<const Array*> out;
  for (const Input& in : inputs) out.push_back(in.array);
  if (std::all_of(out.begin(), out.end(), [](const Array* a) { return a == nullptr; })) {
    fail(ARR_E_ARGUMENT, "argument in: no array, expected at least one, which gives the device");
  }
  return out;
}
bool has_numbers(std::span<const Input> inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [](const Input& in) { return in.array == nullptr; });
}

}  // namespace

std::vector<Ref<Array>> run_many(const Expression& e, std::span<const int32_t> nodes,
                                 std::span<const Input> inputs, Stream* stream) {
  const std::vector<const Array*> arrays = arrays_of(inputs);
  if (!has_numbers(inputs)) return run_many(e, nodes, Arrays(arrays), stream);
  const auto compiled = e.compile(nodes, inputs, DType::none);
  return results_of(Bound(*compiled, arrays, stream), stream);
}

void run_many_into(Arrays dsts, const Expression& e, std::span<const int32_t> nodes,
                   std::span<const Input> inputs, Stream* stream) {
  const std::vector<const Array*> arrays = arrays_of(inputs);
  const bool one = dsts.size() == 1;
  if (!has_numbers(inputs)) {
    return one ? run_into(*dsts[0], e, nodes[0], arrays, stream)
               : run_many_into(dsts, e, nodes, Arrays(arrays), stream);
  }
  // One result is computed in the destination's dtype, as in run_into().
  const auto compiled = e.compile(nodes, inputs, one ? dsts[0]->dtype : DType::none);
  const Bound b(*compiled, arrays, stream);
  one ? run_into(*dsts[0], b.program(), b.inputs(), stream) : write_results(dsts, b, stream);
}

Ref<Array> run(const Expression& e, int32_t node, Arrays inputs, Stream* stream) {
  const Bound b(e.compile({&node, 1}, DTypes(inputs), DType::none), inputs, stream);
  return run(b.program(), b.inputs(), Order::K, stream);
}

void run_into(const Array& dst, const Expression& e, int32_t node, Arrays inputs, Stream* stream) {
  const Bound b(e.compile({&node, 1}, DTypes(inputs), dst.dtype), inputs, stream);
  run_into(dst, b.program(), b.inputs(), stream);
}

std::vector<Ref<Array>> run_many(const Expression& e, std::span<const int32_t> nodes, Arrays inputs,
                                 Stream* stream) {
  const Bound b(e.compile(nodes, DTypes(inputs), DType::none), inputs, stream);
  return results_of(b, stream);
}

void run_many_into(Arrays dsts, const Expression& e, std::span<const int32_t> nodes, Arrays inputs,
                   Stream* stream) {
  write_results(dsts, Bound(e.compile(nodes, DTypes(inputs), DType::none), inputs, stream), stream);
}

Ref<Array> run_reduce(const Expression& e, int32_t node, const ReduceRequest& r, Arrays inputs,
                      Stream* stream) {
  if (averages_masked(r)) return masked_average(e, node, r, inputs, stream);
  const Reduced c(e, node, *r.reduction, inputs, r.options);
  const Bound b(*c.map, c.arrays, stream);
  return map_reduce(*r.reduction, c.types, b.program(), b.inputs(),
                    axis_mask(b.shape().ndim, r.naxes, r.axes), r.keepdims, stream, c.extras);
}

void run_reduce_into(const Array& dst, const Expression& e, int32_t node, const ReduceRequest& r,
                     Arrays inputs, Stream* stream) {
  if (averages_masked(r)) {
    const Ref<Array> result = masked_average(e, node, r, inputs, stream);
    if (!dst.layout.same_shape(result->layout)) {
      fail(ARR_E_SHAPE, "argument dst: shape ", dst.layout.text(), ", the result has ",
           result->layout.text());
    }
    return assign(dst, *result, stream);
  }
  const Reduced c(e, node, *r.reduction, inputs, r.options);
  const Bound b(*c.map, c.arrays, stream);
  map_reduce_into(dst, *r.reduction, c.types, b.program(), b.inputs(),
                  axis_mask(b.shape().ndim, r.naxes, r.axes), r.keepdims, stream, c.extras);
}

Ref<Array> run_scan(const Expression& e, int32_t node, const ReductionInfo& r, int32_t axis, Arrays inputs,
                    Stream* stream) {
  const Reduced c(e, node, scan_row(r), inputs);
  const Bound b(*c.map, inputs, stream);
  return map_scan(r, c.types, b.program(), b.inputs(), axis, stream);
}

void run_scan_into(const Array& dst, const Expression& e, int32_t node, const ReductionInfo& r, int32_t axis,
                   Arrays inputs, Stream* stream) {
  const Reduced c(e, node, scan_row(r), inputs);
  const Bound b(*c.map, inputs, stream);
  map_scan_into(dst, r, c.types, b.program(), b.inputs(), axis, stream);
}

std::string explain(const Expression& e, int32_t node, Arrays inputs) {
  const Expression::Compiled& c = e.compile({&node, 1}, DTypes(inputs), DType::none);
  return explain(c.bound, c.axes) + passes_text(c);
}

std::string source(const Expression& e, int32_t node, Arrays inputs, int32_t device_type) {
  const Bound b(e.compile({&node, 1}, DTypes(inputs), DType::none), inputs, nullptr, Values::allocated);
  const Backend& backend = with_text(device_type);
  return inner_text(b, backend) + program_text(b.program(), b.inputs(), backend);
}

namespace {

// The pass whose text is shown; if there are several, that of the sum.
struct Shown {
  Shown(const Expression& e, int32_t node, const ReduceRequest& r, Arrays inputs) : row(r.reduction) {
    const Layout shape = shape_of(e, node, inputs);
    axes = axis_mask(shape.ndim, r.naxes, r.axes);
    if (!averages_masked(r)) {
      Reduced c(e, node, *row, inputs, r.options);
      types = c.types;
      arrays = std::move(c.arrays);
      map = c.map;
      extras = c.extras;
      return;
    }
    mask = average_mask(*row, shape, r.options);
    const DType d = reduce_types(*row, type_of(e, node, inputs), r.options.dtype).element;
    types = {d, d, d, d};
    arrays = with(inputs, {mask.get()});
    map = &compile_part(e, node, r, Expression::Ending::Kind::masked_sum, arrays);
    row = reduction_info(reduction::sum);
  }
  const ReductionInfo* row;
  ReduceTypes types;
  Ref<Array> mask;
  std::vector<const Array*> arrays;
  const Expression::Compiled* map;
  ReduceExtras extras;
  uint32_t axes = 0;
};

}  // namespace

std::string explain_reduce(const Expression& e, int32_t node, const ReduceRequest& r, Arrays inputs) {
  const Shown s(e, node, r, inputs);
  return explain(s.map->bound, s.map->axes, {s.row, s.types, false, s.extras.initial}) + passes_text(*s.map);
}

std::string source_reduce(const Expression& e, int32_t node, const ReduceRequest& r, Arrays inputs,
                          int32_t device_type) {
  const Shown s(e, node, r, inputs);
  const Bound b(*s.map, s.arrays, nullptr, Values::allocated);
  const Backend& backend = with_text(device_type);
  return inner_text(b, backend) +
         map_reduce_text(*s.row, s.types, b.program(), b.inputs(), s.axes, r.keepdims, s.extras, backend);
}

std::string explain_scan(const Expression& e, int32_t node, const ReductionInfo& r, int32_t axis,
                         Arrays inputs) {
  const Reduced c(e, node, scan_row(r), inputs);
  normalize_axis(shape_of(e, node, inputs).ndim, axis);
  return explain(c.map->bound, c.map->axes, {&r, c.types, true, {}}) + passes_text(*c.map);
}

std::string source_scan(const Expression& e, int32_t node, const ReductionInfo& r, int32_t axis,
                        Arrays inputs, int32_t device_type) {
  const Reduced c(e, node, scan_row(r), inputs);
  const Bound b(*c.map, inputs, nullptr, Values::allocated);
  const Backend& backend = with_text(device_type);
  return inner_text(b, backend) + map_scan_text(r, c.types, b.program(), b.inputs(), axis, backend);
}

}  // namespace arr
