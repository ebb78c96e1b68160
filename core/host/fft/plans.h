// SPDX-License-Identifier: MIT
// Plans for lines of one length and for long lines that threads share; a cache keeps them for reuse.
#pragma once

#include <array>
#include <atomic>
#include <complex>
#include <memory>
#include <vector>

#include "backend/fft.h"
#include "base/plan_cache.h"
#include "host/fft/radix.h"
#include "host/libraries/fftw.h"

namespace arr::host {

// Key of a plan for one or several contiguous lines at multiples of 16 bytes.
struct LineKey {
  FftKind kind = FftKind::forward;
  DType real = DType::float32_;
  int64_t n = 0;
  int64_t lines = 1, in_ld = 0, out_ld = 0;  // bytes from a line to the next, for several by FFTW
  bool split = false;                        // instead of a plan: the roots of a long line
  int32_t cosine =
      0;  // instead: the roots of cosine transforms of n elements; 2 for types 2 and 3, 4 for type 4
  [[nodiscard]] std::array<int64_t, 6> words() const {
    return {
        static_cast<int64_t>(kind) * 4 + static_cast<int64_t>(real == DType::float64_) * 2 + (split ? 1 : 0),
        n,
        lines,
        in_ld,
        out_ld,
        cosine};
  }
  friend bool operator==(const LineKey&, const LineKey&) = default;
};

// Powers of exp(-2 pi i / n), for k = 0 .. n. They are mirrored from the first eighth of the circle, so that
// powers on the axes are exact. A power there is the product of entries of two tables of about sqrt(n)
// entries.
class Roots {
 public:
  explicit Roots(int64_t n);
  [[nodiscard]] std::complex<double> operator()(int64_t k) const {
    int64_t x = 8 * k;  // the angle, in units of 1 / 8 n of the circle
    const bool below = x > 4 * n_;
    x = below ? 8 * n_ - x : x;
    const bool left = x > 2 * n_;
    x = left ? 4 * n_ - x : x;
    const bool steep = x > n_;
    x = steep ? 2 * n_ - x : x;
    const std::complex<double> z = coarse_[static_cast<size_t>(x >> bits_)] *
                                   fine_[static_cast<size_t>(x & ((int64_t{1} << bits_) - 1))];
    const double re = steep ? z.imag() : z.real(), im = steep ? z.real() : z.imag();
    return {left ? -re : re, below ? im : -im};
  }
  [[nodiscard]] int64_t bytes() const;

 private:
  int64_t n_;
  int bits_;  // number of bits of an index that select the entry of `fine`
  std::vector<std::complex<double>> coarse_, fine_;
};

// The factors of a cosine transform in the precision of the line; each row is contiguous. Types 2 and 3 of n
// elements: the cosines and minus the sines of pi k / 2n and of 5 pi k / 2n for k = 0 .. n / 4. Type 4: the
// cosines and sines of pi (8k + 1) / 8n for k = 0 .. n / 2 - 1.
class CosineRoots {
 public:
  CosineRoots(int32_t type, DType real, int64_t n);
  [[nodiscard]] const void* data() const {
    return of_float_.empty() ? static_cast<const void*>(of_double_.data()) : of_float_.data();
  }
  [[nodiscard]] int64_t bytes() const {
    return static_cast<int64_t>(of_float_.size() * sizeof(float) + of_double_.size() * sizeof(double));
  }

 private:
  std::vector<float> of_float_;
  std::vector<double> of_double_;
};

struct FftPlan {
  FftPlan() = default;
  FftPlan(const FftPlan&) = delete;
  FftPlan& operator=(const FftPlan&) = delete;
  ~FftPlan();
  // Transforms the plan's line from x to y, or its several lines, which are in_ld and out_ld bytes apart.
  void run(char* x, char* y, char* memory, int64_t in_ld = 0, int64_t out_ld = 0) const {
    if (radix != nullptr) return radix->run(x, in_ld, y, out_ld, memory);
    execute(plan, x, y);
  }
  [[nodiscard]] int64_t scratch() const { return radix != nullptr ? radix->scratch() : 0; }

  std::unique_ptr<const RadixPlan> radix;  // if null, the FFTW plan:
  const Fftw* library = nullptr;
  Fftw::Plan plan = nullptr;
  void (*execute)(Fftw::Plan, void*, void*) = nullptr;
  std::unique_ptr<const Roots> roots;  // roots of a long line
  std::unique_ptr<const CosineRoots> cosine;
  int64_t bytes = 0;
  FftEffort effort = FftEffort::estimate;
};
using HeldPlan = std::shared_ptr<const FftPlan>;

using FftPlanSet = TypedPlanSet<LineKey, FftPlan>;

class FftPlans {
 public:
  HeldPlan get(const LineKey& key);
  // A new plan that the cache does not keep.
  [[nodiscard]] HeldPlan fresh(const LineKey& key) const;
  [[nodiscard]] FftCacheStats stats() const;
  void limit(int64_t plans, int64_t bytes) { cache_.limit(plans, bytes); }
  void clear() { cache_.clear(); }
  [[nodiscard]] std::vector<FftCachePlan> list() const;
  bool drop(int64_t id) { return cache_.drop(id); }
  // Sets the effort of planning and returns the previous one. A cached plan made with less effort is made
  // again when it is next used.
  FftEffort effort(FftEffort wanted) { return effort_.exchange(wanted); }

 private:
  static constexpr int64_t kept = 256;
  std::atomic<FftEffort> effort_ = FftEffort::estimate;
  PlanCache<LineKey, FftPlan, HashWords<LineKey>> cache_{kept};
};

// The plan cache of the host. It is never destroyed.
FftPlans& fft_plans();

// The source of a call's plans: its own plan set, or else the cache.
class PlanSource {
 public:
  explicit PlanSource(const FftCall& call) : book_(static_cast<FftPlanSet*>(call.book.get())) {}
  [[nodiscard]] HeldPlan get(const LineKey& key) const {
    if (book_ == nullptr) return fft_plans().get(key);
    return book_->get(key, [&] { return fft_plans().fresh(key); });
  }

 private:
  FftPlanSet* book_;
};

// Bytes of a line in the input and in the output.
int64_t line_in_bytes(FftKind kind, DType real, int64_t n);
int64_t line_out_bytes(FftKind kind, DType real, int64_t n);

}  // namespace arr::host
