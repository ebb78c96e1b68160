// SPDX-License-Identifier: MIT
// Parts that the tests of modules and kernels through the C API share: a device, short ways to load, launch
// and read.
#pragma once

#include <arr/arr.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace arr_test {

// Points the library at the fake before anything is opened.
inline const bool pointed = [] {
  for (const char* variable : {"ARR_CUDA_DRIVER", "ARR_CUDA_NVRTC", "ARR_CUDA_NVJITLINK", "ARR_CUDA_CUBLAS",
                               "ARR_CUDA_CUBLASLT", "ARR_CUDA_CUSOLVER", "ARR_CUDA_CUFFT"}) {
    setenv(variable, ARR_FAKE_CUDA, 0);
  }
  return true;
}();

class Modules : public testing::TestWithParam<int32_t> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(pointed);
    device = {GetParam(), 0};
    arr_array warm = zeros(ARR_FLOAT32, 4);  // what the library keeps for good is there now
    EXPECT_EQ(arr_release(warm), ARR_OK);
    handles = arr_live_handles();
    objects = arr_live_objects();
  }
  void TearDown() override {
    EXPECT_EQ(arr_live_handles(), handles);
    EXPECT_EQ(arr_live_objects(), objects);
  }
  [[nodiscard]] bool host() const { return device.type == ARR_HOST; }

  arr_array zeros(arr_dtype dtype, int64_t n) const {
    arr_array a = nullptr;
    EXPECT_EQ(arr_zeros(dtype, 1, &n, ARR_ORDER_C, &device, nullptr, &a), ARR_OK) << arr_last_error();
    return a;
  }
  template <class T>
  static std::vector<T> get(arr_array a, size_t n) {
    std::vector<T> v(n);
    EXPECT_EQ(arr_get(a, ARR_ORDER_C, v.data(), static_cast<int64_t>(n * sizeof(T)), nullptr), ARR_OK)
        << arr_last_error();
    return v;
  }
  arr_module load(const char* source, arr_module_options o = {}) const {
    o.struct_size = sizeof o;
    arr_module m = nullptr;
    EXPECT_EQ(arr_module_load(source, -1, &device, &o, &m), ARR_OK) << arr_last_error();
    return m;
  }
  static arr_kernel kernel(arr_module m, const char* name) {
    arr_kernel k = nullptr;
    EXPECT_EQ(arr_module_kernel(m, name, &k), ARR_OK) << arr_last_error();
    return k;
  }
  static arr_status launch(arr_kernel k, int64_t blocks, int32_t threads, std::vector<arr_value> args,
                           const arr_launch_options* options = nullptr) {
    const int64_t grid[] = {blocks, 1, 1};
    const int32_t block[] = {threads, 1, 1};
    return arr_launch_raw_options(k, grid, block, options, static_cast<int32_t>(args.size()), args.data(),
                                  nullptr);
  }
  static void release(arr_kernel k, arr_module m) {
    EXPECT_EQ(arr_kernel_release(k), ARR_OK);
    EXPECT_EQ(arr_module_release(m), ARR_OK);
  }
  // Runs "extern C" k(int* out) of a module with one thread; gives what it wrote.
  int32_t run_k(arr_module m, const char* name = "k") const {
    arr_array out = zeros(ARR_INT32, 1);
    arr_kernel k = kernel(m, name);
    EXPECT_EQ(launch(k, 1, 1, {of(out)}), ARR_OK) << arr_last_error();
    const int32_t v = get<int32_t>(out, 1)[0];
    EXPECT_EQ(arr_release(out), ARR_OK);
    EXPECT_EQ(arr_kernel_release(k), ARR_OK);
    return v;
  }
  static arr_value of(arr_array a) {
    arr_value v;
    arr_value_array(&v, a);
    return v;
  }
  static arr_value of(int32_t x) {
    arr_value v;
    arr_value_i32(&v, x);
    return v;
  }
  static arr_value of(float x) {
    arr_value v;
    arr_value_f32(&v, static_cast<double>(x));
    return v;
  }
  // The last error without the function's name.
  static std::string said() {
    const std::string all = arr_last_error();
    return all.substr(all.find(": ") + 2);
  }
  static std::string log_of(arr_module m) {
    int64_t n = 0;
    EXPECT_EQ(arr_module_log(m, 0, nullptr, &n), ARR_OK);
    std::string text(static_cast<size_t>(n) + 1, '\0');
    EXPECT_EQ(arr_module_log(m, n + 1, text.data(), &n), ARR_OK);
    text.pop_back();
    return text;
  }
  std::vector<char> image(const char* source, int32_t kind, arr_module_options o = {}) const {
    o.struct_size = sizeof o;
    const arr_device cuda{ARR_CUDA, 0};
    int64_t size = 0;
    EXPECT_EQ(arr_module_image(source, -1, kind, &cuda, &o, 0, nullptr, &size), ARR_OK) << arr_last_error();
    std::vector<char> bytes(static_cast<size_t>(size));
    EXPECT_EQ(arr_module_image(source, -1, kind, &cuda, &o, size, bytes.data(), &size), ARR_OK);
    return bytes;
  }
  // As the fake reads it: NVRTC makes none, so that it is the fake's PTX with another head.
  [[nodiscard]] std::vector<char> fatbin(const char* source) const {
    const std::vector<char> ptx = image(source, ARR_IMAGE_PTX);
    const std::string text(ptx.begin(), ptx.end());
    const std::string whole = "\x50\xED\x55\xBA" + text.substr(text.find("fake image"));
    return {whole.begin(), whole.end()};
  }

  arr_device device{};
  int64_t handles = 0, objects = 0;
};

// A folder of its own with files, removed at the end.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/arr_modules_XXXXXX";
    path = mkdtemp(name);
  }
  ~Folder() {
    for (const std::string& f : files_) std::remove(f.c_str());
    std::remove(path.c_str());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string put(const std::string& name, const std::string& text) {
    files_.push_back(path + "/" + name);
    std::ofstream(files_.back(), std::ios::binary) << text;
    return files_.back();
  }
  std::string path;

 private:
  std::vector<std::string> files_;
};

#ifdef ARR_WITH_CUDA
#define ARR_ON_DEVICES(suite)                                       \
  INSTANTIATE_TEST_SUITE_P(Host, suite, testing::Values(ARR_HOST)); \
  INSTANTIATE_TEST_SUITE_P(Cuda, suite, testing::Values(ARR_CUDA))
#else
#define ARR_ON_DEVICES(suite) INSTANTIATE_TEST_SUITE_P(Host, suite, testing::Values(ARR_HOST))
#endif

}  // namespace arr_test
