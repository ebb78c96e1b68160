// SPDX-License-Identifier: MIT
// Cosine and sine transforms: a Fourier transform of at most the same length between two passes that permute
// and multiply by twiddle factors. Type 1 is a transform of the periodic signal of twice the length. J.
// Makhoul: A fast cosine transform in one and two dimensions; 1980.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>

#include "backend/fft.h"
#include "base/fork.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/fft/prepare.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

constexpr double root2 = std::numbers::sqrt2;
using std::numbers::pi;

// pi (step j + first) / whole for j = 0 .. n - 1.
struct Angles {
  int64_t first, step, whole, n;
  DType dtype;
  Device device;
  friend bool operator==(const Angles&, const Angles&) = default;
};

// Cosines and sines, the rows of a matrix.
Ref<Array> make_roots(const Angles& a, Device device, Stream* stream) {
  const int64_t shape[] = {2, a.n};
  Ref<Array> out = empty(a.dtype, shape, Order::C, device, stream);
  for (const int32_t which : {op::cos, op::sin}) {
    const Ref<Array> row = index_axis(*out, 0, which == op::sin);
    ProgramBuilder b;
    auto constant = [&](double x) { return b.scalar(scalar_of(x), true); };
    const int32_t j = b.op(op::multiply, b.cast(b.input(DType::int64_), DType::float64_),
                           constant(static_cast<double>(a.step)));
    const int32_t turn = b.op(op::add, j, constant(static_cast<double>(a.first)));
    const int32_t angle = b.op(op::multiply, turn, constant(pi / static_cast<double>(a.whole)));
    b.output(b.cast(b.op(which, angle), a.dtype));
    const BoundProgram p = b.finish();
    const Layout ramp = ramp_of(row->layout);
    std::vector<Input> inputs = {ramp_input(ramp, 0)};
    add_constants(p, &inputs);
    run_into(*row, *p.program, inputs, stream);
  }
  return out;
}

// Cached for small sizes, for which computing them takes as long as the transform of a line.
Ref<Array> roots_of(const Angles& a, Stream* stream) {
  constexpr int64_t max_cached = int64_t{1} << 17;
  constexpr size_t max_tables = 16;
  struct Cached {
    Angles angles;
    Ref<Array> roots;
  };
  static auto* mutex = new ProcessMutex;
  static auto* all = new std::vector<Cached>;  // never destroyed: devices may be gone by then
  if (a.n > max_cached) return make_roots(a, a.device, stream);
  const std::lock_guard lock(*mutex);
  for (size_t i = 0; i < all->size(); ++i) {
    if (!((*all)[i].angles == a)) continue;
    std::swap((*all)[i], (*all)[i / 2]);  // the entries that are removed are at the end
    return (*all)[i / 2].roots;
  }
  // The cached array must not wait for the launch of a graph that the stream may be recording.
  Ref<Array> fresh = make_roots(a, {}, nullptr);
  if (!(a.device == Device{})) fresh = to_device(*fresh, a.device, nullptr);
  if (all->size() == max_tables) all->pop_back();
  all->push_back({a, fresh});
  return fresh;
}

// Vectors along an axis, for multiplication of an array.
struct Roots {
  Ref<Array> cos, sin;
  Roots(const Angles& a, const Array& like, int32_t axis, Stream* stream) {
    const Ref<Array> both = roots_of(a, stream);
    cos = broadcastable_vector(*index_axis(*both, 0, 0), like.layout.ndim, axis);
    sin = broadcastable_vector(*index_axis(*both, 0, 1), like.layout.ndim, axis);
  }
};

// Transforms of reals along one axis, from one array into another.
class Lines {
 public:
  Lines(const Array& x, int32_t axis, DType real, CosineKind kind, FftNorm norm, Stream* stream)
      : axis_(axis),
        n_(x.layout.shape[axis]),
        real_(real),
        sine_(kind.sine),
        ends_(kind.orthogonal),
        ortho_(norm == FftNorm::ortho),
        divided_(kind.inverse == (norm == FftNorm::backward)),
        stream_(stream) {}

