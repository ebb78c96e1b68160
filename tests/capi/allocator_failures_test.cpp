// SPDX-License-Identifier: MIT
// memory.h's allocators when memory is short: whatever fails leaves nothing behind.
#include "../support/failing_new/failing_new.h"
#include "allocators.h"

namespace {

using namespace arr_test;

class AllocatorFailures : public Allocators {};

// Every allocation of the library's own fails once.
TEST_P(AllocatorFailures, NothingIsLostWhenTheLibraryHasNoMemory) {
  exempt([] { return in_books + (inside == nullptr ? 0 : inside()); });
  for (int32_t kind : kinds()) {
    set(kind);
    for (int64_t warm : {0, 1}) {  // with nothing kept, and with something
      bool failed = true;
      for (int64_t n = 0; failed && n < 1000; ++n) {
        if (warm == 0) {
          ARR_DOES(arr_memory_trim(&device));
        }
        arr_array a = nullptr, b = nullptr, sum = nullptr;
        fail_allocation(n);
        arr_status r = create(1000, &a);
        if (r == ARR_OK) r = create(1000, &b);
        if (r == ARR_OK) r = arr_add(a, b, nullptr, &sum);
        for (arr_array x : {a, b, sum}) arr_release(x);
        failed = stop_failing();
        ASSERT_TRUE(r == ARR_OK || (failed && r == ARR_E_MEMORY)) << kind << " " << n << " " << r;
        ASSERT_EQ(pool().in_use, before.in_use) << kind << " " << n;
        ASSERT_TRUE(books.out.empty()) << kind << " " << n;
      }
      EXPECT_FALSE(failed);
    }
    // Changing it, too; what could not be set is not dropped.
    const int64_t dropped = books.dropped + (kind == ARR_ALLOCATOR_EXTERNAL ? 1 : 0);
    fail_allocation(0);
    const arr_status r =
        arr_memory_set_allocator_functions(&device, from_books, to_books, drop_books, &books);
    stop_failing();
    EXPECT_EQ(r, ARR_E_MEMORY);
    set(ARR_ALLOCATOR_POOL);
    EXPECT_EQ(books.dropped, dropped);
  }
  exempt(nullptr);
}

// The driver's functions fail, once and for good.
TEST_P(AllocatorFailures, NothingIsLostWhenTheDriverFails) {
  if (host()) GTEST_SKIP() << "no driver";
  constexpr int32_t out_of_memory = 2, unknown = 999;
  const std::pair<int32_t, const char*> ways[] = {{ARR_ALLOCATOR_POOL, "cuMemAlloc_v2"},
                                                  {ARR_ALLOCATOR_STREAM_ORDERED, "cuMemAllocAsync"},
                                                  {ARR_ALLOCATOR_MANAGED, "cuMemAllocManaged"},
                                                  {ARR_ALLOCATOR_DIRECT, "cuMemAlloc_v2"}};
  for (const auto& [kind, function] : ways) {
    set(kind);
    ARR_DOES(arr_memory_trim(&device));
    arr_array a = nullptr;
    fail(function, 1, out_of_memory, 0);
    ARR_DOES(create(3000, &a));  // asked again
    arr_release(a);
    ARR_DOES(arr_memory_trim(&device));
    for (int32_t code : {out_of_memory, unknown}) {
      fail(function, 1, code, 1);
      EXPECT_EQ(create(3000, &a), code == unknown ? ARR_E_DEVICE : ARR_E_MEMORY) << function;
      EXPECT_EQ(pool().in_use, before.in_use);
      fail(function, 1, 0, 0);
    }
    arr_release(sum_of_two(3000));
  }
  fail("cuDeviceGetAttribute", 1, unknown, 0);
  EXPECT_EQ(arr_memory_set_allocator(&device, ARR_ALLOCATOR_MANAGED), ARR_E_DEVICE);
  int32_t kind = -1;
  ARR_DOES(arr_memory_allocator(&device, &kind));
  EXPECT_EQ(kind, ARR_ALLOCATOR_DIRECT);
}

ARR_ON_DEVICES(AllocatorFailures);

}  // namespace
