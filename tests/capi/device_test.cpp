// SPDX-License-Identifier: MIT
// device.h beyond queues of work, on the host and on the CUDA module over the fake: what devices are, lists,
// peers, priorities, functions in stream order.
#include <chrono>

#include "support.h"

namespace {

class Devices : public arr_test::OnDevice {
 protected:
  using Text = arr_status (*)(const arr_device*, int64_t, char*, int64_t*);
  [[nodiscard]] std::string text(Text f) const {
    char buffer[200] = {};
    int64_t length = 0;
    EXPECT_EQ(f(&device, sizeof buffer, buffer, &length), ARR_OK) << arr_last_error();
    EXPECT_EQ(static_cast<int64_t>(std::string(buffer).size()), length);
    return buffer;
  }
};

TEST_P(Devices, TellWhatTheyAre) {
  arr_device_properties p{};
  p.struct_size = sizeof p;
  ARR_DOES(arr_device_info(&device, &p));
  EXPECT_GT(p.memory_bytes, 0);
  EXPECT_GT(p.multiprocessors, 0);
  EXPECT_EQ(p.threads_per_block, 1024);
  EXPECT_EQ(p.warp_size, 32);
  EXPECT_EQ(p.struct_size, static_cast<int64_t>(sizeof p));
  EXPECT_EQ(p.compute_major, host() ? -1 : 9);
  p.struct_size = 8;
  EXPECT_EQ(arr_device_info(&device, &p), ARR_E_ARGUMENT);

  int64_t value = 0;
  if (host()) {
    EXPECT_EQ(arr_device_attribute(&device, "WARP_SIZE", -1, &value), ARR_E_UNSUPPORTED);
    EXPECT_EQ(text(arr_device_pci), "");
    EXPECT_EQ(text(arr_device_uuid), "");
  } else {
    ARR_DOES(arr_device_attribute(&device, "max_Grid_dim_Xyz", 14, &value));
    EXPECT_EQ(value, 0x7fffffff);
    ARR_DOES(arr_device_attribute(&device, "TCC_DRIVER", -1, &value));
    EXPECT_EQ(value, -1);  // which the fake does not know
    EXPECT_EQ(arr_device_attribute(&device, "MAX_THREADS", -1, &value), ARR_E_ARGUMENT);
    EXPECT_EQ(std::string(arr_last_error()),
              "arr_device_attribute: argument name: \"MAX_THREADS\" is not an attribute of the driver");
    EXPECT_EQ(text(arr_device_pci), "0000:00:00.0");
    EXPECT_EQ(text(arr_device_uuid), "GPU-00112233-4455-6677-8899-aabbccddeeff");
    arr_device found{};
    ARR_DOES(arr_device_find_pci("0000:00:00.0", -1, &found));
    EXPECT_EQ(found.type, ARR_CUDA);
    EXPECT_EQ(found.index, 0);
    EXPECT_EQ(arr_device_find_pci("0000:99:00.0", -1, &found), ARR_E_ARGUMENT);
  }
}

TEST_P(Devices, ListsAreFiltered) {
  const auto count = [](const arr_device_filter* f, double seconds = 0) {
    arr_device found[4] = {};
    int32_t n = -1;
    EXPECT_EQ(arr_device_list(f, seconds, 4, found, &n), ARR_OK) << arr_last_error();
    return n;
  };
  const int32_t all = count(nullptr);
  EXPECT_GE(all, 1);
  arr_device_filter f{};
  f.struct_size = sizeof f;
  f.type = device.type;
  arr_device found{};
  int32_t n = 0;
  ARR_DOES(arr_device_list(&f, 0, 1, &found, &n));
  EXPECT_EQ(n, 1);
  EXPECT_EQ(found.type, device.type);
  f.free_bytes = 1;
  EXPECT_EQ(count(&f), 1);
  f.memory_bytes = int64_t{1} << 60;
  EXPECT_EQ(count(&f), 0);
  f.memory_bytes = 0;
  f.compute = 90;
  EXPECT_EQ(count(&f), host() ? 0 : 1);
  f.compute = 0;
  f.name = host() ? "" : "FAKE gpu";
  f.name_length = -1;
  EXPECT_EQ(count(&f), 1);
  f.name = "no such name";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(count(&f, 0.25), 0);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(250));
  f.type = 7;
  EXPECT_EQ(arr_device_list(&f, 0, 0, nullptr, &n), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_device_list(nullptr, -1, 0, nullptr, &n), ARR_E_ARGUMENT);
}

