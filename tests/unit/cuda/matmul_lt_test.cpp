// SPDX-License-Identifier: MIT
// Products by cuBLASLt over the fake: what is asked of its heuristic, what fails, and doing without it.
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include "base/log.h"
#include "support.h"

namespace arr::cuda_test {
namespace {

// (m, k) @ (k, n), row-major float32 without gaps, with a bias whose memory a padded matrix fits into.
struct Biased {
  explicit Biased(int64_t m, int64_t n = 5, int64_t k = 3, int64_t offset = 0)
      : a(bytes(m * k + offset)), b(bytes(k * n)), bias(bytes(2 * m * n + offset)), c(bytes(m * n)) {
    call.dtype = DType::float32_;
    call.m = m;
    call.n = n;
    call.k = k;
    call.a = {a.data() + 4 * offset, 4 * k, 4, nullptr};
    call.b = {b.data(), 4 * n, 4, nullptr};
    call.c = {c.data(), 4 * n, 4, nullptr};
    call.added = {bias.data() + 4 * offset, 0, 4, nullptr};
    call.beta = 1;
    call.activation = MatmulActivation::relu;
  }
  static std::vector<char> bytes(int64_t n) {
    std::vector<float> x(static_cast<size_t>(n));
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7) - 3;
    return bytes_of(x);
  }
  // 1: it has run, 0: it was declined, -1: it has failed.
  int32_t takes(int32_t* status = nullptr, std::string* why = nullptr) const {
    BackendError error;
    const int32_t r = cuda().linalg->matmul(0, &call, nullptr, &error);
    if (status != nullptr) *status = r == ARR_E_UNSUPPORTED ? ARR_OK : r;
    if (why != nullptr) *why = error.text;
    return r == ARR_OK ? 1 : r == ARR_E_UNSUPPORTED ? 0 : -1;
  }
  void check() const {
    ARR_WORKS(cuda().linalg->matmul(0, &call, nullptr, &error));
    const auto x = values_of<float>(a.get()), y = values_of<float>(b.get()), z = values_of<float>(bias.get()),
               got = values_of<float>(c.get());
    const auto from = static_cast<size_t>(static_cast<char*>(call.a.data) - a.data()) / 4;
    for (int64_t i = 0; i < call.m; ++i) {
      for (int64_t j = 0; j < call.n; ++j) {
        float sum = z[from + static_cast<size_t>(j)];
        for (int64_t e = 0; e < call.k; ++e) {
          sum += x[from + static_cast<size_t>(i * call.k + e)] * y[static_cast<size_t>(e * call.n + j)];
        }
        ASSERT_EQ(got[static_cast<size_t>(i * call.n + j)], std::max(sum, 0.0F)) << i << ", " << j;
      }
    }
  }
  Memory a, b, bias, c;
  MatmulCall call;
};

int64_t asked() { return arr_fake_cuda_calls("cublasLtMatmulAlgoGetHeuristic"); }

TEST_F(CudaTest, CublasLtIsAskedOncePerShapeAndAlignment) {
  const Biased first(40), again(40), other(41), shifted(40, 5, 3, 1);
  const int64_t before = asked();
  for (const Biased* x : {&first, &again, &first}) x->check();
  EXPECT_EQ(asked(), before + 1);
  other.check();
  EXPECT_EQ(asked(), before + 2);
  shifted.check();  // the fake would refuse it where it were taken for aligned
  EXPECT_EQ(asked(), before + 3);
}

std::vector<std::string> lines;
constexpr LogSink sink{[](int32_t level) noexcept { return level == log_level::info; },
                       [](int32_t, const char* line) noexcept { lines.emplace_back(line); }};

// A missing algorithm is remembered, and logged once.
TEST_F(CudaTest, WhatCublasLtDoesNotDoIsToldOnce) {
  EXPECT_EQ(Biased(39).takes(), 1);  // opens the library, which is logged as well
  arr_fake_cuda_set("lt", 0);
  const Biased x(48);
  const LogSink* before = log_sink.exchange(&sink);
  lines.clear();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(x.takes(), 0);
  log_sink.store(before);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0],
            "cuBLASLt has no algorithm for 5 x 48 x 3 with epilogue 6 (CUBLAS_STATUS_NOT_SUPPORTED); cuBLAS "
            "and a pass do it instead");
  BackendError error;
  EXPECT_EQ(cuda().linalg->matmul(0, &x.call, nullptr, &error), ARR_E_UNSUPPORTED);
}

// A matrix that is added and is not the destination, and what cuBLASLt has no words for.
TEST_F(CudaTest, CublasLtTakesWhatItHasWordsFor) {
  Biased x(42);
  struct Case {
    const char* name;
    int64_t row, column;
    double beta;
    DType dtype;
    int32_t takes;
  };
  const Case cases[] = {{"bias", 0, 4, 1, DType::float32_, 1},
                        {"bias times 2", 0, 4, 2, DType::float32_, 0},
                        {"matrix", 20, 4, 2, DType::float32_, 1},
                        {"padded", 40, 4, 2, DType::float32_, 1},
                        {"transposed", 4, 168, 2, DType::float32_, 0},
                        {"column", 4, 0, 1, DType::float32_, 0},
                        {"one", 0, 0, 1, DType::float32_, 0},
                        {"backward", -20, 4, 1, DType::float32_, 0},
                        {"backward bias", 0, -4, 1, DType::float32_, 0},
                        {"every second", 0, 8, 1, DType::float32_, 0},
                        {"integers", 0, 4, 1, DType::int32_, 0}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    x.call.added.row = c.row;
    x.call.added.column = c.column;
    x.call.beta = c.beta;
    x.call.dtype = c.dtype;
    EXPECT_EQ(x.takes(), c.takes);
  }
  BackendError error;
  EXPECT_EQ(cuda().linalg->matmul(0, &x.call, nullptr, &error), ARR_E_UNSUPPORTED) << error.text;
  x.call.dtype = DType::complex64_;
  EXPECT_EQ(x.takes(), 0);  // no activation of complex numbers
}

