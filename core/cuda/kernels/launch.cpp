// SPDX-License-Identifier: MIT
// Attributes, occupancy and launches of user-written kernels.
#include <algorithm>

#include "cuda/kernels/entries.h"
#include "cuda/kernels/module.h"

namespace arr::cuda {

namespace {

RawKernel& kernel_of(void* kernel) { return *static_cast<RawKernel*>(kernel); }

void check_geometry(const Device& d, const RawKernel& k, const LaunchConfig& c) {
  static constexpr const char* axes[] = {"x", "y", "z"};
  int64_t threads = 1;
  for (size_t i = 0; i < 3; ++i) {
    if (c.grid[i] < 1 || c.grid[i] > d.limits.grid[i]) {
      fail(ARR_E_ARGUMENT, "argument grid: ", c.grid[i], " blocks in ", axes[i], ", must be in 1..",
           d.limits.grid[i]);
    }
    if (c.block[i] < 1 || c.block[i] > d.limits.block[i]) {
      fail(ARR_E_ARGUMENT, "argument block: ", c.block[i], " threads in ", axes[i], ", must be in 1..",
           d.limits.block[i]);
    }
    threads *= c.block[i];
  }
  int64_t max_threads = std::min(d.limits.threads_per_block, k.threads);
  if (threads > max_threads) {
    fail(ARR_E_ARGUMENT, "argument block: ", threads, " threads, ", k.name, " can have ", max_threads);
  }
}

// More dynamic shared memory than every kernel may use (48 KiB minus the static part) must be allowed for
// each kernel.
void allow_shared(Device& d, RawKernel& k, int64_t bytes) {
  int64_t max_bytes = d.limits.shared_bytes_optin - k.static_shared;
  if (bytes < 0 || bytes > max_bytes) {
    fail(ARR_E_ARGUMENT, "argument shared_bytes: ", bytes, " bytes, ", k.name, " can have ", max_bytes);
  }
  if (bytes <= d.limits.shared_bytes - k.static_shared) return;
  const std::lock_guard lock(k.mutex);
  if (bytes <= k.dynamic_shared) return;
  d.check(driver().cuFuncSetAttribute(k.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      static_cast<int>(bytes)),
          "cuFuncSetAttribute");
  k.dynamic_shared = bytes;
}

int32_t active_blocks(Device& d, const RawKernel& k, int32_t threads, int64_t shared_bytes) {
  int blocks = 0;
  d.check(driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k.function, threads,
                                                               static_cast<size_t>(shared_bytes)),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  return blocks;
}

void check_cooperative(Device& d, const RawKernel& k, const LaunchConfig& c) {
  CUdevice ordinal = 0;
  int able = 0;
  d.check(driver().cuDeviceGet(&ordinal, d.index), "cuDeviceGet");
  d.check(driver().cuDeviceGetAttribute(&able, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, ordinal),
          "cuDeviceGetAttribute");
  if (able == 0) fail(ARR_E_UNSUPPORTED, "argument options: ", d.name, " has no cooperative launch");
  const int64_t max_blocks =
      int64_t{active_blocks(d, k, c.block[0] * c.block[1] * c.block[2], c.shared_bytes)} *
      d.limits.multiprocessors;
  // Each factor is at most 2^31 and their number is small, but three of them may pass 64 bits.
  const double blocks =
      static_cast<double>(c.grid[0]) * static_cast<double>(c.grid[1]) * static_cast<double>(c.grid[2]);
  if (blocks > static_cast<double>(max_blocks)) {
    fail(ARR_E_ARGUMENT, "argument grid: ", c.grid[0], " x ", c.grid[1], " x ", c.grid[2],
         " blocks in a cooperative launch, but ", d.name, " runs at most ", max_blocks, " of ", k.name,
         " at once");
  }
}

void check_cluster(const Device& d, const LaunchConfig& c) {
  if (d.limits.arch < 90) {
    fail(ARR_E_UNSUPPORTED, "argument options: clusters need compute capability 9.0, ", d.name, " has ",
         d.limits.arch / 10, ".", d.limits.arch % 10);
  }
  for (size_t i = 0; i < 3; ++i) {
    if (c.cluster[i] < 1 || c.grid[i] % c.cluster[i] != 0) {
      fail(ARR_E_ARGUMENT, "argument options: a cluster of (", c.cluster[0], ",", c.cluster[1], ",",
           c.cluster[2], ") blocks does not divide the grid (", c.grid[0], ",", c.grid[1], ",", c.grid[2],
           ")");
    }
  }
}

void launch_extended(Device& d, const RawKernel& k, const LaunchConfig& c, void** params, Stream& s) {
  if (driver().cuLaunchKernelEx == nullptr) {
    fail(ARR_E_UNAVAILABLE, "argument options: the driver has no cuLaunchKernelEx; CUDA 11.8 and later have");
  }
  CUlaunchAttribute attributes[2] = {};
  CUlaunchConfig config{static_cast<unsigned>(c.grid[0]),
                        static_cast<unsigned>(c.grid[1]),
                        static_cast<unsigned>(c.grid[2]),
                        static_cast<unsigned>(c.block[0]),
                        static_cast<unsigned>(c.block[1]),
                        static_cast<unsigned>(c.block[2]),
                        static_cast<unsigned>(c.shared_bytes),
                        s.handle,
                        attributes,
                        0};
  if (c.cooperative) {
    CUlaunchAttribute& a = attributes[config.numAttrs++];
    a.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    a.value.cooperative = 1;
  }
  if (c.cluster[0] != 0) {
    CUlaunchAttribute& a = attributes[config.numAttrs++];
    a.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    for (size_t i = 0; i < 3; ++i) a.value.cluster[i] = static_cast<unsigned>(c.cluster[i]);
  }
  d.check(driver().cuLaunchKernelEx(&config, k.function, params, nullptr), "cuLaunchKernelEx", &s);
}

}  // namespace

int32_t kernel_params(int32_t device, void* kernel, std::vector<KernelParam>* params, int32_t* known,
                      BackendError* error) {
  return translate_exceptions(error, [&] {
    Device::get(device);
    const RawKernel& k = kernel_of(kernel);
    *params = k.params;
    *known = k.known ? 1 : 0;
  });
}

int32_t kernel_attribute(int32_t device, void* kernel, int32_t attribute, int64_t* value,
                         BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    int v = 0;
    const CUresult r = driver().cuFuncGetAttribute(&v, attribute, kernel_of(kernel).function);
    if (r == CUDA_ERROR_INVALID_VALUE) {
      fail(ARR_E_ARGUMENT, "argument attribute: ", attribute, " is not known to the driver");
    }
    call.device.check(r, "cuFuncGetAttribute");
    *value = v;
  });
}

