// SPDX-License-Identifier: MIT
// Fused expressions: an untyped graph that users build, typed and compiled for each set of operand dtypes.
#pragma once

#include <algorithm>
#include <compare>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "expr/passes.h"
#include "ops/elementwise/index_bounds.h"
#include "ops/reduce/reduce.h"

namespace arr {

class Expression : public Object {
 public:
  // Limits of an expression. A program beyond the limits of one loop runs in several passes.
  static constexpr int32_t max_inputs = 1024, max_results = 1024, max_nodes = 16384;
  int32_t input(int32_t index);
  int32_t constant(const Scalar& value, bool weak);
  // An element's index along an axis of the broadcast shape, as int64; negative axes count from the end.
  int32_t index(int32_t axis);
  int32_t op(int32_t number, std::span<const int32_t> args);
  int32_t cast(int32_t arg, DType dtype);
  // Elements of an input at computed indices, one node per axis of the input; -1 keeps an axis.
  int32_t gather(int32_t input, std::span<const int32_t> indices, Bounds bounds);

  // True if a node is an index or gathers elements, so that a value depends on more than its own elements.
  [[nodiscard]] bool reads_indices() const;

  // Sets the input names of a formula and the text of its named constants, for errors.
  void set_formula(std::vector<std::string> names, std::string constants);
  [[nodiscard]] std::vector<std::string> input_names() const;

  // Operands of a gather: the extents of its indexed axes, their strides, the base address.
  struct Gathered {
    int32_t input = 0;
    Bounds bounds = Bounds::raise;
    std::vector<DType> indices;  // per axis of the input; none: the axis is kept
  };
  struct Compiled {
    BoundProgram bound;
    std::unique_ptr<Program> whole;  // the program of `bound` if it runs in several passes
    Passes passes;                   // these; otherwise empty
    std::vector<Gathered> gathers;   // their operands come after the arrays
    std::vector<int32_t> axes;       // axes of the index operands, which come after those of the gathers
    std::vector<bool> placed;  // inputs that are only gathered from, so do not take part in broadcasting
  };
  // The end of a program whose node is reduced: the reduction's map, or parts of a masked average (see
  // MaskedSums). The mask, and for squares the mean, are the last inputs; no node refers to these.
  struct Ending {
    enum class Kind : uint8_t { map, masked_map, masked_sum, masked_squares };
    const ReductionInfo* reduction = nullptr;
    DType dtype = DType::none;  // the value is cast to it first; none: no cast
    Kind kind = Kind::map;
    [[nodiscard]] size_t extra_inputs() const {
      return kind == Kind::map ? 0 : kind == Kind::masked_squares ? 2 : 1;
    }
  };
  // The typed program of some nodes for arrays of these dtypes, converted to `out` unless that is
  // DType::none. Belongs to the expression.
  [[nodiscard]] const Compiled& compile(std::span<const int32_t> nodes, std::span<const DType> inputs,
                                        DType out, const Ending* ending = nullptr) const;
  // The same if some inputs are numbers, which are constants of the program. A few such programs are kept,
  // because a call in a loop may bring another number each time.
  [[nodiscard]] std::shared_ptr<const Compiled> compile(std::span<const int32_t> nodes,
                                                        std::span<const Input> inputs, DType out) const;

 private:
  struct Vertex {
    enum class Kind : uint8_t { input, constant, index, op, cast, gather } kind = Kind::input;
    int32_t number = 0;  // input, gather: the input's index; index: the axis; op: the op
    int32_t args[3] = {-1, -1, -1};
    Scalar value;  // constant; cast: its dtype
    bool weak = false;
    std::vector<int32_t> indices;  // gather: nodes, or -1
    Bounds bounds = Bounds::raise;
  };
  class Build;
  int32_t push(const Vertex& v);
  void check_node(int32_t node, const char* argument) const;  // requires mutex_
  void check_inputs(size_t n) const;                          // requires mutex_
  [[nodiscard]] std::string variables_text() const;

