// SPDX-License-Identifier: MIT
// Divides stacks of small products among threads. The loops take rows of contiguous elements: a result with
// contiguous columns is computed as its transpose, and other matrices are copied, one at a time.
#include "host/linalg/small_stack.h"

#include <algorithm>
#include <utility>

#include "host/elementwise/parallel.h"
#include "host/linalg/matrices.h"
#include "host/loops/linalg/small_matrices.h"

namespace arr::host {

namespace {

// Numbers of 1 (real) or 2 (complex) T, as elements that can be copied.
template <class T, int NUMBERS>
struct Element {
  T number[static_cast<size_t>(NUMBERS)];
};

template <class T, int NUMBERS>
class SmallStackRun {
  using E = Element<T, NUMBERS>;
  static constexpr int64_t item = sizeof(E);

 public:
  explicit SmallStackRun(const MatmulCall& call) : call_(call) {
    if (contiguous_rows(call.c, call.n) || !contiguous_rows(transposed(call.c), call.m)) return;
    std::swap(call_.m, call_.n);
    std::swap(call_.a, call_.b);
    for (MatmulCall::Matrix* m : {&call_.a, &call_.b, &call_.c}) *m = transposed(*m);
  }

  // The products first to last - 1, of which those of one inner batch dimension have one distance.
  void multiply(int64_t first, int64_t last) const {
    const int64_t inner = call_.nbatch == 0 ? 1 : call_.batch_shape[call_.nbatch - 1];
    while (first < last) {
      const int64_t count = std::min(last - first, inner - first % inner);
      multiply_row(first, count);
      first += count;
    }
  }

 private:
  static MatmulCall::Matrix transposed(const MatmulCall::Matrix& m) {
    return {m.data, m.column, m.row, m.batch};
  }
  static bool contiguous_rows(const MatmulCall::Matrix& m, int64_t columns) {
    return columns == 1 || m.column == item;
  }
  [[nodiscard]] int64_t next(const MatmulCall::Matrix& m) const {
    return call_.nbatch == 0 ? 0 : step(m.batch[call_.nbatch - 1]);
  }
  static int64_t step(int64_t bytes) { return bytes / item * NUMBERS; }

  void multiply_row(int64_t first, int64_t count) const {
    SmallStack<T> s{count,
                    call_.m,
                    call_.n,
                    call_.k,
                    at<const T>(call_.a, first),
                    next(call_.a),
                    step(call_.a.row),
                    step(call_.a.column),
                    at<const T>(call_.b, first),
                    next(call_.b),
                    step(call_.b.row),
                    at<T>(call_.c, first),
                    next(call_.c),
                    step(call_.c.row)};
    const bool copies_b = !contiguous_rows(call_.b, call_.n), copies_c = !contiguous_rows(call_.c, call_.n);
    if (!copies_b && !copies_c) return run(s);
    alignas(64) E b[small_max_stacked * small_max_stacked], c[small_max_stacked * small_max_stacked];
    SmallStack<T> one = s;
    one.count = 1;
    for (int64_t i = 0; i < count; ++i, one.a += s.a_next) {
      if (copies_b) {
        if (i == 0 || s.b_next != 0) load(s.b + i * s.b_next, b);
        one.b = b[0].number;
        one.b_row = call_.n * NUMBERS;
      } else {
        one.b = s.b + i * s.b_next;
      }
      one.c = copies_c ? c[0].number : s.c + i * s.c_next;
      if (copies_c) one.c_row = call_.n * NUMBERS;
      run(one);
      if (copies_c) store(c, s.c + i * s.c_next);
    }
  }
  template <class Pointed>
  Pointed* at(const MatmulCall::Matrix& m, int64_t index) const {
    return reinterpret_cast<Pointed*>(matrix_at(call_, m, index));
  }
  static void run(const SmallStack<T>& s) {
    const SmallLoops<T>& loops = small_loops<T>();
    (NUMBERS == 2 ? loops.multiply_complex_stack : loops.multiply_stack)(s);
  }
  void load(const T* from, E* to) const {
    const char* row = reinterpret_cast<const char*>(from);
    for (int64_t i = 0; i < call_.k; ++i, row += call_.b.row) {
      for (int64_t j = 0; j < call_.n; ++j) {
        *to++ = *reinterpret_cast<const E*>(row + j * call_.b.column);
      }
    }
  }
  void store(const E* from, T* to) const {
    char* row = reinterpret_cast<char*>(to);
    for (int64_t i = 0; i < call_.m; ++i, row += call_.c.row) {
      for (int64_t j = 0; j < call_.n; ++j) *reinterpret_cast<E*>(row + j * call_.c.column) = *from++;
    }
  }

  MatmulCall call_;
};

// Strides of whole elements.
bool has_whole_strides(const MatmulCall& call, int64_t item) {
  for (const MatmulCall::Matrix* m : {&call.a, &call.b, &call.c}) {
    if (m->row % item != 0 || m->column % item != 0) return false;
    for (int32_t d = 0; d < call.nbatch; ++d) {
      if (m->batch[d] % item != 0) return false;
    }
  }
  return true;
}

template <class T, int NUMBERS>
void multiply_all(const MatmulCall& call, int64_t count) {
  const SmallStackRun<T, NUMBERS> products(call);
  // About 10 microseconds for a thread.
  const int64_t work = call.m * call.n * call.k * NUMBERS;
  const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(work, 32));
  parallel_ranges(count, grain, [&](int64_t first, int64_t last) { products.multiply(first, last); });
}

// BLAS is 1.0 to 1.1 times as fast for these, except for rows that are two vectors of 16 floats, and up to
// twice as fast for a matrix and a vector.
bool better_by_blas(const MatmulCall& call) {
  if (std::min(call.m, call.n) == 1) return std::min(std::max(call.m, call.n), call.k) > 16;
  const bool real = call.dtype == DType::float64_ || (call.dtype == DType::float32_ && call.n != 32);
  return real && std::min({call.m, call.n, call.k}) > 16;
}

}  // namespace

bool multiply_small_stack(const MatmulCall& call) {
  if (std::min({call.m, call.n, call.k}) < 1 || std::max({call.m, call.n, call.k}) > small_max_stacked)
    return false;
  if (better_by_blas(call) || !has_whole_strides(call, item_size(call.dtype))) return false;
  int64_t count = 1;
  for (int32_t d = 0; d < call.nbatch; ++d) count *= call.batch_shape[d];
  switch (call.dtype) {
    case DType::float32_:
      multiply_all<float, 1>(call, count);
      return true;
    case DType::float64_:
      multiply_all<double, 1>(call, count);
      return true;
    case DType::complex64_:
      multiply_all<float, 2>(call, count);
      return true;
    case DType::complex128_:
      multiply_all<double, 2>(call, count);
      return true;
    default:
      return false;
  }
}

}  // namespace arr::host
