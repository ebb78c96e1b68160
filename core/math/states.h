// SPDX-License-Identifier: MIT
// The states of reductions that accumulate more than one number (kind STATE of core/table/reductions.def), in
// the subset of C++ that the host compiler and NVRTC both take. It has no include guard: every CUDA kernel
// that needs it has a separate copy, after scalar.h, math.h and squares.h.
//
// A state S of elements of type A:
//   none()                   the state of no elements
//   join(a, b)               the state of the elements of both
//   has_identity             whether an element exists that changes no state: identity()
// A thread that reads the elements one by one: Run r = start(); push(r, x); of(r) is the state.
// Loops that read a whole block make one or two passes that vectorise:
//   counts, is_counted(x)    whether some elements are left out, and 0 for one that is, 1 for others
//   V1 map_pass1(x, x0)      combined by combine_pass1(v, w); x0 is the first element
//   pivot(v, x0, n)          a parameter of the second pass, from the result v of the first
//   has_second_pass          whether there is a second pass
//   V2 map_pass2(x, pivot)   combined by combine_pass2(v, w)
//   block(n, v, x0, pivot, w)  the state of the block, of whose elements n are counted
//   checked                  whether in_range(v, w) is false where the sums left the range of R: the elements
//                            are then pushed one by one, and n equal elements x0 are of_equal(n, x0)

// The same with parts of float64.
template <class A>
struct arr_double_of {
  typedef double type;
};
template <class F>
struct arr_double_of<arr_cplx<F>> {
  typedef arr_cplx<double> type;
};
ARR_FN double arr_largest_part(double x) { return x < 0 ? -x : x; }
ARR_FN double arr_largest_part(arr_cplx<double> x) {
  const double re = arr_largest_part(x.re), im = arr_largest_part(x.im);
  return re > im || arr_isnan(re) ? re : im;
}

// The number of elements, their mean, and the sum of their squared distances from it; with Nan only of
// elements that are not nan. Blocks are summed in A as distances from one of their elements, so that a large
// mean costs no digits, and joined in float64: T. F. Chan, G. H. Golub, R. J. LeVeque, "Updating formulae and
// a pairwise algorithm for computing sample variances" (1979). The sum is m2 times the square of `unit`, a
// power of 2 that is 1 unless squares would leave the range of float64.
template <class A, bool Nan>
struct arr_moments_of {
  typedef typename arr_real_of<A>::type R;
  typedef typename arr_double_of<A>::type D;
  typedef arr_square_range<R> Range;
  typedef arr_square_range<double> Wide;
  typedef A V1;
  typedef R V2;
  D mean;
  double n, m2, unit;

  static constexpr double large = 1 / Wide::down, small = 1 / Wide::up;  // units
  ARR_FN static arr_moments_of make(D mean, double n, double m2, double unit) {
    arr_moments_of s;
    s.mean = mean;
    s.n = n;
    s.m2 = m2;
    s.unit = m2 == 0 ? small : unit;
    return s;
  }
  ARR_FN static arr_moments_of none() { return make(D(0), 0, 0, 1); }
  // The unit of a square.
  ARR_FN static double unit_of(double size) {
    return !(size <= Wide::max) ? large : size < 0x1p-400 ? small : 1;
  }
  ARR_FN static double in_unit(double m2, double from, double to) { return m2 * (from / to) * (from / to); }
  ARR_FN static arr_moments_of join(arr_moments_of a, arr_moments_of b) {
    if (a.n == 0) return b;
    if (b.n == 0) return a;
    const double n = a.n + b.n, part = b.n / n;
    D delta = b.mean - a.mean;
    const double size = arr_largest_part(delta);
    if (a.unit == 1 && b.unit == 1 && size <= Wide::max) {
      return make(a.mean + arr_scale(delta, part), n, a.m2 + b.m2 + arr_inner(delta, delta) * a.n * part, 1);
    }
    double unit = a.unit > b.unit ? a.unit : b.unit;
    const double own = unit_of(size);
    if (own > unit) unit = own;
    if (unit == large) {
      const D far = arr_scale(b.mean, 1 / large) - arr_scale(a.mean, 1 / large);
      return make(
          arr_scale(arr_scale(a.mean, 1 / large) + arr_scale(far, part), large), n,
          in_unit(a.m2, a.unit, large) + in_unit(b.m2, b.unit, large) + arr_inner(far, far) * a.n * part,
          large);
    }
    const D mean = a.mean + arr_scale(delta, part);
    delta = arr_scale(delta, 1 / unit);
    return make(
        mean, n,
        in_unit(a.m2, a.unit, unit) + in_unit(b.m2, b.unit, unit) + arr_inner(delta, delta) * a.n * part,
        unit);
  }
  // The variance in squares of the unit.
  ARR_FN double scaled(R correction) const {
    const double left = n - (double)correction;
    if (Nan && !(left > 0)) return arr_nan_or(0.0);
    return m2 / (left > 0 ? left : 0.0);
  }
  ARR_FN R variance(R correction) const { return (R)(scaled(correction) * unit * unit); }
  ARR_FN R deviation(R correction) const { return (R)(arr_sqrt(scaled(correction)) * unit); }
  ARR_FN static A shift(A x0) { return arr_isfinite(x0) ? x0 : A(0); }

