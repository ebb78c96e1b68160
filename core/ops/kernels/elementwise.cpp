// SPDX-License-Identifier: MIT
// Users' element-wise kernels: broadcasting, the loop around the user's code, launches.
#include <algorithm>
#include <array>

#include "ops/elementwise/create.h"
#include "ops/kernels/kernel.h"

namespace arr {

ElementwiseKernel::ElementwiseKernel(std::vector<UserParam> in, std::vector<UserParam> out, Pieces pieces,
                                     Code code)
    : UserKernel(std::move(in), std::move(out), std::move(pieces)),
      code_(std::move(code)),
      indexes_(mentions(code_.operation, "_ind") || mentions(pieces_.preamble, "_ind")),
      ordered_(indexes_ || mentions(code_.operation, "i") || mentions(pieces_.preamble, "i")) {}

// The plan of one call: arrays, their broadcast shape, and the loop's dimensions.
struct ElementwiseKernel::Plan {
  std::vector<Ref<Array>> made;      // outputs that the call allocates
  std::vector<const Array*> arrays;  // one per parameter; nullptr for numbers
  Layout shape;
  Iteration loop;  // its operands are the arrays that are not raw, outputs first
  std::array<int32_t, Program::max_inputs> slot{};  // for each parameter its operand in the loop
};

void ElementwiseKernel::make_outputs(Call& c, Plan* p, int64_t size, Stream* stream) const {
  bool some = false;
  for (size_t k = 0; k < c.as.size(); ++k) {
    const Array* a = k < c.args.size() ? c.args[k].array : nullptr;
    p->arrays.push_back(a);
    if (a == nullptr || param(k).raw) continue;
    if (size >= 0) {
      fail(ARR_E_ARGUMENT, "argument size: ", size, ", but ", param(k).name,
           " is not raw and determines the size");
    }
    if (!some) {
      p->shape = a->layout;
    } else if (k < nin()) {
      broadcast_shapes(p->shape, a->layout, "args", &p->shape);
    } else if (!a->layout.same_shape(p->shape)) {
      fail(ARR_E_SHAPE, "argument args[", k, "]: shape ", a->layout.text(), ", the result has ",
           p->shape.text());
    }
    some = true;
  }
  if (!some) {
    if (size < 0) fail(ARR_E_ARGUMENT, "argument size: required if every array is raw");
    p->shape = Layout::contiguous({&size, 1}, 1, Order::C);
  }
  std::vector<Input> shaped;
  for (size_t k = 0; k < nin(); ++k) {
    if (p->arrays[k] != nullptr && !param(k).raw) shaped.push_back({p->arrays[k], {}, false});
  }
  for (size_t k = c.args.size(); k < c.as.size(); ++k) {
    DType d = c.as[k].dtype;
    Layout l = result_layout(p->shape, shaped, item_size(d), ordered_ ? Order::C : Order::K);
    p->made.push_back(create(d, l, c.device, stream));
    p->arrays[k] = p->made.back().get();
    c.as[k].reach = param(k).raw ? Reach::raw : Reach::strided;
    c.as[k].ndim = l.ndim;
    c.as[k].raw_contiguous = l.is_contiguous(item_size(d), Order::C);
  }
}

// The loop's dimensions, and the layout of each array in them.
void ElementwiseKernel::arrange(Call& c, Plan* p) const {
  int64_t strides[Program::max_inputs][max_ndim];
  const int64_t* rows[Program::max_inputs];
  int32_t n = 0;
  for (bool outputs : {true, false}) {
    for (size_t k = outputs ? nin() : 0; k < (outputs ? c.as.size() : nin()); ++k) {
      if (c.as[k].reach != Reach::strided) continue;
      broadcast_strides(p->arrays[k]->layout, p->shape, strides[n]);
      rows[n] = strides[n];
      p->slot[k] = n++;
    }
  }
  Iteration& it = p->loop;
  const Layout& s = p->shape;
  if (!ordered_) {
    collapse(s.ndim, s.shape, n, rows, 0, &it, nullptr);
  } else {
    // Keeps the row-major order; merges adjacent dimensions if every array allows it.
    it.ndim = 0;
    it.operands = n;
    for (int32_t d = 0; d < s.ndim; ++d) {
      if (s.shape[d] == 1 && !pieces_.keep_dims) continue;
      int32_t last = it.ndim - 1;
      bool merge = last >= 0 && !pieces_.keep_dims;
      for (int32_t k = 0; merge && k < n; ++k) merge = it.strides[k][last] == strides[k][d] * s.shape[d];
      if (merge) {
        it.shape[last] *= s.shape[d];
      } else {
        last = it.ndim++;
        it.shape[last] = s.shape[d];
      }
      for (int32_t k = 0; k < n; ++k) it.strides[k][last] = strides[k][d];
    }
  }
  for (size_t k = 0; k < c.as.size(); ++k) {
    if (c.as[k].reach != Reach::strided) continue;
    const int64_t* by = it.strides[p->slot[k]];
    bool still = std::all_of(by, by + it.ndim, [](int64_t b) { return b == 0; });
    if (still) c.as[k].reach = Reach::uniform;
    if (it.ndim == 1 && by[0] == item_size(c.as[k].dtype)) c.as[k].reach = Reach::contiguous;
  }
}

std::string ElementwiseKernel::text(const Call& c, const Plan& p) const {
  bool strided = false, indexer = indexes_;
  for (const UserArgument& a : c.as) strided = strided || a.reach == Reach::strided;
  int32_t dims = p.loop.ndim;
  std::string params = "const long long arr_n";
  for (size_t k = 0; k < c.as.size(); ++k) params += arr::text(", ", declaration(c, k));
  bool split = (strided || indexer) && dims > 0;
  std::string out = head(c, code_.operation);
  if (split) {
    out += arr::text("struct arr_layout { long long arr_shape[", dims, "], arr_strides[", c.as.size(), "][",
                     dims, "]; };\n");
    params += ", const arr_layout arr_l";
  }
  bool once = code_.loop_prep.empty() && code_.after_loop.empty();
  out +=
      arr::text("extern \"C\" __global__ void ", entry(), "(", params, ") {\n", code_.loop_prep,
                "\n;\n  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < arr_n; i ",
                once ? "= arr_n" : "+= (long long)gridDim.x * blockDim.x", ") {\n");
  if (split) {
    out += "    long long arr_r = i;\n";
    for (int32_t d = dims; d-- > 0;) {
      out += d == 0 ? arr::text("    const long long arr_x0 = arr_r;\n")
                    : arr::text("    const long long arr_q", d, " = arr_r / arr_l.arr_shape[", d, "], arr_x",
                                d, " = arr_r - arr_q", d, " * arr_l.arr_shape[", d, "];\n    arr_r = arr_q",
                                d, ";\n");
    }
  }
  if (indexer) {
    std::string shape, at;
    for (int32_t d = 0; d < dims; ++d) {
      shape += arr::text(d == 0 ? "" : ", ", "arr_l.arr_shape[", d, "]");
      at += arr::text(d == 0 ? "" : ", ", "arr_x", d);
    }
    out += arr::text("    const arr_indexer<", dims, "> _ind = {arr_n, {", dims == 0 ? "1" : shape, "}, {",
                     dims == 0 ? "0" : at, "}};\n");
  }
  for (size_t k = 0; k < c.as.size(); ++k) {
    const UserArgument& a = c.as[k];
    if (a.reach == Reach::scalar || a.reach == Reach::raw) continue;
    const char *fixed = k < nin() ? "const " : "", *type = user_type(a.dtype);
    const std::string& name = param(k).name;
    out += arr::text("    ", fixed, type, "& ", name, " = ");
    if (a.reach == Reach::strided) {
      out += arr::text("*(", fixed, type, "*)((", fixed, "char*)arr_p_", name);
      for (int32_t d = 0; d < dims; ++d)
        out += arr::text(" + arr_x", d, " * arr_l.arr_strides[", k, "][", d, "]");
      out += ");\n";
    } else {
      out += arr::text("arr_p_", name, a.reach == Reach::uniform ? "[0];\n" : "[i];\n");
    }
  }
  return arr::text(out, "    {\n", code_.operation, "\n;\n    }\n  }\n", code_.after_loop, "\n;\n}\n");
}

std::vector<Ref<Array>> ElementwiseKernel::run(std::span<const Input> args, int64_t size, int32_t block,
                                               Device device, Stream* stream, std::string* log) {
  Call c = bind(args, device);
  Plan p;
  make_outputs(c, &p, size, stream);
  int64_t n = p.shape.size();
  if (n == 0) return std::move(p.made);
  arrange(c, &p);
  const std::string names[] = {entry()};
  const Ref<Kernel> kernel = compiled(
      key_of(c) + arr::text("/", p.loop.ndim), c.device, [&] { return text(c, p); }, names, log)[0];
  Queue q = queue_for(c.device, stream);
  Packed packed;
  packed.add(n);
  pack(c, p.arrays, q, &packed);
  bool strided = indexes_;
  for (const UserArgument& a : c.as) strided = strided || a.reach == Reach::strided;
  auto dims = static_cast<size_t>(p.loop.ndim);
  if (strided && dims > 0) {
    std::vector<int64_t> layout(p.loop.shape, p.loop.shape + dims);
    for (size_t k = 0; k < c.as.size(); ++k) {
      const int64_t* by = p.loop.strides[p.slot[k]];
      bool has = c.as[k].reach == Reach::strided;
      for (size_t d = 0; d < dims; ++d) layout.push_back(has ? by[d] : 0);
    }
    packed.add_bytes(layout.data(), layout.size() * sizeof(int64_t));
  }
  int64_t blocks = checked::ceil_div(n, block);
  // If the kernel has code before or after its loop, each thread processes several elements.
  if (!code_.loop_prep.empty() || !code_.after_loop.empty()) blocks = std::min<int64_t>(blocks, 4096);
  const int64_t grid[3] = {blocks, 1, 1};
  const int32_t threads[3] = {block, 1, 1};
  launch(*kernel, grid, threads, 0, packed.list(), stream);
  return std::move(p.made);
}

}  // namespace arr
