// SPDX-License-Identifier: MIT
// Children of fork(): they compute on the host whatever other threads were doing when they were made, and are
// told that a GPU which their parent uses is not theirs.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>

#include "support.h"

namespace {

constexpr unsigned patience = 200;  // seconds that a child may take

// Checks that body() holds in a child, which ends without leaving main() unless `leave` says how.
void in_child(const std::function<bool()>& body, void (*leave)(int) = _exit) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(patience);
    const bool good = body();
    if (!good) static_cast<void>(!write(STDERR_FILENO, arr_last_error(), std::strlen(arr_last_error())));
    leave(good ? 0 : 1);
    _exit(3);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

arr_array ones(int64_t n, const arr_device* device = nullptr) {
  const int64_t shape[] = {n, n};
  arr_array a = nullptr;
  static_cast<void>(arr_ones(ARR_FLOAT64, 2, shape, ARR_ORDER_C, device, nullptr, &a));
  return a;
}

// The sum of all elements, which is released; -1 where it cannot be had.
double total(arr_array a) {
  arr_array s = nullptr;
  arr_value v{};
  double sum = -1;
  if (arr_sum(a, 0, nullptr, 0, nullptr, &s) == ARR_OK && arr_item(s, 0, nullptr, &v) == ARR_OK) {
    std::memcpy(&sum, &v.lo, sizeof sum);
  }
  arr_release(s);
  arr_release(a);
  return sum;
}

template <class Call>
arr_array made(const Call& call) {
  arr_array out = nullptr;
  static_cast<void>(call(&out));
  return out;
}

const char* const source =
    "extern \"C\" __global__ void twice(double* x, long long n) {"
    "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;"
    "  if (i < n) x[i] *= 2;"
    "}";

bool launches() {
  arr_module m = nullptr;
  arr_kernel k = nullptr;
  if (arr_module_create(source, -1, nullptr, 0, nullptr, &m) != ARR_OK ||
      arr_module_kernel(m, "twice", &k) != ARR_OK)
    return false;
  arr_array a = ones(300);
  arr_value args[2]{};
  arr_value_array(&args[0], a);
  arr_value_i64(&args[1], 90000);
  const int64_t grid[] = {352, 1, 1};
  const int32_t block[] = {256, 1, 1};
  const bool good = arr_launch_raw(k, grid, block, 0, 2, args, nullptr) == ARR_OK;
  arr_kernel_release(k);
  arr_module_release(m);
  return total(a) == 180000 && good;
}

// Each of the library's parts once, on threads where there are any.
bool computes() {
  const int64_t n = 300;
  arr_array a = ones(n);
  bool good = total(made([&](arr_array* out) { return arr_add(a, a, nullptr, out); })) == 2 * 90000;
  good = total(made([&](arr_array* out) { return arr_matmul(a, a, nullptr, out); })) == 300 * 90000 && good;
  arr_array f = nullptr, r = nullptr;
  good = arr_rfft(a, -1, -1, ARR_FFT_BACKWARD, nullptr, &f) == ARR_OK && good;
  good = arr_real(f, nullptr, &r) == ARR_OK && total(r) == 90000 && good;
  arr_release(f);
  arr_generator g = nullptr;
  const int64_t seed = 7, shape[] = {200000};
  good = arr_generator_create(1, &seed, &g) == ARR_OK && good;
  arr_array u = made([&](arr_array* out) {
    return arr_random_draw(g, ARR_DISTRIBUTION_RANDOM, 0, nullptr, ARR_FLOAT64, 1, shape, nullptr, nullptr,
                           out);
  });
  const double sum = total(u);
  good = sum > 99000 && sum < 101000 && good;
  arr_generator_release(g);
  arr_release(a);
  return launches() && good;
}

TEST(Fork, AChildComputesOnTheHost) {
  ASSERT_TRUE(computes()) << arr_last_error();
  arr_array a = ones(300);
  ARR_DOES(arr_device_sync(nullptr));
  in_child(computes);
  in_child([&] { return total(a) == 90000; });  // what the parent has made, too
  in_child([] {
    bool good = true;
    in_child([&] { return good = computes(); });
    return good && !testing::Test::HasFailure();
  });
  EXPECT_EQ(total(a), 90000);
  EXPECT_TRUE(computes());
}

TEST(Fork, AChildMayLeaveAsAnyProgram) {
  ASSERT_TRUE(computes()) << arr_last_error();
  arr_stream s = nullptr;
  ARR_DOES(arr_stream_create(nullptr, 0, &s));
  ARR_DOES(arr_device_sync(nullptr));
  in_child([&] { return computes() && arr_stream_sync(s) == ARR_OK && arr_stream_release(s) == ARR_OK; },
           std::exit);
  ARR_DOES(arr_stream_release(s));
}

// Every lock that a thread may hold at the moment of a fork is free in the child.
TEST(Fork, WhileOthersAllocateAndCompute) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "GCC 12's AddressSanitizer does not hold its locks over a fork";
#endif
  ASSERT_TRUE(computes()) << arr_last_error();
  std::atomic<bool> stop{false};
  std::vector<std::thread> others;
  others.emplace_back([&] {
    for (int64_t n = 1; !stop; n = n % 100000 + 77) {
      arr_array a = nullptr;
      static_cast<void>(arr_create(ARR_UINT8, 1, &n, ARR_ORDER_C, nullptr, nullptr, &a));
      arr_release(a);
      if (n % 16 == 0) arr_device_sync(nullptr);  // a host with late streams would fall behind
    }
  });
  others.emplace_back([&] {
    while (!stop) static_cast<void>(total(ones(3)));
  });
  others.emplace_back([&] {
    for (int64_t n = 2; !stop; n = n % 64 + 1) {
      arr_array a = ones(n), f = nullptr;
      static_cast<void>(arr_rfft(a, -1, -1, ARR_FFT_BACKWARD, nullptr, &f));
      arr_release(f);
      arr_release(a);
      arr_device_sync(nullptr);
    }
  });
  for (int k = 0; k < 500; ++k) {
    in_child([] {
      arr_memory_pool_stats s{};
      s.struct_size = sizeof s;
      return total(ones(30)) == 900 && total(ones(200)) == 40000 &&
             arr_memory_pool_info(nullptr, &s) == ARR_OK;
    });
    if (HasFailure()) break;
  }
  stop = true;
  for (std::thread& t : others) t.join();
  EXPECT_TRUE(computes());
}

