// SPDX-License-Identifier: MIT
// Exact overlap of two strided arrays, and of the elements of one array. A byte is shared if the sum of c[i]
// * x[i] with 0 <= x[i] <= most[i] has a solution for a certain distance; c has the strides, and 1 for the
// bytes of an element.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "array/memory_views.h"

namespace arr {

namespace {

__extension__ using Wide = unsigned __int128;

// One term of the sum. Sums fit in 64 bits: two arrays reach over less than 2^63 bytes each.
struct Term {
  uint64_t step, max;
};

class Terms {
 public:
  static constexpr size_t limit = 2 * max_ndim + 2;
  [[nodiscard]] size_t size() const { return n_; }
  const Term& operator[](size_t i) const { return at_[i]; }
  void add(uint64_t step, uint64_t max) {
    if (step != 0 && max != 0) at_[n_++] = {step, max};
  }
  // Merges terms, from the smallest stride up, whose sums have no gaps.
  void simplify() {
    std::sort(at_, at_ + n_, [](const Term& x, const Term& y) { return x.step < y.step; });
    size_t kept = 0;
    for (size_t i = 0; i < n_; ++i) {
      const Term t = at_[i];
      Term* last = kept == 0 ? nullptr : &at_[kept - 1];
      const bool dense = last != nullptr && t.step % last->step == 0 && t.step / last->step <= last->max + 1;
      if (dense) {
        last->max += t.step / last->step * t.max;
      } else {
        at_[kept++] = t;
      }
    }
    n_ = kept;
  }

 private:
  size_t n_ = 0;
  Term at_[limit];
};

uint64_t magnitude(int64_t x) { return x < 0 ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x); }

void add_terms(const Layout& l, int64_t item, Terms* out) {
  for (int32_t i = 0; i < l.ndim; ++i)
    out->add(magnitude(l.strides[i]), static_cast<uint64_t>(l.shape[i]) - 1);
  out->add(1, static_cast<uint64_t>(item) - 1);
}

// x with a * x = 1 modulo m; a and m are coprime.
uint64_t inverse(uint64_t a, uint64_t m) {
  uint64_t r0 = m, r1 = a % m, t0 = 0, t1 = 1;
  while (r1 > 1) {
    const uint64_t q = r0 / r1;
    const auto product = static_cast<uint64_t>(Wide{q} * t1 % m);
    const uint64_t t = t0 >= product ? t0 - product : t0 + (m - product);
    r0 = std::exchange(r1, r0 - q * r1);
    t0 = std::exchange(t1, t);
  }
  return t1 % m;
}

class Search {
 public:
  // max_work: number of candidates to try, -1 without a limit.
  Search(const Terms& terms, int64_t max_work) : terms_(terms), left_(max_work) {
    for (size_t i = 0; i < terms.size(); ++i) {
      reach_[i + 1] = reach_[i] + terms[i].step * terms[i].max;
      divisor_[i + 1] = std::gcd(divisor_[i], terms[i].step);
    }
  }
  Overlap find(uint64_t sum) { return find(terms_.size(), sum); }
  [[nodiscard]] int64_t left() const { return left_; }

 private:
  // True if the first n terms, which have the smallest strides, can add up to the sum.
  Overlap find(size_t n, uint64_t sum) {
    if (sum > reach_[n]) return Overlap::none;
    if (n == 0 || sum == 0) return sum == 0 ? Overlap::some : Overlap::none;
    if (sum % divisor_[n] != 0) return Overlap::none;
    const Term& t = terms_[n - 1];
    const uint64_t rest = reach_[n - 1];
    uint64_t x = sum <= rest ? 0 : (sum - rest - 1) / t.step + 1;  // what the other terms cannot reach
    const uint64_t end = std::min(t.max, sum / t.step);
    if (n == 1) return x <= end && sum % t.step == 0 ? Overlap::some : Overlap::none;
    // The remainder must be a multiple of the divisor of the other terms, which holds only for every
    // stride-th x.
    const uint64_t stride = divisor_[n - 1] / divisor_[n];
    if (stride > 1) {
      const uint64_t wanted = static_cast<uint64_t>(Wide{sum / divisor_[n] % stride} *
                                                    inverse(t.step / divisor_[n], stride) % stride);
      x += (wanted + stride - x % stride) % stride;
    }
    for (; x <= end; x += stride) {
      if (left_ == 0) return Overlap::unknown;
      if (left_ > 0) --left_;
      const Overlap found = find(n - 1, sum - x * t.step);
      if (found != Overlap::none) return found;
      if (end - x < stride) break;
    }
    return Overlap::none;
  }

