// SPDX-License-Identifier: MIT
// Sequences of element-wise steps and reductions over rows. A thread reads its elements of a row once and
// keeps them, and the results of steps, in registers; a reduction leaves its result with all threads of the
// row. The order of combination follows from the row's length alone.
//
// reduce/emit_row_pipeline.cpp generates the lines before it: the types In and Out of the two arrays in
// memory, the constants of BlocksShape, and words; and after it the steps, each in a namespace, and
// arr_steps.

// A thread's part of a row.
struct arr_row {
  bool here;  // whether the thread has a row
  int lane, length;
  char *in, *out;
  // The index in the row of the thread's element e, and whether the row has it.
  ARR_FN int position(int e) const { return (e / vector * lanes + lane) * vector + e % vector; }
  ARR_FN bool has(int e) const { return here && (full || position(e) < length); }
};

// The steps from the elements of the row to those of the result.
ARR_FN void arr_steps(const arr_params& p, const arr_row& row, const In (&in)[each], Out (&out)[each]);

// Calls visit(e) for each of the thread's elements.
template <class Visit>
ARR_FN void arr_each(const arr_row& row, Visit visit) {
#pragma unroll
  for (int e = 0; e < each; ++e) {
    if (row.has(e)) visit(e);
  }
}
// Calls visit(e) for the first of each pack of consecutive elements. The row has all elements of a pack or
// none.
template <class Visit>
ARR_FN void arr_each_pack(const arr_row& row, Visit visit) {
#pragma unroll
  for (int e = 0; e < each; e += vector) {
    if (row.has(e)) visit(e);
  }
}

ARR_FN arr_index arr_row_offset(const arr_params& p, int strides, int position) {
  return arr_offset<arr_index>(p, strides,
                               arr_split<reduced>(p, reduced_extent_word, (arr_unsigned)position));
}
ARR_FN void arr_read_row(const arr_params& p, const arr_row& row, In (&in)[each]) {
  if constexpr (vector == 1) {
    arr_each(row, [&](int e) {
      in[e] = arr_element_at<In>(row.in + arr_row_offset(p, in_stride_word + kept, row.position(e)));
    });
  } else {
    arr_each_pack(row, [&](int e) {
      typedef arr_pack<typename arr_in_memory<In>::type, vector> pack;
      const pack a = *(const pack*)((const In*)row.in + row.position(e));
#pragma unroll
      for (int v = 0; v < vector; ++v) in[e + v] = a.v[v];
    });
  }
}
ARR_FN void arr_write_row(const arr_params& p, const arr_row& row, const Out (&out)[each]) {
  if constexpr (vector == 1) {
    arr_each(row, [&](int e) {
      *(Out*)(row.out + arr_row_offset(p, out_stride_word + kept, row.position(e))) = out[e];
    });
  } else {
    arr_each_pack(row, [&](int e) {
      arr_pack<Out, vector> a;
#pragma unroll
      for (int v = 0; v < vector; ++v) a.v[v] = out[e + v];
      *(arr_pack<Out, vector>*)((Out*)row.out + row.position(e)) = a;
    });
  }
}

extern "C" __global__ void __launch_bounds__(block_threads) arr_kernel(const __grid_constant__ arr_params p) {
  const long long o = (long long)blockIdx.x * (block_threads / lanes) + threadIdx.x / lanes;
  arr_row row = {o < (long long)p.w[0], (int)(threadIdx.x % lanes), (int)p.w[1], (char*)p.w[in_word],
                 (char*)p.w[out_word]};
  if (row.here) {
    const arr_indices<kept> k = arr_split<kept>(p, extent_word, (arr_unsigned)o);
    row.in += arr_offset<arr_index>(p, in_stride_word, k);
    row.out += arr_offset<arr_index>(p, out_stride_word, k);
  }
  In in[each];
  Out out[each];
  arr_read_row(p, row, in);
  arr_steps(p, row, in, out);
  arr_write_row(p, row, out);
}