int32_t kernel_set_attribute(int32_t device, void* kernel, int32_t attribute, int64_t value,
                             BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    RawKernel& k = kernel_of(kernel);
    const bool shared = attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    const int64_t max_bytes = call.device.limits.shared_bytes_optin - k.static_shared;
    if (value < INT32_MIN || value > INT32_MAX || (shared && (value < 0 || value > max_bytes))) {
      fail(ARR_E_ARGUMENT, "argument value: ", value,
           shared ? text(" bytes, ", k.name, " can have ", max_bytes) : "");
    }
    const std::lock_guard lock(k.mutex);
    const CUresult r = driver().cuFuncSetAttribute(k.function, attribute, static_cast<int>(value));
    if (r == CUDA_ERROR_INVALID_VALUE) {
      fail(ARR_E_ARGUMENT, "argument value: the driver does not set attribute ", attribute, " to ", value);
    }
    call.device.check(r, "cuFuncSetAttribute");
    if (shared) k.dynamic_shared = value;
  });
}

int32_t kernel_occupancy(int32_t device, void* kernel, int32_t threads, int64_t shared_bytes, int32_t* blocks,
                         BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    RawKernel& k = kernel_of(kernel);
    if (threads < 1 || threads > call.device.limits.threads_per_block) {
      fail(ARR_E_ARGUMENT, "argument threads: ", threads, ", must be in 1..",
           call.device.limits.threads_per_block);
    }
    allow_shared(call.device, k, shared_bytes);
    *blocks = active_blocks(call.device, k, threads, shared_bytes);
  });
}

int32_t kernel_block_size(int32_t device, void* kernel, int64_t shared_bytes, int32_t max_threads,
                          int32_t* threads, int32_t* blocks, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    RawKernel& k = kernel_of(kernel);
    allow_shared(call.device, k, shared_bytes);
    int best = 0, grid = 0;
    call.device.check(driver().cuOccupancyMaxPotentialBlockSize(
                          &grid, &best, k.function, nullptr, static_cast<size_t>(shared_bytes), max_threads),
                      "cuOccupancyMaxPotentialBlockSize");
    *threads = best;
    *blocks = grid;
  });
}

int32_t kernel_launch(int32_t device, void* kernel, const LaunchConfig* config, int32_t nargs,
                      void* const* args, void* stream, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, stream);
    RawKernel& k = kernel_of(kernel);
    const LaunchConfig& c = *config;
    if (k.known && static_cast<size_t>(nargs) != k.params.size()) {
      fail(ARR_E_ARGUMENT, "argument nargs: ", k.name, " has ", k.params.size(), " parameters, got ", nargs);
    }
    check_geometry(call.device, k, c);
    allow_shared(call.device, k, c.shared_bytes);
    if (c.cluster[0] != 0) check_cluster(call.device, c);
    if (c.cooperative) check_cooperative(call.device, k, c);
    call.stream.last_work.store("a user's kernel", std::memory_order_relaxed);
    auto** params = const_cast<void**>(args);
    if (c.cooperative || c.cluster[0] != 0) return launch_extended(call.device, k, c, params, call.stream);
    call.device.check(driver().cuLaunchKernel(
                          k.function, static_cast<unsigned>(c.grid[0]), static_cast<unsigned>(c.grid[1]),
                          static_cast<unsigned>(c.grid[2]), static_cast<unsigned>(c.block[0]),
                          static_cast<unsigned>(c.block[1]), static_cast<unsigned>(c.block[2]),
                          static_cast<unsigned>(c.shared_bytes), call.stream.handle, params, nullptr),
                      "cuLaunchKernel", &call.stream);
  });
}

}  // namespace arr::cuda
