// SPDX-License-Identifier: MIT
// The functions that all generated kernels share, after core/math/scalar.h, libm.h and math.h: parameters,
// vectors, division by invariants, exchange between threads. Compiled by NVRTC, and by a host compiler that
// knows the CUDA keywords.

// The way in which a kernel accesses an operand: Access of codegen/emit.h.
enum class arr_access {
  contiguous = 0,
  uniform = 1,
  immediate = 2,
  strided = 3,
  transposed = 4,
  ramp = 5,
  unaligned = 6,
  function_argument = 7
};
// Numbers of operands.
template <int... K>
struct arr_list {};

// The type as which elements are read. In a bool, true is any nonzero byte, because other libraries may write
// others than 1.
struct arr_bool_byte {
  unsigned char byte;
  ARR_FN operator bool() const { return byte != 0; }
};
template <class T>
struct arr_in_memory {
  typedef T type;
};
template <>
struct arr_in_memory<bool> {
  typedef arr_bool_byte type;
};
template <class T>
ARR_FN T arr_element_at(const void* address) {
  return *(const typename arr_in_memory<T>::type*)address;
}

// The n-th 8-byte word of a kernel's parameters, as any type that fits in one or two words.
template <class T>
ARR_FN T arr_word(const unsigned long long* words) {
  T value;
  ARR_COPY(&value, words, sizeof(T));
  return value;
}

// N elements that are loaded and stored at once, by accesses of up to 16 bytes.
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) arr_pack {
  T v[N];
};

// i / extent for i below 2^31: multiplication by a fixed-point reciprocal (T. Granlund, P. Montgomery,
// "Division by invariant integers using multiplication", PLDI 1994). word: the reciprocal and a shift.
ARR_FN unsigned arr_divide(unsigned i, unsigned long long word) {
  unsigned high = (unsigned)((unsigned long long)i * (unsigned)word >> 32);
  return (high + i) >> (unsigned)(word >> 32);
}

// The same for i and extents below 2^63; the shift follows from the extent.
ARR_FN unsigned long long arr_divide_wide(unsigned long long i, unsigned long long extent,
                                          unsigned long long word) {
  return (__umul64hi(i, word) + i) >> (64 - __clzll((long long)(extent - 1)));
}

// The value of another thread of the warp, for types of any size, in words of 32 bits.
#define ARR_SHUFFLE(name, exchange)                                            \
  template <class T>                                                           \
  ARR_FN T name(T value, int which) {                                          \
    constexpr int words = (sizeof(T) + 3) / 4;                                 \
    unsigned w[words] = {};                                                    \
    ARR_COPY(w, &value, sizeof(T));                                            \
    for (int i = 0; i < words; ++i) w[i] = exchange(0xffffffffu, w[i], which); \
    ARR_COPY(&value, w, sizeof(T));                                            \
    return value;                                                              \
  }
ARR_SHUFFLE(arr_shuffle_down, __shfl_down_sync)
ARR_SHUFFLE(arr_shuffle_up, __shfl_up_sync)
ARR_SHUFFLE(arr_shuffle, __shfl_sync)
#undef ARR_SHUFFLE
