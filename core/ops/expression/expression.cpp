// SPDX-License-Identifier: MIT
// Builds and types fused expressions.
#include "ops/expression/expression.h"

#include <algorithm>

#include "backend/backend.h"
#include "backend/elementwise.h"
#include "backend/stream.h"
#include "base/renaming.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"

namespace arr {

int32_t Expression::push(const Vertex& v) {
  if (vertices_.size() >= static_cast<size_t>(max_nodes)) {
    fail(ARR_E_UNSUPPORTED, "argument e: more than ", max_nodes, " nodes");
  }
  vertices_.push_back(v);
  return static_cast<int32_t>(vertices_.size()) - 1;
}

void Expression::check_node(int32_t node, const char* argument) const {
  if (node < 0 || static_cast<size_t>(node) >= vertices_.size()) {
    fail(ARR_E_ARGUMENT, "argument ", argument, ": ", node, " is not a node of the expression, which has ",
         vertices_.size());
  }
}

int32_t Expression::input(int32_t index) {
  if (index < 0 || index >= max_inputs) {
    fail(ARR_E_ARGUMENT, "argument index: ", index, ", at most ", max_inputs, " inputs");
  }
  const std::lock_guard lock(mutex_);
  Vertex v;
  v.number = index;
  const int32_t node = push(v);
  used_inputs_ = std::max(used_inputs_, static_cast<size_t>(index) + 1);
  return node;
}

int32_t Expression::constant(const Scalar& value, bool weak) {
  const std::lock_guard lock(mutex_);
  Vertex v;
  v.kind = Vertex::Kind::constant;
  v.value = value;
  v.weak = weak;
  return push(v);
}

bool Expression::reads_indices() const {
  const std::lock_guard lock(mutex_);
  return std::any_of(vertices_.begin(), vertices_.end(), [](const Vertex& v) {
    return v.kind == Vertex::Kind::index || v.kind == Vertex::Kind::gather;
  });
}

int32_t Expression::index(int32_t axis) {
  if (axis < -max_ndim || axis >= max_ndim) {
    fail(ARR_E_ARGUMENT, "argument axis: ", axis, ", an array has at most ", max_ndim, " axes");
  }
  const std::lock_guard lock(mutex_);
  Vertex v;
  v.kind = Vertex::Kind::index;
  v.number = axis;
  return push(v);
}

int32_t Expression::op(int32_t number, std::span<const int32_t> args) {
  const OpInfo* info = op_info(number);
  if (info == nullptr) fail(ARR_E_ARGUMENT, "argument op: ", number, " is not the number of an operation");
  if (args.size() != static_cast<size_t>(info->nin)) {
    fail(ARR_E_ARGUMENT, "argument nargs: ", info->name, " takes ", info->nin, " operands, got ",
         args.size());
  }
  const std::lock_guard lock(mutex_);
  Vertex v;
  v.kind = Vertex::Kind::op;
  v.number = number;
  for (size_t i = 0; i < args.size(); ++i) {
    check_node(args[i], "args");
    v.args[i] = args[i];
  }
  return push(v);
}

int32_t Expression::cast(int32_t arg, DType dtype) {
  const std::lock_guard lock(mutex_);
  check_node(arg, "arg");
  Vertex v;
  v.kind = Vertex::Kind::cast;
  v.args[0] = arg;
  v.value.dtype = dtype;
  return push(v);
}

int32_t Expression::gather(int32_t input, std::span<const int32_t> indices, Bounds bounds) {
  if (input < 0 || input >= max_inputs) {
    fail(ARR_E_ARGUMENT, "argument index: ", input, ", at most ", max_inputs, " inputs");
  }
  if (indices.size() > static_cast<size_t>(max_ndim)) {
    fail(ARR_E_ARGUMENT, "argument nindices: ", indices.size(), ", an array has at most ", max_ndim, " axes");
  }
  const std::lock_guard lock(mutex_);
  Vertex v;
  v.kind = Vertex::Kind::gather;
  v.number = input;
  v.bounds = bounds;
  for (const int32_t i : indices) {
    if (i != -1) check_node(i, "indices");
    v.indices.push_back(i);
  }
  const int32_t node = push(v);
  used_inputs_ = std::max(used_inputs_, static_cast<size_t>(input) + 1);
  return node;
}

void Expression::set_formula(std::vector<std::string> names, std::string constants) {
  const std::lock_guard lock(mutex_);
  parsed_ = true;
  names_ = std::move(names);
  constants_ = std::move(constants);
}

std::string Expression::variables_text() const {
  std::string out = text("the formula has ", names_.size(), names_.size() == 1 ? " variable" : " variables");
  for (size_t i = 0; i < names_.size(); ++i) out += (i == 0 ? ": " : ", ") + names_[i];
  return constants_.empty() ? out : out + "; " + constants_;
}

// A surplus array is a mistake, for example one meant for the name of a constant. If there are no variables,
// one array gives the shape. Nodes that were added to a formula may use more inputs than the formula names.
void Expression::check_inputs(size_t n) const {
  if (!parsed_ || n <= std::max({names_.size(), used_inputs_, size_t{1}})) return;
  fail(ARR_E_ARGUMENT, "argument nin: ", n, ", but ", variables_text());
}

std::vector<std::string> Expression::input_names() const {
  const std::lock_guard lock(mutex_);
  return names_;
}

Scalar evaluate(const BoundProgram& bound) {
  const Program& p = *bound.program;
  alignas(16) Scalar result;
  std::vector<Operand> operands;
  for (const Scalar& s : bound.immediates) operands.push_back({nullptr, nullptr, s});
  operands.push_back({&result.lo, nullptr, {}});
  ElementwiseCall c;
  c.program = &p;
  c.operands = operands.data();
  call(api<ElementwiseApi>(host_backend()).elementwise, 0, &c, nullptr);
  // The work may run later, and it writes to this frame.
  call(api<StreamApi>(host_backend()).sync, 0, nullptr);
  result.dtype = p.nodes[static_cast<size_t>(p.outputs[0])].dtype;
  return result;
}

// Assigns dtypes to the graph for some dtypes of its inputs.
class Expression::Build {
 public:
  Build(const Expression& e, std::span<const int32_t> outputs, std::span<const Number> numbers = {})
      : e_(e),
        numbers_(numbers),
        vertices_(e.vertices_),
        needed_(vertices_.size(), false),
        nodes_(vertices_.size(), -1),
        known_(vertices_.size()) {
    for (int32_t o : outputs) needed_[static_cast<size_t>(o)] = true;
    for (size_t i = vertices_.size(); i-- > 0;) {
      if (!needed_[i]) continue;
      for (int32_t a : vertices_[i].args) {
        if (a >= 0) needed_[static_cast<size_t>(a)] = true;
      }
      for (int32_t a : vertices_[i].indices) {
        if (a >= 0) needed_[static_cast<size_t>(a)] = true;
      }
    }
  }

