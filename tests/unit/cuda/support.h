// SPDX-License-Identifier: MIT
// Shared by the CUDA backend's tests: the backend over the fake CUDA, arrays on it, checks.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "backend/interface.h"
#include "backend/kernels.h"
#include "backend/sorting.h"
#include "cuda/codegen/compile_cache.h"
#include "fake_cuda.h"

extern "C" const arr::Backend* arr_backend_open(int32_t abi_version, int64_t struct_size,
                                                std::string* reason);

namespace arr::cuda_test {

// Points the backend at the fake before anything is opened; a child's own setting stays.
inline const bool pointed = [] {
  for (const char* variable :
       {"ARR_CUDA_DRIVER", "ARR_CUDA_NVRTC", "ARR_CUDA_NVJITLINK", "ARR_CUDA_CUBLAS", "ARR_CUDA_CUBLASLT",
        "ARR_CUDA_CUSOLVER", "ARR_CUDA_CUSPARSE", "ARR_CUDA_CUDSS", "ARR_CUDA_NCCL", "ARR_CUDA_CUFFT"}) {
    setenv(variable, ARR_FAKE_CUDA, 0);
  }
  return true;
}();

inline const Backend& cuda() {
  static const Backend* b = [] {
    std::string reason;
    const Backend* opened = arr_backend_open(backend_abi_version, sizeof(Backend), &reason);
    EXPECT_NE(opened, nullptr) << reason;
    return opened;
  }();
  return *b;
}

#define ARR_WORKS(call)                                       \
  do {                                                        \
    ::arr::BackendError error;                                \
    int32_t status = (call);                                  \
    ASSERT_EQ(status, ARR_OK) << #call << ": " << error.text; \
  } while (0)

// Memory on device 0, filled from and read back to host vectors.
class Memory {
 public:
  explicit Memory(size_t bytes, void* stream = nullptr)
      : bytes_(static_cast<int64_t>(bytes)), stream_(stream) {
    BackendError e;
    EXPECT_EQ(cuda().memory->allocate(0, bytes_, stream_, &data_, &e), ARR_OK) << e.text;
  }
  explicit Memory(const std::vector<char>& host) : Memory(host.size()) { put(host); }
  ~Memory() {
    BackendError e;
    EXPECT_EQ(cuda().memory->release(0, data_, bytes_, stream_, &e), ARR_OK) << e.text;
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void put(const std::vector<char>& host) {
    BackendError e;
    EXPECT_EQ(cuda().memory->copy_from_host(0, data_, host.data(), bytes_, stream_, &e), ARR_OK) << e.text;
  }
  [[nodiscard]] std::vector<char> get() const {
    std::vector<char> host(static_cast<size_t>(bytes_));
    BackendError e;
    EXPECT_EQ(cuda().memory->copy_to_host(0, host.data(), data_, bytes_, stream_, &e), ARR_OK) << e.text;
    return host;
  }
  [[nodiscard]] char* data() const { return static_cast<char*>(data_); }

 private:
  void* data_ = nullptr;
  int64_t bytes_;
  void* stream_;
};

template <class T>
std::vector<char> bytes_of(const std::vector<T>& values) {
  std::vector<char> b(values.size() * sizeof(T));
  std::memcpy(b.data(), values.data(), b.size());
  return b;
}
template <class T>
std::vector<T> values_of(const std::vector<char>& bytes) {
  std::vector<T> v(bytes.size() / sizeof(T));
  std::memcpy(v.data(), bytes.data(), v.size() * sizeof(T));
  return v;
}

// Element values of a dtype that every op and comparison takes: small numbers of both signs, truth values.
inline void set_element(DType d, int64_t value, char* at) {
  Scalar s = convert(scalar_of(value), d);
  std::memcpy(at, &s.lo, static_cast<size_t>(std::min<int64_t>(item_size(d), 8)));
  if (item_size(d) == 16) std::memcpy(at + 8, &s.hi, 8);
}
inline double get_element(DType d, const char* at) {
  Scalar s;
  s.dtype = d;
  std::memcpy(&s.lo, at, static_cast<size_t>(std::min<int64_t>(item_size(d), 8)));
  if (item_size(d) == 16) std::memcpy(&s.hi, at + 8, 8);
  Scalar r = convert(s, DType::float64_);
  double x = 0;
  std::memcpy(&x, &r.lo, 8);
  return x;
}

// The offset of an index in bytes; steps through all indices of a shape, the last fastest.
class Index {
 public:
  explicit Index(std::vector<int64_t> shape) : shape_(std::move(shape)), at_(shape_.size(), 0) {
    for (int64_t n : shape_) done_ = done_ || n == 0;
  }
  [[nodiscard]] bool done() const { return done_; }
  void next() {
    for (size_t d = shape_.size(); d-- > 0;) {
      if (++at_[d] < shape_[d]) return;
      at_[d] = 0;
    }
    done_ = true;
  }
  [[nodiscard]] int64_t offset(const std::vector<int64_t>& strides, size_t from = 0) const {
    int64_t sum = 0;
    for (size_t d = 0; d < strides.size(); ++d) sum += at_[from + d] * strides[d];
    return sum;
  }

 private:
  std::vector<int64_t> shape_, at_;
  bool done_ = false;
};

// Compiles one source; as the backend's own entry but for the call.
inline int32_t create_module(const char* source, std::vector<std::string> options, void** module,
                             std::string* log, BackendError* e) {
  ModuleCall c;
  c.units.push_back({ImageKind::source, source, "kernel.cu"});
  c.options = std::move(options);
  return cuda().kernels->module_create(0, &c, module, log, e);
}

class CudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    arr_fake_cuda_reset();
    arr::cuda::use_disk(false);  // or what is counted would depend on the runs before
  }
};

}  // namespace arr::cuda_test
