// SPDX-License-Identifier: MIT
// Collective operations of a cooperative group: reductions, scans, copies. Embedded after groups.h.

namespace cooperative_groups {

template <class T = void>
struct plus {
  ARR_MEMBER T operator()(T a, T b) const { return a + b; }
};
template <class T = void>
struct less {  // the smaller, as CUDA's
  ARR_MEMBER T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T = void>
struct greater {
  ARR_MEMBER T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T = void>
struct bit_and {
  ARR_MEMBER T operator()(T a, T b) const { return a & b; }
};
template <class T = void>
struct bit_or {
  ARR_MEMBER T operator()(T a, T b) const { return a | b; }
};
template <class T = void>
struct bit_xor {
  ARR_MEMBER T operator()(T a, T b) const { return a ^ b; }
};

template <class G, class T, class Op>
ARR_INLINE T inclusive_scan(const G& group, T value, Op op, ARR_LINE) {
  const unsigned rank = group.thread_rank(), n = group.size();
  for (unsigned d = 1; d < n; d *= 2) {
    const T before = group.shfl_up(value, d, line);
    if (rank >= d) value = op(before, value);
  }
  return value;
}
template <class G, class T>
ARR_INLINE T inclusive_scan(const G& group, T value, ARR_LINE) {
  return inclusive_scan(group, value, plus<T>(), line);
}
template <class G, class T, class Op>
ARR_INLINE T exclusive_scan(const G& group, T value, Op op, ARR_LINE) {
  const T through = inclusive_scan(group, value, op, line), before = group.shfl_up(through, 1, line);
  return group.thread_rank() == 0 ? T() : before;
}
template <class G, class T>
ARR_INLINE T exclusive_scan(const G& group, T value, ARR_LINE) {
  return exclusive_scan(group, value, plus<T>(), line);
}
template <class G, class T, class Op>
ARR_INLINE T reduce(const G& group, T value, Op op, ARR_LINE) {
  return group.shfl(inclusive_scan(group, value, op, line), int(group.size()) - 1, line);
}
template <unsigned N, class P, class T, class Op>
ARR_INLINE T reduce(const thread_block_tile<N, P>& group, T value, Op op, ARR_LINE) {
  for (unsigned d = N / 2; d > 0; d /= 2) value = op(value, group.shfl_xor(value, d, line));
  return value;
}

// The first of the group stores it.
template <class G, class T, class V, class Op>
ARR_INLINE void reduce_store_async(const G& group, T* to, V value, Op op, ARR_LINE) {
  const auto result = reduce(group, value, op, line);
  if (group.thread_rank() == 0) *to = result;
}

// A copy is complete when `wait` returns.
template <class G, class T>
ARR_INLINE void memcpy_async(const G& group, T* to, const T* from, arr_size_t bytes) {
  const unsigned n = group.size();
  for (arr_size_t i = group.thread_rank(); i < bytes; i += n) ((char*)to)[i] = ((const char*)from)[i];
}
// By numbers of elements: the smaller one.
template <class G, class T>
ARR_INLINE void memcpy_async(const G& group, T* to, arr_size_t room, const T* from, arr_size_t n) {
  memcpy_async(group, to, from, (n < room ? n : room) * sizeof(T));
}
template <class G>
ARR_INLINE void wait(const G& group, ARR_LINE) {
  group.sync(line);
}
template <unsigned N, class G>
ARR_INLINE void wait_prior(const G& group, ARR_LINE) {
  group.sync(line);
}

}  // namespace cooperative_groups
