// SPDX-License-Identifier: MIT
// CUDA's cooperative groups over barriers and warp functions. Embedded where a source includes
// cooperative_groups.h. A member function gets the user's line by its default argument, as warp functions do.

namespace cooperative_groups {

class thread_block {
 public:
  ARR_MEMBER void sync(ARR_LINE) const { __syncthreads(line); }
  ARR_MEMBER static unsigned thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  ARR_MEMBER static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  ARR_MEMBER static unsigned size() { return num_threads(); }
  ARR_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  ARR_MEMBER static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  ARR_MEMBER static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  ARR_MEMBER static dim3 dim_threads() { return group_dim(); }
  // A waiting thread has arrived, so it is enough that all wait there.
  struct arrival_token {};
  ARR_MEMBER static arrival_token barrier_arrive() { return {}; }
  ARR_MEMBER static void barrier_wait(arrival_token&&, ARR_LINE) { __syncthreads(line); }
};
ARR_INLINE thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  ARR_MEMBER void sync(ARR_LINE) const { arr_grid_sync(line); }
  // True if the launch is cooperative.
  ARR_MEMBER static bool is_valid() { return arr_runtime->grid(arr_worker, 0, 0, {}, {}) != 0; }
  struct arrival_token {};
  ARR_MEMBER static arrival_token barrier_arrive() { return {}; }
  ARR_MEMBER static void barrier_wait(arrival_token&&, ARR_LINE) { arr_grid_sync(line); }
  ARR_MEMBER static unsigned long long block_rank() {
    return blockIdx.x +
           (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  ARR_MEMBER static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  ARR_MEMBER static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  ARR_MEMBER static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
  ARR_MEMBER static unsigned long long size() { return num_threads(); }
  ARR_MEMBER static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  ARR_MEMBER static dim3 dim_blocks() { return group_dim(); }
  ARR_MEMBER static dim3 block_index() { return thread_block::group_index(); }
  ARR_MEMBER static dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  ARR_MEMBER static dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }
};
ARR_INLINE grid_group this_grid() { return {}; }

// Groups of lanes take values of up to 32 bytes, where warp functions take 8: word by word.
template <class T, class Shuffle>
ARR_INLINE T arr_by_words(T value, Shuffle shuffle) {
  constexpr unsigned n = (sizeof(T) + 7) / 8;
  static_assert(n <= 4, "groups exchange values of at most 32 bytes");
  unsigned long long words[4] = {};
  __builtin_memcpy(words, &value, sizeof value);
  words[0] = shuffle(words[0]);
  if (n > 1) words[1] = shuffle(words[1]);
  if (n > 2) words[2] = shuffle(words[2]);
  if (n > 3) words[3] = shuffle(words[3]);
  __builtin_memcpy((void*)&value, words, sizeof value);
  return value;
}
template <class T>
ARR_INLINE T arr_from_lane(unsigned mask, T value, int lane, unsigned line) {
  if constexpr (sizeof(T) <= 8)
    return arr_shuffle(mask, value, lane, line);
  else
    return arr_by_words(
        value, [&](unsigned long long word)
                   __attribute__((always_inline)) { return arr_shuffle(mask, word, lane, line); });
}

// Lanes of one warp: those of mask_, numbered from its lowest.
class arr_lanes {
 public:
  ARR_MEMBER explicit arr_lanes(unsigned mask) : mask_(mask) {}
  ARR_MEMBER void sync(ARR_LINE) const { __syncwarp(mask_, line); }
  ARR_MEMBER unsigned thread_rank() const { return unsigned(__popc(mask_ & ((1u << arr_lane()) - 1u))); }
  ARR_MEMBER unsigned num_threads() const { return unsigned(__popc(mask_)); }
  ARR_MEMBER unsigned size() const { return num_threads(); }
  ARR_MEMBER int any(int predicate, ARR_LINE) const { return __any_sync(mask_, predicate, line); }
  ARR_MEMBER int all(int predicate, ARR_LINE) const { return __all_sync(mask_, predicate, line); }
  ARR_MEMBER unsigned ballot(int predicate, ARR_LINE) const {
    return packed(__ballot_sync(mask_, predicate, line));
  }
  template <class T>
  ARR_MEMBER unsigned match_any(T value, ARR_LINE) const {
    return packed(__match_any_sync(mask_, value, line));
  }
  template <class T>
  ARR_MEMBER unsigned match_all(T value, int& same, ARR_LINE) const {
    return packed(__match_all_sync(mask_, value, &same, line));
  }
  template <class T>
  ARR_MEMBER T shfl(T value, int rank, ARR_LINE) const {
    return arr_from_lane(mask_, value, lane_of(unsigned(rank) % size()), line);
  }
  template <class T>
  ARR_MEMBER T shfl_up(T value, unsigned delta, ARR_LINE) const {
    const unsigned rank = thread_rank();
    return arr_from_lane(mask_, value, lane_of(rank >= delta ? rank - delta : rank), line);
  }
  template <class T>
  ARR_MEMBER T shfl_down(T value, unsigned delta, ARR_LINE) const {
    const unsigned rank = thread_rank();
    return arr_from_lane(mask_, value, lane_of(rank + delta < size() ? rank + delta : rank), line);
  }
  template <class T>
  ARR_MEMBER T shfl_xor(T value, unsigned bits, ARR_LINE) const {
    const unsigned rank = thread_rank(), from = rank ^ bits;
    return arr_from_lane(mask_, value, lane_of(from < size() ? from : rank), line);
  }
  ARR_MEMBER unsigned arr_mask() const { return mask_; }

