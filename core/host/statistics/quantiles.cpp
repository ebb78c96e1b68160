// SPDX-License-Identifier: MIT
// Order statistics: selects the elements of some ranks of each row without sorting it. Short rows are
// partitioned one by one. For a long row, a sample determines a narrow range of values around each rank, and
// one parallel pass collects the elements in these ranges.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "math/scalar.h"
//
#include "backend/statistics.h"
#include "base/checked.h"
#include "host/elementwise/parallel.h"
#include "host/statistics/calls.h"
#include "math/quantile.h"

namespace arr::host {

namespace {

constexpr int64_t long_row = int64_t{1} << 18, sample_size = int64_t{1} << 14;

static_assert(static_cast<int>(QuantileMethod::linear) == arr_quantile_linear &&
              static_cast<int>(QuantileMethod::lower) == arr_quantile_lower &&
              static_cast<int>(QuantileMethod::higher) == arr_quantile_higher &&
              static_cast<int>(QuantileMethod::midpoint) == arr_quantile_midpoint &&
              static_cast<int>(QuantileMethod::nearest) == arr_quantile_nearest &&
              static_cast<int>(QuantileMethod::inverted_cdf) == arr_quantile_inverted_cdf &&
              static_cast<int>(QuantileMethod::averaged_inverted_cdf) == arr_quantile_averaged_inverted_cdf &&
              static_cast<int>(QuantileMethod::closest_observation) == arr_quantile_closest_observation);
static_assert(static_cast<int>(QuantileMethod::interpolated_inverted_cdf) ==
                  arr_quantile_interpolated_inverted_cdf &&
              static_cast<int>(QuantileMethod::hazen) == arr_quantile_hazen &&
              static_cast<int>(QuantileMethod::weibull) == arr_quantile_weibull &&
              static_cast<int>(QuantileMethod::median_unbiased) == arr_quantile_median_unbiased &&
              static_cast<int>(QuantileMethod::normal_unbiased) == arr_quantile_normal_unbiased &&
              static_cast<int>(QuantileMethod::median) == arr_quantile_median);

template <class T>
bool is_nan(T x) {
  return x != x;
}

// The sorted distinct ranks that a call needs among n elements, and the index of each quantile among them.
struct Ranks {
  Ranks(const QuantileCall& c, int64_t n) {
    for (int64_t i = 0; i < c.nq; ++i) {
      positions.push_back(arr_quantile_at(static_cast<int>(c.method), c.q[i], n));
      all.push_back(positions.back().low);
      all.push_back(positions.back().high);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
  std::vector<arr_quantile_position> positions;
  std::vector<int64_t> all;
};

// Moves the elements of ranks[first .. last) to their sorted positions; x begins with rank `begin`.
template <class T>
void partition(T* x, int64_t begin, int64_t end, const std::vector<int64_t>& ranks, size_t first,
               size_t last) {
  if (first >= last) return;
  const size_t middle = (first + last) / 2;
  T* at = x + (ranks[middle] - begin);
  std::nth_element(x, at, x + (end - begin));
  partition(x, begin, ranks[middle], ranks, first, middle);
  partition(at + 1, ranks[middle] + 1, end, ranks, middle + 1, last);
}

// The elements of one thread's part of a long row, by range.
template <class T>
struct RangeElements {
  int64_t nans = 0;
  std::vector<int64_t> below;
  std::vector<std::vector<T>> inside;
};

// A range of values for each rank, which contains its element unless the sample misses it. Overlapping ranges
// are merged.
template <class T>
struct Ranges {
  Ranges(const T* x, int64_t n, const std::vector<int64_t>& ranks) : low(ranks.size()), high(ranks.size()) {
    std::vector<T> sample(static_cast<size_t>(sample_size));
    // A fixed pseudo-random sequence, so that equal calls do equal work.
    uint64_t state = 0x9e3779b97f4a7c15ULL;
    for (T& s : sample) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      const double part = static_cast<double>(state >> 11) * 0x1p-53;
      s = x[std::min(static_cast<int64_t>(part * static_cast<double>(n)), n - 1)];
      nan = nan || is_nan(s);
    }
    if (nan) return;
    std::sort(sample.begin(), sample.end());
    using Limits = std::numeric_limits<T>;
    constexpr T lowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    constexpr T highest = Limits::has_infinity ? Limits::infinity() : Limits::max();
    const double scale = static_cast<double>(sample_size) / static_cast<double>(n);
    const double margin =
        4 * std::sqrt(static_cast<double>(sample_size)) / 2 + 2;  // four standard deviations
    for (size_t i = 0; i < ranks.size(); ++i) {
      const double at = static_cast<double>(ranks[i]) * scale;
      const auto from = static_cast<int64_t>(at - margin), to = static_cast<int64_t>(at + margin);
      low[i] = from < 0 ? lowest : sample[static_cast<size_t>(from)];
      high[i] = to >= sample_size ? highest : sample[static_cast<size_t>(to)];
    }
    for (size_t i = 1; i < ranks.size(); ++i) {
      if (high[i - 1] < low[i]) continue;
      low[i] = low[i - 1];
      for (size_t k = i; k-- > 0 && low[k] == low[i];) high[k] = high[i];
    }
  }
  // True if range i was merged with the previous one.
  [[nodiscard]] bool repeats(size_t i) const {
    return i > 0 && low[i] == low[i - 1] && high[i] == high[i - 1];
  }
  std::vector<T> low, high;
  bool nan = false;  // a nan was found, and there are no ranges
};

// Collects the elements in each range of `count` elements from x on. room: memory for `count` elements.
template <class T>
RangeElements<T> look(const T* x, int64_t count, const Ranges<T>& ranges, T* buffer) {
  RangeElements<T> f;
  for (size_t i = 0; i < ranges.low.size(); ++i) {
    f.below.push_back(0);
    f.inside.emplace_back();
    if (ranges.repeats(i)) continue;
    const T a = ranges.low[i], b = ranges.high[i];
    int64_t below = 0, nans = 0;
    size_t inside = 0;
    constexpr int64_t line = 64 / sizeof(T);
    for (int64_t first = 0; first < count; first += line) {
      // Prefetches a page ahead, because the hardware prefetcher stops at the end of a page.
      __builtin_prefetch(reinterpret_cast<const char*>(x + first) + 4096, 0, 2);
      const int64_t last = std::min(first + line, count);
      for (int64_t k = first; k < last; ++k) {
        const T v = x[k];
        below += v < a ? 1 : 0;
        nans += is_nan(v) ? 1 : 0;
        buffer[inside] = v;
        inside += (v >= a) & (v <= b) ? 1U : 0U;
      }
    }
    f.below.back() = below;
    f.nans = nans;
    f.inside.back().assign(buffer, buffer + inside);
  }
  return f;
}

enum class Selection : uint8_t { yes, missed, nan };

// Finds the elements of x at the sorted ranks by ranges of values from a sample. Fails if the sample misses
// an element, or an element is nan.
template <class T>
Selection select_long(const T* x, int64_t n, const std::vector<int64_t>& ranks, T* values) {
  const Ranges<T> ranges(x, n, ranks);
  if (ranges.nan) return Selection::nan;
  constexpr int64_t part = int64_t{1} << 17;
  const int64_t parts = checked::ceil_div(n, part);
  std::vector<RangeElements<T>> found(static_cast<size_t>(parts));
  parallel_ranges(parts, 1, [&](int64_t first, int64_t last) {
    std::vector<T> buffer(static_cast<size_t>(part));
    for (int64_t p = first; p < last; ++p) {
      found[static_cast<size_t>(p)] = look(x + p * part, std::min(part, n - p * part), ranges, buffer.data());
    }
  });
  for (const RangeElements<T>& f : found) {
    if (f.nans != 0) return Selection::nan;
  }
  std::vector<T> inside;
  int64_t below = 0, in_position = 0;  // inside[0 .. in_position) is in sorted position
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (!ranges.repeats(i)) {
      inside.clear();
      below = in_position = 0;
      for (const RangeElements<T>& f : found) {
        below += f.below[i];
        inside.insert(inside.end(), f.inside[i].begin(), f.inside[i].end());
      }
    }
    const int64_t rank = ranks[i] - below;
    if (rank < 0 || rank >= static_cast<int64_t>(inside.size())) return Selection::missed;
    std::nth_element(inside.begin() + in_position, inside.begin() + rank, inside.end());
    in_position = rank + 1;
    values[i] = inside[static_cast<size_t>(rank)];
  }
  return Selection::yes;
}

template <class T>
class Quantiles {
 public:
  explicit Quantiles(const QuantileCall& c) : c_(c), whole_(c, std::max<int64_t>(c.n, 1)) {}

