// SPDX-License-Identifier: MIT
// Sixteen threads that do everything at once, on the host and over the fake CUDA: arrays made, computed with,
// handed to another thread on another stream, errors, random yields of the processor. Each thread does a
// fixed number of these, on any machine and with any cache of compiled kernels; ARR_STRESS_SECONDS makes it
// go on.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <random>
#include <thread>

#include "support.h"

namespace {

constexpr int thread_count = 16;

// Calls of each thread over the fake CUDA, which compiles and runs kernels by the host's compiler, and on the
// host.
constexpr int64_t cuda_calls = 40, host_calls = 400;

double seconds() {
  const char* given = std::getenv("ARR_STRESS_SECONDS");
  return given != nullptr ? std::atof(given) : 0;
}

// n elements of that value.
struct Given {
  arr_array array;
  int64_t n;
  double value;
};

// Arrays on their way from a thread to another.
class Exchange {
 public:
  void put(const Given& g) {
    const std::lock_guard lock(mutex_);
    all_.push_back(g);
  }
  bool take(Given* g) {
    const std::lock_guard lock(mutex_);
    if (all_.empty()) return false;
    *g = all_.front();
    all_.pop_front();
    return true;
  }

 private:
  std::mutex mutex_;
  std::deque<Given> all_;
};

class Worker {
 public:
  Worker(arr_device device, int number, Exchange* exchange, arr_kernel kernel)
      : device_(device),
        number_(number),
        exchange_(exchange),
        kernel_(kernel),
        random_(static_cast<unsigned>(number)) {
    does(arr_stream_create(&device_, 0, &stream_));
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() { does(arr_stream_release(stream_)); }

  void one() {
    switch (random_() % 7) {
      case 0:
        return give();
      case 1:
        return take();
      case 2:
        return multiply();
      case 3:
        return fail();
      case 4:
        return draw();
      case 5:
        return launch();
      default:
        return by_event();
    }
  }

 private:
  void does(arr_status status) const { EXPECT_EQ(status, ARR_OK) << number_ << ": " << arr_last_error(); }
  void pause() {
    if (random_() % 4 == 0) std::this_thread::yield();
  }
  int64_t size() {
    constexpr int64_t sizes[] = {1, 7, 100, 1000, 40000};
    return sizes[random_() % (device_.type == ARR_HOST ? 5 : 4)];
  }
  arr_array full(int64_t n, double value) {
    arr_value v{};
    arr_value_f64(&v, value);
    arr_array a = nullptr;
    does(arr_full(ARR_FLOAT64, 1, &n, ARR_ORDER_C, &v, &device_, stream_, &a));
    pause();
    return a;
  }
  // The sum of all elements, which are released.
  double sum(arr_array a) {
    arr_array s = nullptr;
    double x = -1;
    does(arr_sum(a, 0, nullptr, false, stream_, &s));
    does(arr_release(a));
    pause();
    does(arr_get(s, ARR_ORDER_C, &x, sizeof x, stream_));
    does(arr_release(s));
    return x;
  }

  void give() {
    const Given g{nullptr, size(), static_cast<double>(random_() % 100)};
    arr_array a = full(g.n, g.value), b = nullptr;
    does(arr_add(a, a, stream_, &b));
    does(arr_release(a));
    exchange_->put({b, g.n, 2 * g.value});
  }
  void take() {
    Given g{};
    if (!exchange_->take(&g)) return;
    arr_array b = nullptr;
    does(arr_negative(g.array, stream_, &b));
    EXPECT_EQ(sum(g.array), static_cast<double>(g.n) * g.value);
    EXPECT_EQ(sum(b), -static_cast<double>(g.n) * g.value);
  }
  void multiply() {
    const int64_t n = 20, shape[] = {n, n};
    arr_array a = full(n * n, 2), m = nullptr, p = nullptr;
    does(arr_reshape(a, 2, shape, ARR_ORDER_C, stream_, &m));
    does(arr_matmul(m, m, stream_, &p));
    does(arr_release(m));
    does(arr_release(a));
    EXPECT_EQ(sum(p), static_cast<double>(4 * n * n * n));
  }
  // Its error is this thread's.
  void fail() {
    const arr_device wrong{device_.type, 1000 + number_};
    const int64_t n = 3;
    arr_array a = nullptr;
    EXPECT_EQ(arr_ones(ARR_FLOAT64, 1, &n, ARR_ORDER_C, &wrong, nullptr, &a), ARR_E_ARGUMENT);
    std::this_thread::yield();
    EXPECT_NE(std::string(arr_last_error()).find("index " + std::to_string(1000 + number_)),
              std::string::npos)
        << arr_last_error();
    EXPECT_EQ(a, nullptr);
  }
  void draw() {
    const int64_t seed = number_, n = 500;
    double sums[2] = {};
    for (double& s : sums) {
      arr_generator g = nullptr;
      arr_array a = nullptr;
      does(arr_generator_create(1, &seed, &g));
      does(
          arr_random_draw(g, ARR_DISTRIBUTION_RANDOM, 0, nullptr, ARR_FLOAT64, 1, &n, &device_, stream_, &a));
      does(arr_generator_release(g));
      s = sum(a);
    }
    EXPECT_EQ(sums[0], sums[1]);
    EXPECT_GT(sums[0], 150);
    EXPECT_LT(sums[0], 350);
  }
  void launch() {
    const int64_t n = size(), grid[] = {(n + 63) / 64, 1, 1};
    const int32_t block[] = {64, 1, 1};
    arr_array a = full(n, 3);
    arr_value args[2]{};
    arr_value_array(&args[0], a);
    arr_value_i64(&args[1], n);
    does(arr_launch_raw(kernel_, grid, block, 0, 2, args, stream_));
    EXPECT_EQ(sum(a), 6 * static_cast<double>(n));
  }
  void by_event() {
    arr_event e = nullptr;
    arr_stream other = nullptr;
    does(arr_event_create(&device_, 0, &e));
    arr_array a = full(100, 5);
    does(arr_event_record(e, stream_));
    does(arr_stream_create(&device_, 0, &other));
    does(arr_stream_wait_event(other, e));
    does(arr_event_release(e));
    std::swap(other, stream_);
    does(arr_stream_release(other));
    EXPECT_EQ(sum(a), 500);
  }

  arr_device device_;
  int number_;
  Exchange* exchange_;
  arr_kernel kernel_;
  arr_stream stream_ = nullptr;
  std::minstd_rand random_;
};

class Stress : public arr_test::OnDevice {};

TEST_P(Stress, EverythingAtOnce) {
  const int64_t handles = arr_live_handles();
  arr_module module = nullptr;
  arr_kernel kernel = nullptr;
  ARR_DOES(
      arr_module_create("extern \"C\" __global__ void twice(double* x, long long n) {"
                        "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;"
                        "  if (i < n) x[i] *= 2;"
                        "}",
                        -1, &device, 0, nullptr, &module));
  ARR_DOES(arr_module_kernel(module, "twice", &kernel));
  Exchange exchange;
  std::atomic<int64_t> done{0};
  const int64_t calls = device.type == ARR_HOST ? host_calls : cuda_calls;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds());
  std::vector<std::thread> all;
  for (int i = 1; i <= thread_count; ++i) {
    all.emplace_back([&, i] {
      Worker worker(device, i, &exchange, kernel);
      for (int64_t k = 0; (k < calls || std::chrono::steady_clock::now() < end) && !HasFailure(); ++k) {
        worker.one();
        ++done;
      }
    });
  }
  for (std::thread& t : all) t.join();
  for (Given g{}; exchange.take(&g);) ARR_DOES(arr_release(g.array));
  ARR_DOES(arr_kernel_release(kernel));
  ARR_DOES(arr_module_release(module));
  EXPECT_EQ(arr_live_handles(), handles);
  EXPECT_GE(done, calls * thread_count);
  std::printf("%lld calls' worth\n", static_cast<long long>(done));
}

ARR_ON_DEVICES(Stress);

}  // namespace
