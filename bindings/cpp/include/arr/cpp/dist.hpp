/* SPDX-License-Identifier: MIT */
/* dist.hpp - distributed arrays with operators, and the decompositions that divide them.
 *
 *   const auto rows = arr::decomposition::blocks(comm, {n, n});
 *   arr::dist u = arr::dist::zeros(rows, arr::float64, {1, 1});
 *   u.exchange();
 *   arr::dist y = 2.0 * u.redistribute(columns) + b;
 *   double total = y.sum().item<double>(); */
#ifndef ARR_CPP_DIST_HPP
#define ARR_CPP_DIST_HPP
#include <arr/cpp/comm.hpp>
#include <arr/cpp/generator.hpp>

#include <string>
#include <vector>

namespace arr {
namespace detail {

template <class List>
int32_t length(const List& list) {
  return static_cast<int32_t>(list.size());
}
template <class T>
const T* pointer(const std::vector<T>& list) {
  return list.empty() ? nullptr : list.data();
}

inline std::vector<arr_value> values(const std::vector<operand>& list) {
  std::vector<arr_value> out;
  for (const operand& x : list) out.push_back(x.value());
  return out;
}

}  // namespace detail

/** The division of a global array among the ranks of a communicator. It moves, and does not copy. */
class decomposition : public owner<arr_decomposition, arr_decomposition_release> {
 public:
  using owner::owner;
  decomposition() = default;

  /** Divides into blocks. grid: for each axis the number of ranks, by default all along the first; blocks:
   * extents of blocks that are dealt out in turn, by default one block for each rank. */
  static decomposition blocks(const comm& c, const extents& shape, const std::vector<int32_t>& grid = {},
                              const std::vector<int64_t>& blocks = {}) {
    decomposition out;
    check(arr_decomposition_create(c.get(), detail::length(shape), shape.data(), detail::length(grid),
                                   detail::pointer(grid), detail::length(blocks), detail::pointer(blocks),
                                   out.put()));
    return out;
  }
  /** Divides an axis into contiguous parts of given extents, one for each rank. */
  static decomposition counts(const comm& c, const extents& shape, const std::vector<int64_t>& counts,
                              arr::axis axis = 0) {
    decomposition out;
    check(arr_decomposition_counts(c.get(), detail::length(shape), shape.data(), axis, detail::length(counts),
                                   detail::pointer(counts), out.put()));
    return out;
  }
  /** Gives each index of an axis to a rank. */
  static decomposition owners(const comm& c, const extents& shape, const std::vector<int32_t>& owners,
                              arr::axis axis = 0) {
    decomposition out;
    check(arr_decomposition_owners(c.get(), detail::length(shape), shape.data(), axis,
                                   static_cast<int64_t>(owners.size()), detail::pointer(owners), out.put()));
    return out;
  }

  /** Returns the extents of a rank's part; -1: of the global array. */
  std::vector<int64_t> shape(int32_t rank = -1) const {
    int32_t n = 0;
    check(arr_decomposition_shape(get(), rank, 0, nullptr, &n));
    std::vector<int64_t> out(static_cast<size_t>(n));
    check(arr_decomposition_shape(get(), rank, n, out.data(), nullptr));
    return out;
  }
  /** Returns the global indices that a rank has of an axis. */
  array indices(int32_t rank, arr::axis axis) const {
    array out;
    check(arr_decomposition_indices(get(), rank, axis, nullptr, out.put()));
    return out;
  }
};

/** A global array of which each rank has a part. It moves, and does not copy. All ranks make the same calls.
 */
class dist : public owner<arr_dist, arr_dist_release> {
 public:
  using owner::owner;
  dist() = default;

  /** Creates zeros. halo: layers around the parts, by default none. */
  static dist zeros(const decomposition& by, arr::dtype d = ARR_FLOAT64,
                    const std::vector<int64_t>& halo = {}) {
    return made([&](arr_dist* out) {
      return arr_dist_create(by.get(), d, detail::length(halo), detail::pointer(halo), nullptr, out);
    });
  }
  /** Makes one of this rank's part, which is not copied. */
  static dist from_part(const decomposition& by, const array& part) {
    return made([&](arr_dist* out) { return arr_dist_from_part(by.get(), part.get(), out); });
  }
  /** Divides an array that one rank has; other ranks may leave it out. */
  static dist scatter(const decomposition& by, const array& src = {}, int32_t root = 0) {
    return made([&](arr_dist* out) { return arr_dist_scatter(by.get(), src.get(), root, nullptr, out); });
  }
  /** Draws the numbers that arr_random_draw gives for the whole array: random(by, g,
   * ARR_DISTRIBUTION_NORMAL). */
  static dist random(const decomposition& by, const generator& g, int32_t distribution,
                     const std::vector<operand>& parameters = {}, arr::dtype d = arr::dtype()) {
    const std::vector<arr_value> values = detail::values(parameters);
    return made([&](arr_dist* out) {
      return arr_dist_random_draw(by.get(), g.get(), distribution, detail::length(values),
                                  detail::pointer(values), d, nullptr, out);
    });
  }
  /** Reads a .npy file, each rank its elements. */
  static dist load_npy(const decomposition& by, const std::string& path) {
    return made([&](arr_dist* out) {
      return arr_dist_load_npy(by.get(), path.data(), static_cast<int64_t>(path.size()), nullptr, out);
    });
  }
  /** Writes a .npy file, on rank 0. */
  void save_npy(const std::string& path) const {
    check(arr_dist_save_npy(get(), path.data(), static_cast<int64_t>(path.size()), nullptr));
  }
  /** Evaluates a formula, whose variables are the arrays in the order of their first appearance. */
  static dist evaluate(const std::string& formula, const std::vector<const dist*>& in) {
    std::vector<arr_dist> handles;
    for (const dist* a : in) handles.push_back(a->get());
    return made([&](arr_dist* out) {
      return arr_dist_evaluate(formula.data(), static_cast<int64_t>(formula.size()), detail::length(handles),
                               detail::pointer(handles), nullptr, out);
    });
  }