  Compiled run(std::span<const int32_t> outputs, std::span<const DType> inputs, DType out,
               const Ending* ending) {
    for (size_t k = 0; k < inputs.size(); ++k) {
      const Number* number = number_of(k);
      arrays_.push_back(number == nullptr ? b_.input(inputs[k]) : b_.scalar(number->value, number->weak));
    }
    named_ = arrays_.size() - (ending == nullptr ? 0 : ending->extra_inputs());
    dtypes_ = inputs;
    add_gathers();
    for (size_t i = 0; i < vertices_.size(); ++i) {
      if (needed_[i]) nodes_[i] = node(i);
    }
    for (int32_t o : outputs) {
      int32_t result = nodes_[static_cast<size_t>(o)];
      if (out != DType::none) {
        if (!can_cast(b_.dtype(result), out, Casting::same_kind)) {
          fail(ARR_E_DTYPE, "argument dst: the result is ", name(b_.dtype(result)),
               ", which does not cast to ", name(out), " with the same_kind rule");
        }
        result = b_.cast(result, out);
      }
      if (ending != nullptr) result = end(*ending, result);
      b_.output(result);
    }
    Compiled c;
    WholeProgram whole = b_.finish_whole();
    c.bound.immediates = std::move(whole.immediates);
    if (is_one_pass(*whole.program)) {
      c.bound.program = intern(std::move(whole.program));
    } else {
      c.passes = divide(*whole.program);
      c.bound.program = whole.program.get();
      c.whole = std::move(whole.program);
    }
    c.axes = std::move(axes_);
    c.gathers = std::move(gathers_);
    c.placed = std::move(placed_);
    return c;
  }