TEST_P(Devices, PeersAreOtherDevicesOfTheType) {
  bool possible = true;
  ARR_DOES(arr_device_peer_possible(&device, &device, &possible));
  EXPECT_FALSE(possible);
  EXPECT_EQ(arr_device_peer(&device, &device, true), host() ? ARR_E_UNSUPPORTED : ARR_E_ARGUMENT);
  if (!host()) {
    EXPECT_EQ(arr_device_peer(&device, nullptr, true), ARR_E_ARGUMENT);
    EXPECT_EQ(std::string(arr_last_error()),
              "arr_device_peer: argument peer: host is of another type than cuda:0");
  }
}

TEST_P(Devices, HaveLimitsThatCanBeSet) {
  int64_t value = -7, before = 0;
  if (host()) {
    EXPECT_EQ(arr_device_limit(&device, ARR_LIMIT_STACK_BYTES, &value), ARR_E_UNSUPPORTED);
    EXPECT_EQ(std::string(arr_last_error()),
              "arr_device_limit: argument device: the host has no device limits, the system sets them");
    EXPECT_EQ(arr_device_set_limit(nullptr, ARR_LIMIT_STACK_BYTES, 1024), ARR_E_UNSUPPORTED);
    EXPECT_EQ(value, -7);
  } else {
    for (int32_t limit :
         {ARR_LIMIT_STACK_BYTES, ARR_LIMIT_PRINTF_BYTES, ARR_LIMIT_HEAP_BYTES, ARR_LIMIT_PENDING_LAUNCHES,
          ARR_LIMIT_L2_FETCH_BYTES, ARR_LIMIT_PERSISTING_L2_BYTES}) {
      ARR_DOES(arr_device_limit(&device, limit, &before));
      const int64_t wanted = limit == ARR_LIMIT_L2_FETCH_BYTES ? 32 : 2 * before + 4096;
      ARR_DOES(arr_device_set_limit(&device, limit, wanted));
      ARR_DOES(arr_device_limit(&device, limit, &value));
      EXPECT_EQ(value, wanted);
      ARR_DOES(arr_device_set_limit(&device, limit, before));
    }
    ARR_DOES(arr_device_set_limit(&device, ARR_LIMIT_STACK_BYTES, 1025));
    ARR_DOES(arr_device_limit(&device, ARR_LIMIT_STACK_BYTES, &value));
    EXPECT_EQ(value, 1040);  // rounded by the driver
    EXPECT_EQ(arr_device_limit(&device, ARR_LIMIT_SYNC_DEPTH, &value), ARR_E_UNSUPPORTED);
    EXPECT_EQ(std::string(arr_last_error()),
              "arr_device_limit: argument limit: the device has none for depth of waits in kernels");
    EXPECT_EQ(arr_device_set_limit(&device, ARR_LIMIT_SYNC_DEPTH, 2), ARR_E_UNSUPPORTED);
    EXPECT_EQ(arr_device_set_limit(&device, ARR_LIMIT_L2_FETCH_BYTES, 1000), ARR_E_ARGUMENT);
  }
  EXPECT_EQ(arr_device_limit(&device, 7, &value), ARR_E_ARGUMENT);
  EXPECT_EQ(std::string(arr_last_error()),
            "arr_device_limit: argument limit: 7, expected one of ARR_LIMIT_...");
  EXPECT_EQ(arr_device_limit(&device, -1, &value), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_device_limit(&device, ARR_LIMIT_STACK_BYTES, nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_device_set_limit(&device, ARR_LIMIT_STACK_BYTES, -1), ARR_E_ARGUMENT);
}

// The value of a variable comes back at the end.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name); old != nullptr) old_ = old;
    value != nullptr ? setenv(name, value, 1) : unsetenv(name);
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  ~Setting() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }

 private:
  const char* name_;
  std::string old_;
};

