// SPDX-License-Identifier: MIT
// Transforms of lines of any length: a stage per factor of the length, or for a large factor a convolution
// with a chirp (L. I. Bluestein, "A linear filtering approach to the computation of the discrete Fourier
// transform", 1970).
#include "host/fft/radix.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "base/checked.h"
#include "host/fft/passes.h"
#include "host/fft/radix_stages.h"

namespace arr::host {

namespace {

template <class F>
constexpr DType real_of = sizeof(F) == 8 ? DType::float64_ : DType::float32_;

// The cheapest length of at least n with factors up to 5. The cost of a stage includes a pass through memory.
int64_t convolution_length(int64_t n) {
  int64_t best = 0;
  double min_cost = std::numeric_limits<double>::infinity();
  for (int64_t fives = 1; fives < 2 * n; fives *= 5) {
    for (int64_t threes = fives; threes < 2 * n; threes *= 3) {
      int64_t all = threes;
      while (all < n) all *= 2;
      double cost = 2;
      for (const int64_t p : factors_of(all)) cost += 1 + static_cast<double>(p) / 8;
      cost *= static_cast<double>(all);
      if (cost < min_cost) {
        min_cost = cost;
        best = all;
      }
    }
  }
  return best;
}

// A transform of n complex numbers in planes. Several lines are possible only if n has no large factor.
template <class F>
class ComplexTransform {
 public:
  ComplexTransform(int64_t n, int64_t lines)
      : n_(n),
        chirped_(needs_chirp(n)),
        stages_(chirped_ ? convolution_length(checked::mul(n, int64_t{2}, "a line's length") - 1) : n,
                lines) {
    if (chirped_) make_chirp();
  }

