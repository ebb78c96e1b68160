// SPDX-License-Identifier: MIT
// Compiles what the CUDA backend generates with the real NVRTC, without a GPU: every op for every dtype in
// every class of operands, every reduction, scan and scatter in every class of shapes, every matrix product,
// and the raw kernels of the examples. Many kernels go into one translation unit.
//
//   nvrtc_compile SM [PART PARTS] [--ptx] [--only TEXT] [--file KERNEL.cu ...]
// With --ptx it makes PTX, no machine code, which takes most of the time; the host backend has to translate
// it. Exit 77 where there is no NVRTC.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "cuda/codegen/compile.h"
#include "cuda/indexing/emit_scatter.h"
#include "cuda/linalg/emit_banded.h"
#include "cuda/linalg/emit_ldl.h"
#include "cuda/linalg/emit_matmul.h"
#include "cuda/linalg/emit_schur.h"
#include "cuda/linalg/emit_tridiagonal.h"
#include "cuda/sorting/emit_sort.h"
#include "cuda/sparse/emit_incomplete.h"
#include "cuda/sparse/emit_product.h"
#include "cuda/statistics/emit_quantiles.h"
#include "expr/op_numbers.h"
#include "hostcuda/ptx/translation.h"
#include "items.h"

namespace arr::cuda {

std::vector<DType> dtypes() {
  std::vector<DType> all;
  for (int32_t i = 1; i < dtype_limit; ++i) {
    if (is_dtype(i)) all.push_back(static_cast<DType>(i));
  }
  return all;
}

namespace {

const Program* program_of(const OpInfo& op, DType d) {
  std::vector<DType> operands(static_cast<size_t>(op.nin), d);
  for (size_t k = 0; k < operands.size(); ++k) {
    if (own_type(op, k) != DType::none) operands[k] = own_type(op, k);
  }
  std::vector<OperandType> types;
  for (DType o : operands) types.push_back({o, false});
  try {
    return &single_op(op, operands, resolve(op, types).result);
  } catch (const Error&) {
    return nullptr;  // not defined for this dtype
  }
}

// A step that only programs have, with the types that the library uses it for.
const Program* inner_program(const OpInfo& op, DType d) {
  if (!in_domain(op.domain, d)) return nullptr;
  if (is_half(d) && op.in != OpIn::TAKE && op.number != op::random_unit) return nullptr;
  const bool used = d == DType::float64_ || d == DType::complex128_ || d == DType::int64_;
  if (op.in == OpIn::SEED && !used) return nullptr;
  ProgramBuilder b;
  std::vector<int32_t> args;
  for (size_t k = 0; k < static_cast<size_t>(op.nin); ++k) {
    const DType own = own_type(op, k);
    args.push_back(b.input(own != DType::none ? own : d));
  }
  b.output(b.step(op.number, d, args));
  return b.finish().program;
}

// Every class that elementwise.cpp can choose, with the program's first operand uniform or a scalar in some.
std::vector<ElementwiseShape> elementwise_shapes(const Program& p) {
  size_t operands = p.inputs.size() + p.outputs.size();
  auto shape = [&](ElementwiseShape::Kind kind, int32_t dims, int32_t vector, bool wide, Access access) {
    ElementwiseShape s;
    s.kind = kind;
    s.dims = dims;
    s.vector = vector;
    s.wide = wide;
    s.access.assign(operands, access);
    for (size_t k = 0; k < p.inputs.size(); ++k) {
      const bool has_address = (p.load_bases >> k & 1U) != 0;  // it has an address, as memory has
      if (p.inputs[k] == DType::table_ && !has_address) s.access[k] = Access::immediate;
    }
    return s;
  };
  int64_t min_item = 16, max_item = 1;
  for (size_t k = 0; k < operands; ++k) {
    if (k < p.inputs.size() && p.inputs[k] == DType::table_) continue;
    DType d = k < p.inputs.size() ? p.inputs[k]
                                  : p.nodes[static_cast<size_t>(p.outputs[k - p.inputs.size()])].dtype;
    min_item = std::min(min_item, item_size(d));
    max_item = std::max(max_item, item_size(d));
  }
  auto vector = static_cast<int32_t>(std::min(16 / min_item, std::max<int64_t>(1, 64 / max_item)));
  std::vector<ElementwiseShape> all;
  all.push_back(shape(ElementwiseShape::linear, 0, vector, false, Access::contiguous));
  all.push_back(shape(ElementwiseShape::linear, 0, 1, false, Access::contiguous));
  all.back().access[0] = Access::immediate;
  all.push_back(shape(ElementwiseShape::rows, 2, vector, false, Access::contiguous));
  all.back().access[0] = Access::uniform;
  all.push_back(shape(ElementwiseShape::general, 3, 1, false, Access::strided));
  all.push_back(shape(ElementwiseShape::general, 2, 1, true, Access::strided));
  return all;
}

// Random numbers as they are drawn: the index has no memory.
void add_ramps(std::vector<Item>* items) {
  for (DType d : {DType::float32_, DType::float64_}) {
    const Program& p = *inner_program(*op_info(op::random_normal), d);
    int32_t n = 0;
    for (ElementwiseShape s : elementwise_shapes(p)) {
      s.access[1] = Access::ramp;
      items->push_back({text("random_normal ", name(d), " of a ramp, class ", n++), emit_elementwise(p, s)});
    }
  }
}

// Several ops in one program with two results, in every class.
void add_fused(std::vector<Item>* items) {
  for (DType d : {DType::float16_, DType::float32_, DType::float64_, DType::complex64_}) {
    ProgramBuilder b;
    const int32_t x = b.input(d), y = b.input(d), z = b.input(DType::int32_);
    const int32_t sum = b.op(op::add, b.op(op::multiply, x, y), b.cast(z, d));
    for (const int32_t o : {b.op(op::sqrt, sum), sum}) b.output(o);
    const Program& p = *b.finish().program;
    for (const ElementwiseShape& s : elementwise_shapes(p)) {
      items->push_back({text("fused ", name(d), " ", items->size()), emit_elementwise(p, s)});
    }
  }
}

// The same for tiles, small and large: around the program they are the same text for all ops, so for an op of
// each number of operands.
void add_tiled(std::vector<Item>* items) {
  for (const char* op : {"positive", "add", "where"}) {
    for (DType d : dtypes()) {
      const Program* p = program_of(*op_find(op), d);
      if (p == nullptr) continue;
      ElementwiseShape s;
      s.kind = ElementwiseShape::tiled;
      s.access.assign(p->inputs.size() + p->outputs.size(), Access::strided);
      s.access[0] = Access::transposed;
      const bool small = item_size(p->inputs[0]) <= 2;
      for (int32_t dims : {2, 3}) {
        s.dims = dims;
        s.wide = dims == 2;
        s.edge = small && dims == 2 ? 64 : 32;
        items->push_back({text("tiled ", op, " ", name(d), " ", dims), emit_elementwise(*p, s)});
      }
    }
  }
}

// Operands that are not where wide accesses may begin, beside those that are: an input, or the output.
void add_unaligned(std::vector<Item>* items) {
  for (const char* op : {"positive", "add", "where", "less"}) {
    for (DType d : dtypes()) {
      const Program* p = program_of(*op_find(op), d);
      if (p == nullptr) continue;
      for (size_t kind : {0U, 2U}) {
        ElementwiseShape s = elementwise_shapes(*p)[kind];
        s.access[0] = Access::contiguous;
        s.access[kind == 0 ? 0 : s.access.size() - 1] = Access::unaligned;
        items->push_back({text("loose ", op, " ", name(d), " ", kind), emit_elementwise(*p, s)});
      }
    }
  }
}

void add_elementwise(std::vector<Item>* items) {
  // The special functions take up to a second each; around them the classes are the same text.
  constexpr int32_t first_special = 200;
  auto add = [&](const std::string& name, const Program& p, bool one_class) {
    int32_t n = 0;
    for (const ElementwiseShape& s : elementwise_shapes(p)) {
      items->push_back({text(name, " class ", n++), emit_elementwise(p, s)});
      if (one_class) break;
    }
  };
  for (const OpInfo& op : all_ops()) {
    for (DType d : dtypes()) {
      if (const Program* p = program_of(op, d)) {
        add(text(op.name, " ", name(d)), *p, op.number >= first_special);
      }
    }
  }
  for (const OpInfo& op : all_inner()) {
    for (DType d : dtypes()) {
      if (const Program* p = inner_program(op, d)) add(text(op.name, " ", name(d)), *p, op.in == OpIn::SEED);
    }
  }
  for (DType from : dtypes()) {
    for (DType to : dtypes()) {
      if (from == to) continue;
      const Program& p = single_cast(from, to);
      items->push_back({text(name(from), " to ", name(to)), emit_elementwise(p, elementwise_shapes(p)[0])});
    }
  }
}

// The classes that quantiles.cpp can choose.
void add_quantiles(std::vector<Item>* items) {
  for (DType d : dtypes()) {
    if (is_complex(d) || is_half(d)) continue;  // 16-bit floats come as float32
    for (const QuantileShape& s :
         {QuantileShape{32, 4, false}, QuantileShape{256, 32, false}, QuantileShape{256, 32, true}}) {
      items->push_back(
          {text("quantiles ", name(d), " ", s.lanes, s.split ? " split" : ""), emit_quantiles(d, s)});
    }
    items->push_back({text("quantiles with weights ", name(d)), emit_weighted(d)});
  }
}

void add_sorts(std::vector<Item>* items) {
  for (DType d : dtypes()) {
    for (int32_t stage = 0; stage < sort_stages; ++stage) {
      items->push_back({text("sort ", name(d), " ", stage), emit_sort(d, static_cast<SortStage>(stage))});
    }
  }
}

// Every op that reduces, and subtract, of every type that it has.
void add_scatters(std::vector<Item>* items) {
  std::vector<const OpInfo*> ops = {op_info(op::subtract)};
  for (const OpInfo& o : all_ops()) {
    if (reducer_of(o) != nullptr) ops.push_back(&o);
  }
  for (const OpInfo* o : ops) {
    for (DType d : dtypes()) {
      const DType both[2] = {d, d};
      if (program_of(*o, d) == nullptr) continue;
      const Program& combine = single_op(*o, both, d);
      ProgramBuilder b;
      const int32_t args[] = {b.input(DType::int64_), b.scalar(scalar_of(int64_t{3}), false)};
      b.output(b.op(op::left_shift, args));
      b.output(b.input(d));
      const Program& map = *b.finish().program;
      for (const ScatterShape& s : {ScatterShape{1, false, {}}, ScatterShape{3, true, {}}}) {
        ScatterShape with = s;
        for (Access a : {Access::strided, Access::strided, Access::immediate}) with.access.push_back(a);
        items->push_back({text("scatter ", o->name, " ", name(d), s.wide ? " wide" : ""),
                          emit_scatter(map, combine, with)});
        if (o->number != op::add) break;
      }
    }
  }
}

void replace(std::string* s, const std::string& from, const std::string& to) {
  for (size_t at = s->find(from); at != std::string::npos; at = s->find(from, at + to.size())) {
    s->replace(at, from.size(), to);
  }
}

// Kernels one after the other, each in a namespace of its own.
std::string unit(const std::vector<Item>& items, size_t from, size_t to) {
  std::string source;
  for (size_t i = from; i < to; ++i) {
    std::string k = items[i].source;
    replace(&k, "arr_kernel(", text("arr_kernel_", i, "("));
    source += text("namespace k", i, " {\n", k, "}\n");
  }
  return translation_unit(source);
}

struct Run {
  int sm, part = 0, parts = 1;
  bool ptx = false;
  std::vector<std::string> files;
  std::string only;
};

// Throws the error of the compiler, or of the host backend about the PTX.
void compile_one(const Nvrtc& n, const Run& run, const std::string& source, const char* name,
                 std::span<const std::string> options) {
  const Compiled made = compile(n, source, name, options, {}, nullptr);
  if (!run.ptx) return;
  const std::string ptx(made.image.data(), strnlen(made.image.data(), made.image.size()));
  const host_kernels::SourceUnit unit{"unit.ptx", ptx, true};
  if (host_kernels::read_ptx({&unit, 1}).kernels.empty()) fail(ARR_E_COMPILE, "no kernel in the PTX");
}

void add_sparse(std::vector<Item>* items) {
  for (DType index : {DType::int32_, DType::int64_}) {
    for (DType d : dtypes()) {
      for (int32_t lanes : {1, 8}) {
        items->push_back({text("sparse product ", name(d)),
                          emit_sparse_product(SparseSemiring::ordinary, d, index, lanes)});
      }
    }
    for (int32_t s = 1; s < static_cast<int32_t>(SparseSemiring::end); ++s) {
      const auto semiring = static_cast<SparseSemiring>(s);
      const DType d = semiring == SparseSemiring::any_and ? DType::bool_ : DType::float64_;
      items->push_back({text("sparse semiring ", s), emit_sparse_product(semiring, d, index, 8)});
    }
    for (DType d : {DType::float32_, DType::float64_, DType::complex64_, DType::complex128_}) {
      items->push_back({text("incomplete lu ", name(d)), emit_incomplete(d, index, false)});
      items->push_back({text("incomplete cholesky ", name(d)), emit_incomplete(d, index, true)});
    }
  }
}

std::vector<Item> all_items() {
  std::vector<Item> items;
  add_elementwise(&items);
  add_ramps(&items);
  add_fused(&items);
  add_tiled(&items);
  add_unaligned(&items);
  add_reductions(&items);
  add_fused_reductions(&items);
  add_scans(&items);
  add_fused_scans(&items);
  add_quantiles(&items);
  add_sorts(&items);
  add_segments(&items);
  add_ordered(&items);
  add_scatters(&items);
  add_selections(&items);
  add_sequences(&items);
  for (DType d : dtypes()) items.push_back({text("matmul ", name(d)), emit_matmul(d)});
  for (DType d : {DType::float32_, DType::float64_, DType::complex64_, DType::complex128_}) {
    items.push_back({text("tridiagonal ", name(d)), emit_tridiagonal(d)});
    items.push_back({text("ldl ", name(d)), emit_ldl(d)});
    items.push_back({text("banded ", name(d)), emit_banded(d, false)});
    items.push_back({text("banded definite ", name(d)), emit_banded(d, true)});
  }
  add_sparse(&items);
  for (DType d : {DType::complex64_, DType::complex128_}) {
    items.push_back({text("schur ", name(d)), emit_schur(d)});
    items.push_back({text("sylvester ", name(d)), emit_sylvester(d)});
  }
  return items;
}

int compile_all(const Nvrtc& n, const Run& run) {
  std::vector<Item> items = all_items();
  std::erase_if(items, [&](const Item& i) { return i.name.find(run.only) == std::string::npos; });
  constexpr size_t per_unit = 64;
  std::vector<std::string> options = generated_options(n, run.sm);
  if (run.ptx) options[0] = text("-arch=compute_", run.sm);
  int failures = 0;
  size_t compiled = 0;
  auto begin = std::chrono::steady_clock::now();
  for (size_t u = 0; u * per_unit < items.size(); ++u) {
    if (static_cast<int>(u % static_cast<size_t>(run.parts)) != run.part) continue;
    size_t to = std::min(items.size(), (u + 1) * per_unit);
    try {
      compile_one(n, run, unit(items, u * per_unit, to), "unit.cu", options);
      compiled += to - u * per_unit;
    } catch (const Error&) {
      // One by one, to name those that do not compile.
      for (size_t i = u * per_unit; i < to; ++i) {
        try {
          compile_one(n, run, unit(items, i, i + 1), "unit.cu", options);
          ++compiled;
        } catch (const Error& e) {
          ++failures;
          std::printf("FAILED %s: %s\n", items[i].name.c_str(), e.what());
        }
      }
    }
  }
  for (const std::string& file : run.files) {
    std::ifstream in(file);
    std::stringstream source;
    source << in.rdbuf();
    try {
      if (!in) fail(ARR_E_IO, "cannot be read");
      compile_one(n, run, source.str(), file.c_str(), {options.data(), 1});
      ++compiled;
    } catch (const Error& e) {
      ++failures;
      std::printf("FAILED %s: %s\n", file.c_str(), e.what());
    }
  }
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("NVRTC %d.%d, %s, part %d of %d: %zu kernels compiled in %.1f s, %d failed\n", n.major, n.minor,
              options[0].c_str(), run.part + 1, run.parts, compiled, seconds, failures);
  return failures == 0 && compiled != 0 ? 0 : 1;
}

}  // namespace
}  // namespace arr::cuda

int main(int argc, char** argv) {
  arr::cuda::Run run{argc > 1 ? std::atoi(argv[1]) : 90, 0, 1, false, {}, {}};
  for (int i = 2; i < argc; ++i) {
    if (std::strcmp(argv[i], "--file") == 0 && i + 1 < argc) {
      run.files.emplace_back(argv[++i]);
    } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      run.only = argv[++i];
    } else if (std::strcmp(argv[i], "--ptx") == 0) {
      run.ptx = true;
    } else if (i + 1 < argc) {
      run.part = std::atoi(argv[i]);
      run.parts = std::atoi(argv[++i]);
    }
  }
  try {
    return arr::cuda::compile_all(arr::cuda::nvrtc(), run);
  } catch (const arr::Error& e) {
    std::printf("SKIP: %s\n", e.what());
    return e.status() == ARR_E_UNAVAILABLE ? 77 : 1;
  }
}
