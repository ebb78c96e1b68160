// SPDX-License-Identifier: MIT
// Sorting networks over vectors: columns, each in one lane, and arrays of a few hundred integers, whose
// columns are sorted and then merged. They use Batcher's bitonic merge in its ascending form (the first layer
// of a merge compares an element with its mirror image), in which no exchange moves a smaller element up. So
// columns of any length are treated as if padded with max elements, and exchanges with these are omitted.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "host/loops/vectors.h"

namespace arr::host::ARR_LEVEL {

namespace {

// Networks of vectors of L integers S.
template <class S, int64_t L>
struct Network {
  using V = Vector<S, L>;
  // Vectors come in groups that fit the registers.
  static constexpr int64_t group = 8;
  // Arrays of at most this many vectors are sorted in registers: there are 32 with AVX-512, otherwise 16, and
  // a few vectors more are worth their stores.
  static constexpr int64_t max_registers = vector_bytes == 64 ? 32 : 24;

  static void exchange(V& a, V& b) {
    const V low = a < b ? a : b;
    b = a < b ? b : a;
    a = low;
  }

  // Sorts each lane of n vectors, a multiple of 8.
  static void columns(V* x, int64_t n) {
    for (int64_t i = 0; i < n; i += group) eight(x + i);
    for (int64_t size = 2 * group; size / 2 < n; size *= 2) {
      flip(x, n, size);
      halves(x, n, size / 8);
    }
  }

  // Sorts N * L integers of x, which is overwritten, into y. N is 24 or a power of two, from 8 and L on.
  template <int64_t N>
  [[gnu::noinline]] static void array(V* x, V* y) {
    if constexpr (N <= max_registers) {
      alignas(64) V all[static_cast<size_t>(N)];
#pragma GCC unroll 32
      for (int64_t i = 0; i < N; ++i) all[i] = x[i];
#pragma GCC unroll 4
      for (int64_t i = 0; i < N; i += group) eight_in(all + i);
      merge_groups<2 * group, N>(all);
      merge_columns<2, N>(all);
      columns_as_runs<N>(all, y);
    } else {
      columns(x, N);
      merge_columns<2, N>(x);
      columns_as_runs<N>(x, y);
    }
  }

  // Turns L vectors of rows into L vectors of columns.
  static void transpose(V* x) {
    constexpr int64_t each = 16 / static_cast<int64_t>(sizeof(S)), blocks = L / each;
    for (int64_t i = 0; i < L; i += 2) two<0, 1>(x[i], x[i + 1], Lanes{});
    if constexpr (each == 4) {
      for (int64_t i = 0; i < L; i += 4) {
        two<0, 2>(x[i], x[i + 2], Lanes{});
        two<0, 2>(x[i + 1], x[i + 3], Lanes{});
        std::swap(x[i + 1], x[i + 2]);
      }
    }
    if constexpr (blocks > 1) blocks_across<1>(x);
    if constexpr (blocks > 2) blocks_across<2>(x);
  }

 private:
  using Lanes = std::make_integer_sequence<int, static_cast<int>(L)>;
  static constexpr int per_block = static_cast<int>(16 / sizeof(S));

