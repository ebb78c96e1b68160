// SPDX-License-Identifier: MIT
// Lines go through FFTW one behind the other, contiguous: its estimated plans are good for these and several
// times slower for strided ones. Lines that lie otherwise in memory are gathered into a tile that fits into
// the second-level cache, transformed there and scattered, so that nothing of the arrays' size is copied.
#include "host/fft_lines.h"

#include <algorithm>
#include <optional>

#include "host/loops/table.h"
#include "host/parallel.h"
#include "host/pool.h"

namespace arr::host {

namespace {

constexpr int64_t alignment = 16, cache_line = 64;
constexpr int64_t tile_bytes = 256 * 1024, direct_bytes = 16 * 1024;
constexpr int64_t stream_bytes = 12 << 20;  // results that no cache will hold are written past it
constexpr int64_t far_bytes = 4 << 20;      // inputs that are probably in no cache of a core
constexpr int64_t least_streamed = 1024;    // of a line
constexpr int64_t short_line = 256;         // elements; calls for less would cost as much as they do

size_t log2_of(int64_t item) { return item == 4 ? 2 : item == 8 ? 3 : 4; }

bool aligned(const void* p, const Iteration& it, int operand) {
  bool fits = reinterpret_cast<uintptr_t>(p) % alignment == 0;
  for (int32_t d = 0; d < it.ndim; ++d) fits = fits && it.strides[operand][d] % alignment == 0;
  return fits;
}

// A pass and how it is run.
class Lines {
 public:
  explicit Lines(const LinePass& pass) : p_(pass) {
    int64_t shape[max_ndim], in[max_ndim], out[max_ndim];
    for (int32_t d = 0; d < p_.nbatch; ++d) {
      const FftCall::Dim& dim = p_.batch[static_cast<size_t>(d)];
      shape[d] = dim.n;
      in[d] = dim.in;
      out[d] = dim.out;
    }
    const int64_t* strides[2] = {in, out};
    collapse(p_.nbatch, shape, 2, strides, 0, &it_, nullptr);
    if (it_.ndim > 0) {
      inner_ = it_.shape[it_.ndim - 1];
      in_dist_ = it_.strides[0][it_.ndim - 1];
      out_dist_ = it_.strides[1][it_.ndim - 1];
      for (int32_t d = 0; d + 1 < it_.ndim; ++d) outer_ *= it_.shape[d];
    }
    // FFTW reads a line in many places at once, which no prefetcher follows: from memory it goes through a
    // copy.
    const bool far = p_.cosine == nullptr && outer_ * inner_ * p_.in_bytes() >= far_bytes &&
                     p_.in_bytes() >= least_streamed;
    // Loops of one's own take lines at any address.
    const bool any = p_.cosine != nullptr;
    in_direct_ = !far && (any || p_.kind != FftKind::c2r) && p_.in != p_.out &&
                 (any || aligned(p_.in, it_, 0)) &&
                 (p_.in_step == p_.in_item() || p_.in_bytes() == p_.in_item());
    out_direct_ =
        (any || aligned(p_.out, it_, 1)) && (p_.out_step == p_.out_item() || p_.out_bytes() == p_.out_item());
  }

  void run() {
    stream_ = out_direct_ && p_.last && outer_ * inner_ * p_.out_bytes() >= stream_bytes &&
              p_.out_bytes() >= least_streamed;
    const Split split = p_.cosine != nullptr ? Split{} : split_of(p_.kind, p_.n);
    if (split.n1 != 0) {
      parallel_ranges(outer_ * inner_, 1, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) {
          const int64_t row = i / inner_, column = i % inner_;
          run_split(p_, split, p_.in + offset(row, 0) + column * in_dist_,
                    p_.out + offset(row, 1) + column * out_dist_);
        }
      });
      return;
    }
    choose_tile();
    plans();
    const int64_t per_row = checked::ceil_div(inner_, tile_), work = tile_ * p_.n;
    parallel_ranges(outer_ * per_row, std::max<int64_t>(1, serial_elements / 4 / work),
                    [&](int64_t first, int64_t last) { run_tiles(first, last, per_row); });
  }

 private:
  // Lines of a tile: what fits into a cache, and enough tiles for all threads.
  void choose_tile() {
    const int64_t bytes = std::max<int64_t>(p_.in_bytes() + p_.out_bytes(), 1);
    const bool direct = in_direct_ && out_direct_;
    // Lines that are contiguous on both sides need no others beside them.
    const bool along = p_.in_step == p_.in_item() && p_.out_step == p_.out_item();
    tile_ = direct || along ? std::clamp<int64_t>(direct_bytes / bytes, 1, 256)
                            : std::clamp<int64_t>(tile_bytes / bytes / 8 * 8, 8, 256);
    const int64_t wanted = 4 * tbb::this_task_arena::max_concurrency();
    while (tile_ > 8 && outer_ * checked::ceil_div(inner_, tile_) < wanted) tile_ /= 2;
    tile_ = std::min(tile_, inner_);
    in_ld_ = in_direct_ ? in_dist_ : checked::round_up(p_.in_bytes(), cache_line);
    out_ld_ = out_direct_ && !stream_ ? out_dist_ : checked::round_up(p_.out_bytes(), cache_line);
  }

