// SPDX-License-Identifier: MIT
// Loops that repeat each element by its own count, one loop per item size.
#include "host/loops/level.h"

namespace arr::host::ARR_LEVEL {

namespace {

struct Item16 {
  unsigned long long lo, hi;
};

// A vector filled with one element. Most counts are small; storing a whole vector, whose surplus the next
// elements overwrite, avoids a branch that depends on the count.
template <class T>
struct Splat {
  static constexpr int64_t lanes = 32 / int64_t{sizeof(T)};
  typedef T Vector __attribute__((vector_size(32)));
  static void store(T value, T* to) {
    const Vector v = value - Vector{};
    __builtin_memcpy(to, &v, sizeof(v));
  }
};
template <>
struct Splat<Item16> {
  static constexpr int64_t lanes = 2;
  static void store(Item16 value, Item16* to) { to[0] = to[1] = value; }
};

// A block of several elements is aligned as an element is.
template <class T>
T block_at(const char* p) {
  T block;
  __builtin_memcpy(&block, p, sizeof(T));
  return block;
}

template <class T>
int64_t repeat(const Repeats& r, int64_t element, int64_t first, int64_t last, void* out) {
  constexpr int64_t lanes = Splat<T>::lanes;
  T* to = static_cast<T*>(out);
  const int64_t n = last - first, final = r.extent - 1, step = r.step;
  const int64_t* const ends = r.ends;
  const char* from = r.from + element * step;
  int64_t k = 0;
  for (; element < final; ++element, from += step) {
    int64_t end = ends[element] - first;
    if (end > n) break;
    end = end < k ? k : end;  // an overflowed prefix sum may decrease
    const T value = block_at<T>(from);
    Splat<T>::store(value, to + k);
    for (int64_t more = k + lanes; more < end; more += lanes) Splat<T>::store(value, to + more);
    k = end;
  }
  const T value = block_at<T>(from);
  for (; k < n; k += lanes) Splat<T>::store(value, to + k);
  return element;
}

}  // namespace

void fill_repeats(LoopTable& t) {
  t.repeat[0] = repeat<unsigned char>;
  t.repeat[1] = repeat<unsigned short>;
  t.repeat[2] = repeat<unsigned int>;
  t.repeat[3] = repeat<unsigned long long>;
  t.repeat[4] = repeat<Item16>;
}

}  // namespace arr::host::ARR_LEVEL
