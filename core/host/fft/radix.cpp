// SPDX-License-Identifier: MIT
// Lines in stages of their factors; where one of those is large, as a convolution with a chirp (L. I.
// Bluestein, "A linear filtering approach to the computation of the discrete Fourier transform", 1970) of a
// length that has small ones.
#include "host/fft/radix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/checked.h"
#include "host/fft/lines.h"

namespace arr::host {

namespace {

template <class F>
const RadixLoops& radix_loops() {
  return sizeof(F) == 8 ? fft_loops().radix_of_double : fft_loops().radix_of_float;
}

template <class F>
struct Planes {
  F *re, *im;
};

// Complex numbers that a transform begins and ends with instead of planes, conjugated where sign is -1.
struct Ends {
  const void* x = nullptr;
  void* y = nullptr;
  double sign = 1;
};

// Factors from the greatest down, so that the first stages leave rows that fill vectors.
std::vector<int64_t> factors_of(int64_t n) {
  std::vector<int64_t> all;
  auto take = [&](int64_t p) {
    all.push_back(p);
    n /= p;
  };
  // As few powers of two up to 16 as will do, as even as they can be.
  const int twos = std::countr_zero(static_cast<uint64_t>(n)), stages = (twos + 3) / 4;
  for (int i = 0; i < stages; ++i) take(int64_t{1} << (twos + i) / stages);
  for (int64_t p = 3; p * p <= n; p += 2) {
    while (n % p == 0) take(p);
  }
  if (n > 1) take(n);
  // A first stage of a power of two stores whole vectors.
  std::sort(all.begin(), all.end(),
            [](int64_t a, int64_t b) { return std::pair(a % 4 == 0, a) > std::pair(b % 4 == 0, b); });
  return all;
}

bool has_large_factor(int64_t n) {
  const auto factors = factors_of(n);
  return std::any_of(factors.begin(), factors.end(), [](int64_t p) { return p > max_radix; });
}

// The stages of a line, and their tables.
template <class F>
class Stages {
 public:
  // Of `lines` lines, as many as vectors have lanes, whose elements of one place lie side by side.
  Stages(int64_t n, int64_t lines) : n_(n), lines_(lines) {
    const Roots roots(n);
    int64_t s = 1;
    for (const int64_t p : factors_of(n)) {
      stages_.push_back(stage_of(p, n / s / p, s, roots));
      s *= p;
    }
  }