  void plans() {
    if (p_.cosine != nullptr) return;
    LineKey key{p_.kind, p_.real, p_.n};
    one_ = fft_plans().get(key);
    // Plans for several lines go up in memory.
    if (tile_ == 1 || p_.n > short_line || in_ld_ < 0 || out_ld_ < 0) return;
    key.lines = tile_;
    key.in_ld = in_ld_;
    key.out_ld = out_ld_;
    tile_plan_ = fft_plans().get(key);
  }

  [[nodiscard]] int64_t offset(int64_t row, int operand) const {
    int64_t bytes = 0;
    for (int32_t d = it_.ndim - 1; d-- > 0 && row != 0;) {
      bytes += row % it_.shape[d] * it_.strides[operand][d];
      row /= it_.shape[d];
    }
    return bytes;
  }

  void run_tiles(int64_t first, int64_t last, int64_t per_row) const {
    std::optional<PoolBlock> in, out, scratch;
    if (p_.cosine != nullptr) scratch.emplace(p_.cosine->scratch());
    if (!in_direct_) in.emplace(tile_ * in_ld_);
    if (!out_direct_ || stream_) out.emplace(tile_ * out_ld_);
    for (int64_t t = first; t < last; ++t) {
      const int64_t row = t / per_row, column = t % per_row * tile_;
      const int64_t lines = std::min(tile_, inner_ - column);
      const char* from = p_.in + offset(row, 0) + column * in_dist_;
      char* to = p_.out + offset(row, 1) + column * out_dist_;
      // FFTW's functions take what they only read without const.
      char* x = const_cast<char*>(from);
      if (in) {
        x = in->data();
        take(lines, from, x);
      }
      char* y = out ? out->data() : to;
      if (scratch) {
        for (int64_t r = 0; r < lines; ++r) p_.cosine->run(x + r * in_ld_, y + r * out_ld_, scratch->data());
      } else {
        transform(lines, x, y);
      }
      if (p_.scale != 1) scale(lines, y);
      if (stream_) {
        for (int64_t r = 0; r < lines; ++r)
          loops().stream(p_.out_bytes(), y + r * out_ld_, to + r * out_dist_);
      } else if (out) {
        fft_loops().put[log2_of(p_.out_item())](lines, p_.out_bytes() / p_.out_item(), y, out_ld_, to,
                                                out_dist_, p_.out_step);
      }
    }
    if (stream_) loops().drain();
  }

  void take(int64_t lines, const char* from, char* to) const {
    const int64_t count = p_.in_bytes() / p_.in_item(), real = item_size(p_.real);
    fft_loops().take[log2_of(p_.in_item())](lines, count, from, in_dist_, p_.in_step, to, in_ld_);
    if (p_.cosine != nullptr || p_.kind != FftKind::c2r) return;
    // The parts that have no meaning, which FFTW may look at.
    for (int64_t r = 0; r < lines; ++r) {
      char* line = to + r * in_ld_;
      std::fill_n(line + real, real, char{0});
      if (p_.n % 2 == 0) std::fill_n(line + (count - 1) * 2 * real + real, real, char{0});
    }
  }

  void transform(int64_t lines, char* x, char* y) const {
    const bool together = tile_plan_ != nullptr && lines == tile_;
    const FftPlan& plan = together ? *tile_plan_ : *one_;
    const auto execute = p_.kind == FftKind::r2c   ? plan.library->execute_r2c
                         : p_.kind == FftKind::c2r ? plan.library->execute_c2r
                                                   : plan.library->execute_dft;
    if (together) return execute(plan.plan, x, y);
    for (int64_t r = 0; r < lines; ++r) execute(plan.plan, x + r * in_ld_, y + r * out_ld_);
  }

  void scale(int64_t lines, char* y) const {
    const FftLoops& by = loops_of(p_.real);
    for (int64_t r = 0; r < lines; ++r)
      by.scale(p_.out_bytes() / item_size(p_.real), p_.scale, y + r * out_ld_);
  }

  const LinePass& p_;
  Iteration it_;
  bool in_direct_ = false, out_direct_ = false, stream_ = false;
  int64_t outer_ = 1, inner_ = 1, in_dist_ = 0, out_dist_ = 0, tile_ = 1, in_ld_ = 0, out_ld_ = 0;
  HeldPlan one_, tile_plan_;
};

}  // namespace

void run_lines(const LinePass& pass) { Lines(pass).run(); }

}  // namespace arr::host
