// SPDX-License-Identifier: MIT
// Reductions and scans for nvrtc_compile: of arrays every one in every class of shapes, of programs a sample.
#include <algorithm>

#include "cuda/reduce/emit_reduce.h"
#include "cuda/reduce/emit_scan.h"
#include "expr/op_numbers.h"
#include "items.h"

namespace arr::cuda {
namespace {

// `vector`: of wide accesses.
std::vector<ReduceShape> reduce_shapes(int32_t vector) {
  std::vector<ReduceShape> all;
  auto add = [&](ReduceShape::Kind kind, int32_t kept, int32_t reduced, int32_t lanes, bool split, bool wide,
                 int32_t width = 1) {
    all.push_back({kind,
                   kept,
                   reduced,
                   lanes,
                   split,
                   wide,
                   {width > 1 ? Access::contiguous : Access::strided},
                   false,
                   width});
  };
  add(ReduceShape::rows, 0, 1, 256, true, false, vector);
  add(ReduceShape::rows, 1, 2, 8, false, false);
  add(ReduceShape::columns, 1, 1, 1, false, true);
  add(ReduceShape::columns, 2, 1, 8, true, false);
  return all;
}

// `vector`: of wide accesses.
std::vector<ScanShape> scan_shapes(int32_t vector) {
  std::vector<ScanShape> all;
  auto add = [&](ScanShape::Kind kind, int32_t kept, int32_t lanes, bool split, bool wide, int32_t width) {
    const bool packed = width > 1;
    all.push_back({kind,
                   kept,
                   lanes,
                   split,
                   wide,
                   vector,
                   packed,
                   std::max(8, vector),
                   {packed ? Access::contiguous : Access::strided}});
  };
  add(ScanShape::rows, 0, 256, true, false, vector);
  add(ScanShape::rows, 1, 256, true, true, 1);
  add(ScanShape::rows, 2, 4, false, false, vector);
  add(ScanShape::rows, 1, 64, false, false, 1);
  add(ScanShape::rows, 1, 1, false, true, 1);
  add(ScanShape::columns, 1, 1, false, false, 1);
  add(ScanShape::columns, 2, 1, true, true, 1);
  return all;
}

// The map of a program that is reduced, of two arrays, a number and an array of another type; the
// same ops as in add_fused.
int32_t fused_node(ProgramBuilder& b, DType d) {
  const int32_t x = b.input(d), y = b.input(d), z = b.input(DType::int32_);
  return b.op(op::add, b.op(op::multiply, x, y), b.cast(z, d));
}

constexpr DType fused_types[] = {DType::int32_, DType::float16_, DType::float32_, DType::float64_,
                                 DType::complex64_};

// The second operand is a number, the third runs with the first where that is not read by wide accesses.
AccessList fused_access(Access first) { return {first, Access::immediate, first}; }

}  // namespace

void add_reductions(std::vector<Item>* items) {
  for (const ReductionInfo& r : all_reductions()) {
    for (DType d : dtypes()) {
      if (!in_domain(r.domain, d)) continue;
      ReduceTypes t = resolve(r, d);
      const Program& map = *reduce_map(r, d).program;
      int32_t n = 0;
      for (ReduceShape s : reduce_shapes(static_cast<int32_t>(16 / item_size(d)))) {
        while (s.access.size() < map.inputs.size()) s.access.push_back(Access::immediate);
        s.initial = n == 1 && r.kind == ReduceKind::VALUE;
        items->push_back({text(r.name, " ", name(d), " class ", n++), emit_reduce(r, map, t.acc, t.out, s)});
      }
    }
  }
}

// Each reduction and type in one of the classes, which turn.
void add_fused_reductions(std::vector<Item>* items) {
  size_t turn = 0;
  for (const ReductionInfo& r : all_reductions()) {
    for (DType d : fused_types) {
      if (!in_domain(r.domain, d)) continue;
      const ReduceTypes t = resolve(r, d);
      ProgramBuilder b;
      b.output(reduce_map(b, r, t, fused_node(b, d)));
      const Program& map = *b.finish().program;
      const std::vector<ReduceShape> shapes =
          reduce_shapes(static_cast<int32_t>(16 / std::max<int64_t>(4, item_size(d))));
      ReduceShape s = shapes[turn++ % shapes.size()];
      const AccessList fused = fused_access(s.access[0]);
      s.access.assign(0, Access::strided);
      for (size_t k = 0; k < map.inputs.size(); ++k)
        s.access.push_back(k < fused.size() ? fused[k] : Access::immediate);
      items->push_back(
          {text("fused ", r.name, " ", name(d), " ", turn), emit_reduce(r, map, t.acc, t.out, s)});
    }
  }
}

void add_scans(std::vector<Item>* items) {
  for (const ReductionInfo& r : all_reductions()) {
    for (DType d : dtypes()) {
      if (!makes_scans(r) || !in_domain(r.domain, d)) continue;
      ReduceTypes t = resolve(r, d);
      const Program& map = single_cast(d, t.acc);
      int32_t n = 0;
      const int64_t small = std::min(item_size(d), item_size(t.out)),
                    large = std::max(item_size(d), item_size(t.out));
      for (const ScanShape& s : scan_shapes(static_cast<int32_t>(std::min(16 / small, 64 / large)))) {
        items->push_back(
            {text("scan ", r.name, " ", name(d), " class ", n++), emit_scan(r, map, t.acc, t.out, s)});
      }
    }
  }
}

void add_fused_scans(std::vector<Item>* items) {
  size_t turn = 0;
  for (const ReductionInfo& r : all_reductions()) {
    for (DType d : fused_types) {
      if (!makes_scans(r) || !in_domain(r.domain, d)) continue;
      const ReduceTypes t = resolve(r, d);
      ProgramBuilder b;
      b.output(b.cast(fused_node(b, d), t.acc));
      const Program& map = *b.finish().program;
      const int64_t small = std::min<int64_t>(std::min(item_size(d), item_size(t.out)), 4),
                    large = std::max<int64_t>(std::max(item_size(d), item_size(t.out)), 4);
      const std::vector<ScanShape> shapes =
          scan_shapes(static_cast<int32_t>(std::min(16 / small, 64 / large)));
      ScanShape s = shapes[turn++ % shapes.size()];
      s.access = fused_access(s.access[0]);
      items->push_back(
          {text("fused scan ", r.name, " ", name(d), " ", turn), emit_scan(r, map, t.acc, t.out, s)});
    }
  }
}

}  // namespace arr::cuda
