// SPDX-License-Identifier: MIT
// Planes of two axes, and long lines in four steps (D. H. Bailey, "FFTs in external or hierarchical memory",
// 1990): a line of n1 n2 elements is a matrix of n1 rows; its columns are transformed, multiplied by roots of
// unity, and the rows are transformed, which come out as columns; without the factors that is a plane. Both
// steps go through tiles that fit into a cache, and threads share them. A line of reals is a complex one of
// half the length.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "host/device/pool.h"
#include "host/engine/parallel.h"
#include "host/fft/lines.h"

namespace arr::host {

namespace {

using Complex = std::complex<double>;

constexpr int64_t shortest = 1 << 18;  // of complex elements; one thread alone is faster below
constexpr int64_t least_factor = 32;   // a narrower matrix does not fill a tile
constexpr int64_t tile_bytes = 512 * 1024;
constexpr int64_t fine_roots = 32;  // of a line's roots as products of two: see FftLoops::twiddle

// Roots in the precision of the line.
class Line {
 public:
  Line(DType real, int64_t n) : wide_(real == DType::float64_), memory_(n * 2 * item_size(real)) {}
  void set(int64_t i, Complex z) {
    if (wide_) {
      reinterpret_cast<Complex*>(memory_.data())[i] = z;
    } else {
      reinterpret_cast<std::complex<float>*>(memory_.data())[i] = std::complex<float>(z);
    }
  }
  [[nodiscard]] const void* data() const { return memory_.data(); }

 private:
  bool wide_;
  PoolBlock memory_;
};

// A complex line as a matrix.
class Matrix {
 public:
  Matrix(DType real, bool backward, Split split, const PlanSource& plans, bool line = true)
      : real_(real),
        backward_(backward),
        split_(split),
        item_(2 * item_size(real)),
        across_(plans.get({kind(), real, split.n1})),
        along_(plans.get({kind(), real, split.n2})),
        roots_(line ? plans.get({FftKind::forward, real, split.n1 * split.n2, 1, 0, 0, true}) : nullptr),
        loops_(loops_of(real)) {}

  // A line of n1 n2 elements.
  void run(const char* in, int64_t in_step, char* out, int64_t out_step, double scale) const {
    run({in, in_step, split_.n2 * in_step, out, out_step, split_.n1 * out_step}, true, scale);
  }

  // Bytes between elements along axis 2 and along axis 1 of the input, axis 1 and axis 2 of the result.
  struct Memory {
    const char* in;
    int64_t in_2, in_1;
    char* out;
    int64_t out_1, out_2;
  };
  void run(const Memory& at, bool line, double scale) const {
    const int64_t n1 = split_.n1, n2 = split_.n2;
    const PoolBlock middle(n2 * ld(n1));
    const bool direct =
        at.out_2 == item_ && at.out_1 % 16 == 0 && reinterpret_cast<uintptr_t>(at.out) % 16 == 0;
    // Column j of the matrix becomes row j of `middle`.
    tiles(n2, n1, [&](int64_t from, int64_t lines, char* x, char* y) {
      take(lines, n1, at.in + from * at.in_2, at.in_2, at.in_1, x);
      const PoolBlock memory(across_->scratch());
      Line coarse(real_, checked::ceil_div(n1, fine_roots)), fine(real_, fine_roots);
      for (int64_t r = 0; r < lines; ++r) {
        across_->run(x + r * ld(n1), y, memory.data());
        if (line) {
          for (int64_t i = 0; i < fine_roots; ++i) fine.set(i, root((from + r) * i % (n1 * n2)));
          for (int64_t i = 0; i < n1; i += fine_roots) coarse.set(i / fine_roots, root((from + r) * i));
          loops_.twiddle(n1, fine_roots, coarse.data(), fine.data(), y);
        }
        std::memcpy(middle.data() + (from + r) * ld(n1), y, static_cast<size_t>(n1 * item_));
      }
    });
    tiles(n1, n2, [&](int64_t from, int64_t lines, char* x, char* y) {
      take(lines, n2, middle.data() + from * item_, item_, ld(n1), x);
      const PoolBlock memory(along_->scratch());
      for (int64_t r = 0; r < lines; ++r) {
        char* to = y + (direct ? 0 : r) * ld(n2);
        along_->run(x + r * ld(n2), to, memory.data());
        if (scale != 1) loops_.scale(2 * n2, scale, to);
        if (direct) std::memcpy(at.out + (from + r) * at.out_1, to, static_cast<size_t>(n2 * item_));
      }
      if (direct) return;
      fft_loops().scatter_lines[log2_of(item_)](lines, n2, y, ld(n2), at.out + from * at.out_1, at.out_1,
                                                at.out_2);
    });
  }