 private:
  struct Known {  // a vertex without inputs: its value
    bool is = false, weak = false;
    Scalar value;
  };

  int32_t node(size_t i) {
    const Vertex& v = vertices_[i];
    switch (v.kind) {
      case Vertex::Kind::input:
        if (static_cast<size_t>(v.number) >= named_) missing(v.number);
        if (const Number* number = number_of(static_cast<size_t>(v.number))) {
          known_[i] = {true, number->weak, number->value};
        }
        return arrays_[static_cast<size_t>(v.number)];
      case Vertex::Kind::constant:
        return constant(i, v.value, v.weak);
      case Vertex::Kind::index:
        return index(v.number);
      case Vertex::Kind::op:
        return op(i, v);
      case Vertex::Kind::cast:
        return cast(i, v);
      case Vertex::Kind::gather:
        return gather(i, v);
    }
    return -1;
  }

  // nullptr if the input is an array.
  [[nodiscard]] const Number* number_of(size_t input) const {
    for (const Number& n : numbers_) {
      if (n.input == input) return &n;
    }
    return nullptr;
  }

  [[noreturn]] void missing(int32_t number) const {
    if (static_cast<size_t>(number) < e_.names_.size()) {
      fail(ARR_E_ARGUMENT, "argument nin: ", named_, ", but ", e_.variables_text());
    }
    fail(ARR_E_ARGUMENT, "argument nin: ", named_, " inputs, but the node uses input ", number);
  }

  int32_t constant(size_t i, const Scalar& value, bool weak) {
    known_[i] = {true, weak, value};
    return b_.scalar(value, weak);
  }

  int32_t index(int32_t axis) {
    auto at = std::find(axes_.begin(), axes_.end(), axis);
    if (at != axes_.end()) return indices_[static_cast<size_t>(at - axes_.begin())];
    axes_.push_back(axis);
    indices_.push_back(b_.input(DType::int64_));
    return indices_.back();
  }

  // Values that depend only on constants are computed here, once, if the table says that the op is exact:
  // then every device would compute the same.
  int32_t op(size_t i, const Vertex& v) {
    const OpInfo& info = *op_info(v.number);
    int32_t args[3];
    bool constant_only = info.ulp32 == 0 && info.ulp64 == 0;
    for (int32_t k = 0; k < info.nin; ++k) {
      args[k] = nodes_[static_cast<size_t>(v.args[k])];
      constant_only = constant_only && known_[static_cast<size_t>(v.args[k])].is;
    }
    if (!constant_only) return typed(v.number, {args, static_cast<size_t>(info.nin)});
    ProgramBuilder alone;
    for (int32_t k = 0; k < info.nin; ++k) {
      const Known& known = known_[static_cast<size_t>(v.args[k])];
      args[k] = alone.scalar(known.value, known.weak);
    }
    alone.output(alone.op(v.number, {args, static_cast<size_t>(info.nin)}));
    return constant(i, evaluate(alone.finish()), false);
  }

