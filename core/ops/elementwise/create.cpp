// SPDX-License-Identifier: MIT
// Creates arrays.
#include "ops/elementwise/create.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "array/memory_views.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/program_cache.h"
#include "runtime/pinned.h"

namespace arr {

namespace {

Scalar number(DType dtype, int64_t x) { return convert(scalar_of(x), dtype); }

double as_double(const Scalar& s) { return std::bit_cast<double>(convert(s, DType::float64_).lo); }
int64_t as_int(const Scalar& s) { return static_cast<int64_t>(convert(s, DType::int64_).lo); }

// All that the program of a progression depends on: its kind, the dtype of its elements, and numbers.
struct Progression {
  enum class Kind : uint8_t { none, steps, spaced } kind = Kind::none;
  DType dtype = DType::none;
  std::array<Scalar, 3> numbers;
  friend bool operator==(const Progression&, const Progression&) = default;
};

// A vector of make(builder, i) for i = 0, 1, ..., cast to a dtype.
template <class Make>
Ref<Array> progression(int64_t count, const Progression& of, Device device, Stream* stream, Make&& make) {
  Ref<Array> out = empty(of.dtype, {&count, 1}, Order::C, device, stream);
  const BoundProgram& p = Recent<Progression, BoundProgram>::get(of, [&] {
    ProgramBuilder b;
    b.output(b.cast(make(b, b.input(DType::int64_)), of.dtype));
    return b.finish();
  });
  const Layout ramp = ramp_of(out->layout);
  std::vector<Input> inputs;
  inputs.reserve(1 + p.immediates.size());
  inputs.push_back(ramp_input(ramp, 0));
  add_constants(p, &inputs);
  run_into(*out, *p.program, inputs, stream);
  return out;
}

// first + i * step, computed in the dtype of both.
int32_t term(ProgramBuilder& b, int32_t i, const Scalar& first, const Scalar& step) {
  const int32_t by = b.op(op::multiply, b.cast(i, first.dtype), b.scalar(step, false));
  return b.op(op::add, b.scalar(first, false), by);
}

int64_t arange_count(double start, double stop, double step) {
  double count = std::ceil((stop - start) / step);
  if (std::isnan(count))
    fail(ARR_E_ARGUMENT, "argument start: ", start, " to ", stop, " by ", step,
         ": the length cannot be computed");
  if (count > 0x1p53) fail(ARR_E_SHAPE, "argument stop: ", count, " elements are too many");
  return count > 0 ? static_cast<int64_t>(count) : 0;
}

// The exact value of a signed or unsigned 64-bit integer.
__extension__ using Wide = __int128;
Wide as_wide(const Scalar& s) {
  if (kind(s.dtype) == DKind::UINT) return static_cast<Wide>(convert(s, DType::uint64_).lo);
  return static_cast<Wide>(as_int(s));
}

int64_t arange_count(Wide start, Wide stop, Wide step) {
  if (step == 0 || start == stop || (step > 0) == (stop < start)) return 0;
  const Wide gap = step > 0 ? stop - start : start - stop, width = step > 0 ? step : -step;
  const auto count = static_cast<uint64_t>((gap - 1) / width + 1);
  if (count > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) / 16) {
    fail(ARR_E_SHAPE, "argument stop: ", count, " elements are too many");
  }
  return static_cast<int64_t>(count);
}

void check_range_of_bool(DType dtype, int64_t count) {
  if (dtype == DType::bool_ && count > 2) {
    fail(ARR_E_DTYPE, "argument dtype: bool, of a range of ", count, " numbers; one of bool has at most 2");
  }
}

// A range of integers. Numbers from 2^63 on are uint64, whose sums have the same bits as int64 sums.
Ref<Array> arange_whole(const Scalar& start, const Scalar& stop, const Scalar& step, DType dtype,
                        Device device, Stream* stream) {
  const Wide first = as_wide(start), by = as_wide(step);
  const int64_t count = arange_count(first, as_wide(stop), by);
  check_range_of_bool(dtype, count);
  const Wide last = count == 0 ? first : first + (count - 1) * by;
  constexpr Wide max_int64 = std::numeric_limits<int64_t>::max();
  const bool high = first > max_int64 || last > max_int64;
  if (high && (first < 0 || last < 0)) {
    fail(ARR_E_DTYPE, "argument stop: the range has negative integers and some of 2^63 or more, which no ",
         "integer type holds");
  }
  const DType d = high ? DType::uint64_ : DType::int64_;
  const Scalar from{d, static_cast<uint64_t>(first), 0}, each{d, static_cast<uint64_t>(by), 0};
  return progression(count, {Progression::Kind::steps, dtype == DType::none ? d : dtype, {from, each, {}}},
                     device, stream, [&](ProgramBuilder& b, int32_t i) { return term(b, i, from, each); });
}

}  // namespace

