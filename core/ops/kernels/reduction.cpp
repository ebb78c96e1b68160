// SPDX-License-Identifier: MIT
// Users' reductions: axes, the text of the kernels, splitting of long reductions, launches.
#include <algorithm>
#include <array>

#include "ops/elementwise/create.h"
#include "ops/kernels/kernel.h"
#include "user_reduction.h"
#include "user_tree.h"

namespace arr {

ReductionKernel::ReductionKernel(std::vector<UserParam> in, std::vector<UserParam> out, Pieces pieces,
                                 Code code)
    : UserKernel(std::move(in), std::move(out), std::move(pieces)), code_(std::move(code)) {
  for (const UserParam& o : out_) {
    if (o.raw)
      fail(ARR_E_ARGUMENT, "argument out_params: ", o.name, " is raw, a reduction writes each output once");
  }
}

// The arrays, the loop and the split of one call.
struct ReductionKernel::Plan {
  std::vector<Ref<Array>> made;      // outputs that the call allocates
  std::vector<const Array*> arrays;  // one per parameter; nullptr for numbers
  Layout shape;                      // the inputs' broadcast shape
  uint32_t axes = 0;
  Iteration loop;  // kept dimensions, then reduced ones; its operands are the arrays that are not raw
  int32_t kept = 0;
  std::array<int32_t, Program::max_inputs> slot{};  // the operand of the loop for each parameter
  std::vector<uint32_t>
      follows;  // for each parameter, the dimensions along which its elements are contiguous
  int64_t outputs = 1, reduced = 1;
  int32_t lanes = 1;   // number of threads that share an output, or a part of it
  bool tree = false;   // true if the lanes combine their results at once
  int64_t parts = 1;   // number of parts into which a long reduction is split
  int64_t bytes = -1;  // size of the reduced dtype; -1: a user's type
  int64_t taken = 0;   // bytes of input per element
  // The number of partial results per output; if there are several, a second kernel combines them.
  [[nodiscard]] int64_t pieces() const { return tree ? parts : parts * lanes; }