  // Calls the backend's one-pass transform, if it has one for such lines.
  bool at_once(int32_t type, const Array& dst, const Array& x) const {
    const Queue q = queue_for(x.device(), stream_);
    if (api<FftApi>(q).cosine == nullptr || type == 1 || n_ % 2 != 0 || n_ > cosine_longest) return false;
    const Ref<Array> source = as_type(x, real_, stream_);
    CosineCall c;
    c.type = type;
    c.sine = sine_;
    c.ends = ends_;
    c.real = real_;
    c.in = source->data;
    c.out = dst.data;
    c.scale = factor(2 * n_);
    for (int32_t d = 0; d < x.layout.ndim; ++d) {
      FftCall::Dim& dim = d == axis_ ? c.axis : c.batch[static_cast<size_t>(c.nbatch++)];
      dim = {x.layout.shape[d], source->layout.strides[d], dst.layout.strides[d]};
    }
    use_to_read(*source->buffer, q);
    use(*dst.buffer, q);
    enqueue(q, api<FftApi>(q).cosine, c);
    return true;
  }

  // The host's passes run on blocks that fit its caches.
  void in_blocks(int32_t type, const Array& dst, const Array& x) const {
    constexpr int64_t block = int64_t{1} << 20;  // bytes of the result
    int32_t order[max_ndim];
    dst.layout.axis_order(order);
    const int32_t outer = order[0] != axis_ || dst.layout.ndim == 1 ? order[0] : order[1];
    const int64_t n = dst.layout.shape[outer], bytes = dst.layout.size() * dst.item();
    if (dst.device().type != ARR_HOST || outer == axis_ || bytes <= block) return run(type, dst, x);
    const int64_t step = std::max<int64_t>(1, checked::ceil_div(n, checked::ceil_div(bytes, block)));
    for (int64_t from = 0; from < n; from += step) {
      const int64_t to = std::min(from + step, n);
      run(type, *slice_axis(dst, outer, from, to), *slice_axis(x, outer, from, to));
    }
  }

 private:
  void run(int32_t type, const Array& dst, const Array& x) const {
    if (type == 1) return sine_ ? odd_signal(dst, x) : even_signal(dst, x);
    if (type == 2) return second(dst, x);
    if (type == 3) return third(dst, x);
    return n_ % 2 == 0 ? fourth_even(dst, x) : fourth_odd(dst, x);
  }

  // The factor of a transform whose square is `size` times the identity.
  [[nodiscard]] double factor(int64_t size) const {
    const auto s = static_cast<double>(size);
    return ortho_ ? 1 / std::sqrt(s) : divided_ ? 1 / s : 1;
  }

  [[nodiscard]] Ref<Array> empty(const Array& like, DType dtype, int64_t n) const {
    Layout shape = like.layout;
    shape.shape[axis_] = n;
    return create(dtype, layout_like(like.layout, shape.dims(), item_size(dtype)), like.device(), stream_);
  }
  [[nodiscard]] Ref<Array> section(const Array& a, int64_t from, int64_t to) const {
    return slice_axis(a, axis_, from, to);
  }
  [[nodiscard]] Ref<Array> steps(const Array& a, int64_t from, int64_t step) const {
    return strided_slice(a, axis_, from, step);
  }
  [[nodiscard]] Ref<Array> back(const Array& a) const { return reversed(a, axis_); }
  [[nodiscard]] Ref<Array> back_if(bool turn, const Array& a) const { return turn ? back(a) : a.share(); }
  [[nodiscard]] Roots roots(const Array& like, int64_t first, int64_t step, int64_t whole, int64_t n) const {
    return {{first, step, whole, n, real_, like.device()}, like, axis_, stream_};
  }

