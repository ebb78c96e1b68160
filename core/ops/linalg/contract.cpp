// SPDX-License-Identifier: MIT
// A product of labelled arrays as a stack of matrix products. Labels in both operands and the result are
// batch dimensions; labels in one operand and the result are rows or columns; labels only in both operands
// are summed. Labels of one kind are merged into one dimension if their strides allow it; rows and columns
// that cannot be merged become batch dimensions. An operand is copied only if strides cannot describe it.
#include "ops/linalg/contract.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/program_cache.h"
#include "ops/linalg/matmul.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

bool has(const Labels& all, int32_t label) { return std::find(all.begin(), all.end(), label) != all.end(); }

int64_t axis_of_label(const Labels& all, int32_t label) {
  return std::find(all.begin(), all.end(), label) - all.begin();
}

int64_t extent(const Labelled& a, int32_t label) {
  return a.array->layout.shape[axis_of_label(a.labels, label)];
}

// 0 if the array does not have the label.
int64_t stride(const Labelled& a, int32_t label) {
  return has(a.labels, label) ? a.array->layout.strides[axis_of_label(a.labels, label)] : 0;
}

// Sorts labels by descending stride in the array; labels of extent 1 are removed.
Labels by_stride(const Labelled& a, const Labels& labels) {
  Labels out;
  for (int32_t l : labels) {
    if (extent(a, l) != 1) out.push_back(l);
  }
  // Stable, as the few labels of an array allow.
  for (size_t i = 1; i < out.size(); ++i) {
    const int32_t label = out[i];
    size_t k = i;
    for (; k > 0 && std::abs(stride(a, out[k - 1])) < std::abs(stride(a, label)); --k) out.set(k, out[k - 1]);
    out.set(k, label);
  }
  return out;
}

// True if a label and the next one can be merged into one dimension of the array.
bool merge(const Labelled& a, int32_t label, int32_t next) {
  return stride(a, label) == stride(a, next) * extent(a, next);
}

// Groups adjacent labels that can be merged into one dimension of the array.
std::vector<Labels> grouped(const Labelled& a, const Labels& ordered) {
  std::vector<Labels> groups;
  for (int32_t l : ordered) {
    if (!groups.empty() && merge(a, groups.back().back(), l)) {
      groups.back().push_back(l);
    } else {
      groups.push_back({l});
    }
  }
  return groups;
}

// True if all labels can be.
bool is_one_group(const Labelled& a, const Labels& ordered) {
  for (size_t i = 1; i < ordered.size(); ++i) {
    if (!merge(a, ordered[i - 1], ordered[i])) return false;
  }
  return true;
}

int64_t size_of(const Labelled& a, const Labels& labels) {
  int64_t n = 1;
  for (int32_t l : labels) n *= extent(a, l);
  return n;
}

// A group as one dimension of an array.
struct Dimension {
  int64_t extent = 1, stride = 0;
};
Dimension dimension(const Labelled& extents, const Labelled& strides, const Labels& group) {
  if (group.empty()) return {};
  return {size_of(extents, group), stride(strides, group.back())};
}

// True if BLAS accepts a matrix with these dimensions: one is contiguous, the other has a large enough
// stride.
bool is_blas_matrix(const Dimension& r, const Dimension& c, int64_t item) {
  auto fits = [item](const Dimension& inner, const Dimension& outer) {
    const bool line = inner.extent == 1 || inner.stride == item;
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): an element has a byte at least
    return line && (outer.extent == 1 || (outer.stride % item == 0 && outer.stride / item >= inner.extent));
  };
  return fits(c, r) || fits(r, c);
}

// A row-major copy with the axes in this order.
Labelled packed(const Labelled& a, const Labels& order, DType dtype, Stream* stream) {
  const Ref<Array> view = aligned(a, order);
  return {astype(*view, dtype, Casting::unsafe, Order::C, stream), order};
}

Labels joined(std::initializer_list<const Labels*> parts) {
  Labels out;
  for (const Labels* p : parts) out.append(*p);
  return out;
}

// If the largest group is much smaller than all rows together, products would be too small; the operand is
// copied then.
constexpr int64_t min_rows = 16;

class Contraction {
 public:
  Contraction(const Labelled& a, const Labelled& b, const Labels& out, DType dtype, Stream* stream)
      : a_(a), b_(b), out_(out), dtype_(dtype), stream_(stream) {
    for (int32_t l : a.labels) {
      const bool shared = has(b.labels, l), kept = has(out, l);
      (shared ? (kept ? stack_ : sum_) : rows_).push_back(l);
    }
    for (int32_t l : b.labels) {
      if (!has(a.labels, l)) columns_.push_back(l);
    }
  }
  // True if the work is more than a stack of inner products or of products of numbers.
  [[nodiscard]] bool is_matrix_product() const {
    return !sum_.empty() && size_of(a_, rows_) * size_of(b_, columns_) != 1;
  }

