// SPDX-License-Identifier: MIT
// Exact overlap of two strided arrays. A byte is shared if the sum of c[i] * x[i] with 0 <= x[i] <= most[i]
// can be the distance between the arrays' ends, where the c are their strides, and 1 for the bytes of an
// element.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "array/memory_views.h"

namespace arr {

namespace {

__extension__ using Wide = unsigned __int128;

// One term of the sum. Sums fit in 64 bits: two arrays reach over less than 2^63 bytes each.
struct Term {
  uint64_t step, most;
};

void add_terms(const Layout& l, int64_t item, std::vector<Term>* out) {
  for (int32_t i = 0; i < l.ndim; ++i) {
    const int64_t s = l.strides[i];
    if (s == 0 || l.shape[i] == 1) continue;
    out->push_back({s < 0 ? 0 - static_cast<uint64_t>(s) : static_cast<uint64_t>(s),
                    static_cast<uint64_t>(l.shape[i]) - 1});
  }
  if (item > 1) out->push_back({1, static_cast<uint64_t>(item) - 1});
}

// From the smallest step up, terms whose sums leave no gap become one.
std::vector<Term> simplified(std::vector<Term> terms) {
  std::sort(terms.begin(), terms.end(), [](const Term& x, const Term& y) { return x.step < y.step; });
  std::vector<Term> out;
  for (const Term& t : terms) {
    Term* last = out.empty() ? nullptr : &out.back();
    const bool dense = last != nullptr && t.step % last->step == 0 && t.step / last->step <= last->most + 1;
    if (dense) {
      last->most += t.step / last->step * t.most;
    } else {
      out.push_back(t);
    }
  }
  return out;
}

// x with a * x = 1 modulo m; a and m have no common divisor.
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
  Search(const std::vector<Term>& terms, int64_t max_work)
      : terms_(terms), reach_(terms.size() + 1, 0), divisor_(terms.size() + 1, 0), left_(max_work) {
    for (size_t i = 0; i < terms.size(); ++i) {
      reach_[i + 1] = reach_[i] + terms[i].step * terms[i].most;
      divisor_[i + 1] = std::gcd(divisor_[i], terms[i].step);
    }
  }

  // True if the first n terms, which have the smallest steps, can add up to the sum.
  Overlap find(size_t n, uint64_t sum) {
    if (sum > reach_[n]) return Overlap::none;
    if (n == 0 || sum == 0) return sum == 0 ? Overlap::some : Overlap::none;
    if (sum % divisor_[n] != 0) return Overlap::none;
    const Term& t = terms_[n - 1];
    const uint64_t rest = reach_[n - 1];
    uint64_t x = sum <= rest ? 0 : (sum - rest - 1) / t.step + 1;  // what the other terms cannot reach
    const uint64_t end = std::min(t.most, sum / t.step);
    if (n == 1) return x <= end && sum % t.step == 0 ? Overlap::some : Overlap::none;
    // The remainder must be a multiple of the other terms' divisor, which only every stride-th x leaves.
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

 private:
  const std::vector<Term>& terms_;
  std::vector<uint64_t> reach_, divisor_;  // of the first n terms: their largest sum, what divides all sums
  int64_t left_;
};

}  // namespace

Overlap find_overlap(const Array& a, const Array& b, int64_t max_work) {
  if (!may_share_memory(a, b)) return Overlap::none;
  int64_t a_low = 0, a_high = 0, b_low = 0, b_high = 0;
  a.layout.reach(a.item(), &a_low, &a_high);
  b.layout.reach(b.item(), &b_low, &b_high);
  std::vector<Term> terms;
  add_terms(a.layout, a.item(), &terms);
  add_terms(b.layout, b.item(), &terms);
  const std::vector<Term> all = simplified(std::move(terms));
  // b counted from its end: there its terms are added as those of a are.
  const uint64_t a_first = reinterpret_cast<uintptr_t>(a.data) + static_cast<uint64_t>(a_low);
  const uint64_t b_last = reinterpret_cast<uintptr_t>(b.data) + static_cast<uint64_t>(b_high) - 1;
  return Search(all, max_work).find(all.size(), b_last - a_first);
}

}  // namespace arr