  const Terms& terms_;
  // The largest sum of the first n terms, and the common divisor of their sums.
  uint64_t reach_[Terms::limit + 1] = {}, divisor_[Terms::limit + 1] = {};
  int64_t left_;
};

constexpr int64_t write_work = 10000;        // candidates that a write tries: less than a millisecond
constexpr uint64_t far = uint64_t{1} << 61;  // larger sums might overflow when doubled

}  // namespace

// The difference of two indices may be taken as positive along the slowest axis in which they differ. Along
// faster axes it may have either sign, so terms are counted from its lowest value.
Overlap Layout::self_overlap(int64_t item) const noexcept {
  if (size() == 0) return Overlap::none;
  int32_t axes[max_ndim];
  axis_order(axes);
  uint64_t divisor = 0;
  for (int32_t i = 0; i < ndim; ++i) {
    if (shape[i] == 1) continue;
    if (strides[i] == 0) return Overlap::some;
    divisor = std::gcd(divisor, magnitude(strides[i]));
  }
  // Elements at multiples of their size overlap entirely or not at all, so bytes need not be distinguished.
  const uint64_t bytes = divisor >= static_cast<uint64_t>(item) ? 0 : static_cast<uint64_t>(item) - 1;
  Terms faster;
  faster.add(1, 2 * bytes);
  uint64_t inside = bytes;
  int64_t work = write_work;
  bool unknown = false;
  for (int32_t k = ndim; k-- > 0;) {
    if (shape[axes[k]] == 1) continue;
    const uint64_t step = magnitude(strides[axes[k]]), max = static_cast<uint64_t>(shape[axes[k]]) - 1;
    // Most strides step over all that is inside of them.
    if (step <= inside) {
      if (inside > far || step > far / max) return Overlap::unknown;
      Terms terms = faster;
      terms.add(step, max - 1);
      terms.simplify();
      Search search(terms, work);
      const Overlap found = search.find(inside - step);
      if (found == Overlap::some) return found;
      unknown = unknown || found == Overlap::unknown;
      work = search.left();
    }
    faster.add(step, 2 * max);
    inside += step * max;
  }
  return unknown ? Overlap::unknown : Overlap::none;
}

Overlap find_overlap(const Array& a, const Array& b, int64_t max_work) {
  if (!may_share_memory(a, b)) return Overlap::none;
  int64_t a_low = 0, a_high = 0, b_low = 0, b_high = 0;
  a.layout.reach(a.item(), &a_low, &a_high);
  b.layout.reach(b.item(), &b_low, &b_high);
  Terms terms;
  add_terms(a.layout, a.item(), &terms);
  add_terms(b.layout, b.item(), &terms);
  terms.simplify();
  // Counts b's indices from its end, so that its terms are added like those of a.
  const uint64_t a_first = reinterpret_cast<uintptr_t>(a.data) + static_cast<uint64_t>(a_low);
  const uint64_t b_last = reinterpret_cast<uintptr_t>(b.data) + static_cast<uint64_t>(b_high) - 1;
  return Search(terms, max_work).find(b_last - a_first);
}

bool share_memory(const Array& a, const Array& b) { return find_overlap(a, b, write_work) != Overlap::none; }

}  // namespace arr
