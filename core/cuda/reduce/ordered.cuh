// SPDX-License-Identifier: MIT
// Reductions and scans of segments in the order of their elements: a thread goes along each.
//
// reduce/emit_ordered.cpp generates the lines before it: the program of a step, arr_body(s, x, next) or
// arr_body(s, x, counts, next) where masked; the element's type T, the constants of OrderedShape, and words.

// The state after element x; `counts` is an element of the mask.
template <class Element>
ARR_FN Element arr_next(Element s, Element x, const char* counts) {
  Element next;
  if constexpr (masked) {
    arr_body(s, x, arr_element_at<bool>(counts), next);
  } else {
    arr_body(s, x, next);
  }
  return next;
}

extern "C" __global__ void __launch_bounds__(block_threads) arr_kernel(const __grid_constant__ arr_params p) {
  const long long o = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (o >= (long long)p.w[0]) return;
  const arr_indices<dims> k = arr_split<dims>(p, extent_word, (arr_unsigned)o);
  char* to = (char*)p.w[output_word] + arr_offset<arr_index>(p, output_stride_word, k);
  const char* q = (const char*)p.w[input_word] + arr_offset<arr_index>(p, input_stride_word, k);
  const char* mask =
      masked ? (const char*)p.w[mask_word] + arr_offset<arr_index>(p, mask_stride_word, k) : nullptr;
  const long long step = (long long)p.w[step_word], mask_step = masked ? (long long)p.w[mask_step_word] : 0,
                  along = running ? (long long)p.w[along_word] : 0;
  long long j = 0, end = (long long)p.w[length_word];
  if constexpr (has_bounds) {
    const long long* bounds = (const long long*)p.w[bounds_word] + 2 * (long long)k.at[segment_dim];
    j = bounds[0];
    end = bounds[1];
  }
  T s;
  if constexpr (initial) {
    s = arr_word<T>(p.w + initial_word);
  } else {
    s = arr_element_at<T>(q + j * step);
    if constexpr (running) *(T*)(to + j * along) = s;
    ++j;
  }
  for (; j < end; ++j) {
    s = arr_next<T>(s, arr_element_at<T>(q + j * step), mask + j * mask_step);
    if constexpr (running) *(T*)(to + j * along) = s;
  }
  if constexpr (!running) *(T*)to = s;
}