  void arrange(const std::vector<UserArgument>& as, size_t nin, bool keepdims);
  [[nodiscard]] bool by_columns() const;
  void divide(bool synchronous);
};

void ReductionKernel::make_outputs(Call& c, Plan* p, bool keepdims, Stream* stream) const {
  Layout wanted, order;
  std::vector<Input> shaped;
  for (size_t k = 0; k < nin(); ++k) {
    if (c.as[k].reach == Reach::strided) shaped.push_back(c.args[k]);
  }
  order = result_layout(p->shape, shaped, 1, Order::K);
  for (int32_t i = 0; i < p->shape.ndim; ++i) {
    bool reduced = (p->axes >> i & 1U) != 0;
    (reduced ? p->reduced : p->outputs) *= p->shape.shape[i];
    if (reduced && !keepdims) continue;
    wanted.shape[wanted.ndim] = reduced ? 1 : p->shape.shape[i];
    wanted.strides[wanted.ndim++] = reduced ? 0 : order.strides[i];
  }
  for (size_t k = nin(); k < c.as.size(); ++k) {
    c.as[k].reach = Reach::strided;
    if (k >= c.args.size()) {
      DType d = c.as[k].dtype;
      p->made.push_back(create(d, layout_like(wanted, item_size(d), Order::K), c.device, stream));
      p->arrays[k] = p->made.back().get();
    } else if (!p->arrays[k]->layout.same_shape(wanted)) {
      fail(ARR_E_SHAPE, "argument args[", k, "]: shape ", p->arrays[k]->layout.text(), ", the result has ",
           wanted.text());
    }
  }
}

void ReductionKernel::Plan::arrange(const std::vector<UserArgument>& as, size_t nin, bool keepdims) {
  int32_t nkept = shape.ndim - __builtin_popcount(axes), n = 0;
  int64_t extents[max_ndim], seen[max_ndim], strides[Program::max_inputs][max_ndim];
  const int64_t* rows[Program::max_inputs];
  for (size_t k = 0; k < as.size(); ++k) {
    if (as[k].reach != Reach::strided) continue;
    const Layout& l = arrays[k]->layout;
    if (k < nin) broadcast_strides(l, shape, seen);
    if (k < nin) taken += item_size(as[k].dtype);
    int32_t next[2] = {0, nkept}, at = 0;
    for (int32_t i = 0; i < shape.ndim; ++i) {
      bool gone = (axes >> i & 1U) != 0;
      int32_t to = next[gone ? 1 : 0]++;
      extents[to] = shape.shape[i];
      strides[n][to] = k < nin ? seen[i] : gone ? 0 : l.strides[at];
      at += !gone || keepdims ? 1 : 0;
    }
    rows[n] = strides[n];
    slot[k] = n++;
  }
  collapse(shape.ndim, extents, n, rows, shape.ndim - nkept, &loop, &kept);
  follows.assign(as.size(), 0);
  for (size_t k = 0; k < as.size(); ++k) {
    if (as[k].reach != Reach::strided) continue;
    for (int32_t d = 0; d < loop.ndim; ++d) {
      if (loop.strides[slot[k]][d] == item_size(as[k].dtype)) follows[k] |= 1U << d;
    }
  }
}

// Returns true if elements that are adjacent in memory belong to different outputs.
bool ReductionKernel::Plan::by_columns() const {
  if (kept == 0 || kept == loop.ndim || outputs < 32) return false;
  const int64_t* by = loop.strides[0];
  return std::abs(by[kept - 1]) < std::abs(by[loop.ndim - 1]);
}

// Chooses the number of threads and of parts per output.
void ReductionKernel::Plan::divide(bool synchronous) {
  constexpr int64_t few_outputs = 64, column_part = 64, max_rows = 65535;
  if (by_columns()) {
    // Threads of neighbouring outputs read neighbouring elements; short parts stay in the caches.
    if (bytes > 0 && reduced >= 2 * column_part) {
      parts = std::min(max_rows, checked::ceil_div(reduced, column_part));
    }
    return;
  }
  // On the host one thread runs all threads of a block, so waiting for each other only costs time. A few
  // lanes become a vector, and a part of contiguous elements fits the first-level cache.
  tree = !synchronous;
  if (tree && reduced >= 64) lanes = 256;
  if (!tree && bytes > 0 && reduced >= 512) lanes = 16;
  const int64_t min_part = tree ? 4096 : std::max<int64_t>(1024, 32768 / taken);
  const int64_t max_parts = tree ? 256 : max_rows;
  if (bytes > 0 && outputs < few_outputs && reduced >= 2 * min_part) {
    parts = std::min(max_parts, checked::ceil_div(reduced, min_part));
  }
}

namespace {

// "arr_offset<2, 0, 5, 8>(arr_l, arr_x)": the offset of argument k for indices of the dimensions from `first`
// on.
std::string offset(size_t k, int32_t first, uint32_t follows, DType dtype, const char* indices) {
  return text("arr_offset<", k, ", ", first, ", ", follows, ", ", item_size(dtype), ">(arr_l, ", indices,
              ")");
}

}  // namespace

// The parts of the text that depend on a call's types and layout.
struct ReductionKernel::Lists {
  std::string params;                  // parameters of the kernels
  std::string members, values;         // members of arr_call, and its initialiser
  std::string map_params, map_args;    // elements of the inputs, numbers, raw arrays
  std::string post_params, post_args;  // the outputs, numbers, raw arrays
};

ReductionKernel::Lists ReductionKernel::lists(const Call& c, const Plan& p) const {
  Lists l;
  std::string elements, element_args, shared, shared_args;
  l.params = "const long long arr_outputs, const long long arr_reduced";
  l.members = "  const arr_layout& arr_l;\n";
  l.values = "arr_l";
  for (size_t k = 0; k < c.as.size(); ++k) {
    const std::string& name = param(k).name;
    const char* t = user_type(c.as[k].dtype);
    const std::string d = declaration(c, k);
    l.params += arr::text(", ", d);
    if (c.as[k].reach != Reach::strided) {
      // The map and the post-processing can both use numbers and raw arrays.
      const std::string reference =
          arr::text(d.substr(0, d.rfind(' ')), c.as[k].reach == Reach::raw ? "& " : " ", name);
      l.members += arr::text("  ", reference, ";\n");
      l.values += arr::text(", ", name);
      shared += arr::text(", ", reference);
      shared_args += arr::text(", ", name);
      continue;
    }
    l.members += arr::text("  ", d, ";\n");
    l.values += arr::text(", arr_p_", name);
    const std::string base = offset(k, 0, p.follows[k], c.as[k].dtype, "arr_x");
    if (k < nin()) {
      elements += arr::text(", const ", t, "& ", name);
      element_args += arr::text(", *(const ", t, "*)((const char*)arr_p_", name, " + ", base, " + ",
                                offset(k, p.kept, p.follows[k], c.as[k].dtype, "arr_y"), ")");
    } else {
      l.post_params += arr::text(", ", t, "& ", name);
      l.post_args += arr::text(", *(", t, "*)((char*)arr_p_", name, " + ", base, ")");
    }
  }
  l.params += ", const arr_layout arr_l, arr_R* arr_partial, const long long arr_parts";
  // At least one input is an array, so there is an element.
  l.map_params = (elements + shared).substr(2);
  l.map_args = (element_args + shared_args).substr(2);
  l.post_params += shared;
  l.post_args += shared_args;
  return l;
}

std::string ReductionKernel::text(const Call& c, const Plan& p) const {
  const std::string type = code_.type.empty() ? user_type(c.as[nin()].dtype) : code_.type;
  const Lists l = lists(c, p);
  const int32_t dims = std::max(p.loop.ndim, 1);
  const std::string post = code_.post.empty() ? arr::text(param(nin()).name, " = a") : code_.post;
  std::string out =
      head(c, arr::text(code_.map, " ", code_.reduce, " ", code_.post, " ", type)) +
      arr::text("typedef ", type, " arr_R;\ntypedef arr_R _type_reduce;\n",
                "struct arr_layout { long long arr_shape[", dims, "], arr_strides[", c.as.size(), "][", dims,
                "]; };\n", "ARR_USER arr_R arr_user_map(", l.map_params, ") { return (arr_R)(\n", code_.map,
                "\n); }\n", "ARR_USER arr_R arr_user_join(const arr_R& a, const arr_R& b) ",
                "{ return (arr_R)(\n", code_.reduce, "\n); }\n",
                "ARR_USER arr_R arr_user_identity() { return (arr_R)(\n", code_.identity, "\n); }\n",
                "ARR_USER void arr_user_post(const arr_R& a", l.post_params, ") {\n", post, "\n;\n}\n");
  const bool tree = p.tree && p.lanes > 1;
  out += arr::text("constexpr int arr_kept = ", p.kept, ", arr_reduced_dims = ", p.loop.ndim - p.kept,
                   ", arr_lane_count = ", p.lanes, ";\nconstexpr bool arr_tree = ", p.tree ? "true" : "false",
                   ";\n");
  if (tree) {
    out.append(user::user_tree, user::user_tree_size);
  } else {
    out += "ARR_USER const arr_R& arr_block_reduce(const arr_R& arr_s) { return arr_s; }\n";
  }
  out.append(user::user_reduction, user::user_reduction_size);
  return out + kernels(p, l);
}

// Arguments of the call, and one or two kernels: for parts of the elements, then for the partial results.
std::string ReductionKernel::kernels(const Plan& p, const Lists& l) const {
  const bool single = p.pieces() == 1;
  std::string out = arr::text("struct arr_call {\n", l.members,
                              "  __device__ __forceinline__ arr_R arr_element(const arr_indices<arr_kept>& "
                              "arr_x, long long arr_j) const "
                              "{\n    const arr_indices<arr_reduced_dims> arr_y = arr_split<arr_kept, "
                              "arr_reduced_dims>(arr_l, arr_j);\n"
                              "    return arr_user_map(",
                              l.map_args,
                              ");\n  }\n  __device__ __forceinline__ void arr_finish(const arr_R& arr_s, "
                              "const arr_indices<arr_kept>& "
                              "arr_x) const {\n    arr_user_post(arr_s",
                              l.post_args, ");\n  }\n};\nextern \"C\" __global__ void ", entry(), "(",
                              l.params, ") {\n  const arr_call arr_c = {", l.values,
                              "};\n  arr_reduce_elements<", single ? "true" : "false",
                              ">(arr_c, arr_outputs, arr_reduced, arr_partial, arr_parts);\n}\n");
  if (single) return out;
  return out + arr::text("extern \"C\" __global__ void ", entry(), "_arr_join(", l.params,
                         ") {\n  const arr_call arr_c = {", l.values,
                         "};\n  arr_reduce_partials(arr_c, arr_outputs, arr_partial, arr_parts);\n}\n");
}

// Plans the reduction: the inputs' common shape and the axes.
ReductionKernel::Plan ReductionKernel::plan(const Call& c, std::span<const Input> args, int32_t naxes,
                                            const int32_t* axes) const {
  Plan p;
  bool some = false;
  for (size_t k = 0; k < c.as.size(); ++k) {
    p.arrays.push_back(k < args.size() ? args[k].array : nullptr);
    if (k >= nin() || c.as[k].reach != Reach::strided) continue;
    if (!some) p.shape = p.arrays[k]->layout;
    if (some) broadcast_shapes(p.shape, p.arrays[k]->layout, "args", &p.shape);
    some = true;
  }
  if (!some)
    fail(ARR_E_ARGUMENT, "argument args: at least one input of a reduction is an array that is not raw");
  p.axes = axis_mask(p.shape.ndim, naxes, axes);
  DType whole = c.as[nin()].dtype;
  for (const DTypeInfo& d : dtype_table) {
    if (d.bytes != 0 && code_.type == user_type(d.dtype)) whole = d.dtype;
  }
  if (code_.type.empty() || code_.type == user_type(whole)) p.bytes = item_size(whole);
  return p;
}

// The kernel's arr_layout: the loop's shape, then each argument's strides.
std::vector<int64_t> ReductionKernel::layout(const Call& c, const Plan& p) {
  const auto dims = static_cast<size_t>(p.loop.ndim), room = std::max<size_t>(dims, 1);
  std::vector<int64_t> out(room * (1 + c.as.size()), 0);
  std::copy_n(p.loop.shape, dims, out.begin());
  for (size_t k = 0; k < c.as.size(); ++k) {
    if (c.as[k].reach != Reach::strided) continue;
    std::copy_n(p.loop.strides[p.slot[k]], dims, out.begin() + static_cast<std::ptrdiff_t>(room * (1 + k)));
  }
  return out;
}

std::vector<Ref<Array>> ReductionKernel::run(std::span<const Input> args, int32_t naxes, const int32_t* axes,
                                             bool keepdims, Device device, Stream* stream, std::string* log) {
  Call c = bind(args, device);
  Plan p = plan(c, args, naxes, axes);
  make_outputs(c, &p, keepdims, stream);
  if (p.outputs == 0) return std::move(p.made);
  p.arrange(c.as, nin(), keepdims);
  Queue q = queue_for(c.device, stream);
  p.divide(q.synchronous);
  std::vector<std::string> names{entry()};
  const int64_t pieces = p.pieces();
  if (pieces > 1) names.push_back(entry() + "_arr_join");
  std::string key = key_of(c) + arr::text("/", p.loop.ndim, ",", p.kept, ",", p.lanes, ",", pieces > 1);
  for (uint32_t f : p.follows) key += arr::text(",", f);
  const std::vector<Ref<Kernel>> kernels = compiled(
      key, c.device, [&] { return text(c, p); }, names, log);
  Packed packed;
  packed.add(p.outputs);
  packed.add(p.reduced);
  pack(c, p.arrays, q, &packed);
  const std::vector<int64_t> shape_and_strides = layout(c, p);
  packed.add_bytes(shape_and_strides.data(), shape_and_strides.size() * sizeof(int64_t));
  Ref<Buffer> partial;
  if (pieces > 1) {
    partial = allocate(q, checked::mul(checked::mul(p.outputs, pieces, "the partial results"), p.bytes,
                                       "the partial results"));
  }
  const int64_t partial_address =
      partial ? static_cast<int64_t>(reinterpret_cast<intptr_t>(partial->data())) : 0;
  packed.add_bytes(&partial_address, sizeof partial_address,
                   {partial ? partial->data() : nullptr, p.outputs * pieces * p.bytes});
  packed.add(p.parts);
  // On the host, threads without an output cost as much as others.
  const int32_t join = !p.tree && p.outputs < 64 ? 1 : 64;
  const int32_t block = p.lanes > 1 ? p.lanes : 64;
  const int64_t grid[3] = {checked::ceil_div(p.outputs, block / p.lanes), p.parts, 1},
                one[3] = {checked::ceil_div(p.outputs, join), 1, 1};
  const int32_t threads[3] = {block, 1, 1}, single[3] = {join, 1, 1};
  launch(*kernels[0], grid, threads, 0, packed.list(), stream);
  if (pieces > 1) launch(*kernels[1], one, single, 0, packed.list(), stream);
  return std::move(p.made);
}

}  // namespace arr