  // `far` is the sum of distances too large to be squared, scaled as those of arr_squares.
  struct Run {
    A shift, sum, far;
    R n;
    arr_squares<A> squares;
  };
  ARR_FN static Run start() {
    Run r;
    r.shift = r.sum = r.far = A(0);
    r.n = R(0);
    r.squares = arr_squares<A>::none();
    return r;
  }
  ARR_FN static void push(Run& r, A x) {
    if (Nan && arr_isnan(x)) return;
    if (r.n == R(0)) r.shift = shift(x);
    A delta = x - r.shift;
    r.n += R(1);
    if (arr_inner(delta, delta) <= Range::max_sum) {
      r.sum = r.sum + delta;
      arr_squares<A>::push(r.squares, delta);
    } else {
      delta = arr_scale(x, Range::down) - arr_scale(r.shift, Range::down);
      r.far = r.far + delta;
      r.squares.large += arr_inner(delta, delta);
    }
  }
  ARR_FN static arr_moments_of of(Run r) {
    if (r.n == 0) return none();
    const double n = (double)r.n, down = (double)Range::down, up = (double)Range::up;
    const double middle = (double)r.squares.middle, big = (double)r.squares.large,
                 tiny = (double)r.squares.small;
    const D near = arr_scale(arr_cast<D>(r.sum), 1 / n), far = arr_scale(arr_cast<D>(r.far), 1 / n);
    const D from = arr_cast<D>(r.shift);
    if (sizeof(R) < sizeof(double)) {  // its squares are in the range of float64
      const D mean = near + arr_scale(far, 1 / down);
      const double rest = middle + big / down / down + tiny / up / up - arr_inner(mean, mean) * n;
      return make(from + mean, n, rest < 0 ? 0.0 : rest, 1);
    }
    if (big != 0) {
      const D mean = arr_scale(near, down) + far;
      const double rest = big + middle * down * down - arr_inner(mean, mean) * n;
      return make(arr_scale(arr_scale(from, down) + mean, 1 / down), n, rest < 0 ? 0.0 : rest, large);
    }
    if (middle < 0x1p-800) {
      const D mean = arr_scale(near, up);
      const double rest = tiny + middle * up * up - arr_inner(mean, mean) * n;
      return make(from + near, n, rest < 0 ? 0.0 : rest, small);
    }
    const double rest = middle - arr_inner(near, near) * n;
    return make(from + near, n, rest < 0 ? 0.0 : rest, 1);
  }

  static const bool has_identity = Nan, counts = Nan, has_second_pass = true, checked = true;
  ARR_FN static A identity() { return arr_nan_or(A(0)); }
  ARR_FN static R is_counted(A x) { return arr_isnan(x) ? R(0) : R(1); }
  ARR_FN static A map_pass1(A x, A x0) { return Nan && arr_isnan(x) ? A(0) : x - shift(x0); }
  ARR_FN static A combine_pass1(A v, A w) { return v + w; }
  ARR_FN static A pivot(A v, A x0, R n) { return n > R(0) ? shift(x0) + arr_scale(v, R(1) / n) : A(0); }
  ARR_FN static R map_pass2(A x, A pivot) {
    A delta = x - pivot;
    R square = arr_inner(delta, delta);
    return Nan && arr_isnan(x) ? R(0) : square;
  }
  ARR_FN static R combine_pass2(R v, R w) { return v + w; }
  ARR_FN static bool in_range(A v, R w) {
    return arr_isfinite(v) && w >= Range::min_sum && w <= Range::max_sum;
  }
  ARR_FN static arr_moments_of of_equal(R n, A x0) { return make(arr_cast<D>(x0), (double)n, 0, 1); }
  ARR_FN static arr_moments_of block(R n, A v, A x0, A pivot, R w) {
    if (n == 0) return none();
    // The mean lies beside the pivot, which is rounded.
    D mean = arr_cast<D>(shift(x0)) + arr_scale(arr_cast<D>(v), 1 / (double)n);
    D delta = mean - arr_cast<D>(pivot);
    double rest = (double)w - arr_inner(delta, delta) * (double)n;
    return make(mean, (double)n, rest < 0 ? 0.0 : rest, 1);
  }
};
template <class A>
using arr_moments = arr_moments_of<A, false>;
template <class A>
using arr_nan_moments = arr_moments_of<A, true>;

// The sum and number of the elements that are not nan.
template <class A>
struct arr_counted {
  typedef typename arr_real_of<A>::type R;
  typedef A V1;
  typedef A V2;
  A sum;
  R n;

  ARR_FN static arr_counted make(A sum, R n) {
    arr_counted s;
    s.sum = sum;
    s.n = n;
    return s;
  }
  ARR_FN static arr_counted none() { return make(A(0), R(0)); }
  ARR_FN static arr_counted join(arr_counted a, arr_counted b) { return make(a.sum + b.sum, a.n + b.n); }
  ARR_FN A mean() const { return sum / n; }

