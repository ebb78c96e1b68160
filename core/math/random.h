// SPDX-License-Identifier: MIT
// Random words and numbers as functions of a stream and an index: nothing is carried from one element to the
// next, so the numbers do not depend on threads, tiles or grids. Include after math.h.
#ifndef ARR_MATH_RANDOM_H
#define ARR_MATH_RANDOM_H

// A stream is a 16-byte operand like a look-up vector: its key, and the first block of four words.
ARR_FN unsigned long long arr_stream_key(arr_table stream) { return (unsigned long long)stream.data; }

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC 2011). The
// counter's upper half is 0 in streams.
struct arr_words {
  unsigned w[4];
};
ARR_FN void arr_philox_round(arr_words* c, unsigned k0, unsigned k1) {
  const unsigned long long p0 = 0xd2511f53ull * c->w[0], p1 = 0xcd9e8d57ull * c->w[2];
  c->w[0] = (unsigned)(p1 >> 32) ^ c->w[1] ^ k0;
  c->w[1] = (unsigned)p1;
  c->w[2] = (unsigned)(p0 >> 32) ^ c->w[3] ^ k1;
  c->w[3] = (unsigned)p0;
}
ARR_FN arr_words arr_philox(unsigned long long low, unsigned long long high, unsigned long long key) {
  arr_words c = {{(unsigned)low, (unsigned)(low >> 32), (unsigned)high, (unsigned)(high >> 32)}};
  unsigned k0 = (unsigned)key, k1 = (unsigned)(key >> 32);
  for (int round = 0; round < 10; ++round) {
    arr_philox_round(&c, k0, k1);
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  return c;
}
// The block of four words that contains element i, if `each` elements share one.
ARR_FN arr_words arr_block(arr_table stream, long long i, int shift) {
  const unsigned long long low = (unsigned long long)stream.length + ((unsigned long long)i >> shift);
  return arr_philox(low, 0, arr_stream_key(stream));
}
ARR_FN unsigned arr_word(arr_words b,
                         int k) {  // without an array in memory, which a variable index would need
  const unsigned low = (k & 1) != 0 ? b.w[1] : b.w[0], high = (k & 1) != 0 ? b.w[3] : b.w[2];
  return (k & 2) != 0 ? high : low;
}
ARR_FN unsigned long long arr_join_words(unsigned low, unsigned high) {
  return (unsigned long long)high << 32 | low;
}

// ------------------------------------------------------------------------------------ words to numbers

// The words from which a float is made.
template <class T>
struct arr_bits_for {
  typedef unsigned type;
};
template <>
struct arr_bits_for<double> {
  typedef unsigned long long type;
};
// The signed number w, rounded once. Vectors without instructions that convert 64-bit integers take the
// halves of w as the last bits of numbers above 2^52 and 2^84: the difference is exact, and only the sum is
// rounded.
ARR_FN double arr_integer_to_double(unsigned long long w) {
#if defined(__x86_64__) && !defined(__AVX512DQ__) && !defined(__CUDACC__)
  const double low = arr_bits<double>((w & 0xffffffffull) | 0x4330000000000000ull);
  const double high = arr_bits<double>(w >> 32 ^ 0x4530000080000000ull);
  return high - (0x1p84 + 0x1p63 + 0x1p52) + low;
#else
  return (double)(long long)w;
#endif
}
// Uniform in [0, 1): as many bits as the type holds.
ARR_FN float arr_uniform(unsigned w) { return (float)(int)(w >> 8) * 0x1p-24f; }
ARR_FN double arr_uniform(unsigned long long w) { return arr_integer_to_double(w >> 11) * 0x1p-53; }
// A number of 16 bits must not be rounded to 1.
template <class T>
ARR_FN T arr_uniform_of_type(typename arr_bits_for<T>::type w) {
  return arr_uniform(w);
}
template <>
ARR_FN arr_half arr_uniform_of_type<arr_half>(unsigned w) {
  return arr_half_from_float((float)(int)(w >> 21) * 0x1p-11f);
}
template <>
ARR_FN arr_bfloat arr_uniform_of_type<arr_bfloat>(unsigned w) {
  return arr_bfloat_from_float((float)(int)(w >> 24) * 0x1p-8f);
}
// Uniform in (0, 1), symmetric about 1/2.
ARR_FN float arr_uniform_open(unsigned w) { return ((float)(int)(w >> 9) + 0.5f) * 0x1p-23f; }
ARR_FN double arr_uniform_open(unsigned long long w) {
  return (arr_integer_to_double(w >> 12) + 0.5) * 0x1p-52;
}

// (cos, sin)(2 pi u) for u = w / 2^n, as an integer: the nearest quarter is taken off exactly, and the rest,
// within an eighth of a turn, goes into the Taylor polynomials, whose first term left out is below an ulp.
template <class T>
struct arr_cos_sin {
  T cos, sin;
};
template <class T, class U>
ARR_FN arr_cos_sin<T> arr_quadrant_cos_sin(T c, T s, U quarter) {
  constexpr int to_sign = 8 * (int)sizeof(U) - 2;
  const bool swap = (quarter & 1) != 0;
  const T x = swap ? s : c, y = swap ? c : s;
  return {arr_bits<T>(arr_bits<U>(x) ^ ((quarter + 1) & 2) << to_sign),
          arr_bits<T>(arr_bits<U>(y) ^ (quarter & 2) << to_sign)};
}
ARR_FN arr_cos_sin<float> arr_cos_sin_2pi(unsigned w) {
  const unsigned quarter = (w + 0x20000000u) >> 30;
  const float x = (float)(int)(w - (quarter << 30)) * 1.46291808e-9f;  // 2 pi / 2^32
  const float z = x * x;
  const float s =
      x + x * z * (-1.6666667e-1f + z * (8.3333333e-3f + z * (-1.9841270e-4f + z * 2.7557319e-6f)));
  const float c = 1.0f + z * (-0.5f + z * (4.1666667e-2f + z * (-1.3888889e-3f + z * 2.4801587e-5f)));
  return arr_quadrant_cos_sin(c, s, quarter);
}
ARR_FN arr_cos_sin<double> arr_cos_sin_2pi(unsigned long long w) {
  const unsigned long long quarter = (w + 0x2000000000000000ull) >> 62;  // of one width with the rest
  const double x = arr_integer_to_double(w - (quarter << 62)) * 3.4061215800865545e-19;  // 2 pi / 2^64
  const double z = x * x;
  const double s =
      x + x * z *
              (-1.0 / 6 +
               z * (1.0 / 120 +
                    z * (-1.0 / 5040 +
                         z * (1.0 / 362880 + z * (-1.0 / 39916800 +
                                                  z * (1.0 / 6227020800.0 - z * (1.0 / 1307674368000.0)))))));
  const double c =
      1 + z * (-0.5 +
               z * (1.0 / 24 + z * (-1.0 / 720 +
                                    z * (1.0 / 40320 +
                                         z * (-1.0 / 3628800 +
                                              z * (1.0 / 479001600 + z * (-1.0 / 87178291200.0 +
                                                                          z * (1.0 / 20922789888000.0))))))));
  return arr_quadrant_cos_sin(c, s, quarter);
}

// The logarithm of a number in (0, 1]. The library's would be accurate enough, but its last bits differ
// between vectors and scalars, and on a GPU. It is 2 artanh((m - 1) / (m + 1)) of the mantissa m in 1 /
// sqrt(2) .. sqrt(2), by its series.
ARR_FN float arr_log_unit(float x) {
  const unsigned u = arr_bits<unsigned>(x) - 0x3f3504f3u;
  const float e = (float)((int)u >> 23), m = arr_bits<float>((u & 0x7fffffu) + 0x3f3504f3u);
  const float s = (m - 1) / (m + 1), z = s * s;
  const float t = z * (3.3333333e-1f + z * (2.0e-1f + z * (1.4285714e-1f + z * 1.1111111e-1f)));
  return e * 6.9314718e-1f + 2 * (s + s * t);
}
ARR_FN double arr_log_unit(double x) {
  const unsigned long long u = arr_bits<unsigned long long>(x) - 0x3fe6a09e667f3bcdull;
  // The exponent is in -54 .. 0; the last bits of a number above 2^52 are at hand in vectors.
  const double e =
      arr_bits<double>((u + 0x3ff0000000000000ull) >> 52 | 0x4330000000000000ull) - (0x1p52 + 1023);
  const double m = arr_bits<double>((u & 0xfffffffffffffull) + 0x3fe6a09e667f3bcdull);
  const double s = (m - 1) / (m + 1), z = s * s;
  const double high = 1.0 / 13 + z * (1.0 / 15 + z * (1.0 / 17 + z * (1.0 / 19 + z * (1.0 / 21))));
  const double t = z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11 + z * high)))));
  return e * 0.69314718055994530942 + 2 * (s + s * t);
}
// Uniform in (0, 1], with all bits that are available.
ARR_FN float arr_uniform_upper(unsigned w) { return ((float)w + 1.0f) * 0x1p-32f; }
ARR_FN double arr_uniform_upper(unsigned long long w) {
  return (arr_integer_to_double(w >> 11) + 1.0) * 0x1p-53;
}

