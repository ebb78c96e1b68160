// SPDX-License-Identifier: MIT
// Lines are transformed one behind the other or several together, each contiguous. Lines that lie otherwise
// in memory are gathered into a tile that fits into the second-level cache, transformed there and scattered,
// so that nothing of the arrays' size is copied.
#include "host/fft/lines.h"

#include <algorithm>
#include <optional>

#include "host/device/pool.h"
#include "host/engine/parallel.h"
#include "host/loops/table.h"

namespace arr::host {

namespace {

constexpr int64_t alignment = 16, cache_line = 64;
constexpr int64_t tile_bytes = 256 * 1024, direct_bytes = 16 * 1024;
constexpr int64_t stream_bytes = 12 << 20;  // results that no cache will hold are written past it
constexpr int64_t far_bytes = 16 << 20;     // inputs that are probably in no cache of a core
constexpr int64_t least_streamed = 1024, least_far = 4096;  // of a line

bool aligned(const void* p, const Iteration& it, int operand) {
  bool fits = reinterpret_cast<uintptr_t>(p) % alignment == 0;
  for (int32_t d = 0; d < it.ndim; ++d) fits = fits && it.strides[operand][d] % alignment == 0;
  return fits;
}

// The lines of a pass: rows of `inner` lines, one distance apart.
struct Rows {
  explicit Rows(const LinePass& p) : pass(p) {
    int64_t shape[max_ndim], in[max_ndim], out[max_ndim];
    for (int32_t d = 0; d < p.nbatch; ++d) {
      const FftCall::Dim& dim = p.batch[static_cast<size_t>(d)];
      shape[d] = dim.n;
      in[d] = dim.in;
      out[d] = dim.out;
    }
    const int64_t* strides[2] = {in, out};
    collapse(p.nbatch, shape, 2, strides, 0, &it, nullptr);
    if (it.ndim == 0) return;
    inner = it.shape[it.ndim - 1];
    in_dist = it.strides[0][it.ndim - 1];
    out_dist = it.strides[1][it.ndim - 1];
    for (int32_t d = 0; d + 1 < it.ndim; ++d) outer *= it.shape[d];
  }
  [[nodiscard]] const char* in(int64_t row, int64_t column) const {
    return pass.in + offset(row, 0) + column * in_dist;
  }
  [[nodiscard]] char* out(int64_t row, int64_t column) const {
    return pass.out + offset(row, 1) + column * out_dist;
  }

  const LinePass& pass;
  Iteration it;
  int64_t outer = 1, inner = 1, in_dist = 0, out_dist = 0;

 private:
  [[nodiscard]] int64_t offset(int64_t row, int operand) const {
    int64_t bytes = 0;
    for (int32_t d = it.ndim - 1; d-- > 0 && row != 0;) {
      bytes += row % it.shape[d] * it.strides[operand][d];
      row /= it.shape[d];
    }
    return bytes;
  }
};

// A pass and how it is run.
class Lines {
 public:
  Lines(const LinePass& pass, LineStep* step)
      : p_(pass), step_(*step), in_(step->needs().in), out_(step->needs().out), rows_(pass) {
    const LineStep::Needs& needs = step_.needs();
    const int64_t lines = rows_.outer * rows_.inner;
    // What jumps about in a line, which no prefetcher follows, goes through a copy where the line is in
    // memory and the copy in a first cache.
    const bool far = !needs.follows && lines * in_.bytes() >= far_bytes && in_.bytes() >= least_far &&
                     in_.bytes() <= direct_bytes;
    in_direct_ = !far && needs.keeps_input && p_.in != p_.out &&
                 (needs.any_address || aligned(p_.in, rows_.it, 0)) &&
                 (p_.in_step == in_.item || in_.count == 1);
    out_direct_ =
        (needs.any_address || aligned(p_.out, rows_.it, 1)) && (p_.out_step == out_.item || out_.count == 1);
    stream_ =
        out_direct_ && p_.last && lines * out_.bytes() >= stream_bytes && out_.bytes() >= least_streamed;
    // Lines side by side in whole vectors need no tile; the rest of a row is tiles.
    const int64_t groups = rows_.inner / needs.abreast;
    if (needs.abreast > 1 && rows_.in_dist == in_.item && rows_.out_dist == out_.item &&
        rows_.outer * groups >= concurrency()) {
      abreast_ = groups * needs.abreast;
    }
    choose_tile();
  }

  void run() {
    if (abreast_ > 0) step_.prepare_abreast();
    step_.prepare(tile_, in_ld_, out_ld_);
    if (p_.plans.planning()) return;
    if (abreast_ > 0) run_abreast();
    if (abreast_ == rows_.inner) return;
    const int64_t per_row = checked::ceil_div(rows_.inner - abreast_, tile_), work = tile_ * p_.n;
    parallel_ranges(rows_.outer * per_row, std::max<int64_t>(1, serial_elements / 4 / work),
                    [&](int64_t first, int64_t last) { run_tiles(first, last, per_row); });
  }

