// SPDX-License-Identifier: MIT
// Segments of every length, along rows and across them: the same bits on any threads, and close to the sum of
// the plainest loop.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "backend/segments.h"
#include "expr/reduction_numbers.h"
#include "host/reduce/calls.h"
#include "unit/host/support.h"

namespace arr::test {
namespace {

struct Case {
  int64_t sequences, extent;
  bool across;                  // the axis is the slower one in memory
  std::vector<int64_t> bounds;  // begin and end of each
};

void check(const Case& t) {
  const int64_t n = t.sequences * t.extent, count = std::ssize(t.bounds) / 2;
  std::vector<float> in(static_cast<size_t>(n)), out(static_cast<size_t>(t.sequences * count));
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<float>(static_cast<uint32_t>(i) * 2654435761U) * 0x1p-32F;
  }
  const int64_t shape[] = {t.sequences, t.extent};
  const int64_t from[] = {t.across ? 4 : 4 * t.extent, t.across ? 4 * t.sequences : 4}, to[] = {4 * count, 4};
  SegmentsCall c;
  c.reduction = reduction_info(reduction::sum);
  c.acc = c.out = DType::float32_;
  c.ndim = 2;
  c.shape = shape;
  c.input = {in.data(), from, {}};
  c.count = count;
  for (int64_t i = 0; i < count; ++i) {
    c.elements += t.bounds[static_cast<size_t>(2 * i) + 1] - t.bounds[static_cast<size_t>(2 * i)];
  }
  c.bounds = t.bounds.data();
  c.output = {out.data(), to, {}};
  host::segments(c);
  for (int64_t s = 0; s < t.sequences; ++s) {
    for (int64_t i = 0; i < count; ++i) {
      double sum = 0;
      for (int64_t j = t.bounds[static_cast<size_t>(2 * i)]; j < t.bounds[static_cast<size_t>(2 * i) + 1];
           ++j) {
        sum += static_cast<double>(in[static_cast<size_t>(s * from[0] / 4 + j * from[1] / 4)]);
      }
      ASSERT_NEAR(out[static_cast<size_t>(s * count + i)], sum, 1e-4 * sum + 1e-6) << s << " " << i;
    }
  }
  const std::vector<float> threaded = out;
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  host::segments(c);
  EXPECT_EQ(threaded, out);
}

TEST(HostSegments, SameBitsOnAnyThreads) {
  std::vector<int64_t> many;
  for (int64_t i = 0; i + 40 < 200000; i += i % 37 + 1) many.insert(many.end(), {i, i + i % 37 + 1});
  check({1, 200000, false, many});
  check({3, 200000, false, {0, 5, 3, 180000, 7, 8, 100, 99000, 199999, 200000, 0, 200000}});
  check({40, 20000, true, {0, 5, 3, 18000, 7, 8, 100, 9900, 19999, 20000, 0, 20000}});
  check({1030, 700, true, {0, 1, 1, 33, 33, 34, 20, 700, 0, 700}});
  check({5, 40000, true, {0, 39999, 7, 9, 9, 10}});
}

}  // namespace
}  // namespace arr::test