  // The source lane of lane i: units of U integers of a and b interleaved within 16 bytes, or (D > 0) blocks
  // of 16 bytes exchanged with those D blocks apart.
  template <int D, int U, bool Second>
  static constexpr int source(int i) {
    constexpr int all = static_cast<int>(L);
    if constexpr (D > 0) {
      const bool near = (i / per_block & D) == 0;
      if (Second) return near ? i + D * per_block : all + i;
      return near ? i : all + i - D * per_block;
    } else {
      const int unit = i % per_block / U;
      const int from = unit / 2 + (Second ? per_block / U / 2 : 0);
      return i / per_block * per_block + from * U + i % U + (unit % 2 != 0 ? all : 0);
    }
  }
  template <int D, int U, int... I>
  static void two(V& a, V& b, std::integer_sequence<int, I...> /*lanes*/) {
    const V first = __builtin_shufflevector(a, b, source<D, U, false>(I)...);
    b = __builtin_shufflevector(a, b, source<D, U, true>(I)...);
    a = first;
  }
  template <int D>
  static void blocks_across(V* x) {
    for (int64_t i = 0; i < L; ++i) {
      if ((i / per_block & D) == 0) two<D, 1>(x[i], x[i + D * per_block], Lanes{});
    }
  }
  // The lane whose number differs in the bits D.
  template <int D, int... I>
  static V across(V x, std::integer_sequence<int, I...> /*lanes*/) {
    return __builtin_shufflevector(x, x, (I ^ D)...);
  }
  // Lanes without bit D of low, the others of high.
  template <int D, int... I>
  static V blend(V low, V high, std::integer_sequence<int, I...> /*lanes*/) {
    return __builtin_shufflevector(low, high, ((I & D) == 0 ? I : static_cast<int>(L) + I)...);
  }
  // The layers of D, D / 2, ... 1 lanes.
  template <int D>
  static V lanes(V x) {
    if constexpr (D == 0) {
      return x;
    } else {
      V low = x, high = across<D>(x, Lanes{});
      exchange(low, high);
      return lanes<D / 2>(blend<D>(low, high, Lanes{}));
    }
  }
  // Sorts each `Size` of N vectors, which are bitonic. Size is a power of two, or three times one and divides
  // N.
  template <int64_t Size, int64_t N>
  [[gnu::always_inline]] static void layers(V* x) {
    if constexpr (Size == 3) {
#pragma GCC unroll 16
      for (int64_t i = 0; i < N; i += 3) {
        exchange(x[i], x[i + 1]);
        exchange(x[i + 1], x[i + 2]);
        exchange(x[i], x[i + 1]);
      }
    } else if constexpr (Size > 1) {
#pragma GCC unroll 32
      for (int64_t i = 0; i + Size / 2 < N; ++i) {
        if (i % Size < Size / 2) exchange(x[i], x[i + Size / 2]);
      }
      layers<Size / 2, N>(x);
    }
  }
  // Merges columns of N vectors in registers, the halves of each `Size`, then of twice that.
  template <int64_t Size, int64_t N>
  [[gnu::always_inline]] static void merge_groups(V* x) {
    if constexpr (Size / 2 < N) {
#pragma GCC unroll 4
      for (int64_t at = 0; at < N; at += Size) {
#pragma GCC unroll 16
        for (int64_t i = std::max<int64_t>(0, at + Size - N); i < Size / 2; ++i) {
          exchange(x[at + i], x[at + Size - 1 - i]);
        }
      }
      layers<Size / 2, N>(x);
      merge_groups<2 * Size, N>(x);
    }
  }
  // Merges each K adjacent columns, whose halves are sorted, then twice as many.
  template <int K, int64_t N>
  [[gnu::always_inline]] static void merge_columns(V* x) {
    if constexpr (K <= L) {
#pragma GCC unroll 16
      for (int64_t i = 0; i < N / 2; ++i) {
        V low = x[i], high = across<K - 1>(x[N - 1 - i], Lanes{});
        exchange(low, high);
        x[i] = lanes<K / 4>(blend<K / 2>(low, high, Lanes{}));
        x[N - 1 - i] = lanes<K / 4>(across<K - 1>(blend<K / 2>(high, low, Lanes{}), Lanes{}));
      }
      if constexpr (N <= max_registers) {
        layers<N, N>(x);
      } else {
        halves(x, N, N / 2);
      }
      merge_columns<2 * K, N>(x);
    }
  }

  // The network of 19 exchanges.
  static void eight(V* at) {
    alignas(64) V x[8];
    for (int i = 0; i < 8; ++i) x[i] = at[i];
    eight_in(x);
    for (int i = 0; i < 8; ++i) at[i] = x[i];
  }
  [[gnu::always_inline]] static void eight_in(V* x) {
    constexpr int pairs[19][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6},
                                  {3, 7}, {0, 1}, {2, 3}, {4, 5}, {6, 7}, {2, 4}, {3, 5},
                                  {1, 4}, {3, 6}, {1, 2}, {3, 4}, {5, 6}};
#pragma GCC unroll 19
    for (int i = 0; i < 19; ++i) exchange(x[pairs[i][0]], x[pairs[i][1]]);  // NOLINT(modernize-loop-convert)
  }

  // The first two layers of a merge of blocks of `size` vectors: mirror images, and elements a quarter apart.
  static void flip(V* x, int64_t n, int64_t size) {
    const int64_t half = size / 2, quarter = size / 4;
    for (int64_t at = 0; at + half < n; at += size) {
      if (quarter == 0 || at + size > n) {
        for (int64_t i = std::max<int64_t>(0, at + size - n); i < half; ++i) {
          exchange(x[at + i], x[at + size - 1 - i]);
        }
        if (quarter != 0) layer(x, at, n, quarter);
        continue;
      }
      for (int64_t i = 0; i < quarter; ++i) {
        V *low = x + at + i, *high = x + at + size - 1 - i;
        V p = low[0], q = low[quarter], r = high[-quarter], s = high[0];
        exchange(p, s);
        exchange(q, r);
        exchange(p, q);
        exchange(r, s);
        low[0] = p;
        low[quarter] = q;
        high[-quarter] = r;
        high[0] = s;
      }
    }
  }

