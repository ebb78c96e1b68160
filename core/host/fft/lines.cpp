// SPDX-License-Identifier: MIT
// The pass over the lines along one axis. Contiguous lines are transformed where they are, one after the
// other or several at once. Other lines are gathered into a tile that fits into the second-level cache,
// transformed there and scattered, so that no temporary of an array's size is needed.
#include <algorithm>
#include <optional>

#include "host/device/pool_block.h"
#include "host/elementwise/parallel.h"
#include "host/fft/batch.h"
#include "host/fft/passes.h"
#include "host/loops/table.h"

namespace arr::host {

namespace {

constexpr int64_t cache_line = 64;
constexpr int64_t line_tile_bytes = 256 * 1024, direct_bytes = 16 * 1024;
constexpr int64_t stream_bytes =
    12 << 20;  // results at least this large, which no cache holds, are written with non-temporal stores
constexpr int64_t distant_bytes = 16 << 20;  // larger inputs are probably in no cache of a core
constexpr int64_t min_streamed_line = 1024, min_distant_line = 4096;  // bytes

class LinesPass final : public Pass {
 public:
  LinesPass(const LineLayout& layout, std::unique_ptr<LineTransform> transform)
      : line_(layout),
        transform_(std::move(transform)),
        in_(transform_->requirements().in),
        out_(transform_->requirements().out),
        rows_(layout.nbatch, layout.batch) {
    choose_access();
    choose_tile();
    if (across_ > 0) transform_->prepare_across();
    transform_->prepare(tile_, in_ld_, out_ld_);
  }

  void run(const char* in, char* out) const override {
    if (across_ > 0) run_across(in, out);
    if (across_ == rows_.inner) return;
    const int64_t per_row = checked::ceil_div(rows_.inner - across_, tile_), work = tile_ * line_.n;
    parallel_ranges(rows_.outer * per_row, std::max<int64_t>(1, serial_elements / 2 / work),
                    [&](int64_t first, int64_t last) { run_tiles(in, out, first, last, per_row); });
  }

 private:
  [[nodiscard]] const LineTransform::Requirements& requirements() const { return transform_->requirements(); }

  // 1 if there are too few lines to share.
  [[nodiscard]] int64_t useful_threads() const {
    return rows_.outer * rows_.inner * line_.n <= serial_elements / 2 ? 1 : concurrency();
  }

  void choose_access() {
    const LineTransform::Requirements& r = requirements();
    const int64_t lines = rows_.outer * rows_.inner;
    // Prefetchers cannot follow a transform that jumps about in a line. If lines are in memory, it is faster
    // to copy each to the first-level cache.
    const bool distant = !r.sequential_access && lines * in_.bytes() >= distant_bytes &&
                         in_.bytes() >= min_distant_line && in_.bytes() <= direct_bytes;
    in_direct_ = !distant && r.preserves_input && !line_.in_place &&
                 (r.any_alignment || (line_.in_aligned && rows_.aligned(0))) &&
                 (line_.in_step == in_.item || in_.count == 1);
    out_direct_ = (r.any_alignment || (line_.out_aligned && rows_.aligned(1))) &&
                  (line_.out_step == out_.item || out_.count == 1);
    stream_ = out_direct_ && line_.last && lines * out_.bytes() >= stream_bytes &&
              out_.bytes() >= min_streamed_line;
    // Interleaved lines need no tile if they fill whole vectors. The rest of a row goes through tiles.
    const int64_t groups = rows_.inner / r.lanes_across;
    if (r.lanes_across > 1 && rows_.in_dist == in_.item && rows_.out_dist == out_.item &&
        rows_.outer * groups >= useful_threads()) {
      across_ = groups * r.lanes_across;
    }
  }

