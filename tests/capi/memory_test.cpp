// SPDX-License-Identifier: MIT
// memory.h on the host and on the CUDA module over the fake: statistics, limits, hooks, bytes by address.
#include <atomic>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <numeric>
#include <thread>

#include "support.h"

namespace {

class Memory : public arr_test::OnDevice {
 protected:
  [[nodiscard]] arr_array bytes(int64_t n) const {
    arr_array a = nullptr;
    EXPECT_EQ(arr_create(ARR_UINT8, 1, &n, ARR_ORDER_C, &device, nullptr, &a), ARR_OK) << arr_last_error();
    return a;
  }
  [[nodiscard]] arr_memory_pool_stats pool() const {
    arr_memory_pool_stats s{};
    s.struct_size = sizeof s;
    EXPECT_EQ(arr_memory_pool_info(&device, &s), ARR_OK) << arr_last_error();
    return s;
  }
};

// On an asynchronous host memory is in use until its stream has come by, and the peak says so to the byte.
TEST_P(Memory, PeaksAreExactWhoeverReleases) {
  const char* set = std::getenv("ARR_HOST_ASYNC");
  const bool late = host() && set != nullptr && std::string(set) != "0";
  constexpr int64_t small = 1000, large = 3000000, rounds = 40;
  const auto used_by = [&](int64_t n) {
    const int64_t before = pool().in_use;
    arr_array a = bytes(n);
    const int64_t used = pool().in_use - before;
    arr_release(a);
    EXPECT_EQ(arr_device_sync(&device), ARR_OK);
    return used;
  };
  const int64_t each = used_by(small), whole = used_by(large);
  std::atomic<bool> go = !late;
  ARR_DOES(arr_memory_reset_peak(&device));
  const int64_t base = pool().in_use;
  EXPECT_EQ(pool().peak, base);
  const auto wait = [](void* ctx) {
    while (!*static_cast<std::atomic<bool>*>(ctx)) std::this_thread::yield();
  };
  if (host()) {
    ARR_DOES(arr_stream_host_function(nullptr, wait, &go));
  }
  for (int64_t i = 0; i < rounds; ++i) arr_release(bytes(small));
  arr_release(bytes(large));
  const int64_t max_bytes = late ? rounds * each + whole : std::max(each, whole);
  EXPECT_EQ(pool().peak, base + max_bytes);
  EXPECT_EQ(pool().in_use, base + (late ? max_bytes : 0));
  go = true;
  ARR_DOES(arr_device_sync(&device));
  EXPECT_EQ(pool().in_use, base);
  arr_release(bytes(small));
  ARR_DOES(arr_device_sync(&device));
  EXPECT_EQ(pool().peak, base + max_bytes);
}

TEST_P(Memory, CountsEveryByte) {
  arr_release(bytes(1));  // what the device keeps for good is there now
  const arr_memory_pool_stats before = pool();
  arr_array a = bytes(100000), b = bytes(100000);
  arr_memory_pool_stats now = pool();
  EXPECT_EQ(now.allocations, before.allocations + 2);
  EXPECT_EQ(now.releases, before.releases);
  const int64_t each = (now.in_use - before.in_use) / 2;
  EXPECT_GE(each, 100000);
  EXPECT_LE(each, 112500);
  arr_release(a);
  now = pool();
  EXPECT_EQ(now.in_use, before.in_use + each);
  EXPECT_EQ(now.releases, before.releases + 1);
  EXPECT_GE(now.peak, before.in_use + 2 * each);
#ifndef __SANITIZE_ADDRESS__  // under which every block has the size that was asked for
  EXPECT_GE(now.peak_reserved, now.peak);
#endif
  EXPECT_GE(now.reserved, now.in_use);
  EXPECT_EQ(now.hits + now.misses, now.allocations);
  ARR_DOES(arr_memory_reset_peak(&device));
  EXPECT_EQ(pool().peak, now.in_use);
  int32_t count = 0;
  ARR_DOES(arr_memory_pool_classes(&device, 0, nullptr, nullptr, nullptr, nullptr, &count));
  std::vector<int64_t> used(static_cast<size_t>(count));
  int32_t again = 0;
  ARR_DOES(arr_memory_pool_classes(&device, count, nullptr, nullptr, nullptr, used.data(), &again));
  EXPECT_EQ(again, count);
  EXPECT_EQ(std::accumulate(used.begin(), used.end(), int64_t{0}), pool().in_use);
  arr_release(b);
  ARR_DOES(arr_memory_trim(&device));
  now = pool();
  EXPECT_EQ(now.in_use, before.in_use);
}

TEST_P(Memory, LimitsByBytesAndFraction) {
  arr_memory_stats info{};
  info.struct_size = sizeof info;
  ARR_DOES(arr_memory_info(&device, &info));
  ARR_DOES(arr_memory_limit_fraction(&device, 0.25));
  EXPECT_NEAR(static_cast<double>(pool().limit), 0.25 * static_cast<double>(info.total), 1.0);
  ARR_DOES(arr_memory_limit(&device, pool().in_use + (1 << 20)));
  arr_array a = bytes(512 << 10), none = nullptr;
  const int64_t n = 768 << 10;
  EXPECT_EQ(arr_create(ARR_UINT8, 1, &n, 0, &device, nullptr, &none), ARR_E_MEMORY);
  EXPECT_NE(std::string(arr_last_error()).find("786432 bytes requested"), std::string::npos)
      << arr_last_error();
  EXPECT_NE(std::string(arr_last_error()).find("limit " + std::to_string(pool().limit)), std::string::npos)
      << arr_last_error();
  EXPECT_EQ(none, nullptr);
  EXPECT_TRUE(arr_memory_pressure());
  EXPECT_FALSE(arr_memory_pressure());
  ARR_DOES(arr_memory_limit_fraction(&device, 0));
  EXPECT_EQ(pool().limit, 0);
  for (double bad : {-0.1, 1.5, std::nan("")}) {
    EXPECT_EQ(arr_memory_limit_fraction(&device, bad), ARR_E_ARGUMENT);
  }
  arr_release(a);
}

struct Told {
  int64_t allocated = 0, freed = 0, dropped = 0;
  std::string function;
  int32_t type = 0;
};
void hook(void* ctx, int32_t event, int32_t type, int32_t, int64_t bytes, const void* data,
          const char* function) {
  auto* t = static_cast<Told*>(ctx);
  (event == ARR_MEMORY_ALLOC ? t->allocated : t->freed) += bytes;
  t->type = type;
  if (event == ARR_MEMORY_ALLOC) t->function = function;
  EXPECT_NE(data, nullptr);
}
void dropped(void* ctx) { ++static_cast<Told*>(ctx)->dropped; }

TEST_P(Memory, HooksAreToldOfArraysMemory) {
  Told told;
  int64_t id = 0;
  ARR_DOES(arr_memory_hook_add(hook, dropped, &told, &id));
  arr_array a = bytes(5000), sum = nullptr;
  EXPECT_EQ(told.allocated, 5000);
  EXPECT_EQ(told.function, "arr_create");
  EXPECT_EQ(told.type, device.type);
  ARR_DOES(arr_add(a, a, nullptr, &sum));
  EXPECT_EQ(told.allocated, 10000);
  EXPECT_EQ(told.function, "arr_add");
  arr_release(sum);
  EXPECT_EQ(told.freed, 5000);
  ARR_DOES(arr_memory_hook_remove(id));
  EXPECT_EQ(told.dropped, 1);
  arr_release(a);
  EXPECT_EQ(told.freed, 5000);
  EXPECT_EQ(arr_memory_hook_remove(id), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_memory_hook_add(nullptr, dropped, &told, &id), ARR_E_ARGUMENT);
  EXPECT_EQ(told.dropped, 1);
}

TEST_P(Memory, ShippedHooksPrintAndAddUp) {
  const std::string path = testing::TempDir() + "/arr_memory_debug_" + std::to_string(GetParam());
  std::remove(path.c_str());
  int64_t printer = 0, profile = 0;
  ARR_DOES(arr_memory_hook_debug(path.c_str(), -1, &printer));
  ARR_DOES(arr_memory_hook_profile(&profile));
  arr_array a = bytes(4000), b = nullptr, c = nullptr;
  ARR_DOES(arr_add(a, a, nullptr, &b));
  ARR_DOES(arr_add(a, b, nullptr, &c));
  arr_release(b);
  char table[1000];
  int64_t length = 0;
  ARR_DOES(arr_memory_profile_report(profile, sizeof table, table, &length));
  EXPECT_EQ(std::string(table),
            "function allocations bytes in_use most\n"
            "arr_add 2 8000 4000 8000\n"
            "arr_create 1 4000 4000 4000\n");
  EXPECT_EQ(arr_memory_profile_report(printer, sizeof table, table, &length), ARR_E_ARGUMENT);
  ARR_DOES(arr_memory_hook_remove(profile));
  ARR_DOES(arr_memory_hook_remove(printer));
  arr_release(a);
  arr_release(c);
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 4U);
  const std::string where = host() ? "host" : "cuda:0";
  EXPECT_EQ(lines[0].find("alloc 4000 bytes on " + where + " at 0x"), 0U) << lines[0];
  EXPECT_NE(lines[1].find(" in arr_add"), std::string::npos) << lines[1];
  EXPECT_EQ(lines[3].find("free 4000 bytes"), 0U) << lines[3];
  EXPECT_EQ(arr_memory_hook_debug("/nowhere/at/all", -1, &printer), ARR_E_IO);
  std::remove(path.c_str());
}

