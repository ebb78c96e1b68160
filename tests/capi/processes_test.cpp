// SPDX-License-Identifier: MIT
// Children of fork(): they compute on the host unless other threads of the parent used the library, get an
// error then, and are told that a GPU which their parent uses is not theirs.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>

#include "background_threads.h"
#include "support.h"

using arr_test::Others;

namespace {

constexpr unsigned patience = 200;  // seconds that a child may take

// Checks that body() holds in a child. It ends by _exit: only where the parent has had one thread, oneTBB's
// included, may `leave` be exit.
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
  if (arr_sum(a, 0, nullptr, false, nullptr, &s) == ARR_OK && arr_item(s, 0, nullptr, &v) == ARR_OK) {
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

// Every call fails in a child whose parent used the library on other threads, and says why.
bool is_lost() {
  arr_array a = ones(3);
  int32_t n = 0;
  return a == nullptr && arr_device_count(ARR_HOST, &n) == ARR_E_LOST &&
         std::strstr(arr_last_error(), "exec, or use libarr only in the parent") != nullptr;
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

TEST(Fork, AChildOfOneThreadMayCallExit) {
  ARR_DOES(arr_set_threads(1));
  ASSERT_TRUE(computes()) << arr_last_error();
  arr_stream s = nullptr;
  ARR_DOES(arr_stream_create(nullptr, 0, &s));
  ARR_DOES(arr_device_sync(nullptr));
  in_child([&] { return computes() && arr_stream_sync(s) == ARR_OK && arr_stream_release(s) == ARR_OK; },
           std::exit);
  ARR_DOES(arr_stream_release(s));
}

// Makes children while the others work: each of its calls fails, nobody waits for ever, and the others go on.
// The children leave by _exit: in exit() oneTBB may wait for a lock that one of the others held.
void fork_while(Others& others, int times) {
  ASSERT_TRUE(others.all_go_on(patience));
  for (int k = 0; k < times && !testing::Test::HasFailure(); ++k) {
    in_child(is_lost);
  }
  EXPECT_TRUE(others.all_go_on(patience)) << "a thread of the parent has stopped";
  if (testing::Test::HasFailure()) std::_Exit(1);  // it would be waited for in vain
  others.stop();
  EXPECT_TRUE(computes());
  ARR_DOES(arr_device_sync(nullptr));
  in_child(computes);  // the others have ended
}

// Whatever other threads are doing, nobody waits for them in the child, and they go on in the parent.
TEST(Fork, WhileOthersAllocateAndCompute) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the allocators of GCC 12's sanitizers do not hold their locks over a fork";
#endif
  ASSERT_TRUE(computes()) << arr_last_error();
  Others others;
  others.start([n = int64_t{1}]() mutable {
    for (int k = 0; k < 16; ++k) {
      arr_array a = nullptr;
      static_cast<void>(arr_create(ARR_UINT8, 1, &n, ARR_ORDER_C, nullptr, nullptr, &a));
      arr_release(a);
      n = n % 100000 + 77;
    }
  });
  others.start([] { static_cast<void>(total(ones(3))); });
  others.start([n = int64_t{2}]() mutable {
    arr_array a = ones(n), f = nullptr;
    static_cast<void>(arr_rfft(a, -1, -1, ARR_FFT_BACKWARD, nullptr, &f));
    arr_release(f);
    arr_release(a);
    n = n % 64 + 1;
  });
  fork_while(others, 500);
}

// Each of the library's parts that use threads, oneTBB's or OpenBLAS's.
bool computes_on_one_thread() {
  const int64_t n = 200000;
  arr_array a = nullptr, sorted = nullptr;
  bool good = arr_ones(ARR_FLOAT64, 1, &n, ARR_ORDER_C, nullptr, nullptr, &a) == ARR_OK;
  good = total(made([&](arr_array* out) { return arr_sqrt(a, nullptr, out); })) == 200000 && good;
  good =
      total(made([&](arr_array* out) { return arr_cumsum(a, 0, 0, nullptr, out); })) == 20000100000 && good;
  good = arr_median(a, 0, nullptr, false, nullptr, &sorted) == ARR_OK && total(sorted) == 1 && good;
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

// A child does not wait for an object that a thread of its parent was initialising in its first call: each
// time a process that has called nothing.
TEST(Fork, WhileOthersMakeTheirFirstCalls) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the allocators of GCC 12's sanitizers do not hold their locks over a fork";
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
  Others others;
  others.start([] { static_cast<void>(computes_on_one_thread()); });
  others.start([] {
    arr_array a = ones(400), b = nullptr;
    static_cast<void>(arr_matmul(a, a, nullptr, &b));
    arr_release(b);
    arr_release(a);
  });
  others.start([] {
    arr_array a = ones(20), q = nullptr, r = nullptr;
    static_cast<void>(arr_qr(a, 0, nullptr, &q, &r));
    arr_release(q);
    arr_release(r);
    arr_release(a);
  });
  others.start([] { static_cast<void>(launches()); });
  fork_while(others, 100);
}

// A word of the process's generator; 0 after an error.
uint64_t drawn() {
  const int64_t shape[] = {1};
  uint64_t word = 0;
  arr_array a = nullptr;
  if (arr_random_bits(nullptr, ARR_UINT64, 1, shape, nullptr, nullptr, &a) == ARR_OK)
    static_cast<void>(arr_get(a, ARR_ORDER_C, &word, sizeof word, nullptr));
  arr_release(a);
  arr_device_sync(nullptr);  // a thread that still works would make a child lose the library
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

// A callback may fork while the library holds locks for it. With ARR_HOST_ASYNC=1 another thread may work
// then.
TEST(Fork, InAMemoryHook) {
  static int children = 0;
  int64_t id = 0;
  ARR_DOES(arr_memory_hook_add(
      [](void*, int32_t, int32_t, int32_t, int64_t, const void*, const char*) {
        if (children++ == 0) in_child([] { return is_lost() || total(ones(20)) == 400; });
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
  ARR_DOES(arr_set_threads(1));  // the child calls exit()
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
