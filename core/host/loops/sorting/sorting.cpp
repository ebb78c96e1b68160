// SPDX-License-Identifier: MIT
// Keys of elements, and the sorts of each width of a key.
#include "host/loops/sorting/sorting.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif
#include "host/loops/sorting/networks.h"
#include "host/loops/sorting/quicksort.h"

namespace arr::host::ARR_LEVEL {

void fill_sorting(SortingLoops& loops);

namespace {

// Keys of unsigned integers U with the elements' bits. Infinity: its bits, for floats.
template <class U, bool Negatives, U Infinity>
struct Coding {
  static constexpr U top = static_cast<U>(U{1} << (8 * sizeof(U) - 1)), all = static_cast<U>(~U{0});
  static constexpr bool floating = Infinity != 0;

  // Copies the leading bit to all bits.
  static U sign_mask(U bits) {
    return static_cast<U>(static_cast<std::make_signed_t<U>>(bits) >> (8 * sizeof(U) - 1));
  }
  static U size(U bits) { return static_cast<U>(bits & static_cast<U>(~top)); }
  static bool is_nan(U bits) { return floating && size(bits) > Infinity; }
  // The nan of keys.
  static constexpr U nan = static_cast<U>(Infinity | (Infinity >> 1));
  static bool is_minus_zero(U bits) { return floating && bits == top; }

  // Without branches, which a random sign would mispredict, and which do not vectorise.
  static U key(U bits, U turn) {
    if constexpr (!floating) return static_cast<U>(bits ^ (Negatives ? top : U{0}) ^ turn);
    const U number = static_cast<U>((bits ^ (sign_mask(bits) | top)) + (is_minus_zero(bits) ? U{1} : U{0}));
    return static_cast<U>((number ^ turn) | (is_nan(bits) ? all : U{0}));
  }
  static U bits(U key, U turn) {
    const U k = static_cast<U>(key ^ turn);
    if constexpr (!floating) return static_cast<U>(k ^ (Negatives ? top : U{0}));
    const U number = static_cast<U>(k ^ (static_cast<U>(~sign_mask(k)) | top));
    return key == all ? nan : number;
  }
};

template <class U, class C>
struct Loops {
  static KeyFlags keys(int64_t n, const void* x, bool descending, void* out) {
    const U* in = static_cast<const U*>(x);
    U* to = static_cast<U*>(out);
    const U turn = descending ? C::all : U{0};
    U other_nan = 0, minus_zero = 0;
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
      const U b = in[i];
      if constexpr (C::floating) {
        other_nan = static_cast<U>(other_nan | (C::is_nan(b) && b != C::nan ? U{1} : U{0}));
        minus_zero = static_cast<U>(minus_zero | (C::is_minus_zero(b) ? U{1} : U{0}));
      }
      to[i] = C::key(b, turn);
    }
    return {other_nan != 0, minus_zero != 0};
  }
  static void elements(int64_t n, const void* keys, bool descending, void* out) {
    const U* in = static_cast<const U*>(keys);
    U* to = static_cast<U*>(out);
    const U turn = descending ? C::all : U{0};
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) to[i] = C::bits(in[i], turn);
  }
  static void indexed_keys(int64_t n, const void* x, bool descending, int64_t first, uint64_t* keys) {
    const U* in = static_cast<const U*>(x);
    const U turn = descending ? C::all : U{0};
    for (int64_t i = 0; i < n; ++i) {
      keys[i] = static_cast<uint64_t>(C::key(in[i], turn)) << 32 | static_cast<uint64_t>(first + i);
    }
  }
  // Packed: 32 bits for elements of at most 32 bits, otherwise 64.
  static int packed_keys(int64_t n, const void* x, bool descending, void* out) {
    using Packed = std::conditional_t<sizeof(U) <= 4, uint32_t, uint64_t>;
    U own[max_network_length];
    keys(n, x, descending, own);
    U min_key = C::all, max_key = 0;
    for (int64_t i = 0; i < n; ++i) {
      min_key = std::min(min_key, own[i]);
      max_key = std::max(max_key, own[i]);
    }
    const int low = index_bits_of(n),
              bits = static_cast<int>(std::bit_width(static_cast<U>(max_key - min_key)));
    const int lost = std::max(0, bits + low - static_cast<int>(8 * sizeof(Packed)));
    auto* to = static_cast<Packed*>(out);
    for (int64_t i = 0; i < n; ++i) {
      const auto key = static_cast<Packed>(static_cast<U>(own[i] - min_key));
      to[i] = key >> lost << low | static_cast<Packed>(i);
    }
    return lost;
  }
};

