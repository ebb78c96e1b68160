// SPDX-License-Identifier: MIT
// Indices of several dimensions and the offsets that follow from them. Generated lines go before it:
// arr_params, the types arr_index and arr_unsigned, and `wide` (codegen/emit.cpp).

// An index in each of N dimensions.
template <int N>
struct arr_indices {
  arr_unsigned at[N > 0 ? N : 1];
};

// Splits an index over N dimensions, of which the last runs fastest. Their extents begin at word `extents`,
// each followed by its reciprocal.
template <int N>
ARR_FN arr_indices<N> arr_split(const arr_params& p, int extents, arr_unsigned index) {
  arr_indices<N> x;
#pragma unroll
  for (int d = N - 1; d > 0; --d) {
    const unsigned long long extent = p.w[extents + 2 * d], word = p.w[extents + 2 * d + 1];
    const arr_unsigned quotient =
        (arr_unsigned)(wide ? arr_divide_wide(index, extent, word) : arr_divide((unsigned)index, word));
    x.at[d] = index - quotient * (arr_unsigned)extent;
    index = quotient;
  }
  x.at[0] = index;
  return x;
}

// The sum of the indices times the strides, which begin at word `strides`.
template <class T, int N>
ARR_FN T arr_offset(const arr_params& p, int strides, const arr_indices<N>& x) {
  T sum = 0;
#pragma unroll
  for (int d = 0; d < N; ++d) sum += (T)x.at[d] * (T)p.w[strides + d];
  return sum;
}