// Each function with two statuses: the text names it, nothing stays, and the next call works.
TEST_F(CudaTest, EachFunctionOfCublasLtMayFail) {
  Biased(43).check();
  const char* functions[] = {"cublasLtMatmulDescCreate",       "cublasLtMatmulDescSetAttribute",
                             "cublasLtMatrixLayoutCreate",     "cublasLtMatrixLayoutSetAttribute",
                             "cublasLtMatmulPreferenceCreate", "cublasLtMatmulPreferenceSetAttribute",
                             "cublasLtMatmulAlgoGetHeuristic"};
  int64_t m = 50;
  const int64_t batch = 2;
  for (const char* f : functions) {
    for (int64_t nth = 1; nth <= 5; ++nth) {
      SCOPED_TRACE(text(f, " ", nth));
      Biased x(++m);
      x.call.nbatch = 1;
      x.call.batch_shape = &batch;
      const int64_t none = 0;  // each time the same
      x.call.a.batch = x.call.b.batch = x.call.c.batch = x.call.added.batch = &none;
      const int64_t kept = arr_fake_cuda_live("descriptions"), before = arr_fake_cuda_calls(f);
      arr_fake_cuda_fail(f, nth, nth % 2 == 0 ? 3 : 14, 0);
      int32_t status = 0;
      std::string why;
      const int32_t takes = x.takes(&status, &why);
      if (arr_fake_cuda_calls(f) - before < nth) {  // there are fewer calls
        EXPECT_EQ(takes, 1);
        arr_fake_cuda_reset();
        break;
      }
      EXPECT_EQ(status, nth % 2 == 0 ? ARR_E_MEMORY : ARR_E_DEVICE);
      EXPECT_NE(why.find(f), std::string::npos) << why;
      EXPECT_EQ(arr_fake_cuda_live("descriptions"), kept);
      EXPECT_EQ(x.takes(), 1);
      EXPECT_EQ(arr_fake_cuda_live("descriptions"), kept + 5);
    }
  }
}

// The cache of plans is bounded; a failure to destroy one is not reported.
// Two descriptions cannot be destroyed, which is a leak for AddressSanitizer.
TEST_F(CudaTest, PlansOfCublasLtAreBounded) {
#if defined(__SANITIZE_ADDRESS__)
  const __lsan::ScopedDisabler leaks;
#endif
  const Biased x(400, 6);  // no shapes of other tests, whose plans are kept
  MatmulCall call = x.call;
  arr_fake_cuda_fail("cublasLtMatmulDescDestroy", 20, 14, 0);
  arr_fake_cuda_fail("cublasLtMatrixLayoutDestroy", 20, 14, 0);
  for (call.m = 1; call.m <= 400; ++call.m) ARR_WORKS(cuda().linalg->matmul(0, &call, nullptr, &error));
  EXPECT_GT(arr_fake_cuda_calls("cublasLtMatmulDescDestroy"), 20);
  EXPECT_LE(arr_fake_cuda_live("descriptions"), 5 * 256 + 2);
  x.check();
}

TEST_F(CudaTest, AFailedProductByCublasLtGivesItsWorkspaceBack) {
  const Biased x(45);
  x.check();
  MemoryStats before, after;
  ARR_WORKS(cuda().memory->stats(0, &before, &error));
  for (const char* f : {"cublasLtMatmul", "cublasLtMatmulDescSetAttribute"}) {
    arr_fake_cuda_fail(f, 1, 13, 0);
    BackendError error;
    EXPECT_EQ(cuda().linalg->matmul(0, &x.call, nullptr, &error), ARR_E_DEVICE);
    EXPECT_EQ(error.text, text(f, ": CUBLAS_STATUS_EXECUTION_FAILED"));
  }
  ARR_WORKS(cuda().memory->stats(0, &after, &error));
  EXPECT_EQ(before.in_use, after.in_use);
  x.check();
}

// Each in a process of its own, in which cuBLASLt is opened anew.
TEST(CudaDeathTest, WithoutCublasLt) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  ASSERT_EXIT(
      {
        setenv("ARR_CUDA_CUBLASLT", "/nowhere/libcublasLt.so.13", 1);
        Biased x(46);
        int32_t status = 7;
        const int32_t takes = x.takes(&status);
        x.call.added = {};
        x.call.activation = MatmulActivation::none;
        std::exit(takes == 0 && status == ARR_OK && x.takes() == 1 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}
TEST(CudaDeathTest, WithAHandleOfCublasLtThatFails) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  ASSERT_EXIT(
      {
        const Biased x(47);
        arr_fake_cuda_fail("cublasLtCreate", 1, 3, 0);
        int32_t status = 7;
        std::string why;
        x.takes(&status, &why);
        std::fprintf(stderr, "%d %s\n", status, why.c_str());
        std::exit(status == ARR_E_MEMORY && x.takes() == 1 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "cublasLtCreate: CUBLAS_STATUS_ALLOC_FAILED");
}

}  // namespace
}  // namespace arr::cuda_test
