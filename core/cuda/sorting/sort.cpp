// SPDX-License-Identifier: MIT
// Sorts rows: a short one by a block in shared memory, long ones by passes over 8 bits of their keys.
#include "backend/sorting.h"

#include <algorithm>
#include <utility>

#include "cuda/codegen/kernels.h"
#include "cuda/device/scratch.h"
#include "cuda/sorting/calls.h"
#include "cuda/sorting/emit_sort.h"

namespace arr::cuda {

namespace {

constexpr int64_t least_tile = 2048;    // elements of a block
constexpr int64_t most_tiles = 1024;    // of a row: one block scans their counts
constexpr int64_t most_blocks = 65535;  // of a launch for short rows, each of which takes several

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
        tiles_(std::clamp<int64_t>(checked::ceil_div(c.n, least_tile), 1, most_tiles)),
        keys_bytes_(checked::mul(all_, item_size(c.dtype), "the keys")),
        places_bytes_(checked::mul(all_, 4, "the places")),
        counts_bytes_(checked::mul(c.rows * tiles_, 256 * 4, "the counts")) {}

  void run(Arguments* args) {
    // Counts and places first, for keys may be of any size.
    const int64_t places_bytes = 2 * places_bytes_;
    const Scratch scratch(device_, stream_, counts_bytes_ + places_bytes + 2 * keys_bytes_);
    char *base = static_cast<char*>(scratch.data()), *first_keys = base + counts_bytes_ + places_bytes;
    char* places[2] = {base + counts_bytes_, base + counts_bytes_ + places_bytes_};
    char* keys[2] = {first_keys, first_keys + keys_bytes_};
    args->set(sort_counts_word, base);
    args->set(sort_tiles_word, tiles_);
    args->set(sort_tile_word, checked::ceil_div(call_.n, tiles_));
    const int64_t passes = item_size(call_.dtype);
    for (int64_t pass = 0; pass < passes; ++pass) {
      args->set(sort_pass_word, pass);
      args->set(sort_from_keys_word, keys[0]);
      args->set(sort_from_places_word, places[0]);
      args->set(sort_to_keys_word, keys[1]);
      args->set(sort_to_places_word, places[1]);
      launch_stage(SortStage::count, call_.rows * tiles_, args);
      launch_stage(SortStage::scan, call_.rows, args);
      launch_stage(SortStage::scatter, call_.rows * tiles_, args);
      std::swap(keys[0], keys[1]);
      std::swap(places[0], places[1]);
    }
    args->set(sort_from_places_word, places[0]);
    if (call_.sorted == call_.keys) {
      // These keys are not read again: their memory takes a copy of the elements.
      const auto to = reinterpret_cast<CUdeviceptr>(keys[1]),
                 from = reinterpret_cast<CUdeviceptr>(call_.keys);
      device_.check(driver().cuMemcpyDtoDAsync_v2(to, from, static_cast<size_t>(keys_bytes_), stream_.handle),
                    "cuMemcpyDtoDAsync", &stream_);
      args->set(sort_keys_word, keys[1]);
    }
    launch_stage(SortStage::gather, call_.rows * tiles_, args);
  }

 private:
  void launch_stage(SortStage stage, int64_t blocks, Arguments* args) {
    launch(device_, kernel_of(device_, call_.dtype, stage), {blocks, 1, block_threads, 1}, *args, stream_);
  }

  Device& device_;
  const SortCall& call_;
  Stream& stream_;
  int64_t all_, tiles_, keys_bytes_, places_bytes_, counts_bytes_;
};

}  // namespace

void sort(Device& d, const SortCall& c, Stream& s) {
  constexpr int64_t most = int64_t{1} << 32;
  if (c.n >= most) {
    fail(ARR_E_UNSUPPORTED, "argument a: ", c.n, " elements along the axis, expected fewer than 2^32");
  }
  Arguments args(sort_words);
  for (int32_t i = 0; i < sort_words; ++i) args.set(i, int64_t{0});
  args.set(sort_keys_word, c.keys);
  args.set(sort_sorted_word, c.sorted);
  args.set(sort_order_word, static_cast<const void*>(c.order));
  args.set(sort_rows_word, c.rows);
  args.set(sort_n_word, c.n);
  args.set(sort_descending_word, int64_t{c.descending ? 1 : 0});
  if (c.n > sort_short_row) return Passes(d, c, s).run(&args);
  launch(d, kernel_of(d, c.dtype, SortStage::short_rows),
         {std::min(c.rows, most_blocks), 1, block_threads, 1}, args, s);
}

}  // namespace arr::cuda