  // The layers of distances d, d / 2, ... 1 vectors.
  static void halves(V* x, int64_t n, int64_t d) {
    for (; d >= 2 * group; d /= 4) two_layers(x, n, d);
    if (d == group) {
      layer(x, 0, n, d);
      d /= 2;
    }
    if (d == 4) tail<4>(x, n);
    if (d == 2) tail<2>(x, n);
    if (d == 1) tail<1>(x, n);
  }
  static void layer(V* x, int64_t from, int64_t n, int64_t d) {
    for (int64_t at = from; at + d < n; at += 2 * d) {
      const int64_t last = std::min(at + d, n - d);
      for (int64_t i = at; i < last; ++i) exchange(x[i], x[i + d]);
    }
  }
  static void two_layers(V* x, int64_t n, int64_t d) {
    const int64_t h = d / 2;
    int64_t at = 0;
    for (; at + 2 * d <= n; at += 2 * d) {
      for (int64_t i = at; i < at + h; ++i) {
        V p = x[i], q = x[i + h], r = x[i + d], s = x[i + d + h];
        exchange(p, r);
        exchange(q, s);
        exchange(p, q);
        exchange(r, s);
        x[i] = p;
        x[i + h] = q;
        x[i + d] = r;
        x[i + d + h] = s;
      }
    }
    if (at >= n) return;
    layer(x, at, n, d);
    layer(x, at, n, h);
  }
  template <int D>
  static void tail(V* at, int64_t n) {
    for (int64_t i = 0; i < n; i += group) {
      alignas(64) V x[8];
      for (int k = 0; k < 8; ++k) x[k] = at[i + k];
#pragma GCC unroll 3
      for (int d = D; d > 0; d /= 2) {
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) {
          if ((k & d) == 0) exchange(x[k], x[k + d]);
        }
      }
      for (int k = 0; k < 8; ++k) at[i + k] = x[k];
    }
  }

  // Lane l of N vectors becomes the integers from l * N on.
  template <int64_t N>
  [[gnu::always_inline]] static void columns_as_runs(V* x, V* y) {
    constexpr int64_t run = N / L;
#pragma GCC unroll 32
    for (int64_t i = 0; i < run; ++i) {
      alignas(64) V some[static_cast<size_t>(L)];
#pragma GCC unroll 16
      for (int64_t k = 0; k < L; ++k) some[k] = x[i * L + k];
      transpose(some);
#pragma GCC unroll 16
      for (int64_t k = 0; k < L; ++k) y[k * run + i] = some[k];
    }
  }
};

// The loops of the table for unsigned integers U, by networks of signed integers S, which every level
// compares in few instructions. S may be wider.
template <class U, class S>
struct NetworkLoops {
  static constexpr int64_t max_lanes = vector_bytes / static_cast<int64_t>(sizeof(S));
  // Rows and columns are in smaller vectors: on many processors shuffles and exchanges of larger ones cost
  // twice as much, and they need more padding.
  static constexpr int64_t L = std::min<int64_t>(vector_bytes, 32) / static_cast<int64_t>(sizeof(S));
  using N = Network<S, L>;
  using V = typename N::V;
  static constexpr S max_key = std::numeric_limits<S>::max();
  static constexpr S top = sizeof(U) == sizeof(S) ? std::numeric_limits<S>::min() : S{0};

  static V load(const U* x, int64_t n) {
    if (n >= L) {
      const Vector<U, L> v = *reinterpret_cast<const Vector<U, L>*>(x);
      return __builtin_convertvector(v, V) ^ top;
    }
    alignas(64) S at[static_cast<size_t>(L)];
    for (int64_t l = 0; l < L; ++l) at[l] = l < n ? static_cast<S>(static_cast<S>(x[l]) ^ top) : max_key;
    return *reinterpret_cast<const V*>(at);
  }
  static void store(V v, U* x, int64_t n) {
    const Vector<U, L> k = __builtin_convertvector(v ^ top, Vector<U, L>);
    if (n >= L) {
      *reinterpret_cast<Vector<U, L>*>(x) = k;
      return;
    }
    for (int64_t l = 0; l < n; ++l) x[l] = k[l];
  }
  static int64_t padded(int64_t n) {
    constexpr int64_t step = std::max(N::group, L);
    return (n + step - 1) / step * step;
  }

