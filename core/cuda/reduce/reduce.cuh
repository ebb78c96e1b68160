// SPDX-License-Identifier: MIT
// Reductions: a map program per element, the table's formulas to combine, and the exchange between the
// threads and blocks that share an output. The order of combination follows from the shape alone, so equal
// calls have equal bits.
//
// reduce/emit_reduce.cpp generates the lines before it: the map program and its operands; the types A of what
// is accumulated, O of results and the state S with arr_identity, arr_join and arr_end; kind, the constants
// of ReduceShape, and words.

constexpr int rows_per_block = block_threads / lanes;

// A state to which a thread adds one element after the other.
template <class State, arr_kind Kind>
struct arr_run {
  State state;
  ARR_FN static arr_run start() { return {arr_identity()}; }
  ARR_FN void push(A m, long long) { state = arr_join(state, m); }
  ARR_FN State result() const { return state; }
};
template <class State>
struct arr_run<State, arr_kind::index> {
  State state;
  ARR_FN static arr_run start() { return {arr_identity()}; }
  ARR_FN void push(A m, long long at) {
    State e;
    e.value = m;
    e.at = at;
    state = arr_join(state, e);
  }
  ARR_FN State result() const { return state; }
};
// These have a cheaper form for one element at a time.
template <class State>
struct arr_run<State, arr_kind::state> {
  typename State::Run run;
  ARR_FN static arr_run start() { return {State::start()}; }
  ARR_FN void push(A m, long long) { State::push(run, m); }
  ARR_FN State result() const { return State::of(run); }
};
typedef arr_run<S, kind> arr_accumulator;

// Combines the states of the lanes of a row; the result is in lane 0. Every thread of the block calls it.
template <int Lanes>
ARR_FN S arr_reduce_rows(S s, int row, int lane) {
#pragma unroll
  for (int d = (Lanes < 32 ? Lanes : 32) / 2; d > 0; d >>= 1) s = arr_join(s, arr_shuffle_down(s, d));
  if constexpr (Lanes > 32) {
    __shared__ S parts[block_threads / 32];
    __syncthreads();
    if (lane % 32 == 0) parts[threadIdx.x / 32] = s;
    __syncthreads();
    if (lane == 0) {
      for (int l = 1; l < Lanes / 32; ++l) s = arr_join(s, parts[row * (Lanes / 32) + l]);
    }
  }
  return s;
}
template <int Lanes>
ARR_FN S arr_reduce_columns(S s, int row, int lane) {
  if constexpr (Lanes > 1) {
    __shared__ S parts[block_threads];
    __syncthreads();
    parts[threadIdx.x] = s;
    __syncthreads();
    if (lane == 0) {
      for (int l = 1; l < Lanes; ++l) s = arr_join(s, parts[l * rows_per_block + row]);
    }
  }
  return s;
}
ARR_FN S arr_block_reduce(S s, int row, int lane) {
  if constexpr (by_columns) {
    return arr_reduce_columns<lanes>(s, row, lane);
  } else {
    return arr_reduce_rows<lanes>(s, row, lane);
  }
}

// The position of the element at the indices j of the reduced dimensions.
template <int N>
ARR_FN long long arr_position_at(const arr_params& p, const arr_indices<N>& j) {
  return kind == arr_kind::index ? arr_offset<long long>(p, steps_word, j) : 0;
}

// Adds this thread's elements from j on, before `stop`, to a state; j is moved past them.
ARR_FN void arr_add_elements(const arr_params& p, const arr_addresses& a, arr_index& j, arr_index stop,
                             arr_accumulator& to) {
#pragma unroll 4
  for (; j < stop; j += lanes) {
    const arr_indices<reduced> x = arr_split<reduced>(p, reduced_extent_word, (arr_unsigned)j);
    A m;
    arr_map<kept>(p, a, x, m, arr_inputs());
    to.push(m, arr_position_at(p, x));
  }
}
// The same with `vector` consecutive elements at a time, by one access where all are there and aligned. The
// order in which they are combined is the same.
ARR_FN void arr_add_vectors(const arr_params& p, const arr_addresses& a, arr_index& j, arr_index stop,
                            arr_index end, arr_accumulator& to) {
#pragma unroll 2
  for (; j < stop; j += lanes * vector) {
    A m[vector];
    const int have = end - j < vector ? (int)(end - j) : vector;
    if (have == vector) {
      arr_map_vector<kept, vector>(p, a, j, m, arr_inputs());
    } else {
#pragma unroll
      for (int k = 0; k < vector; ++k) {
        if (k < have) arr_map<kept>(p, a, arr_indices<1>{{(arr_unsigned)(j + k)}}, m[k], arr_inputs());
      }
    }
#pragma unroll
    for (int k = 0; k < vector; ++k) {
      if (k >= have) break;
      to.push(m[k], arr_position_at(p, arr_indices<1>{{(arr_unsigned)(j + k)}}));
    }
  }
}
ARR_FN arr_accumulator arr_run_of(const arr_params& p, const arr_addresses& a, arr_index& j, arr_index stop,
                                  arr_index end) {
  arr_accumulator run = arr_accumulator::start();
  if constexpr (vector == 1) {
    arr_add_elements(p, a, j, stop, run);
  } else {
    arr_add_vectors(p, a, j, stop, end, run);
  }
  return run;
}

