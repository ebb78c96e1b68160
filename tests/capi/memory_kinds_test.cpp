// SPDX-License-Identifier: MIT
// managed.h, ipc.h and arr_create_pitched on the host and on the CUDA module over the fake, where one process
// plays both that share memory or an event.
#include <dlfcn.h>

#include <functional>
#include <numeric>

#include "support.h"

namespace {

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
  [[nodiscard]] static bool managed(arr_array a) {
    bool yes = false;
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
  EXPECT_STREQ(arr_last_error(), "arr_memory_advise: argument advice: 7, expected one of ARR_ADVISE_...");
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
    EXPECT_EQ(std::string(arr_last_error()).find("arr_ipc_export: argument a: the array is on the host"), 0U);
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
    EXPECT_EQ(std::string(arr_last_error())
                  .find("arr_ipc_export_event: argument event: events of the host cannot be shared"),
              0U);
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
  // An event recorded here is waited for there.
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
  bool done = false;
  ARR_DOES(arr_event_query(theirs, &done));
  EXPECT_TRUE(done);
  ARR_DOES(arr_stream_query(writer, &done));
  EXPECT_TRUE(done);
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

ARR_ON_DEVICES(MemoryKinds);

}  // namespace
