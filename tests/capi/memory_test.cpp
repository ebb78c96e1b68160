// SPDX-License-Identifier: MIT
// memory.h on the host and on the CUDA module over the fake: statistics, limits, hooks, bytes by address; and
// memory_kinds.h, where one process over the fake plays both that share memory.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <numeric>

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
  EXPECT_EQ(arr_memory_pressure(), 1);
  EXPECT_EQ(arr_memory_pressure(), 0);
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
  EXPECT_EQ(std::string(arr_last_error()), "arr_memory_copy: argument kind: 3 is none of ARR_COPY_...");
  EXPECT_EQ(arr_memory_set(&device, p, 256, 1, nullptr), ARR_E_ARGUMENT);
  arr_release(a);
  arr_release(b);
}

class MemoryKinds : public arr_test::OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (IsSkipped() || host()) return;
    void* fake = dlopen(ARR_FAKE_CUDA, RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(fake, nullptr);
    calls = reinterpret_cast<decltype(calls)>(dlsym(fake, "arr_fake_cuda_calls"));
    live = reinterpret_cast<decltype(live)>(dlsym(fake, "arr_fake_cuda_live"));
    fail = reinterpret_cast<decltype(fail)>(dlsym(fake, "arr_fake_cuda_fail"));
    dlclose(fake);
    ASSERT_TRUE(calls != nullptr && live != nullptr && fail != nullptr);
  }
  void TearDown() override {
    if (IsSkipped()) return;
    ARR_DOES(arr_memory_set_allocator(&device, ARR_ALLOCATOR_POOL));
  }
  [[nodiscard]] arr_array numbers(const std::vector<int64_t>& shape) const {
    const int64_t n = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
    std::vector<float> v(static_cast<size_t>(n));
    std::iota(v.begin(), v.end(), 1.0F);
    arr_array a = nullptr;
    EXPECT_EQ(arr_from_host(v.data(), 4 * n, ARR_FLOAT32, static_cast<int32_t>(shape.size()), shape.data(),
                            ARR_ORDER_C, &device, nullptr, &a),
              ARR_OK)
        << arr_last_error();
    return a;
  }
  static std::vector<float> values(arr_array a, size_t n) {
    std::vector<float> v(n);
    EXPECT_EQ(arr_get(a, ARR_ORDER_C, v.data(), static_cast<int64_t>(4 * n), nullptr), ARR_OK)
        << arr_last_error();
    return v;
  }
  [[nodiscard]] static int32_t managed(arr_array a) {
    int32_t yes = -1;
    EXPECT_EQ(arr_is_managed(a, &yes), ARR_OK) << arr_last_error();
    return yes;
  }
  static bool lies_in(arr_array a, void* memory, int64_t bytes) {
    void* data = nullptr;
    int32_t ndim = 0;
    int64_t shape[ARR_MAX_NDIM], strides[ARR_MAX_NDIM], all = 0, n = 1;
    EXPECT_EQ(arr_data(a, &data), ARR_OK);
    EXPECT_EQ(arr_shape(a, ARR_MAX_NDIM, shape, &ndim), ARR_OK);
    EXPECT_EQ(arr_strides(a, ARR_MAX_NDIM, strides, nullptr), ARR_OK);
    EXPECT_EQ(arr_nbytes(a, &all), ARR_OK);
    for (int32_t i = 0; i < ndim; ++i) n *= shape[i];
    if (n == 0) return true;
    int64_t low = static_cast<char*>(data) - static_cast<char*>(memory), high = low + all / n;
    for (int32_t i = 0; i < ndim; ++i) {
      const int64_t reach = (shape[i] - 1) * strides[i] * (all / n);
      (reach < 0 ? low : high) += reach;
    }
    return low >= 0 && high <= bytes;
  }
  int64_t (*calls)(const char*) = nullptr;
  int64_t (*live)(const char*) = nullptr;
  void (*fail)(const char*, int64_t, int32_t, int32_t) = nullptr;
};

