// SPDX-License-Identifier: MIT
// memory.h's allocators on the host and over the fake CUDA: memory comes from where it was said and goes back
// there, and every byte is counted.
#include "allocators.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using namespace arr_test;

// With AddressSanitizer the host's pool keeps nothing: each block has its exact size.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool exact_blocks = true;
#else
constexpr bool exact_blocks = false;
#endif

TEST_P(Allocators, EachWorksAndIsCounted) {
  for (int32_t kind : kinds()) {
    set(kind);
    int32_t now = -1;
    ARR_DOES(arr_memory_allocator(&device, &now));
    EXPECT_EQ(now, kind);
    for (int64_t n : {1, 1000, 100000, 3000000}) {
      arr_array a = sum_of_two(n);
      expect_fives(a, static_cast<size_t>(n));
      const arr_memory_pool_stats s = pool();
      EXPECT_GE(s.in_use, before.in_use + n) << kind;
      EXPECT_GE(s.reserved, s.in_use) << kind;
      EXPECT_GE(s.peak, before.in_use + 3 * n) << kind;
      EXPECT_GE(s.peak_reserved, exact_blocks ? 0 : s.peak) << kind;
      EXPECT_EQ(s.hits + s.misses, s.allocations) << kind;
      arr_release(a);
      EXPECT_EQ(pool().in_use, before.in_use) << kind << " " << n;
    }
    ARR_DOES(arr_memory_trim(&device));
    EXPECT_EQ(pool().reserved, before.reserved) << kind;
  }
  EXPECT_EQ(books.given, 12);
  EXPECT_EQ(books.out.size(), 0U);
  EXPECT_EQ(books.dropped, 0);
  set(ARR_ALLOCATOR_POOL);
  EXPECT_EQ(books.dropped, 1);
}

TEST_P(Allocators, ReuseIsAHitOfPoolsOnly) {
  for (int32_t kind : kinds()) {
    set(kind);
    arr_release(bytes(50000));
    const arr_memory_pool_stats first = pool();
    for (int i = 0; i < 10; ++i) arr_release(bytes(50000));
    const bool pooled = kind == ARR_ALLOCATOR_POOL || kind == ARR_ALLOCATOR_MANAGED;
    if (exact_blocks && pooled && device.type == ARR_HOST) continue;
    EXPECT_EQ(pool().hits - first.hits, pooled ? 10 : 0) << kind;
    EXPECT_EQ(pool().misses - first.misses, pooled ? 0 : 10) << kind;
  }
}

TEST_P(Allocators, BlocksGoBackToWhereTheyCameFrom) {
  std::vector<arr_array> arrays;
  // Twice, and each is given back under another allocator than it came from.
  for (int round = 0; round < 2; ++round) {
    for (int32_t kind : kinds()) {
      set(kind);
      for (int64_t n : {500, 70000, 2500000}) arrays.push_back(sum_of_two(n));
    }
  }
  EXPECT_EQ(books.dropped, 0);
  set(ARR_ALLOCATOR_POOL);
  for (size_t i = 0; i < arrays.size(); ++i) {
    expect_fives(arrays[i], i % 3 == 0 ? 500 : i % 3 == 1 ? 70000 : 2500000);
    arr_release(arrays[i]);
  }
  EXPECT_EQ(books.out.size(), 0U);
  EXPECT_EQ(books.given, 18);
  EXPECT_EQ(books.dropped, 2);  // once each time that it was set
}

TEST_P(Allocators, LimitsHoldAndHooksAreTold) {
  struct Told {
    int64_t allocated = 0, freed = 0;
  } told;
  int64_t id = 0;
  ARR_DOES(arr_memory_hook_add(
      [](void* ctx, int32_t event, int32_t, int32_t, int64_t n, const void*, const char*) {
        auto* t = static_cast<Told*>(ctx);
        (event == ARR_MEMORY_ALLOC ? t->allocated : t->freed) += n;
      },
      nullptr, &told, &id));
  for (int32_t kind : kinds()) {
    set(kind);
    told = {};
    ARR_DOES(arr_memory_limit(&device, pool().in_use + (1 << 20)));
    arr_array a = bytes(512 << 10), none = nullptr;
    EXPECT_EQ(create(768 << 10, &none), ARR_E_MEMORY);
    EXPECT_NE(std::string(arr_last_error()).find("786432 bytes requested"), std::string::npos)
        << arr_last_error();
    arr_release(a);
    ARR_DOES(arr_memory_limit(&device, 0));
    EXPECT_EQ(told.allocated, 512 << 10) << kind;
    EXPECT_EQ(told.freed, 512 << 10) << kind;
  }
  ARR_DOES(arr_memory_hook_remove(id));
}

