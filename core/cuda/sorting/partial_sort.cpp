// SPDX-License-Identifier: MIT
// Partial sorts: each requested element is selected by its bits, without waiting on the host; then the
// elements are moved to their sides of it, in their order.
#include <algorithm>

#include "backend/sorting.h"
#include "cuda/sorting/sort.h"

namespace arr::cuda {

namespace {

constexpr int64_t pivot_bytes = sort_pivot_bytes + 256 * 4;  // with the counts of a digit
constexpr int64_t max_pivots_bytes = int64_t{64} << 20;      // more rows are several calls

class Selection {
 public:
  Selection(Device& d, const SortCall& c, Stream& s)
      : device_(d),
        call_(c),
        stream_(s),
        tiles_(c),
        pivots_(checked::mul(c.rows, c.nkth, "the indices")),
        pivots_bytes_(checked::mul(pivots_, pivot_bytes, "the counts")),
        indices_bytes_(checked::mul(c.rows * c.n, 4, "the indices")),
        firsts_(c.extent == SortExtent::first ? c.rows * c.count : 0),
        firsts_bytes_(
            checked::mul(checked::ceil_div(firsts_, 4), 4 * (8 + item_size(c.dtype)), "the first ones")) {}

  void run(Arguments* args) {
    const Scratch scratch(device_, stream_,
                          pivots_bytes_ + tiles_.counts_bytes + indices_bytes_ + firsts_bytes_);
    char* pivots = static_cast<char*>(scratch.data());
    char *counts = pivots + pivots_bytes_, *firsts = counts + tiles_.counts_bytes,
         *indices = firsts + firsts_bytes_;
    args->set(sort_keys_word, call_.keys);
    args->set(sort_sorted_word, call_.sorted);
    args->set(sort_order_word, static_cast<const void*>(call_.order));
    args->set(sort_rows_word, call_.rows);
    tiles_.set(call_, counts, args);
    args->set(sort_pivots_word, pivots);
    args->set(sort_pivot_counts_word, pivots + pivots_ * sort_pivot_bytes);
    args->set(sort_nkth_word, call_.nkth);
    for (int32_t i = 0; i < call_.nkth; ++i) args->set(sort_kth_word + i, call_.kth[i]);
    device_.check(driver().cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(pivots), 0,
                                           static_cast<size_t>(pivots_bytes_), stream_.handle),
                  "cuMemsetD8Async", &stream_);
    select(args);
    args->set(sort_to_indices_word, indices);
    stage(SortStage::group_count, tiles_.all, 1, args);
    stage(SortStage::scan, call_.rows, 1, args);
    stage(SortStage::group_scatter, tiles_.all, 1, args);
    args->set(sort_from_indices_word, indices);
    if (call_.extent == SortExtent::kth) return stage(SortStage::gather, tiles_.all, 1, args);
    first_elements(args, firsts);
  }

 private:
  void stage(SortStage which, int64_t blocks, int64_t y, Arguments* args) {
    launch_sort(device_, call_.dtype, which, blocks, y, args, stream_);
  }
  void select(Arguments* args) {
    const int64_t keys = item_size(call_.dtype);
    for (int64_t pass = 0; pass < keys + 4; ++pass) {
      // Bits that no index has are skipped, because they are 0.
      if (pass >= keys && pass < keys + 3 && (call_.n - 1) >> (8 * (keys + 3 - pass)) == 0) continue;
      args->set(sort_pass_word, pass);
      stage(SortStage::select_count, tiles_.all, call_.nkth, args);
      stage(SortStage::select_pivot, pivots_, 1, args);
    }
  }
  // firsts: room for indices in the order of the elements, and for elements.
  void first_elements(Arguments* args, char* firsts) {
    char* elements = firsts + firsts_ * 8;
    args->set(sort_count_word, call_.count);
    args->set(sort_to_keys_word, elements);
    args->set(sort_from_order_word, firsts);
    const int64_t blocks = std::min(checked::ceil_div(firsts_, block_threads), max_sort_blocks);
    stage(SortStage::first_elements, blocks, 1, args);
    SortCall all;
    all.dtype = call_.dtype;
    all.rows = call_.rows;
    all.n = call_.count;
    all.descending = call_.descending;
    all.keys = elements;
    all.sorted = call_.sorted;
    all.order = reinterpret_cast<int64_t*>(firsts);
    sort(device_, all, stream_);
    if (call_.order != nullptr) stage(SortStage::first_indices, blocks, 1, args);
  }

  Device& device_;
  const SortCall& call_;
  Stream& stream_;
  const SortTiles tiles_;
  int64_t pivots_, pivots_bytes_, indices_bytes_, firsts_, firsts_bytes_;
};

}  // namespace

void sort_selected(Device& d, const SortCall& c, Arguments* args, Stream& s) {
  SortCall some = c;
  const int64_t last = c.count - 1;
  if (c.extent == SortExtent::first) {
    // The last of the first elements is selected.
    some.kth = &last;
    some.nkth = 1;
  }
  const int64_t item = item_size(c.dtype), results = c.extent == SortExtent::first ? c.count : c.n;
  const int64_t max_rows = std::max<int64_t>(1, max_pivots_bytes / (some.nkth * pivot_bytes));
  for (int64_t first = 0; first < c.rows; first += max_rows) {
    some.rows = std::min(max_rows, c.rows - first);
    some.keys = static_cast<const char*>(c.keys) + first * c.n * item;
    if (c.sorted != nullptr) some.sorted = static_cast<char*>(c.sorted) + first * results * item;
    if (c.order != nullptr) some.order = c.order + first * results;
    Selection(d, some, s).run(args);
  }
}

}  // namespace arr::cuda
