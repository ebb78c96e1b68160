// SPDX-License-Identifier: MIT
// Numbers of bins by NumPy's estimators, computed in float64. Where NumPy computes in a narrower float, the
// result is rounded to it.
#include <algorithm>
#include <cmath>

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/reduce/average.h"
#include "ops/reduce/reduce.h"
#include "ops/statistics/histogram.h"

namespace arr {

namespace {

// The constants ARR_BINS_...
enum class Estimator : int64_t {
  automatic = -1,
  fd = -2,
  doane = -3,
  scott = -4,
  stone = -5,
  rice = -6,
  sturges = -7,
  sqrt = -8
};

double value_of(const Scalar& s) { return scalar_value<double>(convert(s, DType::float64_)); }

// Statistics of the elements within the range, for the estimators.
class Sample {
 public:
  Sample(const Array& x, const BinRange& range, DType seen, Stream* stream)
      : x_(&x), range_(range), stream_(stream), type_(is_floating(seen) ? seen : DType::float64_) {
    if (range_.given && range_.low == range_.high) {  // the range that the bins will have
      range_.low -= 0.5;
      range_.high += 0.5;
    }
    if (x.layout.size() == 0) return;
    // Elements outside of the range become nan, which the reductions here ignore.
    kept_ = compute({&x}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      const int32_t t = b.cast(b.cast(in[0], seen), DType::float64_);
      if (!range_.given) return t;
      const int32_t inside = b.op(op::bitwise_and, b.op(op::greater_equal, t, number(b, range_.low)),
                                  b.op(op::less_equal, t, number(b, range_.high)));
      return b.op(op::where, inside, t, number(b, __builtin_nan("")));
    });
    const Ref<Array> counted = apply(op::isfinite, {kept_.get()}, stream);
    n_ = item("count_nonzero", *counted);
    if (n_ == 0) return;
    low_ = item("nanmin", *kept_);
    high_ = item("nanmax", *kept_);
  }

  [[nodiscard]] double size() const { return n_; }
  [[nodiscard]] double extent() const { return round(high_ - low_); }
  // The width of the range.
  [[nodiscard]] double whole() const {
    if (range_.given) return range_.high - range_.low;
    return low_ == high_ ? 1 : extent();
  }
  // The range divided by a bin's width; if the width has the dtype of the elements, in that dtype.
  [[nodiscard]] double over(double width, Estimator e) const {
    const bool wide = range_.given || e == Estimator::automatic || e == Estimator::doane ||
                      e == Estimator::sturges || e == Estimator::sqrt;
    return wide ? whole() / width : round(whole() / width);
  }
  [[nodiscard]] double width(Estimator e) const {
    switch (e) {
      case Estimator::fd:
        return round(round(2 * quartiles()) * std::pow(n_, -1.0 / 3.0));
      case Estimator::doane:
        return doane();
      case Estimator::scott:
        return round(std::pow(24.0 * std::sqrt(3.14159265358979323846) / n_, 1.0 / 3.0) * deviation());
      case Estimator::stone:
        return stone();
      case Estimator::rice:
        return round(extent() / round(2.0 * std::pow(n_, 1.0 / 3.0)));
      case Estimator::sturges:
        return extent() / (std::log2(n_) + 1.0);
      case Estimator::sqrt:
        return extent() / std::sqrt(n_);
      case Estimator::automatic:
        break;
    }
    return std::min(std::max(width(Estimator::fd), width(Estimator::sqrt) / 2), width(Estimator::sturges));
  }

 private:
  [[nodiscard]] double round(double x) const {
    return value_of(convert(convert(scalar_of(x), type_), DType::float64_));
  }
  [[nodiscard]] double item(const char* reduction, const Array& a) const {
    return value_of(reduce_item(*reduction_find(reduction), a, stream_));
  }
  [[nodiscard]] double deviation() const { return round(item("nanstd", *kept_)); }
  [[nodiscard]] double percentile(double q) const {
    const double list[] = {q};
    const uint32_t all = axis_mask(kept_->layout.ndim, 0, nullptr);
    const Ref<Array> at =
        quantile(*kept_, {list, true, QuantileMethod::linear, true, 1, nullptr}, all, false, stream_);
    return round(item("max", *at));
  }
  [[nodiscard]] double quartiles() const { return round(percentile(0.75) - percentile(0.25)); }
  // Sturges' estimate plus a term for the skewness (D. P. Doane, "Aesthetic frequency classifications",
  // 1976).
  [[nodiscard]] double doane() const {
    const double sigma = deviation(), mean = item("nanmean", *kept_);
    if (n_ <= 2 || !(sigma > 0)) return 0;
    const Ref<Array> cubes = compute({kept_.get()}, stream_, [&](ProgramBuilder& b, const int32_t* in) {
      const int32_t t = b.op(op::divide, b.op(op::subtract, in[0], number(b, mean)), number(b, sigma));
      return b.op(op::multiply, b.op(op::multiply, t, t), t);
    });
    const double skew = item("nanmean", *cubes);
    const double spread = std::sqrt(6.0 * (n_ - 2) / ((n_ + 1.0) * (n_ + 3)));
    return extent() / (1.0 + std::log2(n_) + std::log2(1.0 + std::abs(skew) / spread));
  }
  // The minimum of the estimated error (C. J. Stone, "An asymptotically optimal histogram selection rule",
  // 1984).
  [[nodiscard]] double stone() const {
    if (n_ <= 1 || extent() == 0) return 0;
    const BinRange range = range_.given ? range_ : BinRange{true, low_, high_};
    const auto max_bins = std::max<int64_t>(100, static_cast<int64_t>(std::sqrt(n_)));
    double min_error = 0;
    int64_t best = 0;
    for (int64_t bins = 1; bins <= max_bins; ++bins) {
      HistogramOptions o;
      o.ranges = {range};
      const Histogram h = histogram(*x_, bins, nullptr, o, stream_);
      const Ref<Array> shares = compute({h.counts.get()}, stream_, [&](ProgramBuilder& b, const int32_t* in) {
        return b.op(op::divide, in[0], number(b, n_));
      });
      const double error = (2 - (n_ + 1) * item("sum_squares", *shares)) * static_cast<double>(bins);
      if (best != 0 && error >= min_error) continue;
      min_error = error;
      best = bins;
    }
    return round(extent() / static_cast<double>(best));
  }

  const Array* x_;
  BinRange range_;
  Stream* stream_;
  DType type_;
  Ref<Array> kept_;
  double n_ = 0, low_ = 0, high_ = 0;
};

}  // namespace

int64_t bin_count(const Array& x, int64_t asked, const BinRange& range, DType seen, Stream* stream) {
  if (asked > static_cast<int64_t>(Estimator::automatic) || asked < static_cast<int64_t>(Estimator::sqrt)) {
    return asked;
  }
  const Sample sample(x, range, seen, stream);
  if (sample.size() == 0) return 1;
  double width = sample.width(static_cast<Estimator>(asked));
  if (!(width > 0)) return 1;
  if (!is_floating(seen)) width = std::max(width, 1.0);
  const double count = std::ceil(sample.over(width, static_cast<Estimator>(asked)));
  if (!(count < 0x1p62)) {
    fail(ARR_E_ARGUMENT, "argument nbins: an estimate of ", count, " bins of a width of ", width);
  }
  return static_cast<int64_t>(count);
}

}  // namespace arr