// Work of the library's threads, oneTBB's and OpenBLAS's at the moment of a fork is lost, and nobody waits
// for it: the child computes on its one thread, and the parent goes on.
bool computes_on_one_thread() {
  const int64_t n = 200000;
  arr_array a = nullptr, sorted = nullptr;
  bool good = arr_ones(ARR_FLOAT64, 1, &n, ARR_ORDER_C, nullptr, nullptr, &a) == ARR_OK;
  good = total(made([&](arr_array* out) { return arr_sqrt(a, nullptr, out); })) == 200000 && good;
  good =
      total(made([&](arr_array* out) { return arr_cumsum(a, 0, 0, nullptr, out); })) == 20000100000 && good;
  good = arr_median(a, 0, nullptr, 0, nullptr, &sorted) == ARR_OK && total(sorted) == 1 && good;
  good =
      total(made([&](arr_array* out) { return arr_fft(a, -1, -1, ARR_FFT_BACKWARD, nullptr, out); })) >= 0 &&
      good;
  arr_release(a);
  a = nullptr;
  good = arr_eye(150, 150, 0, ARR_FLOAT64, ARR_ORDER_C, nullptr, nullptr, &a) == ARR_OK && good;
  good = total(made([&](arr_array* out) { return arr_matmul(a, a, nullptr, out); })) == 150 && good;
  good = total(made([&](arr_array* out) { return arr_inv(a, 0, nullptr, out); })) == 150 && good;
  arr_release(a);
  return good;
}

