// SPDX-License-Identifier: MIT
// Rejection sampling: each element draws as many words as needed from Philox keyed by its own seed. Include
// after random.h.
#ifndef ARR_MATH_REJECTION_H
#define ARR_MATH_REJECTION_H

// The words of a seed, two at a time.
struct arr_source {
  unsigned long long seed, blocks;
};
struct arr_word_pair {
  unsigned long long a, b;
};
ARR_FN arr_word_pair arr_draw(arr_source* s) {
  const arr_words w = arr_philox(s->blocks++, 2, s->seed);
  return {arr_join_words(w.w[0], w.w[1]), arr_join_words(w.w[2], w.w[3])};
}

// Gamma with scale 1 (Marsaglia and Tsang: A simple method for generating gamma variables; TOMS 2000). Below
// 1 the shape is raised by one and the number taken to a power, by logarithms: it may be too small for a
// float.
struct arr_gamma_attempt {
  double d, x, u, v;
  bool possible, sure;  // accepted without a logarithm
  ARR_FN arr_gamma_attempt(double shape, arr_word_pair n, arr_word_pair w) {
    d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3;
    x = arr_normals(n.a, n.b).cos;
    u = arr_uniform_open(w.a);
    const double root = 1 + 1 / arr_sqrt(9 * d) * x;
    v = root * root * root;
    possible = root > 0;
    sure = possible & (u < 1 - 0.0331 * x * x * x * x);
  }
};
// From a gamma number of the shape plus one to one of the shape.
ARR_FN double arr_gamma_shape_boost(double x, double shape, unsigned long long w) {
  return arr_exp(arr_log(x) + arr_log(arr_uniform_open(w)) / shape);
}
ARR_LARGE_FN double arr_gamma_from(arr_source* s, double shape) {
  if (!(shape >= 0)) return ARR_INF - ARR_INF;
  if (shape == 0) return 0;
  for (;;) {
    const arr_word_pair n = arr_draw(s), w = arr_draw(s);
    const arr_gamma_attempt t(shape, n, w);
    if (!t.possible) continue;
    if (!t.sure && arr_log(t.u) >= 0.5 * t.x * t.x + t.d * (1 - t.v + arr_log(t.v))) continue;
    return shape < 1 ? arr_gamma_shape_boost(t.d * t.v, shape, w.b) : t.d * t.v;
  }
}
ARR_LARGE_FN double arr_random_gamma(unsigned long long seed, double shape) {
  arr_source s = {seed, 0};
  return arr_gamma_from(&s, shape);
}

// Beta as a quotient of gammas, except for two shapes up to 1, from powers of uniform numbers (Johnk, 1964),
// by logarithms if both underflow. For shapes near 0 only their quotient matters, because the number is 0 or
// 1 as a double; both are increased then, because their logarithms would be infinite.
ARR_LARGE_FN double arr_random_beta(unsigned long long seed, double a, double b) {
  arr_source s = {seed, 0};
  if (!(a > 0 && b > 0)) return ARR_INF - ARR_INF;
  if (a > 1 || b > 1) {
    const double x = arr_gamma_from(&s, a), y = arr_gamma_from(&s, b);
    return arr_isfinite(x + y) ? x / (x + y) : 0.5 * x / (0.5 * x + 0.5 * y);
  }
  if (a < 0x1p-900 && b < 0x1p-900) {
    a *= 0x1p600;
    b *= 0x1p600;
  }
  for (;;) {
    const arr_word_pair w = arr_draw(&s);
    const double log_x = arr_log(arr_uniform_open(w.a)) / a, log_y = arr_log(arr_uniform_open(w.b)) / b;
    const double top = log_x > log_y ? log_x : log_y;
    const double x = arr_exp(log_x - top), y = arr_exp(log_y - top);  // of the larger
    if (top + arr_log(x + y) <= 0) return x / (x + y);
  }
}

