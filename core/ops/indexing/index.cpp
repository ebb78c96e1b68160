// SPDX-License-Identifier: MIT
// Translates the indices of a call into an indexed view: the axes that each index covers, and the position of
// the index arrays' dimensions in the result.
#include "ops/indexing/index.h"

#include <algorithm>
#include <array>

#include "array/index_check.h"
#include "base/renaming.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/select.h"

namespace arr {

namespace {

bool is_mask(const Index& i) { return i.kind == ARR_INDEX_ARRAY && i.array->dtype == DType::bool_; }

// The number of axes of the array that an index covers; an ellipsis covers those that no other index does.
int32_t axes_of(const Index& i) {
  if (i.kind == ARR_INDEX_NEW_AXIS || i.kind == ARR_INDEX_ELLIPSIS) return 0;
  return is_mask(i) ? i.array->layout.ndim : 1;
}

class Parser {
 public:
  Parser(const Array& a, std::span<const Index> indices, Bounds bounds, Stream* stream)
      : a_(a), indices_(indices), bounds_(bounds), stream_(stream) {}
  // Two forms of the result: the view to read, whose index arrays are not checked yet, and the view to write.
  IndexedView read();
  IndexedView write();
  // The view to write of an array without memory, from its first element on.
  IndexedKeys keys();

 private:
  IndexedView run();
  void count();
  void one(const Index& i);
  void keep(int64_t extent, int64_t stride);
  void new_axis();
  void advanced();
  void slice_axis(const Index& i);
  void at(int64_t index);
  void integers(const Array& index);
  void mask(const Array& m);
  void add_index(const Array& index, int32_t axis, int32_t named, bool known);
  void order_dimensions();

