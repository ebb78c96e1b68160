// SPDX-License-Identifier: MIT
// The arithmetic of PTX's video instructions on parts of words. Embedded after ptx.h where a text has one.

namespace arr_ptx {

typedef __int128 video;  // holds every intermediate result exactly

// `bits` of a word from bit `at`, with the sign of T.
template <class T>
ARR_INLINE video part(unsigned word, unsigned at, unsigned bits) {
  return T(word >> at << (32 - bits)) >> (32 - bits);
}
// The nearest number of T's sign in `bits` bits.
template <class T>
ARR_INLINE video clamped(video v, unsigned bits) {
  const video min = T(-1) < T(0) ? -(video(1) << (bits - 1)) : 0, max = min + ((video(1) << bits) - 1);
  return v < min ? min : v > max ? max : v;
}
// The word with v in its bits from `at` on.
ARR_INLINE unsigned merged(unsigned word, video v, unsigned at, unsigned bits) {
  const unsigned mask = ~0u >> (32 - bits) << at;
  return (word & ~mask) | (unsigned(v) << at & mask);
}

ARR_INLINE video vadd(video a, video b) { return a + b; }
ARR_INLINE video vsub(video a, video b) { return a - b; }
ARR_INLINE video vabsdiff(video a, video b) { return a < b ? b - a : a - b; }
ARR_INLINE video vmin(video a, video b) { return a < b ? a : b; }
ARR_INLINE video vmax(video a, video b) { return a < b ? b : a; }
ARR_INLINE video vavrg(video a, video b) { return (a + b + (a + b >= 0 ? 1 : 0)) >> 1; }
ARR_INLINE video vshl_clamp(video a, video b) { return a * (video(1) << (b > 32 ? 32 : int(b))); }
ARR_INLINE video vshr_clamp(video a, video b) { return a >> (b > 32 ? 32 : int(b)); }
ARR_INLINE video vshl_wrap(video a, video b) { return a * (video(1) << int(b & 31)); }
ARR_INLINE video vshr_wrap(video a, video b) { return a >> int(b & 31); }
ARR_INLINE video vset_eq(video a, video b) { return a == b ? 1 : 0; }
ARR_INLINE video vset_ne(video a, video b) { return a != b ? 1 : 0; }
ARR_INLINE video vset_lt(video a, video b) { return a < b ? 1 : 0; }
ARR_INLINE video vset_le(video a, video b) { return a <= b ? 1 : 0; }
ARR_INLINE video vset_gt(video a, video b) { return a > b ? 1 : 0; }
ARR_INLINE video vset_ge(video a, video b) { return a >= b ? 1 : 0; }

}  // namespace arr_ptx