  // Throws if the op does not accept these operand dtypes.
  int32_t typed(int32_t number, std::span<const int32_t> args) {
    try {
      return renaming({{"x", "in"}, {"y", "in"}, {"z", "in"}}, [&] { return b_.op(number, args); });
    } catch (const Error& e) {
      if (e.status() != ARR_E_DTYPE || !e_.parsed_ || number != op::bitwise_xor) throw;
      throw Error(e.status(), e.text() + power_hint);
    }
  }

  int32_t cast(size_t i, const Vertex& v) {
    const Known& known = known_[static_cast<size_t>(v.args[0])];
    DType to = v.value.dtype;
    if (known.is) {
      // Conversions of floats outside of the integers' range are left to the device.
      Scalar value = convert(known.value, to);
      const bool whole = is_integer(to);
      const bool from_whole = is_integer_or_bool(known.value.dtype);
      if (!whole || from_whole || convert(value, known.value.dtype) == known.value) {
        return constant(i, value, false);
      }
    }
    return b_.cast(nodes_[static_cast<size_t>(v.args[0])], to);
  }

  // Operands of gathers precede those of indices along axes, which are found later.
  void add_gathers() {
    std::vector<bool> read(named_, false);
    placed_.assign(named_, false);
    gather_inputs_.assign(vertices_.size(), {});
    for (size_t i = 0; i < vertices_.size(); ++i) {
      const Vertex& v = vertices_[i];
      if (!needed_[i] || (v.kind != Vertex::Kind::input && v.kind != Vertex::Kind::gather)) continue;
      if (static_cast<size_t>(v.number) >= named_) missing(v.number);
      (v.kind == Vertex::Kind::input ? read : placed_)[static_cast<size_t>(v.number)] = true;
      if (v.kind != Vertex::Kind::gather) continue;
      if (number_of(static_cast<size_t>(v.number)) != nullptr) {
        fail(ARR_E_ARGUMENT, "argument in[", v.number,
             "]: a number, expected an array, which the node indexes");
      }
      GatherInputs& p = gather_inputs_[i];
      p.gather = gathers_.size();
      gathers_.push_back({v.number, v.bounds, std::vector<DType>(v.indices.size(), DType::none)});
      const auto indexed = static_cast<size_t>(
          std::count_if(v.indices.begin(), v.indices.end(), [](int32_t node) { return node >= 0; }));
      for (size_t k = 0; k < indexed; ++k) p.extents.push_back(b_.input(DType::table_));
      for (size_t k = 0; k < indexed; ++k) p.strides.push_back(b_.input(DType::int64_));
      p.begin = b_.input(DType::table_);
    }
    for (size_t k = 0; k < named_; ++k) placed_[k] = placed_[k] && !read[k];
  }

  int32_t gather(size_t i, const Vertex& v) {
    const GatherInputs& p = gather_inputs_[i];
    Gathered& g = gathers_[p.gather];
    int32_t offset = -1;
    for (size_t axis = 0, k = 0; axis < v.indices.size(); ++axis) {
      if (v.indices[axis] < 0) continue;
      const int32_t index = nodes_[static_cast<size_t>(v.indices[axis])];
      const DType d = g.indices[axis] = b_.dtype(index);
      if (!is_integer(d)) fail(ARR_E_DTYPE, "argument in: indices of type ", name(d), ", expected integers");
      const int32_t at = b_.step(position_op(v.bounds), d, p.extents[k], index);
      const int32_t part = b_.op(op::multiply, at, p.strides[k++]);
      offset = offset < 0 ? part : b_.op(op::add, offset, part);
    }
    if (offset < 0) offset = b_.scalar(scalar_of(int64_t{0}), false);
    return b_.step(op::load, dtypes_[static_cast<size_t>(v.number)], p.begin, offset);
  }

  int32_t zero() { return b_.scalar(scalar_of(int64_t{0}), true); }