TEST_P(MemoryKinds, ManagedMemoryIsMovedAndAdvised) {
  arr_array plain = numbers({10});
  EXPECT_EQ(managed(plain), host() ? 1 : 0);
  ARR_DOES(arr_memory_set_allocator(&device, ARR_ALLOCATOR_MANAGED));
  arr_array a = numbers({20, 30}), part = nullptr;
  EXPECT_EQ(managed(a), 1);
  const int64_t start[] = {3, 4}, stop[] = {9, 20}, step[] = {2, 1};
  ARR_DOES(arr_slice(a, 2, start, stop, step, &part));
  EXPECT_EQ(managed(part), 1);
  const int64_t moved = host() ? 0 : calls("cuMemPrefetchAsync_v2");
  for (arr_array x : {a, part}) {
    ARR_DOES(arr_memory_prefetch(x, &device, nullptr));
    ARR_DOES(arr_memory_prefetch(x, nullptr, nullptr));
    for (int32_t advice = ARR_ADVISE_READ_MOSTLY; advice <= ARR_ADVISE_NOT_USED_BY; ++advice) {
      ARR_DOES(arr_memory_advise(x, advice, &device));
    }
    ARR_DOES(arr_memory_advise(x, ARR_ADVISE_PREFER, nullptr));
  }
  EXPECT_EQ(host() ? 0 : calls("cuMemPrefetchAsync_v2") - moved, host() ? 0 : 4);
  EXPECT_EQ(arr_memory_advise(a, 0, &device), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_memory_advise(a, 7, &device), ARR_E_ARGUMENT);
  EXPECT_STREQ(arr_last_error(), "arr_memory_advise: argument advice: 7 is none of ARR_ADVISE_...");
  EXPECT_EQ(arr_memory_prefetch(nullptr, &device, nullptr), ARR_E_HANDLE);
  if (!host()) {
    EXPECT_EQ(arr_memory_prefetch(plain, &device, nullptr), ARR_E_ARGUMENT);
    EXPECT_STREQ(arr_last_error(), "arr_memory_prefetch: argument a: its memory is not managed");
    EXPECT_EQ(arr_memory_advise(plain, ARR_ADVISE_PREFER, nullptr), ARR_E_ARGUMENT);
    fail("cuMemPrefetchAsync_v2", 1, 101, 0);  // CUDA_ERROR_INVALID_DEVICE
    EXPECT_EQ(arr_memory_prefetch(a, &device, nullptr), ARR_E_UNSUPPORTED);
    // The host reads and writes in place.
    void* data = nullptr;
    ARR_DOES(arr_data(a, &data));
    ARR_DOES(arr_device_sync(&device));
    EXPECT_EQ(static_cast<float*>(data)[599], 600.0F);
  }
  for (arr_array x : {plain, a, part}) arr_release(x);
}

TEST_P(MemoryKinds, RowsBeginAtAPitch) {
  const int64_t step = host() ? 64 : 512;
  const std::vector<int64_t> shapes[] = {{5, 7}, {2, 3, 200}, {4, 128}, {9}, {}, {3, 0}, {1, 1}};
  for (const auto& shape : shapes) {
    arr_array a = nullptr, same = numbers(shape);
    const auto ndim = static_cast<int32_t>(shape.size());
    ARR_DOES(arr_create_pitched(ARR_FLOAT32, ndim, shape.data(), &device, nullptr, &a));
    int64_t strides[3] = {1, 1, 1}, n = 1;
    ARR_DOES(arr_strides(a, ndim, strides, nullptr));
    for (int64_t s : shape) n *= s;
    if (ndim > 1 && n > 0) {
      EXPECT_EQ(strides[ndim - 1], 1);
      EXPECT_EQ(4 * strides[ndim - 2], (4 * shape.back() + step - 1) / step * step);
      EXPECT_EQ(ndim < 3 ? 0 : strides[0], ndim < 3 ? 0 : strides[1] * shape[1]);
    }
    ARR_DOES(arr_assign(a, same, nullptr));
    EXPECT_EQ(values(a, static_cast<size_t>(n)), values(same, static_cast<size_t>(n)));
    arr_release(a);
    arr_release(same);
  }
  arr_array none = nullptr;
  const int64_t huge[] = {int64_t{1} << 40, int64_t{1} << 40}, wide[] = {1, (int64_t{1} << 61) - 1},
                many[] = {int64_t{1} << 57, 1}, bad[] = {-1, 2};
  for (const int64_t* shape : {huge, wide, many, bad}) {
    const arr_status r = arr_create_pitched(ARR_FLOAT32, 2, shape, &device, nullptr, &none);
    EXPECT_TRUE(r == ARR_E_SHAPE || r == ARR_E_MEMORY) << r << " " << arr_last_error();
  }
  EXPECT_EQ(none, nullptr);
}

