// SPDX-License-Identifier: MIT
// Kernels of marks for nvrtc_compile: of conditions of every dtype, values, places, rows and writes.
#include "cuda/indexing/emit_compact.h"
#include "items.h"

namespace arr::cuda {

void add_selections(std::vector<Item>* items) {
  for (const DType d : dtypes()) {
    const Program& condition = single_cast(d, DType::bool_);
    const auto vector = static_cast<int32_t>(16 / item_size(d));
    items->push_back({text("mask bits of ", name(d)),
                      emit_pack_mask(condition, {1, false, vector, {Access::contiguous}})});
    items->push_back(
        {text("mask bits of wide ", name(d)), emit_pack_mask(condition, {3, true, 1, {Access::strided}})});
    const Program& itself = single_cast(d, d);
    items->push_back({text("select ", name(d)), emit_compact(itself, {2, false, 0, 0, {Access::strided}})});
    items->push_back(
        {text("select wide ", name(d)), emit_compact(itself, {1, true, 2, 0, {Access::strided}})});
  }
  const Program& none = *ProgramBuilder().finish().program;
  for (const int32_t nspace : {1, 2, 5}) {
    items->push_back({text("select indices ", nspace), emit_compact(none, {1, nspace == 1, nspace, 0, {}})});
  }
  for (const int32_t bytes : {1, 2, 4, 8, 16}) {
    items->push_back({text("select rows ", bytes), emit_compact(none, {2, bytes == 8, 0, bytes, {}})});
    items->push_back({text("write at mask bits ", bytes), emit_masked_scatter({2, bytes == 8, bytes})});
  }
}

}  // namespace arr::cuda
