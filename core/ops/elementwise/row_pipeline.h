// SPDX-License-Identifier: MIT
// Composites of reductions and programs over one array, which a backend may run block by block.
#pragma once

#include <array>

#include "backend/row_pipeline.h"
#include "base/uncleared_array.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/program_cache.h"

namespace arr {

// Steps are added one by one, then run. Numbers name the inputs and results of steps; 0 is the array. `build`
// of a step depends on nothing but the dtypes of the step: its program is built by the first call that needs
// it.
class RowPipeline {
 public:
  using In = std::initializer_list<int32_t>;
  // True if the backend runs a sequence of steps over the array's rows faster than the separate calls.
  static bool suits(const Array& a, uint32_t axes, Stream* stream);
  // Rows go along `axes`.
  RowPipeline(const Array& a, uint32_t axes);

  // Adds a reduction of each row of build(builder, nodes of `in`), computed in dtype d.
  template <class Build>
  int32_t reduce(int32_t number, DType d, In in, Build&& build) {
    const int32_t to = local(d, true);
    step(program(in, d, build), in, to).reduction = reduction_info(number);
    return to;
  }
  // Adds a map to dtype d: of each element, or of each row if all of `in` are per row.
  template <class Build>
  int32_t map(DType d, In in, Build&& build) {
    const int32_t to = local(d, all_per_row(in));
    step(program(in, d, build), in, to);
    return to;
  }
  // Adds the map that makes the result, an array of dtype d with the array's shape and order, and runs all
  // steps.
  template <class Build>
  Ref<Array> result(DType d, In in, Stream* stream, Build&& build) {
    step(program(in, d, build), in, out);
    return run(d, stream);
  }

 private:
  static constexpr int32_t out = 1;    // the result's number
  static constexpr size_t max_in = 7;  // inputs of a step: their dtypes and that of its result make a key
  // Each step in the source has its own type of `build`, hence its own cache.
  template <class Build>
  const BoundProgram& program(In in, DType d, Build&& build) const {
    static auto* const known = new ProgramCache;
    uint64_t key = static_cast<uint64_t>(d);
    for (const int32_t k : in) key = key << 8 | static_cast<uint64_t>(dtypes_.at(static_cast<size_t>(k)));
    return known->get(key, [&] {
      ProgramBuilder b;
      std::array<int32_t, max_in> nodes{};
      size_t n = 0;
      for (const int32_t k : in) nodes.at(n++) = b.input(dtypes_.at(static_cast<size_t>(k)));
      b.output(b.cast(build(b, nodes.data()), d));
      return b.finish();
    });
  }
  [[nodiscard]] bool all_per_row(In in) const;
  int32_t add(DType d, const Operand& at, const BlocksCall::Local& local);
  int32_t local(DType d, bool per_row) { return add(d, {}, {d, per_row}); }
  BlocksCall::Step& step(const BoundProgram& p, In in, int32_t to);
  Ref<Array> run(DType d, Stream* stream);

  const Array& a_;
  const uint32_t axes_;
  size_t count_ = 0;                                    // number of arrays
  std::array<DType, BlocksCall::max_arrays> dtypes_{};  // their dtypes
  UnclearedArray<Operand, BlocksCall::max_arrays> arrays_;
  BlocksCall call_;
};

}  // namespace arr