 protected:
  // The lane of the n-th member.
  ARR_MEMBER int lane_of(unsigned n) const {
    unsigned rest = mask_;
    for (; n > 0; n--) rest &= rest - 1u;
    return __builtin_ctz(rest);
  }
  // A set of lanes as a set of members.
  ARR_MEMBER unsigned packed(unsigned lanes) const {
    unsigned result = 0, n = 0;
    for (unsigned rest = mask_; rest != 0; rest &= rest - 1u) {
      result |= (lanes >> __builtin_ctz(rest) & 1u) << n;
      n++;
    }
    return result;
  }
  unsigned mask_;
};

class coalesced_group : public arr_lanes {
 public:
  // The part-th of `parts` that a group was cut into.
  ARR_MEMBER explicit coalesced_group(unsigned mask, unsigned part = 0, unsigned parts = 1)
      : arr_lanes(mask), part_(part), parts_(parts) {}
  ARR_MEMBER unsigned meta_group_rank() const { return part_; }
  ARR_MEMBER unsigned meta_group_size() const { return parts_; }

 private:
  unsigned part_, parts_;
};
ARR_INLINE coalesced_group coalesced_threads(ARR_LINE) { return coalesced_group(__activemask(line)); }

// The group whose parts a tile's rank counts: the block, or the tile that it was made from.
template <class Parent>
struct arr_whole {
  ARR_MEMBER static unsigned rank() { return thread_block::thread_rank(); }
  ARR_MEMBER static unsigned size() { return thread_block::size(); }
};
template <unsigned N, class Parent = void>
class thread_block_tile;
template <unsigned N, class Parent>
struct arr_whole<thread_block_tile<N, Parent>> {
  ARR_MEMBER static unsigned rank() { return thread_block::thread_rank() % N; }
  ARR_MEMBER static unsigned size() { return N; }
};

// A tile's lanes lie side by side, so that its members need no search.
template <unsigned N, class Parent>
class thread_block_tile : public arr_lanes {
  static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0,
                "the number of a tile's threads is a power of two, at most 1024");