  // Chooses the lines of a tile: as many as fit into a cache, but enough tiles for all threads.
  void choose_tile() {
    const int64_t bytes = std::max<int64_t>(in_.bytes() + out_.bytes(), 1);
    const bool direct = in_direct_ && out_direct_;
    // Lines that are contiguous in both arrays gain nothing from neighbours in the tile.
    const bool contiguous = line_.in_step == in_.item && line_.out_step == out_.item;
    tile_ = direct || contiguous ? std::clamp<int64_t>(direct_bytes / bytes, 1, 256)
                                 : std::clamp<int64_t>(line_tile_bytes / bytes / 8 * 8, 8, 256);
    const int64_t wanted = 4 * useful_threads();
    while (tile_ > 8 && rows_.outer * checked::ceil_div(rows_.inner, tile_) < wanted) tile_ /= 2;
    const int64_t width = requirements().batch_width;
    if (rows_.outer * (rows_.inner / width) >= useful_threads()) tile_ = checked::round_up(tile_, width);
    tile_ = std::min(tile_, std::max<int64_t>(rows_.inner - across_, 1));
    in_ld_ = in_direct_ ? rows_.in_dist : checked::round_up(in_.bytes(), cache_line);
    out_ld_ = out_direct_ && !stream_ ? rows_.out_dist : checked::round_up(out_.bytes(), cache_line);
  }

  void run_across(const char* in, char* out) const {
    const int64_t width = requirements().lanes_across, groups = across_ / width;
    parallel_ranges(rows_.outer * groups, std::max<int64_t>(1, serial_elements / 2 / (width * line_.n)),
                    [&](int64_t first, int64_t last) {
                      const PoolBlock scratch(requirements().scratch);
                      for (int64_t t = first; t < last; ++t) {
                        const int64_t row = t / groups, column = t % groups * width;
                        transform_->run_across(in + rows_.in(row, column), line_.in_step,
                                               out + rows_.out(row, column), line_.out_step, line_.scale,
                                               scratch.data());
                      }
                    });
  }

  void run_tiles(const char* in, char* out, int64_t first, int64_t last, int64_t per_row) const {
    std::optional<PoolBlock> gathered, result, scratch;
    if (requirements().scratch > 0) scratch.emplace(requirements().scratch);
    if (!in_direct_) gathered.emplace(tile_ * in_ld_);
    if (!out_direct_ || stream_) result.emplace(tile_ * out_ld_);
    for (int64_t t = first; t < last; ++t) {
      const int64_t row = t / per_row, column = across_ + t % per_row * tile_;
      const int64_t lines = std::min(tile_, rows_.inner - column);
      const char* from = in + rows_.in(row, column);
      char* to = out + rows_.out(row, column);
      // FFTW's functions take their input without const.
      char* x = gathered ? gathered->data() : const_cast<char*>(from);
      if (gathered) gather(lines, from, x);
      char* y = result ? result->data() : to;
      transform_->run(lines, x, in_ld_, y, out_ld_, scratch ? scratch->data() : nullptr);
      if (line_.scale != 1) scale(lines, y);
      if (result) scatter(lines, y, to);
    }
    if (stream_) loops().fence_nontemporal();
  }

  void gather(int64_t lines, const char* from, char* x) const {
    fft_loops().gather_lines[log2_of(in_.item)](lines, in_.count, from, rows_.in_dist, line_.in_step, x,
                                                in_ld_);
  }

  void scatter(int64_t lines, const char* y, char* to) const {
    if (!stream_) {
      fft_loops().scatter_lines[log2_of(out_.item)](lines, out_.count, y, out_ld_, to, rows_.out_dist,
                                                    line_.out_step);
      return;
    }
    for (int64_t r = 0; r < lines; ++r)
      loops().copy_nontemporal(out_.bytes(), y + r * out_ld_, to + r * rows_.out_dist);
  }

  void scale(int64_t lines, char* y) const {
    const FftLoops& by = loops_of(line_.real);
    for (int64_t r = 0; r < lines; ++r)
      by.scale(out_.bytes() / item_size(line_.real), line_.scale, y + r * out_ld_);
  }

  const LineShape line_;
  const std::unique_ptr<LineTransform> transform_;
  const LineTransform::Side in_, out_;
  const BatchRows rows_;
  bool in_direct_ = false, out_direct_ = false;  // lines are transformed where they are, not in a tile
  bool stream_ = false;                          // the tile is written with non-temporal stores
  int64_t tile_ = 1, in_ld_ = 0, out_ld_ = 0;    // lines of a tile, and bytes between them
  int64_t across_ = 0;  // lines of each row, from its start, that run_across() transforms
};

}  // namespace

std::unique_ptr<const Pass> plan_lines(const LineLayout& layout, std::unique_ptr<LineTransform> transform) {
  return std::make_unique<LinesPass>(layout, std::move(transform));
}

}  // namespace arr::host
