// SPDX-License-Identifier: MIT
// Selections into arrays of a fixed extent. The number of selected elements is written to an array, so
// nothing waits.
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/mask_selection.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"

namespace arr {

namespace {

void check_device(const Array& out, const Array& count, const Array& a, const Array& b) {
  const Input all[] = {{&out, {}, false}, {&count, {}, false}, {&a, {}, false}, {&b, {}, false}};
  common_device(all);
}

void check_written(const Array& x, const char* argument) {
  if (const char* obstacle = write_obstacle(x)) fail(ARR_E_READONLY, "argument ", argument, ": ", obstacle);
}

void check_whole(const Array& x, int32_t ndim, const char* argument) {
  if (x.dtype != DType::int64_)
    fail(ARR_E_DTYPE, "argument ", argument, ": ", name(x.dtype), ", expected int64");
  if (x.layout.ndim != ndim) {
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", x.layout.text(), ", expected ", ndim, " dimensions");
  }
  check_written(x, argument);
}

void set_count(const Array& count, const MaskSelection& selection, Stream* stream) {
  if (selection.shape().size() == 0) return fill(count, scalar_of(int64_t{0}), stream);
  assign(count, *selection.count_array(), stream);
}

// The destination of a selection: the array itself, or contiguous memory that is assigned to it afterwards.
class Target {
 public:
  // Shares no memory with arrays that are read later.
  Target(const Array& out, DType dtype, bool shared, const Scalar& rest, Stream* stream)
      : out_(out), stream_(stream) {
    direct_ = out.contiguous && out.dtype == dtype && !shared;
    to_ = direct_ ? out.share() : empty(dtype, out.layout.dims(), Order::C, out.device(), stream);
    fill(*to_, convert(rest, dtype), stream);
  }
  [[nodiscard]] const Array& array() const { return *to_; }
  void finish() const {
    if (!direct_) assign(out_, *to_, stream_);
  }

