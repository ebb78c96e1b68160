// SPDX-License-Identifier: MIT
// The stages of a transform whose length has small factors, a stage per factor, and their tables.
#pragma once

#include <algorithm>
#include <bit>
#include <complex>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "host/fft/passes.h"

namespace arr::host {

template <class F>
const RadixLoops& radix_loops() {
  return sizeof(F) == 8 ? fft_loops().radix_of_double : fft_loops().radix_of_float;
}

template <class F>
struct Planes {
  F *re, *im;
};

// Interleaved input and output of a transform; nullptr: planes instead. A sign of -1 conjugates both.
struct InterleavedIO {
  const void* x = nullptr;
  void* y = nullptr;
  double sign = 1;
};

// The factors in descending order: after the first stages, rows are then long enough to fill vectors.
inline std::vector<int64_t> factors_of(int64_t n) {
  std::vector<int64_t> all;
  auto take = [&](int64_t p) {
    all.push_back(p);
    n /= p;
  };
  // The power of two is split into as few factors up to 16 as possible, as equal as possible.
  const int twos = std::countr_zero(static_cast<uint64_t>(n)), stages = (twos + 3) / 4;
  for (int i = 0; i < stages; ++i) take(int64_t{1} << (twos + i) / stages);
  for (int64_t p = 3; p * p <= n; p += 2) {
    while (n % p == 0) take(p);
  }
  if (n > 1) take(n);
  // Multiples of four come first: a first stage of a power of two stores whole vectors.
  std::sort(all.begin(), all.end(),
            [](int64_t a, int64_t b) { return std::pair(a % 4 == 0, a) > std::pair(b % 4 == 0, b); });
  return all;
}

inline bool needs_chirp(int64_t n) {
  const auto factors = factors_of(n);
  return std::any_of(factors.begin(), factors.end(), [](int64_t p) { return p > max_radix; });
}

// The stages of a transform and their tables.
template <class F>
class Stages {
 public:
  // lines: 1, or the lanes of a vector; several lines are interleaved: element k of all lines is contiguous.
  Stages(int64_t n, int64_t lines) : n_(n), lines_(lines) {
    const Roots roots(n);
    int64_t s = 1;
    for (const int64_t p : factors_of(n)) {
      stages_.push_back(stage_of(p, n / s / p, s, roots));
      s *= p;
    }
  }

  // Transforms `from` or io.x to the returned planes, which are `from` or `to`, or to io.y. Overwrites both.
  Planes<F> run(const InterleavedIO& io, Planes<F> from, Planes<F> to) const {
    const auto [first, last] = fused_io(io);
    if (io.x != nullptr && !first) loops_.deinterleave(n_ * lines_, io.x, io.sign, from.re, from.im);
    for (const RadixStage& g : stages_) {
      if (first && &g == &stages_.front()) {
        loops_.first(g, io.x, io.sign, to.re, to.im);
      } else if (last && &g == &stages_.back()) {
        loops_.last(g, from.re, from.im, io.sign, io.y);
      } else {
        loops_.stage(g, from.re, from.im, to.re, to.im);
      }
      std::swap(from, to);
    }
    if (io.y != nullptr && !last) loops_.interleave(n_ * lines_, from.re, from.im, io.sign, io.y);
    return from;
  }
  [[nodiscard]] int64_t size() const { return n_; }
  [[nodiscard]] int64_t bytes() const {
    size_t count = 0;
    for (const auto& t : tables_) count += t.size();
    return static_cast<int64_t>(count * sizeof(F));
  }

 private:
  using Table = std::vector<F>;
  static void set(Table& t, int64_t i, double x) { t[static_cast<size_t>(i)] = static_cast<F>(x); }

  // True if the stage uses whole vectors.
  [[nodiscard]] bool fills_vectors(const RadixStage& g) const { return g.width == loops_.lanes; }

  // True if the first stage reads, and the last one writes, interleaved numbers itself.
  [[nodiscard]] std::pair<bool, bool> fused_io(const InterleavedIO& io) const {
    const bool first = io.x != nullptr && !stages_.empty() && fills_vectors(stages_.front());
    const bool last = io.y != nullptr && stages_.size() > (first ? 1 : 0) && fills_vectors(stages_.back()) &&
                      stages_.back().form == RadixForm::shared_twiddles;
    return {first, last};
  }

  void choose_form(RadixStage* g) const {
    for (int64_t width = loops_.lanes; width == loops_.lanes || width >= min_vector_width; width /= 2) {
      g->width = width;
      if (g->s >= width) return;
    }
    g->width = loops_.lanes;
    g->form = RadixForm::lane_twiddles;
    if (g->s * g->m >= g->width) return;
    g->form = g->p % 2 != 0 && g->p > 8 ? RadixForm::vector_over_outputs : RadixForm::scalar;
    g->width = 1;
  }

  RadixStage stage_of(int64_t p, int64_t m, int64_t s, const Roots& roots) {
    RadixStage g{p, m, s * lines_};
    choose_form(&g);
    if (p % 2 != 0) g.dft_matrix = dft_matrix(&g, roots);
    g.twiddles = twiddles(g, s, roots);
    return g;
  }

  const void* dft_matrix(RadixStage* g, const Roots& roots) {
    const int64_t p = g->p, h = p / 2, step = n_ / p;
    const bool over_outputs = g->form == RadixForm::vector_over_outputs;
    g->dft_matrix_ld = over_outputs ? checked::round_up(h, loops_.lanes) : h;
    Table& t = tables_.emplace_back(static_cast<size_t>(2 * h * g->dft_matrix_ld));
    std::complex<double> of_p[max_radix];
    for (int64_t k = 0; k < p; ++k) of_p[k] = roots(k * step);
    for (int64_t j = 1; j <= h; ++j) {
      for (int64_t k = 1, angle = 0; k <= h; ++k) {
        angle = angle + j < p ? angle + j : angle + j - p;
        const std::complex<double> w = of_p[angle];
        const int64_t at = over_outputs ? (j - 1) * 2 * g->dft_matrix_ld + k - 1 : ((k - 1) * h + j - 1) * 2;
        set(t, at, w.real());
        set(t, at + (over_outputs ? g->dft_matrix_ld : 1), -w.imag());
      }
    }
    return t.data();
  }

  const void* twiddles(const RadixStage& g, int64_t s, const Roots& roots) {
    const bool shared = g.form == RadixForm::shared_twiddles;
    const int64_t columns = g.s * g.m;
    Table& t = tables_.emplace_back(static_cast<size_t>(2 * g.p * (shared ? g.m : columns)));
    for (int64_t i = 0; i < g.m; ++i) {
      for (int64_t k = 0; k < g.p; ++k) {
        const std::complex<double> w = roots(s * i * k);
        if (shared) {
          set(t, (i * g.p + k) * 2, w.real());
          set(t, (i * g.p + k) * 2 + 1, w.imag());
          continue;
        }
        for (int64_t c = i * s; c < (i + 1) * s; ++c) {
          set(t, 2 * k * columns + c, w.real());
          set(t, (2 * k + 1) * columns + c, w.imag());
        }
      }
    }
    return t.data();
  }

  int64_t n_, lines_;
  const RadixLoops& loops_ = radix_loops<F>();
  std::vector<RadixStage> stages_;
  std::vector<Table> tables_;
};

}  // namespace arr::host