  Ref<Array> run() {
    pack_sums();
    split(a_, rows_, &row_group_);
    split(b_, columns_, &column_group_);
    pack_matrix(&a_, row_group_, sum_group_, true);
    pack_matrix(&b_, column_group_, sum_group_, false);
    Labelled c = result();
    const Labels stack = joined({&stack_, &loose_});
    const Ref<Array> x = matrices(a_, stack, row_group_, sum_group_);
    const Ref<Array> y = matrices(b_, stack, sum_group_, column_group_);
    const Ref<Array> z = matrices(c, stack, row_group_, column_group_);
    if (z->layout.size() != 0) matmul_into(*z, *x, *y, stream_);
    return c.array;
  }

 private:
  // Finds an order of the summed labels that is one dimension in both operands. An operand for which there is
  // none is copied; if either could be copied, the smaller one.
  void pack_sums() {
    const Labels ways[2] = {by_stride(a_, sum_), by_stride(b_, sum_)};
    int64_t best = -1;
    for (const Labels& way : ways) {
      int64_t cost = 0;
      for (const Labelled* x : {&a_, &b_}) {
        if (!is_one_group(*x, way)) cost += x->array->layout.size();
      }
      if (best >= 0 && cost >= best) continue;
      best = cost;
      sum_group_ = way;
    }
    if (!is_one_group(a_, sum_group_))
      a_ = packed(a_, joined({&stack_, &rows_, &sum_group_}), dtype_, stream_);
    if (!is_one_group(b_, sum_group_)) {
      b_ = packed(b_, joined({&stack_, &sum_group_, &columns_}), dtype_, stream_);
    }
  }

  // Selects the largest group of the rows or columns. The others become batch dimensions, or all are copied
  // to be one group.
  void split(Labelled& x, const Labels& labels, Labels* group) {
    const Labels ordered = by_stride(x, labels);
    if (is_one_group(x, ordered)) {
      *group = ordered;
      return;
    }
    std::vector<Labels> groups = grouped(x, ordered);
    auto largest = std::max_element(groups.begin(), groups.end(), [&](const Labels& p, const Labels& q) {
      return size_of(x, p) < size_of(x, q);
    });
    if (size_of(x, *largest) < min_rows) {
      x = packed(x, joined({&stack_, &ordered, &sum_group_}), dtype_, stream_);
      *group = ordered;
      return;
    }
    *group = *largest;
    for (const Labels& g : groups) {
      if (&g != &*largest) loose_.append(g);
    }
  }

  // Copies the operand if the multiplication would otherwise pack every matrix of the stack.
  void pack_matrix(Labelled* x, const Labels& own, const Labels& sum, bool left) {
    const bool cast = x->array->dtype != dtype_;
    const Dimension r = dimension(*x, *x, own), c = dimension(*x, *x, sum);
    if (!cast && is_blas_matrix(r, c, item_size(dtype_))) return;
    Labels stack;
    for (int32_t l : joined({&stack_, &loose_})) {
      if (has(x->labels, l)) stack.push_back(l);
    }
    *x = packed(*x, left ? joined({&stack, &own, &sum}) : joined({&stack, &sum, &own}), dtype_, stream_);
  }

  // Row-major if the groups are dimensions of such a result and BLAS can write it; otherwise rows and columns
  // come last.
  Labelled result() const {
    Layout l;
    for (int32_t label : out_) {
      const Labelled& x = has(a_.labels, label) ? a_ : b_;
      l.shape[l.ndim++] = has(x.labels, label) ? extent(x, label) : 1;  // packing drops axes of extent 1
    }
    const int64_t item = item_size(dtype_);
    Labelled c{create(dtype_, Layout::contiguous(l.dims(), item, Order::C), a_.array->device(), stream_),
               out_};
    const bool whole = is_one_group(c, row_group_) && is_one_group(c, column_group_);
    if (whole && is_blas_matrix(dimension(c, c, row_group_), dimension(c, c, column_group_), item)) return c;
    Labels order;
    for (int32_t label : out_) {
      if (!has(row_group_, label) && !has(column_group_, label)) order.push_back(label);
    }
    order = joined({&order, &row_group_, &column_group_});
    int32_t axes[max_ndim];
    for (size_t i = 0; i < order.size(); ++i) axes[i] = static_cast<int32_t>(axis_of_label(out_, order[i]));
    return {create(dtype_, layout_permuted(l.dims(), axes, item), a_.array->device(), stream_), out_};
  }