 private:
  const Array& out_;
  Stream* const stream_;
  bool direct_ = false;
  Ref<Array> to_;
};

void check_cast_to(const Array& out, const Array& a) {
  if (can_cast(a.dtype, out.dtype, Casting::same_kind)) return;
  fail(ARR_E_DTYPE, "argument a: ", name(a.dtype), ", expected a type that casts to ", name(out.dtype),
       " with the same_kind rule");
}

// out = where(index along the axis < count, taken, fill)
void keep_first(const Array& out, const Array& taken, const Array& number, int32_t axis, const Scalar& rest,
                Stream* stream) {
  const Layout ramp = ramp_along(out.layout, axis);
  ProgramBuilder b;
  const int32_t value = b.input(taken.dtype), n = b.input(DType::int64_), at = b.input(DType::int64_);
  b.output(b.op(op::where, b.op(op::less, at, n), b.cast(value, out.dtype), b.scalar(rest, false)));
  const BoundProgram p = b.finish();
  std::vector<Input> inputs = {{&taken, {}, false}, {&number, {}, false}, ramp_input(ramp, 0)};
  add_constants(p, &inputs);
  run_into(out, *p.program, inputs, stream);
}

// Selects elements of a vector, or contiguous rows.
void select_first(const Array& out, const MaskSelection& selection, const Array& from, const Scalar& rest,
                  Stream* stream) {
  const bool shared = may_share_memory(out, from);
  if (from.layout.ndim == selection.shape().ndim) {
    const Target to(out, out.dtype, shared, rest, stream);
    const Array* outs[] = {&to.array()};
    const Input in[] = {{&from, {}, false}};
    selection.compact(outs, single_cast(from.dtype, out.dtype), in);
    return to.finish();
  }
  const Ref<Array> same = as_type(from, out.dtype, stream);
  const Target to(out, out.dtype, shared, rest, stream);
  selection.rows(to.array(), *same);
  to.finish();
}

// Selects slices along any axis by their indices.
void select_along(const Array& out, const MaskSelection& selection, const Selected& s, const Scalar& rest,
                  Stream* stream) {
  const int64_t capacity = out.layout.shape[s.axis];
  if (out.layout.size() == 0) return;
  if (s.from->layout.size() == 0) return fill(out, rest, stream);
  const Ref<Array> indices =
      full(DType::int64_, {&capacity, 1}, Order::C, scalar_of(int64_t{0}), out.device(), stream);
  const int64_t n = s.condition->layout.shape[0];
  const Array* outs[] = {indices.get()};
  selection.indices(outs, {&n, 1});
  keep_first(out, *take_known(*s.from, *indices, s.axis, stream), *selection.count_array(), s.axis, rest,
             stream);
}

}  // namespace

void flatnonzero_sized(const Array& out, const Array& count, const Array& a, int64_t rest, Stream* stream) {
  check_device(out, count, a, a);
  check_whole(out, 1, "dst");
  check_whole(count, 0, "count");
  const MaskSelection selection(a, stream);
  const Target to(out, DType::int64_, false, scalar_of(rest), stream);
  const int64_t n = a.layout.size();
  const Array* outs[] = {&to.array()};
  selection.indices(outs, {&n, 1});
  to.finish();
  set_count(count, selection, stream);
}

void nonzero_sized(std::span<const Array* const> outs, const Array& count, const Array& a, int64_t rest,
                   Stream* stream) {
  if (a.layout.ndim == 0) fail(ARR_E_SHAPE, "argument a: no dimensions, expected one or more");
  const auto given = static_cast<int64_t>(outs.size());
  if (given != a.layout.ndim) fail(ARR_E_ARGUMENT, "argument ndst: ", given, ", expected ", a.layout.ndim);
  for (size_t k = 0; k < outs.size(); ++k) {
    check_device(*outs[k], count, a, a);
    check_whole(*outs[k], 1, "dst");
    if (!outs[k]->layout.same_shape(outs[0]->layout)) {
      fail(ARR_E_SHAPE, "argument dst: shape ", outs[k]->layout.text(), " of array ", static_cast<int64_t>(k),
           ", expected ", outs[0]->layout.text(), " as of the first");
    }
  }
  check_whole(count, 0, "count");
  const MaskSelection selection(a, stream);
  std::vector<Target> to;
  std::vector<const Array*> arrays;
  to.reserve(outs.size());
  for (const Array* out : outs) {
    to.emplace_back(*out, DType::int64_, false, scalar_of(rest), stream);
    arrays.push_back(&to.back().array());
  }
  selection.indices(arrays, a.layout.dims());
  for (const Target& t : to) t.finish();
  set_count(count, selection, stream);
}

void argwhere_sized(const Array& out, const Array& count, const Array& a, int64_t rest, Stream* stream) {
  check_device(out, count, a, a);
  check_whole(out, 2, "dst");
  check_whole(count, 0, "count");
  if (out.layout.shape[1] != a.layout.ndim) {
    fail(ARR_E_SHAPE, "argument dst: shape ", out.layout.text(), ", expected ", a.layout.ndim, " columns");
  }
  const MaskSelection selection(a, stream);
  const Target to(out, DType::int64_, false, scalar_of(rest), stream);
  selection.indices(to.array(), a.layout.dims());
  to.finish();
  set_count(count, selection, stream);
}

void compress_sized(const Array& out, const Array& count, const Array& condition, const Array& a,
                    int32_t axis, const Scalar& rest, Stream* stream) {
  check_device(out, count, condition, a);
  check_whole(count, 0, "count");
  check_written(out, "dst");
  check_cast_to(out, a);
  const Selected s = selected(condition, a, axis, stream);
  Layout expected = s.from->layout;
  expected.shape[s.axis] = out.layout.ndim == expected.ndim ? out.layout.shape[s.axis] : -1;
  if (!out.layout.same_shape(expected)) {
    fail(ARR_E_SHAPE, "argument dst: shape ", out.layout.text(), ", expected ", s.from->layout.text(),
         " except along axis ", s.axis);
  }
  const MaskSelection selection(*s.condition, stream);
  if (s.axis == 0 && (s.from->layout.ndim == 1 || MaskSelection::has_rows(*s.from, 1))) {
    select_first(out, selection, *s.from, rest, stream);
  } else {
    select_along(out, selection, s, rest, stream);
  }
  set_count(count, selection, stream);
}

void extract_sized(const Array& out, const Array& count, const Array& condition, const Array& a,
                   const Scalar& rest, Stream* stream) {
  if (out.layout.ndim != 1) {
    fail(ARR_E_SHAPE, "argument dst: shape ", out.layout.text(), ", expected one dimension");
  }
  if (!condition.layout.same_shape(a.layout)) {
    return compress_sized(out, count, *ravel(condition, stream), a, axis_none, rest, stream);
  }
  check_device(out, count, condition, a);
  check_whole(count, 0, "count");
  check_written(out, "dst");
  check_cast_to(out, a);
  const MaskSelection selection(condition, stream);
  select_first(out, selection, a, rest, stream);
  set_count(count, selection, stream);
}

}  // namespace arr
