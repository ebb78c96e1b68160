// SPDX-License-Identifier: MIT
// Scopes of recorded operations (core/ops/elementwise/fuse): what is recorded, when it runs and in how many
// programs, what never runs, and mistakes.
#include <cstring>
#include <string>
#include <thread>

#include "expr/reduction_numbers.h"
#include "ops/elementwise/create.h"
#include "ops/elementwise/fuse/fuse.h"
#include "ops/reduce/reduce.h"
#include "support.h"

namespace arr {

namespace {

// An open scope, which the test may end itself.
class Scope {
 public:
  explicit Scope(int32_t flags = fuse_small) { fuse_begin(flags); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() {
    if (open_) fuse_end();
  }
  void end() {
    open_ = false;
    fuse_end();
  }

 private:
  bool open_ = true;
};

// The counts since its construction: "recorded programs skipped".
class Counts {
 public:
  [[nodiscard]] std::string since() const {
    const FuseCounts now = fuse_counts();
    return std::to_string(now.recorded - begin_.recorded) + " " +
           std::to_string(now.programs - begin_.programs) + " " +
           std::to_string(now.skipped - begin_.skipped);
  }

 private:
  FuseCounts begin_ = fuse_counts();
};

bool waits(const Array& a) { return static_cast<bool>(a.buffer->pending()); }

const Values ones = {1, 2, 3}, tens = {10, 20, 30};

class Recording : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(fuse_depth(), 0); }
  void TearDown() override { EXPECT_EQ(fuse_depth(), 0); }
  const Ref<Array> a = vector_of(ones), b = vector_of(tens);
};

TEST_F(Recording, AnOperationWaitsForTheEndOfItsScope) {
  const Counts counts;
  Scope scope;
  const Ref<Array> sum = add(*a, *b);
  EXPECT_TRUE(waits(*sum));
  EXPECT_EQ(counts.since(), "1 0 0");
  scope.end();
  EXPECT_FALSE(waits(*sum));
  EXPECT_EQ(counts.since(), "1 1 0");
  EXPECT_EQ(values_of(*sum), (Values{11, 22, 33}));
}

TEST_F(Recording, AChainIsOneProgram) {
  const Counts counts;
  Scope scope;
  Ref<Array> sum = add(*a, *b);
  for (int i = 0; i < 5; ++i) sum = add(*sum, *a);  // what sum was is needed only by the next
  scope.end();
  EXPECT_EQ(counts.since(), "6 1 0");
  EXPECT_EQ(values_of(*sum), (Values{16, 32, 48}));
}

TEST_F(Recording, AReadRunsWhatItNeedsAndNothingElse) {
  const Scope scope;
  const Ref<Array> first = add(*a, *b), second = add(*first, *a), two = vector_of({1, 2}),
                   other = add(*two, *two);
  EXPECT_EQ(values_of(*slice_axis(*second, 0, 1, 2)), Values{24});
  EXPECT_FALSE(waits(*second));
  EXPECT_TRUE(waits(*other));
}

TEST_F(Recording, AWriteRunsItsReadersFirst) {
  const Scope scope;
  const Ref<Array> sum = add(*a, *b);
  fill(*a, scalar_of(100.0), nullptr);
  EXPECT_EQ(values_of(*sum), (Values{11, 22, 33}));
  EXPECT_EQ(values_of(*add(*a, *b)), (Values{110, 120, 130}));
}

TEST_F(Recording, ADroppedResultNeverRuns) {
  const Counts counts;
  Scope scope;
  Ref<Array> unwanted = add(*a, *b);
  unwanted = nullptr;
  EXPECT_EQ(counts.since(), "1 0 1");
  scope.end();
  EXPECT_EQ(counts.since(), "1 0 1");
}

TEST_F(Recording, ADroppedOperandIsStillComputed) {
  const Counts counts;
  Scope scope;
  Ref<Array> operand = vector_of({5, 6, 7}), inner = add(*operand, *a);
  const Ref<Array> sum = add(*inner, *b);
  operand = nullptr;
  inner = nullptr;
  scope.end();
  EXPECT_EQ(counts.since(), "2 1 0");
  EXPECT_EQ(values_of(*sum), (Values{16, 28, 40}));
}

TEST_F(Recording, AnOverwrittenResultNeverRuns) {
  const Counts counts;
  Scope scope;
  const Ref<Array> dst = empty_like(*a, DType::float64_, Order::C, nullptr);
  add_into(*dst, *a, *b);
  add_into(*dst, *b, *b);
  EXPECT_EQ(counts.since(), "2 0 1");
  scope.end();
  EXPECT_EQ(counts.since(), "2 1 1");
  EXPECT_EQ(values_of(*dst), (Values{20, 40, 60}));
}

// The memory of a value that only a program reads goes back to the pool when its handle does.
TEST_F(Recording, TheMemoryOfDroppedValuesIsUsedAgain) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the pool keeps no memory under AddressSanitizer";
#endif
  const Scope scope;
  Ref<Array> inner = add(*a, *b);
  const char* memory = inner->data;
  const Ref<Array> sum = add(*inner, *b);
  inner = nullptr;
  EXPECT_EQ(add(*a, *a)->data, memory);
  EXPECT_EQ(values_of(*sum), (Values{21, 42, 63}));
}

