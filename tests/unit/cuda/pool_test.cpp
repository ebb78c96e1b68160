// SPDX-License-Identifier: MIT
// The memory pool over the fake: reuse on one stream and between streams, limits, trimming, exhaustion.
#include <algorithm>
#include <utility>
#include <vector>

#include "backend/interface.h"
#include "cuda/device/libraries.h"
#include "cuda/device/pool.h"
#include "pool_test.h"

namespace arr::cuda_test {
namespace {

constexpr int64_t piece = 2 << 20;  // the pool's least request to the driver

// The last range without an owner joins the owner's first range, which is next to it in the books.
TEST(ArenaTest, ClaimsTheLastOfNobodysRanges) {
  constexpr cuda::CUdeviceptr base = 4096;
  constexpr cuda::Arena::Owner owner = 1;
  cuda::Arena arena;
  arena.add(base, 1000);
  ASSERT_EQ(arena.take(500, owner), base);
  arena.give(base, owner, 1);
  EXPECT_EQ(arena.free_ranges(), 2);
  arena.coalesce_for(owner);
  EXPECT_EQ(arena.free_ranges(), 1);
  EXPECT_EQ(arena.take(1000, owner), base);
}

TEST(SizeClass, HoldsWhatItIsFor) {
  using cuda::SizeClass;
  for (int32_t c = 1; c < SizeClass::count; ++c) {
    ASSERT_EQ(SizeClass::of(SizeClass::bytes(c)), c);
    ASSERT_EQ(SizeClass::of(SizeClass::bytes(c - 1) + 1), c);
    ASSERT_EQ(SizeClass::bytes(c) % 256, 0);
    if (c > 8) {
      ASSERT_LE(SizeClass::bytes(c) * 8, SizeClass::bytes(c - 1) * 9 + 8);
    }
  }
}

TEST_F(PoolTest, ReusesOnTheSameStreamWithoutTheDriver) {
  void* p = take(1000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 256, 0U);
  give(p, 1000);
  int64_t calls = arr_fake_cuda_calls("cuMemAlloc_v2"), events = arr_fake_cuda_calls("cuEventRecord");
  for (int i = 0; i < 100; ++i) {
    void* q = take(990 + i % 10);
    EXPECT_EQ(q, p);
    give(q, 990 + i % 10);
  }
  EXPECT_EQ(arr_fake_cuda_calls("cuMemAlloc_v2"), calls);
  EXPECT_EQ(arr_fake_cuda_calls("cuEventRecord"), events);
}

TEST_F(PoolTest, AnotherStreamGetsABlockOnlyBehindAnEvent) {
  void* p = take(piece, streams_[0]);
  arr_fake_cuda_set("defer", 1);
  // Work of the first stream that still needs the block.
  BackendError e;
  ASSERT_EQ(cuda().memory->copy_on_device(0, p, static_cast<char*>(p) + 2500, 2500, streams_[0], &e), ARR_OK)
      << e.text;
  give(p, piece, streams_[0]);
  void* q = take(piece, streams_[1]);
  EXPECT_NE(q, p);
  ASSERT_EQ(cuda().stream->sync(0, streams_[0], &e), ARR_OK);
  ASSERT_EQ(cuda().device->sync(0, &e), ARR_OK);
  void* r = take(piece, streams_[1]);
  EXPECT_EQ(r, p);
  give(q, piece, streams_[1]);
  give(r, piece, streams_[1]);
}

TEST_F(PoolTest, TheOldStreamMayTakeItsBlockBackAtOnce) {
  void* p = take(5000, streams_[0]);
  arr_fake_cuda_set("defer", 1);
  BackendError e;
  ASSERT_EQ(cuda().memory->copy_on_device(0, p, static_cast<char*>(p) + 2500, 2500, streams_[0], &e), ARR_OK)
      << e.text;
  give(p, 5000, streams_[0]);
  void* q = take(5000, streams_[1]);
  EXPECT_NE(q, p);
  EXPECT_EQ(take(5000, streams_[0]), p);
  give(p, 5000, streams_[0]);
  give(q, 5000, streams_[1]);
}

TEST_F(PoolTest, CountsAndLimits) {
  MemoryStats before = stats();
  void* p = take(int64_t{1} << 20);
  EXPECT_EQ(stats().in_use, before.in_use + (1 << 20));
  EXPECT_GE(stats().peak, stats().in_use);
  ARR_WORKS(cuda().memory->limit(0, 3 << 20, &error));
  void* q = nullptr;
  BackendError e;
  EXPECT_EQ(cuda().memory->allocate(0, 4 << 20, nullptr, &q, &e), ARR_E_MEMORY);
  EXPECT_NE(e.text.find("4194304 bytes requested, 1048576 in use, 1048576 kept, limit 3145728"),
            std::string::npos)
      << e.text;
  EXPECT_EQ(q, nullptr);
  EXPECT_EQ(stats().in_use, before.in_use + (1 << 20));
  give(p, 1 << 20);
  EXPECT_EQ(stats().in_use, before.in_use);
  EXPECT_EQ(stats().cached, piece);
  ARR_WORKS(cuda().memory->trim(0, &error));
  EXPECT_EQ(stats().cached, 0);
  EXPECT_EQ(cuda().memory->limit(0, -1, &e), ARR_E_ARGUMENT);
  EXPECT_EQ(cuda().memory->allocate(0, -1, nullptr, &q, &e), ARR_E_MEMORY);
  EXPECT_EQ(cuda().memory->allocate(0, INT64_MAX, nullptr, &q, &e), ARR_E_MEMORY);
}

TEST_F(PoolTest, ExhaustionGivesBackWhatIsCachedAndTriesAgain) {
  arr_fake_cuda_set("memory", 10 << 20);
  void* p = take(6 << 20);
  give(p, 6 << 20);
  void* q = take(7 << 20);       // fits only when the first is given back
  EXPECT_EQ(stats().cached, 0);  // and only as it is, not rounded up to whole steps
  BackendError e;
  void* r = nullptr;
  EXPECT_EQ(cuda().memory->allocate(0, 8 << 20, nullptr, &r, &e), ARR_E_MEMORY);
  EXPECT_NE(e.text.find("8388608 bytes requested, 7340032 in use, 0 kept"), std::string::npos) << e.text;
  give(q, 7 << 20);
}

// The limit applies to memory in use. Cached memory, in pieces that no request fits, does not count, and is
// released when the device has no more.
TEST_F(PoolTest, ALimitLeavesAllThatIsNotInUse) {
  for (const bool full : {false, true}) {
    const int64_t size = int64_t{4} << 20, count = 8, limit = count * size;
    if (full) arr_fake_cuda_set("memory", limit + (1 << 20));
    ARR_WORKS(cuda().memory->limit(0, stats().in_use + limit, &error));
    void* held[count];
    for (void*& p : held) p = take(size);
    BackendError e;
    void* none = nullptr;
    EXPECT_EQ(cuda().memory->allocate(0, 1, nullptr, &none, &e), ARR_E_MEMORY);
    for (int64_t i = 0; i < count; i += 2) give(held[i], size);
    void* half = take(limit / 2);
    EXPECT_NE(half, nullptr);
    EXPECT_EQ(stats().in_use, limit);
    give(half, limit / 2);
    EXPECT_EQ(cuda().memory->allocate(0, limit / 2 + 1, nullptr, &none, &e), ARR_E_MEMORY);
    EXPECT_NE(e.text.find(" kept, limit "), std::string::npos) << e.text;
    for (int64_t i = 1; i < count; i += 2) give(held[i], size);
    ARR_WORKS(cuda().memory->trim(0, &error));
  }
}

TEST_F(PoolTest, ADestroyedStreamLeavesItsBlocks) {
  void* extra = nullptr;
  ARR_WORKS(cuda().stream->create(0, 0, &extra, &error));
  void* p = take(piece, extra);
  give(p, piece, extra);
  ARR_WORKS(cuda().stream->destroy(0, extra, &error));
  EXPECT_EQ(take(piece, streams_[0]), p);
  give(p, piece, streams_[0]);
}

TEST_F(PoolTest, SplitsAndJoins) {
  // Three neighbours of one piece, given back in any order, make room for one of their size together.
  const int64_t third = 512 << 10;
  void* p[3];
  for (void*& x : p) x = take(third);
  EXPECT_EQ(static_cast<char*>(p[1]) - static_cast<char*>(p[0]), third);
  EXPECT_EQ(stats().in_use + stats().cached, piece);
  for (int i : {1, 0, 2}) give(p[i], third);
  int64_t calls = arr_fake_cuda_calls("cuMemAlloc_v2");
  void* q = take(3 * third);
  EXPECT_EQ(q, p[0]);
  EXPECT_EQ(arr_fake_cuda_calls("cuMemAlloc_v2"), calls);
  give(q, 3 * third);
}

TEST_F(PoolTest, WaitsForWorkThatHoldsMemoryBeforeItFails) {
  arr_fake_cuda_set("memory", (6 << 20) + 65536);
  void* p = take(5 << 20, streams_[0]);
  arr_fake_cuda_set("defer", 1);
  BackendError e;
  ASSERT_EQ(cuda().memory->copy_on_device(0, p, static_cast<char*>(p) + 2500, 2500, streams_[0], &e), ARR_OK)
      << e.text;
  give(p, 5 << 20, streams_[0]);
  int64_t waits = arr_fake_cuda_calls("cuCtxSynchronize");
  void* q = take(4 << 20, streams_[1]);
  EXPECT_EQ(q, p);
  EXPECT_GT(arr_fake_cuda_calls("cuCtxSynchronize"), waits);
  give(q, 4 << 20, streams_[1]);
}

TEST_F(PoolTest, TellsWhatItDid) {
  const auto details = [] {
    PoolStats s;
    BackendError e;
    EXPECT_EQ(cuda().pool->stats(0, &s, &e), ARR_OK) << e.text;
    return s;
  };
  ARR_WORKS(cuda().pool->reset_peak(0, &error));
  PoolStats before = details();
  EXPECT_EQ(before.peak, before.in_use);
  void* p = take(3000);
  void* q = take(3001);
  give(p, 3000);
  p = take(2900);
  PoolStats now = details();
  EXPECT_EQ(now.allocations - before.allocations, 3);
  EXPECT_EQ(now.releases - before.releases, 1);
  EXPECT_EQ(now.misses - before.misses, 1);
  EXPECT_EQ(now.hits - before.hits, 2);
  EXPECT_EQ(now.in_use, before.in_use + 6144);
  EXPECT_EQ(now.peak, now.in_use);
  EXPECT_EQ(now.reserved, piece);
  EXPECT_EQ(now.largest_free, piece - 6144);
  std::vector<PoolClass> classes(400);
  int32_t count = 0;
  ARR_WORKS(cuda().pool->classes(0, 400, classes.data(), &count, &error));
  classes.resize(static_cast<size_t>(count));
  auto of =
      std::find_if(classes.begin(), classes.end(), [](const PoolClass& c) { return c.largest == 3072; });
  ASSERT_NE(of, classes.end());
  EXPECT_EQ(of->blocks, 2);
  EXPECT_EQ(of->bytes, 6144);
  give(p, 2900);
  give(q, 3001);
}

struct Books {
  int64_t given = 0, back = 0, dropped = 0, refuse = 0;
};
ExternalFunctions functions_of(Books* books) {
  ExternalFunctions f;
  f.ctx = books;
  f.allocate = [](void* ctx, int64_t bytes, int32_t, void*, void** data) -> int32_t {
    auto* b = static_cast<Books*>(ctx);
    if (b->refuse > 0) {
      --b->refuse;
      return 2;
    }
    b->given += bytes;
    return cuda::driver().cuMemAlloc_v2(reinterpret_cast<cuda::CUdeviceptr*>(data),
                                        static_cast<size_t>(bytes));
  };
  f.release = [](void* ctx, void* data, int64_t bytes, int32_t, void*) {
    static_cast<Books*>(ctx)->back += bytes;
    cuda::driver().cuMemFree_v2(reinterpret_cast<cuda::CUdeviceptr>(data));
  };
  f.drop = [](void* ctx) { ++static_cast<Books*>(ctx)->dropped; };
  return f;
}

TEST_F(PoolTest, BlocksGoBackToWhereTheyCameFrom) {
  Books books;
  const ExternalFunctions functions = functions_of(&books);
  std::vector<std::pair<void*, int64_t>> out;
  BackendError e;
  for (AllocatorKind kind : {AllocatorKind::pool, AllocatorKind::stream_ordered, AllocatorKind::managed,
                             AllocatorKind::direct, AllocatorKind::external, AllocatorKind::pool}) {
    const bool external = kind == AllocatorKind::external;
    ASSERT_EQ(cuda().pool->set_allocator(0, kind, external ? &functions : nullptr, &e), ARR_OK) << e.text;
    AllocatorKind now{};
    ASSERT_EQ(cuda().pool->allocator(0, &now, &e), ARR_OK);
    EXPECT_EQ(now, kind);
    for (int64_t bytes : {100, 70000, 5000000}) out.emplace_back(take(bytes, streams_[0]), bytes);
  }
  EXPECT_EQ(arr_fake_cuda_calls("cuMemAllocAsync"), 3);
  EXPECT_GE(arr_fake_cuda_calls("cuMemAllocManaged"), 1);
  EXPECT_EQ(books.dropped, 0);
  for (auto& [p, bytes] : out) give(p, bytes, streams_[0]);
  EXPECT_EQ(arr_fake_cuda_calls("cuMemFreeAsync"), 3);
  EXPECT_GE(books.given, 5070100);
  EXPECT_EQ(books.back, books.given);
  EXPECT_EQ(books.dropped, 1);
  EXPECT_EQ(stats().in_use, 0);
}

TEST_F(PoolTest, AnExternalAllocatorMayRefuse) {
  Books books;
  const ExternalFunctions functions = functions_of(&books);
  BackendError e;
  ASSERT_EQ(cuda().pool->set_allocator(0, AllocatorKind::external, &functions, &e), ARR_OK) << e.text;
  books.refuse = 1;
  give(take(1000), 1000);
  books.refuse = 2;
  void* p = nullptr;
  EXPECT_EQ(cuda().memory->allocate(0, 1000, nullptr, &p, &e), ARR_E_MEMORY);
  EXPECT_EQ(stats().in_use, 0);
  ASSERT_EQ(cuda().pool->set_allocator(0, AllocatorKind::pool, nullptr, &e), ARR_OK) << e.text;
  EXPECT_EQ(books.dropped, 1);
  EXPECT_EQ(books.back, books.given);
}

}  // namespace
}  // namespace arr::cuda_test