  arr::dtype dtype() const {
    arr_dtype d = 0;
    check(arr_dist_dtype(get(), &d));
    return arr::dtype(static_cast<int32_t>(d));
  }
  arr::decomposition decomposition() const {
    arr::decomposition out;
    check(arr_dist_decomposition(get(), out.put()));
    return out;
  }
  std::vector<int64_t> shape() const { return decomposition().shape(); }

  /** Returns this rank's part as a view; offsets displace it within the halo. */
  array part(const std::vector<int64_t>& offsets = {}) const {
    array out;
    check(arr_dist_part(get(), detail::length(offsets), detail::pointer(offsets), out.put()));
    return out;
  }
  /** Returns the part with its halo as a view. */
  array memory() const {
    array out;
    check(arr_dist_memory(get(), out.put()));
    return out;
  }
  /** Returns the whole array, by default on each rank; on others than root an array without a handle. */
  array gather(int32_t root = -1) const {
    array out;
    check(arr_dist_gather(get(), root, nullptr, out.put()));
    return out;
  }
  /** Returns the element of an array without dimensions. */
  template <class T>
  T item() const {
    return gather().item<T>();
  }

  /** Fills the halo with the values of neighbours. */
  void exchange(const std::vector<int32_t>& periodic = {}) const {
    check(arr_dist_exchange(get(), detail::length(periodic), detail::pointer(periodic), nullptr));
  }
  /** Copies the elements of an array that may be divided in another way. */
  void assign(const dist& src) const { check(arr_dist_assign(get(), src.get(), nullptr)); }
  dist redistribute(const arr::decomposition& by) const {
    return made([&](arr_dist* out) { return arr_dist_redistribute(get(), by.get(), nullptr, out); });
  }
  /** Permutes the axes, or reverses their order: a view. */
  dist transpose(const std::vector<int32_t>& axes = {}) const {
    return made([&](arr_dist* out) {
      return arr_dist_transpose(get(), detail::length(axes), detail::pointer(axes), out);
    });
  }
  /** Returns the indices from .. to - 1 of an axis: a view. */
  dist slice(arr::axis axis, int64_t from, int64_t to) const {
    return made([&](arr_dist* out) { return arr_dist_slice(get(), axis, from, to, out); });
  }

  dist reduce(int32_t reduction, const axes& over = {}, bool keepdims = false) const {
    return made([&](arr_dist* out) {
      return arr_dist_reduce(get(), reduction, detail::length(over), over.data(), keepdims, nullptr, out);
    });
  }
  dist sum(const axes& over = {}) const { return reduce(ARR_REDUCTION_SUM, over); }
  dist mean(const axes& over = {}) const { return reduce(ARR_REDUCTION_MEAN, over); }
  dist max(const axes& over = {}) const { return reduce(ARR_REDUCTION_MAX, over); }
  dist min(const axes& over = {}) const { return reduce(ARR_REDUCTION_MIN, over); }
  /** Computes the running reduction by an op along an axis. */
  dist accumulate(int32_t op, arr::axis axis = 0) const {
    return made([&](arr_dist* out) { return arr_dist_accumulate(op, get(), axis, nullptr, out); });
  }
  dist sort(arr::axis axis = -1) const {
    return made([&](arr_dist* out) { return arr_dist_sort(get(), axis, nullptr, out); });
  }
  dist matmul(const dist& b) const {
    return made([&](arr_dist* out) { return arr_dist_matmul(get(), b.get(), nullptr, out); });
  }
  /** Transforms along axes, by default along all. keep: the result is divided as this array is. */
  dist fftn(const axes& along = {}, bool keep = true, fft_norm norm = ARR_FFT_BACKWARD) const {
    return transformed(along, false, keep, norm);
  }
  dist ifftn(const axes& along = {}, bool keep = true, fft_norm norm = ARR_FFT_BACKWARD) const {
    return transformed(along, true, keep, norm);
  }
  dist rfftn(const axes& along = {}, bool keep = true, fft_norm norm = ARR_FFT_BACKWARD) const {
    return made([&](arr_dist* out) {
      return arr_dist_rfftn(get(), detail::length(along), along.data(), norm, keep, nullptr, out);
    });
  }
  /** n: the extent of the last of the axes in the result; -1: 2 (m - 1) of m. */
  dist irfftn(int64_t n = -1, const axes& along = {}, bool keep = true,
              fft_norm norm = ARR_FFT_BACKWARD) const {
    return made([&](arr_dist* out) {
      return arr_dist_irfftn(get(), n, detail::length(along), along.data(), norm, keep, nullptr, out);
    });
  }

