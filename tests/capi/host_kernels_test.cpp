// SPDX-License-Identifier: MIT
// The module libarr_hostcuda.so: opened at the first raw kernel and once, looked for where
// ARR_HOST_KERNELS_MODULE says, refused if it is of another version. Each test runs in a separate process,
// which has opened nothing.
#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>

#include "modules.h"

namespace arr_test {
namespace {

constexpr const char* variable = "ARR_HOST_KERNELS_MODULE";
constexpr const char* source = "extern \"C\" __global__ void k(int* o) {\n  *o = 42;\n}\n";

// True if a file of that name is mapped into this process.
bool is_opened(const std::string& name) {
  std::ifstream in("/proc/self/maps");
  const std::string maps{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return maps.find(name) != std::string::npos;
}

class HostKernels : public Modules {
 protected:
  // The error of a module of that source, or "" if it is compiled.
  [[nodiscard]] std::string error_of_load() const {
    arr_module m = nullptr;
    const arr_status status = arr_module_create(source, -1, &device, 0, nullptr, &m);
    if (status == ARR_OK) {
      EXPECT_EQ(arr_module_release(m), ARR_OK);
      return "";
    }
    EXPECT_EQ(status, ARR_E_UNAVAILABLE);
    EXPECT_EQ(m, nullptr);
    return said();
  }
};

constexpr const char* advice =
    "; install it in arr-0 beside libarr (a build with -DARR_HOST_KERNELS=ON has it), or set "
    "ARR_HOST_KERNELS_MODULE to its path";

TEST_P(HostKernels, TheFirstKernelOpensTheModule) {
  arr_array a = zeros(ARR_FLOAT32, 1000), sum = nullptr;
  EXPECT_EQ(arr_sum(a, 0, nullptr, false, nullptr, &sum), ARR_OK) << arr_last_error();
  EXPECT_FALSE(is_opened("libarr_hostcuda.so"));
  arr_module m = load(source);
  EXPECT_TRUE(is_opened("libarr_hostcuda.so"));
  EXPECT_EQ(run_k(m), 42);
  for (arr_array one : {a, sum}) EXPECT_EQ(arr_release(one), ARR_OK);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
}

TEST_P(HostKernels, TheErrorSaysWhatIsMissing) {
  setenv(variable, "/nonexistent", 1);
  const std::string expected =
      std::string(
          "raw kernels on the host need libarr_hostcuda.so: /nonexistent: cannot open shared object file: No "
          "such file or directory") +
      advice;
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(error_of_load(), expected);
  }
  // Textures are for kernels.
  const int64_t shape[] = {4, 6};
  arr_texels texels = nullptr;
  arr_texture texture = nullptr;
  ASSERT_EQ(arr_texels_create(ARR_FLOAT32, 1, 2, shape, 0, &device, &texels), ARR_OK) << arr_last_error();
  EXPECT_EQ(arr_texture_create(texels, nullptr, &texture), ARR_E_UNAVAILABLE);
  EXPECT_EQ(said(), expected);
  EXPECT_EQ(arr_texels_release(texels), ARR_OK);
  // Everything else works.
  arr_array a = zeros(ARR_FLOAT32, 4), b = nullptr;
  EXPECT_EQ(arr_exp(a, nullptr, &b), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<float>(b, 4), std::vector<float>(4, 1.0F));
  for (arr_array one : {a, b}) EXPECT_EQ(arr_release(one), ARR_OK);
}

TEST_P(HostKernels, RelativePathsAreIgnored) {
  setenv(variable, "libarr_hostcuda.so", 1);
  EXPECT_EQ(error_of_load(), "");
}

TEST_P(HostKernels, ALibraryThatIsNoModule) {
  setenv(variable, ARR_TEST_PLUGIN_WITHOUT_OPEN, 1);
  EXPECT_EQ(error_of_load(), "raw kernels on the host need libarr_hostcuda.so: " ARR_TEST_PLUGIN_WITHOUT_OPEN
                             ": it exports no arr_host_kernels_open" +
                                 std::string(advice));
}

void expect_refused(const std::string& error, const std::string& reason) {
  EXPECT_EQ(error.find("raw kernels on the host need libarr_hostcuda.so: " ARR_TEST_MODULE ": " + reason), 0U)
      << error;
}

TEST_P(HostKernels, AnotherVersionIsRefused) {
  setenv(variable, ARR_TEST_MODULE, 1);
  setenv("PLUGIN", "newer", 1);
  expect_refused(error_of_load(), "its interface is version ");
}

TEST_P(HostKernels, OtherTypesAreRefused) {
  setenv(variable, ARR_TEST_MODULE, 1);
  setenv("PLUGIN", "other types", 1);
  expect_refused(error_of_load(), "its types have ");
}

TEST_P(HostKernels, AModuleMayRefuse) {
  setenv(variable, ARR_TEST_MODULE, 1);
  setenv("PLUGIN", "refuses", 1);
  expect_refused(error_of_load(), "not for version ");
}

struct Lines {
  std::mutex mutex;
  std::vector<std::string> all;
};

// Threads that come first at the same time open it once, and all of them compile and run.
TEST_P(HostKernels, ThreadsOpenItOnce) {
  Lines lines;
  ASSERT_EQ(arr_log_set(
                ARR_LOG_INFO,
                [](void* ctx, int32_t, const char* line) {
                  auto& l = *static_cast<Lines*>(ctx);
                  const std::lock_guard lock(l.mutex);
                  l.all.emplace_back(line);
                },
                nullptr, &lines),
            ARR_OK);
  std::atomic<int> ready{0}, right{0};
  std::vector<std::thread> threads;
  constexpr int count = 8;
  for (int t = 0; t < count; ++t) {
    threads.emplace_back([&] {
      ++ready;
      while (ready < count) std::this_thread::yield();
      arr_module m = load(source);
      right += run_k(m) == 42 ? 1 : 0;
      EXPECT_EQ(arr_module_release(m), ARR_OK);
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(arr_log_set(ARR_LOG_WARNING, nullptr, nullptr, nullptr), ARR_OK);
  EXPECT_EQ(right, count);
  EXPECT_EQ(std::count_if(lines.all.begin(), lines.all.end(),
                          [](const std::string& l) { return l.ends_with("libarr_hostcuda.so: loaded"); }),
            1);
}

// The counts of the cache include the module's, which has a copy of the code that counts.
TEST_P(HostKernels, TheModulesCacheIsCounted) {
  const auto counts = [] {
    arr_cache_stats s{};
    s.struct_size = sizeof s;
    EXPECT_EQ(arr_cache_info(&s), ARR_OK) << arr_last_error();
    return s;
  };
  const arr_cache_stats before = counts();
  EXPECT_EQ(error_of_load(), "");
  const arr_cache_stats after = counts();
  EXPECT_GT(after.hits + after.misses, before.hits + before.misses);
}

INSTANTIATE_TEST_SUITE_P(Host, HostKernels, testing::Values(ARR_HOST));

}  // namespace
}  // namespace arr_test
