// SPDX-License-Identifier: MIT
// Barriers and warp functions of a block whose threads are loops, for clang with our pass (../pass). The
// index variables are calls without a body, and so are the cuts, where every thread arrives before one goes
// on; the pass replaces them all. Warp functions exchange values through an array with an element per thread:
// written before a cut, read after it, and not written again before the cut that ends the reading. Embedded
// before every kernel source.
#ifdef ARR_FISSION

// clang-format off
#define ARR_MARK(type, name) extern "C" __attribute__((const, nothrow)) type arr_fission_##name();
#define ARR_MARKS(name)                                                                                   \
  ARR_MARK(unsigned, name##_x) ARR_MARK(unsigned, name##_y) ARR_MARK(unsigned, name##_z)                  \
  ARR_INLINE uint3 arr_get_##name() {                                                                     \
    return {arr_fission_##name##_x(), arr_fission_##name##_y(), arr_fission_##name##_z()};                \
  }
ARR_MARKS(thread) ARR_MARKS(block) ARR_MARKS(block_dim) ARR_MARKS(grid_dim)
ARR_MARK(void*, dynamic) ARR_MARK(arr_host::Worker*, worker)
// clang-format on
#define threadIdx (arr_get_thread())
#define blockIdx (arr_get_block())
#define blockDim (arr_get_block_dim())
#define gridDim (arr_get_grid_dim())
#define arr_dynamic (arr_fission_dynamic())
#define arr_worker (arr_fission_worker())

// Loops with warp functions may be unrolled, so that warps that go through them alone need not ask each time
// whether they go on.
#define ARR_CUT __attribute__((convergent, nothrow))
        extern "C" {
  // Asked where blocks are handed to a kernel: of at most how many threads a run of them may be. 1: each
  // alone.
  __attribute__((const, nothrow)) unsigned arr_run_threads();
  ARR_CUT void arr_fission_cut_phase();
  ARR_CUT void arr_fission_cut_warp(unsigned mask, int operation, unsigned line);
  ARR_CUT __attribute__((noduplicate)) void arr_fission_cut_block(int operation, unsigned line);
  ARR_CUT void arr_fission_yield();
  ARR_CUT void arr_fission_tile();
  __attribute__((nothrow)) void arr_fission_narrow();
  // The lanes of a warp that have not ended; those that went through the last cut_warp with mask 0 together.
  __attribute__((pure, nothrow)) unsigned arr_fission_lanes(unsigned warp);
  __attribute__((convergent, nothrow)) unsigned arr_fission_group();

  // Called by what the pass makes.
  __attribute__((used, visibility("hidden"))) inline void* arr_fission_context(arr_host::Worker * worker,
                                                                               unsigned long long bytes) {
    return arr_runtime->context(worker, bytes);
  }
  // Releases the lanes of a warp that all wait at one cut with a full mask. This is the common case, and here
  // the compiler can use the machine's vectors; the runtime handles all others.
  ARR_INLINE bool arr_fission_release_warp(int* next, const unsigned* masks) {
    if ((*next & arr_host::piece_waits_in_warp) == 0 || *next == arr_host::piece_ended) return false;
    int min_piece = arr_host::piece_ended, max_piece = 0;
    unsigned full = ~0u;
    for (unsigned l = 0; l < 32; l++) {
      min_piece = next[l] < min_piece ? next[l] : min_piece;
      max_piece = next[l] > max_piece ? next[l] : max_piece;
      full &= masks[l];
    }
    if (min_piece != max_piece || full != ~0u) return false;
    for (unsigned l = 0; l < 32; l++) next[l] = min_piece & arr_host::piece_number;
    return true;
  }
  // The piece to run next: the lowest that a thread may run, so that threads at earlier pieces catch up.
  // range[1], range[2]: the threads that it may concern; range[3]: step_alone where those of them that may go
  // on are whole warps and the only ones, so that they may take the step to the next phase together, and
  // step_whole_warps where that is all of them.
  __attribute__((used, visibility("hidden"))) inline int arr_fission_step(
      arr_host::Worker * worker, int* next, unsigned* masks, unsigned* live, unsigned threads,
      const int* sites, unsigned x, unsigned y, unsigned z, int* range) {
    range[1] = 0;
    range[2] = int(threads);
    range[3] = 0;
    int min_piece = arr_host::piece_ended;
    for (unsigned t = 0; t < threads; t++) min_piece = next[t] < min_piece ? next[t] : min_piece;
    if (min_piece < arr_host::piece_waits_in_warp) return min_piece;
    if (min_piece == arr_host::piece_ended) return -1;
    int piece = arr_host::piece_ended, first = -1, last = 0;
    int released = 0;
    bool alone = true;
    if (masks != nullptr && min_piece < arr_host::piece_waits_at_barrier)
      for (unsigned t = 0; t + 32 <= threads; t += 32)
        if (arr_fission_release_warp(next + t, masks + t)) {
          live[t / 32] = ~0u;
          alone = alone && (first < 0 || next[t] == piece);
          piece = next[t] < piece ? next[t] : piece;
          if (first < 0) first = int(t);
          last = int(t) + 32;
          released += 32;
        }
    if (first < 0) return arr_runtime->release(worker, next, masks, live, threads, sites, {x, y, z});
    if (alone) {
      range[1] = first;
      range[2] = last;
      range[3] = released == last - first ? arr_host::step_whole_warps : arr_host::step_alone;
    }
    return piece;
  }
}

// Padded by a warp on both sides, where shuffles read values that they do not use.
static thread_local unsigned arr_slots_around[32 + 1024 + 32];
static thread_local unsigned long long arr_wide_slots_around[32 + 1024 + 32], arr_results[1024];
#define arr_slots (arr_slots_around + 32)
#define arr_wide_slots (arr_wide_slots_around + 32)
static thread_local int arr_yes, arr_no;

ARR_INLINE unsigned arr_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
#define ARR_ONE_THREAD asm volatile("" ::: "memory")  // in a loop that one thread runs for others

ARR_INLINE void __syncthreads(ARR_LINE) { arr_fission_cut_block(arr_host::barrier_sync, line); }
// The thread, of those that have not ended, that acts for all at a barrier.
ARR_INLINE bool arr_is_first(unsigned t) {
  unsigned first = 0;
  while (arr_fission_lanes(first) == 0) {
    ARR_ONE_THREAD;
    first++;
  }
  return t == first * 32 + unsigned(__builtin_ctz(arr_fission_lanes(first)));
}
ARR_INLINE void arr_vote(int operation, int predicate, unsigned line) {
  const unsigned t = arr_thread(), n = blockDim.x * blockDim.y * blockDim.z;
  arr_slots[t] = predicate != 0;
  arr_fission_cut_block(operation, line);
  if (arr_is_first(t)) {
    int yes = 0, no = 0;
    for (unsigned i = 0; i < n; i++) {
      ARR_ONE_THREAD;
      const unsigned there = arr_fission_lanes(i >> 5) >> (i & 31) & 1u;
      yes += int(there & arr_slots[i]);
      no += int(there & ~arr_slots[i] & 1u);
    }
    arr_yes = yes;
    arr_no = no;
  }
  arr_fission_cut_phase();
}
ARR_INLINE int __syncthreads_count(int predicate, ARR_LINE) {
  arr_vote(arr_host::barrier_count, predicate, line);
  return arr_yes;
}
ARR_INLINE int __syncthreads_and(int predicate, ARR_LINE) {
  arr_vote(arr_host::barrier_and, predicate, line);
  return arr_no == 0;
}
ARR_INLINE int __syncthreads_or(int predicate, ARR_LINE) {
  arr_vote(arr_host::barrier_or, predicate, line);
  return arr_yes != 0;
}
ARR_INLINE void arr_grid_sync(unsigned line) {
  arr_fission_cut_block(arr_host::barrier_grid, line);
  if (arr_is_first(arr_thread())) {
    const uint3 block = blockIdx, thread = threadIdx;
    arr_runtime->grid(arr_worker, 1, line, {block.x, block.y, block.z}, {thread.x, thread.y, thread.z});
  }
  arr_fission_cut_phase();
}

[[noreturn]] ARR_INLINE void arr_fail(const char* what, unsigned line);
// The runtime sees no masks of threads that have gone the same way.
ARR_INLINE void arr_check_mask(unsigned mask, unsigned t, unsigned line) {
  if (__builtin_expect((mask >> (t & 31u) & 1u) == 0, 0))
    arr_fail("the mask of a warp function leaves out the calling lane,", line);
}

template <class T, class Slot>
ARR_INLINE T arr_shuffle_through(Slot* slots, unsigned mask, T value, int from, unsigned line) {
  const unsigned t = arr_thread(), base = t & ~31u;
  arr_check_mask(mask, t, line);
  __builtin_memcpy(&slots[t], &value, sizeof value);
  arr_fission_cut_warp(mask, arr_host::warp_shuffle, line);
  const bool there = (arr_fission_lanes(t >> 5) & mask) >> (from & 31) & 1u;
  const unsigned source = there ? base + (unsigned(from) & 31u) : t;
  T result;
  __builtin_memcpy(&result, &slots[source], sizeof result);
  arr_fission_cut_phase();
  return result;
}
template <class T>
ARR_INLINE T arr_shuffle(unsigned mask, T value, int from, unsigned line) {
  static_assert(sizeof(T) <= 8, "warp functions take values of at most 8 bytes");
  if constexpr (sizeof(T) <= 4)
    return arr_shuffle_through(arr_slots, mask, value, from, line);
  else
    return arr_shuffle_through(arr_wide_slots, mask, value, from, line);
}

// From the lane that is `by` (-31 to 31) farther, or from itself where that is not inside: neighbours' values
// lie side by side, as vectors are loaded.
template <class T, class Slot>
ARR_INLINE T arr_shuffle_past(Slot* slots, unsigned mask, T value, int by, bool inside, unsigned line) {
  const unsigned t = arr_thread();
  arr_check_mask(mask, t, line);
  __builtin_memcpy(&slots[t], &value, sizeof value);
  arr_fission_cut_warp(mask, arr_host::warp_shuffle, line);
  const bool there = inside && ((arr_fission_lanes(t >> 5) & mask) >> ((int(t) + by) & 31) & 1u) != 0;
  T own, other;
  __builtin_memcpy(&own, &slots[t], sizeof own);
  __builtin_memcpy(&other, &slots[(long long)t + by], sizeof other);
  const T result = there ? other : own;
  arr_fission_cut_phase();
  return result;
}
template <class T>
ARR_INLINE T arr_shuffle_by(unsigned mask, T value, int by, bool inside, unsigned line) {
  static_assert(sizeof(T) <= 8, "warp functions take values of at most 8 bytes");
  if constexpr (sizeof(T) <= 4)
    return arr_shuffle_past(arr_slots, mask, value, by, inside, line);
  else
    return arr_shuffle_past(arr_wide_slots, mask, value, by, inside, line);
}

ARR_INLINE unsigned long long arr_combine(int op, const unsigned long long* v, unsigned group) {
  const unsigned first = unsigned(__builtin_ctz(group));
  unsigned long long r = op == arr_host::warp_ballot || op == arr_host::warp_match_all ? 0 : v[first];
  bool same = true;
  for (unsigned i = 0; i < 32; i++) {
    ARR_ONE_THREAD;
    if (!(group >> i & 1u)) continue;
    const unsigned long long x = v[i];
    if (op == arr_host::warp_ballot) r |= (unsigned long long)(x != 0) << i;
    if (op == arr_host::warp_match_all) same = same && x == v[first];
    if (i == first) continue;
    if (op == arr_host::warp_add) r += x;
    if (op == arr_host::warp_and) r &= x;
    if (op == arr_host::warp_or) r |= x;
    if (op == arr_host::warp_xor) r ^= x;
    if (op == arr_host::warp_min_signed) r = int(x) < int(r) ? x : r;
    if (op == arr_host::warp_max_signed) r = int(x) > int(r) ? x : r;
    if (op == arr_host::warp_min_unsigned) r = unsigned(x) < unsigned(r) ? x : r;
    if (op == arr_host::warp_max_unsigned) r = unsigned(x) > unsigned(r) ? x : r;
  }
  return op == arr_host::warp_match_all ? (same ? group : 0u) : r;
}
// Every other warp function: the group's first lane computes the result for all, except for match_any.
ARR_INLINE unsigned long long arr_warp(int op, unsigned mask, unsigned long long value, unsigned,
                                       unsigned line) {
  const unsigned t = arr_thread(), base = t & ~31u;
  if (op != arr_host::warp_active) arr_check_mask(mask, t, line);
  if (op == arr_host::warp_sync || op == arr_host::warp_active) {
    arr_fission_cut_warp(op == arr_host::warp_active ? 0u : mask, op, line);
    return op == arr_host::warp_active ? arr_fission_group() : 0;
  }
  arr_wide_slots[t] = value;
  arr_fission_cut_warp(mask, op, line);
  const unsigned group = arr_fission_lanes(t >> 5) & mask;
  if (op == arr_host::warp_match_any) {
    unsigned long long same = 0;
    for (unsigned i = 0; i < 32; i++) {
      ARR_ONE_THREAD;
      same |= (unsigned long long)(group >> i & 1u & unsigned(arr_wide_slots[base + i] == value)) << i;
    }
    arr_fission_cut_phase();
    return same;
  }
  const unsigned first = base + unsigned(__builtin_ctz(group));
  if (t == first) arr_results[t] = arr_combine(op, arr_wide_slots + base, group);
  arr_fission_cut_phase();
  return arr_results[first];
}
// Has no loop form.
ARR_INLINE unsigned long long arr_tile(int, unsigned, unsigned long long value, unsigned, unsigned) {
  arr_fission_tile();
  return value;
}
ARR_INLINE void arr_yield() { arr_fission_yield(); }
ARR_INLINE void arr_rest() { arr_runtime->rest(arr_worker); }
// Has no loop form.
ARR_INLINE void arr_wait(const unsigned*, unsigned, unsigned, int, unsigned, unsigned) {
  arr_fission_yield();
}
#endif