TEST_P(Memory, CopiesAndSetsBytesByAddress) {
  arr_array a = bytes(1000), b = bytes(1000);
  void *p = nullptr, *q = nullptr;
  ARR_DOES(arr_data(a, &p));
  ARR_DOES(arr_data(b, &q));
  std::vector<uint8_t> in(1000), out(1000);
  std::iota(in.begin(), in.end(), 0);
  ARR_DOES(arr_memory_set(&device, p, 255, 1000, nullptr));
  ARR_DOES(
      arr_memory_copy(&device, static_cast<char*>(p) + 100, in.data(), 500, ARR_COPY_FROM_HOST, nullptr));
  ARR_DOES(arr_memory_copy(&device, q, p, 1000, ARR_COPY_ON_DEVICE, nullptr));
  ARR_DOES(arr_memory_copy(&device, out.data(), q, 1000, ARR_COPY_TO_HOST, nullptr));
  for (size_t i = 0; i < 1000; ++i) ASSERT_EQ(out[i], i < 100 || i >= 600 ? 255 : in[i - 100]) << i;
  std::fill(out.begin(), out.end(), 0);
  ARR_DOES(arr_memory_copy(&device, out.data(), p, 1000, ARR_COPY_TO_HOST | ARR_COPY_ASYNC, nullptr));
  ARR_DOES(arr_device_sync(&device));
  EXPECT_EQ(out[100], in[0]);
  ARR_DOES(arr_memory_copy(&device, nullptr, nullptr, 0, ARR_COPY_ON_DEVICE, nullptr));
  EXPECT_EQ(arr_memory_copy(&device, p, in.data(), -1, ARR_COPY_FROM_HOST, nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_memory_copy(&device, nullptr, in.data(), 1, ARR_COPY_FROM_HOST, nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_memory_copy(&device, p, in.data(), 1, 3, nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(std::string(arr_last_error()), "arr_memory_copy: argument kind: 3, expected one of ARR_COPY_...");
  EXPECT_EQ(arr_memory_set(&device, p, 256, 1, nullptr), ARR_E_ARGUMENT);
  arr_release(a);
  arr_release(b);
}

ARR_ON_DEVICES(Memory);

}  // namespace
