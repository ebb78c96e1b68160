// SPDX-License-Identifier: MIT
// Factorizations of complex matrices whose results end where memory ends: OpenBLAS 0.3.21 reads behind
// complex vectors, and that must not be behind a result.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <complex>
#include <numeric>
#include <string>
#include <vector>

#include "backend/linalg.h"
#include "host/linalg/calls.h"

namespace arr::test {
namespace {

// Memory that ends at a page that nobody may read.
class GuardedMemory {
 public:
  explicit GuardedMemory(size_t bytes) : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    size_ = (bytes + page_ - 1) / page_ * page_;
    base_ = mmap(nullptr, size_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(base_, MAP_FAILED);
    EXPECT_EQ(mprotect(static_cast<char*>(base_) + size_, page_, PROT_NONE), 0);
    data_ = static_cast<char*>(base_) + size_ - bytes;
  }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  ~GuardedMemory() { munmap(base_, size_ + page_); }
  [[nodiscard]] void* data() const { return data_; }

 private:
  size_t page_, size_ = 0;
  void* base_ = nullptr;
  void* data_ = nullptr;
};

class GuardedResults : public testing::TestWithParam<LinalgKind> {};

template <class T>
void factorize(LinalgKind kind, DType dtype, int64_t m, int64_t n) {
  SCOPED_TRACE(testing::Message() << name(kind) << " of " << name(dtype) << ", " << m << " x " << n);
  using Real = typename T::value_type;
  std::vector<T> a(static_cast<size_t>(m * n)), b(a);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = T(static_cast<Real>(i * 7 % 11) - 4, static_cast<Real>(i * 5 % 7) - 2);
    if (i % static_cast<size_t>(m + 1) == 0) a[i] += static_cast<Real>(40 + 10 * n);  // nonsingular
  }
  const size_t matrix = sizeof(T) * static_cast<size_t>(m * n), side = static_cast<size_t>(std::max(m, n));
  const GuardedMemory x(matrix), values(side * sizeof(T)), left(side * side * sizeof(T)),
      right(side * side * sizeof(T));
  std::vector<int32_t> pivots(side, 1);
  std::iota(pivots.begin(), pivots.end(), 1);
  int32_t info = 0;
  const auto item = static_cast<int64_t>(sizeof(T));
  LinalgCall c;
  c.kind = kind;
  c.dtype = dtype;
  c.m = m;
  c.n = n;
  c.k = n;
  c.columns = std::min(m, n);
  c.a.data = a.data();
  c.a.row = item;
  c.a.column = m * item;
  c.b = c.a;
  c.b.data = b.data();
  c.lower = c.vectors = true;
  c.x = x.data();
  c.values = values.data();
  // The end of the memory is the end of the result, which has min(m, n) columns.
  const size_t unused = (side - static_cast<size_t>(c.columns)) * sizeof(T);
  c.left = static_cast<char*>(left.data()) + side * side * sizeof(T) -
           sizeof(T) * static_cast<size_t>(m * c.columns);
  c.right = static_cast<char*>(right.data()) + side * side * sizeof(T) -
            sizeof(T) * static_cast<size_t>(n * c.columns);
  c.values = static_cast<char*>(values.data()) + unused;
  c.pivots = pivots.data();
  c.info = &info;
  host::linalg(c);
  EXPECT_EQ(info, 0);
}

TEST_P(GuardedResults, AreNotReadBehind) {
  for (const int64_t n : {1, 2, 3, 4, 5, 7, 8, 11, 16, 33, 70, 130}) {
    factorize<std::complex<float>>(GetParam(), DType::complex64_, n, n);
    factorize<std::complex<double>>(GetParam(), DType::complex128_, n, n);
    if (GetParam() != LinalgKind::svd && GetParam() != LinalgKind::qr) continue;
    factorize<std::complex<double>>(GetParam(), DType::complex128_, n + 3, n);
    factorize<std::complex<double>>(GetParam(), DType::complex128_, n, n + 3);
  }
}

INSTANTIATE_TEST_SUITE_P(Linalg, GuardedResults,
                         testing::Values(LinalgKind::solve, LinalgKind::inverse, LinalgKind::lu,
                                         LinalgKind::lu_solve, LinalgKind::cholesky, LinalgKind::qr,
                                         LinalgKind::qr_multiply, LinalgKind::svd, LinalgKind::eigh,
                                         LinalgKind::eig, LinalgKind::triangular),
                         [](const auto& test) {
                           std::string label = name(test.param);
                           std::replace_if(
                               label.begin(), label.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
                           return label;
                         });

// A matrix times a vector whose memory ends at a guard page: row-major or column-major, any increment of the
// vector.
template <class T>
void multiply_vector(DType dtype, int64_t m, int64_t k, bool rows, int64_t step) {
  SCOPED_TRACE(testing::Message() << name(dtype) << ", " << m << " x " << k << (rows ? ", rows" : ", columns")
                                  << ", step " << step);
  const auto item = static_cast<int64_t>(sizeof(T));
  const int64_t length = (k - 1) * std::abs(step) + 1;
  const GuardedMemory matrix(sizeof(T) * static_cast<size_t>(m * k)),
      vector(sizeof(T) * static_cast<size_t>(length)), result(sizeof(T) * static_cast<size_t>(m));
  auto *a = static_cast<T*>(matrix.data()), *x = static_cast<T*>(vector.data()),
       *y = static_cast<T*>(result.data());
  for (int64_t i = 0; i < m * k; ++i) a[i] = T(static_cast<float>(i * 7 % 11 - 4));
  for (int64_t i = 0; i < length; ++i) x[i] = T(static_cast<float>(i * 5 % 7 - 2));
  T* const first = step < 0 ? x + length - 1 : x;
  MatmulCall c;
  c.dtype = dtype;
  c.m = m;
  c.n = 1;
  c.k = k;
  c.a = {a, rows ? k * item : item, rows ? item : m * item, nullptr};
  c.b = {first, step * item, item, nullptr};
  c.c = {y, item, item, nullptr};
  host::matmul(c);
  for (int64_t i = 0; i < m; ++i) {
    T sum{};
    for (int64_t j = 0; j < k; ++j) sum += a[rows ? i * k + j : j * m + i] * first[j * step];
    ASSERT_EQ(y[i], sum) << "row " << i;  // small integers, which every order sums exactly
  }
}

TEST(GuardedOperands, OfGemvAreNotReadBehind) {
  for (const int64_t m : {1, 2, 5, 16, 67}) {
    for (const int64_t k : {1, 2, 3, 8, 33, 130}) {
      for (const int64_t step : {1, 2, -1, -3}) {
        for (const bool rows : {true, false}) {
          multiply_vector<float>(DType::float32_, m, k, rows, step);
          multiply_vector<double>(DType::float64_, m, k, rows, step);
          multiply_vector<std::complex<float>>(DType::complex64_, m, k, rows, step);
          multiply_vector<std::complex<double>>(DType::complex128_, m, k, rows, step);
        }
      }
    }
  }
}

}  // namespace
}  // namespace arr::test