  const Array& a_;
  const std::span<const Index> indices_;
  const Bounds bounds_;
  Stream* const stream_;
  IndexedView indexed_;
  bool arrays_ = false;  // an index is an array, so integers are treated as arrays too
  int32_t left_ = 0;     // number of axes that the ellipsis covers
  int32_t axis_ = 0;     // the next axis of the array
  int64_t offset_ = 0;   // offset of the view in bytes
  bool without_memory_ = false;
  Layout view_;
  std::vector<int32_t> basic_;  // axes of the view that are dimensions of the result; -1: a new axis
  int32_t block_ = -1;          // number of these before the dimensions of the index arrays
  enum class Seen { none, inside, after, separated } seen_ = Seen::none;
  Layout common_;  // the shape that the index arrays broadcast to
};

void Parser::count() {
  int32_t used = 0, ellipses = 0;
  for (const Index& i : indices_) {
    if (i.kind < ARR_INDEX_ALL || i.kind > ARR_INDEX_ARRAY) {
      fail(ARR_E_ARGUMENT, "argument indices: kind ", i.kind, ", expected an ARR_INDEX_...");
    }
    if (i.kind == ARR_INDEX_ARRAY) {
      arrays_ = true;
      if (!is_mask(i)) check_integers(*i.array, "indices");
    }
    used += axes_of(i);
    if (i.kind == ARR_INDEX_ELLIPSIS) ++ellipses;
  }
  if (ellipses > 1) fail(ARR_E_ARGUMENT, "argument indices: ", ellipses, " ellipses, expected one at most");
  if (used > a_.layout.ndim) {
    fail(ARR_E_SHAPE, "argument indices: they take ", used, " axes, the array of shape ", a_.layout.text(),
         " has ", a_.layout.ndim);
  }
  left_ = a_.layout.ndim - used;
}

// Adds an axis of the view that is a dimension of the result.
void Parser::keep(int64_t extent, int64_t stride) {
  if (view_.ndim == max_ndim) fail(ARR_E_SHAPE, "argument indices: more than ", max_ndim, " dimensions");
  view_.shape[view_.ndim] = extent;
  view_.strides[view_.ndim] = stride;
  basic_.push_back(view_.ndim++);
}

// Beside index arrays a new axis is a dimension of the result only, not an axis of the view.
void Parser::new_axis() {
  if (!arrays_) return keep(1, 0);
  basic_.push_back(-1);
}

// The next index is treated as an array. The arrays' dimensions replace the indexed axes only if these are
// adjacent.
void Parser::advanced() {
  if (seen_ == Seen::none) {
    block_ = static_cast<int32_t>(basic_.size());
    seen_ = Seen::inside;
  } else if (seen_ == Seen::after) {
    seen_ = Seen::separated;
  }
}

void Parser::slice_axis(const Index& i) {
  Layout one;
  one.ndim = 1;
  one.shape[0] = a_.layout.shape[axis_];
  one.strides[0] = a_.layout.strides[axis_];
  const int64_t step = i.step == 0 ? 1 : i.step;
  int64_t offset = 0;
  const Layout l = slice(one, {&i.start, 1}, {&i.stop, 1}, {&step, 1}, &offset);
  offset_ += offset;
  keep(l.shape[0], l.strides[0]);
  ++axis_;
}

void Parser::at(int64_t index) {
  const int64_t extent = a_.layout.shape[axis_];
  if (bounds_ == Bounds::from_one) {
    if (index < 1 || index > extent) fail_index("indices", index, axis_, extent, 1, extent);
    offset_ += (index - 1) * a_.layout.strides[axis_++];
    return;
  }
  const bool inside = index >= -extent && index < extent;
  int64_t i = index < 0 ? index + extent : index;
  if (extent > 0 && bounds_ == Bounds::clip) i = std::clamp<int64_t>(index, 0, extent - 1);
  if (extent > 0 && bounds_ == Bounds::wrap) i = (index % extent + extent) % extent;
  if (extent == 0 || (!inside && bounds_ != Bounds::clip && bounds_ != Bounds::wrap)) {
    fail_index("indices", index, axis_, extent, -extent, extent - 1);
  }
  offset_ += i * a_.layout.strides[axis_++];
}

void Parser::add_index(const Array& index, int32_t axis, int32_t named, bool known) {
  if (indexed_.indices.empty()) {
    common_ = index.layout;
  } else {
    broadcast_shapes(common_, index.layout, "indices", &common_);
  }
  indexed_.indices.push_back({index.share(), axis, named, known ? Bounds::unchecked : bounds_, known});
}

void Parser::integers(const Array& index) {
  view_.shape[view_.ndim] = a_.layout.shape[axis_];
  view_.strides[view_.ndim] = a_.layout.strides[axis_];
  add_index(index, view_.ndim++, axis_, false);
  ++axis_;
}

// Adds the indices of the mask's true elements; along one axis if the masked axes can be merged in memory.
void Parser::mask(const Array& m) {
  const int32_t n = m.layout.ndim;
  for (int32_t d = 0; d < n; ++d) {
    const int64_t extent = m.layout.shape[d];
    if (extent == 0 || extent == a_.layout.shape[axis_ + d]) continue;  // as in NumPy
    fail(ARR_E_SHAPE, "argument indices: a mask of shape ", m.layout.text(), " has extent ",
         m.layout.shape[d], " for axis ", axis_ + d, " of extent ", a_.layout.shape[axis_ + d]);
  }
  const int64_t* shape = a_.layout.shape + axis_;
  const int64_t* strides = a_.layout.strides + axis_;
  bool one = true;
  for (int32_t d = 0; d + 1 < n; ++d) one = one && strides[d] == strides[d + 1] * shape[d + 1];
  if (one) {
    const Ref<Array> true_indices = flatnonzero(m, stream_);
    if (n > 0) {
      view_.shape[view_.ndim] = m.layout.size();
      view_.strides[view_.ndim] = strides[n - 1];
    }
    add_index(*true_indices, n == 0 ? -1 : view_.ndim++, axis_, true);
  } else {
    const std::vector<Ref<Array>> true_indices = nonzero(m, stream_);
    for (int32_t d = 0; d < n; ++d) {
      view_.shape[view_.ndim] = shape[d];
      view_.strides[view_.ndim] = strides[d];
      add_index(*true_indices[static_cast<size_t>(d)], view_.ndim++, axis_ + d, true);
    }
  }
  axis_ += n;
}

void Parser::one(const Index& i) {
  const bool counts = i.kind == ARR_INDEX_ARRAY || (arrays_ && i.kind == ARR_INDEX_INTEGER);
  if (counts) advanced();
  if (!counts && seen_ == Seen::inside) seen_ = Seen::after;
  switch (i.kind) {
    case ARR_INDEX_INTEGER:
      return at(i.start);
    case ARR_INDEX_NEW_AXIS:
      return new_axis();
    case ARR_INDEX_SLICE:
      return slice_axis(i);
    case ARR_INDEX_ARRAY:
      return is_mask(i) ? mask(*i.array) : integers(*i.array);
    default:
      break;
  }
  for (int32_t n = i.kind == ARR_INDEX_ALL ? 1 : left_; n > 0; --n, ++axis_) {
    keep(a_.layout.shape[axis_], a_.layout.strides[axis_]);
  }
}

// The result's dimensions: those of the index arrays are inserted among the others.
void Parser::order_dimensions() {
  const size_t before = seen_ == Seen::separated || block_ < 0 ? 0 : static_cast<size_t>(block_);
  auto basic = [&](size_t from, size_t to) {
    for (size_t k = from; k < to; ++k) {
      indexed_.add_dimension(basic_[k] < 0 ? 1 : view_.shape[basic_[k]], basic_[k]);
    }
  };
  basic(0, before);
  if (!indexed_.indices.empty()) {
    for (int32_t d = 0; d < common_.ndim; ++d) indexed_.add_dimension(common_.shape[d], -1);
  }
  basic(before, basic_.size());
  const auto behind = static_cast<int32_t>(basic_.size() - before);
  for (AxisIndex& i : indexed_.indices) {
    Layout l = i.array->layout;
    if (behind > 0 && l.ndim > 0) {
      for (int32_t d = 0; d < behind; ++d) {
        l.shape[l.ndim] = 1;
        l.strides[l.ndim++] = 0;
      }
    }
    i.array = i.array->view(l);
  }
}

IndexedView Parser::run() {
  count();
  bool ellipsis = false;
  for (const Index& i : indices_) {
    one(i);
    ellipsis = ellipsis || i.kind == ARR_INDEX_ELLIPSIS;
  }
  if (!ellipsis) one({ARR_INDEX_ELLIPSIS, 0, 0, 1, nullptr});
  order_dimensions();
  if (view_.size() == 0) offset_ = 0;
  indexed_.view = a_.view(view_, without_memory_ ? 0 : offset_);
  const bool masks = std::all_of(indices_.begin(), indices_.end(),
                                 [](const Index& i) { return i.kind != ARR_INDEX_ARRAY || is_mask(i); });
  indexed_.distinct = masks && std::count_if(indices_.begin(), indices_.end(), is_mask) == 1;
  return std::move(indexed_);
}

IndexedView Parser::read() {
  IndexedView p = run();
  check_extents(p, "indices");
  return p;
}

IndexedView Parser::write() {
  IndexedView p = run();
  check_bounds(&p, "indices", stream_);
  return p;
}

IndexedKeys Parser::keys() {
  without_memory_ = true;
  IndexedView p = write();
  return {std::move(p), offset_};
}

void check_devices(const Array& a, std::span<const Index> indices) {
  for (const Index& i : indices) {
    const Input both[] = {{&a, {}, false}, {i.array, {}, false}};
    if (i.kind == ARR_INDEX_ARRAY) common_device(both);
  }
}

// The only mask of the index expression, with ":" for all other axes, and the mask's extents equal to the
// array's; none if there is more.
struct MaskAlone {
  const Array* mask = nullptr;
  int32_t before = 0;  // number of axes before it
};
MaskAlone mask_alone(const Array& a, std::span<const Index> indices) {
  MaskAlone found;
  int32_t used = 0, ellipses = 0, ellipsis_at = -1;
  for (const Index& i : indices) {
    used += axes_of(i);
    if (i.kind == ARR_INDEX_ELLIPSIS) {
      ellipsis_at = found.mask == nullptr ? 0 : 1;
      ++ellipses;
    }
    if (i.kind == ARR_INDEX_ALL && found.mask == nullptr) ++found.before;
    if (is_mask(i) && found.mask == nullptr && i.array->layout.ndim > 0) {
      found.mask = i.array;
    } else if (i.kind != ARR_INDEX_ALL && i.kind != ARR_INDEX_ELLIPSIS) {
      return {};
    }
  }
  if (found.mask == nullptr || used > a.layout.ndim || ellipses > 1)
    return {};  // the parser reports the error
  if (ellipsis_at == 0) found.before += a.layout.ndim - used;
  for (int32_t d = 0; d < found.mask->layout.ndim; ++d) {
    if (found.mask->layout.shape[d] != a.layout.shape[found.before + d]) return {};
  }
  return found;
}

// The mask as an array that broadcasts to a; nullptr if there is none.
Ref<Array> only_mask(const Array& a, std::span<const Index> indices) {
  const MaskAlone found = mask_alone(a, indices);
  if (found.mask == nullptr) return {};
  const Layout& own = found.mask->layout;
  Layout l;
  l.ndim = a.layout.ndim;
  for (int32_t d = 0; d < l.ndim; ++d) {
    const bool inside = d >= found.before && d < found.before + own.ndim;
    l.shape[d] = inside ? own.shape[d - found.before] : 1;
    l.strides[d] = inside ? own.strides[d - found.before] : 0;
  }
  return found.mask->view(l);
}

}  // namespace

IndexedKeys indexed_keys(const Array& a, std::span<const Index> indices, Stream* stream) {
  check_devices(a, indices);
  return Parser(a, indices, Bounds::raise, stream).keys();
}

Ref<Array> get_items(const Array& a, std::span<const Index> indices, Bounds bounds, Stream* stream) {
  check_devices(a, indices);
  const MaskAlone alone = mask_alone(a, indices);
  if (alone.mask != nullptr && alone.before == 0) {
    if (Ref<Array> out = select_leading(a, *alone.mask, stream)) return out;
  }
  const IndexedView p = Parser(a, indices, bounds, stream).read();
  return p.indices.empty() ? p.view : gather(p, "indices", stream);
}

void set_items(const Array& a, std::span<const Index> indices, Bounds bounds, const Input& value,
               Stream* stream) {
  check_devices(a, indices);
  const bool one = value.array == nullptr || value.array->layout.ndim == 0;
  if (const Ref<Array> m = one ? only_mask(a, indices) : Ref<Array>()) {
    return write_where(a, *m, value, stream);
  }
  if (!one && value.array->layout.ndim == 1 && a.layout.ndim > 0) {
    const Ref<Array> m = only_mask(a, indices);
    if (m && m->layout.same_shape(a.layout)) return write_masked(a, *m, *value.array, stream);
  }
  put_checked(Parser(a, indices, bounds, stream).read(), "indices", value, stream);
}

void update_items(const Array& a, const OpInfo& op, std::span<const Index> indices, Bounds bounds,
                  const Input* value, Stream* stream) {
  check_operand_count(op, value);
  check_devices(a, indices);
  update(Parser(a, indices, bounds, stream).write(), op, value, stream);
}

void ufunc_at(const OpInfo& op, const Array& a, std::span<const Array* const> indices, const Input* b,
              Stream* stream) {
  if (indices.empty() || std::ssize(indices) > a.layout.ndim) {
    fail(ARR_E_ARGUMENT, "argument nindices: ", indices.size(), ", expected 1 to ", a.layout.ndim,
         " for an array of shape ", a.layout.text());
  }
  std::vector<Index> all;
  for (const Array* i : indices) {
    if (!is_integer(i->dtype)) {
      fail(ARR_E_DTYPE, "argument indices: array ", all.size(), " is of ", name(i->dtype),
           ", expected integers");
    }
    all.push_back({ARR_INDEX_ARRAY, 0, 0, 1, i});
  }
  check_devices(a, all);
  renaming({{"value", "b"}}, [&] {
    check_operand_count(op, b);
    const IndexedView indexed = Parser(a, all, Bounds::raise, stream).write();
    // Not even leading axes of extent 1, as in NumPy.
    if (b != nullptr && b->array != nullptr && b->array->layout.ndim > indexed.shape.ndim) {
      refuse_shape(b->array->layout, indexed.shape);
    }
    update(indexed, op, b, stream);
  });
}

}  // namespace arr