// log(k!) - (log(2 pi) / 2 + (k + 1/2) log(k + 1) - (k + 1)).
ARR_LARGE_FN double arr_factorial_correction(double k) {
  if (k >= 9) return arr_stirling_correction(k + 1);
  double factorial = 1;
  for (int i = 2; i <= (int)k; ++i) factorial *= i;
  return arr_log(factorial) - (0.91893853320467274178 + (k + 0.5) * arr_log(k + 1) - (k + 1));
}
ARR_FN double arr_log_factorial(double k) {
  return arr_factorial_correction(k) + 0.91893853320467274178 + (k + 0.5) * arr_log(k + 1) - (k + 1);
}

// log((k + d)!) - log(k!) without d log(k + 1) - d, which cancels terms of a sum that is 0. It is exact even
// if the factorials' logarithms are so large that their difference is lost.
ARR_FN double arr_factorial_change(double k, double d) {
  return (k + d + 0.5) * arr_log1p(d / (k + 1)) + arr_factorial_correction(k + d) -
         arr_factorial_correction(k);
}

// Poisson: a product of uniform numbers for small means, PTRS for others (Hormann: The transformed rejection
// method for generating Poisson random variables; 1993). -1 where the mean is not valid, or ten deviations
// above it are more than an int64 holds.
ARR_FN double arr_max_poisson_mean() { return 9.223372006484771e18; }
struct arr_poisson_attempt {
  double a, b, us, v, k;
  bool sure;
  ARR_FN arr_poisson_attempt(double mean, arr_word_pair w) {
    b = 0.931 + 2.53 * arr_sqrt(mean);
    a = -0.059 + 0.02483 * b;
    const double u = arr_uniform_open(w.a) - 0.5;
    v = arr_uniform_open(w.b);
    us = 0.5 - arr_absolute(u);
    k = arr_floor((2 * a / us + b) * u + mean + 0.43);
    sure = (us >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2));
  }
};
ARR_FN bool arr_poisson_taken(const arr_poisson_attempt& t, double mean) {
  const double k = t.k, us = t.us;
  if (t.sure) return true;
  if (k < 0 || k >= 0x1p63 || (us < 0.013 && t.v > us)) return false;
  const double more = k + 1 - mean;  // the logarithm of the probability, from differences that stay exact
  const double log_p = more - (k + 0.5) * arr_log1p(more / mean) - 0.5 * arr_log(mean) -
                       0.91893853320467274178 - arr_factorial_correction(k);
  const double inverse = 1.1239 + 1.1328 / (t.b - 3.4);
  return arr_log(t.v * inverse / (t.a / (us * us) + t.b)) <= log_p;
}
ARR_LARGE_FN long long arr_random_poisson(unsigned long long seed, double mean) {
  arr_source s = {seed, 0};
  if (!(mean >= 0 && mean <= arr_max_poisson_mean())) return -1;
  if (mean < 10) {
    const double min_product = arr_exp(-mean);
    double product = 1;
    for (long long k = 0;; ++k) {
      const arr_word_pair w = arr_draw(&s);
      product *= arr_uniform_open(w.a);
      if (product <= min_product) return 2 * k;
      product *= arr_uniform_open(w.b);
      if (product <= min_product) return 2 * k + 1;
    }
  }
  for (;;) {
    const arr_poisson_attempt t(mean, arr_draw(&s));
    if (arr_poisson_taken(t, mean)) return (long long)t.k;
  }
}

