// SPDX-License-Identifier: MIT
// Quantiles by NumPy's formulas: their position among sorted elements, and their value. For the host and for
// CUDA kernels, so that both compute the same bits. It comes after scalar.h and the C library's floor.
#ifndef ARR_MATH_QUANTILE_H
#define ARR_MATH_QUANTILE_H

// The numbers of QuantileMethod (backend/statistics.h), which are those of the C API.
enum arr_quantile_method {
  arr_quantile_linear = 0,
  arr_quantile_lower = 1,
  arr_quantile_higher = 2,
  arr_quantile_midpoint = 3,
  arr_quantile_nearest = 4,
  arr_quantile_inverted_cdf = 5,
  arr_quantile_averaged_inverted_cdf = 6,
  arr_quantile_closest_observation = 7,
  arr_quantile_interpolated_inverted_cdf = 8,
  arr_quantile_hazen = 9,
  arr_quantile_weibull = 10,
  arr_quantile_median_unbiased = 11,
  arr_quantile_normal_unbiased = 12,
  arr_quantile_median = 100
};

// The low and high ranks among n sorted elements, and the fraction between them. high is low or low + 1; low
// does not decrease with q.
struct arr_quantile_position {
  long long low, high;
  double between;
};

ARR_FN arr_quantile_position arr_quantile_exactly(double index, long long n) {
  double rank = floor(index);
  if (rank > (double)(n - 1)) rank = (double)(n - 1);
  if (rank < 0) rank = 0;
  return {(long long)rank, (long long)rank, 0};
}

// Interpolates between the elements beside a fractional index (R. J. Hyndman, Y. Fan, "Sample quantiles in
// statistical packages", The American Statistician 50(4), 1996).
ARR_FN arr_quantile_position arr_quantile_around(double index, long long n) {
  if (index < 0) return {0, 0, 0};
  if (index >= (double)(n - 1)) return {n - 1, n - 1, 0};
  const double low = floor(index);
  return {(long long)low, (long long)low + 1, index - low};
}

ARR_FN bool arr_quantile_odd(double whole) { return whole - 2 * floor(whole / 2) != 0; }

// The next rank, or the previous one if the index is integral (and with `odd_only` odd).
ARR_FN arr_quantile_position arr_quantile_discrete(double index, bool odd_only, long long n) {
  const double low = floor(index);
  const bool keep = index == low && (!odd_only || arr_quantile_odd(low));
  return arr_quantile_exactly(keep ? low : low + 1, n);
}

ARR_FN arr_quantile_position arr_quantile_hyndman(double alpha, double beta, double q, long long n) {
  return arr_quantile_around((double)n * q + (alpha + q * (1 - alpha - beta)) - 1, n);
}

// The integer nearest to x >= 0, ties to even.
ARR_FN double arr_quantile_whole(double x) {
  const double low = floor(x), rest = x - low;
  return rest > 0.5 || (rest == 0.5 && arr_quantile_odd(low)) ? low + 1 : low;
}

// For n >= 1 elements and q in 0 .. 1.
ARR_FN arr_quantile_position arr_quantile_at(int method, double q, long long n) {
  const double count = (double)n, linear = (count - 1) * q;
  arr_quantile_position p;
  switch (method) {
    case arr_quantile_lower:
      return arr_quantile_exactly(linear, n);
    case arr_quantile_higher:
      return arr_quantile_exactly(floor(linear) + (linear == floor(linear) ? 0 : 1), n);
    case arr_quantile_midpoint:
      p = arr_quantile_around(linear, n);
      p.between = p.between == 0 ? 0 : 0.5;
      return p;
    case arr_quantile_nearest:
      return arr_quantile_exactly(arr_quantile_whole(linear), n);
    case arr_quantile_inverted_cdf:
      return arr_quantile_discrete(count * q - 1, false, n);
    case arr_quantile_averaged_inverted_cdf:
      p = arr_quantile_around(count * q - 1, n);
      p.between = p.low == p.high ? 0 : p.between == 0 ? 0.5 : 1;
      return p;
    case arr_quantile_closest_observation:
      return arr_quantile_discrete(count * q - 1.5, true, n);
    case arr_quantile_interpolated_inverted_cdf:
      return arr_quantile_hyndman(0, 1, q, n);
    case arr_quantile_hazen:
      return arr_quantile_hyndman(0.5, 0.5, q, n);
    case arr_quantile_weibull:
      return arr_quantile_hyndman(0, 0, q, n);
    case arr_quantile_median_unbiased:
      return arr_quantile_hyndman(1 / 3.0, 1 / 3.0, q, n);
    case arr_quantile_normal_unbiased:
      return arr_quantile_hyndman(3 / 8.0, 3 / 8.0, q, n);
    case arr_quantile_median:
      return {(n - 1) / 2, n / 2, 0.5};
    default:
      return arr_quantile_around(linear, n);
  }
}

// The quantile from the elements of the two ranks.
ARR_FN double arr_quantile_between(int method, double a, double b, double t) {
  if (a == b || t == 0) return a;
  if (method == arr_quantile_median) {
    const double sum = a + b;
    const bool over = sum - sum != 0 && a - a == 0 && b - b == 0;  // infinite, but not a and b
    return over ? a / 2 + b / 2 : sum / 2;
  }
  if (t == 1) return b;
  const double difference = b - a;
  if (difference - difference != 0) {  // infinite: one of them is, or their difference overflows
    return a - a == 0 && b - b == 0 ? a * (1 - t) + b * t : a + b;
  }
  return t >= 0.5 ? b - difference * (1 - t) : a + difference * t;
}

#endif
