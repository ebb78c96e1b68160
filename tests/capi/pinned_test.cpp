// SPDX-License-Identifier: MIT
// memory.h's page-locked memory, over the fake CUDA and, in a run of its own, without any GPU.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <thread>

#include "support.h"

namespace {

const std::vector<int64_t> shape = {100, 30};

class Pinned : public testing::Test {
 protected:
  void SetUp() override {
    int32_t count = 0;
    ARR_DOES(arr_device_count(ARR_CUDA, &count));
    gpu = count > 0;
    if (void* fake = gpu ? dlopen(ARR_FAKE_CUDA, RTLD_NOW | RTLD_NOLOAD) : nullptr) {
      fail = reinterpret_cast<decltype(fail)>(dlsym(fake, "arr_fake_cuda_fail"));
      live = reinterpret_cast<decltype(live)>(dlsym(fake, "arr_fake_cuda_live"));
      calls = reinterpret_cast<decltype(calls)>(dlsym(fake, "arr_fake_cuda_calls"));
      dlclose(fake);
      ASSERT_TRUE(fail != nullptr && live != nullptr && calls != nullptr);
    }
  }
  void TearDown() override {
    ARR_DOES(arr_pinned_limit(0));
    ARR_DOES(arr_pinned_trim());
    EXPECT_EQ(stats().reserved, 0);
    EXPECT_EQ(stats().in_use, 0);
    if (live != nullptr) {
      EXPECT_EQ(live("pinned"), 0);
      EXPECT_EQ(live("registered"), 0);
    }
  }
  [[nodiscard]] static arr_array bytes(int64_t n, int32_t flags = 0) {
    arr_array a = nullptr;
    EXPECT_EQ(arr_pinned_create(ARR_UINT8, 1, &n, ARR_ORDER_C, flags, &a), ARR_OK) << arr_last_error();
    return a;
  }
  static arr_memory_pool_stats stats() {
    arr_memory_pool_stats s{};
    s.struct_size = sizeof s;
    EXPECT_EQ(arr_pinned_info(&s), ARR_OK) << arr_last_error();
    return s;
  }
  static bool pinned(arr_array a) {
    bool yes = false;
    EXPECT_EQ(arr_is_pinned(a, &yes), ARR_OK) << arr_last_error();
    return yes;
  }
  static void* data(arr_array a) {
    void* p = nullptr;
    EXPECT_EQ(arr_data(a, &p), ARR_OK) << arr_last_error();
    return p;
  }
  bool gpu = false;
  void (*fail)(const char*, int64_t, int32_t, int32_t) = nullptr;
  int64_t (*live)(const char*) = nullptr;
  int64_t (*calls)(const char*) = nullptr;
};

TEST_F(Pinned, IsAnArrayOfTheHost) {
  arr_array a = nullptr, sum = nullptr;
  ARR_DOES(arr_pinned_create(ARR_FLOAT32, 2, shape.data(), ARR_ORDER_F, ARR_PINNED_MAPPED, &a));
  EXPECT_EQ(pinned(a), gpu ? 1 : 0);
  arr_device where{};
  ARR_DOES(arr_array_device(a, &where));
  EXPECT_EQ(where.type, ARR_HOST);
  int64_t strides[2];
  ARR_DOES(arr_strides(a, 2, strides, nullptr));
  EXPECT_EQ(strides[0], 1);
  std::vector<float> in(3000), out(3000);
  std::iota(in.begin(), in.end(), 0.0F);
  ARR_DOES(arr_set(a, ARR_ORDER_C, in.data(), 12000, nullptr));
  ARR_DOES(arr_add(a, a, nullptr, &sum));
  ARR_DOES(arr_get(sum, ARR_ORDER_C, out.data(), 12000, nullptr));
  for (size_t i = 0; i < 3000; ++i) ASSERT_EQ(out[i], 2 * in[i]);
  EXPECT_EQ(pinned(sum), 0);
  if (gpu) {
    const arr_device cuda{ARR_CUDA, 0};
    arr_array there = nullptr;
    ARR_DOES(arr_to_device(a, &cuda, nullptr, &there));
    EXPECT_EQ(pinned(there), 0);
    ARR_DOES(arr_get(there, ARR_ORDER_C, out.data(), 12000, nullptr));
    EXPECT_EQ(in, out);
    void* seen = nullptr;
    ARR_DOES(arr_pinned_device_data(a, nullptr, &seen));
    EXPECT_EQ(seen, data(a));  // the fake's devices share the host's addresses
    EXPECT_EQ(arr_pinned_device_data(there, nullptr, &seen), ARR_E_ARGUMENT);
    EXPECT_EQ(arr_pinned_device_data(sum, nullptr, &seen), ARR_E_ARGUMENT);
    arr_release(there);
  }
  arr_release(a);
  arr_release(sum);
}

TEST_F(Pinned, ZeroedIsZeroed) {
  arr_array used = bytes(5000);
  std::memset(data(used), 7, 5000);
  arr_release(used);  // what comes next has its memory
  for (const int32_t flags : {ARR_PINNED_ZEROED, ARR_PINNED_ZEROED | ARR_PINNED_MAPPED}) {
    arr_array a = bytes(5000, flags);
    EXPECT_EQ(pinned(a), gpu ? 1 : 0);
    std::vector<uint8_t> out(5000, 1);
    ARR_DOES(arr_get(a, ARR_ORDER_C, out.data(), 5000, nullptr));
    EXPECT_EQ(out, std::vector<uint8_t>(5000, 0));
    arr_release(a);
  }
  const int64_t none = 0;
  arr_array empty = nullptr;
  ARR_DOES(arr_pinned_create(ARR_FLOAT64, 1, &none, ARR_ORDER_C, ARR_PINNED_ZEROED, &empty));
  arr_release(empty);
  EXPECT_EQ(arr_pinned_create(ARR_FLOAT64, 1, &none, ARR_ORDER_C, 32, &empty), ARR_E_ARGUMENT);
}

TEST_F(Pinned, PoolKeepsAndCountsEveryByte) {
  if (!gpu) GTEST_SKIP() << "no GPU";
  const arr_memory_pool_stats before = stats();
  arr_array a = bytes(100000), b = bytes(100000);
  void* p = data(a);
  EXPECT_EQ(stats().in_use, 2 * 106496);  // an eighth of 64 KiB is the step
  EXPECT_EQ(stats().reserved, stats().in_use);
  EXPECT_EQ(live("pinned"), 2);
  arr_release(a);
  EXPECT_EQ(stats().in_use, 106496);
  EXPECT_EQ(stats().free_blocks, 1);
  EXPECT_EQ(stats().largest_free, 106496);
  const int64_t asked = calls("cuMemHostAlloc");
  a = bytes(99000);
  EXPECT_EQ(data(a), p);
  EXPECT_EQ(calls("cuMemHostAlloc"), asked);
  arr_release(a);
  a = bytes(99000, ARR_PINNED_WRITE_COMBINED);  // other memory
  EXPECT_NE(data(a), p);
  EXPECT_EQ(calls("cuMemHostAlloc"), asked + 1);
  const arr_memory_pool_stats now = stats();
  EXPECT_EQ(now.allocations - before.allocations, 4);
  EXPECT_EQ(now.releases - before.releases, 2);
  EXPECT_EQ(now.hits - before.hits, 1);
  EXPECT_EQ(now.hits + now.misses, now.allocations);
  EXPECT_GE(now.peak, 2 * 106496);
  EXPECT_GE(now.peak_reserved, 3 * 106496);
  ARR_DOES(arr_pinned_trim());
  EXPECT_EQ(stats().free_blocks, 0);
  EXPECT_EQ(stats().reserved, 2 * 106496);
  EXPECT_EQ(live("pinned"), 2);
  arr_release(a);
  arr_release(b);
}

TEST_F(Pinned, LimitsAndExhaustion) {
  if (!gpu) GTEST_SKIP() << "no GPU";
  ARR_DOES(arr_pinned_limit(100000));
  arr_array a = bytes(50000), none = nullptr;
  const int64_t n = 60000;
  EXPECT_EQ(arr_pinned_create(ARR_UINT8, 1, &n, ARR_ORDER_C, 0, &none), ARR_E_MEMORY);
  EXPECT_STREQ(arr_last_error(),
               "arr_pinned_create: page-locked memory: 60000 bytes requested, 53248 in use, limit 100000");
  ARR_DOES(arr_pinned_limit(0));
  arr_release(a);
  EXPECT_EQ(live("pinned"), 1);
  // The driver has no more at first: what is kept goes back to it, and it is asked again.
  fail("cuMemHostAlloc", 1, 2, 0);
  a = bytes(60000);
  EXPECT_EQ(live("pinned"), 1);
  arr_release(a);
  fail("cuMemHostAlloc", 1, 2, 1);
  const int64_t m = 200000;
  EXPECT_EQ(arr_pinned_create(ARR_UINT8, 1, &m, ARR_ORDER_C, 0, &none), ARR_E_MEMORY);
  EXPECT_NE(std::string(arr_last_error()).find("200000 bytes requested, 0 in use"), std::string::npos)
      << arr_last_error();
  fail("cuMemHostAlloc", 1, 999, 0);
  EXPECT_EQ(arr_pinned_create(ARR_UINT8, 1, &m, ARR_ORDER_C, 0, &none), ARR_E_DEVICE);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(stats().in_use, 0);
  EXPECT_EQ(arr_pinned_limit(-1), ARR_E_ARGUMENT);
}

TEST_F(Pinned, RegistersMemoryOfOthers) {
  std::vector<uint8_t> mine(8192);
  if (!gpu) {
    EXPECT_EQ(arr_pinned_register(mine.data(), 8192, 0), ARR_E_UNAVAILABLE);
    EXPECT_EQ(arr_pinned_unregister(mine.data()), ARR_E_UNAVAILABLE);
    return;
  }
  const int64_t n = 8192;
  arr_array a = nullptr;
  ARR_DOES(arr_wrap(mine.data(), ARR_UINT8, 1, &n, nullptr, nullptr, nullptr, nullptr, &a));
  EXPECT_EQ(pinned(a), 0);
  ARR_DOES(arr_pinned_register(mine.data(), n, ARR_PINNED_MAPPED | ARR_PINNED_READ_ONLY));
  EXPECT_EQ(pinned(a), 1);
  void* seen = nullptr;
  ARR_DOES(arr_pinned_device_data(a, nullptr, &seen));
  EXPECT_EQ(arr_pinned_register(mine.data() + 100, 100, 0), ARR_E_ARGUMENT);
  EXPECT_STREQ(arr_last_error(),
               "arr_pinned_register: argument data: some of the memory is page-locked already");
  EXPECT_EQ(arr_pinned_unregister(mine.data() + 100), ARR_E_ARGUMENT);
  ARR_DOES(arr_pinned_unregister(mine.data()));
  EXPECT_EQ(pinned(a), 0);
  EXPECT_EQ(arr_pinned_unregister(mine.data()), ARR_E_ARGUMENT);
  ARR_DOES(arr_pinned_register(mine.data(), n, 0));
  EXPECT_EQ(arr_pinned_device_data(a, nullptr, &seen), ARR_E_ARGUMENT);
  EXPECT_NE(std::string(arr_last_error()).find("is not mapped"), std::string::npos) << arr_last_error();
  ARR_DOES(arr_pinned_unregister(mine.data()));
  arr_release(a);
}

TEST_F(Pinned, RefusesWhatMakesNoSense) {
  arr_array a = nullptr;
  const int64_t n = 10, huge = int64_t{1} << 60;
  EXPECT_EQ(arr_pinned_create(ARR_UINT8, 1, &n, ARR_ORDER_C, ARR_PINNED_READ_ONLY, &a), ARR_E_ARGUMENT);
  EXPECT_STREQ(arr_last_error(),
               "arr_pinned_create: argument flags: 4 has unknown bits, expected bits of 27");
  EXPECT_EQ(arr_pinned_create(ARR_UINT8, 1, &n, ARR_ORDER_K, 0, &a), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_pinned_create(ARR_FLOAT64, 1, &huge, ARR_ORDER_C, 0, &a), ARR_E_SHAPE);
  EXPECT_EQ(arr_pinned_create(ARR_UINT8, 1, &huge, ARR_ORDER_C, 0, &a), ARR_E_MEMORY);
  EXPECT_EQ(arr_pinned_create(ARR_UINT8, 1, &n, ARR_ORDER_C, ARR_PINNED_REQUIRED, &a),
            gpu ? ARR_OK : ARR_E_UNAVAILABLE);
  arr_release(a);
  EXPECT_EQ(arr_pinned_register(nullptr, 1, 0), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_pinned_register(&a, 0, 0), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_pinned_register(&a, 8, ARR_PINNED_WRITE_COMBINED), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_pinned_info(nullptr), ARR_E_ARGUMENT);
  arr_array empty = bytes(0);
  EXPECT_EQ(pinned(empty), 0);
  arr_release(empty);
  bool yes = false;
  EXPECT_EQ(arr_is_pinned(nullptr, &yes), ARR_E_HANDLE);
}

TEST_F(Pinned, ThreadsShareThePool) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 500; ++i) {
        const int64_t n = 1 + (i * 7919 + t * 104729) % 70000;
        arr_array a = bytes(n);
        std::memset(data(a), t, static_cast<size_t>(n));
        const auto* p = static_cast<unsigned char*>(data(a));
        EXPECT_TRUE(p[0] == t && p[n - 1] == t);
        arr_release(a);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(stats().in_use, 0);
  EXPECT_EQ(stats().allocations, stats().releases);
}

