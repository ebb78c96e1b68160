// SPDX-License-Identifier: MIT
// The passes over long lines and over planes of two axes. A long line is transformed in four steps (D. H.
// Bailey, "FFTs in external or hierarchical memory", 1990): its n1 n2 elements are a matrix of n1 rows; the
// columns are transformed and multiplied by roots of unity, then the rows are transformed and stored as
// columns. Without the roots that is the transform of a plane. Both steps go through tiles that fit into a
// cache, and threads share them. A line of reals is a complex line of half the length.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "host/device/pool_block.h"
#include "host/elementwise/parallel.h"
#include "host/fft/batch.h"
#include "host/fft/passes.h"

namespace arr::host {

namespace {

using Complex = std::complex<double>;

constexpr int64_t min_split_length = 1
                                     << 18;  // complex elements; for shorter lines one thread alone is faster
constexpr int64_t min_factor = 32;           // a narrower matrix does not fill a tile
constexpr int64_t tile_bytes = 512 * 1024;
constexpr int64_t fine_roots =
    32;  // roots of a line are products of two table entries: see FftLoops::twiddle

// A contiguous table of complex numbers in the precision of the line.
class RootTable {
 public:
  RootTable(DType real, int64_t n) : is_double_(real == DType::float64_), memory_(n * 2 * item_size(real)) {}
  void set(int64_t i, Complex z) {
    if (is_double_) {
      reinterpret_cast<Complex*>(memory_.data())[i] = z;
    } else {
      reinterpret_cast<std::complex<float>*>(memory_.data())[i] = std::complex<float>(z);
    }
  }
  [[nodiscard]] const void* data() const { return memory_.data(); }

 private:
  bool is_double_;
  PoolBlock memory_;
};

LineKey roots_key(DType real, int64_t n) { return {FftKind::forward, real, n, 1, 0, 0, true}; }

// The complex transform of an n1 x n2 matrix along both axes: of a long line, with roots of unity in between,
// or of a plane.
class MatrixTransform {
 public:
  enum class Of : int8_t { line, plane };
  MatrixTransform(DType real, bool backward, Split split, const PlanSource& plans, Of of)
      : real_(real),
        backward_(backward),
        split_(split),
        item_(2 * item_size(real)),
        columns_(plans.get({kind(), real, split.n1})),
        rows_(plans.get({kind(), real, split.n2})),
        roots_(of == Of::line ? plans.get(roots_key(real, split.n1 * split.n2)) : nullptr),
        loops_(loops_of(real)) {}

  // Transforms a line of n1 n2 elements.
  void run_line(const char* in, int64_t in_step, char* out, int64_t out_step, double scale) const {
    run({in, in_step, split_.n2 * in_step, out, out_step, split_.n1 * out_step}, scale);
  }

  // Bytes between elements along axis 2 and along axis 1 of the input, axis 1 and axis 2 of the result.
  struct Memory {
    const char* in;
    int64_t in_2, in_1;
    char* out;
    int64_t out_1, out_2;
  };
  void run(const Memory& at, double scale) const {
    const PoolBlock middle(split_.n2 * ld(split_.n1));
    transform_columns(at, middle.data());
    transform_rows(at, middle.data(), scale);
  }

 private:
  [[nodiscard]] FftKind kind() const { return backward_ ? FftKind::backward : FftKind::forward; }
  [[nodiscard]] Complex root(int64_t k) const {
    const Complex z = (*roots_->roots)(k);
    return backward_ ? std::conj(z) : z;
  }
  // Bytes of a line with padding of a cache line: the elements of a column are then in different cache sets.
  [[nodiscard]] int64_t ld(int64_t n) const { return checked::round_up(n * item_, 64) + 64; }
  void gather(int64_t lines, int64_t n, const char* from, int64_t line_stride, int64_t step, char* to) const {
    fft_loops().gather_lines[log2_of(item_)](lines, n, from, line_stride, step, to, ld(n));
  }