// This thread's share of the elements [from, end).
ARR_FN S arr_thread_reduce(const arr_params& p, const arr_addresses& a, int lane, arr_index from,
                           arr_index end) {
  arr_index j = from + lane * vector;
  // The bound, not j, stops short of a step that would overflow.
  if constexpr (!rounds) return arr_run_of(p, a, j, end, end).result();
  // Rounding errors grow with the number of elements that are added one after the other: blocks of
  // block_elements elements of a thread, and groups of group_blocks blocks, begin with the identity.
  constexpr int block_elements = 128, group_blocks = 64;
  S s = arr_identity(), group = arr_identity();
  int joined = 0;
  while (j < end) {
    const arr_index block = (arr_index)(lanes * vector) * (block_elements / vector),
                    stop = end - j > block ? j + block : end;
    group = arr_join(group, arr_run_of(p, a, j, stop, end).result());
    if (++joined == group_blocks) {
      s = arr_join(s, group);
      group = arr_identity();
      joined = 0;
    }
  }
  return arr_join(s, group);
}

// Blocks that share outputs leave their states in memory; the last one to finish combines them in order.
// Returns whether this is the last block.
ARR_FN bool arr_combine_parts(const arr_params& p, long long outputs, long long o, int row, int lane, S& s) {
  S* partial = (S*)p.w[partial_word];
  unsigned* ticket = (unsigned*)p.w[ticket_word] + blockIdx.x;
  if (lane == 0 && o < outputs) partial[blockIdx.y * outputs + o] = s;
  __threadfence();
  __shared__ int last;
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(ticket, 1u) == gridDim.y - 1;
  __syncthreads();
  if (!last) return false;
  __threadfence();
  s = arr_identity();
  if (o < outputs) {
#pragma unroll 1
    for (unsigned t = lane; t < gridDim.y; t += lanes) s = arr_join(s, partial[t * outputs + o]);
  }
  s = arr_block_reduce(s, row, lane);
  if (threadIdx.x == 0) *ticket = 0;
  return true;
}

// Combines the initial value of the call with the state.
template <class State>
ARR_FN State arr_with_initial(const arr_params& p, State s) {
  if constexpr (initial && kind == arr_kind::value) {
    return arr_join(arr_word<State>(p.w + initial_word), s);
  } else {
    return s;
  }
}

extern "C" __global__ void __launch_bounds__(block_threads) arr_kernel(const __grid_constant__ arr_params p) {
  const int lane = by_columns ? threadIdx.x / rows_per_block : threadIdx.x % lanes,
            row = by_columns ? threadIdx.x % rows_per_block : threadIdx.x / lanes;
  const long long outputs = (long long)p.w[0], count = (long long)p.w[1];
  const long long o = (long long)blockIdx.x * rows_per_block + row;
  S s = arr_identity();
  char* to = (char*)p.w[output_word];
  if (o < outputs) {
    const arr_indices<kept> k = arr_split<kept>(p, extent_word, (arr_unsigned)o);
    to += arr_offset<arr_index>(p, output_stride_word, k);
    const arr_index part = split ? (arr_index)p.w[part_word] : (arr_index)count,
                    from = split ? (arr_index)blockIdx.y * part : 0,
                    end = split && (long long)from + part < count ? from + part : (arr_index)count;
    s = arr_thread_reduce(p, arr_locate(p, k, arr_inputs()), lane, from, end);
  }
  s = arr_block_reduce(s, row, lane);
  if constexpr (split) {
    if (!arr_combine_parts(p, outputs, o, row, lane, s)) return;
  }
  s = arr_with_initial(p, s);
  typedef typename arr_real_of<A>::type R;
  const R correction = (R)arr_word<double>(p.w + correction_word);
  if (lane == 0 && o < outputs) *(O*)to = arr_end(s, (R)count, correction);
}
