// SPDX-License-Identifier: MIT
// Schur forms and Sylvester's equations of triangles by generated kernels, because cuSOLVER has none.
#include <algorithm>

#include "backend/linalg.h"
#include "cuda/codegen/kernels.h"
#include "cuda/linalg/emit_schur.h"
#include "cuda/linalg/solver.h"

namespace arr::cuda {

namespace {

// Launches a kernel with a block per matrix, of at most 1024 blocks.
void launch_each(Solving& x, Kernels& kernels, std::string (*emit)(DType), Arguments& args) {
  KernelKey key;
  key.shape = static_cast<uint64_t>(x.c.dtype);
  key.device = x.d.index;
  const Kernel& kernel = kernels.get(
      x.d, key, [&] { return emit(x.c.dtype); },
      [&] { return text(name(x.c.kind), " of ", name(x.c.dtype)); }, [] { return Words{}; });
  constexpr int64_t max_blocks = 1024;
  launch(x.d, kernel, {std::min(x.count, max_blocks), 1, schur_threads, 1}, args, x.s);
}

}  // namespace

void schur(Solving& x) {
  static auto* kernels = new Kernels;
  const LinalgCall& c = x.c;
  x.stack(c.a, c.n, c.n, false, c.dtype, c.x);
  Finite finite(x, c.x, c.dtype, c.n * c.n);
  Arguments args(schur_words);
  args.set(schur_count, x.count);
  args.set(schur_n, c.n);
  args.set(schur_t, c.x);
  args.set(schur_q, c.left);
  args.set(schur_info, c.info);
  launch_each(x, *kernels, emit_schur, args);
  finite.tell();
}

void sylvester(Solving& x) {
  static auto* kernels = new Kernels;
  const LinalgCall& c = x.c;
  const Scratch a(x.d, x.s, x.count * c.m * c.m * x.item), b(x.d, x.s, x.count * c.n * c.n * x.item);
  x.stack(c.a, c.m, c.m, false, c.dtype, a.data());
  x.stack(c.b, c.n, c.n, false, c.dtype, b.data());
  Arguments args(sylvester_words);
  args.set(sylvester_count, x.count);
  args.set(sylvester_m, c.m);
  args.set(sylvester_n, c.n);
  args.set(sylvester_a, a.data());
  args.set(sylvester_b, b.data());
  args.set(sylvester_x, c.x);
  launch_each(x, *kernels, emit_sylvester, args);
}

}  // namespace arr::cuda
