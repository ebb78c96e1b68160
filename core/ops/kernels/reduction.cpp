// SPDX-License-Identifier: MIT
// Users' reductions: which axes, the text of the kernels, parts of long reductions, the launches.
#include <algorithm>
#include <array>

#include "ops/engine/create.h"
#include "ops/kernels/kernel.h"

namespace arr {

ReductionKernel::ReductionKernel(std::vector<UserParam> in, std::vector<UserParam> out, Pieces pieces,
                                 Code code)
    : UserKernel(std::move(in), std::move(out), std::move(pieces)), code_(std::move(code)) {
  for (const UserParam& o : out_) {
    if (o.raw)
      fail(ARR_E_ARGUMENT, "argument out_params: ", o.name, " is raw, a reduction writes each output once");
  }
}

// The plan of one call.
struct ReductionKernel::Plan {
  std::vector<Ref<Array>> made;      // outputs that the call allocates
  std::vector<const Array*> arrays;  // of every parameter, nullptr for numbers
  Layout shape;                      // that the inputs broadcast to
  uint32_t axes = 0;
  Iteration loop;  // kept dimensions, then reduced ones; its operands are the arrays that are not raw
  int32_t kept = 0;
  std::array<int32_t, Program::max_inputs> slot{};  // which operand of the loop a parameter is
  std::vector<uint32_t> follows;                    // of every parameter: contiguous dimensions
  int64_t outputs = 1, reduced = 1;
  int32_t lanes = 1;   // threads that take the elements of an output, or of a part of it, in turn
  bool tree = false;   // whether lanes join their results at once
  int64_t parts = 1;   // of a long reduction
  int64_t bytes = -1;  // of the type that is reduced; -1: a type of the user's
  int64_t taken = 0;   // bytes of inputs for each element
  // Results for each output that a second kernel joins, where it is more than one.
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
    int32_t place[2] = {0, nkept}, at = 0;
    for (int32_t i = 0; i < shape.ndim; ++i) {
      bool gone = (axes >> i & 1U) != 0;
      int32_t to = place[gone ? 1 : 0]++;
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

// True if neighbours in memory belong to different outputs.
bool ReductionKernel::Plan::by_columns() const {
  if (kept == 0 || kept == loop.ndim || outputs < 32) return false;
  const int64_t* by = loop.strides[0];
  return std::abs(by[kept - 1]) < std::abs(by[loop.ndim - 1]);
}

// Chooses the number of threads and parts of an output.
void ReductionKernel::Plan::divide(bool synchronous) {
  constexpr int64_t few_outputs = 64, column_part = 64, most_rows = 65535;
  if (by_columns()) {
    // Threads of neighbouring outputs read neighbouring elements; short parts stay in the caches.
    if (bytes > 0 && reduced >= 2 * column_part) {
      parts = std::min(most_rows, checked::ceil_div(reduced, column_part));
    }
    return;
  }
  // Where one thread of the host runs all threads of a block, barriers only cost time. A few threads become a
  // vector, and a part stays in the first-level cache for those that follow one by one.
  tree = !synchronous;
  if (tree && reduced >= 64) lanes = 256;
  if (!tree && bytes > 0 && reduced >= 512) lanes = 16;
  const int64_t least_part = tree ? 4096 : std::max<int64_t>(1024, 32768 / taken);
  const int64_t most_parts = tree ? 256 : most_rows;
  if (bytes > 0 && outputs < few_outputs && reduced >= 2 * least_part) {
    parts = std::min(most_parts, checked::ceil_div(reduced, least_part));
  }
}

namespace {

// Splits index `from` into prefix0, prefix1 ... over dims dimensions whose extents are arr_l.arr_shape[first
// ...].
std::string split(const char* indent, const char* from, const char* prefix, int32_t first, int32_t dims) {
  std::string out = text(indent, "long long ", prefix, "r = ", from, ";\n");
  for (int32_t d = dims; d-- > 0;) {
    std::string extent = text("arr_l.arr_shape[", first + d, "]");
    out += d == 0 ? text(indent, "const long long ", prefix, "0 = ", prefix, "r;\n")
                  : text(indent, "const long long ", prefix, "q", d, " = ", prefix, "r / ", extent, ", ",
                         prefix, d, " = ", prefix, "r - ", prefix, "q", d, " * ", extent, ";\n", indent,
                         prefix, "r = ", prefix, "q", d, ";\n");
  }
  return out;
}

// A step to the next element in memory stands there as a number: neighbouring threads' loads become one.
std::string offset(const char* prefix, size_t k, int32_t first, int32_t dims, uint32_t follows, DType dtype) {
  std::string out;
  for (int32_t d = 0; d < dims; ++d) {
    const bool next = (follows >> (first + d) & 1U) != 0;
    out += text(" + ", prefix, d, " * ",
                next ? text(item_size(dtype), "LL") : text("arr_l.arr_strides[", k, "][", first + d, "]"));
  }
  return out;
}

constexpr const char* joined = R"(  if (arr_lanes > 1) {
    __shared__ ulonglong2 arr_memory[(arr_lanes * sizeof(arr_R) + 15) / 16];
    arr_R* arr_all = (arr_R*)arr_memory;
    const int arr_t = threadIdx.x;
    arr_all[arr_t] = arr_s;
    __syncthreads();
    for (int arr_d = arr_lanes / 2; arr_d > 0; arr_d >>= 1) {
      if (arr_t < arr_d) arr_all[arr_t] = arr_user_join(arr_all[arr_t], arr_all[arr_t + arr_d]);
      __syncthreads();
    }
    arr_s = arr_all[0];
  }
)";

}  // namespace

// The pieces of the text that depend on a call's types and layout.
struct ReductionKernel::Lists {
  std::string params;                  // of the kernels
  std::string map_params, map_args;    // elements of the inputs, numbers, raw arrays
  std::string post_params, post_args;  // the outputs, numbers, raw arrays
  std::string offsets;                 // where an output's inputs begin
};

ReductionKernel::Lists ReductionKernel::lists(const Call& c, const Plan& p) const {
  Lists l;
  std::string elements, element_args, shared, shared_args;
  l.params = "const long long arr_outputs, const long long arr_reduced";
  for (size_t k = 0; k < c.as.size(); ++k) {
    const std::string& name = param(k).name;
    const char* t = user_type(c.as[k].dtype);
    l.params += arr::text(", ", declaration(c, k));
    if (c.as[k].reach != Reach::strided) {
      // Numbers and raw arrays are seen by the map and by what comes last.
      const std::string d = declaration(c, k);
      const char* by = c.as[k].reach == Reach::raw ? "& " : " ";
      shared += arr::text(", ", d.substr(0, d.rfind(' ')), by, name);
      shared_args += arr::text(", ", name);
    } else if (k < nin()) {
      elements += arr::text(", const ", t, "& ", name);
      element_args +=
          arr::text(", *(const ", t, "*)(arr_b_", name,
                    offset("arr_y", k, p.kept, p.loop.ndim - p.kept, p.follows[k], c.as[k].dtype), ")");
      l.offsets += arr::text("    const char* arr_b_", name, " = (const char*)arr_p_", name,
                             offset("arr_x", k, 0, p.kept, p.follows[k], c.as[k].dtype), ";\n");
    } else {
      l.post_params += arr::text(", ", t, "& ", name);
      l.post_args += arr::text(", *(", t, "*)((char*)arr_p_", name,
                               offset("arr_x", k, 0, p.kept, p.follows[k], c.as[k].dtype), ")");
    }
  }
  l.params += ", const arr_layout arr_l, arr_R* arr_partial, const long long arr_parts";
  // There is an element at least: an input is an array.
  l.map_params = (elements + shared).substr(2);
  l.map_args = (element_args + shared_args).substr(2);
  l.post_params += shared;
  l.post_args += shared_args;
  return l;
}

std::string ReductionKernel::text(const Call& c, const Plan& p) const {
  std::string type = code_.type.empty() ? user_type(c.as[nin()].dtype) : code_.type;
  const Lists l = lists(c, p);
  int32_t dims = std::max(p.loop.ndim, 1);
  std::string post = code_.post.empty() ? arr::text(param(nin()).name, " = a") : code_.post;
  std::string out =
      head(c, arr::text(code_.map, " ", code_.reduce, " ", code_.post, " ", type)) +
      arr::text("typedef ", type, " arr_R;\ntypedef arr_R _type_reduce;\n",
                "struct arr_layout { long long arr_shape[", dims, "], arr_strides[", c.as.size(), "][", dims,
                "]; };\n", "ARR_USER arr_R arr_user_map(", l.map_params, ") { return (arr_R)(\n", code_.map,
                "\n); }\n", "ARR_USER arr_R arr_user_join(const arr_R& a, const arr_R& b) ",
                "{ return (arr_R)(\n", code_.reduce, "\n); }\n",
                "ARR_USER arr_R arr_user_identity() { return (arr_R)(\n", code_.identity, "\n); }\n",
                "ARR_USER void arr_user_post(const arr_R& a", l.post_params, ") {\n", post, "\n;\n}\n");
  // One kernel, or two: pieces of the elements, then the pieces' results.
  out += kernel_text(p, l, true, p.pieces() == 1);
  return p.pieces() == 1 ? out : out + kernel_text(p, l, false, true);
}

// first: elements are reduced, else the pieces' results; last: the outputs are written, else such results.
std::string ReductionKernel::kernel_text(const Plan& p, const Lists& l, bool first, bool last) const {
  const bool lanes = first && p.lanes > 1;
  std::string out = arr::text(
      "extern \"C\" __global__ void ", entry(), first ? "" : "_arr_join", "(", l.params, ") {\n",
      "  const int arr_lanes = ", first ? p.lanes : 1, ", arr_lane = ", lanes ? "threadIdx.x" : "0", ";\n",
      "  const long long arr_o = ", lanes ? "blockIdx.x" : "(long long)blockIdx.x * blockDim.x + threadIdx.x",
      ";\n", "  arr_R arr_s = arr_user_identity();\n  if (arr_o < arr_outputs) {\n");
  if (first) {
    out += split("    ", "arr_o", "arr_x", 0, p.kept) + l.offsets;
    out +=
        "    const long long arr_part = (arr_reduced + arr_parts - 1) / arr_parts;\n"
        "    const long long arr_from = blockIdx.y * arr_part;\n"
        "    const long long arr_end = arr_from + arr_part < arr_reduced ? arr_from + arr_part : "
        "arr_reduced;\n"
        "    long long arr_i = arr_from;\n";
    // All lanes together as long as there are elements for all.
    const std::string take = split("      ", "arr_j", "arr_y", p.kept, p.loop.ndim - p.kept) +
                             "      arr_s = arr_user_join(arr_s, arr_user_map(" + l.map_args + "));\n    }\n";
    out +=
        "    for (; arr_i + arr_lanes <= arr_end; arr_i += arr_lanes) {\n"
        "      const long long arr_j = arr_i + arr_lane;\n" +
        take;
    if (lanes) {
      out +=
          "    if (arr_i + arr_lane < arr_end) {\n      const long long arr_j = arr_i + arr_lane;\n" + take;
    }
    out += arr::text("  }\n", lanes && p.tree ? joined : "");
  } else {
    out +=
        arr::text("    for (long long arr_j = 0; arr_j < arr_parts * ", p.tree ? 1 : p.lanes, "; ++arr_j)\n",
                  "      arr_s = arr_user_join(arr_s, arr_partial[arr_j * arr_outputs + arr_o]);\n  }\n");
  }
  const char* one = p.tree ? "arr_lane == 0 && " : "";
  if (!last) {
    return out + arr::text("  if (", one, "arr_o < arr_outputs) arr_partial[(blockIdx.y * ",
                           p.tree ? "1LL" : "(long long)arr_lanes + arr_lane",
                           ") * arr_outputs + arr_o] = arr_s;\n}\n");
  }
  return out + arr::text("  if (", one, "arr_o < arr_outputs) {\n") +
         split("    ", "arr_o", "arr_x", 0, p.kept) +
         arr::text("    arr_user_post(arr_s", l.post_args, ");\n  }\n}\n");
}

// The plan of a call: the inputs' common shape and the axes.
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
  // On the host threads without an output cost as much as others.
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