Ref<Array> create(DType dtype, const Layout& layout, Device device, Stream* stream) {
  Queue q = queue_for(device, stream);
  Ref<Buffer> buffer = allocate(q, checked::mul(layout.size(), item_size(dtype), "the array's size"));
  char* data = buffer->data();
  return make<Array>(std::move(buffer), data, dtype, layout);
}

Ref<Array> empty(DType dtype, Shape shape, Order order, Device device, Stream* stream) {
  if (order == Order::K) fail(ARR_E_ARGUMENT, "argument order: ARR_ORDER_K needs an array to be like");
  return create(dtype, Layout::contiguous(shape, item_size(dtype), order), device, stream);
}

Ref<Array> empty_pinned(DType dtype, Shape shape, Order order, int32_t flags) {
  if (order == Order::K) fail(ARR_E_ARGUMENT, "argument order: ARR_ORDER_K needs an array to be like");
  const Layout layout = Layout::contiguous(shape, item_size(dtype), order);
  const int64_t bytes = checked::mul(layout.size(), item_size(dtype), "the array's size");
  if (bytes == 0 || !makes_pinned()) return create(dtype, layout, {}, nullptr);
  Ref<Buffer> buffer = allocate_pinned(bytes, flags);
  char* data = buffer->data();
  return make<Array>(std::move(buffer), data, dtype, layout);
}

Ref<Array> empty_pitched(DType dtype, Shape shape, Device device, Stream* stream) {
  constexpr int64_t of_host = 64, of_gpu = 512;
  const int64_t item = item_size(dtype);
  Layout layout = Layout::contiguous(shape, item, Order::C);
  if (layout.ndim < 1 || layout.size() == 0) return create(dtype, layout, device, stream);
  const int64_t row = layout.shape[layout.ndim - 1] * item, step = device.type == ARR_HOST ? of_host : of_gpu;
  int64_t bytes = checked::mul(checked::ceil_div(row, step), step, "the rows' pitch");
  for (int32_t i = layout.ndim - 2; i >= 0; --i) {
    layout.strides[i] = bytes;
    bytes = checked::mul(bytes, layout.shape[i], "the array's size");
  }
  // On a GPU, blocks of the pool begin at multiples of 256.
  const Queue q = queue_for(device, stream);
  Ref<Buffer> buffer = allocate(q, checked::add(bytes, step - of_host, "the array's size"));
  const auto begin =
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(buffer->data()) % static_cast<uintptr_t>(step));
  char* data = buffer->data() + (begin == 0 ? 0 : step - begin);
  return make<Array>(std::move(buffer), data, dtype, layout);
}

Ref<Array> full(DType dtype, Shape shape, Order order, const Scalar& value, Device device, Stream* stream) {
  Ref<Array> out = empty(dtype, shape, order, device, stream);
  fill(*out, value, stream);
  return out;
}

Ref<Array> empty_like(const Array& a, DType dtype, Order order, Stream* stream) {
  if (dtype == DType::none) dtype = a.dtype;
  return create(dtype, layout_like(a.layout, item_size(dtype), order), a.device(), stream);
}

void fill(const Array& a, const Scalar& value, Stream* stream) {
  Input in{nullptr, convert(value, a.dtype), false};
  run_into(a, single_cast(a.dtype, a.dtype), {&in, 1}, stream);
}

Ref<Array> arange(const Scalar& start, const Scalar& stop, const Scalar& step, DType dtype, Device device,
                  Stream* stream) {
  const bool whole = is_integer(start.dtype) && is_integer(stop.dtype) && is_integer(step.dtype);
  for (const Scalar* s : {&start, &stop, &step}) {
    if (is_complex(s->dtype)) fail(ARR_E_DTYPE, "argument start: a range of complex numbers is not defined");
  }
  if (as_double(step) == 0) fail(ARR_E_ARGUMENT, "argument step: 0");
  if (whole) return arange_whole(start, stop, step, dtype, device, stream);
  const double first = as_double(start), by = as_double(step);
  const int64_t count = arange_count(first, as_double(stop), by);
  check_range_of_bool(dtype, count);
  const Scalar from = scalar_of(first), each = scalar_of(by);
  const DType d = dtype == DType::none ? DType::float64_ : dtype;
  return progression(count, {Progression::Kind::steps, d, {from, each, {}}}, device, stream,
                     [&](ProgramBuilder& b, int32_t i) { return term(b, i, from, each); });
}