  int32_t end(const Ending& e, int32_t x) {
    const ReductionInfo& r = *e.reduction;
    const ReduceTypes types = reduce_types(r, b_.dtype(x), e.dtype);
    if (e.dtype != DType::none) x = b_.cast(x, e.dtype);
    const int32_t mask = e.kind == Ending::Kind::map ? -1 : arrays_[named_];
    switch (e.kind) {
      case Ending::Kind::map:
        return reduce_map(b_, r, types, x);
      case Ending::Kind::masked_map:
        // Masked elements become the identity.
        return b_.op(op::where, mask, reduce_map(b_, r, types, x),
                     b_.scalar(reduce_identity(r, types.acc), false));
      case Ending::Kind::masked_sum:
        return b_.op(op::where, mask, b_.cast(x, types.element), zero());
      case Ending::Kind::masked_squares:
        const DType real = real_type(types.element);
        const int32_t deviation = b_.op(op::subtract, b_.cast(x, types.element), arrays_[named_ + 1]);
        const ReductionInfo& squares = *reduction_info(reduction::sum_squares);
        return b_.op(op::where, mask, reduce_map(b_, squares, {types.element, real, real, real}, deviation),
                     zero());
    }
    return -1;
  }

  const Expression& e_;
  std::span<const Number> numbers_;
  const std::vector<Vertex>& vertices_;
  ProgramBuilder b_{4 * static_cast<size_t>(max_nodes)};  // with casts
  size_t named_ = 0;                                      // the number of inputs that belong to nodes
  std::vector<bool> needed_;
  std::vector<int32_t> nodes_, arrays_, indices_, axes_;
  struct GatherInputs {  // operands of a gather
    size_t gather = 0;
    std::vector<int32_t> extents, strides;
    int32_t begin = -1;
  };
  std::vector<GatherInputs> gather_inputs_;
  std::vector<Gathered> gathers_;
  std::vector<bool> placed_;
  std::span<const DType> dtypes_;
  std::vector<Known> known_;
};

const Expression::Compiled& Expression::compile(std::span<const int32_t> nodes, std::span<const DType> inputs,
                                                DType out, const Ending* ending) const {
  KeyView key{nodes, inputs, out};
  if (ending != nullptr) {
    key.reduction = ending->reduction->number;
    key.dtype = ending->dtype;
    key.kind = ending->kind;
  }
  const std::lock_guard lock(mutex_);
  check_inputs(inputs.size() - (ending == nullptr ? 0 : ending->extra_inputs()));
  for (int32_t n : nodes) check_node(n, nodes.size() == 1 ? "node" : "nodes");
  auto found = compiled_.find(key);
  if (found != compiled_.end()) return found->second;
  return compiled_.emplace(Key(key), Build(*this, nodes).run(nodes, inputs, out, ending)).first->second;
}

std::shared_ptr<const Expression::Compiled> Expression::compile(std::span<const int32_t> nodes,
                                                                std::span<const Input> inputs,
                                                                DType out) const {
  Numbered made{{nodes.begin(), nodes.end()}, {}, out, {}, nullptr};
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Input& in = inputs[k];
    made.inputs.push_back(in.array == nullptr ? in.scalar.dtype : in.array->dtype);
    if (in.array == nullptr) made.numbers.push_back({k, in.weak, in.scalar});
  }
  const std::lock_guard lock(mutex_);
  for (const Numbered& n : numbered_) {
    if (n.nodes == made.nodes && n.out == out && n.inputs == made.inputs && n.numbers == made.numbers)
      return n.compiled;
  }
  check_inputs(inputs.size());
  for (int32_t n : nodes) check_node(n, "nodes");
  made.compiled = std::make_shared<const Compiled>(
      Build(*this, nodes, made.numbers).run(nodes, made.inputs, out, nullptr));
  if (numbered_.size() < max_numbered) return numbered_.emplace_back(std::move(made)).compiled;
  oldest_ = (oldest_ + 1) % max_numbered;
  return (numbered_[oldest_] = std::move(made)).compiled;
}

}  // namespace arr