// Binomial: by inversion where few successes are expected, by BTRS else (Hormann: The generation of binomial
// random variates; 1993), for the probability of the rarer outcome. n is whole, 2^63 at most, which stands
// for the largest int64. -1 where n or p is not valid.
ARR_LARGE_FN double arr_binomial_inversion(arr_source* s, double n, double p) {
  const double odds = p / (1 - p), first = arr_exp(n * arr_log1p(-p));
  for (;;) {  // repeated if rounding has used up all the probability
    double u = arr_uniform_open(arr_draw(s).a), term = first;
    for (int k = 0; k <= n && k < 200; ++k) {
      if (u <= term) return k;
      u -= term;
      term *= odds * (n - k) / (k + 1);
    }
  }
}
struct arr_binomial_attempt {
  double spread, a, b, us, v, k;
  bool sure;
  ARR_FN arr_binomial_attempt(double n, double p, arr_word_pair w) {
    spread = arr_sqrt(n * p * (1 - p));
    b = 1.15 + 2.53 * spread;
    a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double u = arr_uniform_open(w.a) - 0.5;
    v = arr_uniform_open(w.b);
    us = 0.5 - arr_absolute(u);
    k = arr_floor((2 * a / us + b) * u + n * p + 0.5);
    sure = (us >= 0.07) & (v <= 0.92 - 4.2 / b);
  }
};
ARR_LARGE_FN double arr_binomial_btrs(arr_source* s, double n, double p) {
  const double odds = p / (1 - p), m = arr_floor((n + 1) * p);
  const double top = (m + 0.5) * arr_log((m + 1) / (odds * (n - m + 1))) + arr_factorial_correction(m) +
                     arr_factorial_correction(n - m);
  for (;;) {
    const arr_binomial_attempt t(n, p, arr_draw(s));
    const double k = t.k;
    if (t.sure) return k;
    if (k < 0 || k > n) continue;
    const double alpha = (2.83 + 5.1 / t.b) * t.spread;
    const double level = arr_log(t.v * alpha / (t.a / (t.us * t.us) + t.b));
    if (n >= 0x1p53) {
      const double more = k - m, log_ratio = arr_log(odds * (n - m + 1) / (m + 1));
      if (level <= more * log_ratio - arr_factorial_change(m, more) - arr_factorial_change(n - m, -more))
        return k;
      continue;
    }
    const double bound = top + (n + 1) * arr_log((n - m + 1) / (n - k + 1)) +
                         (k + 0.5) * arr_log(odds * (n - k + 1) / (k + 1)) - arr_factorial_correction(k) -
                         arr_factorial_correction(n - k);
    if (level <= bound) return k;
  }
}
ARR_LARGE_FN long long arr_random_binomial(unsigned long long seed, double n, double p) {
  arr_source s = {seed, 0};
  if (!(n >= 0 && n <= 0x1p63 && p >= 0 && p <= 1)) return -1;
  const bool rare = p <= 0.5;
  const double q = rare ? p : 1 - p;
  const double k = q == 0 ? 0 : n * q < 10 ? arr_binomial_inversion(&s, n, q) : arr_binomial_btrs(&s, n, q);
  const double made = rare ? k : n - k;
  return made < 0x1p63 ? (long long)made : 0x7fffffffffffffffll;
}

// Zipf (Devroye: Non-uniform random variate generation; 1986, chapter X.6). Numbers beyond an int64 are drawn
// again; near exponent 1, where most of them would be, the uniform numbers are only those that have others.
ARR_FN long long arr_zipf_near_one(arr_source* s, double less) {
  const double log2 = 0.69314718055994530942, range = arr_expm1(-63 * log2 * less);  // 2^(-63 less) - 1
  const double b = arr_expm1(log2 * less);                                           // 2^less - 1
  for (;;) {
    const arr_word_pair w = arr_draw(s);
    const double x = arr_floor(arr_exp(-arr_log1p(arr_uniform_open(w.a) * range) / less));
    if (!(x >= 1 && x < 0x1p63)) continue;
    const double t = arr_expm1(less * arr_log1p(1 / x));
    if (arr_uniform_open(w.b) * x * t / b <= (1 + t) / (1 + b)) return (long long)x;
  }
}
ARR_LARGE_FN long long arr_random_zipf(unsigned long long seed, double a) {
  arr_source s = {seed, 0};
  if (!(a > 1)) return -1;
  if (a >= 1025) return 1;  // the probability of more is below 2^-1024
  const double less = a - 1, b = arr_pow(2.0, less);
  if (less < 0x1p-6) return arr_zipf_near_one(&s, less);
  for (;;) {
    const arr_word_pair w = arr_draw(&s);
    const double x = arr_floor(arr_pow(arr_uniform_open(w.a), -1 / less));
    if (!(x >= 1 && x < 9.2e18)) continue;
    const double t = arr_pow(1 + 1 / x, less);
    const double above = x < 0x1p26 ? t - 1 : arr_expm1(less * arr_log1p(1 / x));  // t has lost it
    if (arr_uniform_open(w.b) * x * above / (b - 1) <= t / b) return (long long)x;
  }
}

