// SPDX-License-Identifier: MIT
// The kernels of users' reductions. reduction.cpp generates the lines before it: the user's code as functions
// (arr_user_map, arr_user_join, arr_user_identity, arr_user_post), the type arr_R that is reduced,
// arr_layout, and the constants arr_kept, arr_reduced_dims, arr_lane_count and arr_tree; and after it the
// call's arguments as arr_call, and the kernels. The user's macros are defined here, so all names begin with
// arr_.

// An index in each of several dimensions.
template <int arr_N>
struct arr_indices {
  long long arr_at[arr_N > 0 ? arr_N : 1];
};

// Splits an index over arr_N dimensions of the loop, from number arr_first on; the last is the fastest.
template <int arr_first, int arr_N>
ARR_USER arr_indices<arr_N> arr_split(const arr_layout& arr_l, long long arr_i) {
  arr_indices<arr_N> arr_x;
#pragma unroll
  for (int arr_d = arr_N - 1; arr_d > 0; --arr_d) {
    const long long arr_q = arr_i / arr_l.arr_shape[arr_first + arr_d];
    arr_x.arr_at[arr_d] = arr_i - arr_q * arr_l.arr_shape[arr_first + arr_d];
    arr_i = arr_q;
  }
  arr_x.arr_at[0] = arr_i;
  return arr_x;
}

// The offset of argument arr_k at these indices. arr_follows has a bit for each dimension whose elements are
// contiguous: there the stride is a constant, so that loads of neighbouring threads coalesce.
template <int arr_k, int arr_first, unsigned arr_follows, int arr_item, int arr_N>
ARR_USER long long arr_offset(const arr_layout& arr_l, const arr_indices<arr_N>& arr_x) {
  long long arr_sum = 0;
#pragma unroll
  for (int arr_d = 0; arr_d < arr_N; ++arr_d) {
    arr_sum += arr_x.arr_at[arr_d] * ((arr_follows >> (arr_first + arr_d) & 1) != 0
                                          ? arr_item
                                          : arr_l.arr_strides[arr_k][arr_first + arr_d]);
  }
  return arr_sum;
}

// The result of some elements, which the second kernel combines, or of the whole output.
template <bool arr_last, class arr_C>
ARR_USER void arr_put(const arr_C& arr_c, long long arr_o, long long arr_outputs, int arr_lane,
                      arr_R* arr_partial, const arr_R& arr_s) {
  if ((arr_tree && arr_lane != 0) || arr_o >= arr_outputs) return;
  if (arr_last) {
    arr_c.arr_finish(arr_s, arr_split<0, arr_kept>(arr_c.arr_l, arr_o));
  } else {
    const long long arr_piece = arr_tree ? blockIdx.y : (long long)blockIdx.y * arr_lane_count + arr_lane;
    arr_partial[arr_piece * arr_outputs + arr_o] = arr_s;
  }
}

// Reduces the elements of an output, or of a part of it, which arr_lane_count threads share. arr_last: there
// is no second kernel.
template <bool arr_last, class arr_C>
ARR_USER void arr_reduce_elements(const arr_C& arr_c, long long arr_outputs, long long arr_reduced,
                                  arr_R* arr_partial, long long arr_parts) {
  const int arr_lane = arr_lane_count > 1 ? (int)threadIdx.x : 0;
  const long long arr_o =
      arr_lane_count > 1 ? (long long)blockIdx.x : (long long)blockIdx.x * blockDim.x + threadIdx.x;
  arr_R arr_s = arr_user_identity();
  if (arr_o < arr_outputs) {
    const arr_indices<arr_kept> arr_x = arr_split<0, arr_kept>(arr_c.arr_l, arr_o);
    const long long arr_part = (arr_reduced + arr_parts - 1) / arr_parts;
    const long long arr_from = blockIdx.y * arr_part;
    const long long arr_end = arr_from + arr_part < arr_reduced ? arr_from + arr_part : arr_reduced;
    long long arr_i = arr_from;
    // All lanes together while there are elements for all.
    for (; arr_i + arr_lane_count <= arr_end; arr_i += arr_lane_count) {
      arr_s = arr_user_join(arr_s, arr_c.arr_element(arr_x, arr_i + arr_lane));
    }
    if (arr_lane_count > 1 && arr_i + arr_lane < arr_end) {
      arr_s = arr_user_join(arr_s, arr_c.arr_element(arr_x, arr_i + arr_lane));
    }
  }
  arr_put<arr_last>(arr_c, arr_o, arr_outputs, arr_lane, arr_partial, arr_block_reduce(arr_s));
}

// The second kernel: combines the results of the parts.
template <class arr_C>
ARR_USER void arr_reduce_partials(const arr_C& arr_c, long long arr_outputs, const arr_R* arr_partial,
                                  long long arr_parts) {
  const long long arr_o = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (arr_o >= arr_outputs) return;
  arr_R arr_s = arr_user_identity();
  for (long long arr_j = 0; arr_j < arr_parts * (arr_tree ? 1 : arr_lane_count); ++arr_j)
    arr_s = arr_user_join(arr_s, arr_partial[arr_j * arr_outputs + arr_o]);
  arr_c.arr_finish(arr_s, arr_split<0, arr_kept>(arr_c.arr_l, arr_o));
}