 public:
  template <class Other>
  ARR_MEMBER thread_block_tile(const thread_block_tile<N, Other>& other) : arr_lanes(other.arr_mask()) {}
  ARR_MEMBER thread_block_tile()
      : arr_lanes(N == 32 ? ~0u : ((1u << (N & 31)) - 1u) << (arr_lane() & ~(N - 1u))) {}
  ARR_MEMBER static unsigned thread_rank() { return arr_lane() & (N - 1u); }
  ARR_MEMBER static constexpr unsigned num_threads() { return N; }
  ARR_MEMBER static constexpr unsigned size() { return N; }
  ARR_MEMBER static unsigned meta_group_rank() { return arr_whole<Parent>::rank() / N; }
  ARR_MEMBER static unsigned meta_group_size() { return (arr_whole<Parent>::size() + N - 1) / N; }
  ARR_MEMBER unsigned ballot(int predicate, ARR_LINE) const {
    return __ballot_sync(mask_, predicate, line) >> first();
  }
  template <class T>
  ARR_MEMBER unsigned match_any(T value, ARR_LINE) const {
    return __match_any_sync(mask_, value, line) >> first();
  }
  template <class T>
  ARR_MEMBER T shfl(T value, int rank, ARR_LINE) const {
    if constexpr (sizeof(T) > 8)
      return arr_lanes::shfl(value, rank, line);
    else
      return __shfl_sync(mask_, value, rank, int(N), line);
  }
  template <class T>
  ARR_MEMBER T shfl_up(T value, unsigned delta, ARR_LINE) const {
    if constexpr (sizeof(T) > 8)
      return arr_lanes::shfl_up(value, delta, line);
    else
      return __shfl_up_sync(mask_, value, delta, int(N), line);
  }
  template <class T>
  ARR_MEMBER T shfl_down(T value, unsigned delta, ARR_LINE) const {
    if constexpr (sizeof(T) > 8)
      return arr_lanes::shfl_down(value, delta, line);
    else
      return __shfl_down_sync(mask_, value, delta, int(N), line);
  }
  template <class T>
  ARR_MEMBER T shfl_xor(T value, unsigned bits, ARR_LINE) const {
    if constexpr (sizeof(T) > 8)
      return arr_lanes::shfl_xor(value, bits, line);
    else
      return __shfl_xor_sync(mask_, value, int(bits), int(N), line);
  }

 private:
  ARR_MEMBER static unsigned first() { return arr_lane() & ~(N - 1u); }
};

// A tile of several warps.
template <unsigned N, class Parent>
class arr_wide_tile {
 public:
  ARR_MEMBER void sync(ARR_LINE) const { arr_tile(arr_host::tile_count, N / 32, 0, 0, line); }
  ARR_MEMBER static unsigned thread_rank() { return thread_block::thread_rank() % N; }
  ARR_MEMBER static constexpr unsigned num_threads() { return N; }
  ARR_MEMBER static constexpr unsigned size() { return N; }
  ARR_MEMBER static unsigned meta_group_rank() { return arr_whole<Parent>::rank() / N; }
  ARR_MEMBER static unsigned meta_group_size() { return (arr_whole<Parent>::size() + N - 1) / N; }
  ARR_MEMBER int any(int predicate, ARR_LINE) const {
    return arr_tile(arr_host::tile_count, N / 32, predicate != 0, 0, line) != 0;
  }
  ARR_MEMBER int all(int predicate, ARR_LINE) const {
    return arr_tile(arr_host::tile_count, N / 32, predicate == 0, 0, line) == 0;
  }
  template <class T>
  ARR_MEMBER T shfl(T value, unsigned rank, ARR_LINE) const {
    return arr_from_bits<T>(arr_tile(arr_host::tile_shuffle, N / 32, arr_to_bits(value), rank % N, line));
  }
  template <class T>
  ARR_MEMBER T shfl_up(T value, unsigned delta, ARR_LINE) const {
    const unsigned rank = thread_rank();
    return shfl(value, rank >= delta ? rank - delta : rank, line);
  }
  template <class T>
  ARR_MEMBER T shfl_down(T value, unsigned delta, ARR_LINE) const {
    const unsigned rank = thread_rank();
    return shfl(value, rank + delta < N ? rank + delta : rank, line);
  }
  template <class T>
  ARR_MEMBER T shfl_xor(T value, unsigned bits, ARR_LINE) const {
    return shfl(value, thread_rank() ^ bits, line);
  }
};
// clang-format off
#define ARR_WIDE_TILE(N) \
  template <class Parent> class thread_block_tile<N, Parent> : public arr_wide_tile<N, Parent> {};
ARR_WIDE_TILE(64) ARR_WIDE_TILE(128) ARR_WIDE_TILE(256) ARR_WIDE_TILE(512) ARR_WIDE_TILE(1024)
    // clang-format on Memory in which older GPUs store the values that such tiles exchange.
    template <unsigned MaxBlockSize = 1024>
    struct block_tile_memory {
  char arr_unused;
};
template <unsigned M>
ARR_INLINE thread_block this_thread_block(block_tile_memory<M>&) {
  return {};
}