// Two independent normal numbers from two uniform words (Box and Muller, 1958).
ARR_FN arr_cos_sin<float> arr_normals(unsigned a, unsigned b) {
  const float r = arr_sqrt(-2 * arr_log_unit(arr_uniform_upper(a)));
  const arr_cos_sin<float> t = arr_cos_sin_2pi(b);
  return {r * t.cos, r * t.sin};
}
ARR_FN arr_cos_sin<double> arr_normals(unsigned long long a, unsigned long long b) {
  const double r = arr_sqrt(-2 * arr_log_unit(arr_uniform_upper(a)));
  const arr_cos_sin<double> t = arr_cos_sin_2pi(b);
  return {r * t.cos, r * t.sin};
}

// The upper half of a product; without a wider type, so that loops vectorise.
ARR_FN unsigned char arr_multiply_high(unsigned char x, unsigned char y) {
  return (unsigned char)((unsigned)x * y >> 8);
}
ARR_FN unsigned short arr_multiply_high(unsigned short x, unsigned short y) {
  return (unsigned short)((unsigned)x * y >> 16);
}
ARR_FN unsigned arr_multiply_high(unsigned x, unsigned y) {
  return (unsigned)(((unsigned long long)x * y) >> 32);
}
ARR_FN unsigned long long arr_multiply_high(unsigned long long x, unsigned long long y) {
  const unsigned long long x0 = (unsigned)x, x1 = x >> 32, y0 = (unsigned)y, y1 = y >> 32;
  const unsigned long long low = x0 * y0, m1 = x1 * y0 + (low >> 32), m2 = x0 * y1 + (unsigned)m1;
  return x1 * y1 + (m1 >> 32) + (m2 >> 32);
}
// A uniform number in 0 .. bound - 1 from a uniform word, with equal probabilities: numbers that would be too
// frequent are drawn again from words of the same element (Lemire: Fast random integer generation in an
// interval; TOMACS 2019). bound 0 is 2^bits.
template <class U>
ARR_FN U arr_lemire_redraw(U w, U bound) {
  const U threshold = (U)((U)(U(0) - bound) % bound);
  for (unsigned long long k = 0; (U)(w * bound) < threshold; ++k) {
    const arr_words b = arr_philox(k, 1, w);
    w = (U)arr_join_words(b.w[0], b.w[1]);
  }
  return arr_multiply_high(w, bound);
}
template <class U>
ARR_FN U arr_below(U w, U bound) {
  if (bound == 0) return w;
  return (U)(w * bound) >= bound ? arr_multiply_high(w, bound) : arr_lemire_redraw(w, bound);
}