// The angle of a von Mises distribution about 0 (Best and Fisher: Efficient simulation of the von Mises
// distribution; 1979); a normal number where it is as narrow as that.
ARR_LARGE_FN double arr_random_vonmises(unsigned long long seed, double kappa) {
  arr_source s = {seed, 0};
  const double pi = 3.14159265358979323846;
  if (!(kappa >= 0)) return ARR_INF - ARR_INF;
  arr_word_pair w = arr_draw(&s);
  if (kappa < 1e-8) return pi * (2 * arr_uniform(w.a) - 1);
  if (kappa > 1e6) {
    const double x = arr_normals(w.a, w.b).cos / arr_sqrt(kappa);
    return x < -pi ? -pi : x > pi ? pi : x;
  }
  const double r = 1 + arr_sqrt(1 + 4 * kappa * kappa), rho = (r - arr_sqrt(2 * r)) / (2 * kappa);
  const double wide = kappa < 1e-5 ? 1 / kappa + kappa : (1 + rho * rho) / (2 * rho);
  for (;; w = arr_draw(&s)) {
    const double z = arr_cos_sin_2pi(w.a >> 1).cos, f = (1 + wide * z) / (wide + z), y = kappa * (wide - f);
    const double v = arr_uniform_open(w.b);
    if (y * (2 - y) < v && arr_log(y / v) + 1 - y < 0) continue;
    const double angle = arr_acos(f < -1 ? -1.0 : f > 1 ? 1.0 : f);
    return (arr_draw(&s).a >> 63) != 0 ? angle : -angle;
  }
}

// Hypergeometric: single draws if there are few, otherwise HRUA (Stadlober: The ratio of uniforms approach
// for generating discrete random variates; 1990). y: good + bad i; z: number of draws. -1 if there are fewer
// in all.
ARR_LARGE_FN double arr_hypergeometric_direct(arr_source* s, double good, double total, double draws) {
  double left = good, rest = total;
  for (; draws > 0 && left > 0 && rest > left; --draws, --rest) {
    if (arr_uniform(arr_draw(s).a) * rest < left) --left;
  }
  return good - (rest == left ? left - draws : left);  // equal: only good ones are left
}
// The logarithm of 1 / the probability of k good ones, up to a constant.
ARR_FN double arr_hypergeometric_log(double less, double more, double draws, double k) {
  return arr_log_factorial(k) + arr_log_factorial(less - k) + arr_log_factorial(draws - k) +
         arr_log_factorial(more - draws + k);
}
// The change of the logarithm of the probability from k to k + d.
ARR_FN double arr_hypergeometric_change(double less, double more, double draws, double k, double d) {
  const double a = less - k, b = draws - k, c = more - draws + k;
  return -d * arr_log((k + 1) * (c + 1) / ((a + 1) * (b + 1))) - arr_factorial_change(k, d) -
         arr_factorial_change(a, -d) - arr_factorial_change(b, -d) - arr_factorial_change(c, d);
}
ARR_LARGE_FN double arr_hypergeometric_hrua(arr_source* s, double less, double more, double draws) {
  const double total = less + more, share = less / total, center = draws * share + 0.5;
  const double spread = arr_sqrt((total - draws) * draws * share * (1 - share) / (total - 1) + 0.5);
  const double width = 1.7155277699214135 * spread + 0.8989161620588988;  // 2 sqrt(2 / e), 3 - 2 sqrt(3 / e)
  const double mode = arr_floor((draws + 1) * (less + 1) / (total + 2));
  const double top = arr_hypergeometric_log(less, more, draws, mode);
  const double max_index = draws < less ? draws + 1 : less + 1, far = arr_floor(center + 16 * spread);
  for (;;) {
    const arr_word_pair w = arr_draw(s);
    const double x = arr_uniform_open(w.a), at = center + width * (arr_uniform_open(w.b) - 0.5) / x;
    if (at < 0 || at >= (max_index < far ? max_index : far)) continue;
    const double k = arr_floor(at);
    const double t = total < 0x1p40 ? top - arr_hypergeometric_log(less, more, draws, k)
                                    : arr_hypergeometric_change(less, more, draws, mode, k - mode);
    if (x * (4 - x) - 3 <= t) return k;
    if (x * (x - t) < 1 && 2 * arr_log(x) <= t) return k;
  }
}
ARR_LARGE_FN long long arr_random_hypergeometric(unsigned long long seed, arr_cplx<double> y,
                                                 arr_cplx<double> z) {
  arr_source s = {seed, 0};
  const double good = y.re, bad = y.im, total = good + bad;
  if (!(good >= 0 && bad >= 0 && z.re >= 0 && z.re <= total && total < 0x1p53)) return -1;
  const bool complement = 2 * z.re > total;  // then those that remain are drawn
  const double draws = complement ? total - z.re : z.re;
  double k = 0;
  if (draws < 10) {
    k = arr_hypergeometric_direct(&s, good, total, draws);
  } else {
    k = arr_hypergeometric_hrua(&s, good < bad ? good : bad, good < bad ? bad : good, draws);
    if (good > bad) k = draws - k;
  }
  return (long long)(complement ? good - k : k);
}