// Objects that a first call makes are made for good, whoever forks meanwhile: each time a process that has
// called nothing.
TEST(Fork, WhileOthersMakeTheirFirstCalls) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "GCC 12's AddressSanitizer does not hold its locks over a fork";
#endif
  for (int k = 0; k < 60 && !HasFailure(); ++k) {
    in_child([] {
      execl(ARR_ENDING_PROGRAM, ARR_ENDING_PROGRAM, "forks", nullptr);
      return false;
    });
  }
}

TEST(Fork, WhileOthersUseAllThreads) {
  ASSERT_TRUE(computes() && computes_on_one_thread()) << arr_last_error();
  std::atomic<bool> stop{false};
  std::atomic<int64_t> rounds[4] = {};
  std::vector<std::thread> others;
  const auto start = [&](size_t k, const std::function<void()>& body) {
    others.emplace_back([&, k, body] {
      while (!stop) {
        body();
        arr_device_sync(nullptr);
        ++rounds[k];
      }
    });
  };
  start(0, [] { static_cast<void>(computes_on_one_thread()); });
  start(1, [] {
    arr_array a = ones(400), b = nullptr;
    static_cast<void>(arr_matmul(a, a, nullptr, &b));
    arr_release(b);
    arr_release(a);
  });
  start(2, [] {
    arr_array a = ones(20), q = nullptr, r = nullptr;
    static_cast<void>(arr_qr(a, 0, nullptr, &q, &r));
    arr_release(q);
    arr_release(r);
    arr_release(a);
  });
  start(3, [] { static_cast<void>(launches()); });
  for (int k = 0; k < 100; ++k) {
    in_child(computes_on_one_thread);
    if (HasFailure()) break;
  }
  int64_t before[4];
  for (size_t k = 0; k < 4; ++k) before[k] = rounds[k];
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(patience);
  const auto all = [&] {
    bool yes = true;
    for (size_t k = 0; k < 4; ++k) yes = yes && rounds[k] > before[k];
    return yes;
  };
  while (!all() && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  EXPECT_TRUE(all()) << "a thread of the parent has stopped";
  stop = true;
  if (!all()) std::_Exit(1);  // it is waited for in vain
  for (std::thread& t : others) t.join();
  EXPECT_TRUE(computes());
}

// A word of the process's generator; 0 after an error.
uint64_t drawn() {
  const int64_t shape[] = {1};
  uint64_t word = 0;
  arr_array a = nullptr;
  if (arr_random_bits(nullptr, ARR_UINT64, 1, shape, nullptr, nullptr, &a) == ARR_OK)
    static_cast<void>(arr_get(a, ARR_ORDER_C, &word, sizeof word, nullptr));
  arr_release(a);
  return word;
}

uint64_t drawn_in_child() {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  in_child([&] {
    const uint64_t word = drawn();
    return write(ends[1], &word, sizeof word) == sizeof word;
  });
  uint64_t word = 0;
  if (read(ends[0], &word, sizeof word) != sizeof word) word = 0;
  close(ends[0]);
  close(ends[1]);
  return word;
}

// Else parent and children would draw the same numbers where nobody asked for the same.
TEST(Fork, TheGeneratorOfTheProcessIsSeededAgain) {
  if (std::getenv("ARR_SEED") != nullptr) GTEST_SKIP() << "ARR_SEED is set";
  ARR_DOES(arr_generator_seed(nullptr, 0, nullptr));
  const uint64_t before = drawn(), first = drawn_in_child(), second = drawn_in_child(), after = drawn();
  const uint64_t words[] = {0, before, first, second, after};
  for (size_t i = 0; i < std::size(words); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_NE(words[i], words[j]) << i << " and " << j;
  }
}

TEST(Fork, ASeededGeneratorOfTheProcessContinues) {
  const int64_t seed = 7;
  ARR_DOES(arr_generator_seed(nullptr, 1, &seed));
  const uint64_t of_seed = drawn_in_child();
  EXPECT_NE(of_seed, 0U);
  EXPECT_EQ(drawn(), of_seed);
  ARR_DOES(arr_generator_seed(nullptr, 0, nullptr));
  arr_generator_state state{};
  state.struct_size = sizeof state;
  ARR_DOES(arr_generator_get_state(nullptr, &state));
  ARR_DOES(arr_generator_set_state(nullptr, &state));  // as given as a seed is
  const uint64_t of_state = drawn_in_child();
  EXPECT_EQ(drawn(), of_state);
}

// A callback may fork while the library holds locks for it.
TEST(Fork, InAMemoryHook) {
  static int children = 0;
  int64_t id = 0;
  ARR_DOES(arr_memory_hook_add(
      [](void*, int32_t, int32_t, int32_t, int64_t, const void*, const char*) {
        if (children++ == 0) in_child([] { return total(ones(20)) == 400; });
      },
      nullptr, nullptr, &id));
  EXPECT_EQ(total(ones(10)), 100);
  ARR_DOES(arr_memory_hook_remove(id));
  EXPECT_GT(children, 0);
}

int64_t driver_calls() {
  void* fake = dlopen(ARR_FAKE_CUDA, RTLD_NOW | RTLD_NOLOAD);
  if (fake == nullptr) return -1;
  const auto calls = reinterpret_cast<int64_t (*)(const char*)>(dlsym(fake, "arr_fake_cuda_calls"));
  dlclose(fake);
  return calls(nullptr);
}

// After exec() nothing counts of what the parent was doing, its GPU is the new program's too.
TEST(Fork, AndExec) {
  int32_t count = 0;
  ARR_DOES(arr_device_count(ARR_CUDA, &count));
  const arr_device device{count == 0 ? ARR_HOST : ARR_CUDA, 0};
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) static_cast<void>(total(ones(100, &device)));
  });
  for (int k = 0; k < 20; ++k) {
    in_child([&] {
      execl(ARR_ENDING_PROGRAM, ARR_ENDING_PROGRAM, "atexit", count == 0 ? nullptr : "cuda", nullptr);
      return false;
    });
  }
  stop = true;
  other.join();
  EXPECT_EQ(total(ones(50, &device)), 2500) << arr_last_error();
}