TEST_F(Recording, SmallResultsRunAtOnceUnlessAskedFor) {
  const Counts counts;
  const Scope scope(0);
  EXPECT_FALSE(waits(*add(*a, *b)));
  EXPECT_EQ(counts.since(), "0 0 0");
}

TEST_F(Recording, MemoryThatOthersKnowIsNotRead) {
  expose_address(*a->buffer);
  {
    const Scope scope;
    EXPECT_FALSE(waits(*add(*a, *b)));
    EXPECT_TRUE(waits(*add(*b, *b)));
  }
  const Scope shared(fuse_small | fuse_shared);
  EXPECT_TRUE(waits(*add(*a, *b)));
}

// Differences of all pairs of rows, reduced along an axis.
Ref<Array> of_pairs(int32_t reduction, const Array& points, uint32_t axes) {
  const Ref<Array> pairs = apply(op::subtract, {expand_axis(points, 1).get(), &points}, nullptr);
  return reduce(*reduction_info(reduction), *pairs, axes, false, {}, nullptr);
}

bool same_bits(const Array& x, const Array& y) {
  const Values a = values_of(*as_type(x, DType::float64_, nullptr)),
               b = values_of(*as_type(y, DType::float64_, nullptr));
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// Short rows are combined in the order of a reduction that reads the differences from memory; other
// reductions read them from memory.
TEST_F(Recording, ReductionsOfShortRowsKeepTheirBits) {
  for (const int64_t n : {2, 3, 7, 16, 33, 100, 600}) {
    Values values;
    for (int64_t i = 0; i < 40 * n; ++i) values.push_back(1.0 / static_cast<double>(1 + i * 7919 % 101));
    const Ref<Array> flat = vector_of(values);
    const int64_t shape[] = {40, n};
    const Ref<Array> points = reshape(*flat, shape, Order::C, nullptr);
    for (const int32_t r : {reduction::sum, reduction::prod, reduction::mean, reduction::var, reduction::max,
                            reduction::argmin, reduction::sum_squares}) {
      for (const uint32_t axes : {1U, 2U, 4U, 5U, 6U, 7U}) {
        const Ref<Array> at_once = of_pairs(r, *points, axes);
        const Counts counts;
        const Scope scope;
        const Ref<Array> recorded = of_pairs(r, *points, axes);
        const bool inlined = r != reduction::var && axes == 4 && n <= 512;
        if (axes == 4 || axes == 7) {
          EXPECT_EQ(counts.since(), inlined ? "1 0 0" : "1 1 0") << r << " " << n;
        }
        EXPECT_TRUE(same_bits(*at_once, *recorded)) << r << " " << axes << " " << n;
      }
    }
  }
}

TEST_F(Recording, OnlyTheOutermostScopeEnds) {
  Scope outer;
  {
    const Scope inner(0);
    EXPECT_EQ(fuse_depth(), 2);
  }
  const Ref<Array> sum = add(*a, *b);
  { const Scope inner; }
  EXPECT_TRUE(waits(*sum));
  fuse_flush();
  EXPECT_FALSE(waits(*sum));
}

TEST_F(Recording, AScopeIsOfItsThread) {
  const Scope scope;
  std::thread([&] {
    EXPECT_EQ(fuse_depth(), 0);
    EXPECT_FALSE(waits(*add(*a, *b)));
    fuse_begin(fuse_small);  // ends with the thread
    EXPECT_TRUE(waits(*add(*a, *b)));
  }).join();
  EXPECT_EQ(fuse_depth(), 1);
}

TEST_F(Recording, MistakesRecordNothing) {
  EXPECT_EQ(thrown_by([] { fuse_begin(1 << 20); }), ARR_E_ARGUMENT);
  EXPECT_EQ(thrown_by([] { fuse_end(); }), ARR_E_ARGUMENT);
  const Counts counts;
  Scope scope;
  const Ref<Array> two = vector_of({1, 2});
  EXPECT_EQ(thrown_by([&] { add(*a, *two); }), ARR_E_SHAPE);
  EXPECT_EQ(thrown_by([&] { apply(op::bitwise_and, {a.get(), b.get()}, nullptr); }), ARR_E_DTYPE);
  EXPECT_EQ(counts.since(), "0 0 0");
  const Ref<Array> sum = add(*a, *b);  // the scope is as it was
  scope.end();
  EXPECT_EQ(counts.since(), "1 1 0");
  EXPECT_EQ(values_of(*sum), (Values{11, 22, 33}));
}

}  // namespace

}  // namespace arr
