// SPDX-License-Identifier: MIT
// Element-wise kernel for inputs that run along another dimension than the outputs do: they are read through
// tiles of shared memory. codegen/emit_elementwise.cpp generates the lines before it: the program and its
// operands; edge, the tiles' edge; outside, the number of dimensions besides the tiles' two; words.

constexpr int tile_rows = block_threads / 32;       // rows that the threads take at a time
constexpr int rows_in_flight = edge == 32 ? 4 : 2;  // enough to keep loads in flight

// The tile of operand K. Its rows are padded by one word, so that neither way of access has bank conflicts.
template <int K, bool Transposed = arr_operand<K>::access == arr_access::transposed>
struct arr_tile {};
template <int K>
struct arr_tile<K, true> {
  typedef arr_element_of<K> T;
  T at[edge][edge + (sizeof(T) < 4 ? 4 / sizeof(T) : 1)];
};
template <class List>
struct arr_tiles_of;
template <int... K>
struct arr_tiles_of<arr_list<K...>> : arr_tile<K>... {};
typedef arr_tiles_of<arr_inputs> arr_tiles;

// Calls visit(j, i) for each element of a tile that this thread takes; i is the threads' fastest index.
template <class Visit>
ARR_FN void arr_each_element(Visit visit) {
#pragma unroll rows_in_flight
  for (int n = 0; n < edge / tile_rows; ++n) {
#pragma unroll
    for (int m = 0; m < edge / 32; ++m) visit((int)threadIdx.y + n * tile_rows, (int)threadIdx.x + m * 32);
  }
}

template <int K>
ARR_FN void arr_fill_tile(const arr_params& p, const arr_addresses& a, arr_tiles& tiles, int j, int i,
                          const arr_indices<2>& x) {
  if constexpr (arr_operand<K>::access == arr_access::transposed) {
    static_cast<arr_tile<K>&>(tiles).at[j][i] = arr_load<K, outside>(p, a, x);
  }
}
template <int... K>
ARR_FN void arr_fill_tiles(const arr_params& p, const arr_addresses& a, arr_tiles& tiles, int j, int i,
                           const arr_indices<2>& x, arr_list<K...>) {
  (arr_fill_tile<K>(p, a, tiles, j, i, x), ...);
}

template <int K>
ARR_FN arr_element_of<K> arr_read(const arr_params& p, const arr_addresses& a, arr_tiles& tiles, int j, int i,
                                  const arr_indices<2>& x) {
  if constexpr (arr_operand<K>::access == arr_access::transposed) {
    return static_cast<arr_tile<K>&>(tiles).at[i][j];
  } else {
    return arr_load<K, outside>(p, a, x);
  }
}
// The program for element (j, i) of the tile, which has the indices x.
template <int... In, int... Out>
ARR_FN void arr_compute(const arr_params& p, const arr_addresses& a, arr_tiles& tiles, int j, int i,
                        const arr_indices<2>& x, arr_list<In...>, arr_list<Out...>) {
  arr_values<arr_list<Out...>> o;
  arr_body(arr_read<In>(p, a, tiles, j, i, x)..., arr_get<Out>(o)...);
  (arr_store<Out, outside>(p, a, x, arr_get<Out>(o)), ...);
}

template <int... In, int... Out>
ARR_FN arr_addresses arr_locate_all(const arr_params& p, const arr_indices<outside>& x, arr_list<In...>,
                                    arr_list<Out...>) {
  return arr_locate(p, x, arr_list<In..., Out...>());
}

extern "C" __global__ void __launch_bounds__(block_threads) arr_kernel(const __grid_constant__ arr_params p) {
  __shared__ arr_tiles tiles;
  const arr_index length = (arr_index)p.w[0], height = (arr_index)p.w[1];
  const unsigned across = (unsigned)((p.w[0] + edge - 1) / edge);
  const arr_index left = (arr_index)(blockIdx.x % across) * edge,
                  top = (arr_index)(blockIdx.x / across) * edge;
  for (long long r = blockIdx.y; r < (long long)p.w[outside_word]; r += gridDim.y) {
    const arr_indices<outside> x = arr_split<outside>(p, extent_word, (arr_unsigned)r);
    const arr_addresses a = arr_locate_all(p, x, arr_inputs(), arr_outputs());
    arr_each_element([&](int j, int i) {
      if (left + j >= length || top + i >= height) return;
      const arr_indices<2> at = {{(arr_unsigned)(top + i), (arr_unsigned)(left + j)}};
      arr_fill_tiles(p, a, tiles, j, i, at, arr_inputs());
    });
    __syncthreads();
    arr_each_element([&](int j, int i) {
      if (top + j >= height || left + i >= length) return;
      const arr_indices<2> at = {{(arr_unsigned)(top + j), (arr_unsigned)(left + i)}};
      arr_compute(p, a, tiles, j, i, at, arr_inputs(), arr_outputs());
    });
    __syncthreads();
  }
}
