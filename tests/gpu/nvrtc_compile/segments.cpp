// SPDX-License-Identifier: MIT
// The kernels of segments, in the classes that core/cuda/segments.cpp can choose.
#include "cuda/print.h"
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
                          print_segments(r, t.acc, t.out, s)});
        if (s.lanes == 1 && r.number != reduction::sum) break;  // the third is a part of the first
      }
    }
  }
}

}  // namespace arr::cuda
