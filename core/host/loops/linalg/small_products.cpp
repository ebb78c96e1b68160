// SPDX-License-Identifier: MIT
// Small matrix products: a block of c stays in registers while k runs, as in the kernels of Van Zee and van
// de Geijn, "BLIS: a framework for rapidly instantiating BLAS functionality", ACM TOMS 41 (2015), 14, but
// without packing, because small matrices are in the first caches anyway.
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

constexpr int64_t max_vectors = vector_bytes == 64 ? 4 : 2;  // with 32 registers, or with 16
constexpr int64_t max_rows = 6;

template <class T>
constexpr int64_t lanes = lanes_of<T>;

// The part of the next product that is not prefetched yet.
inline PrefetchRange& pending_input(PrefetchNext& next) { return next.a.at < next.a.end ? next.a : next.b; }

// Computes ROWS rows of VECTORS vectors of c.
template <class T, int64_t ROWS, int64_t VECTORS>
void tile(const SmallProduct<T>& p, const T* a, const T* b, int64_t b_row, T* c, int64_t c_row,
          PrefetchRange& read, PrefetchRange& written) {
  Vector<T, lanes<T>> sum[static_cast<uint64_t>(ROWS)][static_cast<uint64_t>(VECTORS)] = {};
  const int64_t a_row = p.a_row, a_column = p.a_column;
  for (int64_t r = 0; r < ROWS; ++r) {
    for (int64_t v = 0; v < VECTORS; ++v) __builtin_prefetch(c + r * c_row + v * lanes<T>, 1, 3);
  }
  const char *in = read.at, *out = written.at;
  for (int64_t k = 0; k < p.k; ++k, a += a_column, b += b_row) {
    Vector<T, lanes<T>> row[static_cast<uint64_t>(VECTORS)] = {};
    for (int64_t v = 0; v < VECTORS; ++v)
      row[v] = *reinterpret_cast<const Vector<T, lanes<T>>*>(b + v * lanes<T>);
    __builtin_prefetch(in, 0, 2);
    __builtin_prefetch(out, 1, 2);
    in = in < read.end ? in + 64 : read.end;
    out = out < written.end ? out + 64 : written.end;
    for (int64_t r = 0; r < ROWS; ++r) {
      const T factor = a[r * a_row];
      for (int64_t v = 0; v < VECTORS; ++v) sum[r][v] += factor * row[v];
    }
  }
  read.at = in;
  written.at = out;
  for (int64_t r = 0; r < ROWS; ++r) {
    for (int64_t v = 0; v < VECTORS; ++v) {
      *reinterpret_cast<Vector<T, lanes<T>>*>(c + r * c_row + v * lanes<T>) = sum[r][v];
    }
  }
}

// Computes all rows of VECTORS vectors of c.
template <class T, int64_t VECTORS>
struct Panel {
  using Tile = void (*)(const SmallProduct<T>&, const T*, const T*, int64_t, T*, int64_t, PrefetchRange&,
                        PrefetchRange&);
  static constexpr Tile of_rows[max_rows + 1] = {nullptr,
                                                 tile<T, 1, VECTORS>,
                                                 tile<T, 2, VECTORS>,
                                                 tile<T, 3, VECTORS>,
                                                 tile<T, 4, VECTORS>,
                                                 tile<T, 5, VECTORS>,
                                                 tile<T, 6, VECTORS>};
  static void whole(const SmallProduct<T>& p, int64_t j, PrefetchNext& next) {
    for (int64_t i = 0; i < p.m; i += max_rows) {
      const int64_t rows = p.m - i < max_rows ? p.m - i : max_rows;
      of_rows[rows](p, p.a + i * p.a_row, p.b + j, p.b_row, p.c + i * p.c_row + j, p.c_row,
                    pending_input(next), next.c);
    }
  }
};

// The last columns, fewer than a vector has: copies them to buffers of whole vectors.
template <class T>
void multiply_tail(const SmallProduct<T>& p, int64_t j, PrefetchNext& next) {
  const int64_t columns = p.n - j;
  alignas(vector_bytes) T b[small_max_k * lanes<T>];
  alignas(vector_bytes) T c[max_rows * lanes<T>];
  for (int64_t k = 0; k < p.k; ++k) {
    for (int64_t l = 0; l < lanes<T>; ++l)
      b[k * lanes<T> + l] = l < columns ? p.b[k * p.b_row + j + l] : T(0);
  }
  for (int64_t i = 0; i < p.m; i += max_rows) {
    const int64_t rows = p.m - i < max_rows ? p.m - i : max_rows;
    Panel<T, 1>::of_rows[rows](p, p.a + i * p.a_row, b, lanes<T>, c, lanes<T>, pending_input(next), next.c);
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t l = 0; l < columns; ++l) p.c[(i + r) * p.c_row + j + l] = c[r * lanes<T> + l];
    }
  }
}

template <class T>
void multiply(const SmallProduct<T>& p) {
  PrefetchNext next = p.next;
  int64_t j = 0;
  for (; j + max_vectors * lanes<T> <= p.n; j += max_vectors * lanes<T>) {
    Panel<T, max_vectors>::whole(p, j, next);
  }
  if constexpr (max_vectors == 4) {
    if (j + 3 * lanes<T> <= p.n) {
      Panel<T, 3>::whole(p, j, next);
      j += 3 * lanes<T>;
    } else if (j + 2 * lanes<T> <= p.n) {
      Panel<T, 2>::whole(p, j, next);
      j += 2 * lanes<T>;
    }
  }
  if (j + lanes<T> <= p.n) {
    Panel<T, 1>::whole(p, j, next);
    j += lanes<T>;
  }
  if (j < p.n) multiply_tail(p, j, next);
}

}  // namespace

void fill_small_products(SmallTable& t) {
  t.float32.multiply = multiply<float>;
  t.float32.lanes = lanes<float>;
  t.float64.multiply = multiply<double>;
  t.float64.lanes = lanes<double>;
}

}  // namespace arr::host::ARR_LEVEL