  // dst = factor * x
  void scaled(const Array& dst, const Array& x, double by) const {
    if (dst.layout.size() == 0) return;
    if (by == 1) return assign(dst, x, stream_);
    const BoundProgram p = program_of({&x}, [&](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::multiply, b.cast(in[0], real_), b.scalar(scalar_of(by), true));
    });
    const Array* in[] = {&x};
    run_into(dst, p, in, stream_);
  }
  // dst = factor * (a p + b q), or factor * (a p - b q).
  void rotated(const Array& dst, const Array& a, const Array& p, const Array& b, const Array& q, double by,
               bool difference) const {
    if (dst.layout.size() == 0) return;
    const BoundProgram f = program_of({&a, &p, &b, &q}, [&](ProgramBuilder& build, const int32_t* in) {
      auto product = [&](int32_t x, int32_t y) { return build.op(op::multiply, build.cast(x, real_), y); };
      const int32_t sum =
          build.op(difference ? op::subtract : op::add, product(in[0], in[1]), product(in[2], in[3]));
      return by == 1 ? sum : build.op(op::multiply, sum, build.scalar(scalar_of(by), true));
    });
    const Array* in[] = {&a, &p, &b, &q};
    run_into(dst, f, in, stream_);
  }

  void even_signal(const Array& dst, const Array& x) const;
  void odd_signal(const Array& dst, const Array& x) const;
  void second(const Array& dst, const Array& x) const;
  void third(const Array& dst, const Array& x) const;
  void fourth_even(const Array& dst, const Array& x) const;
  void fourth_odd(const Array& dst, const Array& x) const;

  int32_t axis_;
  int64_t n_;
  DType real_;
  bool sine_, ends_;
  bool ortho_, divided_;
  Stream* stream_;
};

// The spectrum of x[0], x[1] ... x[n-1] ... x[1] is real.
void Lines::even_signal(const Array& dst, const Array& x) const {
  const int64_t size = 2 * (n_ - 1);
  const Ref<Array> signal = empty(x, real_, size);
  scaled(*section(*signal, 0, n_), x, 1);
  scaled(*section(*signal, n_, size), *back(*section(x, 1, n_ - 1)), 1);
  const Ref<Array> ends = steps(*section(*signal, 0, n_), 0, n_ - 1);
  if (ends_) scaled(*ends, *ends, root2);
  const Ref<Array> spectrum = transformed(*signal, axis_, size, FftKind::r2c, stream_);
  scaled(dst, *complex_part(*spectrum, 0), factor(size));
  const Ref<Array> last = steps(dst, 0, n_ - 1);
  if (ends_) scaled(*last, *last, 1 / root2);
}

// The transform of 0, x[0] ... x[n-1], 0, -x[n-1] ... -x[0] is imaginary.
void Lines::odd_signal(const Array& dst, const Array& x) const {
  const int64_t size = 2 * (n_ + 1);
  const Ref<Array> signal = empty(x, real_, size);
  Scalar zero;
  zero.dtype = real_;
  fill(*steps(*signal, 0, n_ + 1), zero, stream_);
  scaled(*section(*signal, 1, n_ + 1), x, 1);
  scaled(*section(*signal, n_ + 2, size), *back(x), -1);
  const Ref<Array> spectrum = transformed(*signal, axis_, size, FftKind::r2c, stream_);
  scaled(dst, *section(*complex_part(*spectrum, 1), 1, n_ + 1), -factor(size));
}

