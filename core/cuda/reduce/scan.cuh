// SPDX-License-Identifier: MIT
// Scans. Blocks that share a row each take a tile of it, in the order in which they begin, and look back at
// the results that earlier tiles have published (codegen/look_back.cuh): a single pass. Blocks that share
// columns begin with the prefixes of their parts, which two launches have computed before (see scan.cpp).
//
// reduce/emit_scan.cpp generates the lines before it: the map program and its operands, the types A of what
// is accumulated and O of results, arr_join(a, b), the look-back, the constants of ScanShape, and words.

constexpr int width = lanes < 32 ? lanes : 32;  // threads of a warp that share a sequence
constexpr int groups = each / vector;  // groups of consecutive elements that a thread takes at a time
constexpr int warps = lanes > 32 ? lanes / 32 : 1;

// A sequence: its number, and the addresses of its operands and results.
struct arr_sequence {
  long long number;
  arr_addresses operands;
  char* to;
};
ARR_FN arr_sequence arr_sequence_at(const arr_params& p, long long number) {
  const arr_indices<kept> k = arr_split<kept>(p, extent_word, (arr_unsigned)number);
  arr_sequence s;
  s.number = number;
  s.operands = arr_locate(p, k, arr_inputs());
  s.to = (char*)p.w[output_word] + arr_offset<arr_index>(p, output_stride_word, k);
  return s;
}
// The mapped element j, and its result.
ARR_FN void arr_element(const arr_params& p, const arr_sequence& s, arr_index j, A& m) {
  arr_map<kept>(p, s.operands, arr_indices<1>{{(arr_unsigned)j}}, m, arr_inputs());
}
ARR_FN void arr_put(const arr_params& p, const arr_sequence& s, arr_index j, A a) {
  *(O*)(s.to + j * (arr_index)p.w[output_stride_word + kept]) = arr_cast<O>(a);
}

// The end of the elements that block or tile `number` takes of a sequence, from number * part on.
ARR_FN arr_index arr_part_end(arr_index from, arr_index part, long long length) {
  return (long long)from + part < length ? from + part : (arr_index)length;
}

// A thread per sequence: neighbouring threads read neighbouring elements.
ARR_FN void arr_scan_columns(const arr_params& p) {
  const long long sequences = (long long)p.w[0], length = (long long)p.w[1];
  const arr_index part = split ? (arr_index)p.w[part_word] : (arr_index)length,
                  from = split ? (arr_index)blockIdx.y * part : 0,
                  end = split ? arr_part_end(from, part, length) : (arr_index)length;
  const long long o = (long long)blockIdx.x * block_threads + threadIdx.x;
  if (o >= sequences) return;
  const arr_sequence s = arr_sequence_at(p, o);
  bool any = split && blockIdx.y > 0;  // whether there is something before the part
  A before = A(0);
  if (any) before = ((const A*)p.w[carry_word])[(long long)(blockIdx.y - 1) * sequences + o];
#pragma unroll 4
  for (arr_index j = from; j < end; ++j) {
    A m;
    arr_element(p, s, j, m);
    before = any ? arr_join(before, m) : m;
    any = true;
    arr_put(p, s, j, before);
  }
}

// v: this thread's elements from j on, combined one after another. Only the last step of a sequence lacks
// elements, and those come last.
ARR_FN void arr_load_group(const arr_params& p, const arr_sequence& s, bool mine, arr_index j, arr_index end,
                           A* v) {
#pragma unroll
  for (int k = 0; k < vector; ++k) v[k] = A(0);
  if (packed_input && mine && j + (vector - 1) < end) {
    arr_map_vector<kept, vector>(p, s.operands, j, v, arr_inputs());
  } else if (mine) {
#pragma unroll
    for (int k = 0; k < vector; ++k) {
      if (j + k < end) arr_element(p, s, j + k, v[k]);
    }
  }
#pragma unroll
  for (int k = 1; k < vector; ++k) v[k] = arr_join(v[k - 1], v[k]);
}

// The results of a group: v after the elements before it, of which there are some where `has`.
ARR_FN void arr_store_group(const arr_params& p, const arr_sequence& s, arr_index j, arr_index end, bool has,
                            A lead, const A* v) {
  if (packed_output && j + (vector - 1) < end) {
    arr_pack<O, vector> r;
#pragma unroll
    for (int k = 0; k < vector; ++k) r.v[k] = arr_cast<O>(has ? arr_join(lead, v[k]) : v[k]);
    *(arr_pack<O, vector>*)((O*)s.to + j) = r;
    return;
  }
#pragma unroll
  for (int k = 0; k < vector; ++k) {
    if (j + k < end) arr_put(p, s, j + k, has ? arr_join(lead, v[k]) : v[k]);
  }
}

