// SPDX-License-Identifier: MIT
// Moves elements between distributed arrays that are divided in different ways: one message at most from each
// rank to each.
#include <algorithm>

#include "ops/dist/dist.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/index.h"
#include "ops/indexing/mesh.h"
#include "ops/indexing/take.h"

namespace arr {

namespace {

// Some elements of a part: those at the product of ranges of its indices along each axis.
struct Selection {
  std::vector<IndexRanges> axes;
  std::vector<int64_t> shape;

  [[nodiscard]] bool empty() const {
    return std::any_of(shape.begin(), shape.end(), [](int64_t n) { return n == 0; });
  }
  [[nodiscard]] bool is_box() const {
    return std::all_of(axes.begin(), axes.end(), [](const IndexRanges& s) { return s.size() <= 1; });
  }
};

// The positions among the indices of `a` of those that b has too.
IndexRanges common(const IndexRanges& a, const IndexRanges& b) {
  IndexRanges out;
  int64_t before = 0;  // indices of a in earlier segments
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const int64_t from = std::max(a[i].from, b[j].from), to = std::min(a[i].to, b[j].to);
    if (from < to) {
      const int64_t at = before + from - a[i].from;
      if (!out.empty() && out.back().to == at) {
        out.back().to += to - from;
      } else {
        out.push_back({at, at + to - from});
      }
    }
    if (a[i].to < b[j].to) {
      before += a[i].to - a[i].from;
      ++i;
    } else {
      ++j;
    }
  }
  return out;
}

// The elements of a rank's part by a that another rank has by b.
Selection selected(const Decomposition& a, int32_t rank, const Decomposition& b, int32_t other) {
  Selection s;
  for (int32_t i = 0; i < a.ndim(); ++i) {
    s.axes.push_back(common(a.segments(i, rank), b.segments(i, other)));
    s.shape.push_back(count_of(s.axes.back()));
  }
  return s;
}

Ref<Array> box(const Array& part, const Selection& s) {
  Ref<Array> v = part.view(part.layout);
  for (size_t i = 0; i < s.axes.size(); ++i)
    v = slice_axis(*v, static_cast<int32_t>(i), s.axes[i][0].from, s.axes[i][0].to);
  return v;
}

// The selected elements: a view, or a copy where they are not one box.
Ref<Array> read(const Array& part, const Selection& s, Stream* stream) {
  if (s.is_box()) return box(part, s);
  Ref<Array> v = part.share();
  for (size_t i = 0; i < s.axes.size(); ++i) {
    const auto axis = static_cast<int32_t>(i);
    v = s.axes[i].size() == 1 ? slice_axis(*v, axis, s.axes[i][0].from, s.axes[i][0].to)
                              : take_known(*v, *index_array(s.axes[i], part.device(), stream), axis, stream);
  }
  return v;
}

void write(const Array& part, const Selection& s, const Array& values, Stream* stream) {
  if (s.is_box()) return assign(*box(part, s), values, stream);
  std::vector<Ref<Array>> vectors;
  std::vector<const Array*> given;
  for (const IndexRanges& axis : s.axes) {
    vectors.push_back(index_array(axis, part.device(), stream));
    given.push_back(vectors.back().get());
  }
  const std::vector<Ref<Array>> mesh = open_mesh(given, stream);
  std::vector<Index> indices(mesh.size());
  for (size_t i = 0; i < mesh.size(); ++i) indices[i] = {ARR_INDEX_ARRAY, 0, 0, 1, mesh[i].get()};
  set_items(part, indices, Bounds::unchecked, {&values, {}, false}, stream);
}

// True if `other` gets its elements of that part from `rank`: from the one of several ranks with the part
// that agrees with it in all other coordinates.
bool serves(const Decomposition& p, int32_t rank, int32_t other) {
  const uint32_t dividing = p.dividing();
  for (int32_t i = 0; i < static_cast<int32_t>(p.grid->extents().size()); ++i) {
    if ((dividing >> static_cast<uint32_t>(i) & 1U) != 0) continue;
    if (p.grid->coordinate(rank, i) != p.grid->coordinate(other, i)) return false;
  }
  return true;
}

// The elements that arrive in separate memory.
struct Arrived {
  Selection to;
  Ref<Array> values;
};

}  // namespace

Ref<Array> index_array(const IndexRanges& s, Device device, Stream* stream) {
  std::vector<int64_t> all;
  all.reserve(static_cast<size_t>(count_of(s)));
  for (const IndexRange& one : s) {
    for (int64_t i = one.from; i < one.to; ++i) all.push_back(i);
  }
  return upload(all, DType::int64_, device, stream);
}