// The spectrum V of x[0], x[2], x[4] ... x[5], x[3], x[1]. With z[k] = exp(-i pi k / 2n) V[k], elements k and
// n - k are the real part and minus the imaginary part of 2 z[k]. Sine transforms: every second element of x
// changes its sign, and the result is reversed.
void Lines::second(const Array& dst, const Array& x) const {
  const int64_t half = n_ / 2 + 1;
  const Ref<Array> v = empty(x, real_, n_);
  scaled(*section(*v, 0, n_ - n_ / 2), *steps(x, 0, 2), 1);
  scaled(*back(*section(*v, n_ - n_ / 2, n_)), *steps(x, 1, 2), sine_ ? -1 : 1);
  const Ref<Array> spectrum = transformed(*v, axis_, n_, FftKind::r2c, stream_);
  const Roots w = roots(x, 0, 1, 2 * n_, half);
  const Ref<Array> re = complex_part(*spectrum, 0), im = complex_part(*spectrum, 1);
  const Ref<Array> y = back_if(sine_, dst);
  const double by = 2 * factor(2 * n_);
  rotated(*section(*y, 0, half), *re, *w.cos, *im, *w.sin, by, false);
  const int64_t both = (n_ + 1) / 2;  // k from 1 up to there have an n - k
  rotated(*back(*section(*y, half, n_)), *section(*re, 1, both), *section(*w.sin, 1, both),
          *section(*im, 1, both), *section(*w.cos, 1, both), by, true);
  const Ref<Array> first = section(*y, 0, 1);
  if (ends_) scaled(*first, *first, 1 / root2);
}

// The inverse of type 2, step by step.
void Lines::third(const Array& dst, const Array& x) const {
  const int64_t half = n_ / 2 + 1;
  const Ref<Array> y = back_if(sine_, x);
  const Ref<Array> spectrum = empty(x, complex_of(real_), half);
  const Ref<Array> re = complex_part(*spectrum, 0), im = complex_part(*spectrum, 1);
  const Roots w = roots(x, 0, 1, 2 * n_, half);
  const double by = factor(2 * n_);
  scaled(*section(*re, 0, 1), *section(*y, 0, 1), ends_ ? by * root2 : by);
  Scalar zero;
  zero.dtype = real_;
  fill(*section(*im, 0, 1), zero, stream_);
  const Ref<Array> up = section(*y, 1, half), down = back(*section(*y, n_ - n_ / 2, n_));
  const Ref<Array> cos = section(*w.cos, 1, half), sin = section(*w.sin, 1, half);
  rotated(*section(*re, 1, half), *up, *cos, *down, *sin, by, false);
  rotated(*section(*im, 1, half), *up, *sin, *down, *cos, by, true);
  const Ref<Array> v = transformed(*spectrum, axis_, n_, FftKind::c2r, stream_);
  scaled(*steps(dst, 0, 2), *section(*v, 0, n_ - n_ / 2), 1);
  scaled(*steps(dst, 1, 2), *back(*section(*v, n_ - n_ / 2, n_)), sine_ ? -1 : 1);
}

// The numbers x[2j] + i x[n-1-2j] are multiplied by exp(-i pi (j + 1/8) / n), transformed, and multiplied
// again. Sine transforms: x is reversed, and every second result changes its sign.
void Lines::fourth_even(const Array& dst, const Array& x) const {
  const int64_t half = n_ / 2;
  const Ref<Array> y = back_if(sine_, x);
  const Ref<Array> up = steps(*y, 0, 2), down = back(*steps(*y, 1, 2));
  const Roots w = roots(x, 1, 8, 8 * n_, half);
  const Ref<Array> z = empty(x, complex_of(real_), half);
  rotated(*complex_part(*z, 0), *up, *w.cos, *down, *w.sin, 1, false);
  rotated(*complex_part(*z, 1), *down, *w.cos, *up, *w.sin, 1, true);
  const Ref<Array> spectrum = transformed(*z, axis_, half, FftKind::forward, stream_);
  const Ref<Array> re = complex_part(*spectrum, 0), im = complex_part(*spectrum, 1);
  const double by = 2 * factor(2 * n_);
  rotated(*steps(dst, 0, 2), *re, *w.cos, *im, *w.sin, by, false);
  rotated(*back(*steps(dst, 1, 2)), *re, *w.sin, *im, *w.cos, sine_ ? -by : by, true);
}