  typedef arr_counted Run;
  ARR_FN static Run start() { return none(); }
  ARR_FN static void push(Run& r, A x) {
    r.sum = r.sum + map_pass1(x, x);
    r.n += is_counted(x);
  }
  ARR_FN static arr_counted of(Run r) { return r; }

  static const bool has_identity = true, counts = true, has_second_pass = false, checked = false;
  ARR_FN static A identity() { return arr_nan_or(A(0)); }
  ARR_FN static R is_counted(A x) { return arr_isnan(x) ? R(0) : R(1); }
  ARR_FN static A map_pass1(A x, A) { return arr_isnan(x) ? A(0) : x; }
  ARR_FN static A combine_pass1(A v, A w) { return v + w; }
  ARR_FN static A pivot(A v, A, R) { return v; }
  ARR_FN static A map_pass2(A x, A) { return x; }
  ARR_FN static A combine_pass2(A v, A) { return v; }
  ARR_FN static arr_counted block(R n, A v, A, A, A) { return make(v, n); }
};

// The largest element, and the sum of exp(x - largest); a largest of infinity counts as 0 there.
template <class A>
struct arr_logsum {
  typedef typename arr_real_of<A>::type R;
  typedef A V1;
  typedef A V2;
  A largest, sum;

  ARR_FN static arr_logsum make(A largest, A sum) {
    arr_logsum s;
    s.largest = largest;
    s.sum = sum;
    return s;
  }
  ARR_FN static A weight(A x, A largest) { return x == largest ? A(1) : arr_exp(x - largest); }
  ARR_FN static arr_logsum none() { return make((A)-ARR_INF, A(0)); }
  ARR_FN static arr_logsum join(arr_logsum a, arr_logsum b) {
    A m = arr_larger(a.largest, b.largest);
    return make(m, a.sum * weight(a.largest, m) + b.sum * weight(b.largest, m));
  }
  ARR_FN A logarithm() const { return arr_isfinite(largest) ? largest + arr_log(sum) : largest; }
  ARR_FN arr_cplx<A> pair() const { return {largest, sum}; }

  typedef arr_logsum Run;
  ARR_FN static Run start() { return none(); }
  ARR_FN static void push(Run& r, A x) {
    if (x <= r.largest && arr_isfinite(r.largest)) {
      r.sum += arr_exp(x - r.largest);
    } else {
      r = join(r, make(x, arr_isfinite(x) ? A(1) : arr_exp(x)));
    }
  }
  ARR_FN static arr_logsum of(Run r) { return r; }

  static const bool has_identity = true, counts = false, has_second_pass = true, checked = false;
  ARR_FN static A identity() { return (A)-ARR_INF; }
  ARR_FN static R is_counted(A) { return R(1); }
  ARR_FN static A map_pass1(A x, A) { return x; }
  ARR_FN static A combine_pass1(A v, A w) { return arr_larger(v, w); }
  ARR_FN static A pivot(A v, A, R) { return arr_isfinite(v) ? v : A(0); }
  ARR_FN static A map_pass2(A x, A pivot) { return arr_exp(x - pivot); }
  ARR_FN static A combine_pass2(A v, A w) { return v + w; }
  ARR_FN static arr_logsum block(R, A v, A, A, A w) { return make(v, w); }
};

// The smallest and the largest element.
template <class A>
struct arr_range {
  typedef typename arr_real_of<A>::type R;
  typedef A V1;
  typedef A V2;
  A low, high;

  ARR_FN static arr_range make(A low, A high) {
    arr_range s;
    s.low = low;
    s.high = high;
    return s;
  }
  ARR_FN static arr_range none() { return make(arr_limits<A>::highest(), arr_limits<A>::lowest()); }
  ARR_FN static arr_range join(arr_range a, arr_range b) {
    return make(arr_smaller(a.low, b.low), arr_larger(a.high, b.high));
  }

  typedef arr_range Run;
  ARR_FN static Run start() { return none(); }
  ARR_FN static void push(Run& r, A x) { r = join(r, make(x, x)); }
  ARR_FN static arr_range of(Run r) { return r; }

  ARR_FN A width() const {
    if constexpr (arr_is_float<A>::value || arr_is_complex<A>::value) {
      return high - low;
    } else {
      typedef typename arr_wrapping<A>::type U;
      return (A)((U)high - (U)low);
    }
  }

  static const bool has_identity = false, counts = false, has_second_pass = true, checked = false;
  ARR_FN static R is_counted(A) { return R(1); }
  ARR_FN static A map_pass1(A x, A) { return x; }
  ARR_FN static A combine_pass1(A v, A w) { return arr_smaller(v, w); }
  ARR_FN static A pivot(A v, A, R) { return v; }
  ARR_FN static A map_pass2(A x, A) { return x; }
  ARR_FN static A combine_pass2(A v, A w) { return arr_larger(v, w); }
  ARR_FN static arr_range block(R, A v, A, A, A w) { return make(v, w); }
};
