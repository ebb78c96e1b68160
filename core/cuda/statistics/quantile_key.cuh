// SPDX-License-Identifier: MIT
// Numbers of type T as keys of type K that sort as unsigned integers, for kernels of quantiles.

// A number as a key of `key_bits` bits that sorts as an unsigned integer; nan is ~0, after all others.
ARR_FN K arr_key(T x) {
  if constexpr (floating) {
    if (x != x) return ~K(0);
    const K b = (K)arr_bits<U>(x);
    return b >> (key_bits - 1) != 0 ? (K)~b : (K)(b | K(1) << (key_bits - 1));
  } else {
    return (K)(U)x ^ (negatives ? K(1) << (key_bits - 1) : K(0));
  }
}
ARR_FN T arr_unkey(K k) {
  if constexpr (floating) {
    return arr_bits<T>((U)(k >> (key_bits - 1) != 0 ? k ^ K(1) << (key_bits - 1) : ~k));
  } else {
    return (T)(U)(k ^ (negatives ? K(1) << (key_bits - 1) : K(0)));
  }
}
