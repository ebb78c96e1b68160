// SPDX-License-Identifier: MIT
// Updates by compare and swap: the thread reads the element, combines, and writes the word that holds it
// unless another thread has written it since. scatter_program.cuh goes before it.

// An element of less than a word in the bits of its word; `shift` is its bit offset.
template <class E>
struct arr_part {
  static constexpr unsigned mask = sizeof(E) == 1 ? 0xffu : 0xffffu;
  ARR_FN static E get(unsigned word, unsigned shift) {
    if constexpr (sizeof(E) == 1) {
      return arr_bits<E>((unsigned char)(word >> shift));
    } else {
      return arr_bits<E>((unsigned short)(word >> shift));
    }
  }
  ARR_FN static unsigned bits(E e) {
    if constexpr (sizeof(E) == 1) {
      return arr_bits<unsigned char>(e);
    } else {
      return arr_bits<unsigned short>(e);
    }
  }
};
// In a bool, true is any nonzero byte.
template <>
struct arr_part<bool> {
  static constexpr unsigned mask = 0xffu;
  ARR_FN static bool get(unsigned word, unsigned shift) { return (word >> shift & mask) != 0; }
  ARR_FN static unsigned bits(bool e) { return e ? 1u : 0u; }
};

template <class E>
ARR_FN void arr_update_by_program(char* to, arr_results& r) {
  if constexpr (sizeof(E) >= 4) {
    W* word = (W*)to;
    W seen = *(volatile W*)word;
    for (;;) {
      const W put = arr_bits<W>(arr_combined(arr_bits<E>(seen), r, arr_outputs()));
      if (put == seen) return;
      const W was = atomicCAS(word, seen, put);
      if (was == seen) return;
      seen = was;
    }
  } else {
    unsigned* word = (unsigned*)((unsigned long long)to & ~3ull);
    const unsigned shift = (unsigned)((unsigned long long)to & 3) * 8;
    unsigned seen = *(volatile unsigned*)word;
    for (;;) {
      const E next = arr_combined(arr_part<E>::get(seen, shift), r, arr_outputs());
      const unsigned put = (seen & ~(arr_part<E>::mask << shift)) | arr_part<E>::bits(next) << shift;
      if (put == seen) return;
      const unsigned was = atomicCAS(word, seen, put);
      if (was == seen) return;
      seen = was;
    }
  }
}