  static void rows(int64_t n, int64_t ld, void* data) {
    constexpr int64_t count = network_rows(sizeof(U));
    for (int64_t r = 0; r < count; r += L) some_rows(n, ld, static_cast<U*>(data) + r * ld);
  }
  static void some_rows(int64_t n, int64_t ld, U* x) {
    alignas(64) V at[static_cast<size_t>(max_network_length)];
    const int64_t all = padded(n);
    for (int64_t i = 0; i < all; i += L) {
      for (int64_t r = 0; r < L; ++r) at[i + r] = load(x + r * ld + i, n - i);
      N::transpose(at + i);
    }
    N::columns(at, all);
    for (int64_t i = 0; i < n; i += L) {
      N::transpose(at + i);
      for (int64_t r = 0; r < L; ++r) store(at[i + r], x + r * ld + i, n - i);
    }
  }

  static void columns(int64_t n, int64_t ld, void* data) {
    for (int64_t c = 0; c < network_bytes / static_cast<int64_t>(sizeof(U)); c += L) {
      some_columns(n, ld, static_cast<U*>(data) + c);
    }
  }
  static void some_columns(int64_t n, int64_t ld, U* x) {
    alignas(64) V at[static_cast<size_t>(max_network_length)];
    const int64_t all = padded(n);
    for (int64_t i = 0; i < n; ++i) at[i] = load(x + i * ld, L);
    for (int64_t i = n; i < all; ++i) at[i] = V{} + max_key;
    N::columns(at, all);
    for (int64_t i = 0; i < n; ++i) store(at[i], x + i * ld, L);
  }

  // Sorts n <= max_array integers of x into y, which may be x. Merging columns costs most: few lanes are used
  // for few integers.
  static constexpr int64_t max_array = 32 * max_lanes;
  static void array(int64_t n, const U* x, U* y) {
    if (n < 4) return insert(n, x, y);
    if (n <= 32) return Array<4, 32>::sort(n, x, y);
    if (n <= 64) return Array<8, 64>::sort(n, x, y);
    if constexpr (max_lanes == 4) {
      if (n <= 96) return Array<4, 96>::sort(n, x, y);
    }
    if constexpr (max_array >= 128) {
      if (n <= 128) return Array<8, 128>::sort(n, x, y);
    }
    if constexpr (max_lanes == 8) {
      if (n <= 192) return Array<8, 192>::sort(n, x, y);
    }
    if constexpr (max_array >= 256) {
      if (n <= 256) return Array<16, 256>::sort(n, x, y);
    }
    if constexpr (max_array >= 512) Array<16, 512>::sort(n, x, y);
  }
  static void insert(int64_t n, const U* x, U* y) {
    for (int64_t i = 0; i < n; ++i) {
      const U v = x[i];
      int64_t at = i;
      for (; at > 0 && v < y[at - 1]; --at) y[at] = y[at - 1];
      y[at] = v;
    }
  }
  template <int64_t Lanes, int64_t Size>
  struct Array {
    static constexpr int64_t W = std::min(Lanes, max_lanes), vectors = Size / W;
    using X = Vector<S, W>;
    using Y = Vector<U, W>;
    static X load(const U* x) { return __builtin_convertvector(*reinterpret_cast<const Y*>(x), X) ^ top; }
    static void store(X v, U* y) { *reinterpret_cast<Y*>(y) = __builtin_convertvector(v ^ top, Y); }
    template <int... I>
    static X numbers(std::integer_sequence<int, I...> /*lanes*/) {
      return X{static_cast<S>(I)...};
    }
    // Sorts W <= n <= Size integers.
    static void sort(int64_t n, const U* x, U* y) {
      alignas(64) X at[static_cast<size_t>(vectors)], sorted[static_cast<size_t>(vectors)];
      const int64_t whole = n / W, rest = n % W;
      for (int64_t i = 0; i < whole; ++i) at[i] = load(x + i * W);
      for (int64_t i = whole; i < vectors; ++i) at[i] = X{} + max_key;
      if (rest != 0) {
        // The last W integers, without those that the vector before has.
        const X last = load(x + n - W),
                lane = numbers(std::make_integer_sequence<int, static_cast<int>(W)>{});
        at[whole] = lane < static_cast<S>(W - rest) ? at[whole] : last;
      }
      Network<S, W>::template array<vectors>(at, sorted);
      for (int64_t i = 0; i < whole; ++i) store(sorted[i], y + i * W);
      if (rest != 0) {
        alignas(64) U last[static_cast<size_t>(2 * W)];
        store(sorted[whole - 1], last);
        store(sorted[whole], last + W);
        *reinterpret_cast<Y*>(y + n - W) = *reinterpret_cast<const Y*>(last + rest);
      }
    }
  };
};

}  // namespace

}  // namespace arr::host::ARR_LEVEL