// A thread's share of a step of rows. v: its elements; lead[i]: the combination of the warp's elements before
// those of group i; total: of all the warp's elements, and of all the row's after arr_combine_warps.
struct arr_step {
  A v[each], lead[groups], total;
};

// Extends the step by group i, whose combination is m.
ARR_FN void arr_scan_group(arr_step& step, int i, int lane, A m) {
  if constexpr (width == 1) {
    step.lead[i] = step.total;
    step.total = i == 0 ? m : arr_join(step.total, m);
  } else {
    m = arr_warp_inclusive_scan<width>(m, lane);
    const A t = arr_shuffle_up(m, 1),
            all = arr_shuffle(m, (int)(threadIdx.x % 32 / width * width + width - 1));
    step.lead[i] = i == 0 ? t : lane % width == 0 ? step.total : arr_join(step.total, t);
    step.total = i == 0 ? all : arr_join(step.total, all);
  }
}

// front: the combination of the warps before this one, where some is set.
template <int Warps>
ARR_FN void arr_combine_warps(int row, int lane, A& total, A& front, bool& some) {
  __shared__ A parts[block_threads / 32];
  __syncthreads();
  if (lane % 32 == 0) parts[threadIdx.x / 32] = total;
  __syncthreads();
  A all = parts[row * Warps];
#pragma unroll
  for (int w = 1; w < Warps; ++w) {
    if (w == lane / 32) {
      front = all;
      some = true;
    }
    all = arr_join(all, parts[row * Warps + w]);
  }
  total = all;
}

// `lanes` threads per sequence. A step takes `each` times that many elements: each warp takes consecutive
// ones, in groups of 32 times `vector`, and each thread `vector` consecutive ones of a group, so that
// neighbouring threads read and write neighbouring elements.
ARR_FN void arr_scan_rows(const arr_params& p) {
  const long long sequences = (long long)p.w[0], length = (long long)p.w[1];
  const int lane = threadIdx.x % lanes, row = threadIdx.x / lanes;
  long long o = (long long)blockIdx.x * (block_threads / lanes) + row;
  unsigned tile = 0, tiles = 1;
  if constexpr (split) {
    const unsigned taken = arr_take_tile(p);
    tiles = (unsigned)p.w[part_word];
    tile = taken % tiles;
    o = taken / tiles;
  }
  const arr_index from = split ? (arr_index)tile * (lanes * each) : 0,
                  end = split ? arr_part_end(from, lanes * each, length) : (arr_index)length;
  const bool mine = o < sequences;
  arr_sequence s = {};
  if (mine) s = arr_sequence_at(p, o);
  A before = A(0);
  bool any = split && tile > 0;  // whether `before` has something
  // The bound, not base, stops short of a step that would overflow.
#pragma unroll 1
  for (arr_index base = from; base < end; base += lanes * each) {
    const arr_index warp = base + lane / 32 * (32 * each);
    arr_step step;
    step.total = A(0);
    A front = A(0);
    bool some = false;
#pragma unroll
    for (int i = 0; i < groups; ++i) {
      if (warp + i * (width * vector) >= end) break;
      const arr_index j = warp + i * (width * vector) + lane % width * vector;
      arr_load_group(p, s, mine, j, end, step.v + i * vector);
      arr_scan_group(step, i, lane, step.v[i * vector + vector - 1]);
    }
    if constexpr (lanes > 32) arr_combine_warps<warps>(row, lane, step.total, front, some);
    if constexpr (split) before = arr_look_back<sizeof(A) <= 4>(p, sequences, o, tile, tiles, step.total);
    if (any) {
      front = some ? arr_join(before, front) : before;
      some = true;
    }
#pragma unroll
    for (int i = 0; i < groups; ++i) {
      const arr_index j = warp + i * (width * vector) + lane % width * vector;
      if (!mine || j >= end) break;
      const bool led = i > 0 || (width > 1 && lane % width > 0);
      const A lead = some ? led ? arr_join(front, step.lead[i]) : front : step.lead[i];
      arr_store_group(p, s, j, end, some || led, lead, step.v + i * vector);
    }
    before = any ? arr_join(before, step.total) : step.total;
    any = true;
  }
}

extern "C" __global__ void __launch_bounds__(block_threads) arr_kernel(const __grid_constant__ arr_params p) {
  if constexpr (by_columns) {
    arr_scan_columns(p);
  } else {
    arr_scan_rows(p);
  }
}