TEST_P(Devices, TellTheToolkit) {
  if (host()) {
    int64_t length = 5;
    EXPECT_EQ(arr_library_toolkit(&device, 0, nullptr, &length), ARR_E_UNSUPPORTED);
    EXPECT_EQ(length, 5);
    return;
  }
  const std::string real = testing::TempDir();
  const Setting path("CUDA_PATH", real.c_str());
  EXPECT_EQ(text(arr_library_toolkit), real);
  for (const char* no : {"/nowhere/cuda", "relative/cuda", static_cast<const char*>(nullptr)}) {
    const Setting other("CUDA_PATH", no), home("CUDA_HOME", real.c_str());
    EXPECT_EQ(text(arr_library_toolkit), real);
  }
  char cut[4];
  int64_t length = 0;
  ARR_DOES(arr_library_toolkit(&device, sizeof cut, cut, &length));
  EXPECT_EQ(std::string(cut), real.substr(0, 3));
  EXPECT_EQ(length, static_cast<int64_t>(real.size()));
}

TEST_P(Devices, LendTheirLibraries) {
  void *function = nullptr, *handle = nullptr, *again = nullptr, *other = nullptr;
  int32_t major = 0, minor = 0, patch = 0;
  if (host()) {
    EXPECT_EQ(arr_library_function(&device, ARR_LIBRARY_CUBLAS, "cublasSgemm_v2", -1, &function),
              ARR_E_UNSUPPORTED);
    EXPECT_EQ(arr_library_version(&device, ARR_LIBRARY_CUBLAS, &major, &minor, &patch), ARR_E_UNSUPPORTED);
    EXPECT_EQ(arr_library_handle(&device, ARR_LIBRARY_CUBLAS, nullptr, &handle), ARR_E_UNSUPPORTED);
    return;
  }
  ARR_DOES(arr_library_version(&device, ARR_LIBRARY_CUBLAS, &major, &minor, &patch));
  EXPECT_EQ(major * 100 + minor * 10 + patch, 1312);
  for (int32_t library = ARR_LIBRARY_DRIVER; library <= ARR_LIBRARY_CURAND; ++library) {
    if (library == ARR_LIBRARY_NVJITLINK) continue;  // the fake has none
    ARR_DOES(arr_library_version(&device, library, &major, nullptr, nullptr));
    EXPECT_GE(major, 10) << library;
    EXPECT_EQ(arr_library_function(&device, library, "of_no_library", -1, &function), ARR_E_ARGUMENT);
  }
  EXPECT_EQ(std::string(arr_last_error()),
            "arr_library_function: argument name: cuRAND has no function of_no_library");
  EXPECT_EQ(arr_library_version(&device, 99, &major, nullptr, nullptr), ARR_E_ARGUMENT);

  arr_stream stream = nullptr;
  ARR_DOES(arr_stream_create(&device, 0, &stream));
  for (const int32_t library : {ARR_LIBRARY_CUBLAS, ARR_LIBRARY_CUSOLVER}) {
    ARR_DOES(arr_library_handle(&device, library, stream, &handle));
    ARR_DOES(arr_library_handle(&device, library, stream, &again));
    ARR_DOES(arr_library_handle(&device, library, nullptr, &other));
    EXPECT_EQ(handle, again);
    EXPECT_NE(handle, other);
  }
  // A function of the library with a handle of the stream.
  void* native = nullptr;
  ARR_DOES(arr_stream_native(stream, &native));
  ARR_DOES(arr_library_function(&device, ARR_LIBRARY_CUBLAS, "cublasSetStream_v2 and more", 18, &function));
  ARR_DOES(arr_library_handle(&device, ARR_LIBRARY_CUBLAS, stream, &handle));
  EXPECT_EQ(reinterpret_cast<int (*)(void*, void*)>(function)(handle, native), 0);

  EXPECT_EQ(arr_library_handle(&device, ARR_LIBRARY_CUFFT, stream, &handle), ARR_E_UNSUPPORTED);
  ARR_DOES(arr_graph_begin(stream));
  EXPECT_EQ(arr_library_handle(&device, ARR_LIBRARY_CUBLAS, stream, &handle), ARR_E_UNSUPPORTED);
  arr_graph graph = nullptr;
  ARR_DOES(arr_graph_end(stream, &graph));
  ARR_DOES(arr_graph_release(graph));
  ARR_DOES(arr_stream_release(stream));
}

