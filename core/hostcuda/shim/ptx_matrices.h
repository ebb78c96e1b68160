// SPDX-License-Identifier: MIT
// PTX's matrix instructions of a warp as loops: each lane puts its numbers in memory of the warp, at the
// indices that PTX gives them in the matrices, and reads those of its results. Embedded behind ptx.h where a
// source has one.

namespace arr_ptx {

// The numbers of factors: how many a register holds, what they are summed as, and number e of a register.
struct f16 {
  typedef float sum;
  static constexpr unsigned per = 2;
  static ARR_MEMBER float get(unsigned r, unsigned e) {
    return arr_half_widen((unsigned short)(r >> (16 * e)));
  }
};
struct bf16 {
  typedef float sum;
  static constexpr unsigned per = 2;
  static ARR_MEMBER float get(unsigned r, unsigned e) {
    return arr_bfloat_widen((unsigned short)(r >> (16 * e)));
  }
};
// A float without its last 13 bits.
struct tf32 {
  typedef float sum;
  static constexpr unsigned per = 1;
  static ARR_MEMBER float get(unsigned r, unsigned) { return __uint_as_float(r & ~0x1fffu); }
};
struct f64 {
  typedef double sum;
  static constexpr unsigned per = 1;
  static ARR_MEMBER double get(double r, unsigned) { return r; }
};
struct s8 {
  typedef int sum;
  static constexpr unsigned per = 4;
  static ARR_MEMBER int get(unsigned r, unsigned e) { return (signed char)(r >> (8 * e)); }
};
struct u8 {
  typedef int sum;
  static constexpr unsigned per = 4;
  static ARR_MEMBER int get(unsigned r, unsigned e) { return (unsigned char)(r >> (8 * e)); }
};

ARR_INLINE float add_product(float sum, float a, float b) { return sum + a * b; }
ARR_INLINE double add_product(double sum, double a, double b) { return fma(a, b, sum); }
ARR_INLINE long long add_product(long long sum, int a, int b) { return sum + a * b; }
template <class Sum>
struct wide_of {
  typedef Sum type;
};
template <>
struct wide_of<int> {
  typedef long long type;
};

// Sums: one per register, or two of 16 bits.
template <class Sum, class R>
ARR_INLINE Sum sum_of(const R* c, unsigned i) {
  if constexpr (sizeof(Sum) == 4 && is_float<Sum> && !is_float<R>)
    return f16::get(c[i / 2], i % 2);
  else
    return c[i];
}
template <bool Saturated, class Sum, class R>
ARR_INLINE void put_sum(R* d, unsigned i, Sum sum) {
  if constexpr (is_float<Sum> && !is_float<R>) {
    const unsigned part = unsigned(arr_half_narrow(float(sum))) << (16 * (i % 2));
    d[i / 2] = i % 2 == 0 ? part : d[i / 2] | part;
  } else if constexpr (Saturated && !is_float<Sum>) {
    d[i] = R(sum < -2147483648ll ? -2147483648ll : sum > 2147483647ll ? 2147483647ll : sum);
  } else {
    d[i] = R(sum);
  }
}

// The factors of each warp.
static thread_local unsigned char factors[32][2][2048] __attribute__((aligned(64)));
// M x 8 sums of M x K and K x 8 numbers. A register's numbers lie side by side in a row of A or a column of
// B; a lane's four stand in quarters of it.
template <unsigned M, unsigned K, class A, class B, bool Saturated, class D, class R, class C>
ARR_INLINE void mma(D* d, const R* a, const R* b, const C* c, ARR_LINE) {
  typedef typename A::sum Sum;
  constexpr unsigned per = A::per, width = 4 * per, halves = M / 8;
  const unsigned lane = arr_lane(), group = lane / 4, at = lane % 4;
  Sum* const left = (Sum*)factors[warp()][0];
  Sum* const right = (Sum*)factors[warp()][1];
  for (unsigned r = 0; r < M * K / 32 / per; r++)
    for (unsigned e = 0; e < per; e++)
      left[(group + 8 * (r % halves)) * K + r / halves * width + at * per + e] = A::get(a[r], e);
  for (unsigned r = 0; r < K / 4 / per; r++)
    for (unsigned e = 0; e < per; e++) right[(r * width + at * per + e) * 8 + group] = B::get(b[r], e);
  __syncwarp(~0u, line);
  for (unsigned i = 0; i < M / 4; i++) {
    const unsigned row = group + 8 * (i / 2), column = 2 * at + i % 2;
    typename wide_of<Sum>::type sum = sum_of<Sum>(c, i);
    for (unsigned k = 0; k < K; k++) sum = add_product(sum, left[row * K + k], right[k * 8 + column]);
    put_sum<Saturated>(d, i, sum);
  }
  __syncwarp(~0u, line);
}

// Fragments of wmma: a lane's numbers are every 32nd of the matrix in rows. A register that is one too many
// has the numbers of another.
template <unsigned Columns, bool Turned>
ARR_INLINE arr_size_t offset_of(unsigned number, unsigned stride) {
  const unsigned i = number * 32 + arr_lane(), row = i / Columns, column = i % Columns;
  return Turned ? arr_size_t(column) * stride + row : arr_size_t(row) * stride + column;
}
template <unsigned Rows, unsigned Columns, bool Turned, class R, class T>
ARR_INLINE void load_fragment(R* to, unsigned registers, const T* from, unsigned stride, ARR_LINE) {
  constexpr unsigned per = sizeof(R) / sizeof(T), needed = Rows * Columns / 32 / per;
  __syncwarp(~0u, line);
  for (unsigned r = 0; r < needed; r++) {
    if constexpr (per == 1) {
      to[r] = from[offset_of<Columns, Turned>(r, stride)];
    } else {
      R all = 0;
      for (unsigned e = 0; e < per; e++)
        all |= R(from[offset_of<Columns, Turned>(r * per + e, stride)]) << (8 * sizeof(T) * e);
      to[r] = all;
    }
  }
  for (unsigned r = needed; r < registers; r++) to[r] = to[r - needed];
}
template <unsigned Rows, unsigned Columns, bool Turned, class R, class T>
ARR_INLINE void store_fragment(const R* from, T* to, unsigned stride, ARR_LINE) {
  constexpr unsigned per = sizeof(R) / sizeof(T);
  for (unsigned r = 0; r < Rows * Columns / 32 / per; r++)
    for (unsigned e = 0; e < per; e++) {
      T& target = to[offset_of<Columns, Turned>(r * per + e, stride)];
      if constexpr (per == 1)
        target = from[r];
      else
        target = T(from[r] >> (8 * sizeof(T) * e));
    }
  __syncwarp(~0u, line);
}
template <class F, class R>
ARR_INLINE void put_factor(typename F::sum* to, const R* from, unsigned registers) {
  for (unsigned r = 0; r < registers; r++)
    for (unsigned e = 0; e < F::per; e++) to[(r * F::per + e) * 32 + arr_lane()] = F::get(from[r], e);
}
template <unsigned M, unsigned N, unsigned K, class A, class B, bool Saturated, class D, class R, class C>
ARR_INLINE void fragment_product(D* d, const R* a, const R* b, const C* c, ARR_LINE) {
  typedef typename A::sum Sum;
  Sum* const left = (Sum*)factors[warp()][0];
  Sum* const right = (Sum*)factors[warp()][1];
  put_factor<A>(left, a, M * K / 32 / A::per);
  put_factor<B>(right, b, K * N / 32 / B::per);
  __syncwarp(~0u, line);
  for (unsigned e = 0; e < M * N / 32; e++) {
    const unsigned i = e * 32 + arr_lane(), row = i / N, column = i % N;
    typename wide_of<Sum>::type sum = sum_of<Sum>(c, e);
    for (unsigned k = 0; k < K; k++) sum = add_product(sum, left[row * K + k], right[k * N + column]);
    put_sum<Saturated>(d, e, sum);
  }
  __syncwarp(~0u, line);
}

// Matrices of 8 x 8 numbers of 16 bits. Lane 8 j + i has the address of row i of matrix j; register j of lane
// 4 i + k then has the numbers 2 k and 2 k + 1 of row i, or of column i.
template <unsigned N, bool Turned>
ARR_INLINE void load_matrices(unsigned* to, const void* row, ARR_LINE) {
  const unsigned long long mine = (unsigned long long)row;
  const unsigned lane = arr_lane(), i = lane / 4, k = lane % 4;
  for (unsigned j = 0; j < N; j++) {
    if constexpr (Turned) {
      const auto* one = (const unsigned short*)arr_shuffle(~0u, mine, int(8 * j + 2 * k), line);
      const auto* two = (const unsigned short*)arr_shuffle(~0u, mine, int(8 * j + 2 * k + 1), line);
      to[j] = one[i] | unsigned(two[i]) << 16;
    } else {
      const auto* from = (const unsigned short*)arr_shuffle(~0u, mine, int(8 * j + i), line);
      to[j] = from[2 * k] | unsigned(from[2 * k + 1]) << 16;
    }
  }
}
template <unsigned N, bool Turned>
ARR_INLINE void store_matrices(void* row, const unsigned* from, ARR_LINE) {
  const unsigned long long mine = (unsigned long long)row;
  const unsigned lane = arr_lane(), i = lane / 4, k = lane % 4;
  for (unsigned j = 0; j < N; j++) {
    if constexpr (Turned) {
      auto* one = (unsigned short*)arr_shuffle(~0u, mine, int(8 * j + 2 * k), line);
      auto* two = (unsigned short*)arr_shuffle(~0u, mine, int(8 * j + 2 * k + 1), line);
      one[i] = (unsigned short)from[j], two[i] = (unsigned short)(from[j] >> 16);
    } else {
      auto* to = (unsigned short*)arr_shuffle(~0u, mine, int(8 * j + i), line);
      to[2 * k] = (unsigned short)from[j], to[2 * k + 1] = (unsigned short)(from[j] >> 16);
    }
  }
  __syncwarp(~0u, line);
}
ARR_INLINE unsigned turned(unsigned value, ARR_LINE) {
  const unsigned lane = arr_lane(), i = lane / 4, k = lane % 4;
  const unsigned one = arr_shuffle(~0u, value, int(8 * k + i / 2), line);
  const unsigned two = arr_shuffle(~0u, value, int(8 * k + 4 + i / 2), line);
  return (one >> (16 * (i % 2)) & 0xffffu) | two >> (16 * (i % 2)) << 16;
}

}  // namespace arr_ptx
