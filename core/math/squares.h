// SPDX-License-Identifier: MIT
// Sums of squares that do not leave the range of their type. It precedes states.h and, like that file, has no
// include guard.

template <class A>
ARR_FN A arr_scale(A x, typename arr_real_of<A>::type by) {
  if constexpr (arr_is_complex<A>::value) {
    return {x.re * by, x.im * by};
  } else {
    return x * by;
  }
}
// The real part of x times the conjugate of y.
template <class A>
ARR_FN typename arr_real_of<A>::type arr_inner(A x, A y) {
  if constexpr (arr_is_complex<A>::value) {
    return x.re * y.re + x.im * y.im;
  } else {
    return x * y;
  }
}

// The range in which numbers can be squared and added up, and the factors that scale other numbers into it.
template <class R>
struct arr_square_range;
template <>
struct arr_square_range<double> {
  static constexpr double max = 0x1p486, min = 0x1p-511, down = 0x1p-538, up = 0x1p537;
  static constexpr double max_sum = 0x1p972,
                          min_sum = 0x1p-900;  // of a block: lost digits do not count
};
template <>
struct arr_square_range<float> {
  static constexpr float max = 0x1p52f, min = 0x1p-63f, down = 0x1p-76f, up = 0x1p75f;
  static constexpr float max_sum = 0x1p104f, min_sum = 0x1p-80f;
};

// The sum of squared magnitudes in three parts, of which those of large and of small numbers are scaled: J.
// L. Blue, "A portable Fortran program to find the Euclidean norm of a vector", ACM TOMS 4 (1978).
template <class A>
struct arr_squares {
  typedef typename arr_real_of<A>::type R;
  typedef arr_square_range<R> Range;
  typedef R V1;
  typedef R V2;
  R middle, large, small;

  ARR_FN static arr_squares make(R middle, R large, R small) {
    arr_squares s;
    s.middle = middle;
    s.large = large;
    s.small = small;
    return s;
  }
  ARR_FN static arr_squares none() { return make(R(0), R(0), R(0)); }
  ARR_FN static arr_squares join(arr_squares a, arr_squares b) {
    return make(a.middle + b.middle, a.large + b.large, a.small + b.small);
  }
  ARR_FN R norm() const {
    if (arr_isnan(middle)) return middle;
    if (large > R(0)) return arr_sqrt(large + middle * Range::down * Range::down) / Range::down;
    if (!(small > R(0))) return arr_sqrt(middle);
    const R a = arr_sqrt(middle), b = arr_sqrt(small) / Range::up;
    const R max = a > b ? a : b, part = (a > b ? b : a) / max;
    return max * arr_sqrt(R(1) + part * part);
  }

  typedef arr_squares Run;
  ARR_FN static Run start() { return none(); }
  ARR_FN static void push_real(Run& r, R x) {
    R size = x < R(0) ? -x : x;
    if (size > Range::max) {
      size *= Range::down;
      r.large += size * size;
    } else if (size < Range::min) {
      size *= Range::up;
      r.small += size * size;
    } else {
      r.middle += size * size;  // nan too
    }
  }
  ARR_FN static void push(Run& r, A x) {
    if constexpr (arr_is_complex<A>::value) {
      push_real(r, x.re);
      push_real(r, x.im);
    } else {
      push_real(r, x);
    }
  }
  ARR_FN static arr_squares of(Run r) { return r; }

  static const bool has_identity = true, counts = false, has_second_pass = false, checked = true;
  ARR_FN static A identity() { return A(0); }
  ARR_FN static R is_counted(A) { return R(1); }
  ARR_FN static R map_pass1(A x, A) { return arr_inner(x, x); }
  ARR_FN static R combine_pass1(R v, R w) { return v + w; }
  ARR_FN static A pivot(R, A x0, R) { return x0; }
  ARR_FN static R map_pass2(A, A) { return R(0); }
  ARR_FN static R combine_pass2(R v, R) { return v; }
  ARR_FN static bool in_range(R v, R) { return v >= Range::min_sum && v <= Range::max_sum; }
  ARR_FN static arr_squares of_equal(R n, A x0) {
    arr_squares s = none();
    push(s, x0);
    return make(s.middle * n, s.large * n, s.small * n);
  }
  ARR_FN static arr_squares block(R, R v, A, A, R) { return make(v, R(0), R(0)); }
};
