// SPDX-License-Identifier: MIT
// Scans against the plainest loop over the elements: every reduction and dtype, lengths around the borders
// of lanes and tiles, every place of the scanned dimension, in place, and the same bits on any threads.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "backend/reduce.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "host/reduce/calls.h"
#include "unit/host/support.h"

namespace arr::test {
namespace {

struct Case {
  const ReductionInfo* reduction;
  DType dtype;
  std::vector<int64_t> shape;  // the scanned dimension last
  Form input = Form::c, output = Form::c;
  std::vector<int32_t> order;  // of the axes in memory, slowest first; empty: as they are
};

// Small whole numbers: sums are exact in every type, products mostly 1.
Scalar element(const ReductionInfo& r, DType d, int64_t i) {
  const bool product = r.number == reduction::prod;
  const int64_t v = product ? (i % 97 == 5 ? 2 : 1) : i * 7 % 11 % 3 - (kind(d) == DKind::UINT ? 0 : 1);
  return convert(scalar_of(v), d);
}

void permute_memory(const Case& t, DType d, Block* b) {
  if (t.order.empty()) return;
  int64_t step = item_size(d);
  for (size_t i = t.order.size(); i-- > 0;) {
    const auto k = static_cast<size_t>(t.order[i]);
    b->strides[k] = step;
    step *= t.shape[k];
  }
}

Scalar combine(const ReductionInfo& r, DType acc, const Scalar& a, const Scalar& b) {
  const int32_t by = r.number == reduction::sum    ? op::add
                     : r.number == reduction::prod ? op::multiply
                     : r.number == reduction::min  ? op::minimum
                     : r.number == reduction::max  ? op::maximum
                     : r.number == reduction::any  ? op::logical_or
                                                   : op::logical_and;
  const Scalar operands[3] = {a, b, {}};
  return apply(by, acc, operands, acc);
}

struct Scanned {
  explicit Scanned(const Case& c) : t(c), types(resolve(*c.reduction, c.dtype)) {
    in = make_block(t.shape, t.dtype, t.input, 3);
    out = make_block(t.shape, types.out, t.output, 4);
    permute_memory(t, t.dtype, &in);
    permute_memory(t, types.out, &out);
    std::vector<int64_t> index(t.shape.size(), 0);
    int64_t i = 0;
    do {
      store(element(*t.reduction, t.dtype, i++), const_cast<char*>(in.at(index)));
    } while (next(&index, t.shape));
  }
  ScanCall call(Operand* operand) {
    *operand = {in.first(), in.strides.data(), {}};
    ScanCall c;
    c.reduction = t.reduction;
    c.map = &single_cast(t.dtype, types.acc);
    c.acc = types.acc;
    c.out = types.out;
    c.ndim = static_cast<int32_t>(t.shape.size());
    c.shape = t.shape.data();
    c.operands = operand;
    c.output = {out.first(), out.strides.data(), {}};
    return c;
  }
  const Case& t;
  ReduceTypes types;
  Block in, out;
};

void check(const Case& t) {
  Scanned r(t);
  Operand operand;
  const std::vector<char> before = r.in.memory;
  const ScanCall c = r.call(&operand);
  host::scan(c);
  EXPECT_EQ(before, r.in.memory);
  std::vector<int64_t> index(t.shape.size(), 0);
  Scalar sum;
  int failures = 0;
  do {
    const Scalar x = convert(load(r.in.at(index), t.dtype), r.types.acc);
    sum = index.back() == 0 ? x : combine(*t.reduction, r.types.acc, sum, x);
    const Scalar want = convert(sum, r.types.out), got = load(r.out.at(index), r.types.out);
    if (!same(got, want, 0) && ++failures < 3) {
      ADD_FAILURE() << t.reduction->name << " " << name(t.dtype) << " "
                    << shape_text(static_cast<int64_t>(t.shape.size()), t.shape.data()) << " at "
                    << shape_text(static_cast<int64_t>(index.size()), index.data()) << ": " << show(got)
                    << ", expected " << show(want);
    }
  } while (next(&index, t.shape));
}

template <class Body>
void every_scan(const Body& body) {
  for (const ReductionInfo& r : all_reductions()) {
    for (DType d : all_dtypes) {
      if (makes_scans(r) && in_domain(r.domain, d) && r.number <= reduction::all) body(r, d);
    }
  }
}

TEST(HostScan, EveryReductionAndDtype) {
  every_scan([](const ReductionInfo& r, DType d) {
    for (Form f : output_forms) check({&r, d, {3, 5, 70}, f, Form::c, {}});
    check({&r, d, {9, 70}, Form::c, Form::c, {1, 0}});
    check({&r, d, {9, 70}, Form::c, Form::stepped, {}});
  });
}

// Lanes begin at 64 elements, tiles end after 16640.
TEST(HostScan, BordersOfLanesAndTiles) {
  for (DType d : {DType::int32_, DType::float32_, DType::uint8_, DType::complex128_}) {
    for (int64_t n :
         {2, 7, 63, 64, 65, 71, 72, 73, 1040, 4160, 8319, 8320, 8321, 8328, 16640, 16641, 50001}) {
      check({reduction_info(reduction::sum), d, {n}, Form::c, Form::c, {}});
      check({reduction_info(reduction::max), d, {n}, Form::reversed, Form::stepped, {}});
    }
  }
}

TEST(HostScan, Columns) {
  for (DType d : {DType::int32_, DType::float32_, DType::float16_, DType::float64_}) {
    for (std::vector<int64_t> shape : {std::vector<int64_t>{4, 20000},
                                       {5, 3},
                                       {100, 700},
                                       {1025, 40},
                                       {3000, 50},
                                       {3, 5000},
                                       {2, 9000},
                                       {9, 1000, 3},
                                       {40, 3, 300}}) {
      std::vector<int32_t> order(shape.size());
      // The first kept dimension runs fastest.
      for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int32_t>(order.size() - 1 - i);
      check({reduction_info(reduction::sum), d, shape, Form::c, Form::c, order});
    }
  }
}

TEST(HostScan, InPlace) {
  for (std::vector<int32_t> order : {std::vector<int32_t>{0, 1}, {1, 0}}) {
    for (std::vector<int64_t> shape : {std::vector<int64_t>{6, 50000}, {3000, 30}, {9, 40}}) {
      const Case t = {reduction_info(reduction::sum), DType::float64_, shape, Form::c, Form::c, order};
      Scanned apart(t), together(t);
      Operand a, b;
      host::scan(apart.call(&a));
      ScanCall c = together.call(&b);
      c.output = {together.in.first(), together.in.strides.data(), {}};
      host::scan(c);
      EXPECT_EQ(apart.out.memory, together.in.memory);
    }
  }
}

TEST(HostScan, SameBitsOnAnyThreads) {
  for (std::vector<int32_t> order : {std::vector<int32_t>{0, 1}, {1, 0}}) {
    for (std::vector<int64_t> shape : {std::vector<int64_t>{2, 300000}, {30, 20000}, {5000, 100}}) {
      const Case t = {reduction_info(reduction::sum), DType::float32_, shape, Form::c, Form::c, order};
      Scanned first(t);
      for (size_t i = 0; i + 4 <= first.in.memory.size(); i += 4) {
        const auto bits = static_cast<uint32_t>(i) * 2654435761U;
        store(convert(scalar_of(static_cast<double>(bits) * 0x1p-32), DType::float32_), &first.in.memory[i]);
      }
      Operand operand;
      const ScanCall c = first.call(&operand);
      host::scan(c);
      const std::vector<char> threaded = first.out.memory;
      const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
      host::scan(c);
      EXPECT_EQ(threaded, first.out.memory);
    }
  }
}

}  // namespace
}  // namespace arr::test
