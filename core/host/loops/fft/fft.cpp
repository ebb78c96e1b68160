// SPDX-License-Identifier: MIT
// Passes over lines: gather and scatter, scaling, twiddle factors, and the conversion between a transform of
// reals and a complex transform of half the length.
#include "host/loops/fft/fft.h"

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

#pragma GCC diagnostic ignored "-Wconversion"

namespace arr::host::ARR_LEVEL {

void fill_fft(FftTable& t);

namespace {

struct Pair {
  unsigned long long lo, hi;
};

// Unaligned: a pair of numbers is only aligned as one number is.
template <class T>
inline void copy_one(const char* from, char* to) {
  __builtin_memcpy(to, from, sizeof(T));
}

// Transposes 4 x 4 elements: row i of `to` is column i of `from`. GCC 12 has no vector types of a template
// parameter, so each element type has its own function. The addresses need no alignment.
#define ARR_TRANSPOSE4(T, bytes)                                                                        \
  inline void transpose4(T /*element*/, const char* from, int64_t from_row, char* to, int64_t to_row) { \
    using Four = T __attribute__((vector_size(bytes)));                                                 \
    Four r[4];                                                                                          \
    for (int64_t i = 0; i < 4; ++i) __builtin_memcpy(&r[i], from + i * from_row, sizeof(Four));         \
    const Four a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6),                                     \
               b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);                                     \
    const Four c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6),                                     \
               d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);                                     \
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);                                                   \
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);                                                   \
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);                                                   \
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);                                                   \
    for (int64_t i = 0; i < 4; ++i) __builtin_memcpy(to + i * to_row, &r[i], sizeof(Four));             \
  }
ARR_TRANSPOSE4(unsigned int, 16)
ARR_TRANSPOSE4(unsigned long long, 32)
#undef ARR_TRANSPOSE4

// Transposes rows x columns elements; both counts are multiples of 4. Writes a cache line of the result at a
// time.
template <class T>
inline void transpose_blocks(int64_t rows, int64_t columns, const char* from, int64_t from_row, char* to,
                             int64_t to_row) {
  constexpr auto item = static_cast<int64_t>(sizeof(T)), line = 64 / item;
  for (int64_t i = 0; i < rows; i += line) {
    const int64_t end = i + line < rows ? i + line : rows;
    for (int64_t j = 0; j < columns; j += 4) {
      for (int64_t k = i; k < end; k += 4) {
        transpose4(T{}, from + k * from_row + j * item, from_row, to + j * to_row + k * item, to_row);
      }
    }
  }
}

// Transposes columns x rows elements; both counts are multiples of 4. Writes the result row by row.
template <class T>
inline void transpose_rows(int64_t rows, int64_t columns, const char* from, int64_t from_row, char* to,
                           int64_t to_row) {
  constexpr auto item = static_cast<int64_t>(sizeof(T));
  for (int64_t i = 0; i < rows; i += 4) {
    for (int64_t j = 0; j < columns; j += 4) {
      transpose4(T{}, from + j * from_row + i * item, from_row, to + i * to_row + j * item, to_row);
    }
  }
}

// True if neighbouring lines are neighbours in memory and there is at least one 4 x 4 square of them.
template <class T>
constexpr bool can_transpose(int64_t lines, int64_t n, int64_t line_stride) {
  return line_stride == static_cast<int64_t>(sizeof(T)) && lines >= 4 && n >= 4;
}

// The elements first .. last - 1 of some lines, one by one.
template <class T>
void gather_rest(int64_t from_line, int64_t to_line, int64_t first, int64_t last, const char* from,
                 int64_t line_stride, int64_t step, char* to, int64_t ld) {
  constexpr int64_t item = sizeof(T);
  for (int64_t r = from_line; r < to_line; ++r) {
    for (int64_t i = first; i < last; ++i) {
      copy_one<T>(from + r * line_stride + i * step, to + r * ld + i * item);
    }
  }
}
template <class T>
void scatter_rest(int64_t from_line, int64_t to_line, int64_t first, int64_t last, const char* from,
                  int64_t ld, char* to, int64_t line_stride, int64_t step) {
  constexpr int64_t item = sizeof(T);
  for (int64_t i = first; i < last; ++i) {
    for (int64_t r = from_line; r < to_line; ++r) {
      copy_one<T>(from + r * ld + i * item, to + r * line_stride + i * step);
    }
  }
}