TEST(Fork, TheParentsGpuIsLostInTheChild) {
  int32_t count = 0;
  ARR_DOES(arr_device_count(ARR_CUDA, &count));
  if (count == 0) GTEST_SKIP() << "no CUDA module";
  const arr_device gpu{ARR_CUDA, 0};
  arr_array a = ones(50, &gpu);
  ASSERT_NE(a, nullptr) << arr_last_error();
  arr_stream s = nullptr;
  arr_event e = nullptr;
  ARR_DOES(arr_stream_create(&gpu, 0, &s));
  ARR_DOES(arr_event_create(&gpu, 0, &e));
  in_child(
      [&] {
        const int64_t before = driver_calls();
        arr_array b = nullptr;
        bool good = arr_add(a, a, nullptr, &b) == ARR_E_LOST && b == nullptr;
        good = std::strstr(arr_last_error(), "fork()") != nullptr && good;
        good = arr_device_sync(&gpu) == ARR_E_LOST && arr_stream_sync(s) == ARR_E_LOST && good;
        int32_t n = 0;
        good = arr_device_count(ARR_CUDA, &n) == ARR_E_LOST && good;
        // It may release the parent's handles, which frees nothing: the memory is the parent's.
        good = arr_release(a) == ARR_OK && arr_stream_release(s) == ARR_OK &&
               arr_event_release(e) == ARR_OK && good;
        good = computes() && good;
        return driver_calls() == before && good;
      },
      std::exit);
  EXPECT_EQ(total(a), 2500) << arr_last_error();
  ARR_DOES(arr_event_release(e));
  ARR_DOES(arr_stream_release(s));
}

}  // namespace