// The source of the element at position i of n in the permutation of a seed. Each position is computed on its
// own, and all of them differ. Up to 64 elements by Fisher's and Yates' swaps (Durstenfeld, 1964), of which
// only those of one element are followed, the last first: every permutation is equally likely.
ARR_FN long long arr_fisher_yates_source(unsigned long long seed, long long i, long long n) {
  arr_source s = {seed, 0};
  for (long long k = 1; k < n; ++k) {
    const long long other = (long long)arr_below(arr_draw(&s).a, (unsigned long long)(k + 1));
    i = i == k ? other : i == other ? k : i;
  }
  return i;
}
// More of them by a Feistel network on numbers of `bits` bits, again while the number is not one of the n
// (Black and Rogaway: Ciphers with arbitrary finite domains; 2002). A half is changed by a hash of the other
// half and the key.
ARR_FN unsigned arr_feistel_hash(unsigned x, unsigned key) {
  x = (x ^ key) * 0x9e3779b1u;
  x = (x ^ x >> 15) * 0x85ebca77u;
  x = (x ^ x >> 13) * 0xc2b2ae3du;
  return x ^ x >> 16;
}
ARR_FN unsigned long long arr_feistel(unsigned long long seed, unsigned long long x, int bits) {
  const int low_bits = bits / 2, high_bits = bits - low_bits;
  unsigned low = (unsigned)(x & ((1ull << low_bits) - 1)), high = (unsigned)(x >> low_bits);
  const unsigned low_mask = (unsigned)((1ull << low_bits) - 1),
                 high_mask = (unsigned)((1ull << high_bits) - 1);
  unsigned key = (unsigned)seed;
  for (int round = 0; round < 6; ++round) {
    low ^= arr_feistel_hash(high, key) & low_mask;
    high ^= arr_feistel_hash(low, key ^ (unsigned)(seed >> 32)) & high_mask;
    key += 0x9e3779b9u;
  }
  return (unsigned long long)high << low_bits | low;
}
ARR_FN int arr_bits_below(long long n) {  // this many bits hold 0 .. n - 1
  int bits = 0;
  while (bits < 63 && (1ll << bits) < n) ++bits;
  return bits;
}
ARR_FN long long arr_permuted_index(unsigned long long seed, long long i, long long n) {
  if (n <= 64) return arr_fisher_yates_source(seed, i, n);
  const int bits = arr_bits_below(n);
  unsigned long long x = (unsigned long long)i;
  do {
    x = arr_feistel(seed, x, bits);
  } while (x >= (unsigned long long)n);
  return (long long)x;
}

#endif
