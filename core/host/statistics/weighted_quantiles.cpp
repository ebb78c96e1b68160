// SPDX-License-Identifier: MIT
// Weighted quantiles: each row is sorted, and its weights are added in that order.
#include <algorithm>
#include <limits>
#include <vector>

#include "backend/statistics.h"
#include "base/error.h"
#include "host/elementwise/parallel.h"
#include "host/statistics/calls.h"

namespace arr::host {

namespace {

template <class T>
class Weighted {
 public:
  explicit Weighted(const QuantileCall& c) : c_(c) {}

  void run() const {
    const int64_t grain = std::max<int64_t>(1, serial_elements / 16 / std::max<int64_t>(c_.n, 1));
    parallel_ranges(c_.rows, grain, [&](int64_t first, int64_t last) {
      std::vector<Element> elements;
      std::vector<double> sums;
      for (int64_t r = first; r < last; ++r) row(r, &elements, &sums);
    });
  }

 private:
  struct Element {
    T value;
    int64_t at;
    // A stable sort: the order in which the weights of equal elements are added affects the result.
    bool operator<(const Element& other) const {
      return value < other.value || (value == other.value && at < other.at);
    }
  };

  void put(int64_t r, int64_t i, T value) const { static_cast<T*>(c_.out)[i * c_.rows + r] = value; }

  void row(int64_t r, std::vector<Element>* elements, std::vector<double>* sums) const {
    const T* x = static_cast<const T*>(c_.data) + r * c_.n;
    const double* w = c_.weights + r * c_.weights_row;
    elements->clear();
    for (int64_t k = 0; k < c_.n; ++k) {
      if (x[k] == x[k]) elements->push_back({x[k], k});
    }
    const auto n = static_cast<int64_t>(elements->size());
    if (n == 0 || (n != c_.n && !c_.skip_nan)) {
      for (int64_t i = 0; i < c_.nq; ++i) put(r, i, std::numeric_limits<T>::quiet_NaN());
      return;
    }
    std::sort(elements->begin(), elements->end());
    sums->clear();
    double sum = 0;
    for (const Element& e : *elements) sums->push_back(sum += w[e.at]);
    for (int64_t i = 0; i < c_.nq; ++i) {
      // An element of weight 0 is never a quantile, not even for q = 0.
      const auto found = std::partition_point(sums->begin(), sums->end(),
                                              [&](double s) { return s == 0 || s / sum < c_.q[i]; });
      const int64_t at = std::min<int64_t>(found - sums->begin(), n - 1);
      put(r, i, (*elements)[static_cast<size_t>(at)].value);
    }
  }

  const QuantileCall& c_;
};

}  // namespace

void weighted_quantiles(const QuantileCall& c) {
  switch (c.dtype) {
    case DType::bool_:
    case DType::uint8_:
      return Weighted<uint8_t>(c).run();
    case DType::int8_:
      return Weighted<int8_t>(c).run();
    case DType::int16_:
      return Weighted<int16_t>(c).run();
    case DType::int32_:
      return Weighted<int32_t>(c).run();
    case DType::int64_:
      return Weighted<int64_t>(c).run();
    case DType::uint16_:
      return Weighted<uint16_t>(c).run();
    case DType::uint32_:
      return Weighted<uint32_t>(c).run();
    case DType::uint64_:
      return Weighted<uint64_t>(c).run();
    case DType::float32_:
      return Weighted<float>(c).run();
    case DType::float64_:
      return Weighted<double>(c).run();
    default:
      fail(ARR_E_INTERNAL, "no quantiles with weights of ", name(c.dtype));
  }
}

}  // namespace arr::host