  // Column j of the matrix becomes row j of `middle`.
  void transform_columns(const Memory& at, char* middle) const {
    const int64_t n1 = split_.n1, n2 = split_.n2;
    each_tile(n2, n1, [&](int64_t from, int64_t lines, char* x, char* y) {
      gather(lines, n1, at.in + from * at.in_2, at.in_2, at.in_1, x);
      const PoolBlock memory(columns_->scratch());
      RootTable coarse(real_, checked::ceil_div(n1, fine_roots)), fine(real_, fine_roots);
      for (int64_t r = 0; r < lines; ++r) {
        columns_->run(x + r * ld(n1), y, memory.data());
        if (roots_ != nullptr) {
          for (int64_t i = 0; i < fine_roots; ++i) fine.set(i, root((from + r) * i % (n1 * n2)));
          for (int64_t i = 0; i < n1; i += fine_roots) coarse.set(i / fine_roots, root((from + r) * i));
          loops_.twiddle(n1, fine_roots, coarse.data(), fine.data(), y);
        }
        std::memcpy(middle + (from + r) * ld(n1), y, static_cast<size_t>(n1 * item_));
      }
    });
  }

  void transform_rows(const Memory& at, const char* middle, double scale) const {
    const int64_t n1 = split_.n1, n2 = split_.n2;
    const bool direct = at.out_2 == item_ && at.out_1 % simd_alignment == 0 && simd_aligned(at.out);
    each_tile(n1, n2, [&](int64_t from, int64_t lines, char* x, char* y) {
      gather(lines, n2, middle + from * item_, item_, ld(n1), x);
      const PoolBlock memory(rows_->scratch());
      for (int64_t r = 0; r < lines; ++r) {
        char* to = y + (direct ? 0 : r) * ld(n2);
        rows_->run(x + r * ld(n2), to, memory.data());
        if (scale != 1) loops_.scale(2 * n2, scale, to);
        if (direct) std::memcpy(at.out + (from + r) * at.out_1, to, static_cast<size_t>(n2 * item_));
      }
      if (direct) return;
      fft_loops().scatter_lines[log2_of(item_)](lines, n2, y, ld(n2), at.out + from * at.out_1, at.out_1,
                                                at.out_2);
    });
  }

  // Calls body(first line, lines, two tiles) over `count` lines of n elements each.
  template <class Body>
  void each_tile(int64_t count, int64_t n, const Body& body) const {
    const int64_t tile = std::min(count, std::clamp<int64_t>(tile_bytes / ld(n) / 8 * 8, 8, 64));
    parallel_ranges(checked::ceil_div(count, tile), 1, [&](int64_t first, int64_t last) {
      const PoolBlock x(tile * ld(n)), y(tile * ld(n));
      for (int64_t t = first; t < last; ++t) {
        body(t * tile, std::min(tile, count - t * tile), x.data(), y.data());
      }
    });
  }

  DType real_;
  bool backward_;
  Split split_;
  int64_t item_;
  HeldPlan columns_, rows_, roots_;
  const FftLoops& loops_;
};

// Copies a strided line to a contiguous one, and back.
void gather_line(int64_t n, const char* from, int64_t step, int64_t item, char* to) {
  fft_loops().gather_lines[log2_of(item)](1, n, from, 0, step, to, 0);
}
void scatter_line(int64_t n, const char* from, int64_t item, char* to, int64_t step) {
  fft_loops().scatter_lines[log2_of(item)](1, n, from, 0, to, 0, step);
}

// Elements 0 and m of a real transform, from element 0 of the complex one of half the length: re + im and re
// - im.
template <class F>
void postprocess_ends(int64_t m, char* line) {
  F* x = reinterpret_cast<F*>(line);
  const F re = x[0], im = x[1];
  x[0] = re + im;
  x[2 * m] = re - im;
  x[1] = x[2 * m + 1] = 0;
}
template <class F>
void preprocess_ends(int64_t m, const char* line, char* to) {
  const F* x = reinterpret_cast<const F*>(line);
  F* z = reinterpret_cast<F*>(to);
  z[0] = x[0] + x[2 * m];
  z[1] = x[0] - x[2 * m];
}

// Transforms each long line in four steps.
class FourStepPass final : public Pass {
 public:
  FourStepPass(const LineLayout& layout, FftKind kind, Split split, const PlanSource& plans)
      : layout_(layout),
        kind_(kind),
        lines_(layout.nbatch, layout.batch),
        matrix_(layout.real, kind == FftKind::backward || kind == FftKind::c2r, split, plans,
                MatrixTransform::Of::line),
        pair_roots_(kind == FftKind::r2c || kind == FftKind::c2r ? plans.get(roots_key(layout.real, layout.n))
                                                                 : nullptr) {}