TEST_P(MemoryKinds, AnotherProcessOpensAnArray) {
  arr_array a = numbers({6, 4}), columns = nullptr, there = nullptr;
  const int32_t axes[] = {1, 0};
  ARR_DOES(arr_transpose(a, 2, axes, &columns));
  int64_t length = 0;
  ARR_DOES(arr_ipc_export(columns, 0, nullptr, &length));
  std::vector<char> handle(static_cast<size_t>(length));
  if (host()) {
    EXPECT_EQ(arr_ipc_export(columns, length, handle.data(), &length), ARR_E_UNSUPPORTED);
    EXPECT_EQ(std::string(arr_last_error()).find("arr_ipc_export: argument a: memory of the host"), 0U);
    arr_release(a);
    arr_release(columns);
    return;
  }
  EXPECT_EQ(arr_ipc_export(columns, length - 1, handle.data(), &length), ARR_E_ARGUMENT);
  ARR_DOES(arr_ipc_export(columns, length, handle.data(), &length));
  ARR_DOES(arr_ipc_import(handle.data(), length, &device, &there));
  EXPECT_EQ(live("opened"), 1);
  int64_t shape[2];
  ARR_DOES(arr_shape(there, 2, shape, nullptr));
  EXPECT_EQ(shape[0], 4);
  EXPECT_EQ(values(there, 24), values(columns, 24));
  arr_value seven{};
  arr_value_f64(&seven, 7);
  ARR_DOES(arr_fill(there, &seven, nullptr));
  ARR_DOES(arr_device_sync(&device));
  EXPECT_EQ(values(a, 24), std::vector<float>(24, 7));
  arr_release(there);
  EXPECT_EQ(live("opened"), 0);
  arr_release(columns);
  arr_release(a);
}

TEST_P(MemoryKinds, HandlesAreNotTrusted) {
  if (host()) GTEST_SKIP() << "shares none";
  ARR_DOES(arr_memory_set_allocator(&device, ARR_ALLOCATOR_DIRECT));
  arr_array a = numbers({6, 4}), there = nullptr;
  char handle[256];
  int64_t length = 0;
  void* first = nullptr;
  ARR_DOES(arr_data(a, &first));
  ARR_DOES(arr_ipc_export(a, sizeof handle, handle, &length));
  EXPECT_EQ(arr_ipc_import(handle, length - 1, &device, &there), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_ipc_import(handle, 3, &device, &there), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_ipc_import(nullptr, length, &device, &there), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_ipc_import(handle, length, &device, nullptr), ARR_E_ARGUMENT);
  // Each byte changed in turn, every bit of it: refused, or inside of the memory.
  for (int64_t i = 0; i < length; ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      handle[i] = static_cast<char>(handle[i] ^ (1 << bit));
      there = nullptr;
      if (arr_ipc_import(handle, length, &device, &there) == ARR_OK) {
        EXPECT_TRUE(lies_in(there, first, 512)) << i << " " << bit;
      }
      arr_release(there);
      handle[i] = static_cast<char>(handle[i] ^ (1 << bit));
    }
  }
  EXPECT_EQ(live("opened"), 0);
  fail("cuMemGetAddressRange_v2", 1, 1, 0);
  EXPECT_NE(arr_ipc_import(handle, length, &device, &there), ARR_OK);
  EXPECT_EQ(live("opened"), 0);
  arr_release(a);
  for (int32_t kind : {ARR_ALLOCATOR_MANAGED, ARR_ALLOCATOR_STREAM_ORDERED}) {
    ARR_DOES(arr_memory_set_allocator(&device, kind));
    a = numbers({5});
    EXPECT_EQ(arr_ipc_export(a, sizeof handle, handle, &length), ARR_E_UNSUPPORTED);
    arr_release(a);
  }
}

