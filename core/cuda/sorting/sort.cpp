// SPDX-License-Identifier: MIT
// Sorts rows: short ones by warps or blocks, long ones by passes over 8 bits of their keys.
#include "backend/sorting.h"

#include <algorithm>
#include <utility>

#include "cuda/sorting/sort.h"

namespace arr::cuda {

namespace {

Kernels& sort_kernels() {
  static auto* k = new Kernels;
  return *k;
}

const Kernel& kernel_of(Device& d, DType dtype, SortStage stage) {
  KernelKey key;
  key.device = d.index;
  key.shape = static_cast<uint64_t>(dtype) | static_cast<uint64_t>(stage) << 8;
  return sort_kernels().get(
      d, key, [&] { return emit_sort(dtype, stage); }, [&] { return text("sort of ", name(dtype)); },
      [] { return Words{}; });
}

class Passes {
 public:
  Passes(Device& d, const SortCall& c, Stream& s)
      : device_(d),
        call_(c),
        stream_(s),
        all_(checked::mul(c.rows, c.n, "the elements")),
        tiles_(c),
        keys_bytes_(checked::mul(all_, max_bytes(c), "the keys")),
        indices_bytes_(checked::mul(all_, 4, "the indices")) {}

  void run(Arguments* args) {
    // Counts and indices first, because keys may have any size.
    const int64_t indices_bytes = 2 * indices_bytes_, counts_bytes = tiles_.counts_bytes;
    const Scratch scratch(device_, stream_, counts_bytes + indices_bytes + 2 * keys_bytes_);
    char *base = static_cast<char*>(scratch.data()), *first_keys = base + counts_bytes + indices_bytes;
    char* indices[2] = {base + counts_bytes, base + counts_bytes + indices_bytes_};
    char* keys[2] = {first_keys, first_keys + keys_bytes_};
    tiles_.set(call_, base, args);
    // The least significant key is sorted first.
    for (int64_t i = call_.nmore; i >= 0; --i) {
      const SortKey key = i == 0 ? SortKey{call_.dtype, call_.keys} : call_.more[i - 1];
      args->set(sort_keys_word, key.data);
      args->set(sort_permuted_word, int64_t{i == call_.nmore ? 0 : 1});
      for (int64_t pass = 0; pass < item_size(key.dtype); ++pass) {
        args->set(sort_pass_word, pass);
        args->set(sort_from_keys_word, keys[0]);
        args->set(sort_from_indices_word, indices[0]);
        args->set(sort_to_keys_word, keys[1]);
        args->set(sort_to_indices_word, indices[1]);
        launch_sort(device_, key.dtype, SortStage::count, tiles_.all, 1, args, stream_);
        launch_sort(device_, key.dtype, SortStage::scan, call_.rows, 1, args, stream_);
        launch_sort(device_, key.dtype, SortStage::scatter, tiles_.all, 1, args, stream_);
        std::swap(keys[0], keys[1]);
        std::swap(indices[0], indices[1]);
      }
    }
    args->set(sort_from_indices_word, indices[0]);
    if (call_.sorted == call_.keys) {
      // These keys are not read again, so their memory holds a copy of the elements.
      const auto to = reinterpret_cast<CUdeviceptr>(keys[1]),
                 from = reinterpret_cast<CUdeviceptr>(call_.keys);
      device_.check(driver().cuMemcpyDtoDAsync_v2(to, from, static_cast<size_t>(keys_bytes_), stream_.handle),
                    "cuMemcpyDtoDAsync", &stream_);
      args->set(sort_keys_word, keys[1]);
    }
    launch_sort(device_, call_.dtype, SortStage::gather, tiles_.all, 1, args, stream_);
  }

 private:
  static int64_t max_bytes(const SortCall& c) {
    int64_t max_size = item_size(c.dtype);
    for (int64_t i = 0; i < c.nmore; ++i) max_size = std::max(max_size, item_size(c.more[i].dtype));
    return max_size;
  }

  Device& device_;
  const SortCall& call_;
  Stream& stream_;
  int64_t all_;
  const SortTiles tiles_;
  int64_t keys_bytes_, indices_bytes_;
};

}  // namespace

void launch_sort(Device& d, DType dtype, SortStage stage, int64_t blocks, int64_t y, Arguments* args,
                 Stream& s) {
  launch(d, kernel_of(d, dtype, stage), {blocks, y, block_threads, 1}, *args, s);
}

void sort(Device& d, const SortCall& c, Stream& s) {
  constexpr int64_t max_n = int64_t{1} << 32;
  if (c.n >= max_n) {
    fail(ARR_E_UNSUPPORTED, "argument a: ", c.n, " elements along the axis, expected fewer than 2^32");
  }
  Arguments args(sort_words);
  for (int32_t i = 0; i < sort_words; ++i) args.set(i, int64_t{0});
  args.set(sort_keys_word, c.keys);
  args.set(sort_sorted_word, c.sorted);
  args.set(sort_order_word, static_cast<const void*>(c.order));
  args.set(sort_rows_word, c.rows);
  args.set(sort_n_word, c.n);
  args.set(sort_inner_word, c.inner);
  args.set(sort_descending_word, int64_t{c.descending ? 1 : 0});
  if (c.extent != SortExtent::all) return sort_selected(d, c, &args, s);
  if (c.nmore > 0 || c.n > sort_block_row(item_size(c.dtype))) return Passes(d, c, s).run(&args);
  const bool warps = c.n <= sort_warp_row;
  const int64_t blocks = warps ? checked::ceil_div(c.rows, block_threads / sort_warp_row) : c.rows;
  launch_sort(d, c.dtype, warps ? SortStage::warp_rows : SortStage::block_rows,
              std::min(blocks, max_sort_blocks), 1, &args, s);
}

}  // namespace arr::cuda