  // From `from`, or the numbers at ends.x, to the planes returned, of the two, or the numbers at ends.y. Both
  // planes lose what they have.
  Planes<F> run(const Ends& ends, Planes<F> from, Planes<F> to) const {
    const auto [first, last] = fused(ends);
    if (ends.x != nullptr && !first) loops_.deinterleave(n_ * lines_, ends.x, ends.sign, from.re, from.im);
    for (const RadixStage& g : stages_) {
      if (first && &g == &stages_.front()) {
        loops_.first(g, ends.x, ends.sign, to.re, to.im);
      } else if (last && &g == &stages_.back()) {
        loops_.last(g, from.re, from.im, ends.sign, ends.y);
      } else {
        loops_.stage(g, from.re, from.im, to.re, to.im);
      }
      std::swap(from, to);
    }
    if (ends.y != nullptr && !last) loops_.interleave(n_ * lines_, from.re, from.im, ends.sign, ends.y);
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

  // Whether it goes by whole vectors.
  [[nodiscard]] bool whole(const RadixStage& g) const { return g.width == loops_.lanes; }

  // Which of its ends stages read and write themselves.
  [[nodiscard]] std::pair<bool, bool> fused(const Ends& ends) const {
    const bool first = ends.x != nullptr && !stages_.empty() && whole(stages_.front());
    const bool last = ends.y != nullptr && stages_.size() > (first ? 1 : 0) && whole(stages_.back()) &&
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
    if (p % 2 != 0) g.dft_matrix = sums(&g, roots);
    g.twiddles = twiddles(g, s, roots);
    return g;
  }

  const void* sums(RadixStage* g, const Roots& roots) {
    const int64_t p = g->p, h = p / 2, step = n_ / p;
    const bool few = g->form == RadixForm::vector_over_outputs;
    g->dft_matrix_ld = few ? checked::round_up(h, loops_.lanes) : h;
    Table& t = tables_.emplace_back(static_cast<size_t>(2 * h * g->dft_matrix_ld));
    std::complex<double> of_p[max_radix];
    for (int64_t k = 0; k < p; ++k) of_p[k] = roots(k * step);
    for (int64_t j = 1; j <= h; ++j) {
      for (int64_t k = 1, angle = 0; k <= h; ++k) {
        angle = angle + j < p ? angle + j : angle + j - p;
        const std::complex<double> w = of_p[angle];
        const int64_t at = few ? (j - 1) * 2 * g->dft_matrix_ld + k - 1 : ((k - 1) * h + j - 1) * 2;
        set(t, at, w.real());
        set(t, at + (few ? g->dft_matrix_ld : 1), -w.imag());
      }
    }
    return t.data();
  }

  const void* twiddles(const RadixStage& g, int64_t s, const Roots& roots) {
    const bool wide = g.form == RadixForm::shared_twiddles;
    const int64_t columns = g.s * g.m;
    Table& t = tables_.emplace_back(static_cast<size_t>(2 * g.p * (wide ? g.m : columns)));
    for (int64_t i = 0; i < g.m; ++i) {
      for (int64_t k = 0; k < g.p; ++k) {
        const std::complex<double> w = roots(s * i * k);
        if (wide) {
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

// The length of at least n with factors up to 5 that costs least: each stage goes through memory.
int64_t convolution_length(int64_t n) {
  int64_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int64_t fives = 1; fives < 2 * n; fives *= 5) {
    for (int64_t threes = fives; threes < 2 * n; threes *= 3) {
      int64_t all = threes;
      while (all < n) all *= 2;
      double cost = 2;
      for (const int64_t p : factors_of(all)) cost += 1 + static_cast<double>(p) / 8;
      cost *= static_cast<double>(all);
      if (cost < least) {
        least = cost;
        best = all;
      }
    }
  }
  return best;
}

// A transform of n complex numbers in planes; of several lines only where n has no large factor.
template <class F>
class Core {
 public:
  Core(int64_t n, int64_t lines)
      : n_(n),
        chirped_(has_large_factor(n)),
        stages_(chirped_ ? convolution_length(checked::mul(n, int64_t{2}, "a line's length") - 1) : n,
                lines) {
    if (chirped_) make_chirp();
  }

  // As Stages::run, of n numbers in planes of size().
  Planes<F> run(const Ends& ends, Planes<F> x, Planes<F> other) const {
    if (!chirped_) return stages_.run(ends, x, other);
    const int64_t size = stages_.size();
    if (ends.x != nullptr) loops_.deinterleave(n_, ends.x, ends.sign, x.re, x.im);
    loops_.multiply_planes(n_, chirp_re_.data(), chirp_im_.data(), x.re, x.im);
    std::fill(x.re + n_, x.re + size, F{0});
    std::fill(x.im + n_, x.im + size, F{0});
    Planes<F> y = stages_.run({}, x, other);
    const Planes<F> free = y.re == x.re ? other : x;
    loops_.multiply_planes(size, kernel_re_.data(), kernel_im_.data(), y.re, y.im);
    y = stages_.run({}, {y.im, y.re}, {free.im, free.re});  // backwards
    loops_.multiply_planes(n_, chirp_re_.data(), chirp_im_.data(), y.im, y.re);
    if (ends.y != nullptr) loops_.interleave(n_, y.im, y.re, ends.sign, ends.y);
    return {y.im, y.re};
  }
  [[nodiscard]] int64_t size() const { return stages_.size(); }
  [[nodiscard]] int64_t bytes() const {
    return stages_.bytes() + static_cast<int64_t>((chirp_re_.size() + kernel_re_.size()) * 2 * sizeof(F));
  }

 private:
  void make_chirp() {
    const auto size = static_cast<size_t>(stages_.size());
    chirp_re_.resize(static_cast<size_t>(n_));
    chirp_im_.resize(static_cast<size_t>(n_));
    std::vector<F> re(size), im(size);
    kernel_re_.resize(size);
    kernel_im_.resize(size);
    const Roots roots(2 * n_);
    for (int64_t k = 0, square = 0; k < n_; ++k) {
      const std::complex<double> w = roots(square);
      const auto at = static_cast<size_t>(k);
      chirp_re_[at] = static_cast<F>(w.real());
      chirp_im_[at] = static_cast<F>(w.imag());
      const size_t other = at == 0 ? 0 : size - at;
      re[at] = re[other] = chirp_re_[at];
      im[at] = im[other] = -chirp_im_[at];
      square += 2 * k + 1;  // (k + 1)^2, modulo 2 n
      if (square >= 2 * n_) square -= 2 * n_;
    }
    const Planes<F> y = stages_.run({}, {re.data(), im.data()}, {kernel_re_.data(), kernel_im_.data()});
    if (y.re == re.data()) {
      kernel_re_.swap(re);
      kernel_im_.swap(im);
    }
    for (size_t i = 0; i < size; ++i) {
      kernel_re_[i] /= static_cast<F>(size);
      kernel_im_[i] /= static_cast<F>(size);
    }
  }

  int64_t n_;
  bool chirped_;
  Stages<F> stages_;
  const RadixLoops& loops_ = radix_loops<F>();
  std::vector<F> chirp_re_, chirp_im_, kernel_re_, kernel_im_;  // with 1 / size in the kernel
};

// Even numbers of reals are as many pairs.
template <class F>
class RadixLine final : public RadixPlan {
 public:
  RadixLine(FftKind kind, int64_t n, int64_t lines)
      : kind_(kind),
        n_(n),
        lines_(lines),
        paired_((kind == FftKind::r2c || kind == FftKind::c2r) && n % 2 == 0),
        core_(paired_ ? n / 2 : n, lines) {
    // A few cache lines more: planes are not to fall into the same sets of a cache.
    ld_ = checked::round_up(checked::mul(core_.size(), lines, "a line's length"), int64_t{64}) + 64;
    if (!paired_) return;
    const Roots roots(n);
    for (int64_t k = 0; k <= n / 4; ++k) {
      const std::complex<double> w = roots(k);
      pair_re_.push_back(static_cast<F>(w.real()));
      pair_im_.push_back(static_cast<F>(w.imag()));
    }
  }

  [[nodiscard]] int64_t scratch() const override {
    const int64_t planes = checked::mul(ld_, int64_t{4 * sizeof(F)}, "a transform's memory");
    return lines_ == 1 ? planes : planes + lines_ * std::max(in().bytes(), out().bytes());
  }
  [[nodiscard]] int64_t bytes() const override {
    return core_.bytes() + static_cast<int64_t>(pair_re_.size() * 2 * sizeof(F));
  }

  void run(const char* x, int64_t in_ld, char* y, int64_t out_ld, char* scratch) const override {
    auto* work = reinterpret_cast<F*>(scratch);
    if (lines_ == 1) return transform(x, y, work);
    char* tile = tile_of(scratch);
    const Side from = in(), to = out();
    fft_loops().gather_lines[log2_of(from.item)](from.count, lines_, x, from.item, in_ld, tile,
                                                 lines_ * from.item);
    transform(tile, tile, work);
    fft_loops().scatter_lines[log2_of(to.item)](to.count, lines_, tile, lines_ * to.item, y, to.item, out_ld);
  }

  void run_abreast(const char* x, int64_t in_step, char* y, int64_t out_step, double scale,
                   char* scratch) const override {
    constexpr int64_t item = 2 * sizeof(F);
    char* tile = tile_of(scratch);
    fft_loops().gather_lines[log2_of(item)](n_, lines_, x, in_step, item, tile, lines_ * item);
    transform(tile, tile, reinterpret_cast<F*>(scratch));
    if (scale != 1) scaling().scale(2 * n_ * lines_, scale, tile);
    fft_loops().scatter_lines[log2_of(item)](n_, lines_, tile, lines_ * item, y, out_step, item);
  }

 private:
  using Side = LineStep::Side;
  static const FftLoops& scaling() { return sizeof(F) == 8 ? fft_loops().of_double : fft_loops().of_float; }
  [[nodiscard]] char* tile_of(char* scratch) const { return scratch + 4 * ld_ * int64_t{sizeof(F)}; }
  // A line as it comes and goes: pairs are moved as one.
  [[nodiscard]] Side in() const { return side(FftKind::c2r, FftKind::r2c); }
  [[nodiscard]] Side out() const { return side(FftKind::r2c, FftKind::c2r); }
  // halved, reals: the kinds that have half of a Hermitian line, and reals, on this side.
  [[nodiscard]] Side side(FftKind halved, FftKind reals) const {
    if (kind_ == halved) return {2 * sizeof(F), n_ / 2 + 1};
    if (kind_ == reals && !paired_) return {sizeof(F), n_};
    return {2 * sizeof(F), paired_ ? n_ / 2 : n_};
  }

  void transform(const void* x, void* y, F* work) const {
    const Planes<F> planes = {work, work + ld_}, other = {work + 2 * ld_, work + 3 * ld_};
    const int64_t count = n_ * lines_;
    const size_t several = lines_ == 1 ? 0 : 1, copied = static_cast<size_t>(count) * sizeof(F);
    const bool from_real = kind_ == FftKind::r2c, to_real = kind_ == FftKind::c2r;
    const double sign = kind_ == FftKind::backward || to_real ? -1 : 1;
    const Ends ends = {to_real || (from_real && !paired_) ? nullptr : x,
                       from_real || (to_real && !paired_) ? nullptr : y, sign};
    if (to_real && paired_) {
      loops_.real_ifft_preprocess[several](n_ / 2, pair_re_.data(), pair_im_.data(), x, planes.re, planes.im);
    } else if (to_real) {
      loops_.expand_hermitian[several](n_, x, planes.re, planes.im);
    } else if (from_real && !paired_) {
      std::memcpy(planes.re, x, copied);
      std::fill_n(planes.im, count, F{0});
    }
    const Planes<F> to = core_.run(ends, planes, other);
    if (from_real && paired_) {
      loops_.real_fft_postprocess[several](n_ / 2, pair_re_.data(), pair_im_.data(), to.re, to.im, y);
    } else if (from_real) {
      loops_.interleave((n_ / 2 + 1) * lines_, to.re, to.im, 1, y);
    } else if (to_real && !paired_) {
      std::memcpy(y, to.re, copied);
    }
  }

  FftKind kind_;
  int64_t n_, lines_, ld_ = 0;
  bool paired_;
  Core<F> core_;
  std::vector<F> pair_re_, pair_im_;
  const RadixLoops& loops_ = radix_loops<F>();
};

constexpr int64_t longest_together = 2048;  // elements of lines that vectors go across

// Of a transform of n complex numbers, or of as many pairs of reals: whether several lines go together. Those
// whose first stage is a power of two in whole vectors are quick alone too; not so what pairs are made of.
template <class F>
bool quicker_together(int64_t n, bool reals) {
  if (n % 8 != 0) return n > 1;
  constexpr int64_t longest_pairs = 4096 / (2 * sizeof(F));
  return reals ? n <= longest_pairs : n / factors_of(n).front() < radix_loops<F>().lanes;
}

template <class F>
std::unique_ptr<const RadixPlan> plan_of(FftKind kind, int64_t n, int64_t lines) {
  auto plan = std::make_unique<RadixLine<F>>(kind, n, lines);
  const bool reals = kind == FftKind::r2c || kind == FftKind::c2r;
  const int64_t complex = reals && n % 2 == 0 ? n / 2 : n;
  if (complex > longest_together || has_large_factor(complex)) return plan;
  if (quicker_together<F>(complex, reals)) plan->together = radix_loops<F>().lanes;
  if (!reals && n > 1) plan->abreast = radix_loops<F>().lanes;
  return plan;
}

}  // namespace

std::unique_ptr<const RadixPlan> radix_plan(FftKind kind, DType real, int64_t n, int64_t lines) {
  return real == DType::float64_ ? plan_of<double>(kind, n, lines) : plan_of<float>(kind, n, lines);
}

}  // namespace arr::host