TEST_P(Devices, StreamsHavePriorities) {
  int32_t least = 1, greatest = 1, flags = -1, priority = 1;
  bool capturing = true;
  ARR_DOES(arr_stream_priority_range(&device, &least, &greatest));
  EXPECT_EQ(least, 0);
  EXPECT_EQ(greatest, host() ? 0 : -5);
  arr_stream s = nullptr;
  ARR_DOES(arr_stream_create_priority(&device, ARR_STREAM_BLOCKING, greatest - 100, &s));
  ARR_DOES(arr_stream_details(s, &flags, &priority, &capturing));
  EXPECT_EQ(flags, ARR_STREAM_BLOCKING);
  EXPECT_EQ(priority, greatest);
  EXPECT_FALSE(capturing);
  arr_stream_release(s);
  ARR_DOES(arr_stream_create(&device, 0, &s));
  ARR_DOES(arr_stream_details(s, &flags, &priority, &capturing));
  EXPECT_EQ(flags, 0);
  EXPECT_EQ(priority, 0);
  EXPECT_EQ(arr_stream_create_priority(&device, 2, 0, &s), ARR_E_ARGUMENT);
  arr_stream_release(s);
}

struct Seen {
  void* data;
  uint8_t value;
};

// The function sees what was written before it, and not what is written after.
TEST_P(Devices, HostFunctionsRunInStreamOrder) {
  arr_stream s = nullptr;
  ARR_DOES(arr_stream_create(&device, 0, &s));
  const int64_t n = 100;
  arr_array a = nullptr;
  ARR_DOES(arr_create(ARR_UINT8, 1, &n, ARR_ORDER_C, &device, s, &a));
  Seen seen{nullptr, 0};
  ARR_DOES(arr_data(a, &seen.data));
  ARR_DOES(arr_memory_set(&device, seen.data, 7, n, s));
  // The fake's device memory is host memory.
  ARR_DOES(arr_stream_host_function(
      s,
      [](void* ctx) {
        auto* x = static_cast<Seen*>(ctx);
        x->value = *static_cast<uint8_t*>(x->data);
      },
      &seen));
  ARR_DOES(arr_memory_set(&device, seen.data, 9, n, s));
  ARR_DOES(arr_stream_sync(s));
  EXPECT_EQ(seen.value, 7);
  EXPECT_EQ(arr_stream_host_function(s, nullptr, nullptr), ARR_E_ARGUMENT);
  arr_release(a);
  arr_stream_release(s);
}

TEST_P(Devices, EventsMayBlockAndAreNative) {
  arr_event e = nullptr;
  ARR_DOES(arr_event_create(&device, ARR_EVENT_TIMING | ARR_EVENT_BLOCKING, &e));
  void* native = nullptr;
  EXPECT_EQ(arr_event_native(e, &native), host() ? ARR_E_UNSUPPORTED : ARR_OK);
  EXPECT_EQ(native == nullptr, host());
  arr_event_release(e);
  EXPECT_EQ(arr_event_create(&device, 8, &e), ARR_E_ARGUMENT);
}

ARR_ON_DEVICES(Devices);

}  // namespace
