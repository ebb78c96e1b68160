// SPDX-License-Identifier: MIT
// Compacts selected elements: a block per tile of mask bits, whose prefix counts give the position of its
// results. Consecutive selected elements become consecutive elements.

template <int K>
ARR_FN void arr_put_value(const arr_params& p, long long rank, arr_values<arr_outputs>& r) {
  ((arr_element_of<K>*)p.w[values_word + K - input_count])[rank] = arr_get<K>(r);
}
// The program's outputs of element i.
template <int... In, int... Out>
ARR_FN void arr_put_values(const arr_params& p, const arr_addresses& a, arr_unsigned i, long long rank,
                           arr_list<In...>, arr_list<Out...>) {
  const arr_indices<dims> x = arr_split<dims>(p, extent_word, i);
  arr_values<arr_outputs> r;
  arr_body(arr_load<In, 0>(p, a, x)..., arr_get<Out>(r)...);
  (arr_put_value<Out>(p, rank, r), ...);
}

ARR_FN void arr_put_indices(const arr_params& p, arr_unsigned i, long long rank) {
  const arr_indices<nspace> x = arr_split<nspace>(p, space_word, i);
  const long long at = rank * (long long)p.w[index_step_word];
#pragma unroll
  for (int d = 0; d < nspace; ++d) ((long long*)p.w[indices_word + d])[at] = (long long)x.at[d];
}

// The rows of a tile are one sequence of units, of which the blocks of a column of the grid take equal parts.
template <int Unit>
ARR_FN void arr_copy_rows(const arr_params& p, long long before, long long capacity) {
  typedef arr_pack<unsigned char, Unit> unit;
  __shared__ unsigned short selected[tile_words * 32];
  __shared__ int total;
  if (threadIdx.x == 0) total = (int)(((const long long*)p.w[before_word])[blockIdx.x + 1] - before);
  arr_each_selected(p, [&](int i, int rank) { selected[rank] = (unsigned short)i; });
  __syncthreads();
  const long long room = capacity - before, rows = total < room ? total : room;
  const unsigned long long units = p.w[row_units_word], all = rows > 0 ? units * (unsigned long long)rows : 0;
  const unsigned long long part = (all + gridDim.y - 1) / gridDim.y, from = part * blockIdx.y,
                           end = from + part < all ? from + part : all;
  unit* to = (unit*)p.w[row_to_word] + before * (long long)units;
  for (unsigned long long u = from + threadIdx.x; u < end; u += block_threads) {
    const unsigned long long row = arr_divide_wide(u, units, p.w[row_units_word + 1]);
    const arr_unsigned i = (arr_unsigned)(arr_tile_begin() + selected[row]);
    const arr_indices<dims> x = arr_split<dims>(p, extent_word, i);
    const char* at = (const char*)p.w[rows_word] + arr_offset<long long>(p, row_stride_word, x);
    to[u] = ((const unit*)at)[u - row * units];
  }
}

// A template, so that only the code that a call needs is compiled.
template <int Space, int Unit>
ARR_FN void arr_compact(const arr_params& p) {
  const long long capacity = (long long)p.w[capacity_word], before = arr_selected_before(p);
  if (before >= capacity) return;
  if constexpr (Unit > 0) {
    arr_copy_rows<Unit>(p, before, capacity);
  } else {
    const arr_addresses a = arr_locate(p, arr_indices<0>(), arr_inputs());
    arr_each_selected(p, [&](int i, int rank) {
      if (before + rank >= capacity) return;
      const arr_unsigned element = (arr_unsigned)(arr_tile_begin() + i);
      arr_put_values(p, a, element, before + rank, arr_inputs(), arr_outputs());
      if constexpr (Space > 0) arr_put_indices(p, element, before + rank);
    });
  }
}

extern "C" __global__ void __launch_bounds__(block_threads) arr_kernel(const __grid_constant__ arr_params p) {
  arr_compact<nspace, row_unit>(p);
}