namespace {

// start + i * (stop - start) / gaps in float64. If the step underflows, i / gaps is multiplied as NumPy does;
// if the distance overflows, half of the numbers is computed and doubled.
int32_t spaced(ProgramBuilder& b, int32_t i, double start, double stop, double gaps) {
  auto of = [&](double x) { return b.scalar(scalar_of(x), false); };
  const bool far = std::isinf(stop - start) && std::isfinite(start) && std::isfinite(stop);
  const double scale = far ? 0.5 : 1, delta = stop * scale - start * scale;
  const double step = gaps > 0 ? delta / gaps : 0;
  const int32_t x = b.cast(i, DType::float64_);
  const int32_t along = step != 0 || gaps == 0 ? b.op(op::multiply, x, of(step))
                                               : b.op(op::multiply, b.op(op::divide, x, of(gaps)), of(delta));
  const int32_t at = b.op(op::add, of(start * scale), along);
  return far ? b.op(op::multiply, at, of(2)) : at;
}

}  // namespace

Ref<Array> linspace(double start, double stop, int64_t count, bool endpoint, DType dtype, Device device,
                    Stream* stream) {
  if (count < 0) fail(ARR_E_ARGUMENT, "argument count: ", count, " is negative");
  if (dtype == DType::none) dtype = DType::float64_;
  // Integers are rounded down.
  const bool whole = is_integer(dtype);
  const auto gaps = static_cast<double>(endpoint ? count - 1 : count);
  const Progression of{
      Progression::Kind::spaced, dtype, {scalar_of(start), scalar_of(stop), scalar_of(gaps)}};
  Ref<Array> out = progression(count, of, device, stream, [&](ProgramBuilder& b, int32_t i) {
    const int32_t x = spaced(b, i, start, stop, gaps);
    return whole ? b.op(op::floor, x) : x;
  });
  if (endpoint && count > 1) {
    Layout last;
    last.ndim = 0;
    const double end = whole ? std::floor(stop) : stop;
    fill(*out->view(last, (count - 1) * out->item()), scalar_of(end), stream);
  }
  return out;
}

Ref<Array> logspace(double start, double stop, int64_t count, bool endpoint, double base, DType dtype,
                    Device device, Stream* stream) {
  const DType d = dtype == DType::none ? DType::float64_ : dtype;
  const Ref<Array> exponents = linspace(start, stop, count, endpoint, DType::float64_, device, stream);
  return compute({exponents.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::power, b.scalar(scalar_of(base), false), in[0]), d);
  });
}

Ref<Array> eye(int64_t rows, int64_t columns, int64_t k, DType dtype, Order order, Device device,
               Stream* stream) {
  if (rows < 0) fail(ARR_E_ARGUMENT, "argument rows: ", rows, " is negative");
  if (columns < -1)
    fail(ARR_E_ARGUMENT, "argument columns: ", columns, ", expected 0 or more, or -1 for as many as rows");
  if (columns == -1) columns = rows;
  int64_t shape[2] = {rows, columns};
  Ref<Array> out = full(dtype, shape, order, number(dtype, 0), device, stream);
  // The diagonal is a view whose stride is the sum of both strides.
  if (k <= -rows || k >= columns) return out;
  int64_t row = std::max<int64_t>(0, -k), column = std::max<int64_t>(0, k);
  Layout diagonal;
  diagonal.ndim = 1;
  diagonal.shape[0] = std::min(rows - row, columns - column);
  if (diagonal.shape[0] <= 0) return out;
  diagonal.strides[0] =
      Layout::diagonal_stride(diagonal.shape[0], out->layout.strides[0], out->layout.strides[1]);
  Ref<Array> view = out->view(diagonal, row * out->layout.strides[0] + column * out->layout.strides[1]);
  fill(*view, number(dtype, 1), stream);
  return out;
}

Ref<Array> wrap_array(void* data, DType dtype, Shape shape, std::span<const int64_t> strides,
                      bool has_strides, Device device, Drop drop, void* ctx, bool readonly) {
  int64_t item = item_size(dtype);
  const Layout layout = strided_layout(shape, strides, has_strides, item);
  if (data == nullptr && layout.size() != 0) fail(ARR_E_ARGUMENT, "argument data: NULL for ", layout.text());
  const auto alignment = static_cast<uintptr_t>(required_alignment(dtype, device));
  if (reinterpret_cast<uintptr_t>(data) % alignment != 0 && layout.size() != 0) {
    fail(ARR_E_ARGUMENT, "argument data: not aligned to the ", alignment, " bytes that ", name(dtype),
         " needs there");
  }
  int64_t low = 0, high = 0;
  layout.reach(item, &low, &high);
  Ref<Buffer> buffer = wrap(static_cast<char*>(data) + low, high - low, device);
  Ref<Array> out = make<Array>(buffer, static_cast<char*>(data), dtype, layout, readonly);
  // Last, so that after a failure the memory still belongs to the caller.
  own(*buffer, drop, ctx);
  return out;
}

}  // namespace arr