 private:
  void run_abreast() const {
    const int64_t width = step_.needs().abreast, groups = abreast_ / width;
    parallel_ranges(rows_.outer * groups, std::max<int64_t>(1, serial_elements / 4 / (width * p_.n)),
                    [&](int64_t first, int64_t last) {
                      const PoolBlock scratch(step_.needs().scratch);
                      for (int64_t t = first; t < last; ++t) {
                        const int64_t row = t / groups, column = t % groups * width;
                        step_.run_abreast(rows_.in(row, column), p_.in_step, rows_.out(row, column),
                                          p_.out_step, p_.scale, scratch.data());
                      }
                    });
  }

  // Lines of a tile: what fits into a cache, and enough tiles for all threads.
  void choose_tile() {
    const int64_t bytes = std::max<int64_t>(in_.bytes() + out_.bytes(), 1);
    const bool direct = in_direct_ && out_direct_;
    // Lines that are contiguous on both sides need no others beside them.
    const bool along = p_.in_step == in_.item && p_.out_step == out_.item;
    tile_ = direct || along ? std::clamp<int64_t>(direct_bytes / bytes, 1, 256)
                            : std::clamp<int64_t>(tile_bytes / bytes / 8 * 8, 8, 256);
    const int64_t wanted = 4 * concurrency();
    while (tile_ > 8 && rows_.outer * checked::ceil_div(rows_.inner, tile_) < wanted) tile_ /= 2;
    const int64_t together = step_.needs().together;
    if (rows_.outer * (rows_.inner / together) >= concurrency()) {
      tile_ = checked::round_up(tile_, together);
    }
    tile_ = std::min(tile_, std::max<int64_t>(rows_.inner - abreast_, 1));
    in_ld_ = in_direct_ ? rows_.in_dist : checked::round_up(in_.bytes(), cache_line);
    out_ld_ = out_direct_ && !stream_ ? rows_.out_dist : checked::round_up(out_.bytes(), cache_line);
  }

  void run_tiles(int64_t first, int64_t last, int64_t per_row) const {
    std::optional<PoolBlock> in, out, scratch;
    if (step_.needs().scratch > 0) scratch.emplace(step_.needs().scratch);
    if (!in_direct_) in.emplace(tile_ * in_ld_);
    if (!out_direct_ || stream_) out.emplace(tile_ * out_ld_);
    for (int64_t t = first; t < last; ++t) {
      const int64_t row = t / per_row, column = abreast_ + t % per_row * tile_;
      const int64_t lines = std::min(tile_, rows_.inner - column);
      const char* from = rows_.in(row, column);
      char* to = rows_.out(row, column);
      // FFTW's functions take what they only read without const.
      char* x = in ? in->data() : const_cast<char*>(from);
      if (in) {
        fft_loops().gather_lines[log2_of(in_.item)](lines, in_.count, from, rows_.in_dist, p_.in_step, x,
                                                    in_ld_);
      }
      char* y = out ? out->data() : to;
      step_.run(lines, x, in_ld_, y, out_ld_, scratch ? scratch->data() : nullptr);
      if (p_.scale != 1) scale(lines, y);
      if (stream_) {
        for (int64_t r = 0; r < lines; ++r)
          loops().copy_nontemporal(out_.bytes(), y + r * out_ld_, to + r * rows_.out_dist);
      } else if (out) {
        fft_loops().scatter_lines[log2_of(out_.item)](lines, out_.count, y, out_ld_, to, rows_.out_dist,
                                                      p_.out_step);
      }
    }
    if (stream_) loops().fence_nontemporal();
  }

  void scale(int64_t lines, char* y) const {
    const FftLoops& by = loops_of(p_.real);
    for (int64_t r = 0; r < lines; ++r)
      by.scale(out_.bytes() / item_size(p_.real), p_.scale, y + r * out_ld_);
  }

  const LinePass& p_;
  LineStep& step_;
  LineStep::Side in_, out_;
  Rows rows_;
  bool in_direct_ = false, out_direct_ = false, stream_ = false;
  int64_t tile_ = 1, in_ld_ = 0, out_ld_ = 0;
  int64_t abreast_ = 0;  // of the lines of a row, from its start
};

}  // namespace

void run_lines(const LinePass& pass, LineStep* step) { Lines(pass, step).run(); }

void each_line(const LinePass& pass, const std::function<void(const char*, char*)>& body) {
  const Rows rows(pass);
  parallel_ranges(rows.outer * rows.inner, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t row = i / rows.inner, column = i % rows.inner;
      body(rows.in(row, column), rows.out(row, column));
    }
  });
}

}  // namespace arr::host