 private:
  [[nodiscard]] FftKind kind() const { return backward_ ? FftKind::backward : FftKind::forward; }
  [[nodiscard]] Complex root(int64_t k) const {
    const Complex z = (*roots_->roots)(k);
    return backward_ ? std::conj(z) : z;
  }
  // A cache line more than a line needs: of neighbours in a column not all fall into one set of the cache.
  [[nodiscard]] int64_t ld(int64_t n) const { return checked::round_up(n * item_, 64) + 64; }
  void take(int64_t lines, int64_t n, const char* from, int64_t line_stride, int64_t step, char* to) const {
    fft_loops().gather_lines[log2_of(item_)](lines, n, from, line_stride, step, to, ld(n));
  }

  // body(first line, lines, two tiles) over `count` lines of n elements each.
  template <class Body>
  void tiles(int64_t count, int64_t n, const Body& body) const {
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
  HeldPlan across_, along_, roots_;
  const FftLoops& loops_;
};

// Numbers of a line with a step, behind each other.
void take_line(int64_t n, const char* from, int64_t step, int64_t item, char* to) {
  fft_loops().gather_lines[log2_of(item)](1, n, from, 0, step, to, 0);
}
void put_line(int64_t n, const char* from, int64_t item, char* to, int64_t step) {
  fft_loops().scatter_lines[log2_of(item)](1, n, from, 0, to, 0, step);
}

LineKey pair_roots(const LinePass& p) { return {FftKind::forward, p.real, p.n, 1, 0, 0, true}; }

// body(from, to, roots) over the places 1 .. m / 2 of a line of n = 2 m reals.
template <class Body>
void pairs(const LinePass& p, const Body& body) {
  constexpr int64_t block = 1024;
  const HeldPlan roots = p.plans.get(pair_roots(p));
  const int64_t count = p.n / 4;
  parallel_ranges(checked::ceil_div(count, block), 4, [&](int64_t first, int64_t last) {
    Line w(p.real, block);
    for (int64_t b = first; b < last; ++b) {
      const int64_t from = 1 + b * block, to = std::min(from + block, 1 + count);
      for (int64_t k = from; k < to; ++k) w.set(k - from, (*roots->roots)(k));
      body(from, to, w.data());
    }
  });
}

// The places 0 and m, which are a pair of their own: (a + b, a - b) of the real and the imaginary part.
template <class F>
void end_of_real(int64_t m, char* line) {
  F* x = reinterpret_cast<F*>(line);
  const F re = x[0], im = x[1];
  x[0] = re + im;
  x[2 * m] = re - im;
  x[1] = x[2 * m + 1] = 0;
}
template <class F>
void start_of_real(int64_t m, const char* line, char* to) {
  const F* x = reinterpret_cast<const F*>(line);
  F* z = reinterpret_cast<F*>(to);
  z[0] = x[0] + x[2 * m];
  z[1] = x[0] - x[2 * m];
}

void real_to_complex(const LinePass& p, Split split, const char* in, char* out) {
  const int64_t item = item_size(p.real), m = p.n / 2;
  const bool wide = p.real == DType::float64_;
  std::optional<PoolBlock> before, after;
  if (p.in_step != item) {
    before.emplace(p.n * item);
    take_line(p.n, in, p.in_step, item, before->data());
    in = before->data();
  }
  if (p.out_step != 2 * item) after.emplace((m + 1) * 2 * item);
  char* x = after ? after->data() : out;
  Matrix(p.real, false, split, p.plans).run(in, 2 * item, x, 2 * item, p.scale);
  (wide ? end_of_real<double> : end_of_real<float>)(m, x);
  pairs(p, [&](int64_t from, int64_t to, const void* w) {
    loops_of(p.real).real_fft_postprocess(m, from, to, w, x);
  });
  if (after) put_line(m + 1, x, 2 * item, out, p.out_step);
}

void complex_to_real(const LinePass& p, Split split, const char* in, char* out) {
  const int64_t item = item_size(p.real), m = p.n / 2;
  const bool wide = p.real == DType::float64_;
  std::optional<PoolBlock> before, after;
  if (p.in_step != 2 * item) {
    before.emplace((m + 1) * 2 * item);
    take_line(m + 1, in, p.in_step, 2 * item, before->data());
    in = before->data();
  }
  const PoolBlock z(m * 2 * item);
  (wide ? start_of_real<double> : start_of_real<float>)(m, in, z.data());
  pairs(p, [&](int64_t from, int64_t to, const void* w) {
    loops_of(p.real).real_ifft_preprocess(m, from, to, w, in, z.data());
  });
  if (p.out_step != item) after.emplace(p.n * item);
  Matrix(p.real, true, split, p.plans)
      .run(z.data(), 2 * item, after ? after->data() : out, 2 * item, p.scale);
  if (after) put_line(p.n, after->data(), item, out, p.out_step);
}

}  // namespace

Split split_of(const LinePass& pass, FftKind kind) {
  int64_t n = pass.n;
  if (kind == FftKind::r2c || kind == FftKind::c2r) {
    if (n % 2 != 0) return {};
    n /= 2;
  }
  if (n < shortest) return {};
  for (auto n1 = static_cast<int64_t>(std::sqrt(static_cast<double>(n))); n1 >= least_factor; --n1) {
    if (n % n1 == 0) return {n1, n / n1};
  }
  return {};
}

namespace {

// Rows that are contiguous on both sides first, into rows that do not fall into the same sets of a cache,
// then columns as vectors across them.
void run_rows_first(const FftCall::Dim& axis1, const FftCall::Dim& axis2, FftKind kind, DType real,
                    const char* in, char* out, double scale, const PlanSource& plans) {
  const int64_t item = 2 * item_size(real), ld = checked::round_up(axis2.n * item, int64_t{64}) + 64;
  const PoolBlock middle(plans.planning() ? 1 : axis1.n * ld);
  LinePass rows;
  rows.plans = plans;
  rows.real = real;
  rows.n = axis2.n;
  rows.in = in;
  rows.out = middle.data();
  rows.in_step = rows.out_step = item;
  rows.nbatch = 1;
  rows.batch[0] = {axis1.n, axis1.in, ld};
  rows.last = false;
  transform_lines(rows, kind);
  LinePass columns = rows;
  columns.n = axis1.n;
  columns.in = middle.data();
  columns.out = out;
  columns.in_step = ld;
  columns.out_step = axis1.out;
  columns.batch[0] = {axis2.n, item, item};
  columns.scale = scale;
  transform_lines(columns, kind);
}

}  // namespace

void run_plane(const FftCall::Dim& axis1, const FftCall::Dim& axis2, FftKind kind, DType real, const char* in,
               char* out, double scale, const PlanSource& plans) {
  const int64_t item = 2 * item_size(real);
  const HeldPlan column = plans.get({kind, real, axis1.n});
  if (axis2.in == item && axis2.out == item && column->radix != nullptr && column->radix->abreast > 1) {
    return run_rows_first(axis1, axis2, kind, real, in, out, scale, plans);
  }
  const Matrix m(real, kind == FftKind::backward, {axis1.n, axis2.n}, plans, false);
  if (plans.planning()) return;
  m.run({in, axis2.in, axis1.in, out, axis1.out, axis2.out}, false, scale);
}

void plan_split(const LinePass& pass, FftKind kind, Split split) {
  const Matrix matrix(pass.real, kind == FftKind::backward || kind == FftKind::c2r, split, pass.plans);
  if (kind == FftKind::r2c || kind == FftKind::c2r) static_cast<void>(pass.plans.get(pair_roots(pass)));
}

void run_split(const LinePass& pass, FftKind kind, Split split, const char* in, char* out) {
  if (kind == FftKind::r2c) {
    real_to_complex(pass, split, in, out);
  } else if (kind == FftKind::c2r) {
    complex_to_real(pass, split, in, out);
  } else {
    Matrix(pass.real, kind == FftKind::backward, split, pass.plans)
        .run(in, pass.in_step, out, pass.out_step, pass.scale);
  }
}

}  // namespace arr::host