TEST_P(MemoryKinds, AnotherProcessOpensAnEvent) {
  arr_event mine = nullptr, theirs = nullptr, plain = nullptr;
  EXPECT_EQ(arr_event_create(&device, ARR_EVENT_SHARED | ARR_EVENT_TIMING, &mine), ARR_E_ARGUMENT);
  ARR_DOES(arr_event_create(&device, 0, &plain));
  int64_t length = 0;
  ARR_DOES(arr_ipc_export_event(plain, 0, nullptr, &length));
  std::vector<char> handle(static_cast<size_t>(length));
  const auto size = static_cast<int64_t>(handle.size());
  if (host()) {
    EXPECT_EQ(arr_event_create(&device, ARR_EVENT_SHARED, &mine), ARR_E_UNSUPPORTED);
    EXPECT_EQ(arr_ipc_export_event(plain, size, handle.data(), &length), ARR_E_UNSUPPORTED);
    EXPECT_EQ(std::string(arr_last_error()).find("arr_ipc_export_event: argument event: is of the host"), 0U);
    arr_event_release(plain);
    return;
  }
  EXPECT_EQ(arr_ipc_export_event(plain, size, handle.data(), &length), ARR_E_ARGUMENT);
  EXPECT_EQ(std::string(arr_last_error()).find("arr_ipc_export_event: argument event: was not made with"),
            0U);
  ARR_DOES(arr_event_create(&device, ARR_EVENT_SHARED, &mine));
  EXPECT_EQ(arr_ipc_export_event(mine, size - 1, handle.data(), &length), ARR_E_ARGUMENT);
  ARR_DOES(arr_ipc_export_event(mine, size, handle.data(), &length));
  ARR_DOES(arr_ipc_import_event(handle.data(), length, &device, &theirs));
  // What is recorded here is waited for there.
  arr_stream writer = nullptr, reader = nullptr;
  ARR_DOES(arr_stream_create(&device, 0, &writer));
  ARR_DOES(arr_stream_create(&device, 0, &reader));
  arr_array a = numbers({6, 4});
  arr_value seven{};
  arr_value_f64(&seven, 7);
  ARR_DOES(arr_fill(a, &seven, writer));
  ARR_DOES(arr_event_record(mine, writer));
  ARR_DOES(arr_stream_wait_event(reader, theirs));
  ARR_DOES(arr_stream_sync(reader));
  int32_t done = 0;
  ARR_DOES(arr_event_query(theirs, &done));
  EXPECT_EQ(done, 1);
  ARR_DOES(arr_stream_query(writer, &done));
  EXPECT_EQ(done, 1);
  // Refused: another length, other bytes, an event that is gone, an array's handle.
  EXPECT_EQ(arr_ipc_import_event(handle.data(), length - 1, &device, &plain), ARR_E_ARGUMENT);
  handle[0] = 'x';
  EXPECT_EQ(arr_ipc_import_event(handle.data(), length, &device, &plain), ARR_E_ARGUMENT);
  handle[0] = 'a';
  ARR_DOES(arr_device_sync(&device));
  for (arr_event e : {mine, theirs}) arr_event_release(e);
  arr_event none = nullptr;
  EXPECT_EQ(arr_ipc_import_event(handle.data(), length, &device, &none), ARR_E_ARGUMENT);
  EXPECT_EQ(none, nullptr);
  arr_event_release(plain);
  arr_release(a);
  for (arr_stream s : {writer, reader}) arr_stream_release(s);
}

ARR_ON_DEVICES(Memory);
ARR_ON_DEVICES(MemoryKinds);

}  // namespace