template <unsigned N, class Parent>
ARR_INLINE thread_block_tile<N, Parent> tiled_partition(const Parent&) {
  return {};
}
// Any group of one block: all of it, or lanes of a warp.
class thread_group {
 public:
  ARR_MEMBER thread_group(const thread_block&) : mask_(0) {}
  ARR_MEMBER thread_group(const arr_lanes& lanes) : mask_(lanes.arr_mask()) {}
  ARR_MEMBER void sync(ARR_LINE) const {
    if (mask_ == 0) return __syncthreads(line);
    __syncwarp(mask_, line);
  }
  ARR_MEMBER unsigned thread_rank() const {
    return mask_ == 0 ? thread_block::thread_rank() : arr_lanes(mask_).thread_rank();
  }
  ARR_MEMBER unsigned num_threads() const {
    return mask_ == 0 ? thread_block::num_threads() : arr_lanes(mask_).num_threads();
  }
  ARR_MEMBER unsigned size() const { return num_threads(); }
  ARR_MEMBER static bool is_valid() { return true; }
  ARR_MEMBER unsigned arr_mask() const { return mask_; }

 private:
  unsigned mask_;  // 0: the block
};
// Tiles of `n` members, a power of two up to 32, by rank.
ARR_INLINE thread_group tiled_partition(const thread_block&, unsigned n) {
  return arr_lanes(n >= 32 ? ~0u : ((1u << n) - 1u) << (arr_lane() & ~(n - 1u)));
}
ARR_INLINE coalesced_group tiled_partition(const coalesced_group& group, unsigned n) {
  const unsigned own = group.thread_rank() / n;
  unsigned mask = 0, rank = 0;
  for (unsigned rest = group.arr_mask(); rest != 0; rest &= rest - 1u) {
    if (rank++ / n == own) mask |= rest & -rest;
  }
  return coalesced_group(mask, own, (group.size() + n - 1) / n);
}
ARR_INLINE thread_group tiled_partition(const thread_group& group, unsigned n) {
  if (group.arr_mask() == 0) return tiled_partition(thread_block(), n);
  return tiled_partition(coalesced_group(group.arr_mask()), n);
}
template <class G, class F, class... A>
ARR_INLINE void invoke_one(const G& group, F&& f, A&&... a) {
  if (group.thread_rank() == 0) f(a...);
}
template <class G, class F, class... A>
ARR_INLINE auto invoke_one_broadcast(const G& group, F&& f, A&&... a) {
  decltype(f(a...)) result{};
  if (group.thread_rank() == 0) result = f(a...);
  return group.shfl(result, 0);
}
template <class G>
ARR_INLINE coalesced_group binary_partition(const G& group, bool predicate, ARR_LINE) {
  const unsigned all = group.arr_mask(), yes = __ballot_sync(all, predicate, line);
  if (yes == 0 || yes == all) return coalesced_group(all);
  return coalesced_group(predicate ? yes : all & ~yes, predicate, 2);
}
// Parts are numbered by their lowest lanes.
template <class G, class T>
ARR_INLINE coalesced_group labeled_partition(const G& group, T label, ARR_LINE) {
  const unsigned all = group.arr_mask(), same = __match_any_sync(all, label, line),
                 first = unsigned(__builtin_ctz(same)),
                 firsts = __ballot_sync(all, first == arr_lane(), line);
  return coalesced_group(same, unsigned(__popc(firsts & ((1u << first) - 1u))), unsigned(__popc(firsts)));
}
template <class G>
ARR_INLINE coalesced_group labeled_partition(const G& group, bool label, ARR_LINE) {
  return binary_partition(group, label, line);
}

template <class G>
ARR_INLINE auto thread_rank(const G& group) {
  return group.thread_rank();
}
template <class G>
ARR_INLINE auto group_size(const G& group) {
  return group.size();
}
template <class G>
ARR_INLINE void sync(const G& group, ARR_LINE) {
  group.sync(line);
}

}  // namespace cooperative_groups
