// SPDX-License-Identifier: MIT
// Stacks of products of matrices of a few rows and columns. The rows of a result stay in registers while k
// runs. Where the number of columns is no multiple of a vector, the last two vectors of a row overlap, and
// both compute the columns that they share.
#include <bit>
#include <utility>

#include "host/loops/linalg/small_matrices.h"
#include "host/loops/vectors.h"

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

namespace arr::host {
ARR_SMALL_FILLERS(ARR_LEVEL)
}  // namespace arr::host

namespace arr::host::ARR_LEVEL {

namespace {

constexpr int64_t stacked_rows = 4;
// Vectors of a row in registers: complex products have twice as many sums.
template <bool COMPLEX>
constexpr int64_t stacked_vectors = (vector_bytes == 64 ? 4 : 2) / (COMPLEX ? 2 : 1);
template <class T, bool COMPLEX>
constexpr int64_t panel_width = stacked_vectors<COMPLEX>* lanes_of<T>;

// The product of i with the sums of real parts and imaginary parts times b.
template <class V>
V times_i(V x) {
  constexpr int64_t lanes = sizeof(V) / sizeof(x[0]);
  V turned{};
  for (int64_t l = 0; l < lanes; l += 2) {
    turned[l] = -x[l + 1];
    turned[l + 1] = x[l];
  }
  return turned;
}

// ROWS rows of `width` columns, in VECTORS vectors of WIDE numbers.
template <class T, bool COMPLEX, int64_t WIDE, int64_t VECTORS, int64_t ROWS>
inline void rows_of_product(const SmallStack<T>& s, int64_t width, const T* a, const T* b, T* c) {
  constexpr auto rows = static_cast<uint64_t>(ROWS), vectors = static_cast<uint64_t>(VECTORS);
  using Row = Vector<T, WIDE>;
  Row sum[rows][vectors] = {}, imaginary[rows][vectors] = {};
  const int64_t last = width - WIDE;
  for (int64_t k = 0; k < s.k; ++k, a += s.a_column, b += s.b_row) {
    for (uint64_t v = 0; v < vectors; ++v) {
      const auto at = v + 1 == vectors ? last : static_cast<int64_t>(v) * WIDE;
      const Row row = *reinterpret_cast<const Row*>(b + at);
      for (uint64_t r = 0; r < rows; ++r) {
        const T* factor = a + static_cast<int64_t>(r) * s.a_row;
        sum[r][v] += factor[0] * row;
        if constexpr (COMPLEX) imaginary[r][v] += factor[1] * row;
      }
    }
  }
  for (uint64_t r = 0; r < rows; ++r, c += s.c_row) {
    for (uint64_t v = 0; v < vectors; ++v) {
      if constexpr (COMPLEX) sum[r][v] += times_i(imaginary[r][v]);
      *reinterpret_cast<Row*>(c + (v + 1 == vectors ? last : static_cast<int64_t>(v) * WIDE)) = sum[r][v];
    }
  }
}

template <class T>
using Panel = void (*)(const SmallStack<T>& s, int64_t column, int64_t width);

// The columns from `column` on of all products.
template <class T, bool COMPLEX, int64_t WIDE, int64_t VECTORS>
void panel(const SmallStack<T>& s, int64_t column, int64_t width) {
  const T *a = s.a, *b = s.b + column;
  T* c = s.c + column;
  for (int64_t i = 0; i < s.count; ++i, a += s.a_next, b += s.b_next, c += s.c_next) {
    int64_t r = 0;
    for (; r + stacked_rows <= s.m; r += stacked_rows) {
      rows_of_product<T, COMPLEX, WIDE, VECTORS, stacked_rows>(s, width, a + r * s.a_row, b, c + r * s.c_row);
    }
    const T* rest = a + r * s.a_row;
    T* to = c + r * s.c_row;
    if (s.m - r == 3) rows_of_product<T, COMPLEX, WIDE, VECTORS, 3>(s, width, rest, b, to);
    if (s.m - r == 2) rows_of_product<T, COMPLEX, WIDE, VECTORS, 2>(s, width, rest, b, to);
    if (s.m - r == 1) rows_of_product<T, COMPLEX, WIDE, VECTORS, 1>(s, width, rest, b, to);
  }
}

template <class T, bool COMPLEX, uint64_t WIDTH>
constexpr Panel<T> panel_of() {
  constexpr uint64_t step = COMPLEX ? 2 : 1;
  if constexpr (WIDTH == 0 || WIDTH % step != 0) {
    return nullptr;
  } else {
    constexpr auto lanes = static_cast<uint64_t>(lanes_of<T>);
    constexpr uint64_t wide = WIDTH < lanes ? std::bit_floor(WIDTH) : lanes;
    return panel<T, COMPLEX, static_cast<int64_t>(wide), static_cast<int64_t>((WIDTH + wide - 1) / wide)>;
  }
}
// The loop for each width of a panel.
template <class T, bool COMPLEX, uint64_t... WIDTHS>
void one_panel(const SmallStack<T>& s, int64_t column, int64_t width, std::index_sequence<WIDTHS...>) {
  static constexpr Panel<T> panels[] = {panel_of<T, COMPLEX, WIDTHS>()...};
  panels[width](s, column, width);
}

template <class T, bool COMPLEX>
void multiply_stack(const SmallStack<T>& s) {
  constexpr int64_t max_width = panel_width<T, COMPLEX>;
  constexpr std::make_index_sequence<static_cast<uint64_t>(max_width) + 1> widths;
  const int64_t numbers = s.n * (COMPLEX ? 2 : 1);
  if (numbers <= max_width) return one_panel<T, COMPLEX>(s, 0, numbers, widths);
  SmallStack<T> one = s;  // so that a product is finished while it is in the cache
  one.count = 1;
  for (int64_t i = 0; i < s.count; ++i, one.a += s.a_next, one.b += s.b_next, one.c += s.c_next) {
    for (int64_t j = 0; j < numbers; j += max_width) {
      one_panel<T, COMPLEX>(one, j, numbers - j < max_width ? numbers - j : max_width, widths);
    }
  }
}

}  // namespace

void fill_small_stacks(SmallTable& t) {
  t.float32.multiply_stack = multiply_stack<float, false>;
  t.float32.multiply_complex_stack = multiply_stack<float, true>;
  t.float64.multiply_stack = multiply_stack<double, false>;
  t.float64.multiply_complex_stack = multiply_stack<double, true>;
}

}  // namespace arr::host::ARR_LEVEL