// -------------------------------------------------------------------------------- elements of a stream

// The sources of words: a key, or other bit generators' numbers in memory. A T takes separate words, or the
// low bits of one.
struct arr_keyed {
  static constexpr bool in_memory = false;
  template <class T>
  ARR_FN static T bits(arr_table stream, long long i) {
    if constexpr (sizeof(T) == 8) {
      const arr_words b = arr_block(stream, i, 1);
      return (i & 1) != 0 ? arr_join_words(b.w[2], b.w[3]) : arr_join_words(b.w[0], b.w[1]);
    } else {
      return (T)arr_word(arr_block(stream, i, 2), (int)i & 3);
    }
  }
};
struct arr_stored {
  static constexpr bool in_memory = true;
  template <class T>
  ARR_FN static T bits(arr_table words, long long i) {
    if constexpr (sizeof(T) == 8)
      return (T)((const unsigned long long*)words.data)[i];
    else
      return (T)((const unsigned*)words.data)[i];
  }
};
template <class T, class Words = arr_keyed>
ARR_FN T arr_random_bits(arr_table stream, long long i) {
  return Words::template bits<T>(stream, i);
}
template <class T, class Words = arr_keyed>
ARR_FN T arr_random_unit(arr_table stream, long long i) {
  return arr_uniform_of_type<T>(arr_random_bits<typename arr_bits_for<T>::type, Words>(stream, i));
}
template <class T, class Words = arr_keyed>
ARR_FN T arr_random_open(arr_table stream, long long i) {
  return arr_uniform_open(arr_random_bits<typename arr_bits_for<T>::type, Words>(stream, i));
}
template <class T, class Words = arr_keyed>
ARR_FN T arr_random_exponential(arr_table stream, long long i) {
  return -arr_log_unit(arr_uniform_upper(arr_random_bits<typename arr_bits_for<T>::type, Words>(stream, i)));
}
// Elements 2 k and 2 k + 1 are a pair.
template <class T, class Words = arr_keyed>
ARR_FN T arr_random_normal(arr_table stream, long long i) {
  typedef typename arr_bits_for<T>::type U;
  const arr_cos_sin<T> n =
      arr_normals(arr_random_bits<U, Words>(stream, i & ~1ll), arr_random_bits<U, Words>(stream, i | 1));
  return (i & 1) != 0 ? n.sin : n.cos;
}

#endif
