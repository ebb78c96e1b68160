// SPDX-License-Identifier: MIT
// Plans for lines of one length, and for long lines that are split over threads; kept for reuse.
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

// One or several lines of contiguous elements at addresses that are multiples of 16 bytes.
struct LineKey {
  FftKind kind = FftKind::forward;
  DType real = DType::float32_;
  int64_t n = 0;
  int64_t lines = 1, in_ld = 0, out_ld = 0;  // bytes from a line to the next, where FFTW takes several
  bool split = false;                        // the tables of a long line instead
  int32_t cosine = 0;  // the roots of cosine transforms of n elements instead: 2, of types 2 and 3, or 4
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

// Powers of exp(-2 pi i / n), for k = 0 .. n: of an angle within the first eighth of the circle, so that
// those on its axes are exact, and that the product of two of a table: as many as the root of n twice.
class Roots {
 public:
  explicit Roots(int64_t n);
  [[nodiscard]] std::complex<double> operator()(int64_t k) const {
    int64_t x = 8 * k;  // in parts of the circle of which an eighth has n
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
  int bits_;  // of the index within `fine`
  std::vector<std::complex<double>> coarse_, fine_;
};

// What the elements of a cosine transform are multiplied by, each row contiguous, in the precision of the
// line. Types 2 and 3 of n elements: the cosines and minus the sines of pi k / 2n and of 5 pi k / 2n for k =
// 0 .. n / 4. Type 4: the cosines and sines of pi (8k + 1) / 8n for k = 0 .. n / 2 - 1.
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
  // Its line at x to y, or all of the several that it is for, which are in_ld and out_ld bytes apart.
  void run(char* x, char* y, char* memory, int64_t in_ld = 0, int64_t out_ld = 0) const {
    if (radix != nullptr) return radix->run(x, in_ld, y, out_ld, memory);
    execute(plan, x, y);
  }
  [[nodiscard]] int64_t scratch() const { return radix != nullptr ? radix->scratch() : 0; }

  std::unique_ptr<const RadixPlan> radix;  // or FFTW's:
  const Fftw* library = nullptr;
  Fftw::Plan plan = nullptr;
  void (*execute)(Fftw::Plan, void*, void*) = nullptr;
  std::unique_ptr<const Roots> roots;  // of a long line
  std::unique_ptr<const CosineRoots> cosine;
  int64_t bytes = 0;
  FftEffort effort = FftEffort::estimate;
};
using HeldPlan = std::shared_ptr<const FftPlan>;

using FftPlanSet = TypedPlanSet<LineKey, FftPlan>;

class FftPlans {
 public:
  HeldPlan get(const LineKey& key);
  // One that is not kept.
  [[nodiscard]] HeldPlan fresh(const LineKey& key) const;
  [[nodiscard]] FftCacheStats stats() const;
  void limit(int64_t plans, int64_t bytes) { cache_.limit(plans, bytes); }
  void clear() { cache_.clear(); }
  [[nodiscard]] std::vector<FftCachePlan> list() const;
  bool drop(int64_t id) { return cache_.drop(id); }
  // What goes into plans from now on; kept ones that less went into are made anew when they are next asked
  // for. Gives what it was.
  FftEffort effort(FftEffort wanted) { return effort_.exchange(wanted); }

 private:
  static constexpr int64_t kept = 256;
  std::atomic<FftEffort> effort_ = FftEffort::estimate;
  PlanCache<LineKey, FftPlan, HashWords<LineKey>> cache_{kept};
};

// The host's; lives for ever.
FftPlans& fft_plans();

// Where a call's plans come from.
class PlanSource {
 public:
  PlanSource() = default;
  explicit PlanSource(const FftCall& call)
      : book_(static_cast<FftPlanSet*>(call.book.get())), planning_(call.planning) {}
  [[nodiscard]] HeldPlan get(const LineKey& key) const {
    if (book_ == nullptr) return fft_plans().get(key);
    return book_->get(key, [&] { return fft_plans().fresh(key); });
  }
  // Plans are made, and nothing is transformed.
  [[nodiscard]] bool planning() const { return planning_; }

 private:
  FftPlanSet* book_ = nullptr;
  bool planning_ = false;
};

// Bytes of a line on both sides.
int64_t line_in_bytes(FftKind kind, DType real, int64_t n);
int64_t line_out_bytes(FftKind kind, DType real, int64_t n);

}  // namespace arr::host