  void run() const {
    if (c_.n >= long_row) {
      for (int64_t r = 0; r < c_.rows; ++r) long_one(r);
      return;
    }
    const int64_t grain = std::max<int64_t>(1, serial_elements / 8 / std::max<int64_t>(c_.n, 1));
    parallel_ranges(c_.rows, grain, [&](int64_t first, int64_t last) {
      std::vector<T> buffer(static_cast<size_t>(c_.n));
      for (int64_t r = first; r < last; ++r) short_one(r, buffer.data());
    });
  }

 private:
  [[nodiscard]] const T* row(int64_t r) const { return static_cast<const T*>(c_.data) + r * c_.n; }

  void put(int64_t r, int64_t i, double value) const {
    static_cast<double*>(c_.out)[i * c_.rows + r] = value;
  }
  void all_nan(int64_t r) const {
    for (int64_t i = 0; i < c_.nq; ++i) put(r, i, std::numeric_limits<double>::quiet_NaN());
  }
  // values: of ranks.all.
  void finish(int64_t r, const Ranks& ranks, const std::vector<T>& values) const {
    auto of = [&](int64_t rank) {
      const auto at = std::lower_bound(ranks.all.begin(), ranks.all.end(), rank) - ranks.all.begin();
      return values[static_cast<size_t>(at)];
    };
    for (int64_t i = 0; i < c_.nq; ++i) {
      const arr_quantile_position& p = ranks.positions[static_cast<size_t>(i)];
      if (c_.elements) {
        static_cast<T*>(c_.out)[i * c_.rows + r] = of(p.low);
      } else {
        put(r, i,
            arr_quantile_between(static_cast<int>(c_.method), static_cast<double>(of(p.low)),
                                 static_cast<double>(of(p.high)), p.between));
      }
    }
  }
  void nothing(int64_t r) const {
    if (!c_.elements) return all_nan(r);
    for (int64_t i = 0; i < c_.nq; ++i) {
      static_cast<T*>(c_.out)[i * c_.rows + r] = std::numeric_limits<T>::quiet_NaN();
    }
  }
  void select(int64_t r, T* x, int64_t n) const {
    const Ranks* ranks = &whole_;
    const Ranks fewer(c_, n);
    if (n != c_.n) ranks = &fewer;
    partition(x, 0, n, ranks->all, 0, ranks->all.size());
    std::vector<T> values;
    for (int64_t rank : ranks->all) values.push_back(x[rank]);
    finish(r, *ranks, values);
  }
  // Copies a row without its nans to `buffer`. Returns the number of elements, or -1 if the result is nan.
  int64_t take(const T* x, T* buffer) const {
    int64_t n = 0;
    for (int64_t k = 0; k < c_.n; ++k) {
      buffer[n] = x[k];
      n += is_nan(x[k]) ? 0 : 1;
    }
    return n == 0 || (n != c_.n && !c_.skip_nan) ? -1 : n;
  }
  void short_one(int64_t r, T* buffer) const {
    const int64_t n = take(row(r), buffer);
    n < 0 ? nothing(r) : select(r, buffer, n);
  }
  void long_one(int64_t r) const {
    const T* x = row(r);
    std::vector<T> values(whole_.all.size());
    Selection selected = Selection::missed;
    if (whole_.all.size() <= 16) selected = select_long(x, c_.n, whole_.all, values.data());
    if (selected == Selection::yes) return finish(r, whole_, values);
    if (selected == Selection::nan && !c_.skip_nan) return nothing(r);
    std::vector<T> buffer(static_cast<size_t>(c_.n));
    const int64_t n = take(x, buffer.data());
    n < 0 ? nothing(r) : select(r, buffer.data(), n);
  }

  const QuantileCall& c_;
  const Ranks whole_;
};

}  // namespace

void quantiles(const QuantileCall& c) {
  if (c.weights != nullptr) return weighted_quantiles(c);
  switch (c.dtype) {
    case DType::bool_:
    case DType::uint8_:
      return Quantiles<uint8_t>(c).run();
    case DType::int8_:
      return Quantiles<int8_t>(c).run();
    case DType::int16_:
      return Quantiles<int16_t>(c).run();
    case DType::int32_:
      return Quantiles<int32_t>(c).run();
    case DType::int64_:
      return Quantiles<int64_t>(c).run();
    case DType::uint16_:
      return Quantiles<uint16_t>(c).run();
    case DType::uint32_:
      return Quantiles<uint32_t>(c).run();
    case DType::uint64_:
      return Quantiles<uint64_t>(c).run();
    case DType::float32_:
      return Quantiles<float>(c).run();
    case DType::float64_:
      return Quantiles<double>(c).run();
    default:
      fail(ARR_E_INTERNAL, "no order statistics of ", name(c.dtype));
  }
}

}  // namespace arr::host