// The kernel is cos(2 pi a b / 8n) of odd a = 2j + 1, b = 2k + 1. It is even in a, and changes its sign from
// a to 4n - a; as n is odd, just one of a, -a, 4n - a, 4n + a is 8r + 1 modulo 8n, and so r goes through 0 ..
// n - 1. With z the Fourier transform over r, the element of b is twice the real part of exp(-i pi b / 4n)
// z[b mod n].
void Lines::fourth_odd(const Array& dst, const Array& x) const {
  const Ref<Array> y = back_if(sine_, x), v = empty(x, real_, n_);
  for (int64_t q = 0; q < 4; ++q) {  // 8r + 1 from 2qn to 2(q + 1)n
    const int64_t from = checked::ceil_div(q * n_, int64_t{4}),
                  to = checked::ceil_div((q + 1) * n_, int64_t{4});
    scaled(*section(*v, from, to), *steps(*back_if(q % 2 == 1, *y), 4 * from - q * n_, 4),
           q == 1 || q == 2 ? -1 : 1);
  }
  const Ref<Array> spectrum = transformed(*v, axis_, n_, FftKind::r2c, stream_);
  const Ref<Array> re = complex_part(*spectrum, 0), im = complex_part(*spectrum, 1);
  const Roots w = roots(x, 1, 2, 4 * n_, n_);
  const double by = 2 * factor(2 * n_);
  int64_t k = 0;
  // Every second element of the spectrum, or from the end and conjugated.
  auto elements = [&](int64_t first, bool conjugate) {
    const Ref<Array> a = back_if(conjugate, *steps(*re, first, 2)),
                     b = back_if(conjugate, *steps(*im, first, 2));
    const int64_t to = k + a->layout.shape[axis_];
    rotated(*section(dst, k, to), *a, *section(*w.cos, k, to), *b, *section(*w.sin, k, to), by, conjugate);
    k = to;
  };
  elements(1, false);  // b below n / 2
  elements(0, true);   // up to n
  elements(2, false);
  elements(1, true);
  const Ref<Array> odd = steps(dst, 1, 2);
  if (sine_) scaled(*odd, *odd, -1);
}

}  // namespace

Ref<Array> cosine(const Array& a, FftAxes axes, CosineKind kind, FftNorm norm, Stream* stream) {
  if (kind.type < 1 || kind.type > 4) fail(ARR_E_ARGUMENT, "argument type: ", kind.type, ", expected 1 to 4");
  resolve_extents(a, &axes, false);
  const bool complex = is_complex(a.dtype);
  const DType real = fft_precision(a.dtype), dtype = complex ? complex_of(real) : real;
  if (axes.count == 0) return astype(a, dtype, Casting::unsafe, Order::K, stream);
  for (int32_t i = 0; i < axes.count && kind.type == 1 && !kind.sine; ++i) {
    if (axes.extents[i] > 1) continue;
    fail(ARR_E_SHAPE, "argument a: 1 element to transform along axis ", axes.axes[i],
         ", expected 2 or more for the cosine transform of type 1");
  }
  const int32_t type = kind.inverse && (kind.type == 2 || kind.type == 3) ? 5 - kind.type : kind.type;
  check_allocatable(a, axes, axes.extents, dtype, stream);
  Ref<Array> x = pad_or_crop(a, axes, axes.extents, a.dtype, stream);
  for (int32_t i = 0; i < axes.count; ++i) {
    Ref<Array> y =
        create(dtype, layout_like(x->layout, x->layout.dims(), item_size(dtype)), a.device(), stream);
    const Lines lines(*x, axes.axes[i], real, kind, norm, stream);
    if (y->layout.size() == 0) return y;
    auto run = [&](const Array& to, const Array& from) {
      if (!lines.at_once(type, to, from)) lines.in_blocks(type, to, from);
    };
    for (int32_t which = 0; complex && which < 2; ++which)
      run(*complex_part(*y, which), *complex_part(*x, which));
    if (!complex) run(*y, *x);
    x = y;
  }
  return x;
}

}  // namespace arr
