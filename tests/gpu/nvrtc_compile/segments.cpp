// SPDX-License-Identifier: MIT
// The kernels of segments, in the classes that core/cuda/reduce/segments.cpp can choose.
#include "cuda/reduce/emit_ordered.h"
#include "cuda/reduce/emit_segments.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "items.h"

namespace arr::cuda {

// Every reduction that reduceat takes, of every type.
void add_segments(std::vector<Item>* items) {
  for (const ReductionInfo& r : all_reductions()) {
    for (DType d : dtypes()) {
      if (!makes_scans(r) || !in_domain(r.domain, d)) continue;
      const ReduceTypes t = resolve(r, d);
      for (const SegmentShape& s : {SegmentShape{2, false, 256, false}, SegmentShape{3, true, 1, true},
                                    SegmentShape{1, false, 32, false}}) {
        items->push_back({text("segments ", r.name, " ", name(d), " by ", s.lanes, s.wide ? " wide" : ""),
                          emit_segments(r, t.acc, t.out, s)});
        if (s.lanes == 1 && r.number != reduction::sum) break;  // the third is a part of the first
      }
    }
  }
}

// Every op that goes from left to right, of every type that stays itself; in turn in every class.
void add_ordered(std::vector<Item>* items) {
  const OrderedShape shapes[] = {{1, false, false, false, false, false, false},
                                 {3, true, true, true, false, false, false},
                                 {2, false, false, false, false, false, true},
                                 {2, true, false, false, false, true, false}};
  size_t n = 0;
  for (const OpInfo& o : all_ops()) {
    if (o.nin != 2 || reducer_of(o) != nullptr) continue;
    for (DType d : dtypes()) {
      const DType both[2] = {d, d};
      const OperandType types[2] = {{d, false}, {d, false}};
      try {
        if (resolve(o, types).result != d) continue;
      } catch (const Error&) {
        continue;  // not defined for this dtype
      }
      const OrderedShape& s = shapes[n++ % std::size(shapes)];
      items->push_back({text("fold ", o.name, " ", name(d)), emit_ordered(single_op(o, both, d), s)});
    }
  }
  ProgramBuilder b;
  const int32_t so_far = b.input(DType::float64_), x = b.input(DType::float64_),
                counts = b.input(DType::bool_);
  const int32_t args[2] = {so_far, x};
  b.output(b.op(op::where, counts, b.op(op::subtract, args), so_far));
  OrderedShape masked{2, false, false, false, true, true, false};
  items->push_back({"fold masked", emit_ordered(*b.finish().program, masked)});
}

}  // namespace arr::cuda