TEST_P(Allocators, AnExternalOneMayFail) {
  set(ARR_ALLOCATOR_EXTERNAL);
  const std::string where = host() ? "arr_create: " : "arr_create: CUDA device 0: ";
  arr_array a = nullptr;
  books.refuse = 1;  // asked again once the pool has given back what it kept
  ARR_DOES(create(5000, &a));
  books.refuse = 2;
  EXPECT_EQ(create(5000, &a), ARR_E_MEMORY);
  const int64_t used = pool().in_use;
  EXPECT_EQ(std::string(arr_last_error()),
            where + "the external allocator returned none: status 77, 5000 bytes requested, " +
                std::to_string(used) + " in use");
  books.shift = 64;
  EXPECT_EQ(create(5000, &a), ARR_E_MEMORY);
  EXPECT_STREQ(arr_last_error(),
               "arr_create: the external allocator returned memory aligned to 64 bytes, expected 256");
  books.shift = 0;
  ARR_DOES(arr_data(a, &books.again));
  EXPECT_EQ(create(5000, &a), ARR_E_MEMORY);
  EXPECT_STREQ(arr_last_error(), "arr_create: the external allocator returned memory that is still in use");
  EXPECT_EQ(pool().in_use, used);
  arr_release(a);
}

TEST_P(Allocators, BadArgumentsChangeNothing) {
  EXPECT_EQ(arr_memory_set_allocator(&device, 5), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_memory_set_allocator(&device, -1), ARR_E_ARGUMENT);
  EXPECT_STREQ(arr_last_error(),
               "arr_memory_set_allocator: argument kind: -1, expected one of ARR_ALLOCATOR_...");
  EXPECT_EQ(arr_memory_set_allocator(&device, ARR_ALLOCATOR_EXTERNAL), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_memory_set_allocator_functions(&device, nullptr, to_books, drop_books, &books),
            ARR_E_ARGUMENT);
  EXPECT_EQ(arr_memory_set_allocator_functions(&device, from_books, nullptr, drop_books, &books),
            ARR_E_ARGUMENT);
  const arr_device no{device.type, 99};
  EXPECT_EQ(arr_memory_set_allocator_functions(&no, from_books, to_books, drop_books, &books),
            ARR_E_ARGUMENT);
  EXPECT_EQ(arr_memory_allocator(&device, nullptr), ARR_E_ARGUMENT);
  if (host()) {
    EXPECT_EQ(arr_memory_set_allocator(&device, ARR_ALLOCATOR_STREAM_ORDERED), ARR_E_UNSUPPORTED);
    EXPECT_STREQ(arr_last_error(),
                 "arr_memory_set_allocator: argument kind: the host has no driver with its own pool");
  }
  int32_t kind = -1;
  ARR_DOES(arr_memory_allocator(&device, &kind));
  EXPECT_EQ(kind, ARR_ALLOCATOR_POOL);
  EXPECT_EQ(books.dropped, 0);
}

TEST_P(Allocators, MayChangeWhileOthersAllocate) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (int64_t i = 0; !stop; ++i) arr_release(bytes(1 + (i * 7919 + t * 104729) % 90000));
    });
  }
  for (int round = 0; round < 30; ++round) {
    for (int32_t kind : kinds()) {
      set(kind);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  stop = true;
  for (std::thread& t : threads) t.join();
  set(ARR_ALLOCATOR_POOL);
  EXPECT_EQ(pool().in_use, before.in_use);
  EXPECT_EQ(books.dropped, 30);
  EXPECT_EQ(books.out.size(), 0U);
}

// Nobody waits for the device while work is being captured; the graph keeps what its work uses.
TEST_P(Allocators, GraphsKeepTheirMemory) {
  for (int32_t kind : kinds()) {
    set(kind);
    arr_stream stream = nullptr;
    arr_graph graph = nullptr;
    ARR_DOES(arr_stream_create(&device, 0, &stream));
    arr_array a = sum_of_two(1000), twice = nullptr, four = nullptr, none = nullptr;
    ARR_DOES(arr_graph_begin(stream));
    ARR_DOES(arr_add(a, a, stream, &twice));
    ARR_DOES(arr_add(twice, twice, stream, &four));
    arr_release(twice);
    ARR_DOES(arr_memory_trim(&device));
    books.refuse = kind == ARR_ALLOCATOR_EXTERNAL ? 2 : 0;
    if (!host()) {
      fail("cuMemAlloc_v2", 1, 2, 1);
      fail("cuMemAllocManaged", 1, 2, 1);
    }
    if (!host() || books.refuse != 0) {
      EXPECT_EQ(create(50 << 20, &none, stream), ARR_E_MEMORY) << kind << arr_last_error();
    }
    if (!host()) {
      fail("cuMemAlloc_v2", 1, 0, 0);
      fail("cuMemAllocManaged", 1, 0, 0);
    }
    ARR_DOES(arr_graph_end(stream, &graph));
    arr_array other = sum_of_two(1000);
    ARR_DOES(arr_graph_launch(graph, stream));
    std::vector<uint8_t> v(1000);
    ARR_DOES(arr_get(four, ARR_ORDER_C, v.data(), 1000, nullptr));
    EXPECT_EQ(v, std::vector<uint8_t>(1000, 20)) << kind;
    expect_fives(other, 1000);
    for (arr_array x : {a, four, other}) arr_release(x);
    ARR_DOES(arr_graph_release(graph));
    arr_stream_release(stream);
    EXPECT_EQ(pool().in_use, before.in_use) << kind;
  }
}

ARR_ON_DEVICES(Allocators);

}  // namespace
