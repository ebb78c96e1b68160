// SPDX-License-Identifier: MIT
// CUDA's matrix products of a warp (nvcuda::wmma) as loops: each lane holds every 32nd element of a fragment,
// in rows, and reads the others' from memory of the warp. Embedded after the 16-bit types where a source
// includes mma.h.

namespace nvcuda {
namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

// The types in which a type is stored and summed.
template <class T>
struct arr_of {
  typedef T stored;
  typedef float summed;
};
template <>
struct arr_of<precision::tf32> {
  typedef float stored, summed;
};
template <>
struct arr_of<signed char> {
  typedef signed char stored;
  typedef int summed;
};
template <>
struct arr_of<unsigned char> {
  typedef unsigned char stored;
  typedef int summed;
};
template <>
struct arr_of<int> {
  typedef int stored, summed;
};
template <>
struct arr_of<double> {
  typedef double stored, summed;
};

template <class Use, int M, int N, int K>
struct arr_shape;
template <int M, int N, int K>
struct arr_shape<matrix_a, M, N, K> {
  static constexpr int rows = M, columns = K;
};
template <int M, int N, int K>
struct arr_shape<matrix_b, M, N, K> {
  static constexpr int rows = K, columns = N;
};
template <int M, int N, int K>
struct arr_shape<accumulator, M, N, K> {
  static constexpr int rows = M, columns = N;
};

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  typedef arr_shape<Use, M, N, K> arr_extents;
  typedef T element_type;
  typedef typename arr_of<T>::stored storage_element_type;
  static constexpr int num_elements = arr_extents::rows * arr_extents::columns / 32;
  static constexpr int num_storage_elements = num_elements;
  storage_element_type x[num_elements];
};

template <class Layout>
constexpr layout_t arr_layout = mem_row_major;
template <>
constexpr layout_t arr_layout<col_major> = mem_col_major;

template <class F>
ARR_INLINE arr_size_t arr_offset(int e, unsigned ldm, layout_t layout) {
  const unsigned i = unsigned(e) * 32 + arr_lane(), columns = unsigned(F::arr_extents::columns);
  const unsigned row = i / columns, column = i % columns;
  return layout == mem_row_major ? arr_size_t(row) * ldm + column : arr_size_t(column) * ldm + row;
}
template <class Use, int M, int N, int K, class T, class Layout, class V>
ARR_INLINE void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const V& v) {
  for (auto& e : f.x) e = typename fragment<Use, M, N, K, T, Layout>::storage_element_type(v);
}
template <class Use, int M, int N, int K, class T, class Layout, class V>
ARR_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f, const V* from, unsigned ldm,
                                 ARR_LINE) {
  typedef fragment<Use, M, N, K, T, Layout> F;
  __syncwarp(~0u, line);
  for (int e = 0; e < F::num_elements; e++) f.x[e] = from[arr_offset<F>(e, ldm, arr_layout<Layout>)];
}
template <int M, int N, int K, class T, class V>
ARR_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const V* from, unsigned ldm,
                                 layout_t layout, ARR_LINE) {
  typedef fragment<accumulator, M, N, K, T> F;
  __syncwarp(~0u, line);
  for (int e = 0; e < F::num_elements; e++) f.x[e] = from[arr_offset<F>(e, ldm, layout)];
}
template <int M, int N, int K, class T, class V>
ARR_INLINE void store_matrix_sync(V* to, const fragment<accumulator, M, N, K, T>& f, unsigned ldm,
                                  layout_t layout, ARR_LINE) {
  typedef fragment<accumulator, M, N, K, T> F;
  for (int e = 0; e < F::num_elements; e++) to[arr_offset<F>(e, ldm, layout)] = f.x[e];
  __syncwarp(~0u, line);
}

// The factors of each warp.
static thread_local unsigned char arr_factors[32][2][2048] __attribute__((aligned(64)));
template <class Sum, class F>
ARR_INLINE void arr_put(Sum* to, const F& f) {
  for (int e = 0; e < F::num_elements; e++) to[unsigned(e) * 32 + arr_lane()] = Sum(f.x[e]);
}
template <int M, int N, int K, class D, class A, class LayoutA, class B, class LayoutB, class C>
ARR_INLINE void mma_sync(fragment<accumulator, M, N, K, D>& d,
                         const fragment<matrix_a, M, N, K, A, LayoutA>& a,
                         const fragment<matrix_b, M, N, K, B, LayoutB>& b,
                         const fragment<accumulator, M, N, K, C>& c, bool = false, ARR_LINE) {
  typedef typename arr_of<A>::summed Sum;
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  Sum* const left = (Sum*)arr_factors[thread / 32][0];
  Sum* const right = (Sum*)arr_factors[thread / 32][1];
  arr_put(left, a);
  arr_put(right, b);
  __syncwarp(~0u, line);
  for (int e = 0; e < fragment<accumulator, M, N, K, D>::num_elements; e++) {
    const unsigned i = unsigned(e) * 32 + arr_lane(), row = i / N, column = i % N;
    Sum sum = Sum(c.x[e]);
    for (unsigned k = 0; k < K; k++) sum += left[row * K + k] * right[k * N + column];
    d.x[e] = typename arr_of<D>::stored(sum);
  }
  __syncwarp(~0u, line);
}
// 10 bits of fraction, to the nearest, ties away from zero.
ARR_INLINE float __float_to_tf32(float x) {
  const unsigned u = __float_as_uint(x);
  return (u & 0x7f800000u) == 0x7f800000u ? x : __uint_as_float((u + 0x1000u) & ~0x1fffu);
}
}  // namespace wmma
}  // namespace nvcuda