// An allocator with books.
struct Books {
  std::map<void*, int64_t> out;
  int64_t given = 0, wrong = 0, dropped = 0, refuse = 0, shift = 0;
};
int32_t from_books(void* ctx, int64_t n, int32_t device, void* stream, void** data) {
  auto& b = *static_cast<Books*>(ctx);
  if (b.refuse > 0 && b.refuse-- > 0) return 77;
  b.wrong += device == 0 && stream == nullptr && n % 256 == 0 ? 0 : 1;
  *data = static_cast<char*>(std::aligned_alloc(256, static_cast<size_t>(n + 256))) + b.shift;
  b.out[*data] = n;
  ++b.given;
  return 0;
}
void to_books(void* ctx, void* data, int64_t n, int32_t device, void* stream) {
  auto& b = *static_cast<Books*>(ctx);
  const auto at = b.out.find(data);
  b.wrong += at != b.out.end() && at->second == n && device == 0 && stream == nullptr ? 0 : 1;
  if (at != b.out.end()) b.out.erase(at);
  std::free(static_cast<char*>(data) - b.shift);
}
void drop_books(void* ctx) { ++static_cast<Books*>(ctx)->dropped; }

TEST_F(Pinned, OfTheCallersFunctions) {
  Books books;
  arr_array before = bytes(5000);
  ARR_DOES(arr_pinned_set_allocator_functions(from_books, to_books, drop_books, &books));
  const arr_memory_pool_stats s = stats();
  arr_array a = bytes(10000), b = bytes(3);
  EXPECT_TRUE(books.out.contains(data(a)) && books.out.contains(data(b)));
  EXPECT_EQ(stats().misses, s.misses + 2);
  EXPECT_EQ(stats().in_use - s.in_use, books.out[data(a)] + books.out[data(b)]);
  EXPECT_EQ(stats().reserved - s.reserved, stats().in_use - s.in_use);
  std::memset(data(a), 7, 10000);
  arr_release(b);
  EXPECT_EQ(books.out.size(), 1U);  // nothing of it is kept
  EXPECT_EQ(stats().releases, s.releases + 1);
  arr_release(before);  // goes where it came from
  EXPECT_EQ(books.out.size(), 1U);
  books.refuse = 1;  // asked once more after what is kept has gone back
  b = bytes(20000);
  EXPECT_TRUE(books.out.contains(data(b)));
  arr_release(b);
  ARR_DOES(arr_pinned_set_allocator_functions(nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(books.dropped, 0);  // a is out
  b = bytes(64);
  EXPECT_FALSE(books.out.contains(data(b)));
  EXPECT_EQ(pinned(b), gpu ? 1 : 0);
  arr_release(a);
  EXPECT_EQ(books.dropped, 1);
  EXPECT_TRUE(books.out.empty());
  arr_release(b);
  EXPECT_EQ(books.wrong, 0);
  EXPECT_EQ(books.given, 3);
}

TEST_F(Pinned, FunctionsThatGiveNothingOfUse) {
  Books books;
  ARR_DOES(arr_pinned_set_allocator_functions(from_books, to_books, drop_books, &books));
  const int64_t n = 100;
  arr_array a = nullptr;
  const auto refused = [&](const std::string& why) {
    EXPECT_EQ(arr_pinned_create(ARR_UINT8, 1, &n, ARR_ORDER_C, 0, &a), ARR_E_MEMORY);
    EXPECT_NE(std::string(arr_last_error()).find(why), std::string::npos) << arr_last_error();
    EXPECT_EQ(stats().in_use, 0);
  };
  books.refuse = 2;
  refused("100 bytes requested, the external allocator returned none, with status 77");
  books.shift = 64;
  refused("aligned to 64 bytes, expected 256");
  books.shift = 0;
  ARR_DOES(arr_pinned_limit(4000));
  refused("limit 4000");
  EXPECT_EQ(arr_pinned_set_allocator_functions(from_books, nullptr, drop_books, &books), ARR_E_ARGUMENT);
  EXPECT_NE(std::string(arr_last_error()).find("argument release: NULL"), std::string::npos);
  EXPECT_EQ(books.dropped, 0);
  ARR_DOES(arr_pinned_set_allocator_functions(nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(books.dropped, 1);
  EXPECT_TRUE(books.out.empty());
  EXPECT_EQ(books.wrong, 0);
}

}  // namespace