template <class Packed>
bool short_order(int64_t n, const Packed* keys, uint64_t* indices) {
  const Packed mask = (Packed{1} << index_bits_of(n)) - 1;
  Packed equal = 0;
  for (int64_t i = 0; i + 1 < n; ++i) equal |= (keys[i] ^ keys[i + 1]) <= mask ? Packed{1} : Packed{0};
  for (int64_t i = 0; i < n; ++i) indices[i] = keys[i] & mask;
  return equal != 0;
}

// In a bool, true is any nonzero byte.
struct Truth : Coding<uint8_t, false, 0> {
  static uint8_t key(uint8_t bits, uint8_t turn) {
    return Coding::key(static_cast<uint8_t>(bits != 0 ? 1 : 0), turn);
  }
};

template <class U, class C>
void fill(SortingLoops& loops, DType d) {
  const auto at = static_cast<int>(d);
  loops.keys[at] = Loops<U, C>::keys;
  loops.elements[at] = Loops<U, C>::elements;
  loops.packed_keys[at] = Loops<U, C>::packed_keys;
  if constexpr (sizeof(U) <= 4) loops.indexed_keys[at] = Loops<U, C>::indexed_keys;
}

template <class U>
int64_t within(int64_t n, const U* keys, U low, U span, U* out, int64_t* below) {
  constexpr int64_t step = 64 / sizeof(U);
  int64_t inside = 0, less = 0, i = 0;
  for (; i + step <= n; i += step) {
    U some = 0, before = 0;
    for (int64_t j = 0; j < step; ++j) {
      some = static_cast<U>(some + (keys[i + j] - low <= span ? U{1} : U{0}));
      before = static_cast<U>(before + (keys[i + j] < low ? U{1} : U{0}));
    }
    less += static_cast<int64_t>(before);
    if (some == 0) continue;
    for (int64_t j = 0; j < step; ++j) {
      out[inside] = keys[i + j];
      inside += keys[i + j] - low <= span ? 1 : 0;
    }
  }
  for (; i < n; ++i) {
    out[inside] = keys[i];
    inside += keys[i] - low <= span ? 1 : 0;
    less += keys[i] < low ? 1 : 0;
  }
  *below += less;
  return inside;
}

template <class U, class S>
void fill_networks(SortingLoops& loops, int i) {
  loops.rows[i] = NetworkLoops<U, S>::rows;
  loops.columns[i] = NetworkLoops<U, std::make_signed_t<U>>::columns;
  loops.sort[i] = [](int64_t n, void* x, void* other, bool to_other) {
    Quicksort<U, S>::sort(n, static_cast<U*>(x), static_cast<U*>(other), to_other);
  };
  loops.divide[i] = [](int64_t n, void* x, uint64_t pivot, void* other) {
    return Quicksort<U, S>::divide(n, static_cast<U*>(x), static_cast<U>(pivot), static_cast<U*>(other));
  };
}

}  // namespace

void fill_sorting(SortingLoops& loops) {
  fill<uint8_t, Truth>(loops, DType::bool_);
  fill<uint8_t, Coding<uint8_t, true, 0>>(loops, DType::int8_);
  fill<uint16_t, Coding<uint16_t, true, 0>>(loops, DType::int16_);
  fill<uint32_t, Coding<uint32_t, true, 0>>(loops, DType::int32_);
  fill<uint64_t, Coding<uint64_t, true, 0>>(loops, DType::int64_);
  fill<uint8_t, Coding<uint8_t, false, 0>>(loops, DType::uint8_);
  fill<uint16_t, Coding<uint16_t, false, 0>>(loops, DType::uint16_);
  fill<uint32_t, Coding<uint32_t, false, 0>>(loops, DType::uint32_);
  fill<uint64_t, Coding<uint64_t, false, 0>>(loops, DType::uint64_);
  fill<uint16_t, Coding<uint16_t, true, 0x7c00>>(loops, DType::float16_);
  fill<uint16_t, Coding<uint16_t, true, 0x7f80>>(loops, DType::bfloat16_);
  fill<uint32_t, Coding<uint32_t, true, 0x7f800000U>>(loops, DType::float32_);
  fill<uint64_t, Coding<uint64_t, true, 0x7ff0000000000000ULL>>(loops, DType::float64_);
  loops.short_order4 = short_order<uint32_t>;
  loops.short_order8 = short_order<uint64_t>;
  loops.within4 = within<uint32_t>;
  loops.within8 = within<uint64_t>;
  fill_networks<uint8_t, int32_t>(loops, 0);
  fill_networks<uint16_t, int32_t>(loops, 1);
  fill_networks<uint32_t, int32_t>(loops, 2);
  fill_networks<uint64_t, int64_t>(loops, 3);
}

}  // namespace arr::host::ARR_LEVEL
