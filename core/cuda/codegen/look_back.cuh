// SPDX-License-Identifier: MIT
// Results that blocks pass on to later ones: each takes a tile, in the order in which the blocks begin, and
// looks back at what earlier tiles have published, in an order of combination that the number of tiles fixes
// (docs/decisions/0006; D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back",
// 2016).
//
// codegen/look_back.cpp generates the lines before it: carry_word, the word of the memory, and status_head.
// So do the kernels: the type A of what is combined, and arr_join(a, b).

// The inclusive scan of the values of Width neighbouring threads of a warp.
template <int Width>
ARR_FN A arr_warp_inclusive_scan(A a, int lane) {
#pragma unroll
  for (int d = 1; d < Width; d <<= 1) {
    const A t = arr_shuffle_up(a, d);
    if (lane % Width >= d) a = arr_join(t, a);
  }
  return a;
}

// The results that tiles publish for later ones. A value of up to 32 bits and its flag are one word, which is
// written at once; the flags of wider values are separate words.
template <bool Narrow>
struct arr_tile_status {
  volatile unsigned long long* words;
  ARR_FN arr_tile_status(char* at, long long) : words((volatile unsigned long long*)at) {}
  ARR_FN void publish(long long at, A a) const {
    unsigned bits = 0;
    ARR_COPY(&bits, &a, sizeof(A));
    words[at] = 1ull << 32 | bits;
  }
  ARR_FN A wait(long long at) const {
    unsigned long long word = 0;
    while ((word = words[at]) == 0) {
    }
    const unsigned bits = (unsigned)word;
    A a;
    ARR_COPY(&a, &bits, sizeof(A));
    return a;
  }
};
template <>
struct arr_tile_status<false> {
  static constexpr int words = (int)((sizeof(A) + 7) / 8);
  volatile unsigned* flags;
  volatile unsigned long long* values;
  ARR_FN arr_tile_status(char* at, long long slots)
      : flags((volatile unsigned*)at),
        values((volatile unsigned long long*)(at + (slots * 4 + 15) / 16 * 16)) {}
  ARR_FN void publish(long long at, A a) const {
    unsigned long long w[words];
    ARR_COPY(w, &a, sizeof(A));
    for (int i = 0; i < words; ++i) values[at * words + i] = w[i];
    __threadfence();
    flags[at] = 1;
  }
  ARR_FN A wait(long long at) const {
    while (flags[at] == 0) {
    }
    __threadfence();
    unsigned long long w[words];
    for (int i = 0; i < words; ++i) w[i] = values[at * words + i];
    A a;
    ARR_COPY(&a, w, sizeof(A));
    return a;
  }
};

// The combination of all elements before a tile. All threads of the first warp call it with the tile's own
// total. Tiles form groups of 32, and these groups of 32. After the tiles' own results come those of whole
// groups, then those of everything up to the end of each group of groups.
template <class Status>
ARR_FN A arr_exclusive_prefix(const Status& status, long long first, long long tile, long long tiles,
                              A total) {
  const int lane = threadIdx.x, own = (int)(tile & 31), group = (int)(tile >> 5 & 31);
  const long long group_slots = first + tiles, end_slots = group_slots + (tiles >> 5);
  if (lane == 0) status.publish(first + tile, total);
  A a = total;
  if (lane < own) a = status.wait(first + tile - own + lane);
  a = arr_warp_inclusive_scan<32>(a, lane);
  A prefix = arr_shuffle(a, own > 0 ? own - 1 : 0), whole = arr_shuffle(a, 31);
  bool any = own > 0;
  if (own == 31 && lane == 0) status.publish(group_slots + (tile >> 5), whole);
  if (group > 0) {
    a = whole;
    if (lane < group) a = status.wait(group_slots + (tile >> 5) - group + lane);
    a = arr_warp_inclusive_scan<32>(a, lane);
    const A before = arr_shuffle(a, group - 1);
    prefix = any ? arr_join(before, prefix) : before;
    any = true;
    whole = arr_shuffle(a, 31);
  }
  if (tile >= 1024) {
    const A before = status.wait(end_slots + (tile >> 10) - 1);
    prefix = any ? arr_join(before, prefix) : before;
    whole = arr_join(before, whole);
  }
  if (own == 31 && group == 31 && lane == 0) status.publish(end_slots + (tile >> 10), whole);
  return prefix;
}

// A tile's total to what is before the tile, for all threads of the block.
template <bool Narrow>
ARR_FN A arr_look_back(const arr_params& p, long long sequences, long long o, unsigned tile, unsigned tiles,
                       A total) {
  __shared__ A prefix;
  if (threadIdx.x < 32) {
    const long long slots = tiles + (tiles >> 5) + (tiles >> 10);
    const arr_tile_status<Narrow> status((char*)p.w[carry_word] + status_head, sequences * slots);
    const A a = arr_exclusive_prefix(status, o * slots, tile, tiles, total);
    if (threadIdx.x == 0) prefix = a;
  }
  __syncthreads();
  return prefix;
}

// The number of the block's tile, among those of all sequences. Blocks wait only for tiles with lower
// numbers, which other blocks have already begun.
ARR_FN unsigned arr_take_tile(const arr_params& p) {
  __shared__ unsigned taken;
  if (threadIdx.x == 0) taken = atomicAdd((unsigned*)p.w[carry_word], 1u);
  __syncthreads();
  return taken;
}