  void run(const char* in, char* out) const override {
    parallel_ranges(lines_.outer * lines_.inner, 1, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        const int64_t row = i / lines_.inner, column = i % lines_.inner;
        run_line(in + lines_.in(row, column), out + lines_.out(row, column));
      }
    });
  }

 private:
  void run_line(const char* in, char* out) const {
    if (kind_ == FftKind::r2c) {
      real_to_complex(in, out);
    } else if (kind_ == FftKind::c2r) {
      complex_to_real(in, out);
    } else {
      matrix_.run_line(in, layout_.in_step, out, layout_.out_step, layout_.scale);
    }
  }

  void real_to_complex(const char* in, char* out) const {
    const int64_t item = item_size(layout_.real), m = layout_.n / 2;
    std::optional<PoolBlock> gathered, result;
    if (layout_.in_step != item) {
      gathered.emplace(layout_.n * item);
      gather_line(layout_.n, in, layout_.in_step, item, gathered->data());
      in = gathered->data();
    }
    if (layout_.out_step != 2 * item) result.emplace((m + 1) * 2 * item);
    char* x = result ? result->data() : out;
    matrix_.run_line(in, 2 * item, x, 2 * item, layout_.scale);
    (is_double() ? postprocess_ends<double> : postprocess_ends<float>)(m, x);
    each_pair_block([&](int64_t from, int64_t to, const void* w) {
      loops_of(layout_.real).real_fft_postprocess(m, from, to, w, x);
    });
    if (result) scatter_line(m + 1, x, 2 * item, out, layout_.out_step);
  }

  void complex_to_real(const char* in, char* out) const {
    const int64_t item = item_size(layout_.real), m = layout_.n / 2;
    std::optional<PoolBlock> gathered, result;
    if (layout_.in_step != 2 * item) {
      gathered.emplace((m + 1) * 2 * item);
      gather_line(m + 1, in, layout_.in_step, 2 * item, gathered->data());
      in = gathered->data();
    }
    const PoolBlock z(m * 2 * item);
    (is_double() ? preprocess_ends<double> : preprocess_ends<float>)(m, in, z.data());
    each_pair_block([&](int64_t from, int64_t to, const void* w) {
      loops_of(layout_.real).real_ifft_preprocess(m, from, to, w, in, z.data());
    });
    if (layout_.out_step != item) result.emplace(layout_.n * item);
    matrix_.run_line(z.data(), 2 * item, result ? result->data() : out, 2 * item, layout_.scale);
    if (result) scatter_line(layout_.n, result->data(), item, out, layout_.out_step);
  }

  // Calls body(from, to, roots) over blocks of the elements 1 .. m / 2 of a line of 2 m reals; threads share
  // the blocks.
  template <class Body>
  void each_pair_block(const Body& body) const {
    constexpr int64_t block = 1024;
    const int64_t count = layout_.n / 4;
    parallel_ranges(checked::ceil_div(count, block), 4, [&](int64_t first, int64_t last) {
      RootTable w(layout_.real, block);
      for (int64_t b = first; b < last; ++b) {
        const int64_t from = 1 + b * block, to = std::min(from + block, 1 + count);
        for (int64_t k = from; k < to; ++k) w.set(k - from, (*pair_roots_->roots)(k));
        body(from, to, w.data());
      }
    });
  }

  [[nodiscard]] bool is_double() const { return layout_.real == DType::float64_; }

  const LineShape layout_;
  const FftKind kind_;
  const BatchRows lines_;
  const MatrixTransform matrix_;
  const HeldPlan pair_roots_;
};

// Transforms each plane as a matrix.
class MatrixPlane final : public Pass {
 public:
  MatrixPlane(const PlaneLayout& layout, FftKind kind, const PlanSource& plans)
      : layout_(layout),
        matrix_(layout.real, kind == FftKind::backward, {layout.slow.n, layout.fast.n}, plans,
                MatrixTransform::Of::plane) {}
  void run(const char* in, char* out) const override {
    matrix_.run({in, layout_.fast.in, layout_.slow.in, out, layout_.slow.out, layout_.fast.out},
                layout_.scale);
  }

 private:
  const PlaneLayout layout_;
  const MatrixTransform matrix_;
};