  // The array as a stack of matrices.
  static Ref<Array> matrices(const Labelled& x, const Labels& stack, const Labels& rows,
                             const Labels& columns) {
    if (stack.size() + 2 > static_cast<size_t>(max_ndim)) {
      fail(ARR_E_SHAPE, "argument operands: a product of ", stack.size() + 2, " dimensions, at most ",
           max_ndim);
    }
    Layout l;
    auto add = [&](const Dimension& d) {
      l.shape[l.ndim] = d.extent;
      l.strides[l.ndim++] = d.stride;
    };
    for (int32_t label : stack)
      add(has(x.labels, label) ? Dimension{extent(x, label), stride(x, label)} : Dimension{});
    add(dimension(x, x, rows));
    add(dimension(x, x, columns));
    return x.array->layout.same_strides(l) ? x.array : x.array->view(l);
  }

  Labelled a_, b_;
  const Labels& out_;
  DType dtype_;
  Stream* stream_;
  Labels stack_, rows_, columns_, sum_;          // labels of each kind
  Labels row_group_, column_group_, sum_group_;  // labels that form one dimension
  Labels loose_;                                 // labels of rows and columns that became batch dimensions
};

// The product of the operands, computed in a type. own: where a program of many operands is kept.
const BoundProgram& product_of(std::span<const Array* const> operands, DType type, BoundProgram* own) {
  static auto* programs = new ProgramCache;
  constexpr size_t max_cached = 7;  // their dtypes and `type` make a key
  const auto build = [&] {
    ProgramBuilder p;
    int32_t product = -1;
    for (const Array* x : operands) {
      const int32_t factor = p.cast(p.input(x->dtype), type);
      product = product < 0 ? factor : p.op(op::multiply, product, factor);
    }
    p.output(p.cast(product, type));
    return p.finish();
  };
  if (operands.size() > max_cached) return *own = build();
  auto key = static_cast<uint64_t>(type);
  for (const Array* x : operands) key = key << 8 | static_cast<uint64_t>(x->dtype);
  return programs->get(key, build);
}

const ReductionInfo& sum_of(DType dtype) {
  return *reduction_info(dtype == DType::bool_ ? reduction::any : reduction::sum);
}

}  // namespace

Ref<Array> aligned(const Labelled& a, const Labels& out) {
  Layout l;
  for (int32_t label : out) {
    const bool there = has(a.labels, label);
    l.shape[l.ndim] = there ? extent(a, label) : 1;
    l.strides[l.ndim++] = there ? stride(a, label) : 0;
  }
  return a.array->view(l);
}

Ref<Array> sum_to(const Labelled& a, const Labels& out, DType dtype, Stream* stream) {
  Labels all = out;
  for (int32_t l : a.labels) {
    if (!has(out, l)) all.push_back(l);
  }
  Ref<Array> view = aligned(a, all);
  if (all.size() == out.size()) return view;
  ReduceOptions options;
  uint32_t axes = 0;
  for (size_t i = out.size(); i < all.size(); ++i) axes |= 1U << i;
  if (dtype != DType::bool_) options.dtype = dtype;
  return reduce(sum_of(dtype), *view, axes, false, options, stream);
}

Ref<Array> multiply_and_sum(std::span<const Labelled> operands, const Labels& out, DType dtype,
                            Stream* stream) {
  Labels all = out;
  for (const Labelled& x : operands) {
    for (int32_t l : x.labels) {
      if (!has(all, l)) all.push_back(l);
    }
  }
  if (all.size() > static_cast<size_t>(max_ndim)) {
    fail(ARR_E_SHAPE, "argument operands: a product of ", all.size(), " dimensions, at most ", max_ndim);
  }
  const ReductionInfo& by = sum_of(dtype);
  ReduceTypes types = resolve(by, dtype);
  types.out = dtype;
  const bool sum = all.size() != out.size();
  const DType type = sum ? types.acc : dtype;
  std::vector<Ref<Array>> views;
  std::vector<const Array*> arrays;
  views.reserve(operands.size());
  arrays.reserve(operands.size());
  for (const Labelled& x : operands) {
    views.push_back(aligned(x, all));
    arrays.push_back(views.back().get());
  }
  BoundProgram own;
  const BoundProgram& program = product_of(arrays, type, &own);
  if (!sum) return run(program, arrays, stream);
  uint32_t axes = 0;
  for (size_t i = out.size(); i < all.size(); ++i) axes |= 1U << i;
  return map_reduce(by, types, *program.program, Inputs(program, arrays).all(), axes, false, stream);
}

Ref<Array> contract(const Labelled& a, const Labelled& b, const Labels& out, DType dtype, Stream* stream) {
  Contraction c(a, b, out, dtype, stream);
  if (c.is_matrix_product()) return c.run();
  const Labelled both[2] = {a, b};
  return multiply_and_sum(both, out, dtype, stream);
}

}  // namespace arr
