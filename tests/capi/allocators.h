// SPDX-License-Identifier: MIT
// Parts that tests of allocators share: an allocator that keeps books, and a device whose books must balance
// after each test.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <mutex>

#include "support.h"

namespace arr_test {

// Memory of the test's own, with books. On a GPU it is the driver's.
struct Books {
  int32_t (*driver_allocate)(void** data, size_t bytes) = nullptr;
  int32_t (*driver_free)(void* data) = nullptr;
  std::mutex mutex;
  std::map<void*, int64_t> out;
  int64_t given = 0, back = 0, dropped = 0, wrong = 0;
  int64_t refuse = 0, shift = 0;  // the next calls give no memory; bytes off the address
  void* again = nullptr;          // what the next call gives
};
// The books themselves are not what fails.
inline thread_local int32_t in_books = 0;
struct InBooks {
  InBooks() { ++in_books; }
  InBooks(const InBooks&) = delete;
  InBooks& operator=(const InBooks&) = delete;
  ~InBooks() { --in_books; }
};
inline int32_t from_books(void* ctx, int64_t bytes, int32_t, void*, void** data) {
  auto& b = *static_cast<Books*>(ctx);
  const InBooks here;
  const std::lock_guard lock(b.mutex);
  if (b.refuse > 0) {
    --b.refuse;
    return 77;
  }
  *data = std::exchange(b.again, nullptr);
  if (*data != nullptr) return 0;
  void* p = nullptr;
  if (b.driver_allocate == nullptr) {
    p = std::aligned_alloc(256, static_cast<size_t>(bytes + 256));
  } else if (b.driver_allocate(&p, static_cast<size_t>(bytes + 256)) != 0) {
    return 2;
  }
  b.wrong += bytes % 256 == 0 ? 0 : 1;
  p = static_cast<char*>(p) + b.shift;
  b.out[p] = bytes;
  b.given += 1;
  *data = p;
  return 0;
}
inline void to_books(void* ctx, void* data, int64_t bytes, int32_t, void*) {
  auto& b = *static_cast<Books*>(ctx);
  const InBooks here;
  const std::lock_guard lock(b.mutex);
  auto at = b.out.find(data);
  if (at == b.out.end() || at->second != bytes) {
    ++b.wrong;
    return;
  }
  b.out.erase(at);
  b.back += 1;
  void* p = static_cast<char*>(data) - b.shift;
  b.driver_free == nullptr ? std::free(p) : static_cast<void>(b.driver_free(p));
}
inline void drop_books(void* ctx) {
  Books& b = *static_cast<Books*>(ctx);
  const std::lock_guard lock(b.mutex);
  ++b.dropped;
}

class Allocators : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (IsSkipped()) return;
    if (!host()) {
      void* fake = dlopen(ARR_FAKE_CUDA, RTLD_NOW | RTLD_NOLOAD);
      ASSERT_NE(fake, nullptr);
      const auto find = [fake](const char* name, auto* f) {
        *f = reinterpret_cast<std::remove_pointer_t<decltype(f)>>(dlsym(fake, name));
        ASSERT_NE(*f, nullptr) << name;
      };
      find("arr_fake_cuda_fail", &fail);
      find("arr_fake_cuda_calls", &calls);
      find("arr_fake_cuda_live", &live);
      find("arr_fake_cuda_inside", &inside);
      find("cuMemAlloc_v2", &books.driver_allocate);
      find("cuMemFree_v2", &books.driver_free);
      dlclose(fake);
    }
    arr_release(sum_of_two(1000));  // the kernel, and what the device keeps for good
    ARR_DOES(arr_device_sync(&device));
    ARR_DOES(arr_memory_trim(&device));
    before = pool();
    if (live != nullptr) held = live("memory");
  }
  void TearDown() override {
    if (IsSkipped()) return;
    ARR_DOES(arr_memory_set_allocator(&device, ARR_ALLOCATOR_POOL));
    ARR_DOES(arr_memory_limit(&device, 0));
    ARR_DOES(arr_device_sync(&device));
    ARR_DOES(arr_memory_trim(&device));
    const arr_memory_pool_stats now = pool();
    EXPECT_EQ(now.in_use, before.in_use);
    EXPECT_EQ(now.reserved, before.reserved);
    EXPECT_EQ(now.allocations - now.releases, before.allocations - before.releases);
    EXPECT_EQ(now.hits + now.misses, now.allocations);
    EXPECT_EQ(books.wrong, 0);
    EXPECT_EQ(books.given, books.back);
    if (live != nullptr) {
      EXPECT_EQ(live("memory"), held);
    }
  }
  // The allocators of a device; external last.
  [[nodiscard]] std::vector<int32_t> kinds() const {
    if (host()) {
      return {ARR_ALLOCATOR_POOL, ARR_ALLOCATOR_MANAGED, ARR_ALLOCATOR_DIRECT, ARR_ALLOCATOR_EXTERNAL};
    }
    return {ARR_ALLOCATOR_POOL, ARR_ALLOCATOR_STREAM_ORDERED, ARR_ALLOCATOR_MANAGED, ARR_ALLOCATOR_DIRECT,
            ARR_ALLOCATOR_EXTERNAL};
  }
  void set(int32_t kind) {
    if (kind == ARR_ALLOCATOR_EXTERNAL) {
      ARR_DOES(arr_memory_set_allocator_functions(&device, from_books, to_books, drop_books, &books));
    } else {
      ARR_DOES(arr_memory_set_allocator(&device, kind));
    }
  }
  arr_status create(int64_t n, arr_array* a, arr_stream stream = nullptr) const {
    return arr_create(ARR_UINT8, 1, &n, ARR_ORDER_C, &device, stream, a);
  }
  [[nodiscard]] arr_array bytes(int64_t n) const {
    arr_array a = nullptr;
    EXPECT_EQ(create(n, &a), ARR_OK) << arr_last_error();
    return a;
  }
  // A sum of which every element is 5.
  [[nodiscard]] arr_array sum_of_two(int64_t n) const {
    arr_value two{}, three{};
    arr_value_i64(&two, 2);
    arr_value_i64(&three, 3);
    arr_array a = bytes(n), b = bytes(n), sum = nullptr;
    EXPECT_EQ(arr_fill(a, &two, nullptr), ARR_OK) << arr_last_error();
    EXPECT_EQ(arr_fill(b, &three, nullptr), ARR_OK) << arr_last_error();
    EXPECT_EQ(arr_add(a, b, nullptr, &sum), ARR_OK) << arr_last_error();
    arr_release(a);
    arr_release(b);
    return sum;
  }
  void expect_fives(arr_array a, size_t n) const {
    std::vector<uint8_t> v(n);
    ARR_DOES(arr_get(a, ARR_ORDER_C, v.data(), static_cast<int64_t>(n), nullptr));
    EXPECT_EQ(v, std::vector<uint8_t>(n, 5));
  }
  // With late streams memory is back when they have come by.
  [[nodiscard]] arr_memory_pool_stats pool() const {
    EXPECT_EQ(arr_device_sync(&device), ARR_OK) << arr_last_error();
    arr_memory_pool_stats s{};
    s.struct_size = sizeof s;
    EXPECT_EQ(arr_memory_pool_info(&device, &s), ARR_OK) << arr_last_error();
    return s;
  }
  Books books;
  arr_memory_pool_stats before{};
  int64_t held = 0;
  void (*fail)(const char*, int64_t, int32_t, int32_t) = nullptr;
  int64_t (*calls)(const char*) = nullptr;
  int64_t (*live)(const char*) = nullptr;
  static inline int32_t (*inside)() = nullptr;
};

}  // namespace arr_test