  mutable std::mutex mutex_;
  std::vector<Vertex> vertices_;
  size_t used_inputs_ = 0;  // one more than the largest input index
  bool parsed_ = false;
  std::vector<std::string> names_;
  std::string constants_;
  // A key that refers to the caller's data, so that a look-up does not allocate.
  struct KeyView {
    std::span<const int32_t> nodes;
    std::span<const DType> inputs;
    DType out = DType::none;
    int32_t reduction = -1;  // these three describe the program's end
    DType dtype = DType::none;
    Ending::Kind kind = Ending::Kind::map;
  };
  // An input that is a number.
  struct Number {
    size_t input;
    bool weak;
    Scalar value;
    friend bool operator==(const Number&, const Number&) = default;
  };
  struct Numbered {
    std::vector<int32_t> nodes;
    std::vector<DType> inputs;
    DType out;
    std::vector<Number> numbers;
    std::shared_ptr<const Compiled> compiled;
  };
  static constexpr size_t max_numbered = 16;
  struct Key {
    explicit Key(const KeyView& v)
        : nodes(v.nodes.begin(), v.nodes.end()), inputs(v.inputs.begin(), v.inputs.end()), rest(v) {}
    [[nodiscard]] KeyView view() const {
      return {nodes, inputs, rest.out, rest.reduction, rest.dtype, rest.kind};
    }
    std::vector<int32_t> nodes;
    std::vector<DType> inputs;
    KeyView rest;
  };
  struct Before {
    using is_transparent = void;
    static bool compare(const KeyView& a, const KeyView& b) {
      const auto rest = [](const KeyView& v) { return std::tie(v.out, v.reduction, v.dtype, v.kind); };
      if (rest(a) != rest(b)) return rest(a) < rest(b);
      const auto lists = [](const auto& x, const auto& y) {
        return std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
      };
      const auto nodes = lists(a.nodes, b.nodes);
      return std::is_neq(nodes) ? std::is_lt(nodes) : std::is_lt(lists(a.inputs, b.inputs));
    }
    bool operator()(const Key& a, const Key& b) const { return compare(a.view(), b.view()); }
    bool operator()(const Key& a, const KeyView& b) const { return compare(a.view(), b); }
    bool operator()(const KeyView& a, const Key& b) const { return compare(a, b.view()); }
  };
  mutable std::map<Key, Compiled, Before> compiled_;
  mutable std::vector<Numbered> numbered_;
  mutable size_t oldest_ = 0;  // of numbered_, once it is full
};

// Parses a formula such as "sqrt(a*a + b*b)" into nodes of e. Returns the node of its value. Variables are
// the inputs `names`; if there are no names, the inputs are the variables in order of appearance. Errors name
// the column.
int32_t parse(Expression& e, std::string_view formula, std::span<const char* const> names);
// Appended to the error of ^ for floats, because in other languages ^ is a power.
inline constexpr char power_hint[] = "; ^ is bitwise, a power is written **";
inline constexpr int64_t max_parse_bytes = 65536;
inline constexpr int32_t max_parse_depth = 200;

// An op of weak scalars: integers do not wrap, and 2**-1 is 0.5.
Scalar fold_plain(const OpInfo& info, std::span<const Scalar> args);

// The value of a program whose only inputs are its constants, computed on the host.
Scalar evaluate(const BoundProgram& bound);

// A formula with its expression, which nothing changes.
struct Formula {
  Ref<Expression> expression;
  int32_t node = 0;
};
// The formula of a text, parsed at most once while it is among the last that were asked for.
Formula formula_of(std::string_view text);

using Arrays = std::span<const Array* const>;
// Runs nodes for arrays and numbers, at least one array among them.
std::vector<Ref<Array>> run_many(const Expression& e, std::span<const int32_t> nodes,
                                 std::span<const Input> inputs, Stream* stream);
void run_many_into(Arrays dsts, const Expression& e, std::span<const int32_t> nodes,
                   std::span<const Input> inputs, Stream* stream);
Ref<Array> run(const Expression& e, int32_t node, Arrays inputs, Stream* stream);
void run_into(const Array& dst, const Expression& e, int32_t node, Arrays inputs, Stream* stream);
std::vector<Ref<Array>> run_many(const Expression& e, std::span<const int32_t> nodes, Arrays inputs,
                                 Stream* stream);
void run_many_into(Arrays dsts, const Expression& e, std::span<const int32_t> nodes, Arrays inputs,
                   Stream* stream);
// Reduces a node over axes of the broadcast shape, in one pass; axes as given by users, nullptr for all.
struct ReduceRequest {
  const ReductionInfo* reduction;
  int32_t naxes;
  const int32_t* axes;
  bool keepdims;
  ReduceOptions options;
};
Ref<Array> run_reduce(const Expression& e, int32_t node, const ReduceRequest& r, Arrays inputs,
                      Stream* stream);
void run_reduce_into(const Array& dst, const Expression& e, int32_t node, const ReduceRequest& r,
                     Arrays inputs, Stream* stream);
// Scans a node along an axis of the broadcast shape, in one pass.
Ref<Array> run_scan(const Expression& e, int32_t node, const ReductionInfo& r, int32_t axis, Arrays inputs,
                    Stream* stream);
void run_scan_into(const Array& dst, const Expression& e, int32_t node, const ReductionInfo& r, int32_t axis,
                   Arrays inputs, Stream* stream);
// The program as readable text, and as the source that a backend would compile.
std::string explain(const Expression& e, int32_t node, Arrays inputs);
std::string source(const Expression& e, int32_t node, Arrays inputs, int32_t device_type);
std::string explain_reduce(const Expression& e, int32_t node, const ReduceRequest& r, Arrays inputs);
std::string source_reduce(const Expression& e, int32_t node, const ReduceRequest& r, Arrays inputs,
                          int32_t device_type);
std::string explain_scan(const Expression& e, int32_t node, const ReductionInfo& r, int32_t axis,
                         Arrays inputs);
std::string source_scan(const Expression& e, int32_t node, const ReductionInfo& r, int32_t axis,
                        Arrays inputs, int32_t device_type);

}  // namespace arr