  // Like Stages::run, for n numbers in planes of size() numbers.
  Planes<F> run(const InterleavedIO& io, Planes<F> x, Planes<F> other) const {
    if (!chirped_) return stages_.run(io, x, other);
    const int64_t size = stages_.size();
    if (io.x != nullptr) loops_.deinterleave(n_, io.x, io.sign, x.re, x.im);
    loops_.multiply_planes(n_, chirp_re_.data(), chirp_im_.data(), x.re, x.im);
    std::fill(x.re + n_, x.re + size, F{0});
    std::fill(x.im + n_, x.im + size, F{0});
    Planes<F> y = stages_.run({}, x, other);
    const Planes<F> free = y.re == x.re ? other : x;
    loops_.multiply_planes(size, kernel_re_.data(), kernel_im_.data(), y.re, y.im);
    y = stages_.run({}, {y.im, y.re}, {free.im, free.re});  // exchanged planes: a backward transform
    loops_.multiply_planes(n_, chirp_re_.data(), chirp_im_.data(), y.im, y.re);
    if (io.y != nullptr) loops_.interleave(n_, y.im, y.re, io.sign, io.y);
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

// A plan for lines. An even number of reals is packed as half as many complex numbers.
template <class F>
class RadixLine final : public RadixPlan {
 public:
  RadixLine(FftKind kind, int64_t n, int64_t lines)
      : kind_(kind),
        n_(n),
        lines_(lines),
        packed_((kind == FftKind::r2c || kind == FftKind::c2r) && n % 2 == 0),
        complex_(packed_ ? n / 2 : n, lines) {
    // Padded by a few cache lines, which keeps the planes out of the same cache sets.
    ld_ = checked::round_up(checked::mul(complex_.size(), lines, "a line's length"), int64_t{64}) + 64;
    if (!packed_) return;
    const Roots roots(n);
    for (int64_t k = 0; k <= n / 4; ++k) {
      const std::complex<double> w = roots(k);
      root_re_.push_back(static_cast<F>(w.real()));
      root_im_.push_back(static_cast<F>(w.imag()));
    }
  }

  [[nodiscard]] int64_t scratch() const override {
    const int64_t planes = checked::mul(ld_, int64_t{4 * sizeof(F)}, "a transform's memory");
    return lines_ == 1 ? planes : planes + lines_ * std::max(in().bytes(), out().bytes());
  }
  [[nodiscard]] int64_t bytes() const override {
    return complex_.bytes() + static_cast<int64_t>(root_re_.size() * 2 * sizeof(F));
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

  void run_across(const char* x, int64_t in_step, char* y, int64_t out_step, double scale,
                  char* scratch) const override {
    constexpr int64_t item = 2 * sizeof(F);
    char* tile = tile_of(scratch);
    fft_loops().gather_lines[log2_of(item)](n_, lines_, x, in_step, item, tile, lines_ * item);
    transform(tile, tile, reinterpret_cast<F*>(scratch));
    if (scale != 1) loops_of(real_of<F>).scale(2 * n_ * lines_, scale, tile);
    fft_loops().scatter_lines[log2_of(item)](n_, lines_, tile, lines_ * item, y, out_step, item);
  }

 private:
  using Side = LineTransform::Side;
  [[nodiscard]] char* tile_of(char* scratch) const { return scratch + 4 * ld_ * int64_t{sizeof(F)}; }
  // A line in the input and in the output; packed reals are copied as pairs.
  [[nodiscard]] Side in() const { return side(FftKind::c2r, FftKind::r2c); }
  [[nodiscard]] Side out() const { return side(FftKind::r2c, FftKind::c2r); }
  // halved, reals: the kinds that have half of a Hermitian line, or reals, on this side.
  [[nodiscard]] Side side(FftKind halved, FftKind reals) const {
    if (kind_ == halved) return {2 * sizeof(F), n_ / 2 + 1};
    if (kind_ == reals && !packed_) return {sizeof(F), n_};
    return {2 * sizeof(F), packed_ ? n_ / 2 : n_};
  }

  void transform(const void* x, void* y, F* work) const {
    const Planes<F> planes = {work, work + ld_}, other = {work + 2 * ld_, work + 3 * ld_};
    const int64_t count = n_ * lines_;
    const size_t several = lines_ == 1 ? 0 : 1, copied = static_cast<size_t>(count) * sizeof(F);
    const bool from_real = kind_ == FftKind::r2c, to_real = kind_ == FftKind::c2r;
    const double sign = kind_ == FftKind::backward || to_real ? -1 : 1;
    const InterleavedIO io = {to_real || (from_real && !packed_) ? nullptr : x,
                              from_real || (to_real && !packed_) ? nullptr : y, sign};
    if (to_real && packed_) {
      loops_.real_ifft_preprocess[several](n_ / 2, root_re_.data(), root_im_.data(), x, planes.re, planes.im);
    } else if (to_real) {
      loops_.expand_hermitian[several](n_, x, planes.re, planes.im);
    } else if (from_real && !packed_) {
      std::memcpy(planes.re, x, copied);
      std::fill_n(planes.im, count, F{0});
    }
    const Planes<F> to = complex_.run(io, planes, other);
    if (from_real && packed_) {
      loops_.real_fft_postprocess[several](n_ / 2, root_re_.data(), root_im_.data(), to.re, to.im, y);
    } else if (from_real) {
      loops_.interleave((n_ / 2 + 1) * lines_, to.re, to.im, 1, y);
    } else if (to_real && !packed_) {
      std::memcpy(y, to.re, copied);
    }
  }

  FftKind kind_;
  int64_t n_, lines_, ld_ = 0;
  bool packed_;
  ComplexTransform<F> complex_;
  std::vector<F> root_re_, root_im_;
  const RadixLoops& loops_ = radix_loops<F>();
};

constexpr int64_t max_batched_length = 2048;  // elements of a line

// True if several lines of n complex numbers or pairs of reals are faster at once. A complex line whose first
// stage is a power of two with whole vectors is as fast alone, but the conversion of pairs is not.
template <class F>
bool is_faster_batched(int64_t n, bool reals) {
  if (n % 8 != 0) return n > 1;
  constexpr int64_t longest_pairs = 4096 / (2 * sizeof(F));
  return reals ? n <= longest_pairs : n / factors_of(n).front() < radix_loops<F>().lanes;
}

template <class F>
std::unique_ptr<const RadixPlan> plan_of(FftKind kind, int64_t n, int64_t lines) {
  auto plan = std::make_unique<RadixLine<F>>(kind, n, lines);
  const bool reals = kind == FftKind::r2c || kind == FftKind::c2r;
  const int64_t complex = reals && n % 2 == 0 ? n / 2 : n;
  if (complex > max_batched_length || needs_chirp(complex)) return plan;
  if (is_faster_batched<F>(complex, reals)) plan->batch_width = radix_loops<F>().lanes;
  if (!reals && n > 1) plan->lanes_across = radix_loops<F>().lanes;
  return plan;
}

}  // namespace

std::unique_ptr<const RadixPlan> radix_plan(FftKind kind, DType real, int64_t n, int64_t lines) {
  return real == DType::float64_ ? plan_of<double>(kind, n, lines) : plan_of<float>(kind, n, lines);
}

}  // namespace arr::host