// Copies a cache line of elements at a time: whole cache lines are written, and one that was read is used
// while it is in the cache.
template <class T>
void gather_lines(int64_t lines, int64_t n, const char* from, int64_t line_stride, int64_t step, char* to,
                  int64_t ld) {
  constexpr int64_t item = sizeof(T), block = 64 / item;
  if (step == static_cast<int64_t>(sizeof(T))) {
    for (int64_t r = 0; r < lines; ++r) {
      __builtin_memcpy(to + r * ld, from + r * line_stride, static_cast<unsigned long>(n) * sizeof(T));
    }
    return;
  }
  if constexpr (sizeof(T) <= 8) {
    if (can_transpose<T>(lines, n, line_stride)) {
      const int64_t whole = lines & ~int64_t{3}, length = n & ~int64_t{3};
      transpose_blocks<T>(length, whole, from, step, to, ld);
      gather_rest<T>(0, whole, length, n, from, line_stride, step, to, ld);
      return gather_rest<T>(whole, lines, 0, n, from, line_stride, step, to, ld);
    }
  }
  for (int64_t c = 0; c < n; c += block) {
    const int64_t width = n - c < block ? n - c : block;
    for (int64_t r = 0; r < lines; ++r) {
      const char* x = from + r * line_stride + c * step;
      char* y = to + r * ld + c * item;
      if (width == block) {
        for (int64_t j = 0; j < block; ++j) copy_one<T>(x + j * step, y + j * item);
      } else {
        for (int64_t j = 0; j < width; ++j) copy_one<T>(x + j * step, y + j * item);
      }
    }
  }
}
template <class T>
void scatter_lines(int64_t lines, int64_t n, const char* from, int64_t ld, char* to, int64_t line_stride,
                   int64_t step) {
  constexpr int64_t item = sizeof(T), block = 64 / item;
  if (step == static_cast<int64_t>(sizeof(T))) {
    for (int64_t r = 0; r < lines; ++r) {
      __builtin_memcpy(to + r * line_stride, from + r * ld, static_cast<unsigned long>(n) * sizeof(T));
    }
    return;
  }
  if constexpr (sizeof(T) <= 8) {
    if (can_transpose<T>(lines, n, line_stride)) {
      const int64_t whole = lines & ~int64_t{3}, length = n & ~int64_t{3};
      transpose_rows<T>(length, whole, from, ld, to, step);
      scatter_rest<T>(0, whole, length, n, from, ld, to, line_stride, step);
      return scatter_rest<T>(whole, lines, 0, n, from, ld, to, line_stride, step);
    }
  }
  for (int64_t c = 0; c < n; c += block) {
    const int64_t width = n - c < block ? n - c : block;
    for (int64_t r = 0; r < lines; ++r) {
      const char* x = from + r * ld + c * item;
      char* y = to + r * line_stride + c * step;
      for (int64_t j = 0; j < width; ++j) copy_one<T>(x + j * item, y + j * step);
    }
  }
}

template <class F>
void scale(int64_t n, double factor, void* data) {
  F* x = static_cast<F*>(data);
  const F f = static_cast<F>(factor);
  for (int64_t i = 0; i < n; ++i) x[i] *= f;
}

template <class F>
void twiddle(int64_t n, int64_t width, const void* coarse, const void* fine, void* data) {
  const F *u = static_cast<const F*>(coarse), *v = static_cast<const F*>(fine);
  F* x = static_cast<F*>(data);
  for (int64_t i = 0; i < n; i += width, u += 2, x += 2 * width) {
    const int64_t m = n - i < width ? n - i : width;
    const F ur = u[0], ui = u[1];
#pragma GCC ivdep
    for (int64_t b = 0; b < m; ++b) {
      const F wr = ur * v[2 * b] - ui * v[2 * b + 1], wi = ur * v[2 * b + 1] + ui * v[2 * b];
      const F re = x[2 * b], im = x[2 * b + 1];
      x[2 * b] = re * wr - im * wi;
      x[2 * b + 1] = re * wi + im * wr;
    }
  }
}

// With e = (z[k] + conj z[m-k]) / 2 and o = (z[k] - conj z[m-k]) / 2i: x[k] = e + w^k o, x[m-k] = conj(e -
// w^k o)
template <class F>
void real_fft_postprocess(int64_t m, int64_t from, int64_t to, const void* roots, void* data) {
  const F* w = static_cast<const F*>(roots);
  F* x = static_cast<F*>(data);
  constexpr F half = 0.5;
  for (int64_t k = from; k < to; ++k, w += 2) {
    F *p = x + 2 * k, *q = x + 2 * (m - k);
    // Halved before the addition, because the sum could overflow.
    const F pr = half * p[0], pi = half * p[1], qr = half * q[0], qi = half * q[1];
    const F er = pr + qr, ei = pi - qi, o_r = pi + qi, oi = qr - pr;
    const F tr = w[0] * o_r - w[1] * oi, ti = w[0] * oi + w[1] * o_r;
    p[0] = er + tr;
    p[1] = ei + ti;
    q[0] = er - tr;
    q[1] = ti - ei;
  }
}
// With a = x[k] + conj x[m-k] and b = (x[k] - conj x[m-k]) conj(w^k): z[k] = a + i b, z[m-k] = conj(a) + i
// conj(b)
template <class F>
void real_ifft_preprocess(int64_t m, int64_t from, int64_t to, const void* roots, const void* data,
                          void* result) {
  const F *w = static_cast<const F*>(roots), *x = static_cast<const F*>(data);
  F* z = static_cast<F*>(result);
  for (int64_t k = from; k < to; ++k, w += 2) {
    const F *p = x + 2 * k, *q = x + 2 * (m - k);
    const F ar = p[0] + q[0], ai = p[1] - q[1], dr = p[0] - q[0], di = p[1] + q[1];
    const F br = dr * w[0] + di * w[1], bi = di * w[0] - dr * w[1];
    F *f = z + 2 * k, *g = z + 2 * (m - k);
    f[0] = ar - bi;
    f[1] = ai + br;
    g[0] = ar + bi;
    g[1] = br - ai;
  }
}

template <class F>
FftLoops loops_of() {
  return {scale<F>, twiddle<F>, real_fft_postprocess<F>, real_ifft_preprocess<F>};
}

}  // namespace

void fill_fft(FftTable& t) {
  t.of_float = loops_of<float>();
  t.of_double = loops_of<double>();
  t.gather_lines[2] = gather_lines<unsigned int>;
  t.gather_lines[3] = gather_lines<unsigned long long>;
  t.gather_lines[4] = gather_lines<Pair>;
  t.scatter_lines[2] = scatter_lines<unsigned int>;
  t.scatter_lines[3] = scatter_lines<unsigned long long>;
  t.scatter_lines[4] = scatter_lines<Pair>;
}

}  // namespace arr::host::ARR_LEVEL
