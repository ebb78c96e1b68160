// SPDX-License-Identifier: MIT
// Writes values one after the other to selected elements: a block per tile of mask bits, whose counts say
// where its values begin.
//
// indexing/emit_compact.cpp generates the lines before it: the type T of elements, words, the functions of
// mask_bits.cuh.

extern "C" __global__ void __launch_bounds__(block_threads) arr_kernel(const __grid_constant__ arr_params p) {
  const long long before = arr_selected_before(p), values = (long long)p.w[nvalues_word];
  const T* from = (const T*)p.w[from_word];
  arr_each_selected(p, [&](int i, int rank) {
    const arr_indices<dims> x = arr_split<dims>(p, extent_word, (arr_unsigned)(arr_tile_begin() + i));
    const long long k = before + rank;
    *(T*)((char*)p.w[target_word] + arr_offset<arr_index>(p, target_stride_word, x)) =
        from[k < values ? k : k % values];
  });
}