// Transforms the rows of a plane, which are contiguous in both arrays, into a temporary whose rows are padded
// to start in different cache sets; then the columns in vectors across them.
class RowsFirstPlane final : public Pass {
 public:
  RowsFirstPlane(const PlaneLayout& layout, FftKind kind, const PlanSource& plans)
      : bytes_(layout.slow.n * ld(layout)),
        rows_(rows(layout, kind, plans)),
        columns_(columns(layout, kind, plans)) {}
  void run(const char* in, char* out) const override {
    const PoolBlock middle(bytes_);
    rows_->run(in, middle.data());
    columns_->run(middle.data(), out);
  }

 private:
  static int64_t item(const PlaneLayout& p) { return 2 * item_size(p.real); }
  static int64_t ld(const PlaneLayout& p) { return checked::round_up(p.fast.n * item(p), int64_t{64}) + 64; }
  static std::unique_ptr<const Pass> rows(const PlaneLayout& p, FftKind kind, const PlanSource& plans) {
    LineLayout lines;
    lines.real = p.real;
    lines.n = p.fast.n;
    lines.in_step = lines.out_step = item(p);
    lines.nbatch = 1;
    lines.batch[0] = {p.slow.n, p.slow.in, ld(p)};
    lines.in_aligned = p.in_aligned;
    lines.out_aligned = true;
    lines.last = false;
    return plan_fft_lines(lines, kind, plans);
  }
  static std::unique_ptr<const Pass> columns(const PlaneLayout& p, FftKind kind, const PlanSource& plans) {
    LineLayout lines;
    lines.real = p.real;
    lines.n = p.slow.n;
    lines.in_step = ld(p);
    lines.out_step = p.slow.out;
    lines.nbatch = 1;
    lines.batch[0] = {p.fast.n, item(p), item(p)};
    lines.in_aligned = true;
    lines.out_aligned = p.out_aligned;
    lines.scale = p.scale;
    lines.last = false;
    return plan_fft_lines(lines, kind, plans);
  }

  const int64_t bytes_;
  const std::unique_ptr<const Pass> rows_, columns_;
};

// Runs a pass over one plane for every index of the batch.
class PlanesPass final : public Pass {
 public:
  PlanesPass(const PlaneLayout& layout, std::unique_ptr<const Pass> plane)
      : planes_(layout.nbatch, layout.batch), plane_(std::move(plane)) {}
  void run(const char* in, char* out) const override {
    parallel_ranges(planes_.outer * planes_.inner, 1, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        const int64_t row = i / planes_.inner, column = i % planes_.inner;
        plane_->run(in + planes_.in(row, column), out + planes_.out(row, column));
      }
    });
  }

 private:
  const BatchRows planes_;
  const std::unique_ptr<const Pass> plane_;
};

}  // namespace

Split split_of(int64_t n, FftKind kind) {
  if (kind == FftKind::r2c || kind == FftKind::c2r) {
    if (n % 2 != 0) return {};
    n /= 2;
  }
  if (n < min_split_length) return {};
  for (auto n1 = static_cast<int64_t>(std::sqrt(static_cast<double>(n))); n1 >= min_factor; --n1) {
    if (n % n1 == 0) return {n1, n / n1};
  }
  return {};
}

std::unique_ptr<const Pass> plan_four_step(const LineLayout& layout, FftKind kind, Split split,
                                           const PlanSource& plans) {
  return std::make_unique<FourStepPass>(layout, kind, split, plans);
}

std::unique_ptr<const Pass> plan_planes(const PlaneLayout& layout, FftKind kind, const PlanSource& plans) {
  const int64_t item = 2 * item_size(layout.real);
  PlaneLayout plane = layout;  // the plane for any index of the batch
  const BatchRows batch(layout.nbatch, layout.batch);
  plane.in_aligned = plane.in_aligned && batch.aligned(0);
  plane.out_aligned = plane.out_aligned && batch.aligned(1);
  const HeldPlan column = plans.get({kind, layout.real, layout.slow.n});
  const bool rows_first = layout.fast.in == item && layout.fast.out == item && column->radix != nullptr &&
                          column->radix->lanes_across > 1;
  std::unique_ptr<const Pass> one;
  if (rows_first) {
    one = std::make_unique<RowsFirstPlane>(plane, kind, plans);
  } else {
    one = std::make_unique<MatrixPlane>(plane, kind, plans);
  }
  return std::make_unique<PlanesPass>(layout, std::move(one));
}

}  // namespace arr::host