  /** Makes a distributed array of a function of the C API: made([&](arr_dist* out) { return ...; }). */
  template <class Call>
  static dist made(const Call& call) {
    dist out;
    check(call(out.put()));
    return out;
  }

 private:
  dist transformed(const axes& along, bool inverse, bool keep, fft_norm norm) const {
    return made([&](arr_dist* out) {
      return arr_dist_fftn(get(), detail::length(along), along.data(), inverse, norm, keep, nullptr, out);
    });
  }
};

/** Fills a halo while other work is done: from here to the end of the scope, which waits. */
class halo_exchange {
 public:
  explicit halo_exchange(const dist& a, const std::vector<int32_t>& periodic = {}) : a_(a.get()) {
    check(arr_dist_exchange_begin(a_, detail::length(periodic), detail::pointer(periodic), nullptr));
  }
  halo_exchange(const halo_exchange&) = delete;
  halo_exchange& operator=(const halo_exchange&) = delete;
  ~halo_exchange() noexcept(false) {
    if (a_ == nullptr) return;
    const arr_status status = arr_dist_exchange_end(a_);
    if (std::uncaught_exceptions() == before_) check(status);
  }
  /** Waits before the end of the scope. */
  void end() { check(arr_dist_exchange_end(std::exchange(a_, nullptr))); }

 private:
  arr_dist a_;
  int before_ = std::uncaught_exceptions();
};

namespace detail {

/** An operand of an operator: a distributed array, or a number. */
class dist_operand {
 public:
  dist_operand(const dist& a) : array_(a.get()) {}
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  dist_operand(T x) : number_(operand(x).value()) {}

  /** The node of this operand in an expression; an array is appended to its inputs. */
  int32_t node(const expr& e, std::vector<arr_dist>* in) const {
    int32_t node = 0;
    if (array_ == nullptr) {
      check(arr_expr_constant(e.get(), &number_, &node));
    } else {
      check(arr_expr_input(e.get(), detail::length(*in), &node));
      in->push_back(array_);
    }
    return node;
  }

 private:
  arr_dist array_ = nullptr;
  arr_value number_{};
};

/** Applies an op of one to three operands, at least one of them an array, in one pass over each part. */
inline dist applied(int32_t op, const std::vector<dist_operand>& operands) {
  expr e;
  check(arr_expr_create(e.put()));
  std::vector<arr_dist> in;
  std::vector<int32_t> nodes;
  for (const dist_operand& x : operands) nodes.push_back(x.node(e, &in));
  int32_t result = 0;
  check(arr_expr_op(e.get(), op, detail::length(nodes), nodes.data(), &result));
  return dist::made([&](arr_dist* out) {
    return arr_dist_expr_run(e.get(), result, detail::length(in), in.data(), nullptr, out);
  });
}

}  // namespace detail

#define ARR_DIST_OPERATOR(sign, op)                                         \
  inline dist operator sign(const dist& x, const detail::dist_operand& y) { \
    return detail::applied(op, {x, y});                                     \
  }                                                                         \
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>    \
  dist operator sign(T x, const dist& y) {                                  \
    return detail::applied(op, {x, y});                                     \
  }
ARR_DIST_OPERATOR(+, ARR_OP_ADD)
ARR_DIST_OPERATOR(-, ARR_OP_SUBTRACT)
ARR_DIST_OPERATOR(*, ARR_OP_MULTIPLY)
ARR_DIST_OPERATOR(/, ARR_OP_DIVIDE)
ARR_DIST_OPERATOR(<, ARR_OP_LESS)
ARR_DIST_OPERATOR(<=, ARR_OP_LESS_EQUAL)
ARR_DIST_OPERATOR(>, ARR_OP_GREATER)
ARR_DIST_OPERATOR(>=, ARR_OP_GREATER_EQUAL)
ARR_DIST_OPERATOR(==, ARR_OP_EQUAL)
ARR_DIST_OPERATOR(!=, ARR_OP_NOT_EQUAL)
#undef ARR_DIST_OPERATOR
inline dist operator-(const dist& x) { return detail::applied(ARR_OP_NEGATIVE, {x}); }

}  // namespace arr
#endif
