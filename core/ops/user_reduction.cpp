// SPDX-License-Identifier: MIT
// Users' reductions: which axes, the text of the kernels, parts of long reductions, the launches.
#include <algorithm>
#include <array>

#include "ops/create.h"
#include "ops/user_kernel.h"

namespace arr {

ReductionKernel::ReductionKernel(std::vector<UserParam> in, std::vector<UserParam> out, Pieces pieces,
                                 Code code)
    : UserKernel(std::move(in), std::move(out), std::move(pieces)), code_(std::move(code)) {
  for (const UserParam& o : out_) {
    if (o.raw)
      fail(ARR_E_ARGUMENT, "argument out_params: ", o.name, " is raw, a reduction writes each output once");
  }
}

// Of one call.
struct ReductionKernel::Plan {
  std::vector<Ref<Array>> made;      // outputs that the call allocates
  std::vector<const Array*> arrays;  // of every parameter, nullptr for numbers
  Layout shape;                      // that the inputs broadcast to
  uint32_t axes = 0;
  Iteration loop;  // kept dimensions, then reduced ones; its operands are the arrays that are not raw
  int32_t kept = 0;
  std::array<int32_t, Program::max_inputs> slot{};  // which operand of the loop a parameter is
  int64_t outputs = 1, reduced = 1;
  int32_t lanes = 1;   // threads that share an output, or a part of it
  int64_t parts = 1;   // of a long reduction, joined by a second kernel
  int64_t bytes = -1;  // of the type that is reduced; -1: a type of the user's

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
}

// Whether neighbours in memory belong to different outputs.
bool ReductionKernel::Plan::by_columns() const {
  if (kept == 0 || kept == loop.ndim || outputs < 32) return false;
  const int64_t* by = loop.strides[0];
  return std::abs(by[kept - 1]) < std::abs(by[loop.ndim - 1]);
}

// How many threads and parts an output gets.
void ReductionKernel::Plan::divide(bool synchronous) {
  constexpr int64_t few_outputs = 64, least_part = 4096, column_part = 64, most_parts = 256;
  if (by_columns()) {
    // Threads of neighbouring outputs read neighbouring elements; short parts stay in the caches.
    if (bytes > 0 && reduced >= 2 * column_part) {
      parts = std::min<int64_t>(65536, checked::ceil_div(reduced, column_part));
    }
    return;
  }
  // Where blocks run thread by thread, threads that wait for each other would only cost time.
  lanes = !synchronous && reduced >= 64 ? 256 : 1;
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

std::string offset(const char* prefix, size_t k, int32_t first, int32_t dims) {
  std::string out;
  for (int32_t d = 0; d < dims; ++d)
    out += text(" + ", prefix, d, " * arr_l.arr_strides[", k, "][", first + d, "]");
  return out;
}

constexpr const char* tree = R"(  if (arr_lanes > 1) {
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

// What a call's types and layout put into the text.
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
      element_args += arr::text(", *(const ", t, "*)(arr_b_", name,
                                offset("arr_y", k, p.kept, p.loop.ndim - p.kept), ")");
      l.offsets += arr::text("    const char* arr_b_", name, " = (const char*)arr_p_", name,
                             offset("arr_x", k, 0, p.kept), ";\n");
    } else {
      l.post_params += arr::text(", ", t, "& ", name);
      l.post_args += arr::text(", *(", t, "*)((char*)arr_p_", name, offset("arr_x", k, 0, p.kept), ")");
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
  // One kernel, or two: parts of the elements, then the parts' results.
  out += kernel_text(p, l, true, p.parts == 1);
  return p.parts == 1 ? out : out + kernel_text(p, l, false, true);
}

// first: elements are reduced, else the results of parts; last: the outputs are written, else such results.
std::string ReductionKernel::kernel_text(const Plan& p, const Lists& l, bool first, bool last) const {
  std::string out =
      arr::text("extern \"C\" __global__ void ", entry(), first ? "" : "_arr_join", "(", l.params, ") {\n",
                "  const int arr_lanes = ", first ? p.lanes : 1, ";\n",
                "  const long long arr_w = (long long)blockIdx.x * (blockDim.x / arr_lanes) + threadIdx.x / "
                "arr_lanes;\n  const int arr_lane = threadIdx.x % arr_lanes;\n",
                "  const long long arr_o = ", first ? "arr_w % arr_outputs" : "arr_w", ";\n",
                "  arr_R arr_s = arr_user_identity();\n  if (",
                first ? "arr_w < arr_outputs * arr_parts" : "arr_w < arr_outputs", ") {\n");
  if (first) {
    out += split("    ", "arr_o", "arr_x", 0, p.kept) + l.offsets;
    out +=
        "    const long long arr_part = (arr_reduced + arr_parts - 1) / arr_parts;\n"
        "    const long long arr_from = arr_w / arr_outputs * arr_part;\n"
        "    const long long arr_end = arr_from + arr_part < arr_reduced ? arr_from + arr_part : "
        "arr_reduced;\n"
        "    for (long long arr_j = arr_from + arr_lane; arr_j < arr_end; arr_j += arr_lanes) {\n";
    out += split("      ", "arr_j", "arr_y", p.kept, p.loop.ndim - p.kept);
    out += arr::text("      arr_s = arr_user_join(arr_s, arr_user_map(", l.map_args, "));\n    }\n  }\n",
                     p.lanes > 1 ? tree : "");
  } else {
    out +=
        "    for (long long arr_j = 0; arr_j < arr_parts; ++arr_j)\n"
        "      arr_s = arr_user_join(arr_s, arr_partial[arr_j * arr_outputs + arr_o]);\n  }\n";
  }
  if (!last)
    return out + "  if (arr_lane == 0 && arr_w < arr_outputs * arr_parts) arr_partial[arr_w] = arr_s;\n}\n";
  return out + "  if (arr_lane == 0 && arr_w < arr_outputs) {\n" +
         split("    ", "arr_o", "arr_x", 0, p.kept) +
         arr::text("    arr_user_post(arr_s", l.post_args, ");\n  }\n}\n");
}

std::vector<Ref<Array>> ReductionKernel::run(std::span<const Input> args, int32_t naxes, const int32_t* axes,
                                             bool keepdims, Device device, Stream* stream, std::string* log) {
  Call c = bind(args, device);
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
  make_outputs(c, &p, keepdims, stream);
  if (p.outputs == 0) return std::move(p.made);
  p.arrange(c.as, nin(), keepdims);
  DType whole = c.as[nin()].dtype;
  for (const DTypeInfo& d : dtype_table) {
    if (d.bytes != 0 && code_.type == user_type(d.dtype)) whole = d.dtype;
  }
  if (code_.type.empty() || code_.type == user_type(whole)) p.bytes = item_size(whole);
  Queue q = queue_for(c.device, stream);
  p.divide(q.backend->synchronous);
  std::vector<std::string> names{entry()};
  if (p.parts > 1) names.push_back(entry() + "_arr_join");
  const std::vector<Ref<Kernel>> kernels = compiled(
      key_of(c) + arr::text("/", p.loop.ndim, ",", p.kept, ",", p.lanes, ",", p.parts > 1), c.device,
      [&] { return text(c, p); }, names, log);
  Packed packed;
  packed.add(p.outputs);
  packed.add(p.reduced);
  auto dims = static_cast<size_t>(p.loop.ndim), room = std::max<size_t>(dims, 1);
  std::vector<int64_t> layout(room * (1 + c.as.size()), 0);
  std::copy_n(p.loop.shape, dims, layout.begin());
  pack(c, p.arrays, q, &packed);
  for (size_t k = 0; k < c.as.size(); ++k) {
    if (c.as[k].reach != Reach::strided) continue;
    std::copy_n(p.loop.strides[p.slot[k]], dims,
                layout.begin() + static_cast<std::ptrdiff_t>(room * (1 + k)));
  }
  packed.add_bytes(layout.data(), layout.size() * sizeof(int64_t));
  Ref<Buffer> partial;
  if (p.parts > 1) partial = allocate(q, checked::mul(p.outputs * p.parts, p.bytes, "the partial results"));
  const int64_t partial_address =
      partial ? static_cast<int64_t>(reinterpret_cast<intptr_t>(partial->data())) : 0;
  packed.add_bytes(&partial_address, sizeof partial_address,
                   {partial ? partial->data() : nullptr, p.outputs * p.parts * p.bytes});
  packed.add(p.parts);
  // A block runs on one core of the host: few outputs in many parts are spread over more of them.
  int32_t block = p.lanes > 1 ? p.lanes : p.outputs < 64 && p.parts > 1 ? 1 : 64;
  const int64_t grid[3] = {checked::ceil_div(p.outputs * p.parts, block / p.lanes), 1, 1},
                one[3] = {checked::ceil_div(p.outputs, 64), 1, 1};
  const int32_t threads[3] = {block, 1, 1}, single[3] = {64, 1, 1};
  launch(*kernels[0], grid, threads, 0, packed.list(), stream);
  if (p.parts > 1) launch(*kernels[1], one, single, 0, packed.list(), stream);
  return std::move(p.made);
}

}  // namespace arr