void dist_assign(const Dist& dst, const Dist& src, Stream* stream) {
  check_same_comm(dst, src, "src");
  const Decomposition &to = *dst.decomposition, &from = *src.decomposition;
  if (to.shape != from.shape) {
    fail(ARR_E_SHAPE, "argument dst: shape ", shape_text(to.ndim(), to.shape.data()), ", expected ",
         shape_text(from.ndim(), from.shape.data()), " as src");
  }
  check_writable(*dst.part);
  if (to.same(from)) return assign(*dst.part, *src.part, stream);
  Comm& comm = to.comm();
  comm.check_no_group();
  Ref<Array> part = src.dtype() == dst.dtype()
                        ? src.part
                        : astype(*src.part, dst.dtype(), Casting::same_kind, Order::C, stream);
  if (may_share_memory(*part, *dst.part)) part = copy(*part, Order::C, stream);

  const CommPlace& at = comm.place();
  std::vector<CommCall> calls;
  std::vector<Arrived> arrived;
  for (int32_t r = 0; r < at.size; ++r) {
    if (serves(from, at.rank, r)) {
      const Selection s = selected(from, at.rank, to, r);
      if (!s.empty()) {
        Ref<Array> values = read(*part, s, stream);
        if (r == at.rank) {
          write(*dst.part, selected(to, r, from, r), *values, stream);
        } else {
          calls.push_back(send_call(at, *values, r, stream));
        }
      }
    }
    if (r == at.rank || !serves(from, r, at.rank)) continue;
    Selection s = selected(to, at.rank, from, r);
    if (s.empty()) continue;
    if (s.is_box()) {
      calls.push_back(recv_call(at, *box(*dst.part, s), r, stream));
      continue;
    }
    Ref<Array> values = empty(dst.dtype(), s.shape, Order::C, at.device, stream);
    calls.push_back(recv_call(at, *values, r, stream));
    arrived.push_back({std::move(s), std::move(values)});
  }
  if (!calls.empty()) comm.run(std::move(calls));
  for (const Arrived& a : arrived) write(*dst.part, a.to, *a.values, stream);
}

Ref<Dist> redistributed(const Dist& a, Decomposition& by, Stream* stream) {
  if (by.same(*a.decomposition)) return Ref<Dist>::share(const_cast<Dist*>(&a));
  Ref<Dist> out = dist_empty(by, a.dtype(), stream);
  dist_assign(*out, a, stream);
  return out;
}

Ref<Dist> dist_scatter(Decomposition& by, const Array* whole, int32_t root, Stream* stream) {
  Comm& comm = by.comm();
  const CommPlace& at = comm.place();
  check_rank(at, root, "root");
  comm.check_no_group();
  const bool fits =
      whole != nullptr && std::ranges::equal(by.shape, whole->layout.dims()) && whole->device() == at.device;
  // The other ranks learn the dtype, and whether the root can go on.
  const Ref<Array> told =
      full(DType::int64_, {}, Order::C,
           scalar_of(at.rank == root && fits ? static_cast<int64_t>(whole->dtype) : 0), at.device, stream);
  comm.run(broadcast_call(at, *told, root, stream));
  const auto dtype = static_cast<DType>(scalar_value<int64_t>(item(*told, {})));
  const std::string expected = shape_text(by.ndim(), by.shape.data()) + " on " + device_text(at.device);
  if (at.rank == root && whole == nullptr)
    fail(ARR_E_HANDLE, "argument src: NULL, expected an array on root");
  if (at.rank == root && !fits) {
    fail(ARR_E_SHAPE, "argument src: shape ", whole->layout.text(), " on ", device_text(whole->device()),
         ", expected ", expected);
  }
  if (dtype == DType::none)
    fail(ARR_E_SHAPE, "argument src: is not an array of ", expected, " on rank ", root);
  if (by.shape.empty()) {  // nothing is divided
    Ref<Dist> out = dist_empty(by, dtype, stream);
    if (at.rank == root) assign(*out->part, *whole, stream);
    comm.run(broadcast_call(at, *out->part, root, stream));
    return out;
  }
  const Ref<Decomposition> all = decomposition_at(comm, by.shape, root);
  const Ref<Dist> held = at.rank == root ? dist_of_part(*all, *whole) : dist_empty(*all, dtype, stream);
  return redistributed(*held, by, stream);
}

Ref<Array> dist_gather(const Dist& a, int32_t root, Stream* stream) {
  const Decomposition& by = *a.decomposition;
  if (root != -1) check_rank(by.comm().place(), root, "root");
  const Ref<Decomposition> all =
      root == -1 ? decomposition_whole(by.grid, by.shape) : decomposition_at(by.comm(), by.shape, root);
  const Ref<Dist> held = redistributed(a, *all, stream);
  if (root != -1 && by.grid->rank() != root) return nullptr;
  return held.get() == &a ? copy(*held->part, Order::C, stream) : held->part;
}

}  // namespace arr
